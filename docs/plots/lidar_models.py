#!/usr/bin/env python3
"""Plots of the lidar's signal model: what `protobeam scan` measures, on top of what the formulas of
docs/lidar-models.md say. Run it from anywhere; it writes docs/pictures/lidar-models.png.

Needs python3-matplotlib. Each point of a measurement is one scan of 40,000 beams at a plate.
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

# The device of the plots, and its gain by the definition of detectionRange.
DETECTION_RANGE, DETECTION_REFLECTANCE, OVERLAP = 100.0, 0.1, 2.0
BEST, WORST = 0.01, 0.05  # standard deviations of the range, m: near, and at detectionRange
THRESHOLD, DETECTABLE = 3.719016, 3.719016 + 1.281552
WHITE_AT_1M = DETECTABLE / DETECTION_REFLECTANCE * DETECTION_RANGE**2
JITTER = math.sqrt(WORST**2 - BEST**2) * DETECTABLE


def signal(reflectance, r):
    return WHITE_AT_1M * reflectance * (1 - math.exp(-2 * (r / OVERLAP) ** 2)) / r**2


def probability(reflectance, r):
    return 0.5 * math.erfc((THRESHOLD - signal(reflectance, r)) / math.sqrt(2))


def scan(reflectance, distance, tilt=0.0, fields="", nodes=""):
    """Rows of one scan of a plate."""
    world = f"""#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 10 }}
{nodes}
Robot {{
  name "mast"
  controller "<none>"
  children [
    Lidar {{
      name "lidar"
      horizontalResolution 200
      numberOfLayers 200
      fieldOfView 0.008
      verticalFieldOfView 0.008
      minRange 0.3
      maxRange 400
      noise {BEST / 400}
      beamModel "datasheet"
      detectionRange {DETECTION_RANGE}
      detectionReflectance {DETECTION_REFLECTANCE}
      detectionNoise {WORST}
      overlapRange {OVERLAP}
      {fields}
    }}
  ]
}}
Solid {{
  translation {distance} 0 0
  rotation 0 0 1 {tilt}
  children [
    Shape {{
      appearance PBRAppearance {{ lidarReflectance {reflectance} }}
      geometry Box {{ size 0.0001 500 500 }}
    }}
  ]
}}
"""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "plate.wbt"
        file.write_text(world)
        out = pathlib.Path(folder) / "scan.csv"
        subprocess.run([PROGRAM, "scan", file, "--device", "mast/lidar", "--out", out], check=True,
                       stdout=subprocess.DEVNULL)
        with open(out) as rows:
            return list(csv.DictReader(rows))


def returns(rows):
    return [float(row["range"]) for row in rows if row["range"] != "inf"]


def detection(axes):
    ranges = [10 + 5 * i for i in range(62)]
    for reflectance, colour in ((0.1, "C3"), (0.3, "C1"), (0.8, "C0")):
        axes.plot(ranges, [100 * probability(reflectance, r) for r in ranges], colour,
                  label=f"{100 * reflectance:.0f} %")
        for r in range(40, 320, 20):
            rows = scan(reflectance, r)
            axes.plot(r, 100 * len(returns(rows)) / len(rows), "o", color=colour, markersize=4)
    axes.set(title="Detection", xlabel="range of the target, m", ylabel="beams that return, %")
    axes.legend(title="reflectance")


def range_noise(axes):
    ranges = [2 + 2 * i for i in range(65)]
    for reflectance, colour in ((0.1, "C3"), (0.8, "C0")):
        sigma = [math.hypot(BEST, JITTER / max(1, signal(reflectance, r))) for r in ranges]
        axes.plot(ranges, [100 * s for s in sigma], colour, label=f"{100 * reflectance:.0f} %")
        for r in range(10, 131, 10):
            found = returns(scan(reflectance, r))
            mean = sum(found) / len(found)
            spread = math.sqrt(sum((x - mean) ** 2 for x in found) / len(found))
            axes.plot(r, 100 * spread, "o", color=colour, markersize=4)
    axes.set(title="Range noise", xlabel="range of the target, m",
             ylabel="standard deviation, cm")
    axes.legend(title="reflectance")


def incidence(axes):
    angles = range(0, 86, 5)
    axes.plot(angles, [50 * math.cos(math.radians(a)) for a in angles], "C0",
              label="Lambert, 50 %")
    for a in angles:
        rows = scan(0.5, 20, math.radians(a))
        seen = [float(row["intensity"]) for row in rows if row["range"] != "inf"]
        axes.plot(a, 100 * sum(seen) / len(seen), "o", color="C0", markersize=4)
    axes.set(title="Intensity and incidence", xlabel="angle of incidence, deg",
             ylabel="intensity, % of white")
    axes.legend()


def fog(axes):
    visibility, wavelength = 100.0, 905e-9
    # Kim's exponent is 0 below 500 m of visibility.
    extinction = 3.912 / visibility
    rows = scan(0.8, 250, nodes=f"Atmosphere {{ visibility {visibility} }}",
                fields='returnMode "first"')
    found = [r for r in returns(rows) if r < 240]
    width, bins = 0.5, 40
    for i in range(bins):
        count = sum(1 for r in found if i * width <= r < (i + 1) * width)
        axes.bar((i + 0.5) * width, 100 * count / len(rows), 0.9 * width, color="0.75")
    # The depth of Beer and Lambert, and whether the slice of air there is heard.
    backscatter = extinction / 18.8
    half_pulse = 299792458 / 2 * 5e-9
    xs = [0.05 + 0.1 * i for i in range(200)]
    ys = []
    for x in xs:
        echo = math.pi * backscatter * half_pulse
        heard = signal(echo, x) * math.exp(-2 * extinction * x)
        ys.append(100 * width * extinction * math.exp(-extinction * x) * 0.5 *
                  math.erfc((THRESHOLD - heard) / math.sqrt(2)))
    axes.plot(xs, ys, "C0", label="Beer and Lambert, detected")
    axes.set(title=f"Returns of fog, visibility {visibility:.0f} m", xlabel="range, m",
             ylabel=f"beams in {width} m, %")
    axes.legend()


def main():
    plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.4), layout="constrained")
    detection(axes[0][0])
    range_noise(axes[0][1])
    incidence(axes[1][0])
    fog(axes[1][1])
    figure.suptitle("Lines: formulas. Dots and bars: 40,000 simulated beams each.")
    figure.savefig(HERE.parent / "pictures" / "lidar-models.png", dpi=110)


main()
