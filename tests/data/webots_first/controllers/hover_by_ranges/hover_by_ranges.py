"""Flies a Crazyflie to 0.3 m above the ground by the speeds of its four motors, and keeps it level and in its place.

It judges itself: it ends with status 1 if it is not within 2 cm of 0.3 m from 5 s on, leans or turns, or does not see the wall
0.3 m ahead where it is. Its speeds follow from the constants of its PROTO alone: 0.05 kg, 4e-5 N s^2 of thrust, 0.031 m of
arms, 2.4e-6 N m s^2 of drag.
"""

import math
import sys

from controller import Robot

THRUST, DRAG, ARM, MASS = 4e-5, 2.4e-6, 0.031, 0.05
TARGET = 0.3  # m
# Signs of the velocity, and of what each adds to roll, pitch and yaw torques.
MOTORS = {"m1_motor": (-1, -1, -1, 1), "m2_motor": (1, -1, 1, -1), "m3_motor": (-1, 1, 1, 1), "m4_motor": (1, 1, -1, -1)}

robot = Robot()
step = int(robot.getBasicTimeStep())
attitude, gps, gyro = (robot.getDevice(name) for name in ("inertial_unit", "gps", "gyro"))
ranges = {side: robot.getDevice(f"range_{side}") for side in ("front", "left", "back", "right")}
camera = robot.getDevice("camera")
for sensor in (attitude, gps, gyro, *ranges.values()):
    sensor.enable(step)
camera.enable(10 * step)
motors = {name: robot.getDevice(name) for name in MOTORS}
for motor in motors.values():
    motor.setPosition(math.inf)
    motor.setVelocity(0)

wrong, before, low, high, ahead = "", None, math.inf, 0.0, 0.0
while robot.step(step) != -1:
    now = gps.getValues()
    if math.isnan(now[2]):
        break  # the simulation has ended
    velocity = [(a - b) / (0.001 * step) for a, b in zip(now, before or now)]
    before = now
    roll, pitch, yaw = attitude.getRollPitchYaw()
    rates = gyro.getValues()
    # Torques in units of the inertias of a disc of 5 cm, 3 cm high.
    lean_x = -0.15 * now[0] - 0.15 * velocity[0]
    lean_y = 0.15 * (now[1] + 2) + 0.15 * velocity[1]
    inertia = 3.5e-5
    torques = (
        inertia * (60 * (max(-0.2, min(0.2, lean_y)) - roll) - 14 * rates[0]),
        inertia * (60 * (max(-0.2, min(0.2, lean_x)) - pitch) - 14 * rates[1]),
        2 * inertia * (-4 * yaw - 4 * rates[2]),
    )
    lift = MASS * (9.81 + 4 * max(-0.5, min(0.5, TARGET - now[2])) - 4 * velocity[2])
    for name, (sign, by_roll, by_pitch, by_yaw) in MOTORS.items():
        push = lift / 4 + by_roll * torques[0] / (4 * ARM) + by_pitch * torques[1] / (4 * ARM)
        push += by_yaw * torques[2] * THRUST / (4 * DRAG)
        motors[name].setVelocity(sign * math.sqrt(max(0.0, push) / THRUST))
    if robot.getTime() > 5:
        low, high, ahead = min(low, now[2]), max(high, now[2]), ranges["front"].getValue()
        if max(abs(roll), abs(pitch), abs(yaw)) > 0.05:
            wrong = wrong or f"leans by {roll:.3f} {pitch:.3f} rad, turned by {yaw:.3f} rad"

print(f"Crazyflie has hovered at {low:.3f} m to {high:.3f} m, {ahead:.0f} mm from the wall, at {now[0]:.3f} {now[1]:.3f} m {wrong}")
sys.exit(1 if wrong or abs(low - TARGET) > 0.02 or abs(high - TARGET) > 0.02 or abs(ahead - 300) > 15 else 0)
