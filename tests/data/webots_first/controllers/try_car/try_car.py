"""Drives one of Webots' cars straight ahead, through a curve to the right and to a stop."""
import math

from vehicle import Car

car = Car()
body = car.getSelf()


def run(until):
    while car.step() != -1 and car.getTime() < until - 1e-6:
        pass


car.setDippedBeams(True)
car.setCruisingSpeed(18)
run(6)
there = car.getCurrentSpeed()
car.setSteeringAngle(0.2)
run(7)
turns = body.getVelocity()[5]
slip = turns / (-5 / (car.getWheelbase() / math.tan(0.2)))
car.setThrottle(0)
car.setBrakeIntensity(1)
run(11)
stands = math.hypot(*body.getVelocity()[:2]) < 0.05
level = body.getOrientation()[8] > 0.999
lit = car.getDevice("front_lights").get() == 1
radius = min(car.getFrontWheelRadius(), car.getRearWheelRadius())
on_springs = 0.5 * radius < body.getPosition()[2] < radius
good = abs(there - 18) < 0.5 and 0.8 < slip < 1.05 and stands and level and lit and on_springs
print(car.getModel(), "drives" if good else f"does not: {there:.2f} {slip:.2f} {stands} {level} {lit} {body.getPosition()[2]:.3f}", flush=True)
