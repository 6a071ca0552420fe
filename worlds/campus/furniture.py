"""What stands about and what drives: trees, lamps, benches, bicycles, signs, the bus stop, the bus."""
import math

import grounds
from grounds import KERB, TERRACE, ground_height
from pictures import chance
from shapes import unit

# Height of a trunk's solid part and its radius, by kind of tree.
TRUNKS = {'lime': (2.6, 0.17), 'birch': (2.2, 0.11), 'spruce': (1.6, 0.16)}


def sprays(m, material, centre, radii, count, size, seed, shell=0.55):
    """Tufts of leaves, five-sided, strewn between `shell` and the outside of an ellipsoid. Light passes
    between them, and a lidar's beams do."""
    for i in range(count):
        z = 1 - 2 * (i + 0.5) / count
        azimuth = 2.399963 * i + chance(i, 0, seed)  # the golden angle
        r = math.sqrt(1 - z * z)
        out = (r * math.cos(azimuth), r * math.sin(azimuth), z)
        reach = shell + (1 - shell) * chance(i, 1, seed)
        p = [c + q * o * reach for c, q, o in zip(centre, radii, out)]
        # A plane that is tilted at random, shaded as the crown's surface would be.
        lean = unit([o + 1.3 * (chance(i, 2 + k, seed) - 0.5) for k, o in enumerate(out)])
        u = unit((-lean[1], lean[0], 0.01))
        v = (lean[1] * u[2] - lean[2] * u[1], lean[2] * u[0] - lean[0] * u[2], lean[0] * u[1] - lean[1] * u[0])
        normal = unit([o / q + 0.25 * (k == 2) for k, (o, q) in enumerate(zip(out, radii))])
        points, uvs = [], []
        s, t = chance(i, 8, seed), chance(i, 9, seed)
        for k in range(5):
            a = 2 * math.pi * k / 5
            far = size * (0.7 + 0.6 * chance(i, 10 + k, seed))
            points.append(tuple(c + far * (math.cos(a) * e + math.sin(a) * f) for c, e, f in zip(p, u, v)))
            uvs.append((s + 0.2 * math.cos(a), t + 0.2 * math.sin(a)))
        m.face(material, points, uvs, [normal] * 5)


def lime(m):
    """9 m, a wide round crown."""
    m.post('bark', 0, 0, 0, 3.6, 0.2, sides=9, top_radius=0.13, cap=False)
    for i in range(5):
        a = 2 * math.pi * i / 5
        m.tube('bark', (0, 0, 2.7 + 0.15 * i), (1.5 * math.cos(a), 1.5 * math.sin(a), 5.2), 0.06, 5)
    m.ball('lime', 0, 0, 5.6, (1.7, 1.7, 2.0), 5, 8, lambda i, j: 0.85 + 0.3 * chance(i, j, 80))
    sprays(m, 'lime', (0, 0, 5.7), (2.9, 2.9, 3.2), 430, 0.4, 81)


def birch(m):
    """8 m, slender, a white trunk."""
    m.post('birch_bark', 0, 0, 0, 7.2, 0.12, sides=8, top_radius=0.03, cap=False)
    sprays(m, 'birch', (0, 0, 5.2), (1.45, 1.45, 3.0), 280, 0.3, 82, 0.2)


def spruce(m):
    """10 m: rings of hanging branches, each smaller than the one below."""
    m.post('bark', 0, 0, 0, 9.0, 0.18, sides=8, top_radius=0.03, cap=False)
    for ring in range(12):
        low, reach = 1.3 + 0.72 * ring, 2.3 * (1 - ring / 13)
        arms = 11 - ring // 2
        for i in range(arms):
            a = 2 * math.pi * (i + 0.5 * (ring % 2) + 0.3 * chance(i, ring, 83)) / arms
            far = reach * (0.85 + 0.3 * chance(i, ring, 84))
            c, s, wide = math.cos(a), math.sin(a), 0.36 * far + 0.1
            tip = (far * c, far * s, low - 0.22 * far)
            left = (0.55 * far * c - wide * s, 0.55 * far * s + wide * c, low - 0.05)
            right = (0.55 * far * c + wide * s, 0.55 * far * s - wide * c, low - 0.05)
            root = (0, 0, low + 0.75)
            for points in ((root, left, tip), (root, tip, right)):
                m.face('spruce', points, [(0.1 * ring, 0), (0.1 * ring + 0.5, 0.2), (0.1 * ring + 0.3, 0.6)],
                       [unit((c, s, 0.8))] * 3)


def tree_places():
    """(kind, x, y, size, yaw) of about ninety trees: rows along paths, groups on lawns, woods on the hills."""
    out = []

    def put(kind, x, y, size=None):
        n = len(out)
        out.append((kind, x, y, size or (0.85, 1.0, 1.15)[int(3 * chance(n, 0, 90))], 6.28 * chance(n, 1, 90)))
    for x in (-27.5, -20.5, -13.5, -6.5, 6.5, 13.5, 20.5, 27.5):  # the path to the square
        put('lime', x, -21.5)
        put('lime', x, -36.5)
    put('birch', -9, -5, 0.85)
    put('birch', 9, -5, 0.85)
    for y in (14, 21, 28, 34):
        put('birch', -31, y)
        put('birch', 31, y)
    for x, y in ((-40, 84), (-30, 92), (-12, 86), (-4, 97), (8, 85), (18, 95), (29, 82), (38, 96), (-22, 99)):
        put('lime' if x % 3 else 'birch', x, y)
    for i in range(16):  # the park in the north-west
        put('spruce' if i % 3 else 'lime', -115 + 50 * chance(i, 2, 91), 58 + 40 * chance(i, 3, 91))
    for y in (-32, -20, -8, 4, 16, 28):
        put('lime', -95, y)
        put('birch', -112 + 6 * chance(y, 4, 91), y + 5)
    for x, y in ((96, -30), (104, -14), (115, -32), (112, -9), (94, -8)):
        put('birch', x, y)
    for x in (8, 18, 29, 40):
        put('lime', x, -84)
        put('spruce', x + 3, -97)
    for i in range(10):
        put('birch' if i % 2 else 'spruce', -116 + 48 * chance(i, 5, 91), -98 + 40 * chance(i, 6, 91))
    for x in (70, 82, 94, 106, 117):
        put('lime', x, -92)
    return [(kind, x, y, ground_height(x, y) + (0.62 if (abs(x), y) == (9, -5) else 0), size, yaw)
            for kind, x, y, size, yaw in out]


def woods(grid):
    """Trees on the hills around, where only pictures and far beams see them."""
    out = []
    for i in (2, 3, 4):
        for j in range(len(grid[i])):
            x, y, z = grid[i][j]
            if chance(i, j, 92) < 0.75:
                out.append(('spruce' if chance(i, j, 93) < 0.6 else 'lime', x, y, z - 0.4,
                            (1.15, 1.4)[int(2 * chance(i, j, 94))], 6.28 * chance(i, j, 95)))
    return out


# ---- what stands about

def lamp(m, x, y, z):
    with m.frame(x, y, z):
        m.post('dark', 0, 0, 0, 0.5, 0.1, sides=8)
        m.post('dark', 0, 0, 0.5, 4.6, 0.055, sides=8, cap=False)
        m.post('light', 0, 0, 4.6, 4.75, 0.05, sides=8, top_radius=0.3, cap=False)
        m.post('dark', 0, 0, 4.75, 4.85, 0.34, sides=12)
        m.solid_post(0, 0, 0, 0.1, 4.85)


LAMPS = [(x, y) for x in (-50, 50) for y in (-33, -9, 16, 36)] + [(x, y) for x in (-60, 60) for y in (-35, -9, 18, 37)]
LAMPS += [(x, y) for y in (-40.4, 40.5) for x in (-38, -14, 14, 38)]
LAMPS += [(x, y) for y in (-50, 50) for x in (-33, -8, 25, 43)]
LAMPS += [(-27, -16.4), (27, -16.4), (-27, 10.5), (27, 10.5), (0, -40.4), (-1.8, -28), (1.8, -28), (-100, 50), (-78, -50),
          (78, -50), (100, -52), (-86, 10), (-86, -20), (90, 50)]


def bench(m, x, y, z, yaw):
    with m.frame(x, y, z, yaw):
        for i in range(4):
            m.box('wood', -0.9, -0.25 + 0.13 * i, 0.43, 0.9, -0.14 + 0.13 * i, 0.46, bottom=True)
        for i in range(2):
            m.box('wood', -0.9, 0.27, 0.58 + 0.16 * i, 0.9, 0.3, 0.7 + 0.16 * i)
        for s in (-0.7, 0.7):
            m.box('dark', s - 0.03, -0.22, 0, s + 0.03, -0.16, 0.43)
            m.box('dark', s - 0.03, 0.22, 0, s + 0.03, 0.28, 0.86)
        m.solid(-0.9, -0.25, 0, 0.9, 0.3, 0.46)


def bollard(m, x, y, z):
    m.post('dark', x, y, z, z + 0.85, 0.08, sides=10, solid=True)
    m.post('reflector', x, y, z + 0.62, z + 0.74, 0.083, sides=10, cap=False)


def bicycle(m):
    """Along x, standing on z = 0: frame, wheels, handlebar."""
    for x in (-0.52, 0.52):
        ring = [(x + 0.34 * math.cos(2 * math.pi * i / 14), 0, 0.34 + 0.34 * math.sin(2 * math.pi * i / 14))
                for i in range(14)]
        for a, b in zip(ring, ring[1:] + ring[:1]):
            m.tube('rubber', a, b, 0.018, 4)
        for i in range(0, 14, 2):
            m.tube('light', (x, 0, 0.34), ring[i], 0.004, 3)
    rear, crank, seat, head, front = (-0.52, 0, 0.34), (-0.08, 0, 0.3), (-0.24, 0, 0.82), (0.36, 0, 0.8), (0.52, 0, 0.34)
    for a, b in ((rear, crank), (rear, seat), (crank, seat), (crank, head), (seat, head), (head, front)):
        m.tube('frame', a, b, 0.02, 5)
    m.tube('dark', seat, (-0.26, 0, 0.95), 0.014, 4)
    m.tube('dark', head, (0.33, 0, 1.0), 0.014, 4)
    m.tube('dark', (0.33, -0.28, 1.02), (0.33, 0.28, 1.02), 0.014, 5)
    m.box('dark', -0.38, -0.07, 0.94, -0.12, 0.07, 1.0, bottom=True)


def rider(m):
    """Who sits on it."""
    for y in (-0.1, 0.1):
        knee = (0.12, 1.1 * y, 0.72 if y > 0 else 0.6)
        m.tube('trousers', (-0.24, y, 0.98), knee, 0.075, 8)
        m.tube('trousers', knee, (-0.02, y, 0.36 if y > 0 else 0.2), 0.055, 8)
        m.box('dark', -0.1, y - 0.05, 0.12 if y < 0 else 0.28, 0.16, y + 0.05, 0.2 if y < 0 else 0.36, bottom=True)
        m.tube('jacket', (0.05, 1.9 * y, 1.44), (0.2, 2.3 * y, 1.18), 0.05, 7)
        m.tube('skin', (0.2, 2.3 * y, 1.18), (0.34, 2.4 * y, 1.05), 0.038, 7)
    m.ball('jacket', -0.08, 0, 1.23, (0.17, 0.2, 0.36), 7, 10)
    m.ball('trousers', -0.24, 0, 0.99, (0.17, 0.18, 0.13), 5, 10)
    m.ball('skin', 0.1, 0, 1.66, (0.095, 0.085, 0.125), 7, 10)
    m.ball('helmet', 0.085, 0, 1.72, (0.135, 0.105, 0.1), 6, 10)


def wheel(m, x, y, radius, width):
    """About an axle along y; y is its middle."""
    a, b = y - width / 2, y + width / 2
    m.tube('rubber', (x, a, radius), (x, b, radius), radius, 20)
    for material, r, lift in (('rubber', radius, 0.0), ('light', 0.6 * radius, 0.01)):
        ring = [(x + r * math.cos(2 * math.pi * i / 20), radius + r * math.sin(2 * math.pi * i / 20)) for i in range(20)]
        m.face(material, [(p, a - lift, q) for p, q in ring])
        m.face(material, [(p, b + lift, q) for p, q in ring[::-1]])


def bus(m):
    """12 x 2.5 x 3.1 m, x forward, the origin on the ground at its middle."""
    m.box('bus_paint', -6, -1.25, 0.35, 6, 1.25, 3.1, top='plaster', bottom=True)
    for y, s in ((-1.25, -1), (1.25, 1)):
        out = y + 0.012 * s
        spans = [(-5.6, -3.7), (-3.6, -1.7), (-1.6, -0.3), (1.0, 2.6), (2.7, 4.2)] if s < 0 else \
            [(-5.6 + 1.95 * i, -3.7 + 1.95 * i) for i in range(5)] + [(4.25, 5.6)]
        doors = [(-0.2, 0.9), (4.3, 5.5)] if s < 0 else []
        for x0, x1, low in [(a, b, 1.3) for a, b in spans] + [(a, b, 0.45) for a, b in doors]:
            corners = [(x0, out, low), (x1, out, low), (x1, out, 2.75), (x0, out, 2.75)]
            m.face('dark_glass', corners if s < 0 else corners[::-1])
        corners = [(-6, out, 0.75), (6, out, 0.75), (6, out, 0.95), (-6, out, 0.95)]
        m.face('plaster', corners if s < 0 else corners[::-1])
        for x in (-3.2, 3.1):
            wheel(m, x, y - 0.1 * s, 0.48, 0.28)
    m.face('dark_glass', [(6.012, -1.1, 1.1), (6.012, 1.1, 1.1), (6.012, 1.1, 2.7), (6.012, -1.1, 2.7)])
    m.face('dark_glass', [(-6.012, 1.0, 1.6), (-6.012, -1.0, 1.6), (-6.012, -1.0, 2.6), (-6.012, 1.0, 2.6)])
    for y in (-0.95, 0.95):
        m.box('light', 6, y - 0.18, 0.6, 6.02, y + 0.18, 0.8)
        m.box('tail_light', -6.02, y - 0.15, 0.8, -6, y + 0.15, 1.1)


def sign(m, x, y, z, yaw, face):
    """A post with a plate that is seen from where x of its frame points to; faces as in signs.png."""
    left, bottom = {'crossing': (0, 0.5), 'limit': (0.5, 0.5), 'parking': (0, 0), 'bus stop': (0.5, 0)}[face]
    with m.frame(x, y, z, yaw):
        m.post('light', 0, 0, 0, 2.9, 0.035, sides=8, solid=True)
        d, w, low = 0.045, 0.32, 2.2
        m.picture('sign', (d, -w, low), (d, w, low), (d, w, low + 2 * w), (d, -w, low + 2 * w),
                  (left, bottom, left + 0.5, bottom + 0.5))
        m.box('light', 0.03, -w, low, d - 0.002, w, low + 2 * w, bottom=True)


def bus_stop(m, x, y, z):
    """A shelter that opens to the north, on the south street."""
    with m.frame(x, y, z):
        for a in (-2.4, 2.4):
            for b in (-0.7, 0.7):
                m.post('dark', a, b, 0, 2.4, 0.05, sides=8, cap=False, solid=True)
        m.box('dark', -2.7, -0.9, 2.4, 2.7, 1.0, 2.52, bottom=True)
        for a in (-2.36, 0.02):
            corners = [(a, -0.7, 0.25), (a + 2.34, -0.7, 0.25), (a + 2.34, -0.7, 2.25), (a, -0.7, 2.25)]
            m.face('pane', corners)
        m.face('pane', [(-2.4, -0.7, 0.25), (-2.4, 0.2, 0.25), (-2.4, 0.2, 2.25), (-2.4, -0.7, 2.25)])
        m.solid(-2.4, -0.72, 0.25, 2.4, -0.68, 2.25)
        bench(m, -0.8, -0.3, 0, math.pi)
    sign(m, x + 4.5, y + 1.2, z, math.pi, 'bus stop')


def hedge(m, x0, y0, x1, y1, height):
    """Cut square, with tufts on all of it; 0.8 m wide."""
    z = KERB
    m.box('hedge', x0, y0, z, x1, y1, z + height, solid=True)
    count = round((x1 - x0 + y1 - y0) * 3)
    for i in range(count):
        px, py = x0 + (x1 - x0) * chance(i, 0, 100), y0 + (y1 - y0) * chance(i, 1, 100)
        if i % 3:  # on a side of it
            if x1 - x0 > y1 - y0:
                py = y0 if i % 3 == 1 else y1
            else:
                px = x0 if i % 3 == 1 else x1
        pz = z + height * (1 if i % 3 == 0 else chance(i, 2, 100))
        a, b = 0.2 + 0.15 * chance(i, 3, 100), 6.28 * chance(i, 4, 100)
        c, s = a * math.cos(b), a * math.sin(b)
        m.face('hedge', [(px + c, py + s, pz - 0.05), (px - s, py + c, pz + 0.14), (px - c, py - s, pz + 0.02)],
               [(0, 0), (0.2, 0), (0.1, 0.2)], [(0, 0, 1)] * 3)


def hedges(m):
    """Along the outer edges of the blocks, and around the lawns beside the library."""
    ex, ey = grounds.EDGE_X - 1.2, grounds.EDGE_Y - 1.2
    for a, b in ((-ex, -61), (-48, 48), (61, ex)):
        for y in (-ey, ey):
            hedge(m, a, y - 0.4, b, y + 0.4, 1.5)
    for a, b in ((-ey, -51), (-38, 38), (51, ey)):
        for x in (-ex, ex):
            hedge(m, x - 0.4, a, x + 0.4, b, 1.5)
    for x in (-28.4, 28.4):
        hedge(m, x - 0.4, 12.6, x + 0.4, 36, 0.8)


def barriers(m):
    """A red and white bar across each end of a street."""
    ends = [(x, s * grounds.EDGE_Y, 0) for x in grounds.STREETS_X for s in (-1, 1)]
    ends += [(s * grounds.EDGE_X, y, math.pi / 2) for y in grounds.STREETS_Y for s in (-1, 1)]
    for x, y, yaw in ends:
        with m.frame(x, y, 0, yaw):
            for i in range(8):
                m.box('reflector' if i % 2 else 'white_sheeting', i - 4, -0.03, 0.8, i - 3, 0.03, 1.05, bottom=True)
            m.solid(-4, -0.05, 0, 4, 0.05, 1.05)
            for px in (-3.9, -1.3, 1.3, 3.9):
                m.post('light', px, 0, 0, 0.8, 0.04, sides=8)


# Where bicycles stand: x, y of the first, the step to the next, how many, yaw.
BICYCLES = ((-32.9, -31, 0, 0.8, 8, 0.0), (-32.9, -18, 0, 0.8, 6, 0.0), (48.2, 8, 0, 0.9, 7, math.pi))


def street_furniture(m):
    for x, y in LAMPS:
        lamp(m, x, y, ground_height(x, y))
    for x in (-22, -14, 14, 22):
        bench(m, x, -17.4, KERB, math.pi)
    for x in (-17, -7, 7, 17):
        bench(m, x, 38.6, TERRACE, 0)
    for y in (-30, -14, 2, 18, 30):
        bench(m, -90.6, y, KERB, math.pi / 2)
    for x in (-36, -24, 12, 30):
        bench(m, x, 76.8, KERB, math.pi)
    for x, y in ((-1.2, -34), (1.2, -34), (-1.2, -24), (1.2, -24)):
        bench(m, x * 1.9, y, KERB, math.pi / 2 if x < 0 else -math.pi / 2)
    for i in range(7):
        bollard(m, -3 + i, -38.6, KERB)
        bollard(m, -32.3, -6 + 2 * i, KERB)
        bollard(m, 32.3, -6 + 2 * i, KERB)
    for x, y, dx, dy, count, _ in BICYCLES:
        for i in range(count):  # hoops
            px, py = x + i * dx, y + (i + 0.5) * dy
            m.tube('light', (px - 0.3, py, KERB), (px - 0.3, py, KERB + 0.75), 0.02)
            m.tube('light', (px + 0.3, py, KERB), (px + 0.3, py, KERB + 0.75), 0.02)
            m.tube('light', (px - 0.3, py, KERB + 0.75), (px + 0.3, py, KERB + 0.75), 0.02)
    for x in (-55, 55):
        for y in (-45, 45):
            for quarter in range(4):
                yaw = quarter * math.pi / 2
                with m.frame(x, y, 0, yaw):
                    sign(m, 9.4, 4.7, KERB, 0, 'crossing')
    for x, y, yaw in ((-28, -40.5, math.pi), (28, 40.5, 0), (59.6, -10, -math.pi / 2), (-50.5, 22, math.pi / 2)):
        sign(m, x, y, KERB, yaw, 'limit')
    sign(m, 66, -50, KERB, math.pi, 'parking')
    sign(m, 66, 57, KERB, -math.pi / 2, 'parking')
    bus_stop(m, 14, -50.6, KERB)
    hedges(m)
    barriers(m)
