"""Lidar and Radar. Ranges in m, angles in rad."""

import collections
import functools
import gc
import math
import struct

from . import _memory
from ._attributes import Attribute, method
from .device import Sensor

_POINT = struct.Struct("fffif")  # WbLidarPoint
_POINT_PARTS = tuple(
    (name, "int32" if name == "layer_id" else "float32", 4 * i)
    for i, name in enumerate(("x", "y", "z", "layer_id", "time"))
)


class LidarPoint(collections.namedtuple("LidarPoint", "x y z layer time")):
    """x, y, z (m) in the frame of the lidar, layer from 0, time (s) since the start of the revolution or scan."""

    __slots__ = ()

    @property
    def layer_id(self):
        return self.layer


def _points_of(data):
    """LidarPoint(*numbers) for hundreds of thousands: without a function of Python for each, and without the
    collector of garbage, which would look at all of them again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return list(map(functools.partial(tuple.__new__, LidarPoint), _POINT.iter_unpack(data)))
    finally:
        if collects:
            gc.enable()


class Lidar(Sensor):
    """Range images are rows of `horizontal_resolution`, one a layer. `data_type` says what they come as:
    "list" copies into Python's numbers, "buffer" (a memoryview) and "numpy" are the simulator's own memory."""

    _api = "wb_lidar_"
    fov = Attribute("get_fov")
    frequency = Attribute("get_frequency", "set_frequency")
    horizontal_resolution = Attribute("get_horizontal_resolution")
    max_frequency = Attribute("get_max_frequency")
    max_range = Attribute("get_max_range")
    min_frequency = Attribute("get_min_frequency")
    min_range = Attribute("get_min_range")
    number_of_layers = Attribute("get_number_of_layers")
    number_of_points = Attribute("get_number_of_points")
    vertical_fov = Attribute("get_vertical_fov")

    disablePointCloud = method("disable_point_cloud")
    enablePointCloud = method("enable_point_cloud")
    isPointCloudEnabled = method("is_point_cloud_enabled")

    @property
    def range_image(self):
        return self.getRangeImage("buffer")

    def getRangeImage(self, data_type="list"):
        """All layers, one after another; None until the first step after the lidar was enabled."""
        return self._ranges(self._call("get_range_image"), (math.prod(self._shape()),), data_type)

    def getLayerRangeImage(self, layer, data_type="list"):
        address = self._call("get_layer_range_image", layer)
        return self._ranges(address, (self.horizontal_resolution,), data_type)

    def getRangeImageArray(self, data_type="list"):
        """[layer][column]: lists, or one array of numpy."""
        if data_type != "list":
            return self._ranges(self._call("get_range_image"), self._shape(), data_type)
        rows = [self.getLayerRangeImage(layer) for layer in range(self.number_of_layers)]
        return None if None in rows else rows

    def getPointCloud(self, data_type="list"):
        """List of LidarPoint, or 20 bytes a point: float x, y, z, int layer, float time. The point cloud has
        to be enabled."""
        return self._points(self._call("get_point_cloud"), (math.prod(self._shape()),), data_type)

    def getLayerPointCloud(self, layer, data_type="list"):
        address = self._call("get_layer_point_cloud", layer)
        return self._points(address, (self.horizontal_resolution,), data_type)

    def getPointCloudArray(self):
        """Array of numpy [layer, column] with the fields x, y, z, layer_id and time."""
        return self._points(self._call("get_point_cloud"), self._shape(), "numpy")

    def _shape(self):
        return (self.number_of_layers, self.horizontal_resolution)

    def _ranges(self, address, shape, data_type):
        if not address:
            return None
        count = math.prod(shape)
        return _memory.choose(
            data_type,
            list=lambda: _memory.view(address, count, "f").tolist(),
            buffer=lambda: _memory.view(address, count, "f"),
            numpy=lambda: _memory.array(address, shape, "float32"),
        )

    def _points(self, address, shape, data_type):
        if not address:
            return None
        size = math.prod(shape) * _POINT.size
        return _memory.choose(
            data_type,
            list=lambda: _points_of(_memory.view(address, size, "B")),
            buffer=lambda: _memory.view(address, size, "B"),
            numpy=lambda: _memory.array(address, shape, _POINT_PARTS),
        )


class RadarTarget(collections.namedtuple("RadarTarget", "distance receiver_power speed azimuth")):
    """distance (m), receiver_power (dBm), speed (m/s, positive: it goes away), azimuth (rad)."""

    __slots__ = ()

    @property
    def received_power(self):
        """Its name in C, and in releases before R2023a."""
        return self.receiver_power


class Radar(Sensor):
    _api = "wb_radar_"
    horizontal_fov = Attribute("get_horizontal_fov")
    max_range = Attribute("get_max_range")
    min_range = Attribute("get_min_range")
    number_of_targets = Attribute("get_number_of_targets")
    vertical_fov = Attribute("get_vertical_fov")

    def getTargets(self):
        targets, count = self._call("get_targets"), self.number_of_targets
        return [RadarTarget(*targets[4 * i : 4 * i + 4]) for i in range(count)] if targets else []

    def getTarget(self, index):
        """Of releases before R2023a."""
        return self.getTargets()[index]
