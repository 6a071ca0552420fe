"""Does what its first argument says."""

import ctypes
import os
import signal
import sys

from controller import Robot

what = sys.argv[1]
robot = Robot()
if what == "killed":
    print("before the end", end="")
    robot.step(32)
    os.kill(os.getpid(), signal.SIGKILL)
if what == "raises":
    robot.step(32)
    print("ä line")
    {}["missing"]
if what == "crashes":
    ctypes.string_at(1)
if what == "exits":
    sys.exit(4)
if what == "ends":
    robot.step(32)
if what == "writes":
    with open(sys.argv[2], "w") as file:
        while True:  # leaves the end to the library
            robot.step(32)
            file.write(f"{robot.getTime():.3f}\n")
if what == "split":
    while robot.stepBegin(32) == 0:
        if robot.stepEnd() == -1:
            break
    print("over")
if what == "looks in Webots' folder":
    folder = os.environ["WEBOTS_HOME"] + "/lib/controller"
    for name in ("Controller", "CppController", "car", "driver", "CppCar", "CppDriver"):
        ctypes.CDLL(f"{folder}/lib{name}.so")
    library = ctypes.CDLL(f"{folder}/libController.so")
    library.wb_robot_get_name.restype = ctypes.c_char_p
    print(f"{library.wb_robot_get_name().decode()} is here")  # not a second copy of the library
    assert os.path.isfile(folder + "/python/controller/__init__.py")
if what == "overwrites":  # a name of its own in the place of ours
    robot.devices = {}
    assert robot.getDevice("gps") is None
