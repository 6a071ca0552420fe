"""Drives an e-puck ahead and turns on the spot while one of its front proximity sensors sees something.

It judges itself: it ends with status 1 if the robot leaves the height of its wheels or the arena, or comes less than 1 m far.
The first argument is half the side of the arena in metres.
"""

import math
import sys

from controller import Supervisor

NEAR = 100  # of a proximity sensor; about 6 cm from a wall
AHEAD = 5.0  # rad/s

robot = Supervisor()
own = robot.getSelf()
step = int(robot.getBasicTimeStep())
half = float(sys.argv[1])
sensors = [robot.getDevice(f"ps{i}") for i in range(8)]
for sensor in sensors:
    sensor.enable(step)
left, right = robot.getDevice("left wheel motor"), robot.getDevice("right wheel motor")
for motor in (left, right):
    motor.setPosition(math.inf)
    motor.setVelocity(0)

travelled, before, wrong = 0.0, None, ""
turning = 0
while robot.step(step) != -1:
    place = own.getPosition()
    if math.isnan(place[0]):
        break  # the simulation has ended
    travelled += math.dist(place, before or place)
    before = place
    if abs(place[2]) > 0.003:
        wrong = wrong or f"{robot.getTime():.2f} s: at height {place[2]:.4f} m"
    if max(abs(place[0]), abs(place[1])) > half - 0.03:
        wrong = wrong or f"{robot.getTime():.2f} s: at {place[0]:.3f} {place[1]:.3f}, in a wall"
    value = [sensor.getValue() for sensor in sensors]
    on_right, on_left = max(value[0:3]), max(value[5:8])
    if max(on_right, on_left) < NEAR:
        turning = 0
    elif turning == 0:
        turning = 1 if on_right > on_left else -1
    left.setVelocity(-AHEAD / 2 * turning if turning else AHEAD)
    right.setVelocity(AHEAD / 2 * turning if turning else AHEAD)

print(f"{travelled:.2f} m in {robot.getTime():.1f} s {wrong}")
sys.exit(1 if wrong or not travelled >= 1 else 0)
