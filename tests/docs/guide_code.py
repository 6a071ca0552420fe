#!/usr/bin/env python3
"""guide_code.py SOURCE BUILD CXX CC [LAUNCHER]: compiles the code of docs/writing-a-device.md.

Each block of C or C++ has a mark that says in what it stands: `compiles: members` (of a DeviceModel),
`test` (the body of a test), `controller` (the body of a controller's main) or `program`. What stands in
members and tests is compiled in one file, as the headers take longer than the blocks."""
import subprocess
import sys
import tempfile
from pathlib import Path

from blocks import blocks

MEMBERS_AND_TESTS = """#include <algorithm>
#include <cmath>
#include "base/libm.h"
#include "base/rng.h"
#include "device/plugin.h"
#include "tests/unit/support/plugin.h"
"""

# Around the body of a block; its includes go in front.
AROUND = {
    "members": """namespace {name} {{
using namespace protobeam;
namespace {{
struct Thruster final : DeviceModel {{
{body}
}};
[[maybe_unused]] Thruster thruster;
}}
}}
""",
    "test": """namespace {name} {{
using namespace protobeam;
void test() {{
{body}
(void)device;
}}
}}
""",
    "controller": """#include <stdio.h>
#include <webots/robot.h>
int main(void) {{
{body}
return 0;
}}
""",
    "program": "{body}\n",
}


def text_of(block, context):
    """The includes of a block, and the block in what it stands, each line with its place in the page."""
    lines = block.text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = ["" if line.startswith("#include") else line for line in lines]
    place = f'#line {block.line} "{block.page}"\n'
    return ("\n".join(includes) + "\n",
            AROUND[context].format(name=f"block_{block.line}", body=place + "\n".join(body)))


def main():
    source, build, cxx, cc = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    launcher = sys.argv[5:]  # a compiler cache knows what has compiled before

    def mistakes_of(text, is_c):
        with tempfile.TemporaryDirectory() as folder:
            file = "code.c" if is_c else "code.cpp"
            (Path(folder) / file).write_text(text)
            result = subprocess.run(
                [*launcher, cc if is_c else cxx, "-std=c11" if is_c else "-std=c++20", "-c", "-o", "code.o", "-Wall",
                 "-Werror", f"-I{source}", f"-I{source / 'src'}", f"-I{source / 'src/controller/include'}",
                 f"-I{build / 'include/controller'}", "-isystem/usr/include/eigen3", file],
                capture_output=True, text=True, cwd=folder)
            return [result.stderr] if result.returncode else []

    failures, compiled = [], 0
    includes, together = MEMBERS_AND_TESTS, ""
    for block in blocks(source / "docs/writing-a-device.md"):
        if block.language not in ("c", "cpp"):
            continue
        kind, _, context = block.mark.partition(": ")
        if kind != "compiles" or context not in AROUND:
            failures.append(f"{block.page}:{block.line}: no mark `<!-- compiles: {'|'.join(AROUND)} -->` above this block")
            continue
        its_includes, text = text_of(block, context)
        if context in ("members", "test"):
            includes += its_includes
            together += text
        else:
            failures += mistakes_of(its_includes + text, block.language == "c")
        compiled += 1
    failures += mistakes_of(includes + together, False)
    if compiled < 6:
        failures.append(f"only {compiled} blocks were found")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{compiled} blocks of code compiled, {len(failures)} mistakes")
    return 1 if failures else 0


sys.exit(main())
