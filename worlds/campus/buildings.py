"""The twelve buildings: walls with recessed windows, roofs, colonnades, a passage and a bridge."""
import math

DEEP = 0.18  # m, from a wall to its panes


class Wall:
    """A front seen from outside: u to the right, v up, depth into it."""

    def __init__(self, model, x, y, z, along, length):
        self.model, self.x, self.y, self.z, self.along, self.length = model, x, y, z, along, length

    def at(self, u, v, depth=0.0):
        a, b = self.along
        return (self.x + u * a - depth * b, self.y + u * b + depth * a, self.z + v)

    def quad(self, material, u0, u1, v0, v1, depth=0.0):
        if u1 - u0 > 1e-6 and v1 - v0 > 1e-6:
            self.model.face(material, [self.at(u0, v0, depth), self.at(u1, v0, depth), self.at(u1, v1, depth),
                                       self.at(u0, v1, depth)])

    def opening(self, wall, picture, u0, u1, v0, v1):
        """A hole with its four reveals, and a window or door in it; the sill stands out."""
        m, at = self.model, self.at
        edge = [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
        for i in range(4):
            (a, b), (c, d) = edge[i], edge[(i + 1) % 4]
            m.face(wall, [at(a, b), at(c, d), at(c, d, DEEP), at(a, b, DEEP)])
        m.picture(picture, at(u0, v0, DEEP), at(u1, v0, DEEP), at(u1, v1, DEEP), at(u0, v1, DEEP))
        if picture == 'window':
            self.ledge('stone', u0 - 0.06, u1 + 0.06, v0 - 0.07, v0, 0.08)

    def ledge(self, material, u0, u1, v0, v1, out):
        """A bar on the wall."""
        m, at = self.model, self.at
        self.quad(material, u0, u1, v0, v1, -out)
        m.face(material, [at(u0, v1, -out), at(u1, v1, -out), at(u1, v1), at(u0, v1)])
        m.face(material, [at(u0, v0), at(u1, v0), at(u1, v0, -out), at(u0, v0, -out)])
        m.face(material, [at(u0, v0), at(u0, v0, -out), at(u0, v1, -out), at(u0, v1)])
        m.face(material, [at(u1, v0, -out), at(u1, v0), at(u1, v1), at(u1, v1, -out)])

    def windows(self, wall, floors, storey, bay=3.0, size=(1.5, 1.6), sill=0.95, doors=()):
        """Floors of windows, one a bay; `doors` are the bays of the ground floor that have one."""
        count = max(1, round(self.length / bay))
        bay = self.length / count
        width = min(size[0], bay - 0.5)
        below = 0.0
        for floor in range(floors):
            low = floor * storey + sill
            high = low + size[1]
            if floor == 0 and doors:
                below = max(high, 2.5)
                for i in range(count):
                    self.ground_bay(wall, i * bay, (i + 1) * bay, width, low, high, below, i in doors)
                continue
            self.quad(wall, 0, self.length, below, low)
            for i in range(count):
                left = i * bay + (bay - width) / 2
                self.quad(wall, 0 if i == 0 else left - bay + width, left, low, high)
                self.opening(wall, 'window', left, left + width, low, high)
            self.quad(wall, self.length - (bay - width) / 2, self.length, low, high)
            below = high
        self.quad(wall, 0, self.length, below, floors * storey)

    def ground_bay(self, wall, u0, u1, width, low, high, top, has_door):
        """A bay up to `top`, with a window or with a door under a canopy."""
        if has_door:
            width, low, high = 2.0, 0.0, 2.5
        a, b = (u0 + u1 - width) / 2, (u0 + u1 + width) / 2
        self.quad(wall, u0, u1, 0, low)
        self.quad(wall, u0, a, low, high)
        self.quad(wall, b, u1, low, high)
        self.quad(wall, u0, u1, high, top)
        self.opening(wall, 'door' if has_door else 'window', a, b, low, high)
        if has_door:
            self.ledge('dark', a - 0.3, b + 0.3, 2.55, 2.67, 1.1)

    def glass(self, floors, storey, fins=True):
        """Panes from floor to floor between bands of concrete, with fins."""
        band = 0.5
        for floor in range(floors):
            low, high = floor * storey + 0.15, (floor + 1) * storey - band + 0.15
            m, at = self.model, self.at
            tiles = max(1, round(self.length / 3))
            m.face('curtain_wall', [at(0, low, 0.1), at(self.length, low, 0.1), at(self.length, high, 0.1),
                                    at(0, high, 0.1)], [(0, 0), (tiles, 0), (tiles, 1), (0, 1)])
            self.ledge('concrete', 0, self.length, high, high + band, 0.12)
        self.quad('concrete', 0, self.length, 0, 0.15)
        if fins:
            count = max(1, round(self.length / 3))
            for i in range(count + 1):
                u = min(max(i * self.length / count, 0.1), self.length - 0.1)
                self.ledge('light', u - 0.06, u + 0.06, 0.15, floors * storey, 0.35)


def fronts(model, x0, y0, x1, y1, z):
    return {'S': Wall(model, x0, y0, z, (1, 0), x1 - x0), 'E': Wall(model, x1, y0, z, (0, 1), y1 - y0),
            'N': Wall(model, x1, y1, z, (-1, 0), x1 - x0), 'W': Wall(model, x0, y1, z, (0, -1), y1 - y0)}


def storeys(m, x0, y0, x1, y1, z, wall, floors, storey, doors=None, sides='SENW', **style):
    """Floors with walls on `sides`: of windows, or of glass when `wall` is 'glass'."""
    for side, front in fronts(m, x0, y0, x1, y1, z).items():
        if side not in sides:
            front.quad('concrete' if wall == 'glass' else wall, 0, front.length, 0, floors * storey)
        elif wall == 'glass':
            front.glass(floors, storey)
        else:
            front.windows(wall, floors, storey, doors=(doors or {}).get(side, ()), **style)
    m.solid(x0, y0, z, x1, y1, z + floors * storey)


def flat_roof(m, x0, y0, x1, y1, z, wall, units=2):
    """Gravel behind a parapet, with plant on it."""
    m.level('gravel', x0, y0, x1, y1, z)
    t, h = 0.3, 0.7
    for box in ((x0, y0, x1, y0 + t), (x0, y1 - t, x1, y1), (x0, y0 + t, x0 + t, y1 - t), (x1 - t, y0 + t, x1, y1 - t)):
        m.box(wall, box[0], box[1], z, box[2], box[3], z + h, top='stone')
    for i in range(units):
        x = x0 + (x1 - x0) * (i + 0.6) / (units + 0.2)
        y = (y0 + y1) / 2 + (1.5 if i % 2 else -1.5)
        m.box('sheet', x - 1.6, y - 1.1, z + 0.25, x + 1.6, y + 1.1, z + 1.9)
        m.post('dark', x - 0.7, y, z + 1.9, z + 2.2, 0.5)
        m.post('dark', x + 0.7, y, z + 1.9, z + 2.2, 0.5)


def gable_roof(m, x0, y0, x1, y1, z, wall, rise, tiles='roof_tiles', over=0.5, chimneys=2):
    """The ridge along the longer side."""
    if x1 - x0 < y1 - y0:
        with m.frame((x0 + x1) / 2, (y0 + y1) / 2, 0, math.pi / 2):
            half_x, half_y = (y1 - y0) / 2, (x1 - x0) / 2
            return gable_roof(m, -half_x, -half_y, half_x, half_y, z, wall, rise, tiles, over, chimneys)
    y, top = (y0 + y1) / 2, z + rise
    low = z - rise * over / ((y1 - y0) / 2)  # eaves
    a, b, c, d = x0 - over, x1 + over, y0 - over, y1 + over
    m.face(tiles, [(a, c, low), (b, c, low), (b, y, top), (a, y, top)])
    m.face(tiles, [(b, d, low), (a, d, low), (a, y, top), (b, y, top)])
    t = 0.18  # its underside and edges
    m.face('wood', [(a, y, top - t), (b, y, top - t), (b, c, low - t), (a, c, low - t)])
    m.face('wood', [(b, y, top - t), (a, y, top - t), (a, d, low - t), (b, d, low - t)])
    m.face('stone', [(a, c, low - t), (b, c, low - t), (b, c, low), (a, c, low)])
    m.face('stone', [(b, d, low - t), (a, d, low - t), (a, d, low), (b, d, low)])
    for x, s in ((a, -1), (b, 1)):
        for p, q in (((x, c, low), (x, y, top)), ((x, y, top), (x, d, low))):
            corners = [p, q, (q[0], q[1], q[2] - t), (p[0], p[1], p[2] - t)]
            m.face('stone', corners if s < 0 else corners[::-1])
    m.face(wall, [(x0, y1, z), (x0, y0, z), (x0, y, top)])
    m.face(wall, [(x1, y0, z), (x1, y1, z), (x1, y, top)])
    for i in range(chimneys):
        x = x0 + (x1 - x0) * (i + 0.5) / chimneys
        m.box('brick', x - 0.4, y + 0.8, z + rise * 0.4, x + 0.4, y + 1.6, top + 0.9, top='stone')
    m.solid(x0, y - (y1 - y0) / 4, z, x1, y + (y1 - y0) / 4, z + rise / 2)


def hip_roof(m, x0, y0, x1, y1, z, rise, over=0.6):
    a, b, c, d = x0 - over, x1 + over, y0 - over, y1 + over
    y, run = (c + d) / 2, (d - c) / 2
    p, q = (a + run, y, z + rise), (b - run, y, z + rise)
    m.face('roof_tiles', [(a, c, z), (b, c, z), q, p])
    m.face('roof_tiles', [(b, d, z), (a, d, z), p, q])
    m.face('roof_tiles', [(a, d, z), (a, c, z), p])
    m.face('roof_tiles', [(b, c, z), (b, d, z), q])
    m.ceiling('stone', a, c, b, d, z - 0.02)
    m.solid((a + p[0]) / 2, y - run / 2, z, (b + q[0]) / 2, y + run / 2, z + rise / 2)


def colonnade(m, x0, x1, y, z0, z1, step, radius=0.35):
    """Columns along x."""
    count = round((x1 - x0) / step)
    for i in range(count + 1):
        x = x0 + (x1 - x0) * i / count
        m.box('stone', x - 0.5, y - 0.5, z0, x + 0.5, y + 0.5, z0 + 0.25)
        m.post('stone', x, y, z0 + 0.25, z1 - 0.3, radius, sides=16, top_radius=0.86 * radius, cap=False, solid=True)
        m.box('stone', x - 0.45, y - 0.45, z1 - 0.3, x + 0.45, y + 0.45, z1, bottom=True)


# ---- the buildings. z is the height of the ground on which they stand.

def library(m, z):
    """On the terrace north of the square: a ground floor behind a colonnade, three floors of glass."""
    x0, x1, y0, y1, h = -24, 24, 20, 38, 4.2
    storeys(m, x0 + 2, y0 + 4, x1 - 2, y1, z, 'stone', 1, h, bay=3.4, size=(2.2, 2.4), sill=0.5,
            doors={'S': (6, 7)})
    colonnade(m, x0 + 0.8, x1 - 0.8, y0 + 0.8, z, z + h, 4.6)
    m.ceiling('plaster', x0, y0, x1, y1, z + h)
    storeys(m, x0, y0, x1, y1, z + h, 'glass', 3, 3.9)
    flat_roof(m, x0, y0, x1, y1, z + h + 3 * 3.9, 'concrete', 4)
    with m.frame(-8, 29, z + h + 3 * 3.9):  # a skylight
        for y, s in ((-3, 1), (3, -1)):
            corners = [(-5, y, 0.05), (5, y, 0.05), (5, 0, 1.6), (-5, 0, 1.6)]
            if s < 0:
                corners.reverse()
            m.face('curtain_wall', corners, [(0, 0), (4, 0), (4, 1), (0, 1)])
        m.face('light', [(-5, 3, 0), (-5, -3, 0), (-5, 0, 1.6)])
        m.face('light', [(5, -3, 0), (5, 3, 0), (5, 0, 1.6)])


def lecture_hall(m, z):
    x0, y0, x1, y1 = -47, -34, -34, 8
    storeys(m, x0, y0, x1, y1, z, 'brick', 2, 4.4, bay=3.5, size=(1.6, 2.6), sill=0.9, doors={'E': (3, 8)})
    gable_roof(m, x0, y0, x1, y1, z + 8.8, 'brick', 4.6)


def canteen(m, z):
    """Glass under a wide flat roof on thin posts."""
    x0, y0, x1, y1, h = 35, -32, 47, 6, 4.3
    storeys(m, x0, y0, x1, y1, z, 'glass', 2, h, sides='SNW')
    flat_roof(m, x0, y0, x1, y1, z + 2 * h, 'concrete', 3)
    m.box('wood', x0 - 4, y0 + 2, z + 3.7, x0 - 0.1, y1 - 2, z + 4.0, top='gravel', bottom=True)
    for i in range(7):
        m.post('dark', x0 - 3.6, y0 + 2.6 + i * 5.45, z, z + 3.7, 0.09, cap=False, solid=True)


def bridge(m, z):
    """From the canteen over the street to the laboratory; 5 m of clearance."""
    x0, y0, x1, y1, low = 47, -25, 66, -21, z + 5.0
    m.ceiling('concrete', x0, y0, x1, y1, low)
    for side in 'SN':
        fronts(m, x0, y0, x1, y1, low)[side].glass(1, 3.2, fins=False)
    m.level('gravel', x0, y0, x1, y1, low + 3.2)
    m.solid(x0, y0, low, x1, y1, low + 3.2)
    for x in (50.2, 59.8):
        m.box('concrete', x - 0.3, y0 + 0.6, z, x + 0.3, y1 - 0.6, low, solid=True)


def institute(m, z):
    """Brick, four floors, with a passage through its ground floor."""
    x0, y0, x1, y1, h = -44, 56, 4, 71, 3.6
    left, right = -23, -17
    storeys(m, x0, y0, left, y1, z, 'brick', 1, h, doors={'S': (2,)}, sides='SNW')
    storeys(m, right, y0, x1, y1, z, 'brick', 1, h, doors={'S': (3,)}, sides='SNE')
    m.ceiling('plaster', left, y0, right, y1, z + h)
    storeys(m, x0, y0, x1, y1, z + h, 'brick', 3, h)
    for side in 'SENW':
        front = fronts(m, x0, y0, x1, y1, z + h)[side]
        front.ledge('stone', 0, front.length, -0.12, 0.12, 0.1)
    flat_roof(m, x0, y0, x1, y1, z + 4 * h, 'brick', 4)


def computing(m, z):
    x0, y0, x1, y1 = 16, 54, 44, 74
    storeys(m, x0, y0, x1, y1, z, 'plaster', 5, 3.5, bay=3.5, size=(2.6, 1.7), doors={'S': (3, 4)})
    flat_roof(m, x0, y0, x1, y1, z + 17.5, 'plaster', 3)
    m.box('ochre', x0 - 2.4, y0 + 4, z, x0, y0 + 9, z + 19.5, top='gravel', solid=True)  # stairs


def laboratory(m, z):
    x0, y0, x1, y1 = 66, -32, 84, -12
    storeys(m, x0, y0, x1, y1, z, 'concrete', 7, 3.6, bay=3.0, size=(2.0, 1.8), doors={'S': (2, 3)})
    flat_roof(m, x0, y0, x1, y1, z + 25.2, 'concrete', 2)
    for x in (70, 74):
        m.post('light', x, -16, z + 25.2, z + 29.5, 0.45, solid=True)


def workshop(m, z):
    """Five saw teeth with glass to the north."""
    x0, y0, x1, y1, h = 66, 2, 112, 34, 5.5
    storeys(m, x0, y0, x1, y1, z, 'sheet_wall', 1, h, bay=4.6, size=(3, 1.5), sill=2.9, doors={'W': (3,), 'S': (2, 7)})
    tooth = (y1 - y0) / 5
    for i in range(5):
        a, b = y0 + i * tooth, y0 + (i + 1) * tooth
        m.face('sheet', [(x0, a, z + h), (x1, a, z + h), (x1, b, z + h + 2.4), (x0, b, z + h + 2.4)])
        m.face('curtain_wall', [(x1, b, z + h), (x0, b, z + h), (x0, b, z + h + 2.4), (x1, b, z + h + 2.4)],
               [(0, 0), (16, 0), (16, 1), (0, 1)])
        m.face('sheet_wall', [(x0, b, z + h), (x0, a, z + h), (x0, b, z + h + 2.4)])
        m.face('sheet_wall', [(x1, a, z + h), (x1, b, z + h), (x1, b, z + h + 2.4)])
    fronts(m, x0, y0, x1, y1, z)['S'].ledge('gate', 14.5, 17.9, 0, 2.6, 0.04)
    fronts(m, x0, y0, x1, y1, z)['S'].ledge('gate', 23.7, 27.1, 0, 2.6, 0.04)


def dormitories(m, z):
    for y0, y1, wall in ((-36, -6, 'ochre'), (6, 36, 'plaster')):
        storeys(m, -82, y0, -69, y1, z, wall, 3, 3.1, bay=3.0, size=(1.2, 1.5), doors={'E': (2, 7), 'W': (5,)})
        gable_roof(m, -82, y0, -69, y1, z + 9.3, wall, 5.0)
        for i in range(3):  # balconies of the west side
            for floor in (1, 2):
                y, low = y0 + 6 + 9 * i, z + 3.1 * floor
                m.box('concrete', -83.4, y - 2, low - 0.15, -82, y + 2, low, bottom=True)
                m.box('dark', -83.4, y - 2, low, -83.35, y + 2, low + 1)


def sports_hall(m, z):
    """A barrel roof of sheet metal."""
    x0, y0, x1, y1, h = -44, -90, -6, -62, 6.5
    storeys(m, x0, y0, x1, y1, z, 'sheet_wall', 1, h, bay=4.7, size=(3.4, 1.4), sill=4.4, sides='SN')
    for side in 'EW':
        front = fronts(m, x0, y0, x1, y1, z)[side]
        a, b = front.length / 2 - 1.5, front.length / 2 + 1.5
        m.picture('door', front.at(a, 0, -0.05), front.at(b, 0, -0.05), front.at(b, 2.95, -0.05),
                  front.at(a, 2.95, -0.05))
        front.ledge('stone', a - 1.5, b + 1.5, 3, 3.3, 1.6)
    arch = []
    for i in range(13):
        a = math.pi * i / 12
        arch.append(((y0 + y1) / 2 - (y1 - y0) / 2 * math.cos(a), z + h + 4.5 * math.sin(a),
                     unit2(-4.5 * math.cos(a), (y1 - y0) / 2 * math.sin(a))))
    for (ya, za, na), (yb, zb, nb) in zip(arch, arch[1:]):
        points = [(x0, ya, za), (x1, ya, za), (x1, yb, zb), (x0, yb, zb)]
        normals = [(0, *na), (0, *na), (0, *nb), (0, *nb)]
        m.face('sheet', points, [(p[0] / 4, p[1] / 4) for p in points], normals)
    m.face('sheet_wall', [(x0, ya, za) for ya, za, _ in arch[::-1]])
    m.face('sheet_wall', [(x1, ya, za) for ya, za, _ in arch])


def unit2(a, b):
    length = math.sqrt(a * a + b * b)
    return (a / length, b / length)


def administration(m, z):
    """The oldest house: brick and stone, a portico in front of its middle."""
    x0, y0, x1, y1 = 8, -74, 40, -59
    storeys(m, x0, y0, x1, y1, z, 'brick', 3, 3.7, bay=3.2, size=(1.3, 2.1), doors={'N': (5,), 'S': (4,)})
    for side, front in fronts(m, x0, y0, x1, y1, z).items():
        for v in (3.7, 11.0):
            front.ledge('stone', 0, front.length, v - 0.15, v + 0.1, 0.12)
    hip_roof(m, x0, y0, x1, y1, z + 11.1, 4.5)
    colonnade(m, 18, 29, y1 + 3.2, z, z + 5.2, 3.66, radius=0.32)
    m.box('stone', 17, y1, z + 5.2, 30, y1 + 4, z + 6.1, bottom=True)
    m.face('stone', [(30, y1 + 4, z + 6.1), (17, y1 + 4, z + 6.1), (23.5, y1 + 4, z + 8.2)])
    m.face('roof_tiles', [(17, y1 + 4, z + 6.1), (17, y1, z + 6.1), (23.5, y1, z + 8.2), (23.5, y1 + 4, z + 8.2)])
    m.face('roof_tiles', [(30, y1, z + 6.1), (30, y1 + 4, z + 6.1), (23.5, y1 + 4, z + 8.2), (23.5, y1, z + 8.2)])


def garage(m, z):
    """Three open decks for cars."""
    x0, y0, x1, y1, h = 68, 60, 112, 92, 3.0
    for deck in range(1, 4):
        top = z + deck * h
        m.box('concrete', x0, y0, top - 0.35, x1, y1, top, top='asphalt_deck', bottom=True, solid=True)
        for a, b, c, d in ((x0, y0, x1, y0 + 0.15), (x0, y1 - 0.15, x1, y1), (x0, y0, x0 + 0.15, y1),
                           (x1 - 0.15, y0, x1, y1)):
            m.box('concrete', a, b, top, c, d, top + 1.0)
    for i in range(6):
        for j in range(4):
            x, y = x0 + 1 + i * (x1 - x0 - 2) / 5, y0 + 1 + j * (y1 - y0 - 2) / 3
            m.box('concrete', x - 0.25, y - 0.25, z, x + 0.25, y + 0.25, z + 3 * h - 0.35, solid=j in (0, 3))
    storeys(m, x1, 70, x1 + 5, 78, z, 'glass', 4, h)  # stairs
    m.level('gravel', x1, 70, x1 + 5, 78, z + 4 * h)


def all_buildings(m, ground, terrace):
    library(m, terrace)
    for build in (lecture_hall, canteen, bridge, institute, computing, laboratory, workshop, dormitories,
                  sports_hall, administration, garage):
        build(m, ground)
