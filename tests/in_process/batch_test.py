"""Many worlds at once: python batch_test.py"""

import os
import signal
import time
import unittest

import numpy as np

import protobeam

ARENA = os.environ["PROTOBEAM_SOURCE"] + "/worlds/arena.wbt"
CITY = os.environ["PROTOBEAM_SOURCE"] + "/worlds/city.wbt"
CITY_MB = 45  # with all that differs between machines and allocators
COUNT = 64


def commands():
    return np.stack([np.linspace(0.05, 0.2, COUNT), np.zeros(COUNT), np.linspace(-1, 1, COUNT)], axis=1)


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


class Memory(unittest.TestCase):
    """In a process of its own: what others have freed would be used again."""

    def grows_by_less_than(self, limit, world, count):
        worlds = [protobeam.World.load(world, threads=1)]
        first = resident_mb()
        worlds += [protobeam.World.load(world, threads=1) for _ in range(count)]
        self.assertLess((resident_mb() - first) / count, limit)

    def test_a_further_arena_is_small(self):
        self.grows_by_less_than(3, ARENA, 20)

    def test_a_further_city_has_meshes_and_trees_in_common_with_the_first(self):
        self.grows_by_less_than(CITY_MB, CITY, 4)


class Batches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.singles = []
        world = protobeam.World.load(ARENA, threads=1)
        world.device("lidar").enable(0.1)
        cls.last = np.zeros((COUNT, 1, 360), np.float32)
        for i, row in enumerate(commands()):
            world.reset(7 + i)
            world.vehicle("robot").drive.twist(*row)
            world.step(150)
            cls.last[i] = world.device("lidar").range
            cls.singles.append(world.state_hash)

    def hashes(self, batch):
        return [world.state_hash for world in batch.worlds]

    def test_64_worlds_are_64_single_ones_for_any_number_of_threads(self):
        self.assertEqual(len(set(self.singles)), COUNT)
        for threads in (1, 2, 4):
            batch = protobeam.Batch(ARENA, COUNT, threads=threads, seed=7)
            self.assertEqual((len(batch), batch.threads), (COUNT, threads))
            batch.enable("lidar", 0.1)
            scans = batch.array("robot/lidar", "range")
            self.assertEqual((scans.shape, scans.dtype), ((COUNT, 1, 360), np.dtype("f4")))
            for again in range(2):
                batch.command("robot/drive", "twist", commands())
                for _ in range(15):
                    batch.step(10)
                self.assertEqual(self.hashes(batch), self.singles)
                np.testing.assert_array_equal(scans, self.last)
                batch.reset()
            np.testing.assert_array_equal(batch.states("robot")[:, 0], np.full(COUNT, -1.8))
        del batch
        np.testing.assert_array_equal(scans, np.zeros_like(scans))

    def test_send_and_recv_take_what_is_done_first(self):
        for threads in (1, 3):
            batch = protobeam.Batch(ARENA, COUNT, threads=threads, seed=7)
            batch.enable("lidar", 0.1)
            batch.command("robot/drive", "twist", commands())
            left = np.full(COUNT, 15)
            batch.send(n=10)
            while left.sum():
                done = batch.recv(COUNT // 4 if (left > 0).sum() > COUNT // 4 else 1)
                self.assertGreater(len(done), 0)
                left[done] -= 1
                batch.send([i for i in done if left[i]], n=10)
            self.assertEqual(len(batch.recv(5)), 0)
            self.assertEqual(self.hashes(batch), self.singles)

    def test_parts_of_it(self):
        places = [{"ROBOT.translation": [0.6, y, 0]} for y in range(-1, 3)]
        batch = protobeam.Batch(ARENA, 4, threads=2, parameters=places)
        np.testing.assert_allclose(batch.states("robot")[:, 1], [-1, 0, 1, 2], atol=1e-6)
        batch.step(5, worlds=[1, 3])
        np.testing.assert_allclose(batch.times, [0, 0.05, 0, 0.05])
        batch.reset([3], seeds=[9])
        np.testing.assert_allclose(batch.times, [0, 0.05, 0, 0])
        self.assertEqual([world.seed for world in batch.worlds], [0, 1, 2, 9])
        one = batch[1].device("lidar")
        batch.enable("lidar")
        batch.step()
        self.assertTrue(np.shares_memory(one.range, batch.array("lidar", "range")))

    def test_control_c_ends_a_long_step(self):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        for threads in (1, 2):
            batch = protobeam.Batch(ARENA, 4, threads=threads)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                batch.step(10**12)
            batch.step()
            batch.send([0], n=10**12)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                batch.step(10**12, worlds=[1])
            self.assertEqual(list(batch.recv()), [0])

    def test_control_c_ends_waiting_for_what_was_sent(self):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        for threads in (1, 2):
            batch = protobeam.Batch(ARENA, 4, threads=threads)
            batch.send(n=10**12)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                batch.recv(4)
            batch.step()

    def test_it_may_go_while_worlds_are_under_way(self):
        batch = protobeam.Batch(ARENA, 8, threads=2)
        one = batch[0]
        batch.send(n=10**12)
        begin = time.monotonic()
        del batch
        self.assertLess(time.monotonic() - begin, 30)
        one.step()
        self.assertTrue(one.device("lidar").range.shape)

    def test_mistakes(self):
        batch = protobeam.Batch(ARENA, 3, threads=1)
        for call, kind in ((lambda: protobeam.Batch(ARENA, 0), ValueError),
                           (lambda: protobeam.Batch(ARENA, 2, seed=[1]), ValueError),
                           (lambda: protobeam.Batch(ARENA, 2, parameters=[{}]), ValueError),
                           (lambda: protobeam.Batch("none.wbt", 2), protobeam.WorldError),
                           (lambda: batch.step(1, worlds=[3]), IndexError),
                           (lambda: batch.step(1, worlds=[1, 1]), ValueError),
                           (lambda: batch.step(-1), ValueError),
                           (lambda: batch.array("lidar", "rnage"), KeyError),
                           (lambda: batch.command("robot/drive", "twist", np.zeros((2, 3))), ValueError),
                           (lambda: batch.command("robot/drive", "twist", np.zeros((3, 2))), ValueError),
                           (lambda: batch.command("robot/drive", "turn", np.zeros((3, 3))), ValueError),
                           (lambda: batch.reset([0], seeds=[1, 2]), ValueError)):
            with self.assertRaises(kind):
                call()
        batch.send([0], n=100)
        batch.recv(1)
        batch.step(1)


if __name__ == "__main__":
    unittest.main()
