"""Drives a Pioneer 3-DX and steers to the side on which its front sonars see less.

It judges itself: it ends with status 1 if the robot leaves the height of its wheels or the arena, or comes less than 3 m far.
The first argument is half the side of the arena in metres.
"""

import math
import sys

from controller import Supervisor

AHEAD = 4.0  # rad/s
NEAR = 850  # of a sonar, 1024 at no distance and 0 at 5 m: 0.85 m
BESIDE = 930  # of the two that look sideways: 0.46 m

robot = Supervisor()
own = robot.getSelf()
step = int(robot.getBasicTimeStep())
half = float(sys.argv[1])
sonars = [robot.getDevice(f"so{i}") for i in range(16)]
for sonar in sonars:
    sonar.enable(step)
left, right = robot.getDevice("left wheel"), robot.getDevice("right wheel")
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
    if abs(place[2] - 0.0975) > 0.01:
        wrong = wrong or f"{robot.getTime():.2f} s: at height {place[2]:.4f} m"
    if max(abs(place[0]), abs(place[1])) > half - 0.15:
        wrong = wrong or f"{robot.getTime():.2f} s: at {place[0]:.2f} {place[1]:.2f}, in a wall"
    value = [sonar.getValue() for sonar in sonars]
    on_left, on_right = max(value[1:4]), max(value[4:7])
    if max(on_left, on_right) < NEAR:
        turning = 0
    elif turning == 0:
        turning = 1 if on_right > on_left else -1
    if turning == 0 and max(value[0], value[7]) > BESIDE:
        turning = 1 if value[7] > value[0] else -1  # for one step: away from what it drives along
        left.setVelocity(AHEAD * (1 - turning) / 2)
        right.setVelocity(AHEAD * (1 + turning) / 2)
        turning = 0
        continue
    left.setVelocity(-AHEAD / 2 * turning if turning else AHEAD)
    right.setVelocity(AHEAD / 2 * turning if turning else AHEAD)

print(f"{travelled:.2f} m in {robot.getTime():.1f} s {wrong}")
sys.exit(1 if wrong or not travelled >= 3 else 0)
