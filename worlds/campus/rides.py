"""The recordings along which the two suites ride: atv_spline.csv through the streets, hhs_spline.csv on foot.

Each is a closed way that is ridden once, from rest to rest. The rows are control poses of a cumulative
B-spline of order 6, as in spline.csv of the Multi-Campus Dataset; the body has axes forward, right, down.
tests/worlds/campus_test.cpp holds that nothing comes near, what moves included: who changes a way or its start changes when
it meets people and bicycles."""
import math

from grounds import HALF, STREETS_X, STREETS_Y, ground_height

ORDER = 6
DEGREE = math.pi / 180

# Corners of the ways, m: x, y, and the radius of the curve there.
#
# The vehicle: east over the square, over the lawn to the east street, south below the bridge, along the south
# street and the west street, between lecture hall and lawn back to the square. In the streets it keeps between
# the bicycles (52.6 and 42.6 m from the middle of the world) and the bus (57 and 47 m).
ATV_WAY = ((-20, 8, 0), (36.5, 8.5, 9), (46, 22, 7), (54.1, 22, 5), (54.1, -44.1, 6.5), (-54.1, -44.1, 6.5),
           (-54.1, 10.3, 5.5), (-34, 10.3, 12), (-27, 8, 12), (-20, 8, 0))
# On foot: west over the square, along the west pavement and the south one, past the bicycles at the lecture
# hall, between the two beds back to where it began.
HHS_WAY = ((10, 4.5, 0), (-18, 4.5, 6), (-31, 10.2, 6), (-48.6, 10.2, 3), (-48.6, -38.3, 3), (-30.6, -38.3, 3),
           (-30.6, -15, 5), (-14, -13, 5), (1, -7, 5), (1, 2, 3), (10, 4.5, 0))


class Way:
    """Straight lines with arcs at the corners, by the distance from its start."""

    def __init__(self, corners):
        self.points, self.yaws, self.distances = [], [], []
        yaw = None
        for i, (x, y, radius) in enumerate(corners):
            if i in (0, len(corners) - 1):
                self._add(x, y, yaw)
                continue
            before, after = corners[i - 1], corners[i + 1]
            a, b = math.atan2(y - before[1], x - before[0]), math.atan2(after[1] - y, after[0] - x)
            yaw = a if yaw is None else yaw
            bend = math.remainder(b - a, 2 * math.pi)
            side = math.copysign(1, bend)
            cut = radius * math.tan(abs(bend) / 2)
            cx = x - cut * math.cos(a) - side * radius * math.sin(a)
            cy = y - cut * math.sin(a) + side * radius * math.cos(a)
            steps = max(2, math.ceil(abs(bend) / (2 * DEGREE)))
            if not self.points[1:]:
                self.yaws[0] = a
            for k in range(steps + 1):
                c = a + bend * k / steps
                self._add(cx + side * radius * math.sin(c), cy - side * radius * math.cos(c), yaw + bend * k / steps)
            yaw += bend

    def _add(self, x, y, yaw):
        self.distances.append(
            self.distances[-1] + math.hypot(x - self.points[-1][0], y - self.points[-1][1]) if self.points else 0.0)
        self.points.append((x, y))
        self.yaws.append(yaw)

    @property
    def length(self):
        return self.distances[-1]

    def at(self, distance, start=0):
        """x, y, yaw, and the number of the piece, from piece `start` on."""
        i = start
        while i + 2 < len(self.points) and self.distances[i + 1] <= distance:
            i += 1
        share = (distance - self.distances[i]) / (self.distances[i + 1] - self.distances[i])
        share = min(1.0, max(0.0, share))
        (ax, ay), (bx, by) = self.points[i], self.points[i + 1]
        return (ax + (bx - ax) * share, ay + (by - ay) * share,
                self.yaws[i] + (self.yaws[i + 1] - self.yaws[i]) * share, i)

    def curved(self, distance, start):
        i = self.at(distance, start)[3]
        return abs(self.yaws[i + 1] - self.yaws[i]) > 1e-9


def ridden(way, dt, speed, slow, acceleration):
    """Distances at times dt apart: from rest to `speed`, `slow` in curves, to rest at the end."""
    # The greatest speed at places 0.1 m apart, such that no brake and no start is harder than `acceleration`.
    step = 0.1
    count = round(way.length / step)
    step = way.length / count
    piece, most = 0, []
    for i in range(count + 1):
        piece = way.at(i * step, piece)[3]
        most.append(slow if way.curved(i * step, piece) else speed)
    most[0] = most[-1] = 0.0
    for order in (range(1, count + 1), range(count - 1, -1, -1)):
        for i in order:
            near = most[i - 1 if order.step > 0 else i + 1]
            most[i] = min(most[i], math.sqrt(near * near + 2 * acceleration * step))
    out, distance, part = [0.0], 0.0, 40
    while way.length - distance > 0.01:
        for _ in range(part):
            i = min(int(distance / step), count - 1)
            share = distance / step - i
            # The last bit at a creep, or it would never arrive.
            v = max(0.05, math.sqrt(most[i] ** 2 + (most[i + 1] ** 2 - most[i] ** 2) * share))
            distance = min(way.length, distance + v * dt / part)
        out.append(distance)
    return out


def smooth(values, width):
    """The mean over `width` values, an odd number, twice: what bends at once bends over some time then."""
    half = width // 2
    for _ in range(2):
        padded = [values[0]] * half + values + [values[-1]] * half
        total = sum(padded[:width])
        out = [total / width]
        for i in range(width, len(padded)):
            total += padded[i] - padded[i - width]
            out.append(total / width)
        values = out
    return values


def ground(x, y):
    """The street, or what one stands on beside it."""
    if any(abs(x - s) < HALF for s in STREETS_X) or any(abs(y - s) < HALF for s in STREETS_Y):
        return 0.0
    return ground_height(x, y)


def product(a, b):
    """Of quaternions x, y, z, w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def turn(axis, angle):
    out = [0.0, 0.0, 0.0, math.cos(angle / 2)]
    out[axis] = math.sin(angle / 2)
    return tuple(out)


def recording(poses, dt, start):
    """The text of spline.csv. The first segment looks at the first six poses, so that the curve at time t is
    a mean around pose t / dt + 2.5."""
    rows = ['Dt: %g, Order: %d, Knots: %d, MinTime: %.3f, MaxTime: %.3f' % (
        dt, ORDER, len(poses), start, start + (len(poses) - ORDER + 1) * dt)]
    for i, ((x, y, z), (roll, pitch, yaw)) in enumerate(poses):
        # Yaw, pitch and roll of x forward, y left, z up; then half a turn, to y right, z down.
        q = product(product(product(turn(2, yaw), turn(1, pitch)), turn(0, roll)), turn(0, math.pi))
        row = ','.join('%.6f' % (v + 0.0 if abs(v) >= 5e-7 else 0.0) for v in (x, y, z, *q))
        rows.append('%d,%.3f,%s' % (i, start + dt * i, row))
    return '\n'.join(rows) + '\n'


def courses(corners, dt, speed, slow, acceleration, window):
    """Distance, x, y, yaw, height of the ground and its slope, smoothed over `window` values; rest at both ends."""
    way = Way(corners)
    distances = ridden(way, dt, speed, slow, acceleration)
    rest = ORDER + window
    distances = smooth([0.0] * rest + distances + [way.length] * rest, window)
    piece, rows = 0, []
    for s in distances:
        x, y, yaw, piece = way.at(s, piece)
        behind, ahead = way.at(max(0.0, s - 0.6)), way.at(min(way.length, s + 0.6))
        rise = ground(ahead[0], ahead[1]) - ground(behind[0], behind[1])
        rows.append((x, y, yaw, ground(x, y), math.atan2(rise, 1.2)))
    return [distances] + [smooth(list(column), window) for column in zip(*rows)]


def atv():
    """3.8 m/s, 3 m/s in curves; the sensors 1 m above the ground, level with it along the way."""
    dt = 0.1
    distances, xs, ys, yaws, heights, slopes = courses(ATV_WAY, dt, 3.8, 3.0, 0.8, 7)
    poses = []
    for i, s in enumerate(distances):
        # An uneven road: some millimetres, a fifth of a degree.
        z = 1.0 + heights[i] + 0.004 * math.sin(2 * math.pi * s / 2.9)
        roll = 0.2 * DEGREE * math.sin(2 * math.pi * s / 4.7)
        poses.append(((xs[i], ys[i], z), (roll, -slopes[i], yaws[i])))
    return recording(poses, dt, 1645069412.5)


def hhs():
    """1.2 m/s; carried 1.3 m above the ground. Two steps are a stride of 1.36 m: up and down with each step,
    to and fro with each stride, which is chosen to look right and not measured."""
    dt, stride = 0.05, 1.36
    distances, xs, ys, yaws, heights, _ = courses(HHS_WAY, dt, 1.2, 1.0, 0.5, 13)
    poses = []
    for i, s in enumerate(distances):
        # From rest the gait grows within the first step, and ends within the last one.
        share = min(1.0, s / stride, (distances[-1] - s) / stride)
        gait = share * share * (3 - 2 * share)
        step, sway = 4 * math.pi * s / stride, 2 * math.pi * s / stride
        aside = 0.02 * gait * math.sin(sway)
        x, y = xs[i] - aside * math.sin(yaws[i]), ys[i] + aside * math.cos(yaws[i])
        z = 1.3 + heights[i] - 0.015 * gait * math.cos(step)
        angles = (1.2 * DEGREE * gait * math.sin(sway + 0.4), 0.8 * DEGREE * gait * math.sin(step + 0.9),
                  yaws[i] + 1.5 * DEGREE * gait * math.sin(sway))
        poses.append(((x, y, z), angles))
    return recording(poses, dt, 1645069412.5)


RECORDINGS = {'atv_spline.csv': atv, 'hhs_spline.csv': hhs}
