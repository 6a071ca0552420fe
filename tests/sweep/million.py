#!/usr/bin/env python3
"""million.py PROGRAM WORLD [RUNS]: what a sweep of a million runs costs in files, bytes and time, with journals that
nobody has run for. docs/sweeps.md has its figures."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM, WORLD = sys.argv[1:3]
SAMPLES = int(sys.argv[3]) // 100 if len(sys.argv) > 3 else 10000
JOB = 500

SWEEP = f"""world: {os.path.abspath(WORLD)}
duration: 0.01
parameters:
  speed: {{robot: rover, argument: --speed, uniform: [0.5, 1.5]}}
  noise: {{field: rover/LMS 291.noise, uniform: [0, 0.05]}}
  crates: {{field: crate 4.mass, values: [20, 40, 60, 80, 100]}}
  seed: {{seed: true, from: 1, to: 20}}
samples: {{count: {SAMPLES}, method: latin_hypercube}}
metrics: {{distance: , nearest: , touches: }}
"""


def megabytes(path):
    return os.path.getsize(path) / 1e6


def timed(what, *words):
    begin = time.monotonic()
    done = subprocess.run([PROGRAM, "sweep", *words], capture_output=True, text=True, check=True)
    print(f"{what}: {time.monotonic() - begin:.2f} s; {done.stdout.splitlines()[0]}", flush=True)


def journal(first, count):
    for run in range(first, first + count):
        yield {"event": "began", "run": run, "version": "0.1.0", "machine": "node001", "began": "2026-03-01T12:00:00Z"}
        end = {"event": "done", "run": run, "exit": 0, "wall": random.uniform(1, 3), "message": "",
               "state_hash": f"{random.getrandbits(64):016x}",
               "metrics": [random.gauss(10, 1), random.gauss(1, 0.1), 0]}
        if run % 1000 == 999:
            end |= {"event": "failed", "exit": 3, "metrics": [None] * 3,
                    "message": "controller 'rover' of rover exited with status 2"}
        yield end


def main():
    with tempfile.TemporaryDirectory(prefix="protobeam-million-") as folder:
        out = f"{folder}/out"
        with open(f"{folder}/million.yaml", "w") as file:
            file.write(SWEEP)
        begin = time.monotonic()
        with subprocess.Popen([PROGRAM, "sweep", f"{folder}/million.yaml", "--out", out]) as process:
            while not os.path.exists(f"{out}/manifest.sqlite"):
                time.sleep(0.02)
            print(f"manifest: {time.monotonic() - begin:.2f} s, {megabytes(out + '/manifest.sqlite'):.0f} MB")
            process.kill()
        shutil.rmtree(f"{out}/journal")
        os.mkdir(f"{out}/journal")
        random.seed(1)
        runs = 100 * SAMPLES
        for first in range(0, runs, JOB):
            with open(f"{out}/journal/s0001-c{first // JOB:06}-node.jsonl", "w") as file:
                for line in journal(first, min(JOB, runs - first)):
                    file.write(json.dumps(line, separators=(",", ":")) + "\n")
        names = os.listdir(f"{out}/journal")
        print(f"journals: {len(names)} files, {sum(megabytes(f'{out}/journal/{name}') for name in names):.0f} MB")
        timed("gather", "gather", out)
        print(f"manifest: {megabytes(out + '/manifest.sqlite'):.0f} MB")
        timed("gather, nothing new", "gather", out)
        timed("status", "status", out)
        timed("report", "report", out)
        print(f"runs.csv: {megabytes(out + '/report/runs.csv'):.0f} MB")


if __name__ == "__main__":
    main()
