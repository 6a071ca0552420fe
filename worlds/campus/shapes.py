"""Meshes by material, in the coordinates of frames, and their .obj files; boxes for collisions."""
import contextlib
import math

# Metres that a picture covers, across and upwards; None: texture coordinates are always given.
TILES = {}


def number(value, digits=3):
    text = ('%.*f' % (digits, value)).rstrip('0').rstrip('.')
    return '0' if text in ('-0', '') else text


def numbers(values, digits=3):
    return ' '.join(number(v, digits) for v in values)


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v) if length > 0 else (0, 0, 1)


class Mesh:
    """Polygons with normals and texture coordinates, counterclockwise from outside."""

    def __init__(self):
        self.tables = ({}, {}, {})  # texts of points, texture coordinates and normals, in order
        self.faces = []

    def add(self, points, uvs, normals):
        rows = (points, uvs, normals)
        corners = []
        for i in range(len(points)):
            corner = [table.setdefault(numbers(values[i]), len(table) + 1) for table, values in zip(self.tables, rows)]
            corners.append('%d/%d/%d' % tuple(corner))
        self.faces.append(corners)

    def text(self):
        lines = []
        for word, table in zip(('v', 'vt', 'vn'), self.tables):
            lines += ['%s %s' % (word, row) for row in table]
        lines += ['f ' + ' '.join(corners) for corners in self.faces]
        return '\n'.join(lines) + '\n'


class Model:
    """What is drawn: a mesh for each material; and what bodies touch: boxes and cylinders.

    Coordinates are those of the innermost `frame`."""

    def __init__(self):
        self.meshes = {}
        self.solids = []
        self.place = (0, 0, 0, 0)  # x, y, z, yaw of the frame

    @contextlib.contextmanager
    def frame(self, x, y, z=0.0, yaw=0.0):
        before = self.place
        px, py, pz = self.point((x, y, z))
        self.place = (px, py, pz, before[3] + yaw)
        yield self
        self.place = before

    def direction(self, v):
        c, s = math.cos(self.place[3]), math.sin(self.place[3])
        return (c * v[0] - s * v[1], s * v[0] + c * v[1], v[2])

    def point(self, p):
        x, y, z = self.direction(p)
        return (self.place[0] + x, self.place[1] + y, self.place[2] + z)

    def face(self, material, points, uvs=None, normals=None):
        """A flat polygon, or a part of a curved surface when `normals` are given."""
        normal = unit(cross(minus(points[1], points[0]), minus(points[2], points[0])))
        if uvs is None:
            uvs = [self.flat_uv(material, p, normal) for p in points]
        if normals is None:
            normals = [normal] * len(points)
        mesh = self.meshes.setdefault(material, Mesh())
        mesh.add([self.point(p) for p in points], uvs, [self.direction(n) for n in normals])

    @staticmethod
    def flat_uv(material, p, normal):
        across, up = TILES.get(material, (1, 1))
        if abs(normal[2]) > 0.7:
            return (p[0] / across, p[1] / up)
        # Along a wall as it is seen from outside, and up it; on a roof, up the slope.
        along = unit((-normal[1], normal[0], 0))
        slope = math.sqrt(max(0.02, 1 - normal[2] * normal[2]))
        return ((along[0] * p[0] + along[1] * p[1]) / across, p[2] / slope / up)

    def picture(self, material, a, b, c, d, part=(0, 0, 1, 1)):
        """A quad, from its lower left, that shows the whole picture, or a part: left, bottom, right, top."""
        l, bottom, r, top = part
        self.face(material, [a, b, c, d], [(l, bottom), (r, bottom), (r, top), (l, top)])

    def level(self, material, x0, y0, x1, y1, z):
        self.face(material, [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)])

    def ceiling(self, material, x0, y0, x1, y1, z):
        self.face(material, [(x0, y1, z), (x1, y1, z), (x1, y0, z), (x0, y0, z)])

    def box(self, material, x0, y0, z0, x1, y1, z1, top=None, bottom=False, solid=False):
        f = self.face
        f(material, [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)])
        f(material, [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)])
        f(material, [(x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)])
        f(material, [(x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)])
        self.level(top or material, x0, y0, x1, y1, z1)
        if bottom:
            self.ceiling(material, x0, y0, x1, y1, z0)
        if solid:
            self.solid(x0, y0, z0, x1, y1, z1)

    def solid(self, x0, y0, z0, x1, y1, z1):
        """A box that bodies touch."""
        x, y, z = self.point(((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2))
        yaw = self.place[3]
        turn = ' rotation 0 0 1 %s' % number(yaw, 5) if yaw else ''
        self.solids.append('Pose { translation %s%s children [ Box { size %s } ] }' % (
            numbers((x, y, z)), turn, numbers((x1 - x0, y1 - y0, z1 - z0))))

    def solid_post(self, x, y, z, radius, height):
        self.solids.append('Pose { translation %s children [ Cylinder { radius %s height %s } ] }' % (
            numbers(self.point((x, y, z + height / 2))), number(radius), number(height)))

    def post(self, material, x, y, z0, z1, radius, sides=12, top_radius=None, cap=True, solid=False):
        """A cylinder or cone that stands on z0."""
        upper = radius if top_radius is None else top_radius
        lean = (radius - upper) / (z1 - z0)
        ring = [(math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides)) for i in range(sides)]
        across, up = TILES.get(material, (1, 1))
        for i in range(sides):
            (c0, s0), (c1, s1) = ring[i], ring[(i + 1) % sides]
            u0, u1 = (2 * math.pi * radius * k / sides / across for k in (i, i + 1))
            points = [(x + radius * c0, y + radius * s0, z0), (x + radius * c1, y + radius * s1, z0),
                      (x + upper * c1, y + upper * s1, z1), (x + upper * c0, y + upper * s0, z1)]
            uvs = [(u0, z0 / up), (u1, z0 / up), (u1, z1 / up), (u0, z1 / up)]
            normals = [unit((c, s, lean)) for c, s in ((c0, s0), (c1, s1), (c1, s1), (c0, s0))]
            if upper == 0:
                points, uvs, normals = points[:3], uvs[:3], normals[:3]
            self.face(material, points, uvs, normals)
        if cap and upper > 0:
            self.face(material, [(x + upper * c, y + upper * s, z1) for c, s in ring])
        if solid:
            self.solid_post(x, y, z0, max(radius, upper), z1 - z0)

    def tube(self, material, a, b, radius, sides=6):
        """A straight tube between two points."""
        axis = unit(minus(b, a))
        u = unit(cross(axis, (0, 0, 1) if abs(axis[2]) < 0.9 else (1, 0, 0)))
        v = cross(axis, u)
        ring = []
        for i in range(sides):
            c, s = math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides)
            ring.append(tuple(c * p + s * q for p, q in zip(u, v)))
        for i in range(sides):
            n0, n1 = ring[i], ring[(i + 1) % sides]

            def at(p, n):
                return tuple(c + radius * d for c, d in zip(p, n))
            self.face(material, [at(a, n0), at(a, n1), at(b, n1), at(b, n0)],
                      [(0, 0), (0.1, 0), (0.1, 1), (0, 1)], [n0, n1, n1, n0])

    def ball(self, material, x, y, z, radii, rings, sectors, bump=lambda i, j: 1.0):
        """An ellipsoid with the radii along x, y and z, times `bump`; normals as if it were smooth."""
        grid = []
        for i in range(rings + 1):
            polar = math.pi * i / rings
            row = []
            for j in range(sectors):
                azimuth = 2 * math.pi * j / sectors
                n = (math.sin(polar) * math.cos(azimuth), math.sin(polar) * math.sin(azimuth), math.cos(polar))
                r = bump(i, 0 if i in (0, rings) else j)
                row.append(((x + r * radii[0] * n[0], y + r * radii[1] * n[1], z + r * radii[2] * n[2]),
                            unit((n[0] / radii[0], n[1] / radii[1], n[2] / radii[2]))))
            grid.append(row)
        across, up = TILES.get(material, (1, 1))
        for i in range(rings):
            for j in range(sectors):
                k = (j + 1) % sectors
                corners = [grid[i][j], grid[i + 1][j], grid[i + 1][k], grid[i][k]]
                u0, u1 = (2 * math.pi * radii[0] * m / sectors / across for m in (j, j + 1))
                v0, v1 = (math.pi * radii[2] * (1 - m / rings) / up for m in (i, i + 1))
                uvs = [(u0, v0), (u0, v1), (u1, v1), (u1, v0)]
                keep = [0, 1, 2] if i == 0 else [0, 1, 3] if i == rings - 1 else [0, 1, 2, 3]
                self.face(material, [corners[m][0] for m in keep], [uvs[m] for m in keep],
                          [corners[m][1] for m in keep])
