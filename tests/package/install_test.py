#!/usr/bin/env python3
"""install_test.py CMAKE SOURCE BUILD: what is installed runs where it is; uninstalling leaves what others own."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

cmake, source, build = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{words}: {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


def uninstall(**environment):
    return run(cmake, f"-DMANIFEST={build / 'install_manifest.txt'}", "-P", source / "cmake/Uninstall.cmake",
               env={**os.environ, **environment})


with tempfile.TemporaryDirectory() as folder:
    # A prefix with blanks, where something else is installed already.
    prefix = Path(folder) / "some where/protobeam"
    others = {"bin/other", "share/protobeam/worlds/mine.wbt", "lib/libother.so"}
    for name in others:
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).write_text("")

    run(cmake, "--install", build, "--prefix", prefix)
    installed = files_in(prefix)
    assert {"bin/protobeam", "share/protobeam/worlds/yard.wbt", "share/protobeam/worlds/square.world.xml"} <= installed
    assert len(installed) > 500, len(installed)
    elsewhere = dict(os.environ, HOME=folder, PROTOBEAM_RUNTIME_DIR=f"{folder}/run")
    os.mkdir(f"{folder}/run", 0o700)
    said = run(prefix / "bin/protobeam", "run", prefix / "share/protobeam/worlds/yard.wbt", "--duration", "0.5",
               cwd=folder, env=elsewhere)
    assert "controller 'rover' of rover exited with status 0" in said, said
    assert str(build) not in said and str(source) not in said, said

    # In place of Webots: a controller by its Makefile, against what is installed.
    home = Path(run(prefix / "bin/protobeam", "webots", "--home", env=elsewhere).strip())
    assert home == prefix / "lib/protobeam/webots", home
    assert run(home / "webots", "--version", env=elsewhere).startswith("Webots version: R2025a")
    controller = Path(folder) / "project/controllers/hello"
    controller.mkdir(parents=True)
    (controller / "hello.cpp").write_text("#include <webots/Robot.hpp>\nint main() { return sizeof(webots::Robot) < 1; }\n")
    (controller / "Makefile").write_text("include $(WEBOTS_HOME_PATH)/resources/Makefile.include\n")
    run("make", "-C", controller, f"WEBOTS_HOME={home}", "WEBOTS_HOME_PATH=" + str(home).replace(" ", "\\ "), env=elsewhere)
    run(controller / "hello")

    packages = prefix / "lib/python3/dist-packages/protobeam"
    if packages.exists():
        script = "import sys, protobeam as p; w = p.World.load(sys.argv[1]); w.step(9); print(w.state_hash, p.__file__)"
        world = prefix / "share/protobeam/worlds/arena.wbt"
        said = run(prefix / "bin/protobeam", "python", "-B", "-c", script, world, cwd=folder, env=elsewhere)
        assert str(packages) in said, said
        versioned = next((prefix / "lib").glob("python3.*/dist-packages"))  # where Python looks below /usr/local
        direct = run("/usr/bin/python3", "-B", "-c", script, world, cwd=folder, env={**elsewhere, "PYTHONPATH": str(versioned)})
        assert direct.split()[0] == said.split()[0], (direct, said)

    said = uninstall()
    assert f"Removed {len(installed) - len(others)} files" in said, said
    left = files_in(prefix)
    assert left == others, sorted(left ^ others)[:20]
    assert not (prefix / "lib/protobeam").exists() and not (prefix / "include/protobeam").exists()
    assert "Removed 0 files" in uninstall()  # twice does no harm

    # Packagers install below another root.
    root = Path(folder) / "root"
    run(cmake, "--install", build, "--prefix", "/usr", env={**os.environ, "DESTDIR": str(root)})
    assert (root / "usr/bin/protobeam").exists()
    uninstall(DESTDIR=str(root))
    assert not files_in(root), files_in(root)

print(f"{len(installed) - len(others)} files installed and removed")
