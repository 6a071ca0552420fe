"""Flies a Mavic 2 PRO to 1 m above the ground by the speeds of its propellers, and keeps it level there.

It judges itself: it ends with status 1 if the drone is not between 0.9 m and 1.1 m up from 10 s on, leans by more than
3 degrees, or turns away. The camera's motors and the LEDs are used on the way.
"""

import math
import sys

from controller import Robot

TARGET = 1.0  # m
HOVER = 68.5  # rad/s; 69.2 bear the weight, so that it comes to rest where the rest of the law adds 0.7
ABOVE = 0.6  # m: the law aims that much higher, where its push is 0.7

# Of each propeller: what rolling to the left and what pitching the nose down add to its speed, and the sign of its velocity.
PROPELLERS = {
    "front left": (-1, 1, 1),
    "front right": (1, 1, -1),
    "rear left": (-1, -1, -1),
    "rear right": (1, -1, 1),
}


def limited(value):
    return max(-1.0, min(1.0, value))


robot = Robot()
step = int(robot.getBasicTimeStep())
attitude, place, rates, compass, camera = (
    robot.getDevice(name) for name in ("inertial unit", "gps", "gyro", "compass", "camera")
)
for sensor in (attitude, place, rates, compass):
    sensor.enable(step)
camera.enable(40 * step)
motors = {name: robot.getDevice(f"{name} propeller") for name in PROPELLERS}
for motor in motors.values():
    motor.setPosition(math.inf)
    motor.setVelocity(0)
gimbal = {name: robot.getDevice(f"camera {name}") for name in ("roll", "pitch", "yaw")}
leds = [robot.getDevice(f"front {side} led") for side in ("left", "right")]

wrong, top, low, high = "", 0.0, math.inf, 0.0
while robot.step(step) != -1:
    time = robot.getTime()
    roll, pitch, yaw = attitude.getRollPitchYaw()
    height = place.getValues()[2]
    roll_rate, pitch_rate, _ = rates.getValues()
    if math.isnan(height):
        break  # the simulation has ended
    gimbal["roll"].setPosition(-0.1 * roll_rate)
    gimbal["pitch"].setPosition(-0.1 * pitch_rate)
    for i, led in enumerate(leds):
        led.set((int(time) + i) % 2)

    rolls = 50 * limited(roll) + roll_rate
    pitches = 30 * limited(pitch) + pitch_rate
    climbs = 3 * limited(TARGET + ABOVE - height) ** 3
    for name, (by_roll, by_pitch, sign) in PROPELLERS.items():
        motors[name].setVelocity(sign * (HOVER + climbs + by_roll * rolls + by_pitch * pitches))

    top = max(top, height)
    if time > 1 and max(abs(roll), abs(pitch)) > math.radians(3):
        wrong = wrong or f"{time:.2f} s: leans by {roll:.3f} {pitch:.3f} rad"
    if abs(yaw) > 0.2:
        wrong = wrong or f"{time:.2f} s: has turned by {yaw:.2f} rad"
    if time > 10:
        low, high = min(low, height), max(high, height)

print(f"at {height:.2f} m after {robot.getTime():.1f} s; {low:.2f} m to {high:.2f} m, before 10 s at most {top:.2f} m {wrong}")
sys.exit(1 if wrong or low < 0.9 or high > 1.1 or len(camera.getImage()) != 4 * 400 * 240 else 0)
