#!/usr/bin/env python3
"""Makes a random track of cones that a race car can drive: the same seed, the same track.

The centre line is a closed curve around the origin whose distance from it is a short Fourier series
in the angle, r(a) = 1 + sum of c_k cos(k a + p_k), scaled to the wanted length. It cannot cross itself
while r > 0. A candidate is taken when it also bends gently enough and keeps its parts apart; otherwise
the next one is drawn. The cones then stand on the two curves at half a width to its sides, at equal
distances along each of them: blue to the left, yellow to the right, four big orange ones at the line.

    make_track.py --seed 3 > track.csv
    make_track.py --seed 3 --world > cones.txt    # FormulaStudentCone nodes for a world

What it writes has EUFS' columns. The rules (width, spacing) are those of the Formula Student handbook.
"""
import argparse
import math
import random
import sys

POINTS = 2000  # of the centre line


def centre_line(rng, length, wildness):
    """A closed polygon [(x, y)], counter-clockwise, and None when the curve is no simple one."""
    waves = [(k, wildness * rng.uniform(0.3, 1.0) / k, rng.uniform(0, 2 * math.pi)) for k in range(2, 6)]
    radii = []
    for i in range(POINTS):
        a = 2 * math.pi * i / POINTS
        radii.append(1 + sum(c * math.cos(k * a + p) for k, c, p in waves))
    if min(radii) < 0.2:
        return None
    line = [(r * math.cos(2 * math.pi * i / POINTS), r * math.sin(2 * math.pi * i / POINTS))
            for i, r in enumerate(radii)]
    scale = length / perimeter(line)
    return resampled([(scale * x, scale * y) for x, y in line], POINTS)


def perimeter(line):
    return sum(math.dist(line[i - 1], line[i]) for i in range(len(line)))


def resampled(line, count):
    """`count` points of the closed polygon at equal distances along it; the first one stays."""
    step, out, travelled, k = perimeter(line) / count, [], 0.0, 0
    for i, a in enumerate(line):
        b = line[(i + 1) % len(line)]
        d = math.dist(a, b)
        while k < count and k * step <= travelled + d:
            t = (k * step - travelled) / d if d > 0 else 0.0
            out.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            k += 1
        travelled += d
    return out


def headings(line):
    n = len(line)
    return [math.atan2(line[(i + 1) % n][1] - line[i - 1][1], line[(i + 1) % n][0] - line[i - 1][0])
            for i in range(n)]


def least_radius(line):
    turned, n = headings(line), len(line)
    step, window = perimeter(line) / n, 5
    return min(2 * window * step / max(1e-9, abs(math.remainder(
        turned[(i + window) % n] - turned[i - window], 2 * math.pi))) for i in range(n))


def keeps_apart(line, gap):
    """No two places of the line are nearer than `gap` unless they are near along it, too."""
    coarse = line[::5]
    n, step = len(coarse), perimeter(line) / len(line[::5])
    along = math.ceil(math.pi / 2 * gap / step)
    for i in range(n):
        for j in range(i + along, min(n, n + i - along + 1)):
            if math.dist(coarse[i], coarse[j]) < gap:
                return False
    return True


def beside(line, offset):
    """The curve at `offset` to the left."""
    return [(x - offset * math.sin(a), y + offset * math.cos(a))
            for (x, y), a in zip(line, headings(line))]


def straightest(line, length):
    """Where the car has the straightest stretch of the length ahead and behind."""
    turned, n = headings(line), len(line)
    window = max(1, round(length / 2 * n / perimeter(line)))

    def bend(i):
        return sum(abs(math.remainder(turned[(i + j) % n] - turned[i], 2 * math.pi))
                   for j in range(-window, window + 1, 5))
    return min(range(n), key=lambda i: (round(bend(i), 6), i))


def make_track(seed, length=260.0, width=3.5, spacing=4.0, radius=9.0, wildness=0.8):
    """Rows (tag, x, y, direction)."""
    rng = random.Random(seed)
    for _ in range(1000):
        line = centre_line(rng, length, wildness)
        if line and least_radius(line) >= radius and keeps_apart(line, 3 * width):
            break
    else:
        raise SystemExit('make_track.py: no such track; ask for a longer or less wild one')
    first = straightest(line, 12)
    line = line[first:] + line[:first]
    rows = []
    for tag, side in (('blue', 1), ('yellow', -1)):
        curve = beside(line, side * width / 2)
        count = math.ceil(perimeter(curve) / spacing)
        cones = resampled(curve, count)
        # The first one of each side is a pair at the line, as far apart as their bases are wide.
        a = headings(line)[0]
        for along in (-0.25, 0.25):
            rows.append(('big_orange', cones[0][0] + along * math.cos(a),
                         cones[0][1] + along * math.sin(a), 0.0))
        rows += [(tag, x, y, 0.0) for x, y in cones[1:]]
    back = round(6.0 * len(line) / perimeter(line))  # the car stands 6 m before the line
    rows.append(('car_start', *line[-back], headings(line)[-back]))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--length', type=float, default=260.0, help='of the centre line, m')
    parser.add_argument('--width', type=float, default=3.5, help='between the two rows of cones, m')
    parser.add_argument('--spacing', type=float, default=4.0, help='between cones of a row, at most, m')
    parser.add_argument('--radius', type=float, default=9.0, help='least radius of the centre line, m')
    parser.add_argument('--wildness', type=float, default=0.8, help='0: a circle')
    parser.add_argument('--world', action='store_true', help='nodes for a world instead of the CSV')
    options = parser.parse_args()
    values = (options.length, options.width, options.spacing, options.radius, options.wildness)
    if not all(map(math.isfinite, values)) or options.length <= 0 or options.wildness < 0:
        parser.error('the length must be greater than 0, the wildness not negative')
    if options.width < 3 or not 1 <= options.spacing <= 5:
        parser.error('the rules want a width of at least 3 m, and a cone every 5 m at most')
    if options.radius < options.width:
        parser.error('the radius must be at least the width')
    rows = make_track(options.seed, *values)
    out = sys.stdout
    if options.world:
        for i, (tag, x, y, _) in enumerate(rows):
            if tag != 'car_start':
                out.write(f'FormulaStudentCone {{ name "cone {i}" translation {x:.3f} {y:.3f} 0 '
                          f'color "{tag}" }}\n')
        return
    out.write(f'# make_track.py --seed {options.seed} --length {options.length:g} --width {options.width:g} '
              f'--spacing {options.spacing:g} --radius {options.radius:g} --wildness {options.wildness:g}\n')
    out.write('tag,x,y,direction,x_variance,y_variance,xy_covariance\n')
    for tag, x, y, direction in rows:
        out.write(f'{tag},{x:.3f},{y:.3f},{direction:.4f},0.01,0.01,0\n')


if __name__ == '__main__':
    main()
