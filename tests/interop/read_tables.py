"""Reads tables, trajectories and clouds of the recorders with Python's csv module and NumPy."""

import csv
import json
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import numpy as np


def leaves(value, path=""):
    """The columns that a message should have, in no order: path and value."""
    if isinstance(value, dict) and set(value) == {"secs", "nsecs"}:
        yield path, Decimal(value["secs"]) + Decimal(value["nsecs"]) / 10**9
    elif isinstance(value, dict):
        for name, field in value.items():
            yield from leaves(field, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for i, element in enumerate(value):
            yield from leaves(element, f"{path}[{i}]")
    else:
        yield path, value


def same(text, value):
    if isinstance(value, str):
        return text == value
    if isinstance(value, Decimal):
        return Decimal(text) == value
    if isinstance(value, bool):
        return text == str(int(value))
    if isinstance(value, int):
        return int(text) == value
    # The shortest text of a float or a double.
    return float(text) == value or np.float32(text) == np.float32(value) and len(text) <= 15


def check_tables(folder, messages, text):
    too_large = {"visualization_msgs_MarkerArray", "trajectory_msgs_MultiDOFJointTrajectory",
                 "eufs_msgs_ConeArrayWithCovariance", "control_msgs_JointTrajectoryControllerState",
                 "vision_msgs_Detection2D", "vision_msgs_Detection2DArray", "vision_msgs_Detection3D",
                 "vision_msgs_Detection3DArray"}
    written = {path.stem for path in folder.iterdir()}
    assert written == set(messages) - too_large, written ^ set(messages)
    told = "; too large for a table: " + ", ".join("/" + name for name in sorted(too_large))
    assert text.endswith(told), text
    columns = 0
    for name in written:
        with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
            head, row = csv.reader(file)
        expected = dict(leaves(messages[name]))
        assert head[0] == "time" and row[0] == "1.5", (name, head, row)
        assert sorted(head[1:]) == sorted(expected), (name, head)
        for column, cell in zip(head[1:], row[1:]):
            assert same(cell, expected[column]), (name, column, cell, expected[column])
            columns += 1
    assert columns > 700, columns


def check_trajectory(path):
    # As evo reads it: parts between spaces, lines with # left out, eight columns.
    rows = np.loadtxt(path, delimiter=" ", comments="#")
    assert rows.shape == (2000, 8), rows.shape
    number = np.arange(2000)
    assert np.array_equal(rows[:, 0], number / 100)
    assert np.allclose(rows[:, 1], np.sin(0.01 * number), rtol=0, atol=1e-15)
    assert np.allclose(np.linalg.norm(rows[:, 4:], axis=1), 1, rtol=0, atol=1e-12)
    assert np.allclose(rows[:, 6], np.sin(0.005 * number), rtol=0, atol=1e-15)


def check_clouds(folder):
    name = "points/000012.345678900"
    data = (folder / f"pcd/{name}.pcd").read_bytes()
    head, _, body = data.partition(b"DATA binary\n")
    lines = {words[0]: words[1:] for words in map(str.split, head.decode().splitlines())}
    assert (lines["WIDTH"], lines["HEIGHT"], lines["POINTS"]) == (["5"], ["3"], ["15"]), lines
    kinds = {"F": "f", "I": "i", "U": "u"}
    row = np.dtype([(f"gap{i}" if field == "_" else field, f"<{kinds[kind]}{size}", (int(count),))
                    for i, (field, size, kind, count)
                    in enumerate(zip(*(lines[k] for k in ("FIELDS", "SIZE", "TYPE", "COUNT"))))])
    assert row.itemsize == 48
    points = np.frombuffer(body, row)
    i = np.arange(15)
    fields = ["x", "y", "z", "t", "i8", "u8", "i16", "u16", "i32", "u32"]
    expected = [np.where(i == 7, np.nan, np.float32(0.1) * i.astype("f4")), -i, np.float32(1) / np.float32(3),
                1e9 + 1e-6 * i, -i, 255 - i, -1000 * i, 65535 - i, -100_000_000 * i, 4_000_000_000 + i]
    for field, values in zip(fields, expected):
        column = points[field].reshape(15)
        assert np.array_equal(column, np.broadcast_to(values, 15).astype(column.dtype), equal_nan=True), field

    text = (folder / f"pcd-ascii/{name}.pcd").read_text().partition("DATA ascii\n")[2]
    table = np.loadtxt(text.splitlines())
    assert table.shape == (15, len(fields))
    for n, field in enumerate(fields):
        column = points[field].reshape(15)
        assert np.array_equal(table[:, n].astype(column.dtype), column, equal_nan=True), field

    data = (folder / f"ply/{name}.ply").read_bytes()
    head, _, body = data.partition(b"end_header\n")
    types = {"float": "<f4", "double": "<f8", "char": "i1", "uchar": "u1", "short": "<i2", "ushort": "<u2",
             "int": "<i4", "uint": "<u4"}
    properties = [line.split()[1:] for line in head.decode().splitlines() if line.startswith("property")]
    ply = np.frombuffer(body, np.dtype([(field, types[kind]) for kind, field in properties]))
    assert list(ply.dtype.names) == fields and len(ply) == 15
    for field in fields:
        assert np.array_equal(ply[field], points[field].reshape(15), equal_nan=True), field


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = subprocess.run([sys.argv[1], "tables", name], check=True, stdout=subprocess.PIPE, encoding="utf-8")
        messages, text = done.stdout.splitlines()
        check_tables(folder / "tables", json.loads(messages), text)
        check_trajectory(folder / "trajectories/odom.txt")
        check_clouds(folder)


if __name__ == "__main__":
    main()
