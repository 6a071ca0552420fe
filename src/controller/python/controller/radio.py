"""Emitter and Receiver: packets of bytes."""

import ctypes
import functools
import re
import struct
import sys

from ._attributes import Attribute, method, vector
from ._library import library
from .device import Device, Sensor


class Emitter(Device):
    _api = "wb_emitter_"
    CHANNEL_BROADCAST = -1

    buffer_size = Attribute("get_buffer_size")
    channel = Attribute("get_channel", "set_channel")
    range = Attribute("get_range", "set_range")

    def send(self, message, length=None):
        """Bytes, a text, or a list of numbers: doubles if one has a fraction, else 32-bit integers, or one byte
        each for truth values. 1, or 0 when the buffer is full."""
        if isinstance(message, str):
            data = message.encode()
        elif isinstance(message, (list, tuple)):
            if not message:
                print("Error: Emitter.send() called with an empty list", file=sys.stderr)
                return 0
            data = struct.pack(f"{len(message)}{_kind(message)}", *message)
        else:
            data = bytes(message)
        return self._call("send", data, len(data) if length is None else min(length, len(data)))


def _kind(numbers):
    if all(isinstance(number, bool) for number in numbers):
        return "?"
    return "i" if all(hasattr(number, "__index__") for number in numbers) else "d"


@functools.lru_cache(maxsize=None)
def _world_is_older_than(year):
    """By the first line of its file; no if that cannot be read here."""
    try:
        with open(library.wb_robot_get_world_path(), "rb") as file:
            header = re.match(rb"#VRML_SIM (?:R(\d+)|V\d)", file.readline(100))
    except (OSError, TypeError):
        return False
    return header is not None and int(header[1] or 0) < year


class Receiver(Sensor):
    """The functions about a packet are about the oldest one; nextPacket() drops it."""

    _api = "wb_receiver_"
    channel = Attribute("get_channel", "set_channel")
    data_size = Attribute("get_data_size")
    emitter_direction = Attribute("get_emitter_direction", convert=vector(3))
    queue_length = Attribute("get_queue_length")
    signal_strength = Attribute("get_signal_strength")

    nextPacket = method("next_packet")

    @property
    def data(self):
        address = self._call("get_data")
        return ctypes.string_at(address, max(self.data_size, 0)) if address else b""

    @property
    def string(self):
        return self.data.decode()

    def getBytes(self):
        return self.data

    def getString(self):
        return self.string

    def getFloats(self):
        return self._numbers("d", 8)

    def getInts(self):
        return self._numbers("i", 4)

    def getBools(self):
        return self._numbers("?", 1)

    def getData(self):
        """Older name of getString(), and of getBytes() in worlds of releases until R2022b, as in these."""
        return self.data if _world_is_older_than(2023) else self.string

    def _numbers(self, kind, size):
        data = self.data
        count = len(data) // size
        return struct.unpack(f"{count}{kind}", data[: count * size])
