"""What the classes are made of: a property over one or two C functions, with the getter and the setter that
Webots' package has beside it. Their names follow from those of the C functions: get_max_range and the
property max_range make getMaxRange()."""

import math
import re

from ._functions import FUNCTIONS
from ._library import library


def camel_case(name):
    first, *others = re.sub(r"^wbu_(car|driver)_", "", name).split("_")
    return first + "".join(word.capitalize() for word in others)


def vector(count):
    """Conversion of a pointer to so many doubles: a list, of NaN where there are none."""

    def convert(pointer):
        return pointer[:count] if pointer else [math.nan] * count

    return convert


class Calls:
    """Base of whatever has C functions: `_api` is what their names begin with, where they are not given whole."""

    _api = ""

    def _call(self, name, *arguments):
        return getattr(library, name if name in FUNCTIONS else self._api + name)(*arguments)


class Attribute(property):
    """`get` and `set` are the C functions without `_api`, `convert` makes the value of what `get` returns;
    `getter` and `setter` name the methods where they do not follow from the C names."""

    def __init__(self, get=None, set=None, convert=None, getter=None, setter=None):
        def read(self):
            value = self._call(get)
            return convert(value) if convert else value

        def write(self, value):
            self._call(set, value)

        super().__init__(read if get else None, write if set else None)
        self.get, self.set, self.convert = get, set, convert  # for make_python_stubs.py
        self._methods = {}
        if get:
            self._methods[getter or camel_case(get)] = read
        if set:
            self._methods[setter or camel_case(set)] = write

    def __set_name__(self, owner, name):
        for method, function in self._methods.items():
            function.__name__ = method
            function.__qualname__ = f"{owner.__qualname__}.{method}"
            if method not in owner.__dict__:
                setattr(owner, method, function)


def method(name):
    """Of a C function without further arguments."""

    def call(self):
        return self._call(name)

    call.__name__ = camel_case(name)
    call.c_name = name
    return call
