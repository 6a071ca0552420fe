"""The drive of a vehicle, see protobeam/vehicle.h: SI units, angles positive to the left."""

from ._attributes import Attribute, method
from .device import Sensor


class VehicleDrive(Sensor):
    """robot.getDevice("drive") of a robot with a VehicleDrive."""

    _api = "pb_vehicle_"
    TWIST, SPEED, TORQUES = range(3)

    controller = Attribute("get_controller")
    drive = Attribute("get_drive")
    max_steering = Attribute("get_max_steering")
    max_torque = Attribute("get_max_torque")
    number_of_torques = Attribute("get_number_of_torques")
    number_of_wheels = Attribute("get_number_of_wheels")
    wheelbase = Attribute("get_wheelbase")
    # Of the latest sample: .vx .vy .omega; .x .y .z .roll .pitch .yaw
    odometry_pose = Attribute("get_odometry_pose")
    odometry_twist = Attribute("get_odometry_twist")
    true_pose = Attribute("get_true_pose")
    true_twist = Attribute("get_true_twist")

    hasCollided = method("has_collided")

    def setTwist(self, vx, vy, omega):
        self._call("set_twist", vx, vy, omega)

    def setSpeed(self, speed, steering):
        self._call("set_speed", speed, steering)

    def setTorques(self, torques, steering=0.0):
        self._call("set_torques", torques, len(torques), steering)

    def takes(self, kind):
        """Whether its controller takes set-points of that kind."""
        return self._call("takes", kind)

    def getWheel(self, wheel):
        """.steering .angle .spin .torque .load .slip_ratio .slip_angle .contact"""
        return self._call("get_wheel", wheel)

    def getWheelRadius(self, wheel):
        return self._call("get_wheel_radius", wheel)

    def isWheelDriven(self, wheel):
        return self._call("is_wheel_driven", wheel)

    def getWheelPosition(self, wheel):
        """x, y, z of its centre in the vehicle's frame (m); None for a wheel that is not there."""
        position = self._call("get_wheel_position", wheel)
        return position[:3] if position else None
