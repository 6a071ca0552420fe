"""Writes what editors complete from, python/controller/__init__.pyi and python/vehicle/__init__.pyi: they cannot see
the methods that follow from C functions. With --check it says whether the files are up to date.

    python3 -B src/controller/make_python_stubs.py build/release/lib/protobeam/python
"""

import inspect
import os
import sys

arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
sys.path.insert(0, arguments[0])

import controller  # noqa: E402
import vehicle  # noqa: E402
from controller import _library  # noqa: E402
from controller._attributes import Attribute  # noqa: E402
from controller._functions import FUNCTIONS  # noqa: E402

_TYPES = {"int": "int", "bool": "bool", "double": "float", "text": "str", "void": "None", "tag": "int"}
_TYPES |= {"doubles": "List[float]", "mouse": "MouseState", "twist": "Any", "pose": "Any", "wheel": "Any"}


def result_of(owner, name):
    return FUNCTIONS[name if name in FUNCTIONS else owner._api + name][0]


def argument_of(owner, name):
    kinds = FUNCTIONS[name if name in FUNCTIONS else owner._api + name][1]
    return _TYPES[kinds[-1]]


def type_of(owner, attribute):
    if attribute.get is None:
        return argument_of(owner, attribute.set)
    if attribute.convert and result_of(owner, attribute.get) != "doubles":
        return "Any"
    return _TYPES[result_of(owner, attribute.get)]


def signature(function, skip_self):
    """Its arguments, without their types."""
    parts = []
    for parameter in list(inspect.signature(function).parameters.values())[skip_self:]:
        name = "*" * (parameter.kind == parameter.VAR_POSITIONAL) + parameter.name
        default = parameter.default
        parts.append(name if default is inspect.Parameter.empty else f"{name}={default!r}")
    return parts


def members(kind):
    """(name, member) of a class and of its bases that have no name for users."""
    found = {}
    for base in reversed(kind.__mro__):
        hidden = base.__name__.startswith("_") or base.__name__ == "Calls"
        if base is kind or (hidden and all(base not in b.__mro__ for b in public_bases(kind))):
            found.update((n, m) for n, m in vars(base).items() if not n.startswith("_"))
    return sorted(found.items())


def public_bases(kind):
    names = [*controller.__all__, *vehicle.__all__]
    return [base for base in kind.__mro__[1:] if base.__name__ in names][:1]


def declared(kind, name, member):
    """Lines of one member."""
    if isinstance(member, Attribute):
        what = type_of(kind, member)
        if member.set:
            return [f"{name}: {what}"]
        return ["@property", f"def {name}(self) -> {what}: ..."]
    if isinstance(member, property):
        lines = ["@property", f"def {name}(self): ..."]
        return lines + [f"@{name}.setter", f"def {name}(self, value): ..."] if member.fset else lines
    if isinstance(member, staticmethod):
        return ["@staticmethod", f"def {name}({', '.join(signature(member.__func__, 0))}): ..."]
    if inspect.isfunction(member):
        annotated = member.__annotations__.get("return")
        result = f" -> {annotated.__name__}" if annotated else ""
        if hasattr(member, "c_name"):
            result = " -> " + _TYPES.get(result_of(kind, member.c_name), "Any")
        for attribute in vars(kind).values():
            if isinstance(attribute, Attribute) and member is attribute.fget:
                result = " -> " + type_of(kind, attribute)
            if isinstance(attribute, Attribute) and member is attribute.fset:
                return [f"def {name}(self, value: {argument_of(kind, attribute.set)}) -> None: ..."]
        return [f"def {name}({', '.join(['self', *signature(member, 1)])}){result}: ..."]
    if isinstance(member, (int, str)):
        return [f"{name}: {type(member).__name__}"]
    return [f"{name}: Any"]


def stub(package, beginning):
    lines = ["# Made by make_python_stubs.py.", *beginning, ""]
    kinds = [getattr(package, name) for name in package.__all__]
    for kind in sorted(kinds, key=lambda each: (len(each.__mro__), each.__name__)):
        bases = ", ".join(base.__name__ for base in public_bases(kind))
        lines.append(f"class {kind.__name__}({bases}):" if bases else f"class {kind.__name__}:")
        body = [line for name, member in members(kind) for line in declared(kind, name, member)]
        first = kind.__init__ if inspect.isfunction(vars(kind).get("__init__")) else None
        if first:
            body.insert(0, f"def __init__({', '.join(['self', *signature(first, 1)])}) -> None: ...")
            body += instance_attributes(first, {name for name, _ in members(kind)})
        if hasattr(kind, "_fields_"):
            body += [f"{name}: {'bool' if field is _library.ctypes.c_bool else 'float'}" for name, field in kind._fields_]
        lines += ["    " + line for line in body or ["..."]] + [""]
    return "\n".join(lines)


def instance_attributes(first, known):
    words = inspect.getsource(first).split()
    names = [word[5:] for word, after in zip(words, words[1:]) if word.startswith("self.") and after == "="]
    return [f"{name}: Any" for name in names if not name.startswith("_") and name not in known]


folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python")
stubs = {
    "controller": stub(controller, ["from typing import Any, List"]),
    "vehicle": stub(vehicle, ["from typing import Any", "", "from controller import Supervisor"]),
}
stale = []
for package, text in stubs.items():
    path = os.path.join(folder, package, "__init__.pyi")
    if "--check" not in sys.argv:
        with open(path, "w") as file:
            file.write(text)
    elif not os.path.exists(path) or open(path).read() != text:
        stale.append(f"{path} is not up to date: start {__file__}")
sys.exit("\n".join(stale) if stale else 0)
