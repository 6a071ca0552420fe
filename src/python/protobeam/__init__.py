"""Protobeam in Python: worlds that run in this process, as arrays.

    import protobeam
    world = protobeam.World.load("worlds/vehicles.wbt", seed=1)
    lidar = world.device("TurtleBot3 Burger/lidar")
    lidar.enable(0.2)
    world.step(200)
    print(lidar.range.shape, lidar.range.min())

Lengths are in m, angles in rad, times in s; quaternions are x, y, z, w. Robots have no controller program here:
devices are switched on and commanded by calls. Errors in a world's text are WorldError, with a place each.
"""

import os as _os
import sys as _sys


def _load_core():
    """The simulator's libraries compute with the functions of the simulator, not with those of this process,
    which round in another way on other machines: its results are those of the program `protobeam`."""
    flags = _sys.getdlopenflags()
    _sys.setdlopenflags(_os.RTLD_NOW | _os.RTLD_GLOBAL | getattr(_os, "RTLD_DEEPBIND", 0))
    try:
        from protobeam import _core
    finally:
        _sys.setdlopenflags(flags)
    return _core


_core = _load_core()

from protobeam._core import Diagnostic, WorldError  # noqa: E402
from protobeam import types  # noqa: E402
from protobeam.batch import Batch  # noqa: E402
from protobeam.world import Body, Device, Robot, Vehicle, World  # noqa: E402

__version__ = _core.version
__all__ = ["Batch", "Body", "Device", "Diagnostic", "Robot", "Vehicle", "World", "WorldError", "types"]
