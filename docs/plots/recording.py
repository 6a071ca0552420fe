"""What the scripts of this folder have in common: worlds as text, and what `protobeam run` records in them."""
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = HERE.parent / "pictures" / "sensors"
PROGRAM = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "protobeam"

plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3})


def world(nodes, devices="", step=10, info="", robot="", protos=()):
    """Text of a world with one robot, "mast", that has `devices`."""
    lines = "".join(f'EXTERNPROTO "webots://{name}.proto"\n' for name in protos)
    return f"""#VRML_SIM R2025a utf8
{lines}WorldInfo {{ basicTimeStep {step} {info} }}
{nodes}
Robot {{ name "mast" controller "<none>" {robot} children [ {devices} ] }}
"""


def run(file, folder, duration, channels, seed=1):
    """Records `channels` of a world's file into `folder`; returns it."""
    command = [PROGRAM, "run", file, "--duration", str(duration), "--seed", str(seed), "--out", folder,
               "--proto-path", HERE.parent.parent / "protos"]
    for channel in channels:
        command += ["--channels", channel]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def record(text, duration, channels, seed=1):
    """Arrays of `channels` ("mast/camera:image") of a world's text, by channel."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "world.wbt").write_text(text)
        run(folder / "world.wbt", folder / "out", duration, channels, seed)
        return {name: read(folder / "out", name) for name in channels}


def read(folder, channel, **options):
    return np.load(folder / (channel.replace("/", "_").replace(":", ".") + ".npy"), **options)


def save(figure, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = PICTURES / f"{name}.png"
    figure.savefig(file, dpi=90)
    # A palette makes the files a third as large.
    Image.open(file).convert("RGB").quantize(128).save(file, optimize=True)
    plt.close(figure)
