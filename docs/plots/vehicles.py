#!/usr/bin/env python3
"""Plots of vehicles: what `protobeam run --schedule ... --log` records, on top of closed forms. Run it
from anywhere; it writes docs/pictures/vehicle-plots.png.

Needs python3-matplotlib.
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "protobeam"
GRAVITY = 9.81


def wheel(x, y):
    return f"VehicleWheel {{ position {x} {y} 0.1 diameter 0.2 width 0.06 mass 1 }}"


def rover(tyre, controller):
    """A skid-steered rover of 24 kg."""
    wheels = " ".join(wheel(x, y) for x in (-0.2, 0.2) for y in (0.2, -0.2))
    return f"DifferentialDrive {{ linearDamping 0 wheels [ {wheels} ] tyre {tyre} controller {controller} }}"


def car(controller):
    wheels = " ".join(wheel(x, y) for x in (0, WHEELBASE) for y in (0.3, -0.3))
    return f"""AckermannDrive {{
      maxSteeringAngle 1.2 wheels [ {wheels} ] tyre DefaultFriction {{ mu 1 }}
      controller {controller} }}"""


WHEELBASE = 0.8


def run(drive, duration, schedule=None, velocity=0, box="translation 0 0 0.15", size="0.5 0.4 0.05"):
    """Rows of the pose log, and of the log of the last wheel."""
    world = f"""#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 5 }}
Solid {{ name "ground" boundingObject Plane {{ size 1000 1000 }} }}
Robot {{
  name "rover"
  controller "<none>"
  linearVelocity {velocity} 0 0
  children [ {drive} ]
  boundingObject Pose {{ {box} children [ Box {{ size {size} }} ] }}
  physics Physics {{ density -1 mass 20 }}
}}
"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "rover.wbt").write_text(world)
        command = [PROGRAM, "run", folder / "rover.wbt", "--duration", str(duration), "--log",
                   folder / "log"]
        if schedule:
            command += ["--schedule", schedule]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        def rows(file):
            with open(file) as text:
                lines = csv.DictReader(text, skipinitialspace=True)
                return [{name.strip(): float(value) for name, value in row.items() if name}
                        for row in lines]

        logs = sorted((folder / "log").glob("mvsim_rover_wheel_*.csv"))
        return rows(folder / "log" / "mvsim_rover_pose.csv"), rows(logs[-1])


def step_responses(axes):
    for kp, ki, colour in ((4, 0, "C3"), (15, 0, "C1"), (15, 20, "C0")):
        controller = f"TwistPid {{ kp {kp} ki {ki} maxTorque 8 }}"
        pose, _ = run(rover("DefaultFriction { mu 0.8 }", controller), 4,
                      "0:0,0;0.5:1,0;2.5:0.3,0")
        axes.plot([row["Timestamp"] for row in pose], [row["dqx"] for row in pose], colour,
                  label=f"kp {kp}, ki {ki}")
    axes.step([0, 0.5, 2.5, 4], [0, 1, 0.3, 0.3], "k--", linewidth=0.8, where="post",
              label="set-point")
    axes.set(title="TwistPid, a rover of 24 kg", xlabel="time, s", ylabel="speed, m/s")
    axes.legend()


def turning_circles(axes):
    for angle, colour in ((10, "C3"), (20, "C1"), (35, "C0")):
        radius = WHEELBASE / math.tan(math.radians(angle))
        controller = f"FrontSteer {{ kp 50 speed 0.8 steering {math.radians(angle)} commandTimeout 0 }}"
        pose, _ = run(car(controller), 1 + 2 * math.pi * radius / 0.8,
                      box=f"translation {WHEELBASE / 2} 0 0.15", size="1.2 0.7 0.05")
        turns = [2 * math.pi * i / 100 for i in range(101)]
        axes.plot([radius * math.sin(t) for t in turns],
                  [radius * (1 - math.cos(t)) for t in turns], colour, linewidth=1,
                  label=f"{angle} deg")
        axes.plot([row["q0x"] for row in pose[::60]], [row["q1y"] for row in pose[::60]], ".",
                  color=colour, markersize=4)
    axes.set(title="A car's circles: wheelbase / tan(steering)", xlabel="x, m", ylabel="y, m",
             aspect="equal")
    axes.legend(loc="center")


def friction(axes):
    ratios = [i / 100 for i in range(0, 31)]
    tyres = (("DefaultFriction { mu 0.8 }", "DefaultFriction, mu 0.8", "C3", lambda s: 0.8),
             ("EllipseFriction { slipStiffness 7.5 }", "EllipseFriction", "C0",
              lambda s: 7.5 * min(s, 0.1)))
    for tyre, label, colour, limit in tyres:
        axes.plot(ratios, [limit(s) for s in ratios], colour, label=f"limit of {label}")
        for torque in (2, 4, 5, 5.5, 6, 6.5, 8):
            _, rows = run(rover(tyre, f"RawControl {{ torque [ {torque}, {torque} ] }}"), 1)
            rows = [row for row in rows[40::10] if 0 <= row["slip_ratio"] <= 0.3]
            axes.plot([row["slip_ratio"] for row in rows],
                      [row["friction_x"] / row["force_z"] for row in rows], ".", color=colour,
                      markersize=4)
    axes.set(title="Tyres: limit and simulated forces", xlabel="slip ratio",
             ylabel="longitudinal force / load")
    axes.legend()


def stopping(axes):
    for mu, colour in ((0.3, "C3"), (0.8, "C0")):
        speeds = [i / 10 for i in range(0, 41)]
        axes.plot(speeds, [v * v / (2 * mu * GRAVITY) for v in speeds], colour,
                  label=f"v^2 / (2 mu g), mu {mu}")
        for speed in (1, 2, 3, 4):
            pose, _ = run(rover(f"DefaultFriction {{ mu {mu} }}",
                                "RawControl { torque [ -20, -20 ] commandTimeout 0 }"), 2,
                          velocity=speed)
            end = next(row for row in pose if row["dqx"] < 0.01)
            axes.plot(speed, end["q0x"], "o", color=colour, markersize=4)
    axes.set(title="Stopping with braked wheels", xlabel="speed, m/s", ylabel="distance, m")
    axes.legend()


def main():
    plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
    step_responses(axes[0][0])
    turning_circles(axes[0][1])
    friction(axes[1][0])
    stopping(axes[1][1])
    figure.suptitle("Lines of one colour with dots: closed form and simulation.")
    figure.savefig(HERE.parent / "pictures" / "vehicle-plots.png", dpi=110)


main()
