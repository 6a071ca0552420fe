"""Lets a Create or a Thymio II feel what is around: sensors at known distances, an accelerometer, a bumper at a wall.

It judges itself: it ends with status 1 if an answer is not that of the sensor's table, or if the bumper feels no wall.
"""

import math
import sys

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
wrong = []


def expect(name, value, least, most):
    if not least <= value <= most:
        wrong.append(f"{name} {value:.3f} not within {least} and {most}")


def enabled(name):
    device = robot.getDevice(name)
    device.enable(step)
    return device


def drive(names, left, right, seconds, until=lambda: False):
    for name, velocity in zip(names, (left, right)):
        motor = robot.getDevice(name)
        motor.setPosition(math.inf)
        motor.setVelocity(velocity)
    for _ in range(int(1000 * seconds) // step):
        robot.step(step)
        if until():
            break


if robot.getName() == "Create":
    cliffs = [enabled(f"cliff_{side}") for side in ("left", "front_left", "front_right", "right")]
    bumpers = [enabled(f"bumper_{side}") for side in ("left", "right")]
    wheels = ("left wheel motor", "right wheel motor")
    sensors = [enabled(f"{side} wheel sensor") for side in ("left", "right")]
    robot.getDevice("led_play").set(1)
    drive(wheels, 0, 0, 1)
    for cliff in cliffs:
        expect(cliff.getName(), cliff.getValue(), 3100, 3220)  # 45 mm above the floor: 4095 (1 - 0.045 / 0.2)
    expect("bumpers at first", sum(bumper.getValue() for bumper in bumpers), 0, 0)
    # 0.3 m to the wall, less the bumper's 0.1725 m.
    drive(wheels, 5, 5, 3, lambda: any(bumper.getValue() > 0 for bumper in bumpers))
    expect("bumpers at the wall", sum(bumper.getValue() for bumper in bumpers), 1, 2)
    expect("way to the wall", 0.031 * sensors[0].getValue(), 0.115, 0.145)
    print("Create has felt the wall")
else:
    around = [enabled(f"prox.horizontal.{i}") for i in range(7)]
    ground = [enabled(f"prox.ground.{i}") for i in range(2)]
    acceleration = enabled("acc")
    for i in range(8):
        robot.getDevice(f"leds.circle.led{i}").set(32)
    robot.getDevice("leds.top").set(0x00FF00)
    wheels = ("motor.left", "motor.right")
    drive(wheels, 0, 0, 1)
    # The wall is 60 mm before the middle sensor, where its table has 2248; 1 % of noise.
    expect("prox.horizontal.2", around[2].getValue(), 2100, 2400)
    expect("prox.horizontal.5", around[5].getValue(), 0, 0)
    for sensor in ground:
        expect(sensor.getName(), sensor.getValue(), 650, 900)
    expect("acc", acceleration.getValues()[2], 22.5, 23.5)  # 9.81 * 32 / 13.65
    drive(wheels, -5, -5, 2)
    expect("prox.horizontal.2 far away", around[2].getValue(), 0, 0)
    print("Thymio II has felt the wall")

print("; ".join(wrong) or "all as expected")
sys.exit(1 if wrong else 0)
