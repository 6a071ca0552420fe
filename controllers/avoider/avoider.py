"""Drives a Rover ahead and turns away from what its two distance sensors see: the first program of many courses.

It judges itself: it ends with status 1 if the bumper has touched anything, or if it has come less than 5 m far in 20 s.
"""

import math
import sys

from controller import Robot

AHEAD = 5.0  # rad/s of the wheels
NEAR = 1.6  # m, at which the rover turns
WHEELS = ("left front wheel", "left rear wheel", "right front wheel", "right rear wheel")

robot = Robot()
step = int(robot.getBasicTimeStep())
left_sensor = robot.getDevice("left distance sensor")
right_sensor = robot.getDevice("right distance sensor")
bumper = robot.getDevice("bumper")
gps = robot.getDevice("gps")
for sensor in (left_sensor, right_sensor, bumper, gps):
    sensor.enable(step)
wheels = [robot.getDevice(name) for name in WHEELS]
for wheel in wheels:
    wheel.setPosition(math.inf)  # by velocity, not by angle
    wheel.setVelocity(0)

turning = 0  # 1 to the left, -1 to the right; it goes on until both sides are free
touches = 0
travelled = 0.0
before = None
while robot.step(step) != -1:
    place = gps.getValues()[:2]
    travelled += math.dist(place, before or place)
    before = place
    touches += bumper.getValue() > 0

    left, right = left_sensor.getValue(), right_sensor.getValue()
    if min(left, right) > NEAR:
        turning = 0
    elif turning == 0:
        turning = 1 if right < left else -1
    left_speed, right_speed = (-AHEAD * turning, AHEAD * turning) if turning else (AHEAD, AHEAD)
    for wheel, speed in zip(wheels, (left_speed, left_speed, right_speed, right_speed)):
        wheel.setVelocity(speed)

print(f"{travelled:.1f} m in {robot.getTime():.1f} s, {touches} touches")
if touches > 0 or (robot.getTime() > 19.9 and travelled < 5):
    sys.exit(1)
