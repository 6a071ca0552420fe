"""wanderer.c in Python."""
import math

from controller import Robot

robot = Robot()
lidar = robot.getDevice("lidar")
motor = robot.getDevice("motor")
gps = robot.getDevice("gps")
lidar.enable(64)
gps.enable(32)
motor.setPosition(math.inf)
motor.setVelocity(0.5)
print(f"robot {robot.getName()}")
total = 0.0
steps = 0
while robot.step(32) != -1:
    steps += 1
    total += gps.getValues()[2]
    if steps % 2:
        continue
    ranges = lidar.getRangeImage()
    if not ranges:
        continue
    mean = 0.0
    for distance in ranges:
        mean += distance if math.isfinite(distance) else 20
    mean /= len(ranges)
    total += mean
    motor.setVelocity(0.1 * mean)
print(f"sum {total:.12f}")
