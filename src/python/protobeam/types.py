"""Classes of devices by type, for annotations: `lidar: protobeam.types.Lidar = world.device("lidar")`.

There is one for each type of which a world that was loaded has a device."""

from protobeam.devices import _classes


def __getattr__(name):
    if name in _classes:
        return _classes[name]
    raise AttributeError(f"no device of type {name!r} was loaded yet")
