"""Says twice a second what the robot's first lidar sees: how many beams come back, and where the nearest one that is
above the ground comes from. The samples are read by NumPy where the simulator wrote them."""

import sys

import numpy as np
from controller import Lidar, Robot

PERIOD = 500  # ms
GROUND = 0.15  # m, that a return is above it

robot = Robot()
lidars = [device for device in robot.devices.values() if isinstance(device, Lidar)]
if not lidars:
    sys.exit("this robot has no lidar")
lidar = lidars[0]
lidar.enable(PERIOD)
lidar.enablePointCloud()
mast = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0  # m, of the lidar above the ground

while robot.step(PERIOD) != -1:
    ranges = lidar.getRangeImageArray("numpy")  # [layer, column]
    points = lidar.getPointCloudArray()  # likewise, with the fields x, y, z
    returned = np.isfinite(ranges)
    above = returned & (points["z"] + mast > GROUND)
    line = f"{robot.getTime():.1f} s: {np.count_nonzero(returned)} of {ranges.size} beams come back"
    if above.any():
        layer, column = np.unravel_index(np.argmin(np.where(above, ranges, np.inf)), ranges.shape)
        nearest = points[layer, column]
        line += f", the nearest one {ranges[layer, column]:.2f} m away at x {nearest['x']:.2f}, y {nearest['y']:.2f}"
    print(line)
