"""Pictures of surfaces and of the sky, 256 pixels a side, as PNG files with a palette.

Only integers, products and square roots make them, so that they are the same bytes everywhere. Those
that cover large surfaces fit together at their edges.
"""
import math
import struct
import zlib

SIZE = 256
WORD = 0xffffffff


def chance(x, y, seed):
    """A number in [0, 1) that belongs to a place."""
    n = (x * 374761393 + y * 668265263 + seed * 1442695041) & WORD
    n = ((n ^ (n >> 13)) * 1274126177) & WORD
    n = ((n ^ (n >> 15)) * 2246822519) & WORD
    return ((n ^ (n >> 16)) & 0xffff) / 65536


def smooth(t):
    return t * t * (3 - 2 * t)


def value_noise(x, y, seed, period=None):
    """Smooth in between the whole numbers; repeats after `period`. -1 to 1."""
    i, j = math.floor(x), math.floor(y)
    u, v = smooth(x - i), smooth(y - j)
    a, b, c, d = i, i + 1, j, j + 1
    if period:
        a, b, c, d = a % period, b % period, c % period, d % period
    low = chance(a, c, seed) * (1 - u) + chance(b, c, seed) * u
    high = chance(a, d, seed) * (1 - u) + chance(b, d, seed) * u
    return 2 * (low * (1 - v) + high * v) - 1


def clouds(seed, cells, octaves):
    """Rows of numbers between -1 and 1: noise with details of half the size and height again and again."""
    rows = [[0.0] * SIZE for _ in range(SIZE)]
    strength, total = 1.0, 0.0
    for octave in range(octaves):
        n = cells << octave
        lattice = [[2 * chance(i, j, seed + octave) - 1 for i in range(n)] for j in range(n)]
        places = [(i * n // SIZE, smooth(i * n / SIZE - i * n // SIZE)) for i in range(SIZE)]
        for y, (j, v) in enumerate(places):
            low, high = lattice[j], lattice[(j + 1) % n]
            line = [(p * (1 - v) + q * v) * strength for p, q in zip(low, high)]
            line.append(line[0])
            row = rows[y]
            for x, (i, u) in enumerate(places):
                row[x] += line[i] + (line[i + 1] - line[i]) * u
        total += strength
        strength /= 2
    return [[value / total for value in row] for row in rows]


def png(rows):
    """Rows of (red, green, blue) from the top, in as many steps as 256 colours allow."""
    rows = [[tuple(min(255, max(0, int(c))) for c in pixel) for pixel in row] for row in rows]
    exact = {pixel for row in rows for pixel in row}
    for step in range(1, 64):
        levels = [c // step * step + step // 2 for c in range(256)]
        coarse = {pixel: tuple(min(255, levels[c]) for c in pixel) for pixel in exact}
        colours = sorted(set(coarse.values()))
        if len(colours) <= 256:
            break
    number = {colour: i for i, colour in enumerate(colours)}
    index = {pixel: number[colour] for pixel, colour in coarse.items()}
    data = b''.join(b'\0' + bytes(index[pixel] for pixel in row) for row in rows)

    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    # Stored, not compressed: versions of zlib pack the same pixels differently.
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', len(rows[0]), len(rows), 8, 3, 0, 0, 0)) +
            chunk(b'PLTE', bytes(c for colour in colours for c in colour)) +
            chunk(b'IDAT', zlib.compress(data, 0)) + chunk(b'IEND', b''))


def painted(colour_at):
    return png([[colour_at(x, y) for x in range(SIZE)] for y in range(SIZE)])


def tinted(colour, light):
    return tuple(c * light for c in colour)


# ---- surfaces

def asphalt(cloud):
    def at(x, y):
        stone = chance(x, y, 1)
        light = 1 + 0.14 * cloud[y][x] + (0.35 if stone > 0.93 else 0.22 * (stone - 0.5))
        return tinted((78, 79, 82), light)
    return painted(at)


def concrete(cloud):
    """Panels: a joint along the edges, holes of the formwork near the corners."""
    def at(x, y):
        light = 1 + 0.1 * cloud[y][x] + 0.03 * (chance(x, y, 2) - 0.5)
        if x < 2 or y < 2:
            light *= 0.72
        u, v = min(x, SIZE - x) - 40, min(y, SIZE - y) - 40
        if u * u + v * v < 16:
            light *= 0.75
        return tinted((196, 194, 188), light)
    return painted(at)


def plaster(cloud):
    return painted(lambda x, y: tinted((226, 226, 224), 1 + 0.05 * cloud[y][x] + 0.05 * (chance(x, y, 3) - 0.5)))


def brick(cloud):
    """16 courses of 8 bricks, each course half a brick further."""
    def at(x, y):
        course = y // 16
        shifted = (x + 16 * (course % 2)) % SIZE
        grain = chance(x, y, 4) - 0.5
        if y % 16 < 2 or shifted % 32 < 2:
            return tinted((176, 168, 156), 1 + 0.12 * grain)
        tone = chance(shifted // 32, course, 5)
        light = 0.8 + 0.36 * tone + 0.1 * grain + 0.12 * cloud[y][x]
        return tinted((146, 86 + 14 * chance(shifted // 32, course, 6), 70), light)
    return painted(at)


def paving(cloud):
    """4 x 4 slabs."""
    def at(x, y):
        if x % 64 < 2 or y % 64 < 2:
            return tinted((128, 126, 121), 1 + 0.1 * cloud[y][x])
        light = 0.93 + 0.12 * chance(x // 64, y // 64, 7) + 0.1 * cloud[y][x] + 0.1 * (chance(x, y, 8) - 0.5)
        return tinted((182, 178, 169), light)
    return painted(at)


def setts(cloud):
    """16 x 16 small stones, in rows that are shifted by half a stone."""
    def at(x, y):
        row = y // 16
        shifted = (x + 8 * (row % 2)) % SIZE
        u, v = shifted % 16, y % 16
        corner = (u < 3 or u > 13) and (v < 3 or v > 13)
        if u < 1 or v < 1 or corner:
            return tinted((112, 104, 96), 1 + 0.1 * cloud[y][x])
        light = 0.84 + 0.3 * chance(shifted // 16, row, 9) + 0.08 * cloud[y][x] + 0.08 * (chance(x, y, 10) - 0.5)
        return tinted((178, 162, 146), light)
    return painted(at)


def roof_tiles(cloud):
    """16 rows of 16 tiles, the lower end of each lit."""
    def at(x, y):
        row = y // 16
        shifted = (x + 8 * (row % 2)) % SIZE
        u, v = shifted % 16, y % 16
        light = 0.72 + 0.022 * v + 0.2 * chance(shifted // 16, row, 11) + 0.1 * cloud[y][x]
        if u < 1 or v < 1:
            light *= 0.6
        return tinted((142, 84, 68), light)
    return painted(at)


def sheet(cloud):
    """Metal sheet with a standing seam eight times across."""
    def at(x, y):
        u = x % 32
        light = 1 + 0.05 * cloud[y][x] + (0.16 if u < 2 else -0.18 if u < 4 else 0)
        return tinted((158, 164, 168), light)
    return painted(at)


def grass(cloud):
    def at(x, y):
        blade = chance(x, y, 12)
        light = 0.9 + 0.42 * (blade - 0.5) + 0.2 * cloud[y][x]
        dry = 20 * max(0, cloud[(y + 90) % SIZE][(x + 50) % SIZE])
        return (86 * light + dry, 108 * light + 0.4 * dry, 54 * light)
    return painted(at)


def leaves(cloud):
    """Clumps of bright and shaded leaves; white, so that each kind of tree gives it its colour."""
    def at(x, y):
        leaf = chance(x // 4 + 3 * (y // 4 % 2), y // 4, 13)
        light = 0.62 + 0.5 * (leaf - 0.4) + 0.35 * cloud[y][x] + 0.2 * (chance(x, y, 14) - 0.5)
        return tinted((232, 244, 214), max(0.12, light))
    return painted(at)


def wood(cloud):
    """Four planks with grain along y."""
    def at(x, y):
        light = 0.85 + 0.2 * chance(x // 64, 0, 15) + 0.3 * cloud[y // 8][x] + 0.06 * (chance(x, y, 16) - 0.5)
        return tinted((150, 122, 92), 0.5 * light if x % 64 < 2 else light)
    return painted(at)


def crossing(cloud):
    """Bars of a pedestrian crossing, two a picture, worn by tyres."""
    def at(x, y):
        stone = chance(x, y, 1)
        if x % 128 < 64:
            worn = cloud[y][x] + 0.6 * (stone - 0.5) > 0.42
            if not worn:
                return tinted((216, 216, 210), 0.95 + 0.08 * stone)
        return tinted((78, 79, 82), 1 + 0.14 * cloud[y][x] + 0.22 * (stone - 0.5))
    return painted(at)


def paint(cloud):
    """White paint on a road."""
    return painted(lambda x, y: tinted((216, 216, 210), 0.94 + 0.1 * cloud[y][x] + 0.1 * (chance(x, y, 17) - 0.5)))


# ---- one a thing

def reflected_sky(u, v, cloud):
    """What a pane shows: the sky above, darker things below."""
    light = 0.56 + 0.62 * (1 - v) + 0.16 * cloud[int(v * 255)][int(u * 255)]
    return (88 * light, 108 * light, 126 * light)


def window(cloud):
    """A frame with two casements, a blind that is half down in one of them."""
    def at(x, y):
        u, v = (x + 0.5) / SIZE, (y + 0.5) / SIZE
        if min(u, 1 - u) < 0.055 or min(v, 1 - v) < 0.05 or abs(u - 0.5) < 0.03:
            return (222, 222, 218)
        if min(u, 1 - u, abs(u - 0.5)) < 0.075 or min(v, 1 - v) < 0.065:
            return (120, 122, 122)
        if u > 0.5 and v < 0.4:
            return (198 - 18 * (y % 8 < 2), 192 - 18 * (y % 8 < 2), 178 - 18 * (y % 8 < 2))
        return reflected_sky(u, v, cloud)
    return painted(at)


def curtain_wall(cloud):
    """2 x 2 panes in dark profiles, the lower two with rooms behind."""
    def at(x, y):
        u, v = x % 128, y % 128
        if u < 5 or v < 5:
            return (58, 62, 66)
        tone = chance(x // 128, y // 128, 18)
        r, g, b = reflected_sky(x / SIZE, v / 128, cloud)
        return (r * (0.85 + 0.2 * tone), g * (0.9 + 0.2 * tone), b * (0.95 + 0.15 * tone))
    return painted(at)


def door(cloud):
    """A double door of glass with a transom light and two bars to pull."""
    def at(x, y):
        u, v = (x + 0.5) / SIZE, (y + 0.5) / SIZE
        side = abs(u - 0.5)
        if side > 0.46 or v < 0.03 or abs(v - 0.2) < 0.02 or side < 0.015 or v > 0.93:
            return (64, 70, 74)
        if v > 0.5 and v < 0.72 and 0.04 < side < 0.06:
            return (206, 208, 210)
        return reflected_sky(u, min(1, v + 0.25), cloud)
    return painted(at)


def car_side(cloud):
    """As meshes/car.png, in white, for paint of any colour."""
    def at(column, row):
        x, z = (column + 0.5) / SIZE * 4.4 - 2.2, 1.5 - (row + 0.5) / SIZE * 1.5
        if 1 < z < 1.32 and -1.15 + (z - 1) * 0.9 < x < 1 - (z - 1) * 1.1 and abs(x + 0.1) > 0.04:
            return (24, 30, 38)
        if z < 0.3:
            return (24, 24, 24)
        if (abs(z - 0.72) < 0.012 and abs(x) < 1.9) or (abs(x + 0.1) < 0.012 and z < 1.3):
            return (150, 150, 150)
        return (242, 242, 242)
    return painted(at)


def signs(cloud):
    """Four faces: pedestrian crossing, speed limit, parking, bus stop (upper left, right, lower left, right).

    What lies outside a round or three-sided sign is white as the rest of its plate."""
    font = {  # 3 x 5
        '3': ('##.', '..#', '##.', '..#', '##.'), '0': ('###', '#.#', '#.#', '#.#', '###'),
        'P': ('##.', '#.#', '##.', '#..', '#..'), 'H': ('#.#', '#.#', '###', '#.#', '#.#')}

    def ink(text, u, v, left, top, cell):
        i, j = math.floor((u - left) / cell), math.floor((v - top) / cell)
        return 0 <= j < 5 and 0 <= i < 4 * len(text) and i % 4 < 3 and font[text[i // 4]][j][i % 4] == '#'

    def walker(u, v):
        head = (u - 0.5) ** 2 + (v - 0.46) ** 2 < 0.0016
        trunk = abs(u - 0.5) < 0.028 and 0.5 < v < 0.64
        legs = 0.62 < v < 0.78 and abs(abs(u - 0.5) - 0.45 * (v - 0.62)) < 0.022
        return head or trunk or legs

    def at(x, y):
        u, v = (x % 128 + 0.5) / 128, (y % 128 + 0.5) / 128
        edge = min(u, 1 - u, v, 1 - v)
        if x < 128 and y < 128:
            if edge < 0.04:
                return (240, 240, 240)
            inside = v < 0.86 and abs(u - 0.5) < 0.52 * (v - 0.14)
            if not inside:
                return (20, 70, 160)
            return (20, 20, 24) if walker(u, v) else (240, 240, 240)
        if y < 128:
            r = math.sqrt((u - 0.5) ** 2 + (v - 0.5) ** 2)
            if r > 0.36:
                return (200, 24, 30) if r < 0.49 else (240, 240, 240)
            return (16, 16, 18) if ink('30', u, v, 0.255, 0.325, 0.07) else (240, 240, 240)
        if x < 128:
            return (240, 240, 240) if edge < 0.04 or ink('P', u, v, 0.3, 0.15, 0.14) else (20, 70, 160)
        r = math.sqrt((u - 0.5) ** 2 + (v - 0.5) ** 2)
        if r > 0.48:
            return (240, 240, 240)
        green = r > 0.4 or ink('H', u, v, 0.29, 0.15, 0.14)
        return (16, 110, 60) if green else (242, 214, 40)
    return painted(at)


# ---- the sky

TO_SUN = (0.52, -0.5, 0.69)

# The direction that a pixel of each side looks to, front along -x as in Webots; s to the right, t down, -1 to 1.
SIDES = {
    'front': lambda s, t: (-1, s, -t), 'back': lambda s, t: (1, -s, -t), 'left': lambda s, t: (-s, -1, -t),
    'right': lambda s, t: (s, 1, -t), 'top': lambda s, t: (-t, s, 1), 'bottom': lambda s, t: (t, s, -1)}


def sky(side):
    """Blue with cumulus clouds on a plane far above, haze at the horizon, a haze of green below it."""
    def at(x, y):
        d = SIDES[side]((2 * x + 1) / SIZE - 1, (2 * y + 1) / SIZE - 1)
        length = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        dx, dy, dz = (c / length for c in d)
        if dz < 0:
            low = min(1, -6 * dz)
            return tuple(a * (1 - low) + b * low for a, b in zip((206, 218, 228), (92, 104, 84)))
        up = math.sqrt(dz)
        colour = [206 - 134 * up, 218 - 96 * up, 228 - 36 * up]
        towards = max(0, dx * TO_SUN[0] + dy * TO_SUN[1] + dz * TO_SUN[2])
        glow = towards ** 2 * towards ** 2 * towards ** 2 * towards ** 2
        colour = [c + 46 * glow * w for c, w in zip(colour, (1, 0.9, 0.6))]
        scale = 1 / (dz + 0.12)
        px, py = 1.6 * dx * scale + 40, 1.6 * dy * scale + 40
        density = sum(value_noise(px * k, py * k, 30 + k) / n for k, n in ((1, 2), (2, 3), (4, 6), (8, 12)))
        cover = min(1, max(0, (density - 0.02) * 3.2)) * min(1, 9 * dz)
        shade = min(1, max(0, 1.25 - 1.3 * density))
        white = [v * (0.72 + 0.28 * shade) for v in (255, 253, 250)]
        cover *= 0.86
        dither = 3 * (chance(x, y, 40) - 0.5)
        return [c * (1 - cover) + w * cover + dither for c, w in zip(colour, white)]
    return painted(at)


def all_pictures():
    """(name, bytes) of each file."""
    cloud = clouds(seed=50, cells=4, octaves=5)
    kinds = (asphalt, concrete, plaster, brick, paving, setts, roof_tiles, sheet, grass, leaves, wood, crossing,
             paint, window, curtain_wall, door, car_side, signs)
    for kind in kinds:
        yield kind.__name__ + '.png', kind(cloud)
    for side in SIDES:
        yield 'sky_%s.png' % side, sky(side)
