"""The Ouster of worlds/campus.wbt while it drives round a corner, undistorted with the true motion: its
points lie on the walls of the world's buildings.

Arguments: the bag, the prefix of its topics, the world, whose walls are those of its Wavefront meshes.
"""
import re
import sys
from pathlib import Path

from read_mcd import np, rosbag, undistorted

NEAR = 0.05  # m from a wall: a point on it
CLEAR = 0.12  # m before and behind a wall in which nothing else may stand
LARGE = 2.0  # m^2 of a triangle of a wall


def triangles(path):
    vertices, found = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            found += [[corners[0], corners[i], corners[i + 1]] for i in range(1, len(corners) - 1)]
    return np.array(vertices)[np.array(found)]


class Walls:
    """Of all meshes of one Solid, which stands at the origin of the world."""

    def __init__(self, world, solid):
        text = world.read_text().split(f'name "{solid}"')[1].split("  boundingObject")[0]
        assert "translation" not in text and "rotation" not in text, "the Shapes stand elsewhere"
        meshes = [world.parent / name for name in re.findall(r'Mesh \{ url "([^"]+)"', text)]
        assert meshes, f"{solid} has no meshes"
        corners = np.concatenate([triangles(mesh) for mesh in meshes])
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = np.linalg.norm(normals, axis=1) / 2
        self.corners = corners[areas > 1e-6]
        self.areas = areas[areas > 1e-6]
        self.normals = normals[areas > 1e-6] / (2 * self.areas[:, None])
        self.low, self.high = self.corners.min(1), self.corners.max(1)

    def planes(self):
        """(normal, offset) of those that large upright triangles lie in: along x or y."""
        upright = (np.abs(self.normals).max(1) > 1 - 1e-9) & (np.abs(self.normals[:, 2]) < 1e-9)
        found = {}
        for i in np.flatnonzero(upright & (self.areas > LARGE)):
            axis = int(np.argmax(np.abs(self.normals[i])))
            found.setdefault((axis, round(self.corners[i, 0, axis], 6)), []).append(i)
        return found

    def inside(self, points, i):
        """Whether the projection of each point onto triangle i lies in it."""
        within = np.ones(len(points), bool)
        for k in range(3):
            start, end = self.corners[i, k], self.corners[i, (k + 1) % 3]
            within &= (points - start) @ np.cross(self.normals[i], end - start) >= 0
        return within

    def distances(self, points):
        """For each plane the points on its walls, as indices, and their signed distances from it, m. Points
        that have something else nearby do not count: windows, sills, downpipes."""
        out = {}
        for (axis, offset), members in self.planes().items():
            near = np.flatnonzero(np.abs(points[:, axis] - offset) < NEAR)
            within = np.zeros(len(near), bool)
            for i in members:
                within |= self.inside(points[near], i)
            near = near[within]
            if len(near) == 0:
                continue
            pad = np.full(3, NEAR)
            pad[axis] = CLEAR
            low, high = self.low - pad, self.high + pad
            in_plane = np.abs(self.corners[:, :, axis] - offset).max(1) < 1e-6
            here = points[near]
            others = ~in_plane & (low <= here.max(0)).all(1) & (high >= here.min(0)).all(1)
            clear = np.ones(len(near), bool)
            for i in np.flatnonzero(others):
                clear &= ~((here >= low[i]) & (here <= high[i])).all(1)
            out["xyz"[axis], offset] = near[clear], here[clear, axis] - offset
        return out


def check_walls(bag, prefix, world):
    """Wall by wall: a shift of the lidar or of its clock moves walls that stand across to different sides."""
    moved, still = undistorted(bag, prefix)
    medians, gaps, stood = [], [], []
    for (axis, offset), (points, distances) in sorted(Walls(world, "campus").distances(moved).items()):
        if len(points) < 500:  # a median of which noise takes 0.3 mm
            continue
        medians.append(np.median(distances))
        gaps.append(distances)
        stood.append(still[points, "xyz".index(axis)] - offset)
        print(f"  {axis} = {offset:g}: {len(points)} points, median {medians[-1] * 1e3:.2f} mm, scatter "
              f"{np.std(distances) * 1e3:.1f} mm; as if the lidar stood still {np.median(stood[-1]) * 1e3:.1f} mm, "
              f"{np.std(stood[-1]) * 1e3:.1f} mm")
    assert len(medians) >= 3, len(medians)
    gaps, stood = np.concatenate(gaps), np.concatenate(stood)
    assert np.abs(medians).max() < 1e-3, medians
    assert np.std(gaps) < 0.01, np.std(gaps)
    print(f"{len(gaps)} points on {len(medians)} walls: median {np.median(gaps) * 1e3:.2f} mm, scatter "
          f"{np.std(gaps) * 1e3:.1f} mm; as if the lidar stood still {np.std(stood) * 1e3:.1f} mm")


def main():
    path, prefix, world = sys.argv[1:]
    with rosbag.Bag(path) as bag:
        check_walls(bag, prefix, Path(world))


main()
