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


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.argv[1], name], check=True)

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
        text = after(folder / "ascii.pcd", b"DATA ascii\n").decode().splitlines()
        assert np.array_equal(np.loadtxt(text, dtype=np.float64).astype(np.float32), cloud)


if __name__ == "__main__":
    main()
