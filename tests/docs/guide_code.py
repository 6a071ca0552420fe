#!/usr/bin/env python3
"""guide_code.py SOURCE BUILD CXX CC [LAUNCHER]: compiles the code of docs/writing-a-device.md.

Each block of C or C++ has a mark that says in what it stands: `compiles: members` (of a DeviceModel),
`test` (the body of a test), `controller` (the body of a controller's main) or `program`."""
import subprocess
import sys
import tempfile
from pathlib import Path

from blocks import blocks

AROUND = {
    "members": """#include <algorithm>
#include <cmath>
#include "base/libm.h"
#include "base/rng.h"
#include "device/plugin.h"
{includes}
using namespace protobeam;
namespace {{
struct Thruster final : DeviceModel {{
{body}
}};
[[maybe_unused]] Thruster thruster;
}}
""",
    "test": """#include "tests/unit/support/plugin.h"
{includes}
using namespace protobeam;
void test() {{
{body}
(void)device;
}}
""",
    "controller": """#include <stdio.h>
#include <webots/robot.h>
{includes}
int main(void) {{
{body}
return 0;
}}
""",
    "program": "{includes}\n{body}\n",
}


def main():
    source, build, cxx, cc = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    launcher = sys.argv[5:]  # a compiler cache knows what has compiled before
    failures, compiled = [], 0
    for block in blocks(source / "docs/writing-a-device.md"):
        if block.language not in ("c", "cpp"):
            continue
        place = f"{block.page}:{block.line}"
        kind, _, context = block.mark.partition(": ")
        if kind != "compiles" or context not in AROUND:
            failures.append(f"{place}: no mark `<!-- compiles: {'|'.join(AROUND)} -->` above this block")
            continue
        lines = block.text.splitlines()
        includes = [line for line in lines if line.startswith("#include")]
        body = [line for line in lines if not line.startswith("#include")]
        text = AROUND[context].format(includes="\n".join(includes), body="\n".join(body))
        with tempfile.TemporaryDirectory() as folder:
            is_c = block.language == "c"
            file = "code.c" if is_c else "code.cpp"
            (Path(folder) / file).write_text(text)
            result = subprocess.run(
                [*launcher, cc if is_c else cxx, "-std=c11" if is_c else "-std=c++20", "-c", "-o", "code.o", "-Wall",
                 "-Werror", f"-I{source}", f"-I{source / 'src'}", f"-I{source / 'src/controller/include'}",
                 f"-I{build / 'include/controller'}", "-isystem/usr/include/eigen3", file],
                capture_output=True, text=True, cwd=folder)
        compiled += 1
        if result.returncode:
            failures.append(f"{place}: does not compile ({context}):\n{result.stderr}")
    if compiled < 6:
        failures.append(f"only {compiled} blocks were found")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{compiled} blocks of code compiled, {len(failures)} mistakes")
    return 1 if failures else 0


sys.exit(main())
