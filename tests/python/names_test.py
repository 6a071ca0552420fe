"""The packages `controller` and `vehicle` have every name that Webots R2025a's have (webots_r2025a_names.txt), of
the same kind, callable with the same arguments. Started with the package's folder and the headers' folder."""

import glob
import inspect
import os
import re
import sys

packages, headers = sys.argv[1:]
sys.path.insert(0, packages)
sys.dont_write_bytecode = True

import controller  # noqa: E402
import vehicle  # noqa: E402
from controller import _functions, _library  # noqa: E402

failures = []


def check(right, message):
    if not right:
        failures.append(message)


def read_names(file):
    """{"controller.GPS": [("method", "getValues", [])]}"""
    classes, entries = {}, []
    for line in open(file):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            entries = classes.setdefault(line.strip(), [])
            continue
        kind, *names = line.split()
        for name, arguments in (re.fullmatch(r"(\w+)(?:\((.*)\))?", each).groups() for each in names):
            entries.append((kind, name, [a for a in (arguments or "").split(",") if a]))
    return classes


def check_method(where, function, wanted):
    check(callable(function), f"{where} is no method")
    if not callable(function):
        return
    parameters = list(inspect.signature(function).parameters.values())
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    check(len(parameters) >= len(wanted), f"{where} takes {len(parameters)} arguments, not {len(wanted)}")
    for ours, theirs in zip(parameters, wanted):
        may_be_left_out = ours.default is not inspect.Parameter.empty
        check(may_be_left_out or not theirs.endswith("="), f"{where}: '{ours.name}' has no default")
        # A single argument has a name that nobody writes.
        check(len(wanted) == 1 or ours.name == theirs.rstrip("="), f"{where}: '{ours.name}', Webots: '{theirs}'")
    for further in parameters[len(wanted) :]:
        check(further.default is not inspect.Parameter.empty, f"{where}: '{further.name}' is not Webots'")


def check_names(classes):
    count = 0
    for path, entries in classes.items():
        package, class_name = path.split(".")
        found = getattr({"controller": controller, "vehicle": vehicle}[package], class_name, None)
        check(found, f"there is no {path}")
        for kind, name, arguments in entries if found else []:
            count += 1
            where = f"{path}.{name}"
            if not hasattr(found, name):  # of objects; read by the tests with a simulator
                set_there = inspect.getsource(found.__init__).split() if kind in ("attribute", "property") else []
                check(f"self.{name}" in set_there, f"there is no {where}")
                continue
            member = inspect.getattr_static(found, name)
            if kind == "attribute":
                continue
            if kind == "method":
                check_method(where, getattr(found, name), arguments)
            elif kind == "constant":
                check(not callable(member) and not isinstance(member, property), f"{where} is no constant")
            else:
                check(not callable(member), f"{where} is no property")
                writable = not isinstance(member, property) or member.fset is not None
                check(writable or kind == "property", f"{where} cannot be set")
    return count


def read_headers():
    """{"wb_gps_get_speed": ("double", ["tag"])} and {"WB_NODE_GPS": 45}, by Webots' types."""
    functions, constants = {}, {}
    pointers = {"char": "text", "double": "doubles", "float": "floats", "int": "ints", "void": "bytes"}
    pointers |= {"unsigned char": "bytes", "WbLidarPoint": "ref", "WbContactPoint": "ref", "WbRadarTarget": "doubles"}
    pointers |= {"WbCameraRecognitionObject": "ref", "PbChannel": "ref", "size_t": "ref", "PbElementType": "ref"}
    values = {name: name for name in ("void", "bool", "int", "double")} | {"WbDeviceTag": "tag"}
    values |= {name: "ref" for name in ("WbNodeRef", "WbFieldRef", "WbProtoRef", "WbImageRef", "WbMotionRef")}
    values |= {"WbMouseState": "mouse", "PbTwist": "twist", "PbPose": "pose", "PbWheel": "wheel"}

    def kind(declared):
        text = re.sub(r"\bconst\b", "", declared).strip()
        base, stars = re.match(r"(unsigned char|\w+)\s*((?:\*\s*)*)", text).groups()
        if stars.count("*") == 2:
            return "ref"
        if stars or "[" in text:
            return pointers.get(base, base + "*")
        return values.get(base, "int")  # an enumeration

    for file in glob.glob(os.path.join(headers, "**", "*.h"), recursive=True):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", open(file).read(), flags=re.S)
        for result, name, arguments in re.findall(
            r"((?:const\s+)?(?:unsigned\s+char|\w+)\s*\*?)\s*\b((?:wbu?|pb)_\w+)\s*\(([^()]*)\)\s*;", text
        ):
            declared = [a.strip() for a in arguments.split(",") if a.strip() not in ("", "void")]
            functions[name] = kind(result), [kind(argument) for argument in declared]
        for body in re.findall(r"enum\s*\w*\s*\{(.*?)\}", text, flags=re.S):
            next_value = 0
            for name, value in re.findall(r"(\w+)\s*(?:=\s*([-\w]+))?\s*(?:,|$)", body.strip()):
                if value:  # a number, or another name
                    next_value = constants[value] if value in constants else int(value, 0)
                constants[name] = next_value
                next_value += 1
        for name, value in re.findall(r"^#define\s+(ANSI_\w+)\s+(\".*\")", text, flags=re.M):
            constants[name] = eval(value)
    return functions, constants


def same_type(ours, theirs):
    """Out parameters are given by address."""
    return ours == theirs or (ours == "ref" and theirs in ("ints", "doubles", "texts"))


def check_functions(functions):
    count = 0
    for name, (result, arguments) in _functions.FUNCTIONS.items():
        check(result in _library.RESULTS, f"{name}: no type '{result}'")
        check(all(kind in _library._ARGUMENTS for kind in arguments), f"{name}: {arguments}")
        if name not in functions:
            continue
        count += 1
        theirs = functions[name]
        right = result == theirs[0] and len(arguments) == len(theirs[1])
        right = right and all(map(same_type, arguments, theirs[1]))
        check(right, f"{name} is {result} {arguments} in the table, {theirs[0]} {theirs[1]} in the header")
    return count


def check_constants(constants):
    count = 0
    places = {controller.Node: "WB_NODE_", controller.Keyboard: "WB_KEYBOARD_", controller.AnsiCodes: "ANSI_"}
    places[controller.Field] = places[controller.Robot] = places[controller.Supervisor] = "WB_"
    for place, prefix in places.items():
        for name in vars(place):
            known = prefix + name
            if place is controller.Supervisor and name.startswith("SIMULATION"):
                known = "WB_SUPERVISOR_" + name
            if name.isupper() and known in constants:
                count += 1
                check(getattr(place, name) == constants[known], f"{place.__name__}.{name} is not {constants[known]}")
    return count


here = os.path.dirname(os.path.abspath(__file__))
names = check_names(read_names(os.path.join(here, "webots_r2025a_names.txt")))
functions, constants = read_headers()
known_functions, known_constants = check_functions(functions), check_constants(constants)
check(names >= 892, f"only {names} names were looked at")
check(known_functions > 250, f"only {known_functions} functions were compared with the headers")
check(known_constants > 120, f"only {known_constants} constants were compared with the headers")
print(f"{names} names, {known_functions} functions, {known_constants} constants, {len(failures)} failures")
sys.exit("\n".join(failures) if failures else 0)
