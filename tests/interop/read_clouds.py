"""Reads sample clouds with NumPy and compares the formats with each other."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROW = np.dtype([("xyzi", "<f4", 4), ("ring", "<u2"), ("time", "<f4")])


def after(path, marker):
    data = path.read_bytes()
    return data[data.index(marker) + len(marker):]


def rows(data):
    table = np.frombuffer(data, ROW)
    return np.column_stack([table["xyzi"], table["ring"].astype("<f4"), table["time"]])


def pcd_points(path):
    """As its header says, `_` left out."""
    data = path.read_bytes()
    head, _, body = data.partition(b"DATA binary\n")
    lines = {words[0]: words[1:] for words in map(str.split, head.decode().splitlines()) if words}
    names, formats, offsets, end = [], [], [], 0
    for name, size, kind, count in zip(*(lines[k] for k in ("FIELDS", "SIZE", "TYPE", "COUNT"))):
        if name != "_":
            assert count == "1", (path, name)
            names.append(name)
            formats.append(f"<{kind.lower()}{size}")
            offsets.append(end)
        end += int(size) * int(count)
    row = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end})
    assert (lines["WIDTH"], lines["HEIGHT"], lines["POINTS"]) == (["7"], ["5"], ["35"]), path
    points = np.frombuffer(body, row)
    assert len(points) == 35, path
    return points


def ply_points(path):
    data = path.read_bytes()
    head, _, body = data.partition(b"end_header\n")
    types = {"float": "<f4", "uint": "<u4", "ushort": "<u2", "uchar": "u1"}
    fields = [line.split()[1:] for line in head.decode().splitlines() if line[:8] == "property"]
    return np.frombuffer(body, np.dtype([(name, types[kind]) for kind, name in fields]))


def check_points(folder, name, table):
    points = pcd_points(folder / f"{name}.pcd")
    hit = np.isfinite(table["range"])
    step = 0.001 if name.startswith("livox") else 0
    for axis in "xyz":
        expected = table[axis][hit].astype(np.float32)
        assert np.all(np.abs(points[axis][hit] - expected) <= step / 2 + 1e-6 * np.abs(expected))
        missed = points[axis][~hit]
        zeros = name.startswith("livox") or name in ("ouster-2021", "ouster-legacy")
        assert np.all(missed == 0) if zeros else np.all(np.isnan(missed)), name
    ply = ply_points(folder / f"{name}.ply")
    assert ply.dtype.names == points.dtype.names
    for field in ply.dtype.names:
        assert np.array_equal(ply[field], points[field], equal_nan=True), (name, field)
    if name.startswith("ouster"):
        assert points.dtype.itemsize == 48
        assert np.array_equal(points["ring"], table["layer"])
        assert np.array_equal(points["range"][hit], np.rint(table["range"][hit] * 1000))
        # The sample has its milliseconds in single precision.
        assert np.all(np.abs(points["t"] - np.arange(35) * 1e6) <= 3)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.argv[1], "clouds", name], check=True)

        cloud = np.load(folder / "cloud.npy")
        assert cloud.dtype == np.float32 and cloud.shape == (23, 6), (cloud.dtype, cloud.shape)
        assert np.isfinite(cloud).all()

        table = np.genfromtxt(folder / "cloud.csv", delimiter=",", names=True, dtype=np.float64)
        assert table.shape == (35,), table.shape
        hit = np.isfinite(table["range"])
        assert hit.sum() == 23 and not hit[1] and np.isinf(table["y"][1])
        columns = [table[c][hit] for c in ("x", "y", "z", "intensity", "layer", "time")]
        assert np.array_equal(np.column_stack(columns).astype(np.float32), cloud)
        # The sample's own formulas (sweep.h) in single precision.
        number = np.arange(35, dtype=np.float32)[hit]
        assert np.array_equal(table["range"][hit].astype(np.float32),
                              np.float32(1 / np.float32(3)) + number)

        assert np.array_equal(rows(after(folder / "cloud.pcd", b"DATA binary\n")), cloud)
        assert np.array_equal(rows(after(folder / "cloud.ply", b"end_header\n")), cloud)
        for name in ("protobeam", "xyz", "xyzi", "velodyne", "ouster", "ouster-2021",
                     "ouster-legacy", "livox", "livox-xyzrtl"):
            check_points(folder, name, table)
        text = after(folder / "ascii.pcd", b"DATA ascii\n").decode().splitlines()
        assert np.array_equal(np.loadtxt(text, dtype=np.float64).astype(np.float32), cloud)


if __name__ == "__main__":
    main()
