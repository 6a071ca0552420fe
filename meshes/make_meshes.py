#!/usr/bin/python3
"""Makes the meshes of this folder, the same bytes on every machine.

    meshes/make_meshes.py [FOLDER]                  all of them (FOLDER: this one)
    meshes/make_meshes.py statue FILE [TRIANGLES]   a statue (.obj, .stl or .glb), too large to keep

x points forward, z up, metres; normals smooth where the surface is, texture coordinates (0, 0) at the
lower left of the picture. Only numpy is needed.
"""
import json
import math
import pathlib
import struct
import sys
import zlib

import numpy as np


class Mesh:
    """Vertices with normals and texture coordinates, triangles counter-clockwise from outside."""

    def __init__(self, points, normals, uvs, triangles):
        self.points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        self.normals = np.asarray(normals, dtype=np.float64).reshape(-1, 3)
        self.uvs = np.asarray(uvs, dtype=np.float64).reshape(-1, 2)
        self.triangles = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)

    def __add__(self, other):
        return Mesh(np.vstack([self.points, other.points]), np.vstack([self.normals, other.normals]),
                    np.vstack([self.uvs, other.uvs]),
                    np.vstack([self.triangles, other.triangles + len(self.points)]))


def grid(points, closed=False, uvs=None):
    """Smooth surface over points[row][column]; seen from outside rows grow upwards, columns to the right.
    `closed`: the last column continues at the first one."""
    points = np.asarray(points, dtype=np.float64)
    if closed:
        points = np.concatenate([points, points[:, :1]], axis=1)
    rows, columns = points.shape[:2]
    # Differences along both directions, over the seam where it is closed.
    ring = points[:, :-1] if closed else points
    if closed:
        along = np.roll(ring, -1, axis=1) - np.roll(ring, 1, axis=1)
        along = np.concatenate([along, along[:, :1]], axis=1)
    else:
        along = np.gradient(points, axis=1)
    normals = np.cross(along, np.gradient(points, axis=0))
    lengths = np.linalg.norm(normals, axis=2, keepdims=True)
    normals = np.where(lengths > 1e-15, normals / np.where(lengths > 1e-15, lengths, 1), [0, 0, 1])
    if uvs is None:
        u, v = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
        uvs = np.stack([u, v], axis=2)
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)[None, :]).ravel()
    triangles = np.concatenate([np.stack([a, a + 1, a + columns + 1], axis=1),
                                np.stack([a, a + columns + 1, a + columns], axis=1)])
    p = points.reshape(-1, 3)
    area = np.linalg.norm(np.cross(p[triangles[:, 1]] - p[triangles[:, 0]],
                                   p[triangles[:, 2]] - p[triangles[:, 0]]), axis=1)
    return Mesh(points, normals, uvs, triangles[area > 1e-16])


def can(radii_and_heights, segments):
    """A body of revolution, smooth around and with edges between its rings; closed at both ends."""
    angle = np.arange(segments) * (2 * math.pi / segments)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    low, high = radii_and_heights[0][1], radii_and_heights[-1][1]
    out = None
    for (r0, z0), (r1, z1) in zip(radii_and_heights, radii_and_heights[1:]):
        rings = [np.column_stack([circle * r, np.full(segments, z)]) for r, z in ((r0, z0), (r1, z1))]
        part = grid(rings, closed=True)
        half = segments + 1
        if r0 == 0:
            part.normals[:half] = part.normals[half:]
        if r1 == 0:
            part.normals[half:] = part.normals[:half]
        if z1 > z0:
            part.uvs[:, 1] = (part.points[:, 2] - low) / (high - low)
        out = part if out is None else out + part
    return out


def box(size, centre=(0, 0, 0)):
    size, centre = np.asarray(size) / 2, np.asarray(centre)
    out = None
    for axis in range(3):
        for sign in (-1, 1):
            u, v = np.roll(np.eye(3), 1, axis=0)[axis], np.roll(np.eye(3), 2, axis=0)[axis]
            n = np.eye(3)[axis] * sign
            if np.dot(np.cross(u, v), n) < 0:
                u, v = v, u
            corners = [centre + size * (n + a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            face = Mesh(corners, [n] * 4, [(0, 0), (1, 0), (1, 1), (0, 1)], [(0, 1, 2), (0, 2, 3)])
            out = face if out is None else out + face
    return out


# ---- the things themselves

def puck():
    """The casing of a lidar of 103 mm by 72 mm; the origin is its optical centre, 38 mm above its foot."""
    r, low, high = 0.0515, -0.0377, 0.0340
    rim = 0.0015
    return can([(0, low), (r - rim, low), (r, low + rim), (r, -0.016), (r - 0.001, -0.015),
                (r - 0.001, 0.015), (r, 0.016), (r, high - rim), (r - rim, high), (0, high)], 48)


def case():
    """An equipment case with feet and a handle, 0.6 x 0.4 x 0.3 m, standing on the origin."""
    out = box((0.6, 0.4, 0.27), (0, 0, 0.155))
    out += box((0.604, 0.404, 0.012), (0, 0, 0.2))
    for x in (-0.26, 0.26):
        for y in (-0.16, 0.16):
            out += box((0.05, 0.05, 0.02), (x, y, 0.01))
        out += box((0.012, 0.012, 0.03), (x * 0.4, 0.21, 0.2))
    return out + box((0.22, 0.012, 0.012), (0, 0.222, 0.2))


def car_body():
    """A saloon's body, 4.4 x 1.8 x 1.45 m, without wheels; the origin lies on the ground at its middle.

    Cross sections along x are superellipses between an underside and a roof line."""
    xs = np.array([-2.2, -2.19, -2.1, -1.9, -1.6, -1.35, -1.0, -0.6, -0.1, 0.3, 0.6, 0.9, 1.1, 1.4, 1.8, 2.05,
                   2.18, 2.2])
    roof = np.array([0.55, 0.75, 0.88, 0.95, 0.98, 1.02, 1.25, 1.41, 1.45, 1.44, 1.38, 1.2, 1.02, 0.95, 0.86,
                     0.76, 0.62, 0.5])
    under = np.array([0.4, 0.34, 0.3, 0.26, 0.22, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.24, 0.28, 0.34,
                      0.4])
    width = np.array([0.55, 0.74, 0.82, 0.87, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.89, 0.86, 0.8,
                      0.68, 0.5])
    fine = np.sort(np.concatenate([np.linspace(-2.2, 2.2, 61), xs[[1, -2]]]))
    roof, under, width = (np.interp(fine, xs, values) for values in (roof, under, width))
    angle = np.arange(40) * (2 * math.pi / 40)
    c, s = np.cos(angle), np.sin(angle)
    sections = []
    for x, top, bottom, half in zip(fine, roof, under, width):
        middle, tall = (top + bottom) / 2, (top - bottom) / 2
        y = half * np.sign(c) * np.abs(c) ** 0.45
        z = middle + tall * np.sign(s) * np.abs(s) ** 0.6
        # The cabin narrows towards the roof.
        y = y * (1 - 0.28 * np.clip((z - 0.9) / 0.6, 0, 1))
        sections.append(np.stack([np.full(40, x), y, z], axis=1))
    sections = np.array(sections)
    skin = grid(sections, closed=True)
    if mean_outwardness(skin) < 0:
        skin = grid(sections[::-1], closed=True)
    # The picture lies on it from the side: x to the right, z up.
    skin.uvs = np.stack([(skin.points[:, 0] + 2.2) / 4.4, skin.points[:, 2] / 1.5], axis=1)
    for row, x in ((0, -2.2), (-1, 2.2)):
        ring = sections[row]
        out = 1.0 if x > 0 else -1.0
        centre = ring.mean(axis=0)
        points = np.vstack([[centre], ring])
        order = [(0, 1 + i, 1 + (i + 1) % 40) for i in range(40)]
        a, b, d = points[0], points[1], points[2]
        if np.cross(b - a, d - a)[0] * out < 0:
            order = [(i, k, j) for i, j, k in order]
        uvs = np.stack([(points[:, 0] + 2.2) / 4.4, points[:, 2] / 1.5], axis=1)
        skin += Mesh(points, np.tile([out, 0, 0], (41, 1)), uvs, order)
    return skin


def mean_outwardness(mesh):
    """> 0 when the triangles of a closed surface face outwards: six times its volume."""
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    return float(np.einsum('ij,ij->', a, np.cross(b, c)))


def pallet():
    """A pallet of 1.2 x 0.8 x 0.144 m, standing on the origin."""
    out = None
    boards = [((1.2, 0.1, 0.022), (0, y, 0.133)) for y in (-0.35, -0.175, 0, 0.175, 0.35)]
    boards += [((0.1, 0.8, 0.022), (x, 0, 0.111)) for x in (-0.55, 0, 0.55)]
    boards += [((0.1, 0.1, 0.078), (x, y, 0.061)) for x in (-0.55, 0, 0.55) for y in (-0.35, 0, 0.35)]
    boards += [((1.2, 0.1, 0.022), (0, y, 0.011)) for y in (-0.35, 0, 0.35)]
    for size, centre in boards:
        board = box(size, centre)
        out = board if out is None else out + board
    return out


def statue(triangles=1_000_000):
    """A bust of about that many triangles, 0.8 m high: a turned profile with folds."""
    columns = max(16, int(round(math.sqrt(triangles))))
    rows = max(4, triangles // (2 * columns)) + 1
    t = np.linspace(0, 1, rows)[:, None]
    angle = (np.arange(columns) * (2 * math.pi / columns))[None, :]
    profile = np.interp(t, [0, 0.02, 0.12, 0.2, 0.45, 0.6, 0.66, 0.8, 0.92, 1],
                        [0.16, 0.17, 0.17, 0.1, 0.24, 0.16, 0.07, 0.12, 0.1, 0.001])
    folds = 1 + 0.05 * np.sin(9 * angle + 14 * t) * np.sin(math.pi * t) + 0.01 * np.sin(61 * angle) * np.sin(97 * t)
    r = profile * folds
    return grid(np.stack([r * np.cos(angle), 0.75 * r * np.sin(angle), 0.8 * t + 0 * angle], axis=2), closed=True)


# ---- pictures

def png(pixels):
    """8-bit RGB, rows from the top."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind, data):
        body = kind + data
        return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))
    # Stored, not compressed: zlib's versions pack the same pixels differently.
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows.tobytes(), 0)) + chunk(b'IEND', b''))


def puck_picture():
    """Around it and from foot to top: silver with a dark window."""
    pixels = np.full((64, 64, 3), (170, 172, 176), np.uint8)
    v = 1 - (np.arange(64) + 0.5) / 64
    pixels[(v > 0.3) & (v < 0.74)] = (18, 20, 28)
    pixels[:, ::16][(v < 0.3) & (v > 0.05)] = (120, 122, 126)
    return png(pixels)


def car_picture():
    """From the side: windows, a line along the doors, lamps in front and behind."""
    width, height = 176, 60
    pixels = np.full((height, width, 3), (150, 24, 30), np.uint8)
    x = (np.arange(width) + 0.5) / width * 4.4 - 2.2
    z = 1.5 - (np.arange(height) + 0.5) / height * 1.5
    X, Z = np.meshgrid(x, z)
    glass = (Z > 1.0) & (Z < 1.32) & (X > -1.15 + (Z - 1) * 0.9) & (X < 1.0 - (Z - 1) * 1.1) & (np.abs(X + 0.1) > 0.04)
    pixels[glass] = (22, 28, 36)
    pixels[Z < 0.3] = (20, 20, 20)
    pixels[(np.abs(Z - 0.72) < 0.02) & (np.abs(X) < 1.9)] = (110, 16, 22)
    pixels[(X > 2.0) & (Z > 0.55) & (Z < 0.72)] = (250, 245, 220)
    pixels[(X < -2.08) & (Z > 0.65) & (Z < 0.85)] = (220, 60, 20)
    return png(pixels)


def wood_picture():
    x, y = np.meshgrid(np.arange(64), np.arange(32))
    grain = (10 * np.sin(y * 0.9 + 2 * np.sin(x * 0.1)) + 6 * np.sin(y * 2.3 + x * 0.05)).round()
    return png(np.clip(np.stack([176 + grain, 138 + grain, 92 + grain], axis=2), 0, 255).astype(np.uint8))


# ---- files

def number(value):
    """Short, and the same on every machine."""
    text = '%.6f' % value
    text = text.rstrip('0').rstrip('.')
    return '0' if text in ('-0', '') else text


def unique_rows(rows):
    """(the different rows in order of appearance, the number of each row among them)"""
    seen, index, out = {}, [], []
    for row in rows:
        if row not in seen:
            seen[row] = len(out)
            out.append(row)
        index.append(seen[row])
    return out, index


def write_obj(path, mesh, material=None):
    lines = []
    if material:
        name, picture, text = material
        path.with_suffix('.mtl').write_text('newmtl %s\n%s\nmap_Kd %s\n' % (name, text, picture))
        lines += ['mtllib %s' % path.with_suffix('.mtl').name, 'usemtl %s' % name]
    tables = []
    for word, rows in (('v', mesh.points), ('vt', mesh.uvs), ('vn', mesh.normals)):
        texts, index = unique_rows([' '.join(number(c) for c in row) for row in rows])
        lines += ['%s %s' % (word, text) for text in texts]
        tables.append(index)
    for t in mesh.triangles:
        lines.append('f ' + ' '.join('/'.join(str(table[i] + 1) for table in tables) for i in t))
    path.write_text('\n'.join(lines) + '\n')


def write_stl(path, mesh):
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    rows = np.zeros(len(a), dtype=[('n', '<f4', 3), ('p', '<f4', (3, 3)), ('attribute', '<u2')])
    rows['n'], rows['p'] = n, np.stack([a, b, c], axis=1)
    path.write_bytes(b'binary STL'.ljust(80) + struct.pack('<I', len(a)) + rows.tobytes())


def write_dae(path, mesh, picture):
    tables = []
    for rows in (mesh.points, mesh.normals, mesh.uvs):
        tables.append(unique_rows([' '.join(number(c) for c in row) for row in rows]))
    sources = []
    for (texts, _), (name, axes) in zip(tables, (('points', 'XYZ'), ('normals', 'XYZ'), ('uvs', 'ST'))):
        params = ''.join('<param name="%s" type="float"/>' % a for a in axes)
        sources.append('''   <source id="%s"><float_array id="%s-array" count="%d">%s</float_array>
    <technique_common><accessor source="#%s-array" count="%d" stride="%d">%s</accessor></technique_common></source>
''' % (name, name, len(texts) * len(axes), ' '.join(texts), name, len(texts), len(axes), params))
    indices = ' '.join(str(index[i]) for i in mesh.triangles.ravel() for _, index in tables)
    path.write_text('''<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
 <library_images><image id="picture"><init_from>%s</init_from></image></library_images>
 <library_effects><effect id="paint"><profile_COMMON>
  <newparam sid="surface"><surface type="2D"><init_from>picture</init_from></surface></newparam>
  <newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
  <technique sid="common"><phong><diffuse><texture texture="sampler" texcoord="UV"/></diffuse>
   <specular><color>0.4 0.4 0.4 1</color></specular><shininess><float>40</float></shininess></phong></technique>
 </profile_COMMON></effect></library_effects>
 <library_materials><material id="paint-material"><instance_effect url="#paint"/></material></library_materials>
 <library_geometries><geometry id="body"><mesh>
%s   <vertices id="vertices"><input semantic="POSITION" source="#points"/></vertices>
   <triangles material="m" count="%d"><input semantic="VERTEX" source="#vertices" offset="0"/>
    <input semantic="NORMAL" source="#normals" offset="1"/><input semantic="TEXCOORD" source="#uvs" offset="2" set="0"/>
    <p>%s</p></triangles>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="scene"><node id="car"><instance_geometry url="#body"><bind_material>
  <technique_common><instance_material symbol="m" target="#paint-material">
   <bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common>
 </bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
''' % (picture, ''.join(sources), len(mesh.triangles), indices))


def write_glb(path, mesh, picture=None):
    uvs = mesh.uvs.copy()
    uvs[:, 1] = 1 - uvs[:, 1]  # glTF counts from the top
    parts = [mesh.points.astype('<f4'), mesh.normals.astype('<f4'), uvs.astype('<f4'),
             mesh.triangles.astype('<u4')]
    blobs = [part.tobytes() for part in parts] + ([picture] if picture else [])
    views, blob = [], b''
    for data in blobs:
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        blob += data + b'\0' * (-len(data) % 4)
    p = parts[0]
    material = {'pbrMetallicRoughness': {'metallicFactor': 0, 'roughnessFactor': 0.9}}
    document = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1, 'TEXCOORD_0': 2},
                                    'indices': 3, 'material': 0}]}],
        'accessors': [
            {'bufferView': 0, 'componentType': 5126, 'count': len(p), 'type': 'VEC3',
             'min': [float(v) for v in p.min(axis=0)], 'max': [float(v) for v in p.max(axis=0)]},
            {'bufferView': 1, 'componentType': 5126, 'count': len(p), 'type': 'VEC3'},
            {'bufferView': 2, 'componentType': 5126, 'count': len(p), 'type': 'VEC2'},
            {'bufferView': 3, 'componentType': 5125, 'count': 3 * len(mesh.triangles), 'type': 'SCALAR'}],
        'bufferViews': views, 'buffers': [{'byteLength': len(blob)}], 'materials': [material]}
    if picture:
        material['pbrMetallicRoughness']['baseColorTexture'] = {'index': 0}
        document.update(images=[{'bufferView': 4, 'mimeType': 'image/png'}], samplers=[{}],
                        textures=[{'source': 0, 'sampler': 0}])
    text = json.dumps(document, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 4)
    path.write_bytes(struct.pack('<4sIII4s', b'glTF', 2, 28 + len(text) + len(blob), len(text), b'JSON') +
                     text + struct.pack('<I4s', len(blob), b'BIN\0') + blob)


def write_all(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'puck.png').write_bytes(puck_picture())
    write_obj(folder / 'puck.obj', puck(), ('casing', 'puck.png', 'Kd 1 1 1\nKs 0.3 0.3 0.3\nNs 60'))
    write_stl(folder / 'case.stl', case())
    (folder / 'car.png').write_bytes(car_picture())
    write_dae(folder / 'car.dae', car_body(), 'car.png')
    write_glb(folder / 'pallet.glb', pallet(), wood_picture())


def write_statue(path, triangles):
    writers = {'.obj': write_obj, '.stl': write_stl, '.glb': write_glb}
    if path.suffix not in writers:
        sys.exit('make_meshes.py: %s ends in none of %s' % (path, ' '.join(writers)))
    writers[path.suffix](path, statue(triangles))


def main(arguments):
    if len(arguments) in (2, 3) and arguments[0] == 'statue':
        return write_statue(pathlib.Path(arguments[1]), int(arguments[2]) if len(arguments) == 3 else 1_000_000)
    if len(arguments) > 1 or arguments[:1] in (['-h'], ['--help'], ['statue']):
        sys.exit(__doc__)
    write_all(pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent)


if __name__ == '__main__':
    main(sys.argv[1:])
