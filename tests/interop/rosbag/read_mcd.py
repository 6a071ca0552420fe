"""A recording of the sensors of the Multi-Campus Dataset, as its users read it: with rosbag of ROS 1.

Arguments: the bag, the unit (atv or hhs), the simulated seconds, the prefix of its topics; "ground" where
the ground is z = 0, "gps" where the unit has it.
Topics, types, rates and points: mcdviral.github.io/UserManual.html.
"""
import sys

try:
    import numpy as np
    import rosbag
except ImportError as missing:
    print(f"{missing} (apt-get install python3-rosbag python3-numpy)")
    sys.exit(77)

CAMERAS = {"atv": ["d435i", "d455b"], "hhs": ["d455t", "d455b"]}
COLOUR = {"d455t", "d455b"}
LAYERS = {"atv": 128, "hhs": 64}
SWEEP = 0.1


def expected(unit, gps):
    topics = {
        "/os_cloud_node/points": ("sensor_msgs/PointCloud2", 10),
        "/os_cloud_node/imu": ("sensor_msgs/Imu", 100),
        "/livox/lidar": ("livox_ros_driver/CustomMsg", 10),
        "/vn200/imu": ("sensor_msgs/Imu", 400),
        "/ltp_tag0/nlnf3": ("nlink_parser/LinktrackNodeframe3", 20),
        "/ltp_tag1/nlnf3": ("nlink_parser/LinktrackNodeframe3", 20),
    }
    if gps:
        topics["/vn200/GPS"] = ("sensor_msgs/NavSatFix", 400)
    if unit == "atv":
        topics["/vn100/imu"] = ("sensor_msgs/Imu", 400)
    for camera in CAMERAS[unit]:
        topics[f"/{camera}/imu"] = ("sensor_msgs/Imu", 400)
        for side in ("infra1", "infra2"):
            topics[f"/{camera}/{side}/image_rect_raw"] = ("sensor_msgs/Image", 30)
        if camera in COLOUR:
            topics[f"/{camera}/color/image_raw"] = ("sensor_msgs/Image", 30)
    return topics


# (name, offset, datatype) of PointOuster as PCL lays it out.
POINT_OUSTER = [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("intensity", 16, 7), ("t", 20, 6),
                ("reflectivity", 24, 4), ("ambient", 26, 4), ("range", 28, 6), ("ring", 32, 2)]


def ouster_points(cloud):
    assert [(f.name, f.offset, f.datatype) for f in cloud.fields] == POINT_OUSTER, cloud.fields
    assert all(f.count == 1 for f in cloud.fields)
    kinds = {7: "<f4", 6: "<u4", 4: "<u2", 2: "u1"}
    layout = np.dtype({"names": [f[0] for f in POINT_OUSTER],
                       "formats": [kinds[f[2]] for f in POINT_OUSTER],
                       "offsets": [f[1] for f in POINT_OUSTER], "itemsize": cloud.point_step})
    return np.frombuffer(cloud.data, layout).reshape(cloud.height, cloud.width)


def check_ouster(cloud, layers):
    assert (cloud.width, cloud.height) == (1024, layers), (cloud.width, cloud.height)
    assert cloud.point_step == 48 and cloud.row_step == 48 * 1024 and not cloud.is_bigendian
    points = ouster_points(cloud)
    assert (points["ring"] == np.arange(layers)[:, None]).all(), "row u has ring u"
    seen = points["range"] > 0
    assert seen.any()
    # One time a column; the last column starts 1023 / 1024 of a sweep after the first one.
    times = points["t"]
    assert (times == times[0]).all()
    assert abs(int(times.max()) - int(times.min()) - 1023 * 97656.25) < 2, times.max()
    # Misses are at the origin.
    for axis in "xyz":
        assert (points[axis][~seen] == 0).all()


def check_livox(message):
    assert message.point_num == len(message.points) == 9984, message.point_num
    assert message.timebase == message.header.stamp.to_nsec()
    offsets = np.array([p.offset_time for p in message.points])
    assert (np.diff(offsets) == 10000).all() and offsets[0] == 0, offsets[:4]


def check_image(topic, image):
    assert (image.width, image.height) == (640, 480)
    colour = "/color/" in topic
    assert image.encoding == ("rgb8" if colour else "mono8"), image.encoding
    assert image.step == 640 * (3 if colour else 1) and len(image.data) == 480 * image.step


def rotation(q):
    x, y, z, w = (q[..., i] for i in range(4))
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def position(p):
    return np.array([p.x, p.y, p.z])


def quaternion(q):
    return np.array([q.x, q.y, q.z, q.w])


class Motion:
    """Where the body was: between the poses of 400 Hz, straight in place and in the quaternion."""

    def __init__(self, poses):
        self.times = np.array([pose.header.stamp.to_sec() for pose in poses])
        self.places = np.array([position(pose.pose.position) for pose in poses])
        turns = np.array([quaternion(pose.pose.orientation) for pose in poses])
        for i in range(1, len(turns)):  # the shorter way
            if turns[i] @ turns[i - 1] < 0:
                turns[i] = -turns[i]
        self.turns = turns

    def at(self, times):
        between = lambda columns: np.stack([np.interp(times, self.times, c) for c in columns.T], -1)
        turns = between(self.turns)
        return rotation(turns / np.linalg.norm(turns, axis=-1, keepdims=True)), between(self.places)


def undistorted(bag, prefix):
    """All sweeps of the Ouster in the world, moved with the true motion, and as if the lidar had stood still
    at the end of each sweep."""
    frames = {}
    for _, message, _ in bag.read_messages(topics=[prefix + "/tf_static"]):
        for one in message.transforms:
            frames[one.child_frame_id.rsplit("/", 1)[-1]] = one.transform
    mount = frames["os1"]
    motion = Motion([m for _, m, _ in bag.read_messages(topics=[prefix + "/trajectory"])])
    half_turn = np.diag([1.0, -1.0, -1.0])  # base_link looks forward and up, the body of MCD down
    moved, still = [], []
    for _, cloud, _ in bag.read_messages(topics=[prefix + "/os_cloud_node/points"]):
        points = ouster_points(cloud).ravel()
        points = points[points["range"] > 0]
        # The header has the time of the last column, which is 1 / 1024 before the end of the sweep: to take
        # one for the other moves a wall by up to 1 mm where the lidar turns.
        end = cloud.header.stamp.to_sec()
        times = end - 1023 / 1024 * SWEEP + points["t"] / 1e9
        if times.min() < motion.times[0] or times.max() > motion.times[-1]:
            continue
        local = np.stack([points[axis].astype(float) for axis in "xyz"], -1)
        base = local @ rotation(quaternion(mount.rotation)).T + position(mount.translation)
        body = base @ half_turn
        turn, place = motion.at(times)
        moved.append(np.einsum("nij,nj->ni", turn, body) + place)
        turn, place = motion.at(np.full(1, end))
        still.append(body @ turn[0].T + place[0])
    return np.concatenate(moved), np.concatenate(still)


def check_ground(bag, prefix):
    """What is near the ground lies on it: z = 0 in the world."""
    moved, still = undistorted(bag, prefix)
    near = np.abs(moved[:, 2]) < 0.05
    moved, still = moved[near, 2], still[near, 2]
    assert len(moved) > 10000, len(moved)
    # Ranges scatter by 5 mm and more; of so many points the mean is known to much less than 1 mm.
    assert abs(np.median(moved)) < 1e-3, np.median(moved)
    assert np.std(moved) < 0.01, np.std(moved)
    print(f"{len(moved)} points on the ground: median {np.median(moved) * 1e3:.2f} mm, scatter "
          f"{np.std(moved) * 1e3:.1f} mm; as if the lidar stood still {np.std(still) * 1e3:.1f} mm")


def main():
    path, unit, seconds, prefix = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
    wanted = expected(unit, "gps" in sys.argv[5:])
    if prefix == "/":
        prefix = ""
    with rosbag.Bag(path) as bag:
        topics = bag.get_type_and_topic_info().topics
        for name, (kind, rate) in wanted.items():
            whole = prefix + name
            assert whole in topics, f"{whole} is missing; there are {sorted(topics)}"
            assert topics[whole].msg_type == kind, (whole, topics[whole].msg_type)
            count, ideal = topics[whole].message_count, rate * seconds
            assert abs(count - ideal) <= max(1, 0.01 * ideal), (whole, count, ideal)
        last, clouds = {}, 0
        for topic, message, time in bag.read_messages():
            if not hasattr(message, "header") or not topic.startswith(prefix + "/"):
                continue
            stamp = message.header.stamp.to_nsec()
            assert stamp >= last.get(topic, 0), f"{topic}: stamps go back"
            last[topic] = stamp
            short = topic[len(prefix):]
            if short == "/os_cloud_node/points":
                check_ouster(message, LAYERS[unit])
                # Written at the end of the sweep, which the header tells.
                assert 0 <= time.to_sec() - message.header.stamp.to_sec() < 0.005
                clouds += 1
            elif short == "/livox/lidar":
                check_livox(message)
                assert abs(time.to_sec() - message.header.stamp.to_sec() - SWEEP) < 0.005
            elif message._type == "sensor_msgs/Image":
                check_image(short, message)
            elif short == "/vn200/imu" and stamp > 5e8:
                # The body looks forward, right and down: gravity holds it up along -z.
                assert message.linear_acceleration.z < 0
        assert clouds > 0
        if "ground" in sys.argv[5:]:
            check_ground(bag, prefix)
    print(f"{path}: {len(wanted)} topics of the {unit} as in MCD")


if __name__ == "__main__":
    main()
