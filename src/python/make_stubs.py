"""Writes protobeam/types.pyi, from which editors complete channels and commands: classes of devices are made from
what their types declare. With --check it says whether the file is up to date.

    python3 -B src/python/make_stubs.py build/release/bin/protobeam
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
STUBS = HERE / "protobeam/types.pyi"
# Without the package, which would load the simulator.
spec = importlib.util.spec_from_file_location("devices", HERE / "protobeam/devices.py")
devices = importlib.util.module_from_spec(spec)
spec.loader.exec_module(devices)

# Of class Device: what a channel or command must not hide.
TAKEN = ["channels", "disable", "enable", "model", "name", "path", "period", "properties", "samples", "type"]


def simple(what):
    return json.loads(json.dumps(what), object_hook=lambda members: SimpleNamespace(**members))


def lines_of(declared):
    yield f"class {declared.name}(Device):"
    yield f'    """{declared.meaning}"""'
    for kind, name, what in devices.members_of(declared, TAKEN):
        if kind == "channel":
            yield "    @property"
            yield f"    def {name}(self) -> NDArray[Any]:"
            yield f'        """{devices.channel_text(what)}"""'
        else:
            parameters = []
            for parameter in devices.parameters_of(what):
                parameters.append(f"{parameter}: {'bytes | str' if parameter == 'bytes' else 'float'}")
            text = devices.command_text(what).replace("\n", "\n        ")
            yield f"    def {name}({', '.join(['self', *parameters])}) -> None:"
            yield f'        """{text}"""'


def main():
    program = [argument for argument in sys.argv[1:] if argument != "--check"][0]
    told = subprocess.run([program, "info", "types", "--json"], capture_output=True, text=True, check=True).stdout
    out = ['"""Device types: what World.device() returns. Written by make_stubs.py."""', "",
           "from typing import Any", "", "from numpy.typing import NDArray", "", "from protobeam.world import Device"]
    for declared in sorted(simple(json.loads(told)), key=lambda one: one.name):
        out += ["", *lines_of(declared)]
    text = "\n".join(out) + "\n"
    if "--check" not in sys.argv:
        STUBS.write_text(text)
        return 0
    if STUBS.read_text() == text:
        return 0
    print(f"{STUBS} is not up to date: run make_stubs.py", file=sys.stderr)
    return 1


sys.exit(main())
