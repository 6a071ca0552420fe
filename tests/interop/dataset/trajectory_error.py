#!/usr/bin/env python3
"""How far a trajectory drifts from the truth, as the odometry benchmark of KITTI counts it.

Usage: trajectory_error.py TRUTH.txt ESTIMATE.txt [LENGTH ...]

Both are rows of 3 x 4 matrices (poses.txt of a dataset). For segments of each length (m, default 100), begun every
ten poses, the error of the relative pose: translation in percent of the length, rotation in degrees a metre
(A. Geiger et al., "Are we ready for autonomous driving?", CVPR 2012). Behind it, the largest distance after the
first poses were laid on each other.
"""

import sys

import numpy as np


def read(path):
    rows = np.loadtxt(path).reshape(-1, 3, 4)
    out = np.tile(np.eye(4), (len(rows), 1, 1))
    out[:, :3] = rows
    return out


def segment_errors(truth, estimate, length):
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(truth[:, :3, 3], axis=0), axis=1))])
    errors = []
    for first in range(0, len(truth), 10):
        behind = np.flatnonzero(along > along[first] + length)
        if len(behind) == 0:
            break
        last = behind[0]
        delta = np.linalg.inv(truth[first]) @ truth[last]
        estimated = np.linalg.inv(estimate[first]) @ estimate[last]
        error = np.linalg.inv(estimated) @ delta
        angle = np.arccos(np.clip((np.trace(error[:3, :3]) - 1) / 2, -1, 1))
        errors.append((np.linalg.norm(error[:3, 3]) / length, angle / length))
    return np.array(errors).reshape(-1, 2)


def main():
    truth, estimate = read(sys.argv[1]), read(sys.argv[2])
    assert len(truth) == len(estimate), (len(truth), len(estimate))
    estimate = truth[0] @ np.linalg.inv(estimate[0]) @ estimate
    travelled = np.sum(np.linalg.norm(np.diff(truth[:, :3, 3], axis=0), axis=1))
    print(f"{len(truth)} poses, {travelled:.1f} m")
    for length in [float(text) for text in sys.argv[3:]] or [100.0]:
        errors = segment_errors(truth, estimate, length)
        if len(errors) == 0:
            print(f"{length:g} m: no segments")
            continue
        mean = errors.mean(axis=0)
        print(f"{length:g} m: {len(errors)} segments, {100 * mean[0]:.3f} %, {np.degrees(mean[1]):.5f} deg/m")
    off = np.linalg.norm(truth[:, :3, 3] - estimate[:, :3, 3], axis=1)
    print(f"largest distance {off.max():.3f} m, at the end {off[-1]:.3f} m ({100 * off[-1] / travelled:.3f} % of the way)")


if __name__ == "__main__":
    main()
