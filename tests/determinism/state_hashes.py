#!/usr/bin/env python3
"""Runs the worlds of state_hashes.txt and compares their state_hash with the one written there.

state_hashes.py PROTOBEAM [OPTION]...

  --write           write the hashes of this machine instead of comparing
  --only short|long rows of one kind (default: both)
  --threads N       of the ray caster (default 1)
  --without-fma     as on a processor without FMA and AVX2: glibc is told so by GLIBC_TUNABLES,
                    Embree is held to SSE2. Controllers and the template worker inherit it.
  --emulator WORDS  a program that runs protobeam, say "qemu-x86_64 -cpu Nehalem"

To write the file anew, after a change that is meant to give other numbers:

  tests/determinism/state_hashes.py build/release/bin/protobeam --write
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = pathlib.Path(__file__).with_name("state_hashes.txt")
HEAD = """\
# world, kind of row, simulated seconds, state_hash of `run`; ? where it is not known yet.
# Made by: tests/determinism/state_hashes.py build/release/bin/protobeam --write
# campus.wbt ends before its first image: among its leaves some rays graze an edge within rounding (docs/architecture.md).
"""
WITHOUT_FMA = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F",
    "PROTOBEAM_EMBREE_ISA": "sse2",
}


def rows():
    for line in FILE.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            world, kind, seconds, *known = line.split()
            yield world, kind, seconds, known[0] if known else None


def with_probes(folder):
    """The worlds with a controller that samples the lidars of robots that have none."""
    for name in ("protos", "controllers", "meshes"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "worlds").mkdir()
    for path in (ROOT / "worlds").iterdir():
        copy = folder / "worlds" / path.name
        if path.suffix != ".wbt":
            copy.symlink_to(path)
            continue
        copy.write_text(path.read_text().replace('controller "<none>"', 'controller "probe"'))


def state_hash(options, folder, world, seconds):
    command = shlex.split(options.emulator) + [options.program, "run", str(folder / world)]
    command += ["--duration", seconds]
    command += ["--threads", str(options.threads), "--json", "--controller-timeout", "120"]
    environment = dict(os.environ)
    if options.without_fma:
        environment.update(WITHOUT_FMA)
    done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["state_hash"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=["short", "long"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--without-fma", action="store_true")
    parser.add_argument("--emulator", default="")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())

    worlds = {world.relative_to(ROOT).as_posix() for pattern in ("*.wbt", "gazebo/*.sdf")
              for world in (ROOT / "worlds").glob(pattern)}
    missing = worlds - {world for world, *_ in rows()}
    wrong = [f"{world}: has no row in {FILE.name}" for world in sorted(missing)]
    text = HEAD
    temporary = tempfile.TemporaryDirectory()
    folder = pathlib.Path(temporary.name)
    with_probes(folder)
    for world, kind, seconds, known in rows():
        if options.only not in (None, kind):
            text += f"{world} {kind} {seconds} {known}\n"
            continue
        start = time.monotonic()
        found = state_hash(options, folder, world, seconds)
        text += f"{world} {kind} {seconds} {found}\n"
        verdict = "as written" if found == known else "NOT as written"
        print(f"{world} {seconds} s: {found} {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
        if found != known:
            wrong.append(f"{world} {seconds} s: {found}, and {FILE.name} says {known}")
    if options.write:
        FILE.write_text(text)
        return
    if wrong:
        sys.exit("\n".join(wrong) + "\nIf a change is meant to give other numbers, write the file anew "
                 "(state_hashes.py PROTOBEAM --write) and say why in the commit.")


main()
