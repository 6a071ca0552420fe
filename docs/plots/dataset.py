#!/usr/bin/env python3
"""Aggregates the sweeps of a dataset (docs/datasets.md) by its true poses, and measures how thick walls become.

  protobeam run worlds/mapping.wbt --duration 10.1 --out data --sweeps=car/ouster
  docs/plots/dataset.py data/car_ouster --sweeps 100 --static 1 --picture street.png

Walls are cubes of 1 m whose points lie in an upright plane; their thickness is the standard deviation of the
distance from that plane, from the median absolute one. Three clouds are compared: points undistorted by their times and trajectory.tum, each sweep at the pose of
its end (poses.tum), and single sweeps, in which walls are as thin as the lidar sees them. The picture shows the
first two from above, side by side.
"""

import argparse
import struct
import zlib
from pathlib import Path

import numpy as np


def rotate(q, v):
    """Quaternions x y z w."""
    u, w = q[..., :3], q[..., 3:]
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def poses_at(trajectory, times):
    """Positions on the line between rows, rotations by slerp."""
    i = np.clip(np.searchsorted(trajectory[:, 0], times) - 1, 0, len(trajectory) - 2)
    a, b = trajectory[i], trajectory[i + 1]
    s = ((times - a[:, 0]) / (b[:, 0] - a[:, 0]))[:, None]
    qa, qb = a[:, 4:], b[:, 4:]
    dot = np.sum(qa * qb, axis=1, keepdims=True)
    qb = np.where(dot < 0, -qb, qb)
    angle = np.arccos(np.clip(np.abs(dot), -1, 1))
    small = angle < 1e-9
    safe = np.where(small, 1, np.sin(angle))
    q = np.where(small, (1 - s) * qa + s * qb, (np.sin((1 - s) * angle) * qa + np.sin(s * angle) * qb) / safe)
    return (1 - s) * a[:, 1:4] + s * b[:, 1:4], q / np.linalg.norm(q, axis=1, keepdims=True)


def sweep(folder, number):
    stem = f"{number:06}"
    points = np.fromfile(folder / f"velodyne/{stem}.bin", "<f4").reshape(-1, 4)
    return (points[:, :3].astype(float), np.fromfile(folder / f"times/{stem}.bin", "<f4").astype(float),
            np.fromfile(folder / f"labels/{stem}.label", "<u4"))


def wall_thickness(points, side=1.0, least=60):
    """Of each cube that holds a piece of a wall, m."""
    if len(points) == 0:
        return np.array([])
    cells = np.floor(points / side).astype(np.int64)
    key = (cells[:, 0] * 73856093) ^ (cells[:, 1] * 19349663) ^ (cells[:, 2] * 83492791)
    order = np.argsort(key, kind="stable")
    key, points = key[order], points[order]
    bounds = np.flatnonzero(np.diff(key)) + 1
    out = []
    for part in np.split(points, bounds):
        if len(part) < least:
            continue
        # The plane of most points: what stands out from it, as sills and recessed windows, is left out.
        for _ in range(3):
            middle = part.mean(axis=0)
            values, axes = np.linalg.eigh(np.cov((part - middle).T))
            off = (part - middle) @ axes[:, 0]
            off -= np.median(off)
            sigma = 1.4826 * np.median(np.abs(off))
            near = np.abs(off) <= 4 * sigma + 1e-9
            if near.sum() < least or near.all():
                break
            part = part[near]
        # Wide in two directions, upright, and much thinner than wide.
        if values[1] > (0.15 * side) ** 2 and abs(axes[2, 0]) < 0.1 and values[0] < 0.05 * values[1]:
            out.append(sigma)
    return np.array(out)


def describe(name, thickness):
    if len(thickness) == 0:
        print(f"{name:24} no walls")
        return
    low, mid, high = np.percentile(thickness, [10, 50, 90]) * 1000
    print(f"{name:24} {len(thickness):6} walls, thickness {mid:6.1f} mm (10 %: {low:.1f}, 90 %: {high:.1f})")


def seen_from_above(cloud, middle, extent, pixels=700):
    """How many points are 1.5 to 3 m above the ground, dark on white."""
    ground = np.percentile(cloud[:, 2], 5)
    part = cloud[(cloud[:, 2] > ground + 1.5) & (cloud[:, 2] < ground + 3)]
    edges = [np.linspace(c - extent / 2, c + extent / 2, pixels + 1) for c in middle]
    count = np.histogram2d(part[:, 0], part[:, 1], edges)[0].T[::-1]
    return (255 * (1 - np.clip(np.log1p(count) / np.log1p(100), 0, 1))).astype(np.uint8)


def write_png(path, grey):
    """Portable Network Graphics, 8 bits a pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) +
                     chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sweeps", type=int, default=100)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--extent", type=float, default=60, help="of the picture, m (default 60)")
    parser.add_argument("--static", default="", help="only points of this class of labels.yaml (a number)")
    arguments = parser.parse_args()
    folder = arguments.folder
    starts, tum = np.loadtxt(folder / "times.txt"), np.loadtxt(folder / "poses.tum")
    trajectory = np.loadtxt(folder / "trajectory.tum")
    sharp, smeared, labels, single = [], [], [], []
    for number in range(min(arguments.sweeps, len(starts))):
        xyz, time, label = sweep(folder, number)
        if arguments.static:
            keep = (label & 0xFFFF) == int(arguments.static)
            xyz, time, label = xyz[keep], time[keep], label[keep]
        p, q = poses_at(trajectory, starts[number] + time)
        world = p + rotate(q, xyz)
        sharp.append(world)
        smeared.append(tum[number, 1:4] + rotate(tum[number, 4:], xyz))
        labels.append(label)
        if number % 10 == 0:
            single.append(wall_thickness(world, least=25))
    sharp, smeared, labels = np.concatenate(sharp), np.concatenate(smeared), np.concatenate(labels)
    print(f"{folder}: {len(starts)} sweeps, {len(sharp)} points of the first {min(arguments.sweeps, len(starts))}")
    describe("undistorted", wall_thickness(sharp))
    describe("without undistortion", wall_thickness(smeared))
    describe("single sweeps", np.concatenate(single))
    if not arguments.picture:
        return
    middle = np.median(tum[: arguments.sweeps, 1:3], axis=0)
    pair = [seen_from_above(cloud, middle, arguments.extent) for cloud in (sharp, smeared)]
    gap = np.full((pair[0].shape[0], 8), 255, np.uint8)
    write_png(arguments.picture, np.hstack([pair[0], gap, pair[1]]))


if __name__ == "__main__":
    main()
