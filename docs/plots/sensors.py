#!/usr/bin/env python3
"""The pictures of docs/sensors.md but that of the IMUs (imu_allan.py): what sensors report in small worlds,
on top of closed forms. Writes docs/pictures/sensors/*.png; figures go to stdout. Run it from anywhere.

Needs python3-matplotlib.

    docs/plots/sensors.py [PROGRAM [NAME ...]]
"""
import math
import pathlib
import sys
import tempfile

import numpy as np

from recording import HERE, plt, read, record, run, save, world

ROOT = HERE.parent.parent
# Everything is as bright as its colour from everywhere, or a light shines along +x.
BRIGHT = "Background { skyColor [ 0.55 0.65 0.8 ] }"
LIT = BRIGHT + " DirectionalLight { direction 1 0.2 -0.4 intensity 1.5 }"


def ellipse(covariance, deviations):
    """Points of the ellipse of a covariance matrix."""
    values, vectors = np.linalg.eigh(covariance)
    turn = np.linspace(0, 2 * np.pi, 121)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    return deviations * vectors @ (np.sqrt(values)[:, None] * circle)


def gnss():
    device = """Gnss { name "gnss" samplingPeriod 1000 horizontalNoise 0.3 verticalNoise 0.6
      horizontalCorrelatedNoise 0.8 verticalCorrelatedNoise 1.5 horizontalCorrelationTime 120
      verticalCorrelationTime 120 }"""
    text = world("", device, 1000, 'gpsCoordinateSystem "WGS84" gpsReference 47.3977 8.5456 488')
    data = record(text, 72000, ["mast/gnss:enu", "mast/gnss:covariance"])
    error, covariance = data["mast/gnss:enu"], data["mast/gnss:covariance"][0].reshape(3, 3)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    axes[0].plot(error[:36000:10, 0], error[:36000:10, 1], ".", markersize=2, alpha=0.5)
    for deviations in (1, 2, 3):
        x, y = ellipse(covariance[:2, :2], deviations)
        axes[0].plot(x, y, "C3", linewidth=1)
        square = np.einsum("ni,ij,nj->n", error[:, :2], np.linalg.inv(covariance[:2, :2]), error[:, :2])
        print(f"gnss: within {deviations} sigma {100 * (square < deviations**2).mean():.1f} %, "
              f"expected {100 * (1 - math.exp(-deviations**2 / 2)):.1f} %")
    print("gnss: deviations", error.std(axis=0), "reported", np.sqrt(np.diag(covariance)))
    axes[0].set(title="ten hours at rest; ellipses of 1, 2, 3 sigma", xlabel="east, m", ylabel="north, m",
                aspect="equal")
    minutes = np.arange(900) / 60
    axes[1].plot(minutes, error[:900, 0], label="east", linewidth=0.8)
    axes[1].plot(minutes, error[:900, 2], label="up", linewidth=0.8)
    axes[1].set(title="the first 15 minutes", xlabel="time, min", ylabel="error, m")
    axes[1].legend()
    save(figure, "gnss")


def depth():
    finder = """RangeFinder {{ name "{}" translation 0 0 1 rotation 0 1 0 0.5 samplingPeriod 50 width 320
      height 240 fieldOfView 1.2 maxRange 10 {} }}"""
    devices = (finder.format("exact", "") + finder.format("noisy", "noise 0.002")
               + finder.format("steps", "noise 0.002 resolution 0.1"))
    stereo = """RgbdCamera { name "stereo" translation 0 0 1 rotation 0 1 0 0.5 samplingPeriod 50
      depthWidth 320 depthHeight 240 depthFieldOfView 1.2 senseColor FALSE maxDepth 10
      depthModel "stereo_formula" baseline 0.095 subpixel 0.08 }"""
    ground = """Solid { children [ Shape { appearance PBRAppearance { roughness 1 metalness 0 }
      geometry Plane { size 100 100 } } ] }"""
    finders = ("exact", "noisy", "steps")
    channels = [f"mast/{name}:range" for name in finders] + ["mast/stereo:depth"]
    data = record(world(ground, devices + stereo), 0.3, channels)
    depths = {name: data[f"mast/{name}:range"][-1].ravel().astype(float) for name in finders}
    raw = data["mast/stereo:depth"][-1].ravel()
    depths["stereo"] = np.where(raw > 0, raw * 0.001, np.nan)
    focal = 160 / math.tan(0.6)
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained", sharey=True)
    for axis, noisy, title, law in (
            (axes[0], "noisy", "noise 0.002 of 10 m", lambda r: 0.02 + 0 * r),
            (axes[1], "steps", "and resolution 0.1 m", lambda r: math.hypot(0.02, 0.1 / math.sqrt(12)) + 0 * r),
            (axes[2], "stereo", "stereo pair, 95 mm", lambda r: r ** 2 * 0.08 / (focal * 0.095))):
        r = depths["exact"]
        error = np.where(np.isfinite(r), depths[noisy], np.nan) - np.where(np.isfinite(r), r, 0)
        seen = np.isfinite(r) & np.isfinite(error)
        r, error = r[seen], error[seen]
        axis.plot(r[::11], 100 * error[::11], ".", markersize=1.5, alpha=0.4)
        bins = np.arange(1.25, 9.6, 0.5)
        middle, spread = [], []
        for low in bins:
            inside = (r >= low) & (r < low + 0.5)
            if inside.sum() > 100:
                middle.append(low + 0.25)
                spread.append(100 * error[inside].std())
        axis.plot(middle, spread, "C1o-", markersize=3, label="measured deviation")
        line = np.linspace(1.25, 9.6)
        axis.plot(line, 100 * law(line), color="C3", linewidth=1, label="expected deviation")
        axis.set(title=title, xlabel="depth, m", ylim=(-14, 38))
        print(f"depth: {title}: measured / expected deviation",
              np.round(np.array(spread) / (100 * law(np.array(middle))), 2))
    axes[0].set(ylabel="error, cm")
    axes[0].legend(loc="upper left")
    save(figure, "depth")


def uwb():
    ranges = np.arange(3, 300, 1.5)
    free = ", ".join(f"{r} 0 1" for r in ranges)
    behind = ", ".join(f"{-r} 0 1" for r in ranges)
    wall = """Solid { translation -2 0 1 children [ Shape { appearance PBRAppearance { }
      geometry Box { size 0.2 400 4 } } ] }"""
    device = f'LinkTrackP {{ name "tag" translation 0 0 1 anchors [ {free}, {behind} ] {{}} }}'
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, extra, limits in ((axes[0], "", (-1, 4)), (axes[1], "outliers TRUE", (-40, 60))):
        text = world(wall, device.replace("{}", extra), 50, protos=["LinkTrackP"])
        data = record(text, 20, ["mast/tag:ranges", "mast/tag:truth"])
        measured, true = data["mast/tag:ranges"], data["mast/tag:truth"]
        error = np.where(measured["valid"] > 0, measured["distance"] - true["distance"], np.nan)
        half = len(ranges)
        for label, part, colour in (("wall of 0.2 m", slice(half, None), "C1"),
                                    ("line of sight", slice(0, half), "C0")):
            r, e = true["distance"][::40, part].ravel(), error[::40, part].ravel()
            axis.plot(r, e, ".", color=colour, markersize=2, alpha=0.5, label=label)
            if not extra:
                near = error[:, part][:, ranges < 60]
                print(f"uwb, {label}: walls {true['walls'][0, part].mean():.0f}, median error below 60 m "
                      f"{np.nanmedian(near):.3f} m")
        knots = [10, 30, 50, 70, 90, 125, 175, 250]
        bias = [-0.06, 0, 0.05, 0.07, 0.16, 0.33, 0.41, 0.6]
        axis.plot(knots, bias, "k-", linewidth=1, label="bias of the figures")
        axis.set(title="with outliers" if extra else "without outliers", xlabel="range, m",
                 ylabel="measured - true range, m", ylim=limits)
    axes[0].legend(loc="upper left")
    save(figure, "uwb")


def cones():
    text = (ROOT / "worlds" / "track.wbt").read_text().replace("../protos/", "webots://")
    text = text.replace('controller "cone_driver"', 'controller "<none>"')
    text = text.replace('name "cones"', 'name "cones" covariances TRUE samplingPeriod 100 history 64 '
                        'lidarNoise "pacsim" pacsimAngleNoise 0.02 pacsimRangeNoise 0.05')
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "maps").mkdir()
        (folder / "maps" / "cones.csv").write_bytes((ROOT / "worlds" / "maps" / "cones.csv").read_bytes())
        (folder / "track.wbt").write_text(text)
        names = {key: f"car/cones:{key}" for key in ("camera", "lidar", "truth", "truth_count")}
        run(folder / "track.wbt", folder / "out", 3, names.values())
        rows = {key: read(folder / "out", name)[-1] for key, name in names.items()}
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained", sharey=True)
    colours = {2: "C0", 1: "gold", 0: "C1", 3: "C1", -1: "C7"}
    true = rows["truth"][:int(rows["truth_count"])]
    for axis, sensor, title in ((axes[0], "camera", "camera: 0.25 m on x and on y"),
                                (axes[1], "lidar", 'lidar: lidarNoise "pacsim", 0.02 rad, 5 cm')):
        found = rows[sensor].ravel()
        found = found[np.isfinite(found["x"])]
        squares = []
        for cone in found:
            axis.plot(cone["x"], cone["y"], ".", color=colours[int(cone["color"])], markersize=3)
        for cone in true:
            if (np.hypot(true["x"] - cone["x"], true["y"] - cone["y"]) < 3).sum() > 1:
                continue  # Detections of its neighbour lie in its ellipse.
            near = found[np.hypot(found["x"] - cone["x"], found["y"] - cone["y"]) < 1.5]
            if not len(near):
                continue
            covariance = np.array([[near["xx"].mean(), near["xy"].mean()],
                                   [near["xy"].mean(), near["yy"].mean()]], dtype=float)
            x, y = ellipse(covariance, 2)
            axis.plot(cone["x"] + x, cone["y"] + y, "k", linewidth=0.8)
            error = np.stack([near["x"] - cone["x"], near["y"] - cone["y"]], axis=1)
            squares.extend(np.einsum("ni,ij,nj->n", error, np.linalg.inv(covariance), error))
        print(f"cones, {sensor}: {100 * np.mean(np.array(squares) < 4):.1f} % within 2 sigma, expected 86.5 %, "
              f"of {len(squares)}")
        axis.plot(0, 0, "k>", markersize=8)
        axis.set(title=title, xlabel="ahead, m", ylabel="left, m", aspect="equal", xlim=(-1, 21),
                 ylim=(-8, 10))
    save(figure, "cones")


def image(data, name):
    picture = data[f"mast/{name}:image"][-1]
    return picture[..., 2::-1] if picture.ndim == 3 and picture.shape[-1] == 4 else picture


LENSES = (
    ("planar", "fieldOfView 1.57"),
    ("opencv", "lensModel \"opencv\" intrinsics [ 90 90 99.5 99.5 ] distortion [ -0.25 0.05 0 0 ]"),
    ("opencv, rational", "lensModel \"opencv\" intrinsics [ 90 90 99.5 99.5 ] "
     "distortion [ 0.6 0.02 0.001 -0.002 0 1.1 0.2 0.01 ]"),
    ("fisheye", "lensModel \"fisheye\" intrinsics [ 68 68 99.5 99.5 ] distortion [ 0.02 -0.01 0 0 ]"),
    ("eucm", "lensModel \"eucm\" intrinsics [ 80 80 99.5 99.5 ] distortion [ 0.6 1.1 ]"),
    ("double_sphere", "lensModel \"double_sphere\" intrinsics [ 70 70 99.5 99.5 ] distortion [ -0.2 0.6 ]"),
    ("cylindrical", "projection \"cylindrical\" fieldOfView 2.6"),
    ("spherical", "projection \"spherical\" fieldOfView 2.9"),
)


def lenses():
    board = np.kron(np.indices((16, 16)).sum(axis=0) % 2, np.ones((32, 32)))
    # A red and a blue field show which way up it is.
    picture = np.stack([board * 0.85 + 0.08] * 3, axis=-1)
    picture[256:288, 256:288] = (0.9, 0.1, 0.1)
    picture[192:224, 256:288] = (0.1, 0.2, 0.9)
    nodes = LIT + """Solid { translation 1 0 0 rotation 0 1 0 -1.5708 children [ Shape {
      appearance PBRAppearance { roughness 1 metalness 0 baseColorMap ImageTexture { url "board.png" } }
      geometry Plane { size 4 4 } } ] }"""
    devices = " ".join(f'Camera {{ name "c{i}" samplingPeriod 50 width 200 height 200 antiAliasing TRUE antiAliasingRays 4 '
                       f'{fields} }}' for i, (_, fields) in enumerate(LENSES))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plt.imsave(folder / "board.png", picture)
        (folder / "board.wbt").write_text(world(nodes, devices))
        channels = [f"mast/c{i}:image" for i in range(len(LENSES))]
        run(folder / "board.wbt", folder, 0.1, channels)
        data = {channel: read(folder, channel) for channel in channels}
    figure, axes = plt.subplots(2, 4, figsize=(9, 4.8), layout="constrained")
    for i, (axis, (title, _)) in enumerate(zip(axes.ravel(), LENSES)):
        axis.imshow(image(data, f"c{i}"))
        axis.set_title(title)
        axis.axis("off")
    save(figure, "lenses")


def shutter():
    def box(position, size, rotation, motion, colour):
        return f"""Solid {{ name "{colour}" translation {position} rotation {rotation} {motion} children [ DEF B Shape {{
          appearance PBRAppearance {{ roughness 1 metalness 0 baseColor {colour} }}
          geometry Box {{ size {size} }} }} ] boundingObject Box {{ size {size} }}
          physics Physics {{ density 1000 }} }}"""
    nodes = (LIT + box("4 0.6 0.6", "0.05 2.2 0.16", "1 0 0 0.3", "angularVelocity 62.8 0 0", "0.9 0.4 0.1")
             + box("4 1.8 -1.45", "0.05 0.2 0.9", "0 0 1 0", "linearVelocity 0 -14 0", "0.1 0.3 0.9")
             + box("4 -0.8 -1.45", "0.05 0.2 0.9", "0 0 1 0", "", "0.8 0.8 0.8"))
    devices = "".join(f'Camera {{ name "{name}" samplingPeriod 40 width 320 height 320 fieldOfView 1 '
                      f'antiAliasing TRUE rowTime {time} }}'
                      for name, time in (("global", 0), ("rolling", 1e-4)))
    text = world(nodes, devices, 1, "gravity 0")
    data = record(text, 0.08, ["mast/global:image", "mast/rolling:image"])
    figure, axes = plt.subplots(1, 2, figsize=(7.5, 4.2), layout="constrained")
    for axis, name, title in ((axes[0], "global", "all rows at once"),
                              (axes[1], "rolling", "rowTime 1e-4: 32 ms from top to bottom")):
        axis.imshow(data[f"mast/{name}:image"][0][..., 2::-1])
        axis.set_title(title)
        axis.axis("off")
    save(figure, "shutter")


def photon_transfer():
    gain, dark, black = 0.0255, 15.0, 8.0
    exposures = np.concatenate([[0], np.linspace(0.03, 1.05, 25)])
    devices = " ".join(
        f'Camera {{ name "e{i}" samplingPeriod 20 width 64 height 64 fieldOfView 0.3 pixelFormat "mono8" '
        f'sensorModel "emva1288" systemGain {gain} darkNoise {dark} blackLevel {black} prnu 0.01 '
        f'exposure {e} }}' for i, e in enumerate(exposures))
    nodes = """Solid { translation 2 0 0 children [ Shape { appearance PBRAppearance { baseColor 0 0 0
      roughness 1 metalness 0 emissiveColor 1 1 1 } geometry Box { size 0.01 4 4 } } ] }"""
    channels = [f"mast/e{i}:image" for i in range(len(exposures))]
    data = record(world(nodes, devices), 2, channels)
    mean, variance = [], []
    for channel in channels:
        images = data[channel].astype(float)
        mean.append(images.mean())
        variance.append(images.var(axis=0, ddof=1).mean())  # of each pixel in time, as prnu is constant
    mean, variance = np.array(mean), np.array(variance)
    used = (mean > black + 5) & (mean < 170)  # EMVA 1288: up to 70 % of saturation
    slope, offset = np.polyfit(mean[used] - mean[0], variance[used] - variance[0], 1)
    print(f"photon transfer: slope {slope:.5f}, systemGain {gain}; variance in the dark {variance[0]:.4f}, "
          f"expected {gain**2 * dark**2 + 1 / 12:.4f}")
    figure, axis = plt.subplots(figsize=(5.5, 3.8), layout="constrained")
    axis.plot(mean, variance, "o", markersize=4, label="images")
    line = np.array([black, 255])
    axis.plot(line, gain * (line - black) + gain**2 * dark**2 + 1 / 12, "C3", linewidth=1,
              label="systemGain x (mean - blackLevel)\n+ systemGain$^2$ darkNoise$^2$ + 1/12")
    axis.set(title='Photon transfer of sensorModel "emva1288"', xlabel="mean of the image",
             ylabel="variance of a pixel in time")
    axis.legend(loc="upper left")
    save(figure, "photon-transfer")


def small_ones():
    figure, axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained")
    # Radar: targets of 1 and 10 m^2 on two lines.
    r = np.geomspace(5, 200, 24)
    targets = " ".join(f'Solid {{ name "{s}_{i}" translation {d * math.cos(b)} {d * math.sin(b)} 0 '
                       f'radarCrossSection {s} }}'
                       for s, b in ((1, 0.1), (10, -0.1)) for i, d in enumerate(r))
    text = world(targets, 'Radar { name "radar" samplingPeriod 50 minRange 1 maxRange 250 minRadialSpeed 0 '
                          'rangeNoise 0.5 angularNoise 0.01 minDetectableSignal -100 }')
    data = record(text, 0.1, ["mast/radar:targets", "mast/radar:count"])
    found = data["mast/radar:targets"][-1][:int(np.ravel(data["mast/radar:count"])[-1])]
    axes[0].semilogx(found["distance"], found["receivedPower"], ".", markersize=4)
    wavelength = 299792458 / 24e9
    for section, colour in ((1, "C3"), (10, "C1")):
        power = (1 + 2 * 20 + 10 * np.log10(wavelength**2 * section / (4 * math.pi) ** 3)
                 - 40 * np.log10(r))
        axes[0].semilogx(r, power, colour, linewidth=1, label=f"{section} m$^2$")
    axes[0].axhline(-100, color="k", linewidth=0.8, linestyle="--")
    axes[0].set(title="Radar", xlabel="measured distance, m", ylabel="received power, dBm")
    axes[0].legend()

    text = world("", 'Altimeter { name "a" samplingPeriod 10 accuracy 0.2 resolution 0.05 }')
    heights = np.ravel(record(text, 100, ["mast/a:altitude"])["mast/a:altitude"])
    bins = np.arange(-0.825, 0.83, 0.05)
    axes[1].hist(heights, bins, density=True, color="C0")
    x = np.linspace(-0.8, 0.8, 200)
    axes[1].plot(x, np.exp(-x**2 / 2 / 0.2**2) / 0.2 / math.sqrt(2 * math.pi), "C3", linewidth=1)
    axes[1].set(title="Altimeter, accuracy 0.2 m", xlabel="error, m", ylabel="density, 1/m")
    print(f"altimeter: deviation {heights.std():.4f} m, expected {math.hypot(0.2, 0.05 / math.sqrt(12)):.4f} m")

    spin = "angularVelocity 0 0 0.6 boundingObject Box { size 1 1 1 } physics Physics { }"
    text = world("", 'Compass { name "c" samplingPeriod 100 noise 0.03 }', 10, "gravity 0", spin)
    data = record(text, 10, ["mast/c:north"])["mast/c:north"]
    t = 0.1 * (1 + np.arange(len(data)))
    for i, name, wanted in ((0, "x", np.sin(0.6 * t)), (1, "y", np.cos(0.6 * t))):
        axes[2].plot(t, data[:, i], ".", color=f"C{i}", markersize=3, label=name)
        axes[2].plot(t, wanted, color=f"C{i}", linewidth=0.8)
    axes[2].set(title="Compass that turns at 0.6 rad/s", xlabel="time, s", ylabel="north")
    axes[2].legend()

    r = np.linspace(0.5, 5, 19)
    sensors = " ".join(f'LightSensor {{ name "l{i}" translation {-d} 0 0 samplingPeriod 50 lookupTable [ ] }}'
                       for i, d in enumerate(r))
    names = [f"mast/l{i}:irradiance" for i in range(len(r))]
    light = "PointLight { location 0 0 0 attenuation 0 0 1 intensity 2 ambientIntensity 0 radius 100 }"
    light += " Solid { children [ Shape { geometry Sphere { radius 0.02 } } ] }"  # the lamp
    data = record(world(light, sensors), 0.1, names)
    values = [float(np.ravel(data[name])[-1]) for name in names]
    axes[3].plot(r, values, "o", markersize=4)
    axes[3].plot(r, 2 / r**2, "C3", linewidth=1, label="2 / distance$^2$")
    axes[3].set(title="LightSensor", xlabel="distance from a PointLight, m", ylabel="irradiance, W/m$^2$")
    axes[3].legend()
    save(figure, "others")


def ground_truth():
    def solid(name, position, geometry, colour, label, kelvin):
        return f"""Solid {{ name "{name}" model "{label}" translation {position} rotation 0 0 1 0.5
          recognitionColors [ {colour} ] temperature {kelvin} children [ Shape {{
          appearance PBRAppearance {{ roughness 1 metalness 0 baseColor {colour} }} geometry {geometry} }} ] }}"""
    crate, person = "Box { size 1 1 1 }", "Capsule { radius 0.25 height 1.3 }"
    nodes = (LIT + "Solid { children [ Shape { appearance PBRAppearance { roughness 1 metalness 0 "
             "baseColor 0.5 0.5 0.45 } geometry Plane { size 100 100 } } ] }"
             + solid("crate", "5 1.4 0.5", crate, "0.6 0.4 0.2", 10, 285)
             + solid("other crate", "7 -1.7 0.5", crate, "0.6 0.4 0.2", 10, 283)
             + solid("person", "5.5 0.1 0.9", person, "0.2 0.4 0.8", 40, 309)
             + solid("engine", "8 0.9 0.4", "Box { size 1.5 0.8 0.8 }", "0.4 0.4 0.4", 70, 340))
    view = 'translation 0 0 1.4 rotation 0 1 0 0.12 samplingPeriod 100 width 320 height 240 fieldOfView 1'
    devices = f"""Camera {{ name "camera" {view} antiAliasing TRUE recognition Recognition {{ fromStart TRUE
      occlusion 2 segmentation TRUE segmentationColors "instances" }} }}
      ThermalCamera {{ name "thermal" {view} ambientTemperature 288 noise 0.3 }}"""
    names = [f"mast/{name}" for name in ("camera:image", "camera:segmentation", "camera:objects",
                                         "camera:objectCount", "thermal:image")]
    image, segments, objects, count, levels = (record(world(nodes, devices), 0.1, names)[n][-1] for n in names)
    kelvin = levels.reshape(240, 320) * 0.01
    print(f"thermal: {kelvin.min():.1f} to {kelvin.max():.1f} K; {int(np.ravel(count)[0])} objects")
    figure, axes = plt.subplots(1, 3, figsize=(11.5, 2.9), layout="constrained")
    axes[0].imshow(image[..., 2::-1])
    for found in objects[:int(np.ravel(count)[0])]:
        width, height = found["columns"], found["rows"]
        corner = found["column"] - width / 2, found["row"] - height / 2
        axes[0].add_patch(plt.Rectangle(corner, width, height, fill=False, color="w", linewidth=1.2))
    axes[1].imshow(segments[..., 2::-1])
    shown = axes[2].imshow(kelvin, cmap="inferno")
    figure.colorbar(shown, ax=axes[2], label="K", shrink=0.8)
    for axis, title in zip(axes, ("boxes of what is seen", 'segmentationColors "instances"', "ThermalCamera")):
        axis.set_title(title)
        axis.axis("off")
    save(figure, "ground-truth")


PLOTS = {"gnss": gnss, "depth": depth, "uwb": uwb, "cones": cones, "lenses": lenses, "shutter": shutter,
         "photon-transfer": photon_transfer, "ground-truth": ground_truth, "others": small_ones}

for wanted in sys.argv[2:] or PLOTS:
    PLOTS[wanted]()
