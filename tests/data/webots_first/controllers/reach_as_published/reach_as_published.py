"""Moves an arm of Universal Robots' e-Series to some poses and compares its flange with the maker's own kinematics.

The Denavit-Hartenberg parameters are those that Universal Robots publishes ("DH Parameters for calculations of kinematics
and dynamics"). The flange's place comes from a GPS, and its direction from a second one 0.1 m before it. The argument is the
base's y in the world. It judges itself: it ends with status 1 if one GPS is farther off than what Webots' lengths, which are
rounded, differ from the maker's: together 2.1 mm for UR5e, 3.3 mm for UR3e and 4.9 mm for UR10e.
"""

import math
import sys

from controller import Robot

# d1, a2, a3, d4, d5, d6 in m, and the sum of Webots' differences.
PUBLISHED = {
    "UR3e": (0.15185, -0.24355, -0.2132, 0.13105, 0.08535, 0.0921, 0.0034),
    "UR5e": (0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996, 0.0022),
    "UR10e": (0.1807, -0.6127, -0.57155, 0.17415, 0.11985, 0.11655, 0.0051),
}
JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
POSES = [
    (0, 0, 0, 0, 0, 0),
    (0, -math.pi / 2, 0, -math.pi / 2, 0, 0),
    (0.6, -1.2, 1.1, -0.9, 1.3, 0.4),
    (-1.1, -2.0, -1.4, 0.7, 1.1, -2.2),
]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def flange(parameters, angles):
    """The flange in the base, whose x of the maker's is -x of the simulated arm."""
    d1, a2, a3, d4, d5, d6, _ = parameters
    rows = [(d1, 0, 1), (0, a2, 0), (0, a3, 0), (d4, 0, 1), (d5, 0, -1), (d6, 0, 0)]
    pose = [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    for (d, a, quarters), angle in zip(rows, angles):
        c, s, twist = math.cos(angle), math.sin(angle), quarters * math.pi / 2
        ct, st = math.cos(twist), math.sin(twist)
        pose = product(pose, [[c, -s * ct, s * st, a * c], [s, c * ct, -c * st, a * s], [0, st, ct, d], [0, 0, 0, 1]])
    return pose


robot = Robot()
step = int(robot.getBasicTimeStep())
name, base_y = robot.getName(), float(sys.argv[1])
motors = [robot.getDevice(f"{joint}_joint") for joint in JOINTS]
sensors = [robot.getDevice(f"{joint}_joint_sensor") for joint in JOINTS]
places = [robot.getDevice("flange"), robot.getDevice("before the flange")]
for sensor in sensors + places:
    sensor.enable(step)

worst, stray = 0.0, 0.0
for angles in POSES:
    for motor, angle in zip(motors, angles):
        motor.setPosition(angle)
    for _ in range(3000 // step):
        robot.step(step)
    pose = flange(PUBLISHED[name], angles)
    for place, ahead in zip(places, (0, 0.1)):
        x, y, z = (pose[i][3] + ahead * pose[i][2] for i in range(3))
        worst = max(worst, math.dist(place.getValues(), (x, base_y + y, z)))
    stray = max(stray, *(abs(sensor.getValue() - angle) for sensor, angle in zip(sensors, angles)))

print(f"{name}: flange within {1000 * worst:.1f} mm of the maker's, joints within {stray:.5f} rad after {robot.getTime():.1f} s")
sys.exit(1 if worst > PUBLISHED[name][6] or stray > 0.001 else 0)
