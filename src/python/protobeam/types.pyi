"""Device types: what World.device() returns. Written by make_stubs.py."""

from typing import Any

from numpy.typing import NDArray

from protobeam.world import Device

class Accelerometer(Device):
    """Specific force along three axes."""
    @property
    def acceleration(self) -> NDArray[Any]:
        """specific force along x, y and z: float64 (3,); unit: m/s^2; frame: device; without a value: nan"""

class AckermannDrive(Device):
    """A car with a motor in each steered front wheel; wheels: rear left, rear right, front left, front right."""
    @property
    def odometry_twist(self) -> NDArray[Any]:
        """vx, vy and yaw rate as the wheels tell: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def odometry_pose(self) -> NDArray[Any]:
        """x, y and yaw as the wheels tell, from where it started: float64 (3,); unit: m, m, rad; frame: start"""
    @property
    def true_twist(self) -> NDArray[Any]:
        """the truth: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def true_pose(self) -> NDArray[Any]:
        """x, y, z, roll, pitch, yaw: float64 (6,); unit: m and rad; frame: world"""
    @property
    def collision(self) -> NDArray[Any]:
        """1: touched something since the last sample: float64 ()"""
    @property
    def wheels(self) -> NDArray[Any]:
        """steering (rad), angle (rad), spin (rad/s), torque (N m), load (N), contact (1: yes), slip ratio, slip angle (rad): float64 (wheelRadii, 8); frame: vehicle"""
    def twist(self, vx: float, vy: float, yaw_rate: float) -> None:
        """set-point of controllers that take a twist
            vx (m/s)
            vy (m/s)
            yaw_rate (rad/s)"""
    def speed(self, speed: float, steering: float) -> None:
        """set-point of controllers that take speed and steering
            speed (m/s)
            steering (rad)"""
    def torques(self, steering: float, *torque: float) -> None:
        """set-point of controllers that take a torque for each input
            steering (rad)
            torque (N m)"""

class AckermannDrivetrain(Device):
    """A car with one motor and differentials; wheels: rear left, rear right, front left, front right."""
    @property
    def odometry_twist(self) -> NDArray[Any]:
        """vx, vy and yaw rate as the wheels tell: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def odometry_pose(self) -> NDArray[Any]:
        """x, y and yaw as the wheels tell, from where it started: float64 (3,); unit: m, m, rad; frame: start"""
    @property
    def true_twist(self) -> NDArray[Any]:
        """the truth: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def true_pose(self) -> NDArray[Any]:
        """x, y, z, roll, pitch, yaw: float64 (6,); unit: m and rad; frame: world"""
    @property
    def collision(self) -> NDArray[Any]:
        """1: touched something since the last sample: float64 ()"""
    @property
    def wheels(self) -> NDArray[Any]:
        """steering (rad), angle (rad), spin (rad/s), torque (N m), load (N), contact (1: yes), slip ratio, slip angle (rad): float64 (wheelRadii, 8); frame: vehicle"""
    def twist(self, vx: float, vy: float, yaw_rate: float) -> None:
        """set-point of controllers that take a twist
            vx (m/s)
            vy (m/s)
            yaw_rate (rad/s)"""
    def speed(self, speed: float, steering: float) -> None:
        """set-point of controllers that take speed and steering
            speed (m/s)
            steering (rad)"""
    def torques(self, steering: float, *torque: float) -> None:
        """set-point of controllers that take a torque for each input
            steering (rad)
            torque (N m)"""

class AirSpeed(Device):
    """Pressure of the air that meets a pitot tube."""
    @property
    def pressure(self) -> NDArray[Any]:
        """of the air along x, over that at rest: float64 (); unit: Pa"""

class Altimeter(Device):
    """Height of the device in the world."""
    @property
    def altitude(self) -> NDArray[Any]:
        """above the WGS84 ellipsoid, or above 0 in a world without geodetic coordinates: float64 (); unit: m"""

class Barometer(Device):
    """Pressure of the air."""
    @property
    def pressure(self) -> NDArray[Any]:
        """of the air: float64 (); unit: Pa"""

class Brake(Device):
    """Brakes a joint."""
    def damping(self, damping_constant: float) -> None:
        """torque or force against the velocity of the axis; 0: off
            damping_constant (N m s/rad or N s/m), >= 0"""

class Camera(Device):
    """A colour camera."""
    @property
    def image(self) -> NDArray[Any]:
        """blue, green, red, alpha (255) of each pixel, or what pixelFormat says; rows from the top: uint8 (height, width, channels); frame: device"""
    @property
    def objects(self) -> NDArray[Any]:
        """the first `objectCount` that were recognised: record (maxObjects,); frame: device"""
    @property
    def objectColors(self) -> NDArray[Any]:
        """recognitionColors of each, red, green, blue: float64 (maxObjects, 10, 3)"""
    @property
    def objectModels(self) -> NDArray[Any]:
        """field model of each, text: uint8 (maxObjects, 64)"""
    @property
    def objectCount(self) -> NDArray[Any]:
        """objects that were recognised: int32 ()"""
    @property
    def segmentation(self) -> NDArray[Any]:
        """blue, green, red, alpha (255): first of the recognitionColors of what each pixel shows, or what segmentationColors says; black: none: uint8 (segmentationHeight, segmentationWidth, 4); frame: device"""
    @property
    def stamp(self) -> NDArray[Any]:
        """when the image was taken; its first row with rowTime: float64 (); unit: s"""
    @property
    def orientedBoxes(self) -> NDArray[Any]:
        """of each object: middle of the box around its Shapes, and its size along the object's axes: float64 (maxOrientedBoxes, 6); unit: m; frame: device"""
    def fov(self, fov: float) -> None:
        """Sets the horizontal field of view
            fov (rad), > 0"""
    def exposure(self, exposure: float) -> None:
        """Sets the exposure
            exposure, >= 0"""
    def focal_distance(self, distance: float) -> None:
        """Sets the focus
            distance (m), >= 0"""
    def recognition(self, period: float) -> None:
        """Recognises objects with this period; 0: no longer
            period (s), >= 0"""
    def set_segmentation(self, on: float) -> None:
        """Starts or stops the segmentation image
            on, in [0, 1]"""
    def image_period(self, period: float) -> None:
        """Takes images with this period; 0: with each sample
            period (s), >= 0"""

class Compass(Device):
    """Direction to north, along three axes."""
    @property
    def north(self) -> NDArray[Any]:
        """unit vector, through the lookup table: float64 (3,); frame: device; without a value: nan"""

class ConeDetector(Device):
    """Cones of a race track, as a camera and a lidar with their software detect them."""
    @property
    def truth_count(self) -> NDArray[Any]:
        """cones in truth: int32 ()"""
    @property
    def truth(self) -> NDArray[Any]:
        """the true cones at the end of the step, with the covariance and colour of the track: record (maxCones,); frame: device"""
    @property
    def camera(self) -> NDArray[Any]:
        """cones of the latest messages: x, y, covariance, colour (2 blue, 1 yellow, 0 orange, 3 big orange, -1 unknown); message n, from 1, is in row (n - 1) % history: record (history, maxCones); frame: device; without a value: nan"""
    @property
    def camera_headers(self) -> NDArray[Any]:
        """of the latest messages, in the same rows: when measured, due and delivered, number of the measurement, cones: record (history,)"""
    @property
    def camera_messages(self) -> NDArray[Any]:
        """delivered since the device was enabled: uint32 ()"""
    @property
    def lidar(self) -> NDArray[Any]:
        """the same; all colours are unknown: record (history, maxCones); frame: device; without a value: nan"""
    @property
    def lidar_headers(self) -> NDArray[Any]:
        """of the latest messages, in the same rows: when measured, due and delivered, number of the measurement, cones: record (history,)"""
    @property
    def lidar_messages(self) -> NDArray[Any]:
        """delivered since the device was enabled: uint32 ()"""

class Connector(Device):
    """Docks to another Connector by a rigid link."""
    @property
    def presence(self) -> NDArray[Any]:
        """1: a connector that it can dock to is in position; 0: none is; -1: it is passive: int32 ()"""
    @property
    def docked(self) -> NDArray[Any]:
        """1: a link holds it; 0: none does: int32 ()"""
    @property
    def force(self) -> NDArray[Any]:
        """of the link on this connector's body in the last step: float64 (3,); unit: N; frame: device"""
    def lock(self) -> None:
        """docks to what is in position"""
    def unlock(self) -> None:
        """parts"""

class DifferentialDrive(Device):
    """Two driven sides without steering; wheels: left, right; left, right, caster; or rear left, rear right, front left, front right."""
    @property
    def odometry_twist(self) -> NDArray[Any]:
        """vx, vy and yaw rate as the wheels tell: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def odometry_pose(self) -> NDArray[Any]:
        """x, y and yaw as the wheels tell, from where it started: float64 (3,); unit: m, m, rad; frame: start"""
    @property
    def true_twist(self) -> NDArray[Any]:
        """the truth: float64 (3,); unit: m/s, m/s, rad/s; frame: vehicle"""
    @property
    def true_pose(self) -> NDArray[Any]:
        """x, y, z, roll, pitch, yaw: float64 (6,); unit: m and rad; frame: world"""
    @property
    def collision(self) -> NDArray[Any]:
        """1: touched something since the last sample: float64 ()"""
    @property
    def wheels(self) -> NDArray[Any]:
        """steering (rad), angle (rad), spin (rad/s), torque (N m), load (N), contact (1: yes), slip ratio, slip angle (rad): float64 (wheelRadii, 8); frame: vehicle"""
    def twist(self, vx: float, vy: float, yaw_rate: float) -> None:
        """set-point of controllers that take a twist
            vx (m/s)
            vy (m/s)
            yaw_rate (rad/s)"""
    def speed(self, speed: float, steering: float) -> None:
        """set-point of controllers that take speed and steering
            speed (m/s)
            steering (rad)"""
    def torques(self, steering: float, *torque: float) -> None:
        """set-point of controllers that take a torque for each input
            steering (rad)
            torque (N m)"""

class Display(Device):
    """A picture that the robot's program draws."""
    @property
    def image(self) -> NDArray[Any]:
        """red, green, blue and alpha; the first row is on top: uint8 (height, width, 4)"""
    def color(self, rgb: float) -> None:
        """0xRRGGBB, of what follows
            rgb, in [0, 16777215]"""
    def alpha(self, value: float) -> None:
        """of the pixels that follow
            value, in [0, 1]"""
    def opacity(self, value: float) -> None:
        """share of new colours and alphas in pixels that follow
            value, in [0, 1]"""
    def font(self, height: float, bytes: bytes | str) -> None:
        """of text; its name
            height (pixel), in [1, 4096]"""
    def attach_camera(self, tag: float) -> None:
        """what lies under the picture
            tag, in [1, 65535]"""
    def detach_camera(self) -> None:
        """nothing lies under the picture"""
    def draw_pixel(self, x: float, y: float) -> None:
        """one
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]"""
    def draw_line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """both ends included
            x1 (pixel), in [-2147483647, 2147483647]
            y1 (pixel), in [-2147483647, 2147483647]
            x2 (pixel), in [-2147483647, 2147483647]
            y2 (pixel), in [-2147483647, 2147483647]"""
    def draw_rectangle(self, x: float, y: float, width: float, height: float) -> None:
        """its outline
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]
            width (pixel), in [1, 2147483647]
            height (pixel), in [1, 2147483647]"""
    def draw_oval(self, cx: float, cy: float, a: float, b: float) -> None:
        """its outline
            cx (pixel), in [-2147483647, 2147483647]
            cy (pixel), in [-2147483647, 2147483647]
            a (pixel), in [1, 2147483647]
            b (pixel), in [1, 2147483647]"""
    def draw_polygon(self, *coordinate: float) -> None:
        """x and y of its corners: its outline
            coordinate (pixel), in [-2147483647, 2147483647]"""
    def draw_text(self, x: float, y: float, bytes: bytes | str) -> None:
        """from its upper left corner
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]"""
    def fill_rectangle(self, x: float, y: float, width: float, height: float) -> None:
        """and what is in it
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]
            width (pixel), in [1, 2147483647]
            height (pixel), in [1, 2147483647]"""
    def fill_oval(self, cx: float, cy: float, a: float, b: float) -> None:
        """and what is in it
            cx (pixel), in [-2147483647, 2147483647]
            cy (pixel), in [-2147483647, 2147483647]
            a (pixel), in [1, 2147483647]
            b (pixel), in [1, 2147483647]"""
    def fill_polygon(self, *coordinate: float) -> None:
        """x and y of its corners: and what is in it
            coordinate (pixel), in [-2147483647, 2147483647]"""
    def image_new(self, image: float, width: float, height: float, format: float, bytes: bytes | str) -> None:
        """pixels as bytes: 3 RGB, 4 RGBA, 5 ARGB, 6 BGRA, 7 ABGR
            image, in [1, 2147483647]
            width (pixel), in [1, 16384]
            height (pixel), in [1, 16384]
            format, in [3, 7]"""
    def image_load(self, image: float, bytes: bytes | str) -> None:
        """the bytes of a PNG or JPEG file
            image, in [1, 2147483647]"""
    def image_copy(self, image: float, x: float, y: float, width: float, height: float) -> None:
        """of a part of the picture
            image, in [1, 2147483647]
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]
            width (pixel), in [1, 16384]
            height (pixel), in [1, 16384]"""
    def image_paste(self, image: float, x: float, y: float, blend: float) -> None:
        """into the picture; blend 1: by alpha
            image, in [1, 2147483647]
            x (pixel), in [-2147483647, 2147483647]
            y (pixel), in [-2147483647, 2147483647]
            blend, in [0, 1]"""
    def image_delete(self, image: float) -> None:
        """from the clipboard
            image, in [1, 2147483647]"""
    def image_save(self, image: float) -> None:
        """sends it to the program; 0: the picture
            image, in [0, 2147483647]"""

class DistanceSensor(Device):
    """Distance to what is in front, through a lookup table."""
    @property
    def value(self) -> NDArray[Any]:
        """the distance, through the lookup table: float64 (); unit: of the lookup table; frame: device"""

class Emitter(Device):
    """Sends packets to receivers."""
    def send(self, bytes: bytes | str) -> None:
        """a packet"""
    def channel(self, channel: float) -> None:
        """-1: all channels
            channel, >= -1"""
    def range(self, range: float) -> None:
        """reach; -1: unlimited
            range (m), >= 0 or -1"""

class ForceTorqueSensor(Device):
    """Force and torque between the Solid in which it stands and what carries that."""
    @property
    def force(self) -> NDArray[Any]:
        """along x, y and z: float64 (3,); unit: N; frame: device; without a value: nan"""
    @property
    def torque(self) -> NDArray[Any]:
        """about x, y and z through the device's origin: float64 (3,); unit: N m; frame: device; without a value: nan"""

class GPS(Device):
    """Position and velocity of the device in the world."""
    @property
    def position(self) -> NDArray[Any]:
        """x, y, z, or latitude, longitude and altitude: float64 (3,); unit: m (geodetic: deg, deg, m); frame: world; without a value: nan"""
    @property
    def speed(self) -> NDArray[Any]:
        """over ground and upwards: float64 (); unit: m/s; without a value: nan"""
    @property
    def velocity(self) -> NDArray[Any]:
        """x, y, z: float64 (3,); unit: m/s; frame: world; without a value: nan"""

class Gnss(Device):
    """Receiver of satellite navigation: position, velocity, their quality and their time."""
    @property
    def position(self) -> NDArray[Any]:
        """of the antenna; altitude above the ellipsoid: record (); frame: WGS84; without a value: nan"""
    @property
    def enu(self) -> NDArray[Any]:
        """the same, from gpsReference: float64 (3,); unit: m; frame: ENU at gpsReference; without a value: nan"""
    @property
    def velocity(self) -> NDArray[Any]:
        """of the antenna: float64 (3,); unit: m/s; frame: ENU at gpsReference; without a value: nan"""
    @property
    def covariance(self) -> NDArray[Any]:
        """of the position's error: float64 (3, 3); unit: m^2; frame: ENU at gpsReference; without a value: nan"""
    @property
    def status(self) -> NDArray[Any]:
        """as NavSatStatus of ROS: -1 no fix, 0 fix, 1 SBAS, 2 GBAS and RTK: int32 (); without a value: -1"""
    @property
    def quality(self) -> NDArray[Any]:
        """as GGA of NMEA 0183: 0 no fix, 1 autonomous, 2 differential, 4 RTK fixed, 5 RTK float: int32 (); without a value: 0"""
    @property
    def stamp(self) -> NDArray[Any]:
        """when it was measured; nan before the first delivery: float64 (); unit: s; without a value: nan"""

class Gyro(Device):
    """Angular velocity about three axes."""
    @property
    def angular_velocity(self) -> NDArray[Any]:
        """about x, y and z, relative to the world: float64 (3,); unit: rad/s; frame: device; without a value: nan"""

class Hydrodynamics(Device):
    """Added mass and damping of the water around the body that it stands in."""

class Imu(Device):
    """Specific force, angular velocity and orientation."""
    @property
    def acceleration(self) -> NDArray[Any]:
        """specific force: +9.81 along the axis that points up, at rest: float64 (3,); unit: m/s^2; frame: sensor"""
    @property
    def angular_velocity(self) -> NDArray[Any]:
        """about x, y and z, relative to the world: float64 (3,); unit: rad/s; frame: sensor"""
    @property
    def orientation(self) -> NDArray[Any]:
        """rotation of the sensor's frame as a quaternion x, y, z, w; w >= 0; in another frame by orientationReference and orientationFromStart: float64 (4,); frame: east, north, up; without a value: nan"""
    @property
    def acceleration_bias(self) -> NDArray[Any]:
        """truth: the bias that is part of acceleration: float64 (3,); unit: m/s^2; frame: sensor"""
    @property
    def angular_velocity_bias(self) -> NDArray[Any]:
        """truth: the bias that is part of angular_velocity: float64 (3,); unit: rad/s; frame: sensor"""

class InertialUnit(Device):
    """Roll, pitch and yaw of the device in the world."""
    @property
    def roll_pitch_yaw(self) -> NDArray[Any]:
        """R_WS = Rz(yaw) Ry(pitch) Rx(roll); in NUE worlds Ry(yaw) Rz(pitch) Rx(roll): float64 (3,); unit: rad; frame: world; without a value: nan"""
    @property
    def quaternion(self) -> NDArray[Any]:
        """the same attitude: x, y, z, w: float64 (4,); frame: world"""

class JointServo(Device):
    """Moves motors to a set-point by a control law."""
    @property
    def error(self) -> NDArray[Any]:
        """what the first axis lacks; 0 for efforts: float64 (); unit: rad, rad/s; or m, m/s"""
    def set_point(self, set_point: float) -> None:
        """where to
            set_point (rad, rad/s, N m; or m, m/s, N)"""

class LED(Device):
    """Gives the Shapes and lights of its first child a colour."""
    def set(self, value: float) -> None:
        """0: off; else the number of a colour from 1, a strength or 0xRRGGBB
            value"""

class Lidar(Device):
    """Ranges along laser beams: a grid of them, or those of a real device at their firing times."""
    @property
    def range(self) -> NDArray[Any]:
        """distance along each beam, layer 0 on top, column 0 at the left: float32 (numberOfLayers, horizontalResolution); unit: m; frame: device; without a value: inf"""
    @property
    def points(self) -> NDArray[Any]:
        """written while the point cloud is on: record (numberOfLayers, horizontalResolution); frame: device; without a value: inf"""
    def point_cloud(self, on: float) -> None:
        """1: write points, 0: do not
            on, in [0, 1]"""
    def frequency(self, frequency: float) -> None:
        """of rotation, in [minFrequency, maxFrequency]
            frequency (Hz), >= 0"""

class LiftDrag(Device):
    """Lift, drag and moment of the air or water on the body that it stands in."""

class LightSensor(Device):
    """Irradiance of the world's lights, through a lookup table."""
    @property
    def value(self) -> NDArray[Any]:
        """the irradiance, through the lookup table: float64 (); unit: of the lookup table; frame: device"""
    @property
    def irradiance(self) -> NDArray[Any]:
        """before the lookup table: float64 (); unit: W/m^2; frame: device"""

class LinearBattery(Device):
    """Voltage, current and charge of a battery."""
    @property
    def voltage(self) -> NDArray[Any]:
        """with the load: float64 (); unit: V"""
    @property
    def current(self) -> NDArray[Any]:
        """negative: it discharges: float64 (); unit: A"""
    @property
    def charge(self) -> NDArray[Any]:
        """what is left: float64 (); unit: Ah"""

class LinearMotor(Device):
    """Pushes a slider."""
    @property
    def effort(self) -> NDArray[Any]:
        """torque or force of the motor in the last step: float64 (); unit: N m or N"""
    @property
    def feedback(self) -> NDArray[Any]:
        """the same without one that it was told directly; of a propeller's motor the sizes of thrust and torque together: float64 (); unit: N m or N"""
    def position(self, position: float) -> None:
        """target; inf: velocity control
            position (rad or m)"""
    def velocity(self, velocity: float) -> None:
        """wanted, or its limit
            velocity (rad/s or m/s)"""
    def acceleration(self, acceleration: float) -> None:
        """limit; -1: none
            acceleration (rad/s^2 or m/s^2), >= 0 or -1"""
    def set_effort(self, effort: float) -> None:
        """direct torque or force
            effort (N m or N)"""
    def available_effort(self, available_effort: float) -> None:
        """limit
            available_effort (N m or N), >= 0"""
    def control_pid(self, p: float, i: float, d: float) -> None:
        """gains of position control
            p, > 0
            i, >= 0
            d, >= 0"""

class LogicalCamera(Device):
    """Names and poses of the topmost Solids in its view, whatever is between."""
    @property
    def models(self) -> NDArray[Any]:
        """the first `count`, by name: record (256,); frame: device; without a value: 0"""
    @property
    def names(self) -> NDArray[Any]:
        """field name of each, text: uint8 (256, 128)"""
    @property
    def count(self) -> NDArray[Any]:
        """models in view: int32 ()"""

class Magnetometer(Device):
    """Magnetic field of the Earth, along three axes."""
    @property
    def field(self) -> NDArray[Any]:
        """along x, y and z: float64 (3,); unit: T; frame: device"""

class Microphone(Device):
    """Would hear sounds."""

class MotorDrive(Device):
    """Drives a robot by the motors of its wheels: twists in, odometry out. Its frame lies between the wheels, x ahead."""
    @property
    def odometry_twist(self) -> NDArray[Any]:
        """vx, vy and yaw rate as the wheels tell: float64 (3,); unit: m/s, m/s, rad/s; frame: device"""
    @property
    def odometry_pose(self) -> NDArray[Any]:
        """x, y and yaw as the wheels tell, from where it started: float64 (3,); unit: m, m, rad; frame: start"""
    def twist(self, vx: float, vy: float, yaw_rate: float) -> None:
        """set-point; vy: mecanum and planar only
            vx (m/s)
            vy (m/s)
            yaw_rate (rad/s)"""

class Pen(Device):
    """Draws on the Shape that lies on its -z axis."""
    def write(self, on: float) -> None:
        """1: it draws; 0: it does not
            on, in [0, 1]"""
    def ink(self, rgb: float, density: float) -> None:
        """colour as 0xRRGGBB, and density
            rgb, in [0, 16777215]
            density, in [0, 1]"""

class PositionSensor(Device):
    """Measures the position of a joint."""
    @property
    def position(self) -> NDArray[Any]:
        """of the axis: float64 (); unit: rad or m"""

class Propeller(Device):
    """Pushes the body that it stands in by a helix that a motor turns."""

class Radar(Device):
    """Distance, radial speed and azimuth of Solids that have a radarCrossSection."""
    @property
    def targets(self) -> NDArray[Any]:
        """the first `count` hold what was detected; azimuths grow to the right: record (256,); frame: device; without a value: 0"""
    @property
    def count(self) -> NDArray[Any]:
        """targets that were detected: int32 ()"""

class RangeFinder(Device):
    """A depth camera: the distance of what each pixel sees."""
    @property
    def range(self) -> NDArray[Any]:
        """depth of each pixel, rows from the top: float32 (height, width); unit: m; frame: device; without a value: inf"""

class Receiver(Device):
    """Receives packets of emitters."""
    def channel(self, channel: float) -> None:
        """-1: all channels
            channel, >= -1"""

class RgbdCamera(Device):
    """Depth and colour images."""
    @property
    def depth(self) -> NDArray[Any]:
        """depth of each pixel, rows from the top: uint16 (depthHeight, depthWidth); unit: of depthResolution; frame: device; without a value: 0"""
    @property
    def color(self) -> NDArray[Any]:
        """blue, green, red, alpha (255) of each pixel, rows from the top: uint8 (colorHeight, colorWidth, 4); frame: device"""

class RotationalMotor(Device):
    """Turns a hinge."""
    @property
    def effort(self) -> NDArray[Any]:
        """torque or force of the motor in the last step: float64 (); unit: N m or N"""
    @property
    def feedback(self) -> NDArray[Any]:
        """the same without one that it was told directly; of a propeller's motor the sizes of thrust and torque together: float64 (); unit: N m or N"""
    def position(self, position: float) -> None:
        """target; inf: velocity control
            position (rad or m)"""
    def velocity(self, velocity: float) -> None:
        """wanted, or its limit
            velocity (rad/s or m/s)"""
    def acceleration(self, acceleration: float) -> None:
        """limit; -1: none
            acceleration (rad/s^2 or m/s^2), >= 0 or -1"""
    def set_effort(self, effort: float) -> None:
        """direct torque or force
            effort (N m or N)"""
    def available_effort(self, available_effort: float) -> None:
        """limit
            available_effort (N m or N), >= 0"""
    def control_pid(self, p: float, i: float, d: float) -> None:
        """gains of position control
            p, > 0
            i, >= 0
            d, >= 0"""

class Rotor(Device):
    """Thrust, torque and drag of the propeller that it stands in, along its z axis."""
    @property
    def speed(self) -> NDArray[Any]:
        """w: float64 (); unit: rad/s"""
    @property
    def thrust(self) -> NDArray[Any]:
        """T of the last substep: float64 (); unit: N"""
    def set_point(self, set_point: float) -> None:
        """speed or thrust
            set_point (rad/s or N)"""

class Skin(Device):
    """Would be drawn around bones."""

class Speaker(Device):
    """Plays sounds and says texts: events of a run, which nobody hears."""
    def play(self, volume: float, pitch: float, balance: float, loop: float, side: float, bytes: bytes | str) -> None:
        """a file; side -1, 0, 1: its left, both, right channels
            volume, in [0, 1]
            pitch, > 0
            balance, in [-1, 1]
            loop, in [0, 1]
            side, in [-1, 1]"""
    def stop(self, bytes: bytes | str) -> None:
        """a file; empty: all"""
    def speak(self, volume: float, bytes: bytes | str) -> None:
        """language and text, a space between them
            volume, in [0, 1]"""

class ThermalCamera(Device):
    """A camera of temperatures."""
    @property
    def image(self) -> NDArray[Any]:
        """level of each pixel: its temperature in resolution K; rows from the top: uint16 (height, width); frame: device"""

class TouchSensor(Device):
    """Contact with the device's boundingObject, or force on what it is mounted on."""
    @property
    def values(self) -> NDArray[Any]:
        """a bumper's 0 or 1, or a force; unused ones are 0: float64 (3,); unit: of the lookup table; frame: device"""

class Track(Device):
    """A belt that runs over a body, as of a tank or a conveyor."""

class Trajectory(Device):
    """Carries its robot along a recorded trajectory."""
    @property
    def position(self) -> NDArray[Any]:
        """of the recorded body: float64 (3,); unit: m; frame: world"""
    @property
    def orientation(self) -> NDArray[Any]:
        """quaternion x, y, z, w of the recorded body, w >= 0: float64 (4,); frame: world"""
    @property
    def velocity(self) -> NDArray[Any]:
        """of the recorded body: float64 (3,); unit: m/s; frame: world"""
    @property
    def angular_velocity(self) -> NDArray[Any]:
        """of the robot: float64 (3,); unit: rad/s; frame: world"""
    @property
    def acceleration(self) -> NDArray[Any]:
        """of the recorded body, without gravity: float64 (3,); unit: m/s^2; frame: world"""
    @property
    def angular_acceleration(self) -> NDArray[Any]:
        """of the robot: float64 (3,); unit: rad/s^2; frame: world"""
    @property
    def recorded_time(self) -> NDArray[Any]:
        """time stamp in the recording: float64 (1,); unit: s"""

class Uwb(Device):
    """An ultra-wideband tag: two-way ranges to anchors, with their received power."""
    @property
    def ranges(self) -> NDArray[Any]:
        """each anchor in the order of the field; what was not received has valid 0: record (anchorCount,); without a value: nan"""
    @property
    def truth(self) -> NDArray[Any]:
        """of each anchor: the straight line, and the walls on it; 0: in free sight: record (anchorCount,)"""
    @property
    def count(self) -> NDArray[Any]:
        """anchors that were received: int32 ()"""

class VacuumGripper(Device):
    """Holds what touches it by suction."""
    @property
    def presence(self) -> NDArray[Any]:
        """1: it holds something: int32 ()"""
    @property
    def force(self) -> NDArray[Any]:
        """of the link on the gripper's body in the last step: float64 (3,); unit: N; frame: device"""
    def on(self) -> None:
        """grips what touches it"""
    def off(self) -> None:
        """lets go"""

class VelocityDrive(Device):
    """Gives its body a velocity, in all six directions."""
    @property
    def twist(self) -> NDArray[Any]:
        """velocity and rate of its frame as it moves: float64 (6,); unit: m/s, rad/s; frame: device"""
    def set_twist(self, vx: float, vy: float, vz: float, wx: float, wy: float, wz: float) -> None:
        """set-point
            vx (m/s)
            vy (m/s)
            vz (m/s)
            wx (rad/s)
            wy (rad/s)
            wz (rad/s)"""

class WheelPair(Device):
    """Two wheels that are told their speeds together, with encoders: what a DifferentialWheels of files before R2021b becomes."""
    @property
    def encoders(self) -> NDArray[Any]:
        """counts, left and right: float64 (2,)"""
    def speeds(self, left: float, right: float) -> None:
        """set-point
            left (speedUnit)
            right (speedUnit)"""
    def set_encoders(self, left: float, right: float) -> None:
        """what they have counted from now on
            left
            right"""
