#!/usr/bin/python3
"""Makes worlds/campus.wbt and the meshes and pictures of worlds/campus, the same bytes on every machine.

    worlds/campus/make_campus.py [FOLDER]     into FOLDER instead of worlds

x points east, y north, z up, metres. Only Python's standard library is needed. What stands where is in
grounds.py (streets, lawns, square), buildings.py and furniture.py; this file has the materials, the things
that move, the robot and the text of the world.
"""
import math
import pathlib
import sys

sys.dont_write_bytecode = True  # leave nothing beside the sources
import buildings  # noqa: E402
import furniture  # noqa: E402
import grounds  # noqa: E402
import pictures  # noqa: E402
import rides  # noqa: E402
import shapes  # noqa: E402
from grounds import KERB, TERRACE  # noqa: E402
from shapes import number, numbers  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent

# name: picture, metres that it covers (None: given), colour, roughness, other fields.
# Reflectances at 905 nm: plants are bright there; glass shows a lidar little. R_A of the signs is 250
# cd/lx/m^2 (EN 12899-1, white, class RA2), which is 785 white surfaces; of the bands and barriers 70.
MATERIALS = {
    'asphalt': ('asphalt', (4, 4), '1 1 1', 1, ''),
    'asphalt_deck': ('asphalt', (4, 4), '1.0 0.98 0.95', 1, ''),
    'gravel': ('asphalt', (5, 5), '1 0.96 0.9', 1, 'lidarReflectance 0.3'),
    'kerb': ('plaster', (2, 2), '0.55 0.55 0.54', 1, ''),
    'paving': ('paving', (2, 2), '0.82 0.81 0.79', 1, ''),
    'setts': ('setts', (2, 2), '0.9 0.86 0.82', 1, ''),
    'stone': ('plaster', (3, 3), '0.78 0.74 0.66', 0.9, ''),
    'concrete': ('concrete', (3, 3), '0.85 0.85 0.84', 0.9, ''),
    'plaster': ('plaster', (4, 4), '0.95 0.94 0.9', 0.95, ''),
    'ochre': ('plaster', (4, 4), '0.9 0.7 0.42', 0.95, ''),
    'brick': ('brick', (2, 1.333), '1 1 1', 0.95, ''),
    'wood': ('wood', (0.6, 0.6), '0.9 0.85 0.8', 0.8, ''),
    'roof_tiles': ('roof_tiles', (4, 4), '0.85 0.82 0.8', 0.9, ''),
    'sheet': ('sheet', (4, 4), '0.8 0.84 0.86', 0.45, ''),
    'sheet_wall': ('sheet', (2, 2), '0.55 0.68 0.78', 0.5, ''),
    'gate': ('sheet', (1, 1), '0.3 0.34 0.38', 0.6, ''),
    'grass': ('grass', (5, 5), '0.9 0.95 0.85', 1, 'lidarReflectance 0.5'),
    'meadow': ('grass', (9, 9), '0.8 0.86 0.7', 1, 'lidarReflectance 0.5'),
    'crossing': ('crossing', None, '1 1 1', 0.95, ''),
    'paint': ('paint', (2, 2), '1 1 1', 0.95, ''),
    'window': ('window', None, '1 1 1', 0.12, 'lidarReflectance 0.1'),
    'curtain_wall': ('curtain_wall', None, '1 1 1', 0.1, 'lidarReflectance 0.08'),
    'door': ('door', None, '1 1 1', 0.2, 'lidarReflectance 0.1'),
    'sign': ('signs', None, '1 1 1', 0.6, 'lidarRetroreflectance 785'),
    'white_sheeting': (None, None, '0.85 0.85 0.85', 0.6, 'lidarRetroreflectance 220'),
    'reflector': (None, None, '0.9 0.2 0.1', 0.5, 'lidarRetroreflectance 220'),
    'bark': ('wood', (1.2, 0.8), '0.42 0.4 0.38', 1, ''),
    'birch_bark': ('plaster', (1, 1), '0.86 0.86 0.84', 0.9, ''),
    'lime': ('leaves', (2, 2), '0.34 0.52 0.16', 0.9, 'lidarReflectance 0.5'),
    'birch': ('leaves', (2, 2), '0.5 0.62 0.22', 0.9, 'lidarReflectance 0.5'),
    'spruce': ('leaves', (2, 2), '0.17 0.32 0.16', 0.95, 'lidarReflectance 0.45'),
    'hedge': ('leaves', (1.5, 1.5), '0.2 0.36 0.12', 0.95, 'lidarReflectance 0.45'),
    'dark': (None, None, '0.1 0.11 0.12', 0.5, ''),
    'light': (None, None, '0.72 0.73 0.74', 0.4, ''),
    'rubber': (None, None, '0.05 0.05 0.05', 0.9, ''),
    'dark_glass': (None, None, '0.04 0.05 0.06', 0.08, ''),
    'pane': (None, None, '0.75 0.85 0.88', 0.05, 'transparency 0.75'),
    'bus_paint': (None, None, '0.06 0.3 0.42', 0.3, ''),
    'tail_light': (None, None, '0.6 0.03 0.03', 0.3, ''),
    'frame': (None, None, '0.1 0.25 0.45', 0.4, ''),
    'jacket': (None, None, '0.85 0.55 0.05', 0.9, ''),
    'trousers': (None, None, '0.14 0.16 0.2', 0.9, ''),
    'skin': (None, None, '0.8 0.6 0.48', 0.8, ''),
    'helmet': (None, None, '0.9 0.9 0.92', 0.4, ''),
}
CAR_COLOURS = ('0.75 0.76 0.78', '0.03 0.05 0.1', '0.5 0.03 0.03', '0.9 0.9 0.88', '0.08 0.2 0.42', '0.12 0.13 0.14',
               '0.32 0.36 0.3', '0.62 0.5 0.3')

# UWB anchors: five around the square, the others along the streets, on lamp posts and corners of buildings.
ANCHORS = ((-24.5, 19.5, 10), (24.5, 19.5, 10), (-33.7, 8.3, 8.6), (34.6, 6.4, 8.4), (-27.3, -16.1, 4.3),
           (50.3, 16, 4.3), (-50.3, -33, 4.3), (-14, -40.1, 4.3), (60.3, -35, 4.3), (-60.3, 37, 4.3), (4.3, 55.7, 10),
           (65.7, -11.7, 12))


class Text:
    """Lines of the world; each material is written once and used by name after that."""

    def __init__(self):
        self.lines = []
        self.known = set()

    def add(self, text, indent=0):
        self.lines += [' ' * indent + line if line else '' for line in text.rstrip('\n').split('\n')]

    def appearance(self, name):
        if name in self.known:
            return 'USE ' + name.upper()
        self.known.add(name)
        picture, _, colour, roughness, more = MATERIALS[name]
        colour = '' if colour == '1 1 1' else ' baseColor ' + ' '.join(str(min(1, float(c))) for c in colour.split())
        image = ' baseColorMap ' + self.image(picture) if picture else ''
        return 'DEF %s PBRAppearance {%s%s roughness %s metalness 0%s }' % (
            name.upper(), colour, image, number(roughness), ' ' + more if more else '')

    def image(self, picture):
        word = picture.upper() + '_PICTURE'
        if word in self.known:
            return 'USE ' + word
        self.known.add(word)
        return 'DEF %s ImageTexture { url "campus/%s.png" }' % (word, picture)

    def shape(self, material, geometry, indent):
        self.add('Shape {\n  appearance %s\n  geometry %s\n}' % (self.appearance(material), geometry), indent)

    def model(self, part, model, indent):
        """The shapes of a part, by its .obj files."""
        for material in model.meshes:
            self.shape(material, 'Mesh { url "campus/%s_%s.obj" }' % (part, material), indent)


HEAD = '''#VRML_SIM R2025a utf8
# A campus: twelve buildings, streets, lawns with hills, a square with a terrace, about ninety trees; people,
# two bicycles and a bus move about. Both suites of the Multi-Campus Dataset are there: that of a vehicle rides
# through the streets, the handheld one is carried over pavements and the square. Between the canteen and the
# laboratory a bridge crosses the east street, and a passage leads through the institute north of the library.
#
# campus/make_campus.py makes this file and what lies in campus; change it there. The robots are the first
# nodes after the lights. 1/1200 s is the longest step that all rates of the suites are whole numbers of.
#
# Try: ./protobeam view worlds/campus.wbt
#      ./protobeam run worlds/campus.wbt --duration 1 --out out --channels all
#      ./protobeam scan worlds/campus.wbt --device mcd_atv/os1 --out campus.pcd
#
# UWB anchors (campus/anchors.csv), m:
'''

ROBOTS = '''
# The suites, each along a recording that begins and ends at rest: on a vehicle through the streets, 100 s,
# and in the hands of somebody who walks, 172 s. Nothing comes near them on the way.
McdAtv {
  anchors [
    %(anchors)s
  ]
  gnss TRUE
  bodySlot [ Trajectory { url "campus/atv_spline.csv" } ]
}
McdHhs {
  anchors [
    %(anchors)s
  ]
  bodySlot [ Trajectory { url "campus/hhs_spline.csv" } ]
}
'''


def world_settings():
    sky = '\n  '.join('%sUrl [ "campus/sky_%s.png" ]' % (side, side) for side in pictures.SIDES)
    return '''
WorldInfo {
  title "Campus"
  info [ "A campus with people, bicycles and a bus, and both suites of the Multi-Campus Dataset." ]
  basicTimeStep 0.8333333333333334
  randomSeed 1
  gpsCoordinateSystem "WGS84"
  gpsReference 48.2082 16.3738 171
}
Viewpoint {
  fieldOfView 1
  position -66 -84 54
  orientation -0.2031 0.4272 0.8810 0.9897
}
Background {
  skyColor [ 0.44 0.54 0.67 ]
  %s
}
DirectionalLight {
  direction %s
  ambientIntensity 0.25
  intensity 1.7
  castShadows TRUE
}
''' % (sky, numbers([-c for c in pictures.TO_SUN]))


# ---- what moves

def corners_rounded(x, y, radius, clockwise):
    """A closed way around the middle: (x, y, yaw) with 8 points a corner, from the middle of the south side.
    The yaw goes on rising or falling; the last point is the first one, a turn later."""
    s = -1 if clockwise else 1
    out = [(0.0, -y, 0.0 if s > 0 else math.pi)]
    centres = [(x - radius, radius - y), (x - radius, y - radius), (radius - x, y - radius), (radius - x, radius - y)]
    if clockwise:
        centres = centres[::-1]
    for quarter, (cx, cy) in enumerate(centres):
        for i in range(9):
            a = -math.pi / 2 + s * (quarter + i / 8) * math.pi / 2
            out.append((cx + radius * math.cos(a), cy + radius * math.sin(a), out[0][2] + s * (quarter + i / 8) * math.pi / 2))
    return out + [(0.0, -y, out[0][2] + s * 2 * math.pi)]


def keyframes(way, speed, start=0.0, stop=None):
    """Times, translations and rotations of a way from `start` seconds on it; `stop`: (x, seconds) on the south side."""
    points, t = [(0.0, way[0])], 0.0
    for a, b in zip(way, way[1:]):
        legs = [a, b]
        if stop and a[1] == b[1] and min(a[0], b[0]) < stop[0] < max(a[0], b[0]) and a[1] < 0:
            legs = [a, (stop[0], a[1], a[2]), b]
        for p, q in zip(legs, legs[1:]):
            t += math.hypot(q[0] - p[0], q[1] - p[1]) / speed
            points.append((t, q))
            if len(legs) == 3 and q is legs[1]:
                t += stop[1]
                points.append((t, q))
    # It begins at `start`: what lies before comes after the rest.
    turn = way[-1][2] - way[0][2]
    i = max(k for k, (time, _) in enumerate(points) if time <= start)
    (ta, a), (tb, b) = points[i], points[i + 1]
    share = (start - ta) / (tb - ta)
    here = tuple(p + (q - p) * share for p, q in zip(a, b))
    rows = [(0.0, here)] + [(time - start, p) for time, p in points[i + 1:]]
    if start > 0:
        rows += [(time + t - start, (p[0], p[1], p[2] + turn)) for time, p in points[1:i + 1]]
        rows.append((t, (here[0], here[1], here[2] + turn)))
    return rows


def moving(text, name, rows, box, shapes_of):
    """A KeyframeAnimation whose Solid has the given shapes; `box`: what bodies touch, size and middle."""
    text.add('KeyframeAnimation {')
    text.add('times [ %s ]' % numbers([t for t, _ in rows]), 2)
    text.add('translations [ %s ]' % ', '.join(numbers((x, y, 0)) for _, (x, y, _) in rows), 2)
    text.add('rotations [ %s ]' % ', '.join('0 0 1 ' + number(yaw, 5) for _, (_, _, yaw) in rows), 2)
    text.add('endPoint Solid {\n  name "%s"\n  children [' % name, 2)
    shapes_of(6)
    text.add('  ]\n  boundingObject Pose {\n    translation %s\n    children [ Box { size %s } ]\n  }\n}' % (
        numbers(box[1]), numbers(box[0])), 2)
    text.add('}')


PEOPLE = (  # where they walk, m; speed, m/s; height, m; shirt and trousers
    ((-24, -16.7, KERB), (24, -16.7, KERB), 1.3, 1.78, '0.7 0.16 0.14', '0.12 0.15 0.3'),
    ((-20, 16.5, TERRACE), (20, 16.5, TERRACE), 1.1, 1.65, '0.85 0.84 0.8', '0.1 0.1 0.11'),
    ((-46, -39.5, KERB), (46, -39.5, KERB), 1.5, 1.82, '0.15 0.32 0.2', '0.3 0.28 0.24'),
    ((48.8, -36, KERB), (48.8, 36, KERB), 1.4, 1.7, '0.2 0.28 0.5', '0.2 0.2 0.22'),
    ((0, -37, KERB), (0, -18.5, KERB), 1.2, 1.6, '0.8 0.6 0.15', '0.12 0.14 0.2'),
    ((-20, 50.5, KERB), (-20, 76, KERB), 1.4, 1.75, '0.4 0.14 0.34', '0.15 0.15 0.16'),
    ((-65, -36, KERB), (-65, 36, KERB), 1.6, 1.8, '0.5 0.52 0.54', '0.1 0.14 0.26'),
)
CROSSING = ((62.7, -52, KERB), (62.7, -49.3, KERB), (62.7, -48.8, 0), (62.7, -41.2, 0), (62.7, -40.7, KERB),
            (62.7, -39, KERB))


def people(text):
    for i, (a, b, speed, height, shirt, trousers) in enumerate(PEOPLE):
        text.add('Pedestrian {\n  name "pedestrian %d"\n  waypoints [ %s, %s ]\n  speed %s\n  height %s\n'
                 '  shirtColor %s\n  trousersColor %s\n}' % (i + 1, numbers(a), numbers(b), number(speed), number(height),
                                                           shirt, trousers))
    way = ', '.join(numbers(p) for p in CROSSING + CROSSING[-2:0:-1])
    text.add('Pedestrian {  # over the crossing in the south-east\n  name "pedestrian %d"\n  waypoints [ %s ]\n'
             '  speed 1.3\n  height 1.72\n  shirtColor 0.86 0.42 0.1\n}' % (len(PEOPLE) + 1, way))


def traffic(text, parts):
    text.add('\n# Traffic on the right: the bus in the outer lane of the ring, counterclockwise, 15 s at its stop; the\n'
             '# bicycles in the inner lane, the other way round.')
    moving(text, 'bus', keyframes(corners_rounded(57, 47, 9, False), 7, 0, (12, 15)), ((12, 2.5, 2.8), (0, 0, 1.7)),
           lambda indent: text.model('bus', parts['bus'], indent))
    inner = corners_rounded(52.6, 42.6, 5, True)
    for i, (speed, start) in enumerate(((4.5, 4), (5.2, 40))):
        def shapes_of(indent):
            text.model('bicycle', parts['bicycle'], indent)
            text.model('rider', parts['rider'], indent)
        moving(text, 'cyclist %d' % (i + 1), keyframes(inner, speed, start), ((1.7, 0.5, 1.75), (0, 0, 0.88)), shapes_of)


# ---- what stands

def planted(text, name, trees, parts):
    text.add('Solid {\n  name "%s"\n  children [' % name)
    for kind, x, y, z, size, yaw in trees:
        text.add('Transform {\n  translation %s\n  rotation 0 0 1 %s\n  scale %s\n  children [' % (
            numbers((x, y, z)), number(yaw), numbers((size,) * 3)), 4)
        if 'tree ' + kind in text.known:
            text.add('USE TREE_%s' % kind.upper(), 8)
        else:
            text.add('DEF TREE_%s Group {\n  children [' % kind.upper(), 8)
            text.known.add('tree ' + kind)
            text.model(kind, parts[kind], 12)
            text.add('  ]\n}', 8)
        text.add('  ]\n}', 4)
    text.add('  ]')
    if name == 'trees':
        text.add('boundingObject Group {\n  children [', 2)
        for kind, x, y, z, size, _ in trees:
            height, radius = (size * d for d in furniture.TRUNKS[kind])
            text.add('Pose { translation %s children [ Cylinder { radius %s height %s } ] }' % (
                numbers((x, y, z + height / 2)), number(radius), number(height)), 6)
        text.add('  ]\n}', 2)
    text.add('}')


def parked_cars(text, bays):
    """In about two of three bays, and on the decks of the garage."""
    cars = [(x, y, KERB, yaw) for i, (x, y, yaw) in enumerate(bays) if pictures.chance(i, 0, 96) < 0.34]
    for i in range(8):
        if i != 3:
            cars.append((72.5 + 4.8 * i, 64, KERB + 3.0 * (i % 4), math.pi / 2))
            cars.append((74.5 + 4.4 * i, 88, KERB + 3.0 * ((i + 1) % 4), -math.pi / 2))
    text.add('# The mesh is meshes/car.dae; its picture is white here, so that each car has the colour of its paint.')
    text.add('Solid {\n  name "parked cars"\n  children [')
    for i, (x, y, z, yaw) in enumerate(cars):
        colour = i % len(CAR_COLOURS)
        text.add('Pose {\n  translation %s\n  rotation 0 0 1 %s\n  children [' % (numbers((x, y, z)), number(yaw, 5)), 4)
        paint = 'USE CAR_PAINT_%d' % colour if i >= len(CAR_COLOURS) else (
            'DEF CAR_PAINT_%d PBRAppearance { baseColor %s baseColorMap %s roughness 0.3 metalness 0 }' % (
                colour, CAR_COLOURS[colour], text.image('car_side')))
        mesh = 'USE CAR_BODY' if i else 'DEF CAR_BODY Mesh { url "../meshes/car.dae" }'
        text.add('Shape {\n  appearance %s\n  geometry %s\n}' % (paint, mesh), 8)
        if i:
            text.add('USE CAR_WHEELS', 8)
        else:
            text.add('DEF CAR_WHEELS Group {\n  children [', 8)
            for wx in (-1.35, 1.35):
                for wy in (-0.8, 0.8):
                    text.add('Pose {\n  translation %s %s 0.32\n  rotation 1 0 0 1.5708\n  children [' % (wx, wy), 12)
                    text.shape('rubber', 'Cylinder { radius 0.32 height 0.2 }', 16)
                    text.add('  ]\n}', 12)
            text.add('  ]\n}', 8)
        text.add('  ]\n}', 4)
    text.add('  ]\n  boundingObject Group {\n    children [')
    for x, y, z, yaw in cars:
        text.add('Pose { translation %s rotation 0 0 1 %s children [ Box { size 4.4 1.8 1.4 } ] }' % (
            numbers((x, y, z + 0.75)), number(yaw, 5)), 6)
    text.add('    ]\n  }\n}')


def bicycles(text, parts):
    text.add('Solid {\n  name "bicycles"\n  children [')
    n = 0
    for x, y, dx, dy, count, yaw in furniture.BICYCLES:
        for i in range(count):
            n += 1
            if pictures.chance(n, 0, 97) < 0.25:
                continue
            text.add('Pose {\n  translation %s\n  rotation 0 0 1 %s\n  children [' % (
                numbers((x + i * dx, y + i * dy + dy / 2 - 0.1, KERB)), number(yaw, 5)), 4)
            text.model('bicycle', parts['bicycle'], 8)
            text.add('  ]\n}', 4)
    text.add('  ]\n}')


def world(parts, bays, woods):
    text = Text()
    text.add(HEAD.rstrip('\n'))
    for i, place in enumerate(ANCHORS):
        text.add('#   %2d  %s' % (i, numbers(place)))
    text.add('')
    for name in ('elements/Pedestrian', 'suites/McdAtv', 'suites/McdHhs'):
        text.add('EXTERNPROTO "../protos/%s.proto"' % name)
    text.add(world_settings())
    text.add(ROBOTS % {'anchors': ',\n    '.join(numbers(p) for p in ANCHORS)})
    text.add('')
    people(text)
    traffic(text, parts)
    text.add('\n# Streets: one plane below everything, the blocks 0.12 m above it.')
    text.add('Solid {\n  name "streets"\n  children [')
    text.add('Shape {\n  appearance PBRAppearance {\n    baseColorMap %s\n    textureTransform TextureTransform { scale 70 70 }\n'
             '    roughness 1\n    metalness 0\n  }\n  geometry DEF STREETS Plane { size 280 280 }\n}' % text.image('asphalt'), 4)
    text.add('  ]\n  boundingObject USE STREETS\n}')
    text.add('Solid {\n  name "blocks"\n  children [')
    for material in ('kerb', 'paving'):
        text.shape(material, 'DEF %s_MESH Mesh { url "campus/blocks_%s.obj" }' % (material.upper(), material), 4)
    text.add('  ]\n  boundingObject Group { children [ USE KERB_MESH USE PAVING_MESH ] }\n}')
    text.add('Solid {\n  name "campus"\n  children [')
    text.model('campus', parts['campus'], 4)
    text.add('  ]\n  boundingObject Group {\n    children [')
    for solid in parts['campus'].solids:
        text.add(solid, 6)
    text.add('    ]\n  }\n}')
    text.add('\n# Lawns. Heights run along x first.')
    for lawn in grounds.lawns():
        text.add(lawn.replace('USE GRASS_PICTURE', text.image('grass')))
    planted(text, 'trees', furniture.tree_places(), parts)
    parked_cars(text, bays)
    bicycles(text, parts)
    text.add('\n# The land around: seen, but nothing drives there.')
    text.add('Solid {\n  name "land"\n  children [')
    text.model('land', parts['land'], 4)
    text.add('  ]\n}')
    planted(text, 'woods', woods, parts)
    return '\n'.join(text.lines) + '\n'


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (['-h'], ['--help']):
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0]) if arguments else HERE.parent
    out = folder / 'campus'
    out.mkdir(exist_ok=True)
    shapes.TILES.update({name: tile for name, (_, tile, *_) in MATERIALS.items() if tile})

    parts = {name: shapes.Model() for name in ('blocks', 'campus', 'land')}
    for block in grounds.blocks():
        grounds.slab(parts['blocks'], *block)
    campus = parts['campus']
    grounds.markings(campus)
    grounds.square(campus)
    bays = grounds.car_park(campus)
    buildings.all_buildings(campus, KERB, TERRACE)
    furniture.street_furniture(campus)
    for x, y, z in ANCHORS:
        campus.box('light', x - 0.04, y - 0.04, z - 0.04, x + 0.04, y + 0.04, z + 0.04, bottom=True)
    woods = furniture.woods(grounds.land(parts['land']))
    for build in (furniture.lime, furniture.birch, furniture.spruce, furniture.bicycle, furniture.rider, furniture.bus):
        parts[build.__name__] = shapes.Model()
        build(parts[build.__name__])

    for part, model in parts.items():
        for material, mesh in model.meshes.items():
            (out / ('%s_%s.obj' % (part, material))).write_text(mesh.text())
    for name, data in pictures.all_pictures():
        (out / name).write_bytes(data)
    for name, ride in rides.RECORDINGS.items():
        (out / name).write_text(ride())
    rows = ['%d,%s,%s,%s' % (i, *(number(c) for c in place)) for i, place in enumerate(ANCHORS)]
    (out / 'anchors.csv').write_text('id,x,y,z\n' + '\n'.join(rows) + '\n')
    (folder / 'campus.wbt').write_text(world(parts, bays, woods))


if __name__ == '__main__':
    main(sys.argv[1:])
