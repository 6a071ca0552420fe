"""What all devices have, and any device by the names that its type declares (`protobeam info types`)."""

import collections
import ctypes

from . import _memory
from ._attributes import Calls
from ._library import library

Channel = collections.namedtuple("Channel", "name type shape unit frame components")
Channel.__doc__ = """A named array of a device's sample. `components` of a record: (name, type, offset in bytes)."""

Message = collections.namedtuple("Message", "data numbers")
Message.__doc__ = """What has arrived at a device: bytes and numbers, as its type says."""

_TYPES = {1: "float32", 2: "float64", 3: "int32", 4: "uint32", 5: "uint16", 6: "uint8", 7: "record"}


class _PbChannel(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("element_size", ctypes.c_size_t),
        ("dimensions", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_size_t)),
        ("count", ctypes.c_size_t),
        ("unit", ctypes.c_char_p),
        ("frame", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
    ]


class Device(Calls):
    def __init__(self, name):
        """`name`, or the number that the library gave the device."""
        self._tag = library.wb_robot_get_device(name) if isinstance(name, str) else int(name)
        self._channels = None

    def __eq__(self, other):
        return isinstance(other, Device) and self._tag == other._tag

    def __hash__(self):
        return hash(self._tag)

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}'>"

    def _call(self, name, *arguments):
        return getattr(library, self._api + name)(self._tag, *arguments)

    @property
    def name(self):
        return library.wb_device_get_name(self._tag)

    @property
    def model(self):
        return library.wb_device_get_model(self._tag)

    @property
    def node_type(self):
        return library.wb_device_get_node_type(self._tag)

    def getName(self):
        return self.name

    def getModel(self):
        return self.model

    def getNodeType(self):
        return self.node_type

    # By the names of its type.

    def getTypeName(self):
        """The type of its node: "Lidar", "Gnss"."""
        return library.pb_device_get_type(self._tag)

    @property
    def channels(self):
        """{name: Channel} of its samples."""
        if self._channels is None:
            self._channels = {}
            for index in range(library.pb_device_get_number_of_channels(self._tag)):
                channel = self._channel_at(index)
                name = channel.name.decode()
                shape = tuple(channel.shape[: channel.dimensions])
                unit, frame = channel.unit.decode(), channel.frame.decode()
                kind = _TYPES[channel.type]
                components = self._components(name) if kind == "record" else ()
                self._channels[name] = index, Channel(name, kind, shape, unit, frame, components)
        return {name: channel for name, (_, channel) in self._channels.items()}

    def array(self, name):
        """The channel in the latest sample, as an array of numpy where the simulator wrote it; records have
        named fields. None while the device is disabled."""
        if self._channels is None or name not in self._channels:
            if name not in self.channels:
                known = ", ".join(self.channels) or "none"
                raise KeyError(f"'{self.name}' has no channel '{name}'; it has {known}")
        index, channel = self._channels[name]
        kind = channel.components or channel.type
        return _memory.array(self._channel_at(index).data, channel.shape, kind)

    # Emitter and Receiver have a channel() of another kind; array() is there for all.
    channel = array

    def command(self, name, *values):
        """A command that its type declares, with numbers or with bytes. False, after a message on stderr,
        when it does not, or when they do not fit. It acts from the next step on."""
        if len(values) == 1 and isinstance(values[0], (bytes, bytearray, memoryview)):
            return library.pb_device_command_bytes(self._tag, name, values[0], len(bytes(values[0])))
        return library.pb_device_command(self._tag, name, values, len(values))

    def getNumber(self, property, otherwise=0.0):
        return library.pb_device_number(self._tag, property, otherwise)

    def getText(self, property):
        return library.pb_device_text(self._tag, property)

    def getList(self, property):
        count = ctypes.c_int(0)
        numbers = library.pb_device_list(self._tag, property, ctypes.byref(count))
        return numbers[: count.value] if numbers else []

    def takeMessages(self):
        """What has arrived since the last call, oldest first."""
        messages = []
        while library.pb_device_get_number_of_messages(self._tag) > 0:
            size, count = ctypes.c_int(0), ctypes.c_int(0)
            numbers = ctypes.POINTER(ctypes.c_double)()
            data = library.pb_device_message(
                self._tag, ctypes.byref(size), ctypes.byref(numbers), ctypes.byref(count)
            )
            listed = numbers[: count.value] if numbers else []
            messages.append(Message(ctypes.string_at(data, size.value) if data else b"", listed))
            library.pb_device_next_message(self._tag)
        return messages

    def _channel_at(self, index):
        channel = _PbChannel()
        if not library.pb_device_channel_by_index(self._tag, index, ctypes.byref(channel)):
            raise IndexError(index)
        return channel

    def _components(self, channel):
        found = []
        name, kind, offset = ctypes.c_char_p(), ctypes.c_int(), ctypes.c_size_t()
        while library.pb_device_record_component(
            self._tag, channel, len(found), ctypes.byref(name), ctypes.byref(kind), ctypes.byref(offset)
        ):
            found.append((name.value.decode(), _TYPES[kind.value], offset.value))
        return tuple(found)


class Sensor(Device):
    """A device with samples; on its own, any that has no class of its own."""

    _api = "pb_device_"

    def __init__(self, name, sampling_period=None):
        """By name it is enabled at once, with `sampling_period` (ms) or else the basic time step."""
        super().__init__(name)
        if isinstance(name, str):
            if sampling_period is None:
                sampling_period = int(library.wb_robot_get_basic_time_step())
            self.enable(sampling_period)

    def enable(self, p):
        """A sample every `p` ms, of which fractions count too; 0 disables."""
        if isinstance(p, float) and not p.is_integer():
            library.pb_device_enable_every(self._tag, p)
        else:
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
