"""The robot of this program: steps, devices, facts."""

import atexit
import signal
import sys
import threading

from . import actuators, display, imaging, joint, radio, ranging, sensors
from ._attributes import Attribute, Calls, method
from ._library import library
from .device import Sensor
from .user_input import Joystick, Keyboard, Mouse
from .vehicle_drive import VehicleDrive

# By the functions that serve a device (pb_device_get_api()).
_CLASSES = {
    kind.__name__: kind
    for kind in (
        *(sensors.Accelerometer, sensors.Altimeter, joint.Brake, imaging.Camera, sensors.Compass, actuators.Connector),
        *(display.Display, sensors.DistanceSensor, radio.Emitter, sensors.GPS, sensors.Gyro, sensors.InertialUnit),
        *(actuators.LED, ranging.Lidar, sensors.LightSensor, joint.Motor, actuators.Pen, joint.PositionSensor),
        *(ranging.Radar, imaging.RangeFinder, radio.Receiver, actuators.Skin, actuators.Speaker, sensors.TouchSensor),
        *(actuators.VacuumGripper, VehicleDrive),
    )
}


def _init():
    """Started by hand, the library may wait for the simulation, and Python's own handler of Ctrl-C would not
    run until then."""
    own = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if own:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        library.wb_robot_init()
    finally:
        if own:
            signal.signal(signal.SIGINT, signal.default_int_handler)


class Robot(Calls):
    """There is one in a program."""

    _api = "wb_robot_"
    EVENT_QUIT = -1
    EVENT_NO_EVENT = 0
    EVENT_MOUSE_CLICK, EVENT_MOUSE_MOVE, EVENT_KEYBOARD = 1, 2, 4
    EVENT_JOYSTICK_BUTTON, EVENT_JOYSTICK_AXIS, EVENT_JOYSTICK_POV = 8, 16, 32
    MODE_SIMULATION, MODE_CROSS_COMPILATION, MODE_REMOTE_CONTROL = range(3)

    created = None
    _over = False  # a step has returned -1

    basic_time_step = Attribute("get_basic_time_step")
    battery_sensor_sampling_period = Attribute(
        "battery_sensor_get_sampling_period", "battery_sensor_enable"
    )
    custom_data = Attribute("get_custom_data", "set_custom_data")
    mode = Attribute("get_mode")
    model = Attribute("get_model")
    name = Attribute("get_name")
    number_of_devices = Attribute("get_number_of_devices")
    project_path = Attribute("get_project_path")
    supervisor = Attribute("get_supervisor")
    synchronization = Attribute("get_synchronization")
    time = Attribute("get_time")
    world_path = Attribute("get_world_path")

    batterySensorDisable = method("battery_sensor_disable")
    batterySensorGetValue = method("battery_sensor_get_value")
    getControllerName = method("get_controller_name")

    def __init__(self):
        if Robot.created:
            print("Error: only one Robot can be created in a controller.", file=sys.stderr)
            self.__dict__ = Robot.created.__dict__  # goes on with the same devices
            return
        _init()
        atexit.register(library.wb_robot_cleanup)
        Robot.created = self
        self.devices = {}
        self._by_tag = {}
        for index in range(self.number_of_devices):
            tag = library.wb_robot_get_device_by_index(index)
            device = _CLASSES.get(library.pb_device_get_api(tag), Sensor)(tag)
            self._by_tag[tag] = device
            self.devices.setdefault(device.name, device)
        self.keyboard = Keyboard(0)
        self.mouse = Mouse(0)
        self.joystick = Joystick(0)

    def getDevice(self, name):
        """The first device of that name; None and a message when there is none."""
        if name not in self.devices:
            library.wb_robot_get_device(name)  # which says so
        return self.devices.get(name)

    def metric(self, name, value):
        """What this program says about its run, for `run --json` and `sweep`: see protobeam/metric.h."""
        library.pb_metric(name, value)

    def getDeviceByIndex(self, index):
        return self._by_tag.get(library.wb_robot_get_device_by_index(index))

    def getKeyboard(self):
        return self.keyboard

    def getMouse(self):
        return self.mouse

    def getJoystick(self):
        return self.joystick

    def getUrdf(self, prefix=""):
        return self._call("get_urdf", prefix)

    def step(self, time_step=None):
        """Lets the simulation advance by `time_step` (ms, default: the basic time step). 0, the delay in ms of
        a robot without synchronization, or -1 when the program is to end; the step after that ends it."""
        return self._advance("step", self._duration(time_step))

    def stepBegin(self, time_step=None):
        return self._advance("step_begin", self._duration(time_step))

    def stepEnd(self):
        return self._advance("step_end")

    def batterySensorEnable(self, sampling_period):
        self._call("battery_sensor_enable", sampling_period)

    def batterySensorGetSamplingPeriod(self):
        return self.battery_sensor_sampling_period

    def setMode(self, mode, arg=None):
        self._call("set_mode", mode, arg)

    def waitForUserInputEvent(self, event_type, timeout):
        return self._call("wait_for_user_input_event", event_type, timeout)

    def wwiSendText(self, text):
        self._call("wwi_send_text", text)

    def wwiReceiveText(self):
        """None when nothing has arrived."""
        return self._call("wwi_receive_text") or None

    def _duration(self, time_step):
        return int(self.basic_time_step) if time_step is None else time_step

    def _advance(self, function, *arguments):
        # The library would end the program here and now; this way Python closes its files.
        if Robot._over:
            sys.exit(0)
        result = self._call(function, *arguments)
        Robot._over = result == -1
        return result


def _add_older_getters():
    """getLidar(name) and the like, which were Webots' up to R2022b."""
    said = set()

    def getter(kind):
        def get(self, name):
            if kind not in said:
                message = f"DEPRECATION: Robot.get{kind} is deprecated, please use Robot.getDevice instead."
                print(message, file=sys.stderr)
                said.add(kind)
            return self.getDevice(name)

        get.__name__ = "get" + kind
        get.__annotations__["return"] = _CLASSES[kind]
        get.__qualname__ = "Robot.get" + kind
        return get

    for kind in _CLASSES:
        if kind != "VehicleDrive":
            setattr(Robot, "get" + kind, getter(kind))


_add_older_getters()
