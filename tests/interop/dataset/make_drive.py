#!/usr/bin/env python3
"""Writes a world in which a car with an Ouster OS1 drives 304 m through a city with traffic: drive.wbt, drive.txt.

Usage: make_drive.py FOLDER

The car follows a trajectory: up a street, round a corner at 4 m/s, elsewhere at 8 m/s; it weaves a little in its lane
and pitches, rolls and heaves as on a good road.
"""

import sys
from pathlib import Path

import numpy as np

RADIUS = 7.0
FIRST, SECOND = 188.0, 105.0  # m before and behind the bend
BEND = RADIUS * np.pi / 2
STEP = 0.01  # s

WORLD = """#VRML_SIM R2025a utf8
EXTERNPROTO "webots://protos/OusterOS1.proto"
EXTERNPROTO "webots://protos/City.proto"
EXTERNPROTO "webots://protos/Traffic.proto"
WorldInfo { title "Drive" basicTimeStep 10 randomSeed 1 }
City { seed 11 blocks 6 }
Traffic {
  name "oncoming" rotation 0 0 1 1.5707963 lanes [ 3 ] directions [ -1 ] carsPerLane 8 gap 22 travel 60 seed 5
}
Traffic { name "oncoming 2" lanes [ 83 ] directions [ -1 ] carsPerLane 8 gap 20 travel 60 seed 7 }
Traffic {
  name "ahead" translation 0 9 0 rotation 0 0 1 1.5707963 lanes [ -3 ] directions [ 1 ] carsPerLane 2 gap 18
  travel 200 seed 3
}
Traffic { name "crossing" lanes [ -43, -83 ] directions [ -1, -1 ] carsPerLane 3 gap 40 travel 20 seed 9 }
Robot {
  name "car"
  controller "probe"
  children [
    Trajectory { url "drive.txt" }
    OusterOS1 { name "os1" translation 0 0 1 lines 64 beamModel "datasheet" }
  ]
}
"""


def on_the_path(s):
    """x, y, heading after s metres."""
    if s < FIRST:
        return 3.0, -118 + s, np.pi / 2
    if s < FIRST + BEND:
        a = (s - FIRST) / RADIUS
        return 3 + RADIUS - RADIUS * np.cos(a), 70 + RADIUS * np.sin(a), np.pi / 2 - a
    return 10 + (s - FIRST - BEND), 77.0, 0.0


def from_bend(s):
    return FIRST - s if s < FIRST else max(0.0, s - FIRST - BEND)


def quaternion(roll, pitch, yaw):
    cr, sr, cp, sp = np.cos(roll / 2), np.sin(roll / 2), np.cos(pitch / 2), np.sin(pitch / 2)
    cy, sy = np.cos(yaw / 2), np.sin(yaw / 2)
    return (sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rows, t, s, v = [], 0.0, 0.0, 0.0
    while s < FIRST + BEND + SECOND:
        x, y, yaw = on_the_path(s)
        # Neither at the start nor in the bend.
        fade = min(1, s / 20, from_bend(s) / 20)
        x -= np.sin(yaw) * 0.25 * np.sin(s / 9) * fade
        y += np.cos(yaw) * 0.25 * np.sin(s / 9) * fade
        yaw += 0.25 / 9 * np.cos(s / 9) * fade
        roll = 0.002 * np.sin(2 * np.pi * 0.9 * t) * fade
        pitch = 0.002 * np.sin(2 * np.pi * 1.3 * t)
        z = 0.9 + 0.005 * np.sin(2 * np.pi * 1.5 * t)
        rows.append((t, x, y, z) + quaternion(roll, pitch, yaw))
        # 2 m/s^2, also before the bend.
        v = min(v + 2 * STEP, 8.0, np.sqrt(16 + 4 * from_bend(s)))
        s += v * STEP
        t += STEP
    np.savetxt(folder / "drive.txt", rows, fmt="%.9f")
    (folder / "drive.wbt").write_text(WORLD)
    print(f"{s:.1f} m in {t:.1f} s")


if __name__ == "__main__":
    main()
