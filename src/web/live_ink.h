// Of the live page: what pens drew. Before live_page.h's script.
#pragma once

namespace protobeam::web {

inline constexpr const char* kInkScript = R"(
let inks = new Map();  // by shape and side: the triangles and the picture on them

const inkKey = (shape, side) => 8 * shape + side;

function takeSheet(data, bytes) {
  const shape = data.getUint32(8, true), side = data.getUint32(12, true), count = data.getUint32(16, true);
  inks.set(inkKey(shape, side), { shape, side, corners: new Float32Array(bytes, 20, 3 * count),
                                  normals: new Float32Array(bytes, 20 + 12 * count, 3 * count), texture: null, object: null });
}

function takeInk(data, bytes) {
  const ink = inks.get(inkKey(data.getUint32(8, true), data.getUint32(12, true)));
  if (!ink) return;
  const number = ink.number = (ink.number || 0) + 1;
  if (bytes.byteLength === 16) return setInk(ink, null);
  const place = new Float32Array(bytes, 16, 4);
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes, 32)], { type: 'image/png' }));
  new THREE.TextureLoader().load(url, texture => {
    URL.revokeObjectURL(url);
    if (ink.number !== number) return texture.dispose();  // there is a newer one
    texture.encoding = THREE.sRGBEncoding;
    texture.generateMipmaps = false;
    texture.minFilter = THREE.LinearFilter;
    texture.magFilter = THREE.NearestFilter;
    ink.place = place;
    setInk(ink, texture);
  });
}

function setInk(ink, texture) {
  if (ink.texture) ink.texture.dispose();
  ink.texture = texture;
  if (view) drawInk(ink);
}

// Over its shape, once more.
function drawInk(ink) {
  drop(ink.object);
  ink.object = null;
  const shape = shapes.get(ink.shape);
  if (!ink.texture || !shape) return;
  const count = ink.corners.length / 3, across = ((ink.side >> 1) + 1) % 3, along = ((ink.side >> 1) + 2) % 3;
  const uvs = new Float32Array(2 * count);
  for (let i = 0; i < count; ++i) {
    uvs[2 * i] = ink.place[0] * ink.corners[3 * i + across] + ink.place[1];
    uvs[2 * i + 1] = ink.place[2] * ink.corners[3 * i + along] + ink.place[3];
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(ink.corners, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(ink.normals, 3));
  geometry.setAttribute('uv', new THREE.BufferAttribute(uvs, 2));
  const material = new THREE.MeshStandardMaterial({ map: ink.texture, roughness: 1, metalness: 0, transparent: true, depthWrite: false,
                                                    polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2 });
  // Beside the picture there is nothing; WebGL would go on with the colours of its edge.
  material.onBeforeCompile = shader => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <map_fragment>',
        'if (vUv.x < 0.0 || vUv.x > 1.0 || vUv.y < 0.0 || vUv.y > 1.0) discard;\n#include <map_fragment>');
  };
  ink.object = new THREE.Mesh(geometry, material);
  ink.object.receiveShadow = true;
  shape.add(ink.object);
}
)";

}  // namespace protobeam::web
