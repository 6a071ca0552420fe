"""Drives a vehicle by its drive, and reads it by names."""

import math

from controller import Robot, VehicleDrive

robot = Robot()
drive = robot.getDevice("drive")
assert isinstance(drive, VehicleDrive) and drive.getTypeName()
assert drive.number_of_wheels == 4 and drive.getWheelRadius(0) > 0
drive.enable(10)
twist = drive.takes(VehicleDrive.TWIST)
for _ in range(300):
    if twist:
        drive.setTwist(1, 0, 0)
    else:
        drive.setSpeed(1, 0)
    robot.step(10)
assert math.isclose(drive.true_twist.vx, 1, abs_tol=0.1), drive.true_twist.vx
assert drive.true_pose.x > 2 and math.isclose(drive.getOdometryPose().x, drive.true_pose.x, abs_tol=0.05)
assert math.isclose(drive.getWheel(0).spin * drive.getWheelRadius(0), 1, abs_tol=0.1)
assert drive.channel("true_twist")[0] == drive.true_twist.vx
assert drive.getWheel(0).contact and not drive.hasCollided()
assert drive.getText("controller") == drive.controller != ""
assert drive.getList("wheelRadii") == [drive.getWheelRadius(i) for i in range(4)]
print("all right")
