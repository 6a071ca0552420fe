#!/usr/bin/env python3
"""deb_test.py CMAKE SOURCE BUILD VERSION: the package for Debian holds what it should, asks for what its programs
are linked with, and runs from wherever it is unpacked."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, SOURCE, BUILD, VERSION = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
HELLO = """\
#include <stdio.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  while (wb_robot_step(100) != -1) {}
  printf("hello from %s\\n", wb_robot_get_name());
  wb_robot_cleanup();
}
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.24)
project(mine LANGUAGES C)
find_package(protobeam REQUIRED)
protobeam_controller(hello SOURCES controllers/hello/hello.c)
"""
WORLD = """\
#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 }
Robot { name "mine" controller "hello" }
"""


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{words}: {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def names(field):
    """The packages in a field of the control file, without versions and alternatives."""
    return {re.split(r"[ (|]", entry.strip())[0] for entry in field.split(",") if entry.strip()}


def packages_of(file):
    """The package that holds a file of this machine, and what it provides. Some files lie in /lib for dpkg and in /usr/lib
    for everyone else."""
    for name in (file, file.removeprefix("/usr"), "/usr" + file):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(":")[0]
            return {package} | names(run("dpkg-query", "-W", "-f", "${Provides}", package))
    return set()


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="protobeam-deb-")
        cls.top = Path(cls.folder.name)
        manifest = BUILD / "install_manifest.txt"
        before = manifest.read_bytes() if manifest.exists() else None
        (cls.top / "made").mkdir()
        # In a fraction of the usual time, and with a umask that must not matter.
        cls.said = run(BUILD / "bin/protobeam", "package", "--compression", "gzip", "--out", "made", cwd=cls.top, umask=0o077)
        cls.manifest_kept = before == (manifest.read_bytes() if manifest.exists() else None)
        cls.made = sorted(path.name for path in (cls.top / "made").glob("*.deb"))
        cls.deb = cls.top / "made" / cls.made[0]
        cls.root = cls.top / "some where"
        run("dpkg-deb", "-R", cls.deb, cls.root)
        cls.usr = cls.root / "usr"
        (cls.top / "home").mkdir()
        (cls.top / "run").mkdir(mode=0o700)
        cls.environment = {name: value for name, value in os.environ.items()
                           if not name.startswith(("PROTOBEAM", "WEBOTS", "PYTHON", "XDG"))}
        cls.environment.update(HOME=str(cls.top / "home"), PROTOBEAM_RUNTIME_DIR=str(cls.top / "run"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, name):
        return run("dpkg-deb", "-f", self.deb, name).strip()

    def protobeam(self, *words):
        return run(self.usr / "bin/protobeam", *words, cwd=self.top, env=self.environment)

    def elf_files(self):
        for path in sorted(self.usr.rglob("*")):
            if path.is_file() and not path.is_symlink():
                with path.open("rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield path

    def test_is_named_and_described(self):
        self.assertRegex(self.said, rf"^wrote made/{re.escape(self.made[0])}: \d+\.\d MB\n$")
        architecture = run("dpkg", "--print-architecture").strip()
        self.assertEqual(self.made, [f"protobeam_{VERSION}_{architecture}.deb"])
        for name, value in {"Package": "protobeam", "Version": VERSION, "Architecture": architecture,
                            "Section": "science", "Priority": "optional"}.items():
            self.assertEqual(self.field(name), value)
        self.assertRegex(self.field("Maintainer"), r"^[A-Z].* <\S+@\S+>$")
        summary, *lines = self.field("Description").splitlines()
        self.assertRegex(summary, r"^[a-z].{20,78}[^.]$")
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"^ (\.|\S.{0,78})$")

    def test_depends_on_every_library_that_something_in_it_is_linked_with(self):
        depends = names(self.field("Depends"))
        own = {path.name for path in (self.usr / "lib").glob("*.so")}
        needed = {}
        for path in self.elf_files():
            wanted = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path))
            found = dict(re.findall(r"(\S+) => (\S+)", run("ldd", path)))
            for library in set(wanted) - own:
                if not library.startswith("ld-linux"):
                    needed[library] = os.path.realpath(found[library])
        self.assertIn("libembree3.so.3", needed)
        for library, file in needed.items():
            self.assertTrue(packages_of(file) & depends, f"{library} of {file}")
        self.assertFalse([name for name in depends if name.endswith("-dev") or name == "protobeam"])

    def test_names_what_is_started_or_read(self):
        recommended, suggested = names(self.field("Recommends")), names(self.field("Suggests"))
        self.assertLessEqual({"python3", "ca-certificates", "libjs-three", "fonts-dejavu-core"}, recommended)
        self.assertLessEqual({"ffmpeg", "g++", "make", "cmake", "libeigen3-dev"}, suggested)
        if list(self.usr.glob("lib/python3/dist-packages/protobeam/_core.*")):
            self.assertIn("python3-numpy", recommended)
            self.assertRegex(self.field("Recommends"), r"python3 \(>= 3\.\d+\), python3 \(<< 3\.\d+\)")
        if (self.usr / "lib/protobeam/java/Controller.jar").exists():
            self.assertIn("default-jdk-headless", suggested)

    def test_has_everything_below_usr_with_usual_permissions(self):
        for name in ["bin/protobeam", "libexec/protobeam/protobeam-worker", "lib/libController.so",
                     "lib/protobeam/plugins/Lidar.so", "lib/protobeam/controllers/rover/rover",
                     "lib/protobeam/python/controller/__init__.py", "lib/protobeam/webots/webots",
                     "lib/cmake/protobeam/protobeamConfig.cmake", "include/protobeam/controller/webots/robot.h",
                     "share/protobeam/worlds/yard.wbt", "share/protobeam/protos", "share/protobeam/meshes",
                     "share/protobeam/mvsim", "share/protobeam/skeletons", "share/doc/protobeam/copyright", "share/doc/protobeam/changelog.gz",
                     "share/doc/protobeam/NEWS.gz"]:
            self.assertTrue((self.usr / name).exists(), name)
        self.assertEqual({path.name for path in self.root.iterdir()}, {"DEBIAN", "usr"})
        for line in run("dpkg-deb", "-c", self.deb).splitlines():
            mode, owner, *_ = line.split()
            self.assertEqual(owner, "root/root", line)
            self.assertIn(mode, ["-rw-r--r--", "-rwxr-xr-x", "drwxr-xr-x", "lrwxrwxrwx"], line)
        for path in self.usr.rglob("*"):
            self.assertTrue(path.exists(), f"{path} leads nowhere")
            self.assertNotEqual(path.name, "__pycache__")

    def test_is_stripped_and_searches_no_folder_of_the_build(self):
        for path in self.elf_files():
            self.assertNotIn(".symtab", run("readelf", "-S", "-W", path), path)
            for runpath in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", run("readelf", "-d", path)):
                self.assertTrue(runpath.startswith("$ORIGIN"), f"{path}: {runpath}")
                self.assertEqual(Path(runpath.replace("$ORIGIN", str(path.parent))).resolve(), (self.usr / "lib").resolve())

    def test_runs_a_world_from_where_it_is(self):
        words = ["--duration", "0.5", "--seed", "1"]
        said = self.protobeam("run", self.usr / "share/protobeam/worlds/yard.wbt", *words, "--out", "out")
        self.assertIn("controller 'rover' of rover exited with status 0", said)
        built = run(BUILD / "bin/protobeam", "run", SOURCE / "worlds/yard.wbt", *words, env=self.environment)
        hashes = [re.search(r"state hash (\w+)", text)[1] for text in (said, built)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual({path.name for path in (self.top / "out").iterdir()} & {"cloud.pcd", "ranges.png"},
                         {"cloud.pcd", "ranges.png"})
        for line in self.protobeam("info", "plugins").splitlines():
            self.assertIn(str(self.usr / "lib/protobeam/plugins"), line)

    def test_builds_a_controller_and_runs_it(self):
        project = self.top / "mine"
        for name, text in {"CMakeLists.txt": PROJECT, "worlds/mine.wbt": WORLD, "controllers/hello/hello.c": HELLO}.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        run(CMAKE, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.usr}", env=self.environment)
        run(CMAKE, "--build", project / "build", env=self.environment)
        self.assertIn("[mine] hello from mine", self.protobeam("run", project / "worlds/mine.wbt", "--duration", "0.2"))

    def test_builds_a_device_and_runs_its_world(self):
        self.protobeam("new", "device", "Whisker")
        project = self.top / "Whisker"
        # The compiler in a cache as for the tree itself, if there is one.
        cached = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}" for launcher in [shutil.which("ccache")] if launcher]
        run(CMAKE, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.usr}", "-DPROTOBEAM_TESTS=OFF",
            *cached, env=self.environment)
        run(CMAKE, "--build", project / "build", env=self.environment)
        said = self.protobeam("run", project / "worlds/Whisker.wbt", "--duration", "0.2")
        self.assertIn("exited with status 0", said)

    def test_is_found_by_scripts_and_what_python_keeps_of_it_goes_with_it(self):
        module = self.usr / "lib/python3/dist-packages/protobeam"
        if not module.exists():
            self.assertFalse((BUILD / "python/protobeam").exists())
            return
        script = "import sys, protobeam as p; w = p.World.load(sys.argv[1]); w.step(3); print(p.__file__)"
        said = self.protobeam("python", "-c", script, self.usr / "share/protobeam/worlds/arena.wbt")
        self.assertEqual(said.strip(), str(module / "__init__.py"))
        self.assertTrue((module / "__pycache__").exists())
        run("sh", self.root / "DEBIAN/prerm", "remove", env={**self.environment, "DPKG_ROOT": str(self.root)})
        self.assertEqual(list(self.usr.rglob("__pycache__")), [])
        self.assertTrue((module / "__init__.py").exists())

    def test_does_not_pack_itself(self):
        result = subprocess.run([self.usr / "bin/protobeam", "package"], capture_output=True, text=True, cwd=self.top,
                                env=self.environment)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("an installation cannot be packed; run ./protobeam package in a source tree", result.stderr)

    def test_leaves_what_was_installed_before_to_be_uninstalled(self):
        self.assertTrue(self.manifest_kept)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
