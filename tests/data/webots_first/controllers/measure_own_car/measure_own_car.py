"""Measures what OwnCar.proto says of its car: geometry, acceleration, engine, gears, brakes and damping."""
import math

from vehicle import Car

TRACK_FRONT, TRACK_REAR, WHEELBASE, RADIUS = 1.5, 1.4, 2.5, 0.32  # m
DAMPING, BRAKE = 4, 200  # N m s/rad, N m
MASS = 1000 + 4 * 50  # kg
EFFECTIVE = MASS + 4 * 50 / 2  # with the rotation of the wheels, solid cylinders

car = Car()
gps = car.getDevice("gps")
gps.enable(8)
failures = 0


def expect(what, value, expected, share):
    global failures
    good = abs(value - expected) <= share * abs(expected)
    failures += not good
    if not good:
        print(f"{what}: {value:.5g}, not {expected:.5g}", flush=True)


def run(seconds):
    end = car.getTime() + seconds
    while car.getTime() < end - 1e-6:
        car.step()


def speed():  # m/s, of the body
    return math.hypot(*car.getSelf().getVelocity()[:2])


def gain(seconds):  # m/s^2
    before = speed()
    run(seconds)
    return (speed() - before) / seconds


def drag(at):  # N, of the dampers of four wheels
    return 4 * DAMPING * at / RADIUS**2


def corner(right):  # angle of a front wheel on a circle about a point on the line of the rear axle
    return math.atan2(WHEELBASE, WHEELBASE / math.tan(0.3) + (-1 if right else 1) * TRACK_FRONT / 2)


expect("front track", car.getTrackFront(), TRACK_FRONT, 0)
expect("rear track", car.getTrackRear(), TRACK_REAR, 0)
expect("wheelbase", car.getWheelbase(), WHEELBASE, 0)
expect("wheel radius", car.getRearWheelRadius(), RADIUS, 0)
expect("type", car.getType(), Car.PROPULSION, 0)
expect("engine", car.getEngineType(), Car.COMBUSTION_ENGINE, 0)
run(1)

# By speed: 100 km/h in 8 s, and no more than 15 m/s.
car.setCruisingSpeed(100)
run(1)
expect("acceleration", gain(2), 100 / 3.6 / 8, 0.01)
run(4)
expect("top speed", speed(), 15, 0.01)

# Rolling: nothing but the damping of the wheels.
car.setThrottle(0)
run(0.1)
before = speed()
run(1)
expect("rolling", math.log(speed() / before), -4 * DAMPING / RADIUS**2 / EFFECTIVE, 0.01)

# The brakes.
car.setBrakeIntensity(0.5)
run(0.1)
faster = speed()
slowing = gain(0.2)
expect("braking", slowing, -(4 * 0.5 * BRAKE / RADIUS + drag((faster + speed()) / 2)) / EFFECTIVE, 0.02)
car.setBrakeIntensity(1)
run(12)
expect("standing", 1 + speed(), 1, 0.02)
car.setBrakeIntensity(0)

# The engine below its slowest speed, in the second gear, at half throttle: 100 N m of its 100.
car.setThrottle(0.5)
car.setGear(2)
run(0.5)
slower = speed()
gained = gain(0.2)
expect("engine", gained, (100 * 0.5 * 6 / RADIUS - drag((slower + speed()) / 2)) / EFFECTIVE, 0.02)
expect("rpm", car.getRpm(), 6 * car.getWheelSpeed(Car.WHEEL_REAR_LEFT) * 30 / math.pi, 0.02)
car.setGear(-1)
run(6)
expect("driving backwards", math.copysign(1, car.getCurrentSpeed()), -1, 0)

# A circle to the right, slowly.
car.setCruisingSpeed(7.2)
car.setSteeringAngle(0.3)
run(4)
expect("right wheel", car.getRightSteeringAngle(), corner(True), 0.01)
expect("left wheel", car.getLeftSteeringAngle(), corner(False), 0.01)
expect("radius", car.getSelf().getVelocity()[5], -2 / (WHEELBASE / math.tan(0.3)), 0.02)
for wheel, side in ((Car.WHEEL_REAR_RIGHT, -1), (Car.WHEEL_REAR_LEFT, 1)):
    expect("wheel in the curve", car.getWheelSpeed(wheel), 2 / RADIUS * (1 + side * TRACK_REAR / 2 * math.tan(0.3) / WHEELBASE), 0.01)

print(f"own car: {failures} failures", flush=True)
