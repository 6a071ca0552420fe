"""What is wrong is an error of Python or a message, and never the end of the process."""

import ctypes
import math
import sys

sys.modules["numpy"] = None  # as if it were not installed
import controller  # noqa: E402
from controller import Robot  # noqa: E402


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        sys.exit(f"no {kind.__name__}: {text}")


robot = Robot()
assert robot.getDevice("nothing") is None
gps, lidar, motor, emitter, receiver = map(robot.getDevice, ("gps", "lidar", "motor", "emitter", "receiver"))
raises(ctypes.ArgumentError, "must be real number", lambda: motor.setVelocity("fast"))
raises(ctypes.ArgumentError, "a whole number is expected, not 31.5", lambda: robot.step(31.5))
raises(ctypes.ArgumentError, "a whole number", lambda: robot.step("32"))
raises(ctypes.ArgumentError, "too large", lambda: gps.enable(2**40))
raises(TypeError, "", lambda: emitter.send(object()))
assert all(map(math.isnan, gps.getValues())) and math.isnan(gps.getSpeed())
gps.enable(32.0)
assert gps.sampling_period == 32
lidar.enable(32)
robot.step(64.0)
assert not math.isnan(gps.getValues()[0])
raises(ImportError, "apt-get install python3-numpy", lambda: gps.channel(next(iter(gps.channels))))
raises(ImportError, "apt-get install python3-numpy", lambda: lidar.getRangeImageArray("numpy"))
assert len(lidar.getRangeImage("buffer")) == lidar.number_of_layers * lidar.horizontal_resolution
assert lidar.number_of_points == 0  # the point cloud is not enabled
assert lidar.getLayerRangeImage(-1) is None and lidar.getLayerRangeImage(1000) is None
assert lidar.getPointCloud() is None  # it is not enabled
assert receiver.getBytes() == b"" and receiver.getString() == "" and receiver.getFloats() == ()
assert emitter.send([]) == 0 and emitter.send("α") == 1 and emitter.send(bytearray(b"12")) == 1
assert emitter.send([True, False]) == 1 and emitter.send((1, 2.5)) == 1
receiver.enable(32)
robot.step(96)
packets = []
while receiver.getQueueLength() > 0:
    packets.append(receiver.data)
    receiver.nextPacket()
assert packets == ["α".encode(), b"12", b"\1\0", b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\x40"], packets
assert gps.command("no such command", 1.0) is False
assert gps.getNumber("no such number", 4.5) == 4.5 and gps.getText("no such text") == ""

# A function that the library does not have yet.
controller._functions.FUNCTIONS["wb_gps_get_mood"] = ("int", ["tag"])
raises(NotImplementedError, "wb_gps_get_mood() is not there: ", lambda: gps._call("get_mood"))

# Older names, and a second Robot.
assert robot.getMotor("motor") is motor is Robot().getDevice("motor")
assert robot.getTime() == robot.time > 0
print("all right")
