#!/usr/bin/env python3
"""Writes what `protobeam bench` measured into the tables of docs/benchmarks.md, each after its comment
`<!-- table: NAME -->`. Run it from anywhere; other processes of the machine show in the figures.

    docs/plots/benchmark_tables.py [PROGRAM | RESULTS.json ...]

A program is run, which takes some minutes; files are of `bench --json`, and what a later one measured again
replaces what an earlier one did. Tables of which nothing was measured stay as they are.
"""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "benchmarks.md"
PLACES = ["city", "yard", "campus", "statues"]
# Where lidars have no name of a product.
LIDARS = {"128x1024": "128 x 1024"}


def measured():
    files = sys.argv[1:] or [HERE.parent.parent / "protobeam"]
    results = {}
    for file in map(pathlib.Path, files):
        text = file.read_text() if file.suffix == ".json" else subprocess.run(
            [file, "bench", "--json"], check=True, capture_output=True, text=True).stdout
        results.update((result["name"], result) for result in json.loads(text)["results"])
    return results


def product(name):
    return LIDARS.get(name, name).removesuffix("-datasheet")


def of(results, family):
    """Results of a family by the rest of their names, as lists of its parts."""
    for name, result in results.items():
        first, _, rest = name.partition("/")
        if first == family:
            yield rest.split("/"), result


def ratio(result):
    return f"{result['ratio']:.2f}" if result else ""


def by_place(results, family, cell):
    """A row a lidar, a column a place."""
    found = {}
    for parts, result in of(results, family):
        found.setdefault(parts[0], {})[parts[1]] = result
    nominal = [name for name in found if not name.endswith("-datasheet")]
    for name in nominal or found:
        yield [product(name)] + [cell(found, name, place) for place in PLACES]


def scan_cell(found, name, place):
    both = [ratio(found.get(one, {}).get(place)) for one in (name, name + "-datasheet")]
    return " / ".join(filter(None, both))


def scan(results):
    return ["lidar"] + PLACES, by_place(results, "scan", scan_cell)


def motion(results):
    frozen = {(p[0], p[1]): r for p, r in of(results, "motion-frozen")}

    def cell(found, name, place):
        result = found[name].get(place)
        return f"{ratio(result)} / {ratio(frozen.get((name, place)))}" if result else ""
    return ["lidar"] + PLACES, by_place(results, "motion", cell)


def moving(results):
    found = {parts[0]: result for parts, result in of(results, "moving")}
    rows = ([product(name), ratio(found[name]), ratio(found.get(name + "-datasheet"))]
            for name in found if not name.endswith("-datasheet"))
    return ["lidar", "moved before each scan", "datasheet, moving within it"], rows


def riding(results):
    return ["lidar", "from a vehicle / without it"], ([product(p[0]), ratio(r)] for p, r in of(results, "riding"))


def engine(results):
    rows = ([product(p[0]), f"{r['median_ms']:.0f} ms", f"{r['baseline_ms']:.2f} ms", f"{r['ratio']:.0f}"]
            for p, r in of(results, "engine"))
    return ["lidar", "Bullet", "our scan", "ratio"], rows


def threads(results):
    return ["lidar", "times as fast"], ([product(p[0]), ratio(r)] for p, r in of(results, "threads"))


def robots(results):
    def name(part):
        count, lidars = part.split("x")
        return f"{count} with {lidars} lidars" if lidars != "1" else count
    rows = ([name(p[0]), f"{r['baseline_ms']:.1f} ms", f"{r['median_ms']:.1f} ms", ratio(r)]
            for p, r in of(results, "robots"))
    return ["robots", "one thread", "two threads", "times as fast"], rows


def real_time(results):
    rows = ([", ".join(p[0].split("+")) + (f" ({p[1]}, two threads)" if p[1:] else ""), f"{r['ratio']:.1f}"]
            for p, r in of(results, "real-time"))
    return ["lidar", "times real time"], rows


def cameras(results):
    rows = ([p[0], f"{r['median_ms']:.1f} ms", f"{r['baseline_ms']:.1f} ms", ratio(r),
             f"{r['rays'] / r['median_ms'] / 1e3:.0f}"] for p, r in of(results, "cameras"))
    return ["image", "time", "bare trace", "ratio", "Mpixel/s"], rows


def bodies(results):
    rows = ([p[0] if p[0].isdigit() else f"{r['bodies']}, {p[0]}", f"{r['median_ms']:.2f} ms",
             f"{r['baseline_ms']:.2f} ms", ratio(r), f"{r['real_time']:.1f}"] for p, r in of(results, "bodies"))
    return ["boxes", "a step", "plain Bullet's", "ratio", "times real time"], rows


def vehicles(results):
    found = {(p[0], p[1]): r["vehicle_steps_per_s"] for p, r in of(results, "vehicles")}
    rows = ([count] + [f"{round(found[count, ground], -3):,.0f} /s" for ground in ("flat", "terrain")]
            for count in dict.fromkeys(count for count, _ in found))
    return ["vehicles", "flat", "terrain"], rows


def batch(results):
    rows = ([{"5hz": "at 5 Hz", "every-step": "at each step"}[p[1]], f"{round(r['world_steps_per_s'], -2):,.0f}", ratio(r),
             f"{r['best_ratio']:.2f}", f"{r['ratio_apart']:.2f}"] for p, r in of(results, "batch") if p[0] == "turtlebot")
    return ["scans", "on one thread", "two threads, median", "undisturbed", "without a barrier"], rows


def outputs(results):
    rows = ([p[0], f"{r['us_a_message']:.1f}", f"{r['megabytes_a_second']:.0f}"]
            for p, r in of(results, "outputs") if "us_a_message" in r)
    return ["output", "us an Imu", "MB of clouds a second"], rows


def recorded(results):
    rows = ([p[1], ratio(r)] for p, r in of(results, "outputs") if p[0] == "recorded")
    return ["run", "recorded / not recorded"], rows


TABLES = {"scan": scan, "motion": motion, "moving": moving, "riding": riding, "engine": engine, "threads": threads,
          "robots": robots, "real-time": real_time, "cameras": cameras, "batch": batch, "bodies": bodies, "vehicles": vehicles,
          "outputs": outputs, "recorded": recorded}


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main():
    results = measured()
    page = PAGE.read_text()
    for name, make in TABLES.items():
        header, rows = make(results)
        rows = list(rows)
        if not rows:
            continue
        pattern = rf"(<!-- table: {name} -->\n\n)(?:(?:\|.*\n)+\n)?"
        page, count = re.subn(pattern, lambda m, r=rows, h=header: m[1] + markdown(h, r) + "\n", page)
        if count != 1:
            sys.exit(f"{PAGE}: no place for the table '{name}'")
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
