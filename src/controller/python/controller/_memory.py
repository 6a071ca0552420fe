"""Arrays where the simulator wrote them: read-only views, made once for each place. What is in them changes
in Robot.step() only; whoever keeps a sample copies it."""

import ctypes
import math

_SIZES = {"B": 1, "f": 4}
_views = {}
_arrays = {}


def numpy():
    """The module, for those who ask for its arrays; the package works without."""
    try:
        import numpy as module
    except ImportError:
        raise ImportError("arrays of numpy need numpy: apt-get install python3-numpy") from None
    return module


def view(address, count, kind):
    """memoryview of `count` elements of type 'f' (float) or 'B' (byte); None without an address."""
    if not address:
        return None
    key = (address, count, kind)
    if key not in _views:
        memory = (ctypes.c_char * (count * _SIZES[kind])).from_address(address)
        _views[key] = memoryview(memory).cast("B").cast(kind).toreadonly()
    return _views[key]


def array(address, shape, kind):
    """The same as an array of numpy. `kind`: "float32", or the components of a record as (name, type, offset)."""
    if not address:
        return None
    key = (address, shape, kind)
    if key not in _arrays:
        np = numpy()
        if not isinstance(kind, str):
            names, types, offsets = zip(*kind)
            kind = {"names": names, "formats": types, "offsets": offsets}
        dtype = np.dtype(kind)
        count = math.prod(shape)
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        made = np.frombuffer(memory, dtype).reshape(shape) if count else np.empty(shape, dtype)
        made.flags.writeable = False
        _arrays[key] = made
    return _arrays[key]


def choose(data_type, **functions):
    """Calls the function that `data_type` names."""
    if data_type not in functions:
        raise ValueError(f"data_type is '{data_type}'; it can be {', '.join(map(repr, functions))}")
    return functions[data_type]()
