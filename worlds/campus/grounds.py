"""Streets, blocks with kerbs, crossings, the square with its terrace, lawns and the land around.

The streets run along x = -55, 55 and y = -45, 45, eight metres wide, traffic on the right. Between
them and around them lie nine blocks, 0.12 m higher: the height of a kerb."""
import math

from pictures import value_noise
from shapes import number, unit

KERB = 0.12
STREETS_X, STREETS_Y = (-55, 55), (-45, 45)  # middle lines
HALF = 4.0  # of a street's width
EDGE_X, EDGE_Y = 125, 105  # where blocks end
TERRACE = KERB + 6 * 0.15

# Lawns: x0, y0, x1, y1, height of the hills. Nothing stands on them but trees, lamps and benches.
LAWNS = (
    (-31, -38, -3, -20, 0.7), (3, -38, 31, -20, 0.9),                      # south of the square
    (-46, 12, -29, 36, 0.5), (29, 12, 46, 36, 0.4),                        # on both sides of the library
    (-46, 78, 44, 102, 2.4), (-121, 54, -64, 101, 3.6),                    # north
    (-121, -37, -92, 37, 2.2), (90, -37, 121, -4, 1.6),                    # west and east
    (2, -101, 46, -80, 1.8), (-121, -101, -64, -54, 2.8),                  # south
    (64, -101, 121, -88, 0.9),
)
SPACING = 2.0  # m, of the points of a lawn


def blocks():
    xs = [(-EDGE_X, STREETS_X[0] - HALF), (STREETS_X[0] + HALF, STREETS_X[1] - HALF), (STREETS_X[1] + HALF, EDGE_X)]
    ys = [(-EDGE_Y, STREETS_Y[0] - HALF), (STREETS_Y[0] + HALF, STREETS_Y[1] - HALF), (STREETS_Y[1] + HALF, EDGE_Y)]
    return [(x0, y0, x1, y1) for x0, x1 in xs for y0, y1 in ys]


def rounded(x0, y0, x1, y1, radius, steps=6):
    """A rectangle's outline, counterclockwise."""
    out = []
    for cx, cy, start in ((x1 - radius, y0 + radius, -1), (x1 - radius, y1 - radius, 0),
                          (x0 + radius, y1 - radius, 1), (x0 + radius, y0 + radius, 2)):
        for i in range(steps + 1):
            a = math.pi / 2 * (start + i / steps)
            out.append((cx + radius * math.cos(a), cy + radius * math.sin(a)))
    return out


def slab(m, x0, y0, x1, y1):
    """A block: kerbstones along its rounded outline, paving within."""
    outer, inner = rounded(x0, y0, x1, y1, 6), rounded(x0 + 0.2, y0 + 0.2, x1 - 0.2, y1 - 0.2, 5.8)
    for i in range(len(outer)):
        k = (i + 1) % len(outer)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = outer[i], outer[k], inner[k], inner[i]
        m.face('kerb', [(ax, ay, 0), (bx, by, 0), (bx, by, KERB), (ax, ay, KERB)])
        m.face('kerb', [(ax, ay, KERB), (bx, by, KERB), (cx, cy, KERB), (dx, dy, KERB)])
    # Strips across, so that no triangle is as long as the block.
    corner = len(inner) // 4
    m.face('paving', [(x, y, KERB) for x, y in inner[:corner] + inner[3 * corner:]])
    m.face('paving', [(x, y, KERB) for x, y in inner[corner:3 * corner]])
    middle = [inner[3 * corner], inner[corner - 1], inner[corner], inner[3 * corner - 1]]
    m.face('paving', [(x, y, KERB) for x, y in middle])


def dashes(m, a, b, z=0.006):
    """A broken line along x or y: 3 m of paint, 4 m of none."""
    along_x = a[1] == b[1]
    length = abs(b[0] - a[0]) + abs(b[1] - a[1])
    for i in range(int((length - 3) // 7) + 1):
        s = (length - 7 * int((length - 3) // 7) - 3) / 2 + 7 * i
        if along_x:
            m.level('paint', a[0] + s, a[1] - 0.06, a[0] + s + 3, a[1] + 0.06, z)
        else:
            m.level('paint', a[0] - 0.06, a[1] + s, a[0] + 0.06, a[1] + s + 3, z)


def markings(m):
    """Middle lines, and a crossing with stop lines in each arm of the four junctions."""
    z = 0.006
    stop = HALF + 7  # from a junction's middle to the line where a street's dashes end
    for x in STREETS_X:
        for y0, y1 in ((-EDGE_Y, STREETS_Y[0] - stop), (STREETS_Y[0] + stop, STREETS_Y[1] - stop),
                       (STREETS_Y[1] + stop, EDGE_Y)):
            dashes(m, (x, y0), (x, y1))
    for y in STREETS_Y:
        for x0, x1 in ((-EDGE_X, STREETS_X[0] - stop), (STREETS_X[0] + stop, STREETS_X[1] - stop),
                       (STREETS_X[1] + stop, EDGE_X)):
            dashes(m, (x0, y), (x1, y))
    for x in STREETS_X:
        for y in STREETS_Y:
            for quarter in range(4):
                with m.frame(x, y, 0, quarter * math.pi / 2):
                    a, b = HALF + 2.2, HALF + 5.2
                    m.face('crossing', [(a, -HALF, z), (b, -HALF, z), (b, HALF, z), (a, HALF, z)],
                           [(0, 0), (0, 1), (4, 1), (4, 0)])
                    m.level('paint', b + 0.7, 0.1, b + 1.0, HALF - 0.2, z)


def steps(m, x0, x1, y, count, rise, depth):
    """Steps that go up along y; their foot is at y."""
    for i in range(count):
        low, front = KERB + i * rise, y + i * depth
        m.face('stone', [(x0, front, low), (x1, front, low), (x1, front, low + rise), (x0, front, low + rise)])
        m.level('stone', x0, front, x1, front + depth, low + rise)
        m.solid(x0, front, low, x1, y + count * depth, low + rise)


def square(m):
    """Setts, two round beds, and the terrace of the library above six steps."""
    z = KERB + 0.006
    m.level('setts', -31, -18, 31, 12, z)
    for y in (-18.4, 12.0):
        m.level('kerb', -31.4, y, 31.4, y + 0.4, z)
    for x in (-31.4, 31):
        m.level('kerb', x, -18, x + 0.4, 12, z)
    for x in (-9, 9):  # the beds
        ring = [(math.cos(2 * math.pi * i / 32), math.sin(2 * math.pi * i / 32)) for i in range(32)]
        with m.frame(x, -5):
            m.post('stone', 0, 0, z, z + 0.5, 4.5, sides=32, cap=False)
            for (c0, s0), (c1, s1) in zip(ring, ring[1:] + ring[:1]):
                m.face('stone', [(4.5 * c0, 4.5 * s0, z + 0.5), (4.5 * c1, 4.5 * s1, z + 0.5),
                                 (4.1 * c1, 4.1 * s1, z + 0.5), (4.1 * c0, 4.1 * s0, z + 0.5)])
                m.face('grass', [(4.1 * c0, 4.1 * s0, z + 0.45), (4.1 * c1, 4.1 * s1, z + 0.45), (0, 0, z + 0.8)])
            m.solid_post(0, 0, z, 4.5, 0.5)
    # The terrace, 0.9 m above the square; steps along all of its front.
    front = 14.0
    steps(m, -24, 24, front - 6 * 0.35, 6, 0.15, 0.35)
    m.level('setts', -26, front, 26, 20, TERRACE)
    m.level('setts', -26, 20, 26, 40, TERRACE)
    for x0, x1 in ((-26, -24), (24, 26)):
        m.box('stone', x0, front - 6 * 0.35, KERB, x1, front, TERRACE + 0.25, solid=True)
    for a, b, c, d in ((-26, front, -25.7, 40), (25.7, front, 26, 40), (-25.7, 39.7, 25.7, 40)):
        m.box('stone', a, b, KERB, c, d, TERRACE + 0.5, solid=True)
    m.solid(-26, front, KERB, 26, 40, TERRACE)


def lawn_height(lawn, x, y):
    """Of the grass above the paving: flat at the edges, hills within."""
    x0, y0, x1, y1, top = lawn
    u, v = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)
    if not (0 < u < 1 and 0 < v < 1):
        return 0.03
    edge = min(1, 5 * u * (1 - u)) * min(1, 5 * v * (1 - v))
    edge *= edge
    hills = 0.5 + 0.5 * value_noise(x / 21, y / 21, 60) + 0.2 * value_noise(x / 9, y / 9, 61)
    return 0.03 + top * edge * max(0, hills)


def ground_height(x, y):
    """Of whatever one stands on within a block."""
    for lawn in LAWNS:
        if lawn[0] <= x <= lawn[2] and lawn[1] <= y <= lawn[3]:
            return KERB + lawn_height(lawn, x, y)
    return KERB


def lawns():
    """Texts of the lawns: one ElevationGrid each, for rays and for wheels."""
    for i, lawn in enumerate(LAWNS):
        x0, y0, x1, y1, _ = lawn
        columns, rows = round((x1 - x0) / SPACING) + 1, round((y1 - y0) / SPACING) + 1
        dx, dy = (x1 - x0) / (columns - 1), (y1 - y0) / (rows - 1)
        heights = [' '.join(number(lawn_height(lawn, x0 + k * dx, y0 + j * dy)) for k in range(columns))
                   for j in range(rows)]
        yield '''Solid {
  translation %s %s %s
  name "lawn %d"
  children [
    Shape {
      appearance PBRAppearance {
        baseColorMap USE GRASS_PICTURE
        textureTransform TextureTransform { scale %s %s }
        roughness 1
        metalness 0
        lidarReflectance 0.5
      }
      geometry DEF LAWN_%d ElevationGrid {
        xDimension %d
        yDimension %d
        xSpacing %s
        ySpacing %s
        height [
          %s
        ]
      }
    }
  ]
  boundingObject USE LAWN_%d
}
''' % (number(x0), number(y0), number(KERB), i + 1, number((x1 - x0) / 6), number((y1 - y0) / 6), i + 1, columns, rows,
            number(dx, 5), number(dy, 5), '\n          '.join(heights), i + 1)


def land(m):
    """Meadows and hills around the blocks, to a distance of about 300 m."""
    rings = ((0, 0.06), (8, 0.3), (24, 0.8), (50, 3), (90, 10), (135, 18), (190, 16))
    # Points along the outline, the same number on each ring.
    side_x, side_y = 20, 16
    outline = [(-1 + 2 * i / side_x, -1) for i in range(side_x)] + [(1, -1 + 2 * i / side_y) for i in range(side_y)]
    outline += [(-x, -y) for x, y in outline]

    def at(i, j):
        out, height = rings[i]
        u, v = outline[j % len(outline)]
        x, y = u * (EDGE_X + out), v * (EDGE_Y + out)
        rough = value_noise(x / 60, y / 60, 70) + 0.4 * value_noise(x / 23, y / 23, 71)
        return (x, y, height * (1 + 0.55 * rough) if i else height)
    grid = [[at(i, j) for j in range(len(outline))] for i in range(len(rings))]

    def normal(i, j):
        n = len(outline)
        a, b = grid[i][(j - 1) % n], grid[i][(j + 1) % n]
        c, d = grid[max(i - 1, 0)][j % n], grid[min(i + 1, len(rings) - 1)][j % n]
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(c, d)]
        up = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        return unit(up if up[2] > 0 else [-c for c in up])
    for i in range(len(rings) - 1):
        for j in range(len(outline)):
            k = (j + 1) % len(outline)
            points = [grid[i][j], grid[i + 1][j], grid[i + 1][k], grid[i][k]]
            normals = [normal(i, j), normal(i + 1, j), normal(i + 1, k), normal(i, k)]
            m.face('meadow', points, [(p[0] / 9, p[1] / 9) for p in points], normals)
    return grid


def car_park(m):
    """In the south-east: asphalt with two rows of bays. The middles of the bays and their yaws."""
    z = KERB + 0.006
    m.level('asphalt_deck', 64, -84, 121, -54, z)
    bays = []
    for y0, y1, yaw in ((-59, -54, math.pi / 2), (-71.5, -66.5, -math.pi / 2), (-71.5 - 5, -71.5, math.pi / 2)):
        for i in range(21):
            x = 65 + 2.6 * i
            m.level('paint', x - 0.05, y0, x + 0.05, y1, z + 0.006)
            if i < 20:
                bays.append((x + 1.3, (y0 + y1) / 2, yaw))
    return bays
