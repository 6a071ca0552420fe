// Of the live page: what is drawn over the world, and the facts of what was clicked. Before
// live_page.h's script.
#pragma once

namespace protobeam::web {

inline constexpr const char* kOverlayStyle = R"(
  #lines { position: relative; }
  #lines div { position: absolute; bottom: 28px; right: -8px; padding: 8px 12px; white-space: nowrap;
               background: rgba(20, 24, 30, 0.85); }
  #lines label { display: block; }
  #lines summary { cursor: pointer; }
  #panel { position: absolute; top: 8px; right: 8px; padding: 8px 12px; background: rgba(20, 24, 30, 0.72); font-size: 13px;
           max-width: 40vw; overflow-wrap: anywhere; }
  #panel h1 { margin: 0 0 4px; font-size: 14px; }
  #panel td { padding: 1px 14px 1px 0; vertical-align: top; font-variant-numeric: tabular-nums; }
  #panel td:first-child { color: #9ab; }
)";

inline constexpr const char* kOverlayScript = R"(
const wantedLines = () => [...document.querySelectorAll('#lines input:checked')].map(box => box.value);

const kMostBeams = 20000;

function drawBeams(cloud) {
  if (cloud.object.beams) {
    cloud.object.beams.geometry.dispose();
    cloud.object.beams.material.dispose();
    cloud.object.remove(cloud.object.beams);
    cloud.object.beams = null;
  }
  if (!wantedLines().includes('beams') || !cloud.count) return;
  const stride = Math.ceil(cloud.count / kMostBeams), count = Math.ceil(cloud.count / stride);
  const ends = new Float32Array(6 * count);
  for (let i = 0; i < count; ++i) ends.set(cloud.points.subarray(3 * i * stride, 3 * i * stride + 3), 6 * i + 3);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(ends, 3));
  // More beams overlap more.
  const material = new THREE.LineBasicMaterial({ color: 0xff2310, transparent: true, depthWrite: false, fog: false,
                                                 opacity: Math.min(5 / Math.sqrt(count), 0.6) });
  material.toneMapped = false;
  cloud.object.beams = new THREE.LineSegments(geometry, material);
  cloud.object.beams.frustumCulled = false;
  cloud.object.add(cloud.object.beams);
}

// Lines and dots that are faint behind things, but those of the world are hidden there.
function overlay(kinds, geometry, isWorld) {
  const group = new THREE.Group();
  for (const behind of isWorld ? [false] : [true, false]) {
    for (const [Kind, options] of kinds) {
      const material = new (Kind === THREE.Points ? THREE.PointsMaterial : THREE.LineBasicMaterial)(
          Object.assign({ vertexColors: THREE.VertexColors, transparent: !isWorld, depthTest: !behind, depthWrite: false,
                          opacity: behind ? 0.3 : 1, fog: isWorld }, options));
      material.toneMapped = false;
      const one = new Kind(geometry(Kind), material);
      one.frustumCulled = false;
      one.renderOrder = isWorld ? 0 : 1;
      group.add(one);
    }
  }
  return group;
}

function drop(object) {
  if (!object) return;
  if (object.parent) object.parent.remove(object);
  object.traverse(one => {
    if (one.geometry) one.geometry.dispose();
    if (one.material) one.material.dispose();
  });
}

function linear(bytes, count) {
  const colors = new Float32Array(3 * count);
  for (let i = 0; i < count; ++i)
    for (let k = 0; k < 3; ++k) colors[3 * i + k] = (bytes[4 * i + k] / 255) ** 2.2;
  return colors;
}

function drawLayer(layer) {
  drop(layer.object);
  layer.object = null;
  if (!layer.count || (layer.layer === 1 && !wantedLines().includes('bounds'))) return;
  const colors = linear(layer.colors, layer.count), part = (array, from, to) => array.subarray(3 * from, 3 * to);
  const kinds = [];
  if (layer.ends) kinds.push([THREE.LineSegments, {}]);
  if (layer.count > layer.ends) kinds.push([THREE.Points, { size: 6, sizeAttenuation: false }]);
  layer.object = overlay(kinds, Kind => {
    const [from, to] = Kind === THREE.Points ? [layer.ends, layer.count] : [0, layer.ends];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(part(layer.points, from, to), 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(part(colors, from, to), 3));
    return geometry;
  }, layer.layer === 2);
  view.root.add(layer.object);
}

// Where a robot has been, as sim/scene/glyphs.h keeps it.
const kMostTrail = 4096;

function go(trail, place) {
  if (!place.every(Number.isFinite)) return;
  const last = trail.points[trail.points.length - 1];
  if (last && Math.hypot(place[0] - last[0], place[1] - last[1], place[2] - last[2]) < trail.spacing) return;
  if (trail.points.length === kMostTrail) {
    trail.points = trail.points.filter((_, i) => i % 2 === 0);
    trail.spacing *= 2;
  }
  trail.points.push(place);
  trail.changed = true;
}

// M. Okabe and K. Ito, "Color Universal Design": hues that everybody can tell apart.
const kTrailColors = [0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7];

function drawTrail(trail, number) {
  const wanted = wantedLines().includes('trails');
  const there = trail.object && trail.object.parent === view.root;
  if (there && wanted && !trail.changed) return;
  trail.changed = false;
  drop(trail.object);
  trail.object = null;
  if (!wanted || trail.points.length < 2) return;
  const positions = new Float32Array(3 * trail.points.length);
  trail.points.forEach((point, i) => positions.set(point, 3 * i));
  trail.object = overlay([[THREE.Line, { vertexColors: THREE.NoColors, color: kTrailColors[number % kTrailColors.length] }]],
                         () => new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(positions, 3)), false);
  view.root.add(trail.object);
}

// What was clicked: its facts, and a box around it.
function showPanel() {
  at('panel').hidden = !panel.name;
  if (view && view.box) { view.scene.remove(view.box); view.box.geometry.dispose(); view.box = null; }
  if (!panel.name) return;
  at('panel').querySelector('h1').textContent = panel.name;
  const table = at('panel').querySelector('table');
  table.textContent = '';
  for (const row of panel.rows) {
    const line = table.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
  if (!view) return;
  view.box = new THREE.Box3Helper(new THREE.Box3(), 0xffd700);
  view.scene.add(view.box);
}

function fitBox() {
  if (!view.box) return;
  view.box.box.makeEmpty();
  for (const shape of panel.shapes) if (shapes.has(shape)) view.box.box.expandByObject(shapes.get(shape));
  view.box.visible = !view.box.box.isEmpty();
}

function shapeAt(event) {
  const area = renderer.domElement.getBoundingClientRect();
  const caster = new THREE.Raycaster();
  caster.setFromCamera({ x: 2 * (event.clientX - area.left) / area.width - 1,
                         y: 1 - 2 * (event.clientY - area.top) / area.height }, view.camera);
  const all = [];
  for (const shape of shapes.values()) shape.traverseVisible(one => { if (one.isMesh) all.push(one); });
  const seen = one => { for (; one; one = one.parent) if (!one.visible) return false; return true; };
  for (const hit of caster.intersectObjects(all.filter(seen), false)) {
    for (let one = hit.object; one; one = one.parent) {
      const number = /^s([0-9]+)$/.exec(one.name);
      if (number && shapes.get(Number(number[1])) === one) return Number(number[1]);
    }
  }
  return null;
}

at('lines').onchange = () => {
  say('lines', wantedLines());
  if (!view) return;
  for (const cloud of clouds.values()) if (cloud.object) drawBeams(cloud);
  for (const layer of layers.values()) drawLayer(layer);
  trails.forEach(drawTrail);
  document.activeElement.blur();
};

// As much of a thing's colour is left as the renderers of cameras leave (render/light_reach.cpp).
const kFogChunk = THREE.ShaderChunk.fog_fragment;

function addFog(fog) {
  view.scene.fog = fog.kind === 'linear' ? new THREE.Fog(fog.color, 0, fog.range) : new THREE.FogExp2(fog.color, 1 / fog.range);
  const chunk = kFogChunk.replace('smoothstep( fogNear, fogFar, fogDepth )', 'clamp( fogDepth / fogFar, 0.0, 1.0 )');
  THREE.ShaderChunk.fog_fragment = fog.kind !== 'exponential' ? chunk
      : chunk.replace('fogDensity * fogDensity * fogDepth * fogDepth', 'fogDensity * fogDepth');
}
)";

}  // namespace protobeam::web
