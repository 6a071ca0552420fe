"""A program of the time of DifferentialWheels."""
from controller import *  # noqa: F403

robot = DifferentialWheels()  # noqa: F405
robot.enableEncoders(32)
robot.setSpeed(10, -20)
robot.step(320)
left, right = robot.getLeftEncoder(), robot.getRightEncoder()
robot.step(1600)
print(f"counted {robot.getLeftEncoder() - left:.0f} {robot.right_encoder - right:.0f}")
print("told", robot.getLeftSpeed(), robot.right_speed, robot.getMaxSpeed(), robot.getSpeedUnit())
robot.setEncoders(7, -8)
print("set", robot.getLeftEncoder(), robot.getRightEncoder(), robot.getEncodersSamplingPeriod())
robot.disableEncoders()
print("off", robot.encoders_sampling_period)
