#!/usr/bin/env python3
"""commands_test.py BUILD: commands.py finds what is wrong in pages that are wrong."""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
BUILD = sys.argv[1]
WORLD = ("#VRML_SIM R2025a utf8\nWorldInfo { }\n")

# Text of a page, and what commands.py says of it; "": nothing.
CASES = [
    ("```sh\nprotobeam run worlds/w.wbt --duration 500\n```", ""),
    ("```sh\nprotobeam run worlds/w.wbt --duratoin 5\n```", "has no option '--duratoin'"),
    ("```sh\n./protobeam runn worlds/w.wbt\n```", "there is no command 'runn'"),
    ("```sh\nprotobeam check worlds/none.wbt\n```", "ends with status 1"),
    ("```sh\nfalse\ntrue\n```", "ends with status 1"),
    ("<!-- not run: needs ROS -->\n```sh\nprotobeam run W --recrod a.bag &\nros2 topic list\n```",
     "has no option '--recrod'"),
    ("<!-- not run: needs ROS -->\n```sh\nprotobeam run W --record a.bag &\nros2 topic list\n```", ""),
    ("<!-- with: WORLD=worlds/w.wbt -->\n```sh\nprotobeam check WORLD\n```", ""),
    ("<!-- with: WROLD=worlds/w.wbt -->\n```sh\nprotobeam check WORLD\n```", "no 'WROLD' in this block"),
    ("<!-- without: X -->\n```sh\ntrue\n```", "unknown mark"),
    ("```\nprotobeam check worlds/w.wbt\n```", "begins with ```sh"),
    ("Use `protobeam snapshot --camra top`.", "`snapshot` has no option '--camra'"),
    ("Use `protobeam python -m protobeam.learn --minutes 2`.", ""),
    ("Use `run --recrod FILE`.", "`run` has no option '--recrod'"),
    ("Use `run --record FILE` or `protobeam test`.", ""),
]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "source"
        for name in ("worlds", "protos", "controllers", "meshes", "mvsim", "docs"):
            (root / name).mkdir(parents=True)
        (root / "worlds/w.wbt").write_text(WORLD)
        for text, expected in CASES:
            page = root / "docs/page.md"
            page.write_text(text + "\n")
            result = subprocess.run([sys.executable, HERE / "commands.py", root, BUILD, page], capture_output=True,
                                    text=True)
            good = result.returncode == 0 if not expected else result.returncode == 1 and expected in result.stderr
            if not good:
                wrong += 1
                print(f"{text}\nexpected: {expected or 'nothing'}\ngot {result.returncode}: {result.stderr}",
                      file=sys.stderr)
    print(f"{len(CASES)} pages, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
