#!/usr/bin/env python3
"""How scans, bodies and robots grow: what `protobeam bench growth` measures. Run it from anywhere; it takes
five minutes, or none with a file of `bench growth --json`, and writes docs/pictures/growth.png.

    docs/plots/benchmarks.py [PROGRAM | RESULTS.json]

Needs python3-matplotlib.
"""
import json
import pathlib
import subprocess
import sys

import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

HERE = pathlib.Path(__file__).resolve().parent
# Of a series: its title, the axis, and what the figure is compared with.
SERIES = {
    "beams": ("A scan of the city", "beams", "scan", "bare trace"),
    "triangles": ("131,072 beams among statues", "triangles", "scan", "bare trace"),
    "moving bodies": ("131,072 beams, bodies of 1000 triangles", "bodies", "bodies move", "bodies rest"),
    "boxes": ("A step of tumbling boxes", "boxes", "Simulation::step", "plain Bullet"),
    "robots": ("0.1 s of robots with a VLP-16", "robots", "2 threads", "1 thread"),
}


def measured():
    argument = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "protobeam"
    if argument.suffix == ".json":
        return json.loads(argument.read_text())
    return json.loads(subprocess.run([argument, "bench", "growth", "--json"], check=True, capture_output=True,
                                     text=True).stdout)


def points(results, series):
    """Rows of (count, result) in the order of the counts."""
    rows = [r for r in results if r["name"].startswith(f"growth/{series}/")]
    return sorted((int(r["name"].rsplit("/", 1)[1]), r) for r in rows)


def draw(axes, results, series):
    title, unit, ours, baseline = SERIES[series]
    rows = points(results, series)
    counts = [count for count, _ in rows]
    axes.loglog(counts, [r["median_ms"] for _, r in rows], "o-", label=ours)
    axes.loglog(counts, [r["baseline_ms"] for _, r in rows], "s--", label=baseline, color="0.5")
    axes.set(title=title, xlabel=unit, ylabel="ms")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.legend()


def draw_threads(axes, results):
    rows = points(results, "threads")
    counts = [count for count, _ in rows]
    axes.plot(counts, counts, "--", color="0.5", label="linear")
    for count, r in rows:
        spread = r["figures"]["ratio"]
        axes.plot([count, count], [spread["low"], spread["high"]], color="C0")
    axes.plot(counts, [r["ratio"] for _, r in rows], "o-", color="C0", label="131,072 beams, with quartiles")
    axes.set(title="A scan on several threads", xlabel="threads", ylabel="times as fast", xticks=counts)
    axes.set_ylim(bottom=0)
    axes.legend()


def main():
    results = measured()
    figure, axes = plt.subplots(2, 3, figsize=(13, 7.5))
    for place, series in zip(axes.flat, SERIES):
        draw(place, results["results"], series)
    draw_threads(axes[1][2], results["results"])
    figure.suptitle(f"One thread unless it says otherwise; {results['machine']['cpu']}, "
                    f"{results['machine']['cores']} cores", fontsize=10)
    for place in axes.flat:
        place.grid(True, which="major", alpha=0.3)
    figure.tight_layout()
    figure.savefig(HERE.parent / "pictures" / "growth.png", dpi=100)


if __name__ == "__main__":
    main()
