"""Reads bags of BagRecorder with ROS 1's own library (Debian: python3-rosbag): that builds its classes
of messages from the definitions in the bag.

read_bags.py WRITE_SAMPLE_BAG SOURCES"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import genpy.dynamic
    import rosbag
except ImportError as missing:
    print(f"skipped: {missing} (apt-get install python3-rosbag)")
    sys.exit(77)

WRITER = SOURCES = ""
COMPRESSIONS = ("none", "lz4", "bz2")


def write(*arguments):
    return subprocess.run([WRITER, "bag", *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def plain(value):
    """A message as the JSON of the writer has it."""
    if hasattr(value, "__slots__") and hasattr(value, "secs"):
        return {"secs": value.secs, "nsecs": value.nsecs}
    if hasattr(value, "__slots__"):
        return {name: plain(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, (bytes, list, tuple)):
        return [plain(element) for element in value]
    return value


class Bags(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check_camera(self, path, at_least, at_most):
        """All images from the first on, none changed."""
        with rosbag.Bag(str(path)) as bag:
            seen = 0
            for _, image, time in bag.read_messages():
                self.assertEqual(image.header.seq, seen)
                self.assertEqual(time.to_nsec(), (seen + 1) * 10_000_000)
                self.assertEqual(len(image.data), 100_000)
                state = 12345 + seen
                for byte in image.data[:20]:
                    state = (state * 1664525 + 1013904223) % 2**32
                    self.assertEqual(byte, state >> 24)
                seen += 1
        self.assertGreaterEqual(seen, at_least)
        self.assertLessEqual(seen, at_most)
        return seen

    def test_every_type_has_its_values(self):
        # Messages of actions are ROS 2's, and are not recorded.
        headers = "".join(p.read_text() for p in Path(SOURCES, "src/message").glob("*_msgs.h")
                          if p.name != "action_msgs.h")
        for compression in COMPRESSIONS:
            path = self.folder / f"{compression}.bag"
            expected = json.loads(write("types", path, compression).stdout)
            self.assertEqual(len(expected), len(re.findall(r"MessageName kName{", headers)))
            with rosbag.Bag(str(path)) as bag:
                self.assertEqual(bag.get_message_count(), len(expected))
                topics = bag.get_type_and_topic_info().topics
                self.assertEqual({t: topics[t].msg_type for t in topics},
                                 {t: expected[t]["type"] for t in expected})
                seen = set()
                for topic, message, time, header in bag.read_messages(return_connection_header=True):
                    with self.subTest(topic=topic, compression=compression):
                        one = expected[topic]
                        # Its class may be that of another type with the same definition.
                        self.assertEqual(message._md5sum, one["md5"])
                        self.assertEqual(plain(message), one["value"])
                        # Time 0 means "not set" in ROS 1.
                        self.assertEqual(time.to_nsec(), max(1, one["time_ns"]))
                        self.assertEqual(header["latching"], b"1" if one["latched"] else b"0")
                        self.assertEqual(header["callerid"], b"/protobeam")
                        self.assertEqual(header["topic"].decode(), topic)
                    seen.add(topic)
                self.assertEqual(seen, set(expected))
                # genpy works MD5 sums out of the definitions, too.
                for connection in bag._get_connections():
                    made = genpy.dynamic.generate_dynamic(connection.datatype, connection.msg_def)
                    self.assertEqual(made[connection.datatype]._md5sum, connection.md5sum)

    def test_info_knows_compression_and_chunks(self):
        for compression in COMPRESSIONS:
            path = self.folder / f"{compression}.bag"
            self.assertEqual(write("many", path, compression, 100, "finish").returncode, 0)
            self.check_camera(path, 100, 100)
            # The images are noise: whatever compresses it leaves about its size, and no holes.
            self.assertLess(path.stat().st_size, 1.02 * 100 * 100_000)
            with rosbag.Bag(str(path)) as bag:
                info = bag.get_compression_info()
                self.assertEqual(str(info.compression), compression)
                self.assertGreater(len(bag._chunks), 8)
                self.assertEqual(bag.get_start_time(), 0.01)
                self.assertEqual(bag.get_end_time(), 1.0)
            text = subprocess.run(["rosbag", "info", str(path)], stdout=subprocess.PIPE, text=True).stdout
            self.assertRegex(text, r"/camera +100 msgs +: sensor_msgs/Image")

    def test_a_killed_program_leaves_what_reindex_reads(self):
        for compression in COMPRESSIONS:
            path = self.folder / f"{compression}.bag"
            self.assertEqual(write("many", path, compression, 100, "kill").returncode, -9)
            with self.assertRaises(rosbag.ROSBagUnindexedException):
                rosbag.Bag(str(path))
            subprocess.run(["rosbag", "reindex", "-q", str(path)], check=True, stdout=subprocess.DEVNULL)
            # 1 MB to a chunk: all but the last are there.
            self.check_camera(path, 88, 99)

    def test_a_full_disk_leaves_a_bag(self):
        for compression in COMPRESSIONS:
            path = self.folder / f"{compression}.bag"
            done = write("many", path, compression, 200, 12_000_000)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.splitlines()[0], f"cannot write {path}: File too large")
            seen = self.check_camera(path, 90, 119)
            self.assertRegex(done.stdout.splitlines()[1], f"wrote {path}: {seen} messages, ")

    def test_a_small_disk_leaves_a_bag(self):
        """A file system of its own, as large as some messages: needs the right to mount one."""
        unshare = ["unshare", "--mount", "--map-root-user"]
        if subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no right to mount a file system")
        disk = self.folder / "disk"
        disk.mkdir()
        for compression in COMPRESSIONS:
            kept = self.folder / f"{compression}.bag"
            done = subprocess.run(
                [*unshare, "sh", "-c",
                 'mount -t tmpfs -o size=12m none "$1" && { "$2" bag many "$1/run.bag" "$3" 200 finish; '
                 'code=$?; cp "$1/run.bag" "$4"; exit $code; }',
                 "sh", str(disk), WRITER, compression, str(kept)], stdout=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.splitlines()[0],
                             f"cannot write {disk}/run.bag: No space left on device")
            self.check_camera(kept, 90, 125)


if __name__ == "__main__":
    WRITER, SOURCES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
