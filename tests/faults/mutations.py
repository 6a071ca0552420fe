#!/usr/bin/env python3
"""Broken files for every reader: mutations.py PROTOBEAM [--files N] [--seed S] [--jobs J]

Worlds, PROTOs, MVSim's XML, URDFs, SDFs, models, pictures, maps, beam tables and lock files of this tree are
changed at random (bytes, numbers, words, pieces of each other) and read by `check` and `run`. A program that ends with
another exit code than 0 to 3, by a signal, after more than --seconds of processor time (or six times that by
the clock) or with more than --memory of resident memory is a finding; its files are kept in --findings.
The exit code is 1 then.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
NUMBERS = ["0", "-1", "1e308", "-1e308", "nan", "inf", "2147483647", "-2147483648", "4294967296", "1e-320",
           "0.1", "3", "65536", "99999999999999999999"]
WORDS = ["DEF", "USE", "NULL", "TRUE", "{", "}", "[", "]", "\"", "#", "%<", ">%", "%<=", "IS", "PROTO", "EXTERNPROTO",
         "field", "<", "/>", "</", "$(", "$f{", "${", "&amp;", "<!--", "..", "/etc/shadow", "\0", "\xff", "\n",
         "Robot { }", "Solid { }", "children [", "url \"", "1 2 3", "facet normal", "f 1/1/1 2 3", "v 1 2"]


def mutate(rng, data, others):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(9)
        if kind == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 1 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del data[at:at + rng.choice([1, 4, 30, 300])]
        elif kind == 3:
            piece = data[at:at + rng.choice([1, 8, 60, 600])]
            data[at:at] = piece * rng.choice([1, 2, 20])
        elif kind == 4:
            del data[at:]
        elif kind == 5:
            data[at:at] = rng.choice(WORDS).encode("latin-1")
        elif kind == 6:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            data[at:at + rng.randrange(200)] = other[start:start + rng.randrange(400)]
        else:  # a number, or a run of bytes that a binary format takes for one
            digits = [i for i in range(at, min(at + 400, len(data))) if chr(data[i]).isdigit()]
            if digits:
                end = digits[0]
                while end < len(data) and chr(data[end]) in "0123456789.eE":
                    end += 1
                data[digits[0]:end] = rng.choice(NUMBERS).encode()
            elif data:
                data[at:at + 4] = rng.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x80"])
    return bytes(data)


class Corpus:
    """Files by reader, and for those that a world names, the world around them."""

    def __init__(self):
        read = lambda pattern: [(p, p.read_bytes()) for p in sorted(TREE.glob(pattern)) if p.stat().st_size < 300000]
        self.texts = {
            ".wbt": read("worlds/*.wbt") + read("tests/fuzz/corpus/texts/*.wbt") + read("tests/worlds/**/*.wbt"),
            ".proto": read("protos/**/*.proto"),
            ".xml": (read("tests/data/mvsim/*.xml") + read("tests/data/mvsim_docs/**/*.xml") +
                     read("tests/fuzz/corpus/mvsim/*") + read("mvsim/**/*.xml")),
            ".urdf": read("worlds/arm/*.urdf") + read("tests/fuzz/corpus/urdf/*.urdf"),
            ".sdf": read("worlds/gazebo/**/*.sdf") + read("tests/fuzz/corpus/sdf/*.sdf"),
        }
        self.data = {
            "model": read("meshes/*.dae") + read("meshes/*.stl") + read("meshes/*.glb") + read("meshes/*.obj"),
            "picture": read("meshes/*.png") + read("worlds/maps/*.png") + read("worlds/maps/*.pgm"),
            "map": read("worlds/maps/*.yaml"),
            "beams": [(pathlib.Path("beams.csv"), BEAMS)],
            "lock": [(pathlib.Path("w.lock.json"), LOCK)],
        }


BEAMS = b"""elevation_deg,azimuth_deg,time,ring
-15,0,0,0
1,0,2.3e-6,1
-13,0.5,4.6e-6,2
"""

# Nothing of it is in the cache.
LOCK = b"""{
 "protobeam_lock": 1,
 "assets": {
  "https://example.org/a.proto": {
   "sha256": "0f1d5ee0a8a9a4f2b2b8b3df4c4e38a1c24b7f3f04f2cf3ffb3d4b7a9a0f2c11",
   "size": 22
  },
  "https://example.org/b.png": {
   "sha256": "1f1d5ee0a8a9a4f2b2b8b3df4c4e38a1c24b7f3f04f2cf3ffb3d4b7a9a0f2c11",
   "size": 100,
   "final_address": "https://example.org/c.png"
  }
 }
}
"""


def world_for(kind, name):
    if kind == "lock":
        return b"""#VRML_SIM R2025a utf8
EXTERNPROTO "https://example.org/a.proto"
Solid { children [ Shape { appearance PBRAppearance { baseColorMap ImageTexture {
  url "https://example.org/b.png" } } geometry Box { } } ] }
"""
    shape = {
        "model": f'Shape {{ appearance PBRAppearance {{ }} geometry Mesh {{ url "{name}" }} }} CadShape {{ url "{name}" }}',
        "picture": f'Shape {{ appearance PBRAppearance {{ baseColorMap ImageTexture {{ url "{name}" }} }} geometry Box {{ }} }} '
                   f'Shape {{ geometry ElevationImage {{ url "{name}" }} }} Shape {{ geometry OccupancyGrid {{ url "{name}" }} }}',
        "map": f'Shape {{ geometry OccupancyGrid {{ url "{name}" }} }}',
        "beams": "",
    }[kind]
    lidar = f' beamTable "{name}"' if kind == "beams" else ""
    return ("#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 10 }\n"
            f"Solid {{ children [ {shape} ] }}\n"
            f"Robot {{ translation 0 0 5 children [ Lidar {{ samplingPeriod 10 numberOfLayers 2{lidar} }} ] }}\n").encode()


def run(command, folder, seconds):
    """Exit code (negative: a signal, None: too slow), seconds, megabytes."""
    with open(folder / "said.txt", "wb") as said:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   start_new_session=True)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - begin > 6 * seconds:  # other programs may keep the processors busy
                os.killpg(process.pid, 9)
                _, _, usage = os.wait4(process.pid, 0)
                status = None
                break
            time.sleep(0.005)
        process.returncode = 0  # reaped above
    spent = usage.ru_utime + usage.ru_stime
    code = None if status is None or spent > seconds else os.waitstatus_to_exitcode(status)
    return code, spent, usage.ru_maxrss / 1024


def batch(number, options, corpus):
    """One folder of files, one process of `check` or `run`. Returns (files, findings)."""
    rng = random.Random(options.seed * 1000003 + number)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mutations-"))
    (folder / "worlds").mkdir()
    (folder / "protos").symlink_to(TREE / "protos")
    (folder / "meshes").symlink_to(TREE / "meshes")
    (folder / "worlds" / "maps").symlink_to(TREE / "worlds" / "maps")
    allow = ["--allow-path", str(TREE)]
    memory = ["--memory", "0.5"]
    if rng.random() < 0.6:
        ending = rng.choice(list(corpus.texts))
        sources = corpus.texts[ending]
        names = []
        for i in range(8):
            source, data = rng.choice(sources)
            name = f"worlds/{i}{ending}" if ending != ".proto" else f"worlds/{source.stem}.proto"
            (folder / name).write_bytes(mutate(rng, data, [d for _, d in sources]))
            names.append(name)
        names = sorted(set(names))
        if ending != ".proto" and rng.random() < 0.5:
            names = names[:2]
            commands = [[options.protobeam, "run", name, "--duration", "0.02", "--controller-timeout", "2"] + memory + allow
                        for name in names]
        else:
            commands = [[options.protobeam, "check"] + names + allow]
    else:
        kind = rng.choice(list(corpus.data))
        sources = corpus.data[kind]
        names, commands = [], []
        for i in range(2):
            source, data = rng.choice(sources)
            name = f"w{i}.wbt.lock.json" if kind == "lock" else f"data{i}{source.suffix}"
            (folder / "worlds" / name).write_bytes(mutate(rng, data, [d for _, d in sources]))
            (folder / "worlds" / f"w{i}.wbt").write_bytes(world_for(kind, name))
            names.append(name)
            commands.append([options.protobeam, "run", f"worlds/w{i}.wbt", "--duration", "0.01"] + memory + allow)
    findings = []
    for command in commands:
        code, seconds, megabytes = run(command, folder, options.seconds)
        if code not in (0, 1, 2, 3) or megabytes > options.memory:
            how = "too slow" if code is None else f"exit {code}"
            findings.append(f"{how}, {seconds:.1f} s, {megabytes:.0f} MB: {' '.join(command)}")
    if findings:
        kept = pathlib.Path(options.findings) / f"{options.seed}-{number}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, kept, symlinks=True, dirs_exist_ok=True)
        findings = [f"{f}\n  in {kept}" for f in findings]
    shutil.rmtree(folder)
    return len(names), findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("protobeam")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--memory", type=float, default=1500, help="resident megabytes")
    parser.add_argument("--findings", default="build/mutations")
    options = parser.parse_args()
    options.protobeam = str(pathlib.Path(options.protobeam).resolve())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["PROTOBEAM_CACHE"] = "/dev/null/none"  # no file of this machine, nor can one be made there
    corpus = Corpus()
    files, number, found = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = set()
        while files < options.files or running:
            while files < options.files and len(running) < options.jobs:
                running.add(pool.submit(batch, number, options, corpus))
                number += 1
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                count, findings = future.result()
                files += count
                found += findings
                for finding in findings:
                    print(finding, flush=True)
    print(f"{files} files, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
