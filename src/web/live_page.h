// The page of a running world, beside what all pages have (gltf/page_source.h).
#pragma once

namespace protobeam::web {

inline constexpr const char* kLiveStyle = R"(
  #bar > span { flex: 1; font-variant-numeric: tabular-nums; }
  #problem { white-space: pre; overflow: auto; max-height: 40%; font-family: monospace; }
  #pictures { position: absolute; top: 0; left: 0; max-height: calc(100% - 48px); overflow: auto; }
  #pictures div { float: left; clear: left; margin: 8px 0 0 8px; background: rgba(20, 24, 30, 0.72); }
  #pictures p { margin: 0; padding: 2px 6px; font-size: 12px; }
  #pictures img { display: block; max-width: 18vw; min-width: 120px; image-rendering: pixelated; cursor: zoom-in; }
  #pictures img.large { max-width: 70vw; min-width: 50vw; cursor: zoom-out; }
  .label { position: absolute; white-space: pre; pointer-events: none; line-height: 1; }
)";

inline constexpr const char* kLiveBody = R"(
<div id="problem" hidden></div>
<div id="labels"></div>
<div id="pictures" hidden></div>
<div id="panel" hidden><h1></h1><table></table></div>
<div id="bar">
  <div id="legend" hidden><b></b><i></i></div>
  <button id="play" title="space">Pause</button>
  <button id="step" title="one step: .">Step</button>
  <button id="reload" title="the world's text, again" hidden>Reload</button>
  <select id="speed" title="speed">
    <option value="0.1">0.1x</option><option value="0.25">0.25x</option><option value="0.5">0.5x</option>
    <option value="1">1x</option><option value="2">2x</option><option value="5">5x</option>
    <option value="0">as fast as it can</option>
  </select>
  <span id="clock">connecting</span>
  <select id="cloud" title="points of lidars">
    <option value="height">by height</option><option value="range">by range</option>
    <option value="ring">by ring</option><option value="intensity">by intensity</option>
    <option value="return">by return</option><option value="none">no points</option>
  </select>
  <details id="lines" title="what is drawn over the world"><summary>lines</summary><div>
    <label><input type="checkbox" value="beams"> beams of lidars</label>
    <label><input type="checkbox" value="bounds"> bounding objects</label>
    <label><input type="checkbox" value="frames"> frames</label>
    <label><input type="checkbox" value="joints"> joint axes</label>
    <label><input type="checkbox" value="contacts"> contacts</label>
    <label><input type="checkbox" value="frusta"> what cameras see</label>
    <label><input type="checkbox" value="trails"> trails of robots</label>
  </div></details>
  <label title="what cameras see"><input id="cameras" type="checkbox"> pictures</label>
  <select id="follow" title="the camera goes with"><option value="">fixed</option></select>
  <select id="windows" title="opens the page of a robot" hidden><option value="">robot windows</option></select>
</div>
)";

inline constexpr const char* kLiveScript = R"(
const kUnseen = 0x80000000;
let renderer = null, view = null, follower = null, socket = null;
let world = null;           // what its message says
let nodes = [], lamps = [], shapes = new Map(); // of its file, when that has come
let places = new Map(), lights = new Map(), clouds = new Map(), layers = new Map();
let trails = [];            // of each robot
let panel = { name: null };
let run = { paused: false, speed: 1, factor: '0', failed: [], labels: [], problem: '' };
let time = 0;
let pressed = [0, 0];  // where the mouse was

// --- What the server tells.

function connect() {
  const scheme = window.location.protocol === 'https:' ? 'wss://' : 'ws://';
  socket = new WebSocket(scheme + window.location.host + '/live');
  socket.binaryType = 'arraybuffer';
  socket.onmessage = event => typeof event.data === 'string' ? told(JSON.parse(event.data)) : took(event.data);
  socket.onclose = () => {
    if (!run.ended) run.problem = 'There is no connection to the run.';
    showStatus();
    window.setTimeout(connect, 1000);  // the next run may be at the same address
  };
}

const say = (op, value) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, value })); };

function told(message) {
  if (message.op === 'status') {
    run = message;
    showStatus();
  } else if (message.op === 'world') {
    world = message;
    nodes = [];
    lamps = [];
    places = new Map();
    lights = new Map();
    clouds = new Map();
    layers = new Map();
    inks = new Map();
    trails = [];
    scale = new ColorScale(scale.by);
    at('legend').hidden = true;
    document.title = world.title + ' - Protobeam';
    at('pictures').textContent = '';
    at('cameras').parentNode.hidden = !world.imagers;
    if (at('cameras').checked) say('pictures', true);
    say('lines', wantedLines());
    at('windows').hidden = !world.windows.length;
    while (at('windows').options.length > 1) at('windows').remove(1);
    for (const one of world.windows) at('windows').add(new Option(one.robot, one.url));
    load(world.load);
  } else if (message.op === 'panel') {
    panel = message;
    showPanel();
  }
}

// The next world comes when this one has been shown.
async function load(number) {
  const shown = () => say('shown', number);
  try {
    const answer = await fetch('/world/' + number + '.glb');
    if (!answer.ok) return shown();  // there is another one
    const bytes = await answer.arrayBuffer();
    new THREE.GLTFLoader().parse(bytes, '', gltf => { if (world.load === number) show(gltf); shown(); },
                                 problem => { fail('The scene cannot be read: ' + problem); shown(); });
  } catch (problem) {
    shown();  // the connection; onclose tells it
  }
}

function took(bytes) {
  const data = new DataView(bytes);
  if (!world || data.getUint32(4, true) !== world.load) return;
  const kind = data.getUint32(0, true);
  if (kind === 1) {
    time = data.getFloat64(8, true);
    for (let i = 0, at = 24; i < data.getUint32(16, true); ++i, at += 32) {
      const item = data.getUint32(at, true);
      const place = { pose: new Float32Array(bytes, at + 4, 7), seen: item < kUnseen };
      places.set(item % kUnseen, place);
      put(item % kUnseen, place);
    }
  } else if (kind === 2) {
    const count = data.getUint32(12, true);
    const cloud = { pose: new Float32Array(bytes, 16, 7), count, points: new Float32Array(bytes, 48, 3 * count),
                    marks: new Uint8Array(bytes, 48 + 12 * count, 4 * count) };
    const device = data.getUint32(8, true);
    const before = clouds.get(device);
    if (before) cloud.object = before.object;
    clouds.set(device, cloud);
    if (view) draw(device, cloud);
  } else if (kind === 3) {
    for (let i = 0, at = 16; i < data.getUint32(8, true); ++i, at += 16) {
      lights.set(data.getUint32(at, true), new Float32Array(bytes, at + 4, 3));
      shine(data.getUint32(at, true));
    }
  } else if (kind === 5) {
    const ends = data.getUint32(12, true), dots = data.getUint32(16, true), count = ends + dots;
    const layer = data.getUint32(8, true);
    const before = layers.get(layer);
    layers.set(layer, { layer, ends, count, points: new Float32Array(bytes, 20, 3 * count),
                        colors: new Uint8Array(bytes, 20 + 12 * count, 4 * count), object: before && before.object });
    if (view) drawLayer(layers.get(layer));
  } else if (kind === 6) {
    const all = new Float32Array(bytes, 16, 3 * data.getUint32(8, true));
    for (let i = 0; 3 * i < all.length; ++i) go(trails[i] = trails[i] || { points: [], spacing: 0.02 }, all.slice(3 * i, 3 * i + 3));
    if (view) trails.forEach(drawTrail);
  } else if (kind === 7) {
    takeSheet(data, bytes);
  } else if (kind === 8) {
    takeInk(data, bytes);
  } else if (kind === 4) {
    showPicture(data.getUint32(8, true), new Blob([new Uint8Array(bytes, 16)], { type: 'image/jpeg' }));
  }
}

// --- What is seen.

function show(gltf) {
  const inner = new Map();
  gltf.scene.traverse(one => { if (one.name) inner.set(one.name, one); });
  for (let i = 0; inner.has('n' + i); ++i) nodes.push(inner.get('n' + i));
  shapes = new Map();
  inner.forEach((one, name) => { if (/^s[0-9]+$/.test(name)) shapes.set(Number(name.slice(1)), one); });
  for (const shape of world.lamps) {
    const meshes = [];
    const node = shapes.get(shape);
    if (node) node.traverse(one => { if (one.isMesh) meshes.push(one); });
    for (const mesh of meshes) mesh.material = mesh.material.clone();  // its colour is its own
    lamps.push(meshes);
  }
  view = newView(renderer, gltf, world.sky, world.sides, view);
  // The root turns the world's axes into those of glTF.
  view.root = nodes.length ? nodes[0].parent : gltf.scene;
  for (const [item, place] of places) put(item, place);
  for (const lamp of lights.keys()) shine(lamp);
  for (const [device, cloud] of clouds) draw(device, cloud);
  for (const ink of inks.values()) drawInk(ink);
  for (const layer of layers.values()) drawLayer(layer);
  trails.forEach(drawTrail);
  if (world.fog) addFog(world.fog);
  showPanel();
  const named = new Map(world.names.map(name => [name, nodes[world.moving[name]]]).filter(pair => pair[1]));
  follower = new Follower(view, named, follower ? at('follow').value : world.follow);
}

function put(item, place) {
  const node = nodes[item];
  if (!node) return;
  node.position.fromArray(place.pose, 0);
  node.quaternion.fromArray(place.pose, 3);
  node.visible = place.seen;
}

function shine(lamp) {
  const light = lights.get(lamp);
  for (const mesh of lamps[lamp] || []) {
    if (mesh.material.emissive) mesh.material.emissive.fromArray(light);
    else mesh.material.color.fromArray(light);
  }
}

// The points of a sweep, where they were taken.
function draw(device, cloud) {
  if (!cloud.object || cloud.object.parent !== view.root) {
    const material = new THREE.PointsMaterial({ size: 2.5, sizeAttenuation: false, vertexColors: THREE.VertexColors });
    material.toneMapped = false;
    cloud.object = new THREE.Points(new THREE.BufferGeometry(), material);
    cloud.object.frustumCulled = false;
    view.root.add(cloud.object);
  }
  const object = cloud.object;
  object.geometry.dispose();
  object.geometry = new THREE.BufferGeometry();
  object.geometry.setAttribute('position', new THREE.BufferAttribute(cloud.points, 3));
  object.position.fromArray(cloud.pose, 0);
  object.quaternion.fromArray(cloud.pose, 3);
  color(device);
  drawBeams(cloud);
}

// What a camera sees, below its name.
function showPicture(device, picture) {
  let image = document.getElementById('picture' + device);
  if (!image) {
    const box = document.createElement('div'), name = document.createElement('p');
    name.textContent = world.devices[device];
    image = document.createElement('img');
    image.id = 'picture' + device;
    image.onclick = () => image.classList.toggle('large');
    image.onload = () => URL.revokeObjectURL(image.src);
    box.append(name, image);
    at('pictures').append(box);
  }
  image.src = URL.createObjectURL(picture);
}

// --- What is said about it, and what its users want.

function showStatus() {
  at('play').textContent = run.paused ? 'Go on' : 'Pause';
  at('reload').hidden = !run.can_reload;
  if (document.activeElement !== at('speed')) at('speed').value = String(run.speed);
  fail([run.problem, ...run.failed].filter(text => text).join('\n'));
  at('labels').textContent = '';
  for (const label of run.labels) {
    const div = document.createElement('div');
    div.className = 'label';
    div.textContent = label.text;
    Object.assign(div.style, { left: 100 * label.x + '%', top: 100 * label.y + '%', fontSize: 100 * label.size + 'vh',
                               color: label.color, opacity: label.opacity });
    at('labels').append(div);
  }
}

function showClock() {
  let points = 0;
  for (const cloud of clouds.values()) points += cloud.count;
  const state = run.ended ? 'the run is over' : run.paused ? 'paused' : run.factor + ' x real time';
  at('clock').textContent = time.toFixed(2) + ' s, ' + state + (points ? ', ' + points + ' points' : '');
}

// Keys as Webots numbers them, for the controllers' keyboards.
const kKeys = { End: 312, Home: 313, ArrowLeft: 314, ArrowUp: 315, ArrowRight: 316, ArrowDown: 317, PageUp: 366,
                PageDown: 367, Backspace: 3, Enter: 4, Delete: 7 };
const kPadKeys = { Home: 375, ArrowLeft: 376, ArrowUp: 377, ArrowRight: 378, ArrowDown: 379, PageUp: 380,
                   PageDown: 381, End: 382, Enter: 5 };
const held = new Map();  // by the key's place, its number

function keyNumber(event) {
  const named = (event.location === KeyboardEvent.DOM_KEY_LOCATION_NUMPAD && kPadKeys[event.key]) || kKeys[event.key];
  if (named) return named;
  const symbol = event.key.length === 1 ? event.key.toUpperCase().charCodeAt(0) : 0;
  return symbol <= 0xff ? symbol : 0;
}

function sayKeys(event) {
  const modifiers = (event.shiftKey ? 1 << 16 : 0) | (event.ctrlKey ? 1 << 17 : 0) | (event.altKey ? 1 << 18 : 0);
  say('keys', [...held.values()].map(number => number | modifiers));
}

window.onkeydown = event => {
  if (event.target instanceof HTMLSelectElement) return;
  if (event.key === 'Escape') say('select', null);
  else if (event.code === 'Space') at('play').click();
  else if (event.key === '.') at('step').click();
  else if (keyNumber(event)) {
    if (event.repeat) return event.preventDefault();
    held.set(event.code, keyNumber(event));
    sayKeys(event);
  } else return;
  if (!event.ctrlKey && !event.altKey) event.preventDefault();
};
window.onkeyup = event => { if (held.delete(event.code)) sayKeys(event); };
window.onblur = () => { held.clear(); say('keys', []); };

at('play').onclick = () => { say('pause', !run.paused); at('play').blur(); };
at('step').onclick = () => { say('step'); at('step').blur(); };
at('reload').onclick = () => { say('reload'); at('reload').blur(); };
at('speed').onchange = () => { say('speed', Number(at('speed').value)); at('speed').blur(); };
at('cameras').onchange = () => {
  at('pictures').hidden = !at('cameras').checked;
  say('pictures', at('cameras').checked);
  at('cameras').blur();
};
at('windows').onchange = () => { window.open(at('windows').value, '_blank'); at('windows').value = ''; };
at('cloud').onchange = () => { color(); at('cloud').blur(); };

function frame() {
  showClock();
  if (view) {
    if (follower) follower.move();
    fitBox();
    view.draw();
  }
  window.requestAnimationFrame(frame);
}

try {
  renderer = newRenderer();
  renderer.domElement.addEventListener('pointerdown', event => { pressed = [event.clientX, event.clientY]; });
  renderer.domElement.addEventListener('pointerup', event => {
    const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
    if (view && event.button === 0 && moved < 4) say('select', shapeAt(event));
  });
  connect();
  window.requestAnimationFrame(frame);
} catch (problem) {
  fail('This browser cannot show the scene: ' + problem);
}
)";

}  // namespace protobeam::web
