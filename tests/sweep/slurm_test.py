#!/usr/bin/env python3
"""slurm_test.py PROGRAM WORLD [RUNS]: a sweep on a real Slurm is the same as one on this machine, whatever is killed
meanwhile. Ends with 77 where there is no Slurm."""
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import cluster

PROGRAM, WORLD = sys.argv[1:3]
SEEDS = int(sys.argv[3]) // 4 if len(sys.argv) > 3 else 8
RUNS = 4 * SEEDS

SWEEP = f"""world: {WORLD}
duration: 1
parameters:
  speed: {{robot: rover, argument: --speed, from: 0.6, to: 1.5, count: 4}}
  seed: {{seed: true, from: 1, to: {SEEDS}}}
metrics: {{distance: , nearest: , touches: }}
controller_results: [1]
"""


def sweep(*arguments, environment=None, check=True):
    done = subprocess.run([PROGRAM, "sweep", *arguments], env=environment, capture_output=True, text=True, check=False)
    print(f"sweep {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
    assert not check or done.returncode == 0
    return done


def query(folder, sql):
    with contextlib.closing(sqlite3.connect(f"file:{folder}/manifest.sqlite?mode=ro", uri=True)) as database:
        return database.execute(sql).fetchall()


def rows(folder):
    """Of each run what may not depend on where it was made."""
    return query(folder, "SELECT id, speed, seed, state, exit, state_hash, distance, nearest, touches, version,"
                         " message FROM run ORDER BY id")


def workers(folder):
    """Processes that work on chunks of that sweep."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[1:3] == [b"sweep", b"work"] and os.fsencode(folder) in words:
            found.append(int(pid))
    return found


def journal_lines(folder):
    journal = f"{folder}/journal"
    return sum(open(f"{journal}/{name}").read().count('"done"') for name in os.listdir(journal))


def test_same_as_here(slurm, file, work, here):
    out = f"{work}/slurm"
    begin = time.monotonic()
    sweep(file, "--out", out, "--engine", "slurm", "--chunk", "2", "--max-parallel", "4", "--wait",
          "--memory", "0.1", environment=slurm.environment)
    print(f"{RUNS} runs on Slurm in {time.monotonic() - begin:.1f} s")
    assert rows(out) == here
    assert query(out, "SELECT max(attempts) FROM run") == [(1,)]
    scripts = sorted(name for name in os.listdir(f"{out}/submissions"))
    assert scripts == ["0001-gather.sh", "0001.runs", "0001.sh"], scripts
    # Arrays of 8 at most: the gathering job ran behind the last one.
    gathered = [name for name in os.listdir(f"{out}/logs") if name.startswith("gather")]
    assert len(gathered) == 1
    assert f"{RUNS} of {RUNS} runs done" in open(f"{out}/logs/{gathered[0]}").read()
    # Nothing is left to do.
    sweep(file, "--out", out, "--engine", "slurm", "--resume", environment=slurm.environment)
    assert not slurm.jobs()


def test_kills(slurm, file, work, here):
    out = f"{work}/killed"
    sweep(file, "--out", out, "--engine", "slurm", "--chunk", "4", environment=slurm.environment)
    busy = sweep(file, "--out", out, "--engine", "slurm", "--resume", environment=slurm.environment, check=False)
    assert busy.returncode == 1 and "waiting or running" in busy.stderr
    slurm.wait_for(lambda: journal_lines(out) >= 2, "the first runs")
    os.kill(workers(out)[0], signal.SIGKILL)
    # Gatherers, one of them killed; together they count nothing twice.
    gatherers = [subprocess.Popen([PROGRAM, "sweep", "gather", out], stdout=subprocess.DEVNULL) for _ in range(4)]
    time.sleep(0.01)
    gatherers[0].kill()
    assert [one.wait() for one in gatherers][1:] == [0, 0, 0]
    slurm.kill_node("n1")
    time.sleep(2)
    slurm.start_node("n1")
    slurm.wait_for(lambda: slurm.end_delays() or not slurm.jobs(), "the jobs", 150)
    print(f"left after the kills: {journal_lines(out)} of {RUNS}")
    # Without --chunk a first run says how long they take.
    sweep(file, "--out", out, "--engine", "slurm", "--resume", "--launcher", f"env TEST=1 {PROGRAM}", "--wait",
          environment=slurm.environment)
    assert rows(out) == here
    sweep("status", out)
    assert query(out, "SELECT count(*) FROM difference") == [(0,)]
    began = sum(open(f"{out}/journal/{name}").read().count('"began"') for name in os.listdir(f"{out}/journal"))
    # Each such line has the event and the time.
    assert query(out, "SELECT sum(attempts) FROM run") == [(began // 2,)]


def main():
    reason = cluster.missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    with tempfile.TemporaryDirectory(prefix="protobeam-slurm-") as work:
        file = f"{work}/sweep.yaml"
        with open(file, "w") as out:
            out.write(SWEEP)
        sweep(file, "--out", f"{work}/here")
        here = rows(f"{work}/here")
        assert len(here) == RUNS and all(row[3] == "done" for row in here)
        os.mkdir(f"{work}/cluster")
        with contextlib.ExitStack() as daemons:
            try:
                slurm = daemons.enter_context(cluster.Cluster(f"{work}/cluster"))
            except RuntimeError as why:  # containers that Slurm's daemons do not bear
                print(f"skipped: {why}")
                return 77
            try:
                test_same_as_here(slurm, file, work, here)
                test_kills(slurm, file, work, here)
            except BaseException:
                print(slurm.output("squeue", "-a"), slurm.output("sinfo", "-N", "-l"))
                for name in ("slurmctld.log", "slurmd.n1.log"):
                    print(name, open(f"{work}/cluster/{name}").read()[-3000:])
                raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
