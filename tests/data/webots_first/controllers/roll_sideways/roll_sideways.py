"""Drives a robot on four Mecanum wheels ahead, to the left and round, and compares the way with the wheels' kinematics.

Arguments: the wheels' radius, half the wheelbase plus half the track, and the motors, front right, front left, rear right and
rear left. It judges itself: it ends with status 1 if a way or the angle of the turn is more than 2 % off, or if a way strays to
another side by as much. A GPS need not be in the middle of the turn.
"""

import math
import sys

from controller import Robot

radius, lever, names = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3:7]
robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(name) for name in names]
gps, attitude = robot.getDevice("gps"), robot.getDevice("inertial unit")
gps.enable(step)
attitude.enable(step)
SPEED = 3.0  # rad/s


def turn_wheels(signs, seconds):
    for motor, sign in zip(motors, signs):
        motor.setPosition(math.inf)
        motor.setVelocity(sign * SPEED)
    for _ in range(int(1000 * seconds) // step):
        robot.step(step)


def pose():
    x, y, _ = gps.getValues()
    return x, y, attitude.getRollPitchYaw()[2]


turn_wheels((0, 0, 0, 0), 1)
wrong = False
along = SPEED * radius * 3
for way, signs, expected in (
    ("ahead", (1, 1, 1, 1), (along, 0, 0)),
    ("left", (1, -1, -1, 1), (0, along, 0)),
    ("round", (1, -1, 1, -1), (0, 0, along / lever)),
):
    before = pose()
    turn_wheels(signs, 3)
    turn_wheels((0, 0, 0, 0), 0.5)
    moved = [b - a for a, b in zip(before, pose())]
    print(f"{way}: {moved[0]:.3f} {moved[1]:.3f} m, {moved[2]:.3f} rad")
    if way == "round":
        wrong = wrong or abs(moved[2] / expected[2] - 1) > 0.02
    else:
        wrong = wrong or any(abs(m - e) > 0.02 * along for m, e in zip(moved, expected))
print(f"{robot.getName()} has been moved by its wheels")
sys.exit(1 if wrong else 0)
