"""Controllers in Python: the package of Webots R2025a, on Protobeam's libController.

    from controller import Robot

    robot = Robot()
    lidar = robot.getDevice("lidar")
    lidar.enable(100)
    while robot.step(100) != -1:
        print(min(lidar.getRangeImage()))

Beyond Webots' names: range images, point clouds and images without a copy (`data_type`), and any device by the
names of its channels and commands (Device.array(), Device.command()). See docs/controllers.md."""

import re
import sys

from . import wb
from .actuators import LED, Connector, Pen, Skin, Speaker, VacuumGripper
from .ansi_codes import AnsiCodes
from .device import Device, Sensor
from .differential_wheels import DifferentialWheels
from .display import Display
from .imaging import Camera, CameraRecognitionObject, RangeFinder
from .joint import Brake, Motor, PositionSensor
from .motion import Motion
from .node import ContactPoint, Field, Node, Proto
from .radio import Emitter, Receiver
from .ranging import Lidar, LidarPoint, Radar, RadarTarget
from .robot import Robot
from .sensors import (
    GPS,
    Accelerometer,
    Altimeter,
    Compass,
    DistanceSensor,
    Gyro,
    InertialUnit,
    LightSensor,
    TouchSensor,
)
from .supervisor import Supervisor
from .user_input import Joystick, Keyboard, Mouse, MouseState
from .vehicle_drive import VehicleDrive

__all__ = [
    *("Accelerometer", "Altimeter", "AnsiCodes", "Brake", "Camera", "CameraRecognitionObject", "Compass", "Connector"),
    *("ContactPoint", "Device", "DifferentialWheels", "Display", "DistanceSensor", "Emitter", "Field", "GPS", "Gyro", "InertialUnit"),
    *("Joystick", "Keyboard", "LED", "Lidar", "LidarPoint", "LightSensor", "Motion", "Motor", "Mouse", "MouseState"),
    *("Node", "Pen", "PositionSensor", "Proto", "Radar", "RadarTarget", "RangeFinder", "Receiver", "Robot", "Sensor"),
    *("Skin", "Speaker", "Supervisor", "TouchSensor", "VacuumGripper", "VehicleDrive"),
]

# Webots has one module a class: `from controller.range_finder import RangeFinder` works here too.
for _name in __all__:
    _module = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", _name).lower()
    sys.modules.setdefault(f"{__name__}.{_module}", sys.modules[globals()[_name].__module__])
