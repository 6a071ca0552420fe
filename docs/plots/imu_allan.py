#!/usr/bin/env python3
"""Allan deviation of the products of protos/imus at rest: three hours at 100, 400 and 800 Hz of what the
devices report. Writes docs/pictures/sensors/imu-allan.png and prints fitted figures beside those of the
PROTOs. Needs python3-matplotlib; takes a few minutes and 2 GB below /tmp for each unit.

    docs/plots/imu_allan.py [PROGRAM [UNITS [RATE ...]]]

With rates there is no picture.
"""
import math
import pathlib
import sys
import tempfile

import numpy as np

from recording import plt, read, run, save, world

UNITS = int(sys.argv[2]) if len(sys.argv) > 2 else 1
HOURS, BLOCK = 3, 0.05
RATES = [int(rate) for rate in sys.argv[3:]] or [100, 400, 800]
TIME = 50.0      # correlation time of the drift, s
PEAK = 0.617364  # largest Allan deviation of a Gauss-Markov process, in its standard deviations
G, DEGREE = 9.80665, math.pi / 180

# N, B and K of accelerometer (m/s^2) and gyro (rad/s) as in the headers of the PROTOs, and the steps of
# their outputs.
PRODUCTS = {
    "VectorNavVN100": ((140e-6 * G, 40e-6 * G, 5e-5, 0),
                       (0.0035 * DEGREE, 7 * DEGREE / 3600, 7 * DEGREE / 3600 / math.sqrt(1200), 0)),
    "BoschBMI055": ((150e-6 * G, 40e-6 * G, 6.3e-5, 8 * G / 4096),
                    (0.014 * DEGREE, 10 * DEGREE / 3600, 2.4e-6, 2000 * DEGREE / 65536)),
    "TdkIAM20680HT": ((135e-6 * G, 40e-6 * G, 40e-6 * G / math.sqrt(1200), 8 * G / 65536),
                      (0.005 * DEGREE, 8 * DEGREE / 3600, 8 * DEGREE / 3600 / math.sqrt(1200),
                       1000 * DEGREE / 65536)),
}
PRODUCTS["VectorNavVN200"] = PRODUCTS["VectorNavVN100"]
CHANNELS = ("acceleration", "angular_velocity")


def recorded(rate, seed):
    """Means over BLOCK, by product and channel: what all later steps need of the output."""
    devices = " ".join(f'{name} {{ name "{name}" samplingPeriod {1000 / rate} }}' for name in PRODUCTS)
    channels = [f"mast/{name}:{channel}" for name in PRODUCTS for channel in CHANNELS]
    length = round(BLOCK * rate)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "rest.wbt"
        file.write_text(world("", devices, 1000 / rate, protos=PRODUCTS))
        run(file, folder, HOURS * 3600, channels, seed)
        means = {}
        for channel in channels:
            values = read(folder, channel, mmap_mode="r")
            count = len(values) // length
            means[channel] = values[:count * length].reshape(count, length, 3).mean(axis=1)
        return means


def allan_variances(means, sizes):
    """Overlapping Allan variance of columns, at averaging times of `sizes` blocks (W. Riley, NIST Special
    Publication 1065, 5.2.4), from sums."""
    sums = np.vstack([np.zeros(means.shape[1]), np.cumsum(means - means.mean(axis=0), axis=0)])
    result = []
    for m in sizes:
        second = sums[2 * m:] - 2 * sums[m:-m] + sums[:-2 * m]
        result.append((second**2).mean(axis=0) / (2 * m * m))
    return np.array(result)


def parts(taus):
    """Allan variances of N = 1, B = 1, K = 1 (IEEE Std 952-1997, annex C)."""
    x = taus / TIME
    drift = 2 / x * (1 - (3 - 4 * np.exp(-x) + np.exp(-2 * x)) / (2 * x))
    return np.stack([1 / taus, drift / PEAK**2, taus / 3], axis=1)


def fit(taus, variances, start):
    """N^2, B^2, K^2 by weighted least squares. A variance at tau has about HOURS / tau degrees of freedom,
    and is uncertain in proportion to what is expected there."""
    columns, found = parts(taus), np.array(start) ** 2
    scale = found.copy()
    for _ in range(5):
        weights = 1 / (np.maximum(columns @ found, 1e-30) * np.sqrt(taus))
        found = np.linalg.lstsq(columns * scale * weights[:, None], variances * weights,
                                rcond=None)[0] * scale
        found = np.maximum(found, 1e-6 * scale)
    return np.linalg.lstsq(columns * scale * weights[:, None], variances * weights, rcond=None)[0] * scale


def row(name, kind, figures, label, fits, rate):
    """One line of the table: ratios of fit and figure, with their standard errors."""
    expected = np.array(figures[:3]) ** 2
    if rate:  # Steps of the output add white noise, step^2 / 12 in each sample.
        expected[0] += figures[3] ** 2 / 12 / rate
    ratio = np.sqrt(np.maximum(fits.mean(axis=0), 0)) / figures[:3]
    error = fits.std(axis=0, ddof=1) / math.sqrt(len(fits)) / (2 * np.array(figures[:3]) ** 2)
    cells = [f"{r:6.3f} +- {e:5.3f}" for r, e in zip(ratio, error)]
    quantised = f"({math.sqrt(expected[0]) / figures[0]:5.3f})" if rate else " " * 7
    print(f"{name:15} {kind:14} {label:>7}  {cells[0]}  {quantised}  {cells[1]}  {cells[2]}",
          flush=True)


def main():
    sizes = sorted({round(2 ** (i / 2)) for i in range(0, 32)})
    taus = np.array(sizes) * BLOCK
    curves = {}
    for rate in RATES:
        for unit in range(UNITS):
            for channel, means in recorded(rate, unit + 1).items():
                curves.setdefault((channel, rate), []).append(allan_variances(means, sizes))
            print(f"# {rate} Hz, unit {unit + 1}", file=sys.stderr, flush=True)

    print("Fitted figures / those of the PROTO. In brackets: N with the steps of the output.")
    print(f"{'':39} {'N':>10} {'':13} {'B':>12} {'K':>17}")
    figure, axes = plt.subplots(2, 4, figsize=(12, 5.6), layout="constrained", sharex=True)
    for column, (name, both) in enumerate(PRODUCTS.items()):
        for line, (kind, figures) in enumerate(zip(("accelerometer", "gyro"), both)):
            axis, everything = axes[line][column], []
            for rate, style in zip(RATES, ("C0", "C1", "C2")):
                units = curves[f"mast/{name}:{CHANNELS[line]}", rate]
                variances = np.hstack(units)
                fits = np.array([fit(taus, v, figures[:3]) for v in variances.T])
                row(name, kind, figures, f"{rate} Hz", fits, rate)
                everything.append(fits)
                axis.loglog(taus, np.sqrt(variances[:, :3].mean(axis=1)), style, linewidth=1.2,
                            label=f"{rate} Hz")
            row(name, kind, figures, "all", np.vstack(everything), None)
            deviations = np.sqrt(parts(taus)) * figures[:3]
            for part, style, label in zip(deviations.T, (":", "--", "-."), ("N", "B", "K")):
                axis.loglog(taus, part, "k" + style, linewidth=0.8, label=label)
            total = np.sqrt((deviations**2).sum(axis=1))
            axis.set_ylim(total.min() / 4, total.max() * 1.5)
            axis.set_title(f"{name}, {kind}", fontsize=8)
    axes[0][0].legend(fontsize=7)
    for axis in axes[1]:
        axis.set_xlabel("averaging time, s")
    axes[0][0].set_ylabel("Allan deviation, m/s$^2$")
    axes[1][0].set_ylabel("Allan deviation, rad/s")
    if not sys.argv[3:]:
        save(figure, "imu-allan")


main()
