"""Keyboard, mouse and joystick of the person at the window."""

from ._attributes import Attribute, Calls, method
from ._library import MouseState, library

__all__ = ["Joystick", "Keyboard", "Mouse", "MouseState"]


class _Input(Calls):
    def __init__(self, sampling_period=None):
        """Enabled at once with `sampling_period` (ms) or the basic time step; 0: not."""
        if sampling_period is None:
            sampling_period = int(library.wb_robot_get_basic_time_step())
        if sampling_period != 0:
            self.enable(sampling_period)

    def enable(self, p):
        self._call("enable", p)

    def disable(self):
        self._call("disable")

    @property
    def sampling_period(self):
        return self._call("get_sampling_period")

    @sampling_period.setter
    def sampling_period(self, p):
        self.enable(0 if p is None else p)

    def getSamplingPeriod(self):
        return self.sampling_period


class Joystick(_Input):
    _api = "wb_joystick_"
    is_connected = Attribute("is_connected")
    model = Attribute("get_model")
    number_of_axes = Attribute("get_number_of_axes")
    number_of_povs = Attribute("get_number_of_povs")
    pressed_button = Attribute("get_pressed_button")

    def getAxisValue(self, axis):
        return self._call("get_axis_value", axis)

    def getPovValue(self, pov):
        return self._call("get_pov_value", pov)

    def setConstantForce(self, level):
        self._call("set_constant_force", level)

    def setConstantForceDuration(self, duration):
        self._call("set_constant_force_duration", duration)

    def setAutoCenteringGain(self, gain):
        self._call("set_auto_centering_gain", gain)

    def setResistanceGain(self, gain):
        self._call("set_resistance_gain", gain)

    def setForceAxis(self, axis):
        self._call("set_force_axis", axis)


class Keyboard(_Input):
    """Keys are capital letters, digits and signs in ASCII or the numbers here; -1: no more."""

    _api = "wb_keyboard_"
    END, HOME, LEFT, UP, RIGHT, DOWN = range(312, 318)
    PAGEUP, PAGEDOWN = 366, 367
    NUMPAD_HOME, NUMPAD_LEFT, NUMPAD_UP, NUMPAD_RIGHT, NUMPAD_DOWN, NUMPAD_END = 375, 376, 377, 378, 379, 382
    KEY, SHIFT, CONTROL, ALT = 0xFFFF, 0x10000, 0x20000, 0x40000

    getKey = method("get_key")
    getKeyCode = method("get_key")

    def get_key(self):
        """The key in words: "shift-control-A", "page up", "numpad left"; "" when there is no more."""
        key = self.getKey()
        if key == -1:
            return ""
        words = [name for name in ("SHIFT", "CONTROL", "ALT") if key & getattr(self, name)]
        key &= self.KEY
        for name in _KEYS:
            if getattr(self, name) == key:
                words.append(name.replace("PAGE", "PAGE_"))
                break
        else:
            return "-".join([word.lower() for word in words] + [chr(key)])
        return "-".join(word.lower().replace("_", " ") for word in words)


_KEYS = [
    *("END", "HOME", "LEFT", "UP", "RIGHT", "DOWN", "PAGEUP", "PAGEDOWN"),
    *("NUMPAD_HOME", "NUMPAD_LEFT", "NUMPAD_UP", "NUMPAD_RIGHT", "NUMPAD_DOWN", "NUMPAD_END"),
]


class Mouse(_Input):
    _api = "wb_mouse_"

    getState = method("get_state")
    enable3dPosition = method("enable_3d_position")
    disable3dPosition = method("disable_3d_position")
    is3dPositionEnabled = method("is_3d_position_enabled")
