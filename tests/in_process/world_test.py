"""One world in this process: python world_test.py [CASE...]"""

import builtins
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import protobeam

SOURCE = os.environ["PROTOBEAM_SOURCE"]
PROGRAM = os.environ["PROTOBEAM_PROGRAM"]
ARENA = f"{SOURCE}/worlds/arena.wbt"


def arena(**options):
    return protobeam.World.load(ARENA, **options)


def driven_hash(world):
    world.device("lidar").enable(0.2)
    world.vehicle("robot").drive.twist(0.15, 0, 0.3)
    world.step(300)
    return world.state_hash


class Hashes(unittest.TestCase):
    def program_hash(self, world, seconds, seed):
        told = subprocess.run([PROGRAM, "run", f"{SOURCE}/worlds/{world}", "--duration", str(seconds),
                               "--seed", str(seed), "--json"], capture_output=True, text=True, check=True)
        return json.loads(told.stdout)["state_hash"]

    def test_what_the_program_computes_with_controllers_and_without(self):
        for name, seconds in (("yard.wbt", 0.5), ("vehicles.wbt", 1), ("arena.wbt", 0.5), ("square.world.xml", 0.5),
                              ("python.wbt", 0.5)):
            with self.subTest(name):
                world = protobeam.World.load(f"{SOURCE}/worlds/{name}", seed=3)
                world.start_controllers()
                world.run(seconds)
                world.finish()
                self.assertEqual(world.state_hash, self.program_hash(name, seconds, 3))

    def test_another_seed_another_hash_and_a_reset_begins_again(self):
        first = arena(seed=1)
        expected = driven_hash(first)
        self.assertNotEqual(driven_hash(arena(seed=2)), expected)
        first.reset(2)
        self.assertEqual((first.time, first.steps, first.seed), (0, 0, 2))
        self.assertEqual(driven_hash(first), driven_hash(arena(seed=2)))
        first.reset(1)
        self.assertEqual(driven_hash(first), expected)
        first.body("pillar 1").set_pose([0.3, 0.3, 0.15])
        first.reset()
        self.assertEqual(driven_hash(first), expected)

    def test_the_same_without_fused_multiply_add_in_libm(self):
        script = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); import world_test as t; " \
                 "print(t.driven_hash(t.arena(seed=1)))"
        masked = dict(os.environ, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA")
        told = [subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=True,
                               env=environment).stdout for environment in (os.environ, masked)]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0].strip(), driven_hash(arena(seed=1)))


class States(unittest.TestCase):
    WORLDS = ("yard.wbt", "vehicles.wbt", "arena.wbt", "physics.wbt", "track.wbt", "mapping.wbt", "elements.wbt",
              "teleop.wbt", "square.world.xml", "jackal_yard.wbt", "lidars.wbt", "meshes.wbt")

    def begin(self, name, threads=1):
        world = protobeam.World.load(f"{SOURCE}/worlds/{name}", seed=3, threads=threads)
        for device in world.devices.values():
            if hasattr(device, "enable") and device.type not in ("Camera", "RgbdCamera"):  # they take seconds
                device.enable(0.05 if device.type == "Lidar" else 0.02)
        for vehicle in world.vehicles.values():
            drive = vehicle.drive
            commands = {"twist": lambda: drive.twist(0.8, 0, 0.3), "speed": lambda: drive.speed(2, 0.2),
                        "torques": lambda: drive.torques(0, *[5] * int(drive.properties["inputs"]))}
            commands[drive.properties["takes"]]()
        return world

    def test_a_run_goes_on_where_it_was_saved(self):
        for name in self.WORLDS:
            with self.subTest(name):
                world = self.begin(name)
                world.run(0.37)
                state, middle, time = world.save(), world.state_hash, world.time
                world.run(0.4)
                end = world.state_hash
                other = self.begin(name, threads=2)
                other.restore(state)
                self.assertEqual((other.state_hash, other.time), (middle, time))
                other.run(0.4)
                self.assertEqual(other.state_hash, end)
                world.restore(state)
                world.run(0.4)
                self.assertEqual(world.state_hash, end)

    def test_also_in_another_process_and_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/middle.state"

            def run(*options):
                told = subprocess.run([PROGRAM, "run", f"{SOURCE}/worlds/physics.wbt", "--json", *options],
                                      capture_output=True, text=True)
                summary = json.loads(told.stdout)
                self.assertEqual("state_hash" in summary, "diagnostics" not in summary)
                return told.returncode, summary.get("state_hash"), told.stderr

            code, whole, _ = run("--duration", "2", "--save-state", f"0.8:{file}")
            self.assertEqual(code, 0)
            self.assertEqual(run("--duration", "1.2", "--from-state", file)[:2], (0, whole))
            world = protobeam.World.load(f"{SOURCE}/worlds/physics.wbt")
            with open(file, "rb") as bytes:
                world.restore(bytes.read())
            self.assertAlmostEqual(world.time, 0.8)
            world.run(1.2)
            self.assertEqual(world.state_hash, whole)
            # What cannot be: a time that does not come, a file that is none, another seed.
            code, _, said = run("--duration", "0.1", "--save-state", f"5:{folder}/late.state")
            self.assertEqual(code, 1)
            self.assertRegex(said, "late.state' was not written: the run ended before 5 s")
            self.assertEqual(run("--from-state", f"{folder}/none")[0], 1)
            code, _, said = run("--from-state", file, "--seed", "9")
            self.assertEqual(code, 1)
            self.assertRegex(said, "middle.state: the state is of another world, of the same with another seed")

    def test_branches_of_one_past(self):
        world = arena(seed=1)
        lidar, drive = world.device("lidar"), world.vehicle("robot").drive
        lidar.enable(0.2)
        ranges = lidar.range
        drive.twist(0.2, 0, 0)
        world.run(1)
        state, scan = world.save(), ranges.copy()
        ends = []
        for turn in (0.5, -0.5, 0.5):
            world.restore(state)
            np.testing.assert_array_equal(ranges, scan)  # the array from before
            drive.twist(0.2, 0, turn)
            world.run(1)
            ends.append((world.state_hash, world.vehicle("robot").yaw))
        self.assertEqual(ends[0], ends[2])
        self.assertNotEqual(ends[0][0], ends[1][0])
        self.assertGreater(ends[0][1], ends[1][1] + 0.3)

    def test_what_was_put_elsewhere_stays_there(self):
        one, other = arena(seed=1), arena(seed=1)
        for world in (one, other):
            world.device("lidar").enable(0.2)
            world.vehicle("robot").drive.twist(0.2, 0, 0)
        one.body("pillar 1").set_pose([0.3, 0.1, 0.15])
        one.run(0.5)
        state = one.save()
        other.restore(state)
        np.testing.assert_array_equal(other.body("pillar 1").position, [0.3, 0.1, 0.15])
        one.run(1)
        other.run(1)
        self.assertEqual(one.state_hash, other.state_hash)
        np.testing.assert_array_equal(other.device("lidar").range, one.device("lidar").range)
        at_home = arena(seed=1)
        there = at_home.body("pillar 1").position
        other.restore(at_home.save())
        np.testing.assert_array_equal(other.body("pillar 1").position, there)

    def test_damaged_bytes_change_nothing(self):
        world = arena(seed=1)
        world.run(0.5)
        state = world.save()
        world.run(0.1)
        before = world.state_hash, world.save()
        flipped = bytearray(state)
        flipped[len(flipped) // 2] ^= 4
        for bytes, what in ((b"", "not the state of a run"), (b"x" * 500, "not the state of a run"),
                            (state[:-1], "bytes instead of"), (state + b"x", "bytes instead of"),
                            (flipped, "damaged"), (arena(seed=2).save(), "another seed"),
                            (protobeam.World.load(f"{SOURCE}/worlds/physics.wbt", seed=1).save(), "another world")):
            with self.assertRaisesRegex(RuntimeError, what):
                world.restore(builtins.bytes(bytes))
            self.assertEqual((world.state_hash, world.save()), before)


class Views(unittest.TestCase):
    def test_an_array_looks_at_the_newest_sample_without_a_copy(self):
        world = arena(seed=1)
        lidar = world.device("robot/lidar")
        ranges = lidar.range
        self.assertEqual((ranges.shape, ranges.dtype, ranges.any()), ((1, 360), np.dtype("f4"), False))
        lidar.enable(0.1)
        world.step(10)
        self.assertEqual(lidar.samples, 1)
        self.assertLess(ranges[np.isfinite(ranges)].max(), 3.6)
        before = ranges.copy()
        world.step(10)
        self.assertFalse(np.array_equal(before, ranges))  # noise
        self.assertIs(lidar.range, ranges)
        address = ranges.__array_interface__["data"][0]
        world.reset()
        self.assertFalse(ranges.any())
        world.step(10)
        np.testing.assert_array_equal(ranges, before)
        self.assertEqual(world.device("lidar").range.__array_interface__["data"][0], address)

    def test_it_cannot_be_written_to(self):
        with self.assertRaises(ValueError):
            arena().device("lidar").range[0, 0] = 1

    def test_it_outlives_its_world(self):
        world = arena(seed=1)
        lidar = world.device("lidar")
        lidar.enable()
        lidar.point_cloud(1)
        world.step(2)
        ranges, points = lidar.range, lidar.points
        expected = ranges.copy()
        del world, lidar
        gc.collect()
        others = [arena(seed=i) for i in range(3)]
        np.testing.assert_array_equal(ranges, expected)
        distances = np.hypot(points["x"], points["y"])
        seen = np.isfinite(expected)
        np.testing.assert_allclose(distances[seen], expected[seen], atol=1e-5)
        self.assertEqual(len(others), 3)

    def test_members_say_shape_type_and_unit(self):
        lidar = arena().device("lidar")
        self.assertIn("float32 (numberOfLayers, horizontalResolution); unit: m", type(lidar).range.__doc__)
        self.assertIn("frequency (Hz)", lidar.frequency.__doc__)
        self.assertEqual(lidar.properties["horizontalResolution"], 360)
        self.assertEqual(protobeam.types.Lidar, type(lidar))

    def test_samples_of_a_controlled_robot_come_too(self):
        world = protobeam.World.load(f"{SOURCE}/worlds/yard.wbt", seed=1)
        gps = world.device("rover/gps")
        place = gps.position
        world.start_controllers()
        world.run(0.3)
        np.testing.assert_allclose(place, world.body("rover").position, atol=2)
        self.assertTrue(place.any())
        world.finish()

    def test_calls_cost_little(self):
        world = arena()
        lidar = world.device("lidar")

        def cost(call):
            begin = time.thread_time()
            for _ in range(2_000):
                call()
            return time.thread_time() - begin

        # Against what numpy takes for a view in the same moment: machines are fast or slow, or busy.
        values = np.zeros(360, np.float32)
        calls = [lambda: values[:], lambda: lidar.range, lambda: world.time]
        rounds = [[cost(call) for call in calls] for _ in range(30)]
        view, image, now = (min(costs) for costs in zip(*rounds))
        self.assertLess(image, 15 * view)
        self.assertLess(now, 15 * view)


class Uses(unittest.TestCase):
    def test_other_threads_run_while_it_steps_but_may_not_touch_it(self):
        world = arena()
        world.device("lidar").enable()
        counted, refused = 0, []
        stepping = threading.Thread(target=world.step, args=(20_000,))
        stepping.start()
        while stepping.is_alive():
            counted += 1
            try:
                world.time
            except RuntimeError as error:
                refused.append(str(error))
        stepping.join()
        self.assertGreater(counted, 1000)
        self.assertGreater(len(refused), 100)
        self.assertEqual(set(refused), {"another thread is stepping this world"})
        self.assertEqual(world.steps, 20_000)

    def test_control_c_ends_a_long_step(self):
        world = arena()
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            world.step(10**12)
        self.assertLess(time.monotonic() - begin, 60)
        steps = world.steps
        self.assertGreater(steps, 0)
        world.step()
        self.assertEqual(world.steps, steps + 1)

    def test_a_forked_process_is_told_to_load_it_again(self):
        world = arena()
        world.step()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                world.step()
            except RuntimeError as error:
                again = arena(threads=1)
                again.step(5)
                status = 0 if "forked" in str(error) and again.steps == 5 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Mistakes(unittest.TestCase):
    def test_those_of_a_text_have_their_place(self):
        file = "/tmp/protobeam_mistake_%d.wbt" % os.getpid()
        with open(file, "w") as out:
            out.write("#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStpe 10 }\nSolid { name 3 }\n")
        self.addCleanup(os.remove, file)
        with self.assertRaises(protobeam.WorldError) as raised:
            protobeam.World.load(file)
        self.assertIsInstance(raised.exception, ValueError)
        told = raised.exception.diagnostics
        self.assertEqual([(d.severity, d.line, d.column) for d in told if d.severity == "error"],
                         [("error", 2, 13), ("error", 3, 14)])
        self.assertEqual(told[0].file, file)
        self.assertEqual(told[0].hint, "did you mean 'basicTimeStep'?")
        self.assertIn(f"{file}:2:13: error: unknown field", str(raised.exception))

    def test_files_that_are_not_there_or_no_worlds(self):
        for name in ("/nowhere.wbt", "/tmp", "world.txt", "", "\0.wbt"):
            with self.assertRaises((protobeam.WorldError, ValueError)):
                protobeam.World.load(name)

    def test_names_that_nothing_has(self):
        world = arena()
        for call, words in ((lambda: world.device("robot/lidr"), "did you mean 'robot/lidar'?"),
                            (lambda: world.robot("x"), "there are: robot"),
                            (lambda: world.vehicle("robt"), "did you mean 'robot'?"),
                            (lambda: world.body("pilar 1"), "did you mean 'pillar 1'?"),
                            (lambda: world.device("lidar")["rnage"], "did you mean 'range'?")):
            with self.assertRaisesRegex(KeyError, words.replace("?", r"\?")):
                call()

    def test_commands_and_numbers_that_are_none(self):
        world = arena()
        drive, lidar, robot = world.vehicle("robot").drive, world.device("lidar"), world.body("robot")
        for call, kind in ((lambda: drive.twist(1), TypeError), (lambda: drive.twist(1, 2, 3, 4), TypeError),
                           (lambda: drive.twist(1, 2, yaw=3), TypeError), (lambda: drive.twist("x", 0, 0), ValueError),
                           (lambda: drive.twist(float("nan"), 0, 0), ValueError),
                           (lambda: lidar.point_cloud(7), ValueError), (lambda: lidar.enable(-1), ValueError),
                           (lambda: lidar.enable(float("nan")), ValueError), (lambda: world.step(-1), ValueError),
                           (lambda: robot.set_pose([0, 0]), ValueError),
                           (lambda: robot.set_pose([0, 0, float("inf")]), ValueError),
                           (lambda: robot.set_pose([0, 0, 0], [0, 0, 0, 0]), ValueError),
                           (lambda: robot.set_velocity([float("nan"), 0, 0]), ValueError),
                           (lambda: world.body("ground").set_velocity([1, 0, 0]), ValueError),
                           (lambda: arena(seed=-1), ValueError), (lambda: arena(parameters=["a"]), TypeError)):
            with self.assertRaises(kind):
                call()
        for call, kind, words in (
                (lambda: world.reset(-1), ValueError, "a seed is a whole number from 0 to"),
                (lambda: world.step(1.5), TypeError, "'float' object cannot be interpreted as an integer"),
                (lambda: world.run(float("nan")), ValueError, "seconds must be a finite number, not nan"),
                (lambda: protobeam.Batch(f"{SOURCE}/worlds/arena.wbt", 2, seed=-1), ValueError, "a seed is a whole")):
            with self.assertRaisesRegex(kind, words):
                call()
        world.step(10)
        self.assertEqual(world.broken, [])


class Parameters(unittest.TestCase):
    def test_fields_by_path(self):
        world = arena(parameters={"ROBOT.translation": [0.6, 0.6, 0], "robot/lidar.maxRange": 2.5,
                                  "WorldInfo.basicTimeStep": 5, "GOAL.name": "there \"it\" is",
                                  "walls.height": np.float64(1)})
        np.testing.assert_allclose(world.body("robot").position, [0.6, 0.6, 0], atol=1e-6)
        self.assertEqual(world.time_step, 0.005)
        self.assertEqual(world.device("lidar").properties["maxRange"], 2.5)
        self.assertIn('there "it" is', world.bodies)

    def test_mistakes_say_which_one(self):
        for parameters, words in (({"ROBT.translation": [0, 0, 0]}, "did you mean 'ROBOT'"),
                                  ({"ROBOT.translatoin": [0, 0, 0]}, "did you mean 'translation'"),
                                  ({"ROBOT.translation": [0, 0]}, "must be SFVec3f"),
                                  ({"robot/lidar.maxRange": -1}, "parameters:1:22: error: field 'maxRange'"),
                                  ({"nothing": 1}, "names no field")):
            with self.assertRaisesRegex(protobeam.WorldError, words):
                arena(parameters=parameters)
        for value in (float("nan"), object()):
            with self.assertRaises((ValueError, TypeError)):
                arena(parameters={"WorldInfo.basicTimeStep": value})


class Bodies(unittest.TestCase):
    def test_where_things_are_and_how_they_move(self):
        world = arena()
        robot = world.vehicle("robot")
        for _ in range(6):  # a set-point holds for a second (commandTimeout)
            robot.drive.twist(0.2, 0, 0)
            world.run(0.5)
        np.testing.assert_allclose(robot.velocity, [0.2, 0, 0], atol=0.02)
        self.assertAlmostEqual(robot.position[0], -1.8 + 0.2 * 3, delta=0.1)
        robot.set_pose([0.6, -0.6, 0], [0, 0, np.sqrt(0.5), np.sqrt(0.5)])
        np.testing.assert_allclose(robot.position, [0.6, -0.6, 0], atol=1e-9)
        self.assertAlmostEqual(robot.yaw, np.pi / 2)
        robot.drive.enable()
        world.step()
        np.testing.assert_allclose(robot.drive.true_pose[[0, 1, 5]], [0.6, -0.6, np.pi / 2], atol=0.01)

    def test_a_lidar_sees_what_was_moved(self):
        world = arena(parameters={"robot/lidar.noise": 0})
        world.device("lidar").enable()
        robot = world.body("robot").position
        world.body("pillar 5").set_pose([robot[0] + 1, robot[1], 0.15])
        world.step(2)
        ahead = world.device("lidar").range[0, 180]
        self.assertAlmostEqual(ahead, 1 - 0.15 + 0.032, delta=0.01)

    def test_velocity_of_a_free_body(self):
        world = protobeam.World.load(f"{SOURCE}/worlds/yard.wbt")
        crate = world.body("crate 5")
        crate.set_pose(crate.position + [0, 0, 5])
        crate.set_velocity([1, 0, 0], [0, 0, 2])
        world.run(0.5)
        np.testing.assert_allclose(crate.velocity, [1, 0, -9.81 * 0.5], atol=0.05)
        np.testing.assert_allclose(crate.angular_velocity, [0, 0, 2], atol=1e-3)


if __name__ == "__main__":
    unittest.main()
