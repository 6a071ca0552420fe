"""Values of Python as a world's text has them."""

import math
import os
from collections.abc import Iterable, Mapping


def text_of(value):
    """True: TRUE, 0.5: 0.5, "a": "a" in quotes, [1, 2, 3]: 1 2 3."""
    if value is None:
        return "NULL"
    if hasattr(value, "tolist"):  # numpy's
        value = value.tolist()
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise ValueError(f"a field cannot be {value}")
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        escaped = os.fspath(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, Iterable):
        items = [text_of(item) for item in value]
        return " ".join(items) if items else "[ ]"
    raise TypeError(f"a field cannot be a {type(value).__name__}")


def settings_of(parameters):
    """What the simulator takes: (path, text) each."""
    if parameters is None:
        return []
    if not isinstance(parameters, Mapping):
        raise TypeError("parameters must be a dict: {'CAR.maxSpeed': 20}")
    return [(str(path), text_of(value)) for path, value in parameters.items()]
