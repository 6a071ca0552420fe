#!/usr/bin/python3
"""The wrapper ./protobeam around a real build of a tiny project: calls at the same time, calls where
nothing may be written, and calls by another user.

    tests/faults/wrapper_test.py PROTOBEAM    the script in the root of the tree
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WRAPPER = pathlib.Path(sys.argv.pop()).resolve()
CMAKE = """\
cmake_minimum_required(VERSION 3.24)
project(tiny CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# The builds of two calls would be seen in here: each step notes when it begins and when it ends.
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/main.cpp
  COMMAND sh -c "echo begin >>${CMAKE_SOURCE_DIR}/steps; sleep 0.7; cp ${CMAKE_SOURCE_DIR}/src/main.cpp ${CMAKE_BINARY_DIR}; echo end >>${CMAKE_SOURCE_DIR}/steps"
  DEPENDS ${CMAKE_SOURCE_DIR}/src/main.cpp VERBATIM)
add_executable(protobeam ${CMAKE_BINARY_DIR}/main.cpp)
add_custom_target(protobeam_run DEPENDS protobeam)
"""
PRESETS = """\
{"version": 4, "configurePresets": [{"name": "release", "generator": "Ninja",
 "binaryDir": "${sourceDir}/build/${presetName}", "cacheVariables": {"CMAKE_BUILD_TYPE": "Debug"}}]}
"""


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="protobeam-wrapper-"))
        self.folder.chmod(0o755)
        shutil.copy(WRAPPER, self.folder / "protobeam")
        (self.folder / "src").mkdir()
        (self.folder / "CMakeLists.txt").write_text(CMAKE)
        (self.folder / "CMakePresets.json").write_text(PRESETS)
        self.write_program("one")

    def tearDown(self):
        subprocess.run(["chmod", "-R", "u+w", str(self.folder)], check=True)
        shutil.rmtree(self.folder)

    def write_program(self, word):
        (self.folder / "src/main.cpp").write_text(
            f'#include <cstdio>\nint main(int n, char** v) {{ std::printf("{word} %s\\n", n > 1 ? v[1] : ""); }}\n')

    def start(self, *words, **options):
        environment = {**os.environ, "PROTOBEAM_NO_INSTALL": "1"}
        return subprocess.Popen([str(self.folder / "protobeam"), *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment, **options)

    def finish(self, process):
        out, err = process.communicate(timeout=100)
        return process.returncode, out, err

    def expect(self, process, wanted):
        code, out, err = self.finish(process)
        self.assertEqual((code, out), (0, wanted), err)
        return err

    def steps(self):
        return (self.folder / "steps").read_text().split()

    def test_first_calls_at_the_same_time_build_once(self):
        calls = [self.start(word) for word in ("a", "b", "c")]
        said = [self.expect(call, f"one {word}\n") for call, word in zip(calls, "abc")]
        self.assertEqual(self.steps(), ["begin", "end"])
        self.assertEqual(sum("waiting for another build" in err for err in said), 2)

    def test_calls_with_an_old_build_bring_it_up_to_date_one_by_one(self):
        self.expect(self.start("x"), "one x\n")
        self.write_program("two")
        for call, word in [(self.start(word), word) for word in ("a", "b", "c")]:
            self.expect(call, f"two {word}\n")
        self.assertEqual(self.steps(), ["begin", "end"] * 2)

    def test_what_is_built_lies_in_the_folders_that_are_looked_at(self):
        tree = WRAPPER.parent
        looked_at = set(re.search(r'sources=\("\$root"/\{(.*)\}\)', WRAPPER.read_text())[1].split(","))
        inputs = subprocess.run(["ninja", "-C", str(tree / "build/release"), "-t", "inputs", "protobeam_run"],
                                check=True, capture_output=True, text=True).stdout.splitlines()
        paths = [os.path.relpath(os.path.join(tree / "build/release", line), tree) for line in inputs]
        folders = {path.split("/")[0] for path in paths if (tree / path).is_file()} - {"build", ".."}
        self.assertIn("src", folders)
        self.assertLessEqual(folders, looked_at)

    def test_a_call_by_a_link_or_by_bash_finds_the_tree(self):
        self.expect(self.start("x"), "one x\n")
        with tempfile.TemporaryDirectory() as other:
            link = os.path.join(other, "link")
            os.symlink(self.folder / "protobeam", link)
            tree = os.path.join(other, "tree")
            os.symlink(self.folder, tree)
            for words, cwd in [([link], "/"), (["./protobeam"], tree), (["../protobeam"], tree + "/src"),
                               (["bash", "protobeam"], tree)]:
                with self.subTest(words=words):
                    said = subprocess.run([*words, "a"], cwd=cwd, capture_output=True, text=True, check=True)
                    self.assertEqual((said.stdout, said.stderr), ("one a\n", ""))
        self.assertEqual(self.steps(), ["begin", "end"])

    def test_a_failed_build_is_told_and_frees_the_lock(self):
        (self.folder / "src/main.cpp").write_text("int main() { return nonsense; }\n")
        code, out, err = self.finish(self.start())
        self.assertEqual((code, out), (1, ""))
        self.assertIn("nonsense", err)
        self.write_program("again")
        self.expect(self.start("a"), "again a\n")

    def as_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be another user")
        return {"user": "nobody", "cwd": "/"}

    def test_another_user_runs_what_is_built(self):
        other = self.as_another_user()
        self.expect(self.start("a"), "one a\n")
        self.write_program("two")  # which is not built: nobody may not write
        self.expect(self.start("b", **other), "one b\n")

    def test_a_checkout_that_cannot_be_written_says_that_nothing_is_built(self):
        other = self.as_another_user()
        code, out, err = self.finish(self.start("a", **other))
        self.assertEqual((code, out), (1, ""))
        self.assertIn("nothing is built", err)

    def test_two_users_of_a_lock_do_not_stop_a_program_that_runs(self):
        # The lock is for building: a long run does not hold it.
        (self.folder / "src/main.cpp").write_text(
            '#include <unistd.h>\n#include <cstdio>\nint main(int n, char**) { if (n > 1) sleep(20); '
            'std::puts("done"); }\n')
        self.expect(self.start(), "done\n")
        long = self.start("wait")
        try:
            self.expect(self.start(), "done\n")
            self.assertIsNone(long.poll())
        finally:
            long.kill()
            long.communicate()


if __name__ == "__main__":
    unittest.main()
