"""libController, loaded at import. Each C function is looked up when it is called first, so that a function
that the library does not have is an error for the program that calls it and for no other."""

import ctypes
import os

from ._functions import FUNCTIONS


class Twist(ctypes.Structure):
    """vx, vy (m/s, in the vehicle's frame) and omega (rad/s)."""

    _fields_ = [(name, ctypes.c_double) for name in ("vx", "vy", "omega")]


class Pose(ctypes.Structure):
    """x, y, z (m); roll, pitch, yaw (rad)."""

    _fields_ = [(name, ctypes.c_double) for name in ("x", "y", "z", "roll", "pitch", "yaw")]


class Wheel(ctypes.Structure):
    """See PbWheel in protobeam/vehicle.h: rad, rad/s, N m, N."""

    _fields_ = [
        (name, ctypes.c_double)
        for name in ("steering", "angle", "spin", "torque", "load", "slip_ratio", "slip_angle")
    ] + [("contact", ctypes.c_bool)]


class MouseState(ctypes.Structure):
    """u, v in the window, 0 to 1 from the upper left corner; x, y, z (m) below the pointer; NaN: nowhere."""

    _fields_ = [(name, ctypes.c_double) for name in ("u", "v", "x", "y", "z")] + [
        (name, ctypes.c_bool) for name in ("left", "middle", "right")
    ]


class _Integer:
    """2.0 is taken for 2: robot.step(robot.getBasicTimeStep())."""

    @staticmethod
    def from_param(value):
        if hasattr(value, "is_integer") and not value.is_integer():
            raise TypeError(f"a whole number is expected, not {value}")
        if not hasattr(value, "is_integer") and not hasattr(value, "__index__"):
            raise TypeError(f"a whole number is expected, not {value!r}")
        number = int(value)
        if not -(2**31) <= number < 2**32:  # colours may have their highest bit set
            raise OverflowError(f"{number} is too large for the library")
        return number


class _Double:
    """ctypes' own check says "wrong type" and no more."""

    @staticmethod
    def from_param(value):
        return ctypes.c_double(value)


class _Text:
    @staticmethod
    def from_param(value):
        if value is None:
            return None
        text = os.fspath(value)  # paths are texts too
        return text if isinstance(text, bytes) else text.encode()


class _Bytes:
    @staticmethod
    def from_param(value):
        return value if value is None or isinstance(value, bytes) else bytes(value)


class _Doubles:
    @staticmethod
    def from_param(values):
        return (ctypes.c_double * len(values))(*values)


class _Integers:
    @staticmethod
    def from_param(values):
        return (ctypes.c_int * len(values))(*(int(value) for value in values))


# Pointers come back as addresses, 0 is None; _attributes.py and _memory.py read what is there.
RESULTS = {
    "void": None,
    "int": ctypes.c_int,
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
    "tag": ctypes.c_ushort,
    "text": ctypes.c_char_p,
    "doubles": ctypes.POINTER(ctypes.c_double),
    "floats": ctypes.c_void_p,
    "bytes": ctypes.c_void_p,
    "ref": ctypes.c_void_p,
    "mouse": MouseState,
    "twist": Twist,
    "pose": Pose,
    "wheel": Wheel,
}
_ARGUMENTS = {
    "int": _Integer,
    "bool": ctypes.c_bool,
    "double": _Double,
    "tag": ctypes.c_ushort,
    "text": _Text,
    "bytes": _Bytes,
    "doubles": _Doubles,
    "ints": _Integers,
    "ref": ctypes.c_void_p,
}


def _decode(result, function, arguments):
    return "" if result is None else result.decode(errors="replace")


def load():
    # <prefix>/lib/protobeam/python/controller/_library.py, in a build folder and in an installation.
    folder = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.normpath(os.path.join(folder, *[os.pardir] * 3, "libController.so"))
    place = beside if os.path.exists(beside) else "libController.so"  # in LD_LIBRARY_PATH
    try:
        return ctypes.CDLL(place)
    except OSError as error:
        raise ImportError(
            f"the package 'controller' needs Protobeam's library: {error}; it is in lib of a build folder "
            "and of an installation, whose lib/protobeam/python holds this package"
        ) from None


def _missing(name, place):
    def function(*arguments):
        raise NotImplementedError(f"{name}() is not there: {place} has no such function (yet)")

    return function


class Library:
    def __init__(self):
        self._dll = load()

    def __getattr__(self, name):
        """Called once for each function; then it is an attribute."""
        if name not in FUNCTIONS:
            raise AttributeError(name)
        function = getattr(self._dll, name, None)
        if function is None:
            function = _missing(name, self._dll._name)
        else:
            result, arguments = FUNCTIONS[name]
            function.restype = RESULTS[result]
            function.argtypes = [_ARGUMENTS[kind] for kind in arguments]
            if result == "text":
                function.errcheck = _decode
        setattr(self, name, function)
        return function


library = Library()
