"""Drives every motor of its robot slowly and prints what its lidars see."""

import math

from controller import Lidar, Motor, Robot

robot = Robot()
sampling_period = 4 * int(robot.getBasicTimeStep())

lidars = []
for device in robot.devices.values():
    if isinstance(device, Lidar):
        device.enable(sampling_period)
        lidars.append(device)
    if isinstance(device, Motor) and device.getType() == Motor.ROTATIONAL:
        device.setPosition(math.inf)  # controlled by velocity from here on
        device.setVelocity(1.0)

robot.step(sampling_period)  # the first samples
while robot.step(sampling_period) != -1:
    for lidar in lidars:
        nearest = min(lidar.getRangeImage())
        print(f"{robot.getTime():.3f} s: {lidar.getName()}: nearest return at {nearest:.3f} m")
