"""Devices that show, mark, grip or make sounds."""

from ._attributes import Attribute, method, vector
from ._library import library
from .device import Device


class Connector(Device):
    _api = "wb_connector_"
    locked = Attribute("is_locked")
    presence = Attribute("get_presence")
    presence_sampling_period = Attribute("get_presence_sampling_period")

    disablePresence = method("disable_presence")
    lock = method("lock")
    unlock = method("unlock")

    def enablePresence(self, sampling_period):
        self._call("enable_presence", sampling_period)


class LED(Device):
    _api = "wb_led_"
    value = Attribute("get", "set")


class Pen(Device):
    _api = "wb_pen_"

    def write(self, write):
        self._call("write", write)

    def setInkColor(self, color, density):
        self._call("set_ink_color", color, density)


class Skin(Device):
    _api = "wb_skin_"
    bone_count = Attribute("get_bone_count")

    def getBoneName(self, index):
        return self._call("get_bone_name", index)

    def getBoneOrientation(self, index, absolute):
        return vector(4)(self._call("get_bone_orientation", index, absolute))

    def getBonePosition(self, index, absolute):
        return vector(3)(self._call("get_bone_position", index, absolute))

    def setBoneOrientation(self, index, orientation, absolute):
        """Axis and angle (rad)."""
        self._call("set_bone_orientation", index, orientation[:4], absolute)

    def setBonePosition(self, index, position, absolute):
        self._call("set_bone_position", index, position[:3], absolute)


class Speaker(Device):
    _api = "wb_speaker_"

    getEngine = method("get_engine")
    getLanguage = method("get_language")
    isSpeaking = method("is_speaking")

    @staticmethod
    def playSound(left, right, sound, volume, pitch, balance, loop):
        library.wb_speaker_play_sound(left._tag, right._tag, sound, volume, pitch, balance, loop)

    def stop(self, sound=None):
        """None: all sounds."""
        self._call("stop", sound)

    def isSoundPlaying(self, sound):
        return self._call("is_sound_playing", sound)

    def setEngine(self, engine):
        return self._call("set_engine", engine)

    def setLanguage(self, language):
        return self._call("set_language", language)

    def speak(self, text, volume):
        self._call("speak", text, volume)


class VacuumGripper(Device):
    _api = "wb_vacuum_gripper_"
    on = Attribute("is_on")
    presence = Attribute("get_presence")
    presence_sampling_period = Attribute("get_presence_sampling_period")

    disablePresence = method("disable_presence")
    turnOn = method("turn_on")
    turnOff = method("turn_off")

    def enablePresence(self, sampling_period):
        self._call("enable_presence", sampling_period)
