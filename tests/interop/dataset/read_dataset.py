"""Records datasets of a small world and reads every kind of file with NumPy and PyYAML.

Usage: read_dataset.py PROTOBEAM. What can be checked against the world is: undistorted with the true
trajectory, the points lie on the walls; times have the steps of the lidar; labels are those of what stands
there.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml

PROTOBEAM = sys.argv[1]
HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # not into the tree
sys.path.insert(0, str(HERE.parents[2] / "docs/plots"))
import dataset  # noqa: E402, what users undistort with
HALF_ROOM = np.array([12.0, 8.0, 3.0])
CRATE_V = np.array([0.0, 1.5, 0.0])


def run(*arguments, code=0):
    done = subprocess.run([PROTOBEAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8")
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def poses_at(trajectory, times):
    first, last = trajectory[[0, -1], 0]
    assert np.all((times > first - 1e-8) & (times < last + 1e-8)), (times.min(), times.max(), first, last)
    return dataset.poses_at(trajectory, times)


def pcd(path):
    """Header lines, comments, points: PCD 0.7 (pointclouds.org, "The PCD file format")."""
    head, _, body = path.read_bytes().partition(b"DATA binary\n")
    lines = [line.split() for line in head.decode().splitlines()]
    comments = {words[1]: words[2:] for words in lines if words[0] == "#"}
    fields = {words[0]: words[1:] for words in lines if words[0] != "#"}
    row = np.dtype([(n, f"<{t.lower()}{s}") for n, t, s in zip(*(fields[k] for k in ("FIELDS", "TYPE", "SIZE")))])
    points = np.frombuffer(body, row)
    assert len(points) == int(fields["POINTS"][0])
    return fields, comments, points


def load(folder, number):
    """A sweep in whatever format it is: x y z, intensity, time, instance, label."""
    stem = f"{number:06}"
    velodyne = folder / "velodyne"
    if (velodyne / f"{stem}.bin").exists():
        xyzi = np.fromfile(velodyne / f"{stem}.bin", "<f4").reshape(-1, 4)
        label = np.fromfile(folder / f"labels/{stem}.label", "<u4")
        time = np.fromfile(folder / f"times/{stem}.bin", "<f4")
        assert len(label) == len(time) == len(xyzi)
        return xyzi[:, :3], xyzi[:, 3], time, label >> 16, label & 0xFFFF
    if (velodyne / f"{stem}.npy").exists():
        points = np.load(velodyne / f"{stem}.npy")
        assert points.dtype.names == ("x", "y", "z", "intensity", "ring", "time", "instance", "label")
    else:
        points = pcd(velodyne / f"{stem}.pcd")[2]
    xyz = np.column_stack([points[axis] for axis in "xyz"])
    return xyz, points["intensity"], points["time"], points["instance"], points["label"]


def off_the_walls(points):
    return np.max(np.abs(points) - HALF_ROOM, axis=1)


def check_lidar(folder, labels, distorted):
    starts, ends = np.loadtxt(folder / "times.txt"), np.loadtxt(folder / "times_end.txt")
    kitti = np.loadtxt(folder / "poses.txt").reshape(-1, 3, 4)
    tum, trajectory = np.loadtxt(folder / "poses.tum"), np.loadtxt(folder / "trajectory.tum")
    count = len(starts)
    assert count == len(list((folder / "velodyne").iterdir())) == len(kitti) == len(tum) == len(ends) == 10, count
    assert np.array_equal(tum[:, 0], ends)
    assert np.allclose(np.diff(starts), 0.1, rtol=0, atol=1e-9 if distorted else 9e-3)
    assert np.allclose(kitti[0], np.eye(3, 4), rtol=0, atol=1e-12)
    # Both kinds of poses say the same.
    inverse = tum[0, 4:] * [-1, -1, -1, 1]
    assert np.allclose(kitti[:, :, 3], dataset.rotate(inverse, tum[:, 1:4] - tum[0, 1:4]), rtol=0, atol=1e-9)
    p, q = poses_at(trajectory, ends)
    assert np.allclose(p, tum[:, 1:4], rtol=0, atol=1e-9)
    assert np.allclose(np.abs(np.sum(q * tum[:, 4:], axis=1)), 1, rtol=0, atol=1e-12)
    names = {number: instance["name"] for number, instance in labels["instances"].items()}
    on_crate = 0
    for number in range(count):
        xyz, intensity, time, instance, label = load(folder, number)
        assert len(xyz) > 900 and np.isfinite(xyz).all() and np.isfinite(intensity).all()
        assert time.min() == 0 and abs(time.max() - (ends[number] - starts[number])) < 1e-6
        if distorted:
            assert len(np.unique(time)) > 1500, len(np.unique(time))
            p, q = poses_at(trajectory, starts[number] + time.astype(float))
        else:
            p, q = np.tile(tum[number, 1:4], (len(xyz), 1)), np.tile(tum[number, 4:], (len(xyz), 1))
        world = p + dataset.rotate(q, xyz.astype(float))
        wall = np.array([names[i] == "room" for i in instance])
        assert np.abs(off_the_walls(world[wall])).max() < 1e-4, np.abs(off_the_walls(world[wall])).max()
        assert all(labels["labels"][k] == "building" for k in np.unique(label[wall]))
        crate = np.array([names[i] == 'crate: "A"' for i in instance])
        on_crate += crate.sum()
        if distorted and crate.any():
            middle = np.array([4.0, 0, 0]) + np.outer(starts[number] + time[crate], CRATE_V)
            off = np.max(np.abs(world[crate] - middle), axis=1) - 0.5
            assert np.abs(off).max() < 1e-3, np.abs(off).max()
        # What is not labelled as one of them is the robot itself.
        assert np.all(wall | crate | np.array([names[i] == "floater" for i in instance]))
    assert on_crate > 50, on_crate
    about = json.loads((folder / "lidar.json").read_text())
    assert about["motion_distortion"] == float(distorted) and about["robot"] == "floater"
    calib = yaml.safe_load((folder / "calib.yaml").read_text())["body"]
    T = np.array(calib[about["device"]]["T"])
    assert np.allclose(T[:3, 3], [0.3, 0, 0.4 if about["device"] == "top" else -0.4])
    assert np.allclose(np.array(calib["eye"]["T"])[:3, 2], [1, 0, 0])  # the optical axis looks ahead
    focal = 32 / np.tan(0.5)
    assert np.allclose(calib["eye"]["intrinsics"], [focal, focal, 31.5, 23.5])
    rows = dict(line.split(": ") for line in (folder / "calib.txt").read_text().splitlines())
    assert list(rows) == ["P0", "P1", "P2", "P3", "Tr", "Tr_base_lidar"]
    assert np.allclose(np.fromstring(rows["Tr_base_lidar"], sep=" ").reshape(3, 4), T[:3])


def check_labels(path):
    labels = yaml.safe_load(path.read_text())
    assert labels["labels"] == {0: "unlabeled", 1: "building", 2: "crate", 3: "floater"}, labels
    assert set(labels["color_map"]) == set(labels["labels"])
    instances = labels["instances"]
    assert [instances[i]["name"] for i in (1, 2, 3)] == ["room", 'crate: "A"', "floater"]
    assert instances[2]["color"] == [255, 128, 0] and instances[2]["class"] == 2
    return labels


def check_formats(folder):
    """All have the same points."""
    kept = None
    for kind in ("bin", "pcd", "npy"):
        out = folder / kind
        done = run("run", HERE / "room.wbt", "--duration", 1, "--out", out, "--sweeps", "--sweep-format", kind,
                   "--no-pictures")
        assert f"wrote 20 sweeps of 2 lidars into {out}" in done.stdout, done.stdout
        labels = check_labels(out / "labels.yaml")
        check_lidar(out / "floater_top", labels, True)
        check_lidar(out / "floater_frozen", labels, False)
        sweep = load(out / "floater_top", 5)
        if kept is not None:
            assert all(np.array_equal(a, b) for a, b in zip(kept, sweep)), kind
        kept = sweep
    fields, comments, _ = pcd(folder / "pcd/floater_top/velodyne/000005.pcd")
    start = np.loadtxt(folder / "pcd/floater_top/times.txt")[5]
    assert float(comments["sweep_start"][0]) == start
    trajectory = np.loadtxt(folder / "pcd/floater_top/trajectory.tum")
    p, q = poses_at(trajectory, np.array([start]))
    viewpoint = np.array(fields["VIEWPOINT"], float)
    assert np.allclose(viewpoint[:3], p[0]) and abs(np.dot(viewpoint[3:], q[0][[3, 0, 1, 2]])) > 1 - 1e-12
    # The one cloud that every run leaves.
    points = pcd(folder / "bin/cloud.pcd")[2]
    about = json.loads((folder / "bin/cloud.pcd.json").read_text())
    assert about["points"] == len(points) and abs(points["time"].max() - (about["end_time_s"] - about["start_time_s"])) < 1e-6


def check_poses(folder):
    run("run", HERE / "room.wbt", "--duration", 1, "--out", folder, "--poses", "--log", folder / "log", "--no-pictures")
    poses = folder / "poses"
    times = np.loadtxt(poses / "times.txt")
    assert np.allclose(times, 0.008 * np.arange(126), rtol=0, atol=1e-9)
    robot = np.loadtxt(poses / "floater.tum")
    assert np.array_equal(robot[:, 0], times)
    assert np.allclose(robot[:, 1:4], [-6, -3, 0.2] + np.outer(times, [1.5, 0.4, 0]), rtol=0, atol=1e-3)
    calib = yaml.safe_load((poses / "floater.calib.yaml").read_text())["body"]
    for name in ("top", "frozen", "eye", "imu", "gps"):
        sensor = np.loadtxt(poses / f"floater_{name}.tum")
        T = np.array(calib[name]["T"])
        assert np.allclose(sensor[:, 1:4], robot[:, 1:4] + dataset.rotate(robot[:, 4:], T[:3, 3]), rtol=0, atol=1e-9)
        kitti = np.loadtxt(poses / f"floater_{name}.txt").reshape(-1, 3, 4)
        assert len(kitti) == len(times) and np.allclose(kitti[0], np.eye(3, 4), rtol=0, atol=1e-12)
    tables = {path.stem for path in (folder / "log").iterdir()}
    assert {"imu", "accelerometer", "gyro", "gps", "base_pose_ground_truth"} <= tables, tables
    gyro = np.genfromtxt(folder / "log/gyro.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert len(gyro) == 125 and abs(gyro["angular_velocityz"][-1] - 0.9) < 0.3
    gps = np.genfromtxt(folder / "log/gps.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert len(gps) == 10 and np.all(np.abs(gps["latitude"] - 48) < 1e-3)


def check_late_scan(folder):
    """After more than an hour, times have all instants of the lidar."""
    world = (HERE / "room.wbt").read_text()
    world = world.replace("basicTimeStep 8", "basicTimeStep 32").replace("linearVelocity", "#").replace("angularVelocity", "#")
    world = re.sub(r"samplingPeriod \d+", "", world)
    (folder / "late.wbt").write_text(world)
    for ending in ("pcd", "ply", "npy", "csv"):
        file = folder / f"late.{ending}"
        run("scan", folder / "late.wbt", "--device", "floater/top", "--time", 4000, "--out", file)
        about = json.loads((folder / f"late.{ending}.json").read_text())
        assert 3999.8 < about["start_time_s"] < 4000.1, about
        if ending == "pcd":
            time = pcd(file)[2]["time"].astype(float)
        elif ending == "npy":
            time = np.load(file)[:, 5].astype(float)
        elif ending == "ply":
            body = file.read_bytes().partition(b"end_header\n")[2]
            time = np.frombuffer(body, [("xyzi", "<f4", 4), ("ring", "<u2"), ("time", "<f4")])["time"].astype(float)
        else:
            time = np.genfromtxt(file, delimiter=",", names=True)["time"] - about["start_time_s"]
        # 500 firings, 0.2 ms apart, of four lasers 20 us apart.
        time = np.unique(np.round(time * 1e6).astype(int))
        assert len(time) > 1900, (ending, len(time))
        assert set(time % 200) <= {0, 20, 40, 60}, (ending, set(time % 200))


def check_mistakes(folder):
    out = folder / "mistakes"
    for pattern, message in (("floater/tpo", "did you mean 'floater/top'?"),
                             ("floater/imu", "is a Imu: it has no beams"),
                             ("nobody*", "no lidar is called 'nobody*'; there are floater/top, floater/frozen")):
        done = run("run", HERE / "room.wbt", "--out", out, f"--sweeps={pattern}", code=1)
        assert message in done.stderr, done.stderr
    # One of two lidars; sweeps of an earlier run go, other people's stay.
    run("run", HERE / "room.wbt", "--duration", 0.5, "--out", out, "--sweeps=top", "--no-pictures")
    assert not (out / "floater_frozen").exists()
    run("run", HERE / "room.wbt", "--duration", 0.3, "--out", out, "--sweeps=*/t*", "--no-pictures")
    assert len(list((out / "floater_top/velodyne").iterdir())) == 3
    (out / "floater_top/lidar.json").unlink()
    done = run("run", HERE / "room.wbt", "--out", out, "--sweeps", code=1)
    assert "has sweeps that are not of a run" in done.stderr, done.stderr
    assert len(list((out / "floater_top/velodyne").iterdir())) == 3


def check_hash():
    texts = []
    with tempfile.TemporaryDirectory() as name:
        for more in ([], ["--out", name, "--sweeps", "--poses", "--log", name, "--no-pictures"]):
            done = run("run", HERE / "room.wbt", "--duration", 0.5, "--json", *more)
            texts.append(json.loads(done.stdout.splitlines()[-1])["state_hash"])
    assert texts[0] == texts[1], texts


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_formats(folder)
        check_poses(folder / "poses")
        check_late_scan(folder)
        check_mistakes(folder)
        check_hash()


if __name__ == "__main__":
    main()
