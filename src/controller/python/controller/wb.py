"""libController by its C names, as Webots' package has it: `from controller.wb import wb`.

Functions return what the headers say, texts as bytes and nodes and fields as addresses; arguments are those that ctypes
takes for C, a number with a point as `ctypes.c_double(0.5)`. What a program sets of a function here (`restype`) stays
here: the classes have functions of their own."""

import ctypes

from ._functions import FUNCTIONS
from ._library import RESULTS, load

_RESULTS = {**RESULTS, "floats": ctypes.POINTER(ctypes.c_float), "bytes": ctypes.POINTER(ctypes.c_ubyte)}


class _Functions:
    def __init__(self):
        self._dll = load()

    def __getattr__(self, name):
        """Called once for each function; then it is an attribute."""
        function = getattr(self._dll, name)
        if name in FUNCTIONS:
            function.restype = _RESULTS[FUNCTIONS[name][0]]
        setattr(self, name, function)
        return function


wb = _Functions()
