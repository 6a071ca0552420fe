"""A thousand episodes: crates and their colour at random, some steps, a reset. Says where the crates
were after the first hundred and at the end, and what the simulator's memory grew by in between."""
import os
import random
import sys

from controller import Supervisor


def resident_kib():
    with open(f"/proc/{os.getppid()}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


robot = Supervisor()
step = int(robot.getBasicTimeStep())
rng = random.Random(int(sys.argv[1]))
crates = [robot.getFromDef(f"CRATE{i}") for i in (1, 2, 3)]
paint = robot.getFromDef("PAINT").getField("baseColor")
before = 0
for episode in range(1, 1001):
    for crate in crates:
        crate.getField("translation").setSFVec3f([rng.uniform(-2, 2) for _ in range(2)] + [1])
        crate.getField("rotation").setSFRotation([0, 0, 1, rng.uniform(-3, 3)])
        crate.setVelocity([rng.uniform(-1, 1) for _ in range(6)])
    paint.setSFColor([rng.random() for _ in range(3)])
    for _ in range(5):
        robot.step(step)
    if episode in (100, 1000):
        print(episode, *(f"{x!r}" for crate in crates for x in crate.getPosition()))
        if episode == 100:
            before = resident_kib()
        else:
            print("grew by less than 4 MiB" if resident_kib() - before < 4096
                  else f"grew by {resident_kib() - before} KiB")
    robot.simulationReset()
    robot.step(step)
    at_start = crates[0].getField("translation").getSFVec3f()
    assert all(abs(a - b) < 1e-3 for a, b in zip(at_start, [-1, 0, 0.2])), at_start
robot.simulationQuit(0)
robot.step(step)
