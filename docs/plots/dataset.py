#!/usr/bin/env python3
"""Aggregates the sweeps of a dataset (docs/datasets.md) by its true poses, and measures how thick walls become.

  protobeam run worlds/mapping.wbt --duration 10.1 --out data --sweeps="car/*OS1*"
  docs/plots/dataset.py data/car_Ouster_OS1 --sweeps 100 --picture street.png

Walls are cubes of 1 m whose points lie in an upright plane; their thickness is the root mean square distance from
that plane. Three clouds are compared: points undistorted by their times and trajectory.tum, each sweep at the pose of
its end (poses.tum), and the noise of single sweeps, in which walls are as thin as the lidar sees them.
"""

import argparse
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
        values, axes = np.linalg.eigh(np.cov(part.T))
        # Wide in two directions, upright, and much thinner than wide.
        if values[1] > (0.15 * side) ** 2 and abs(axes[2, 0]) < 0.1 and values[0] < 0.05 * values[1]:
            out.append(np.sqrt(max(values[0], 0)))
    return np.array(out)


def describe(name, thickness):
    if len(thickness) == 0:
        print(f"{name:24} no walls")
        return
    low, mid, high = np.percentile(thickness, [10, 50, 90]) * 1000
    print(f"{name:24} {len(thickness):6} walls, rms thickness {mid:6.1f} mm (10 %: {low:.1f}, 90 %: {high:.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sweeps", type=int, default=100)
    parser.add_argument("--picture", type=Path)
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
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9})
    figure, axes = plt.subplots(1, 2, figsize=(12, 6.4), sharex=True, sharey=True)
    for axis, cloud, title in ((axes[0], sharp, "undistorted by times and poses"),
                               (axes[1], smeared, "each sweep at its end's pose")):
        ground = np.percentile(cloud[:, 2], 5)
        part = (cloud[:, 2] > ground + 1.5) & (cloud[:, 2] < ground + 3.0)
        some = np.flatnonzero(part)[:: max(1, part.sum() // 400000)]
        axis.scatter(cloud[some, 0], cloud[some, 1], s=0.05, c=(labels[some] & 0xFFFF) % 10, cmap="tab10",
                     linewidths=0, rasterized=True)
        axis.set_aspect("equal")
        axis.set_title(title)
        axis.set_xlabel("x (m)")
    axes[0].set_ylabel("y (m)")
    middle = np.median(trajectory[:, 1:3], axis=0)
    axes[0].set_xlim(middle[0] - 30, middle[0] + 30)
    axes[0].set_ylim(middle[1] - 30, middle[1] + 30)
    figure.tight_layout()
    figure.savefig(arguments.picture, dpi=110)


if __name__ == "__main__":
    main()
