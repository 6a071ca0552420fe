// What the page of page.h consists of, beside three.js and the scene.
#pragma once

namespace protobeam::gltf {

inline constexpr const char* kPageStyle = R"(
  html, body { margin: 0; height: 100%; overflow: hidden; font: 14px sans-serif; color: #fff; }
  canvas { display: block; outline: none; }
  #bar { position: absolute; left: 0; right: 0; bottom: 0; display: flex; flex-wrap: wrap; gap: 10px; align-items: center;
         padding: 8px 12px; background: rgba(20, 24, 30, 0.72); }
  #time { flex: 1; }
  #clock { min-width: 9em; text-align: right; font-variant-numeric: tabular-nums; }
  #problem { position: absolute; top: 0; left: 0; right: 0; padding: 12px; background: #802; }
  button, select { font: inherit; max-width: 45vw; }
)";

inline constexpr const char* kPageBody = R"(
<div id="problem" hidden></div>
<div id="bar">
  <button id="play" title="space">Pause</button>
  <input id="time" type="range" min="0" max="1" step="any" value="0">
  <span id="clock"></span>
  <select id="speed" title="speed">
    <option value="0.1">0.1x</option><option value="0.25">0.25x</option><option value="0.5">0.5x</option>
    <option value="1" selected>1x</option><option value="2">2x</option><option value="5">5x</option>
    <option value="10">10x</option>
  </select>
  <select id="follow" title="the camera goes with"><option value="">fixed</option></select>
</div>
)";

/// What all pages have, before their own script.
inline constexpr const char* kSceneScript = R"(
'use strict';
const at = id => document.getElementById(id);
const settings = JSON.parse(at('settings').textContent);
const fail = what => { at('problem').hidden = !what; at('problem').textContent = what; };

function newRenderer() {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.physicallyCorrectLights = true;
  renderer.gammaOutput = true;
  renderer.gammaFactor = 2.2;
  renderer.toneMapping = THREE.ReinhardToneMapping;
  renderer.toneMappingExposure = 2;
  renderer.toneMappingWhitePoint = 2;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  renderer.setPixelRatio(window.devicePixelRatio);
  document.body.insertBefore(renderer.domElement, document.body.firstChild);
  return renderer;
}

// Shadows of the first parallel light, around what the camera looks at.
function addShadows(scene, size) {
  let sun = null;
  scene.traverse(one => {
    if (one.isDirectionalLight && !sun) sun = one;
    if (one.isMesh) one.castShadow = one.receiveShadow = true;
  });
  if (!sun) {
    sun = new THREE.DirectionalLight(0xffffff, 2.5);
    sun.position.set(0.45, 0.85, 0.6);
    scene.add(sun);
    scene.add(sun.target);
  }
  const half = Math.min(size, 40);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.bias = -0.0005;
  Object.assign(sun.shadow.camera, { left: -half, right: half, bottom: -half, top: half, near: 1, far: 8 * half });
  scene.updateMatrixWorld(true);
  const from = new THREE.Vector3().setFromMatrixPosition(sun.matrixWorld);
  const direction = new THREE.Vector3().setFromMatrixPosition(sun.target.matrixWorld).sub(from).normalize();
  const light = new THREE.DirectionalLight(sun.color, sun.intensity);
  light.castShadow = true;
  light.shadow = sun.shadow;
  sun.parent.remove(sun);
  scene.add(light);
  scene.add(light.target);
  return place => {
    light.target.position.copy(place);
    light.position.copy(place).addScaledVector(direction, -4 * half);
  };
}

// What metal mirrors, which is black without: a sky that is lighter at its edge, and ground.
function mirrored(sky) {
  const side = colors => {
    const area = Object.assign(document.createElement('canvas'), { width: 64, height: 64 }).getContext('2d');
    const gradient = area.createLinearGradient(0, 0, 0, 64);
    colors.forEach((color, i) => gradient.addColorStop(i / Math.max(colors.length - 1, 1), color));
    area.fillStyle = gradient;
    area.fillRect(0, 0, 64, 64);
    return area.canvas;
  };
  const edge = '#' + new THREE.Color(sky).lerp(new THREE.Color('#fff'), 0.6).getHexString(), ground = '#707060';
  const around = side([sky, edge, ground, ground]);
  const map = new THREE.CubeTexture([around, around, side([sky]), side([ground]), around, around]);
  map.encoding = THREE.sRGBEncoding;
  map.needsUpdate = true;
  return map;
}

// Gives back what the graphics card has of a scene that is shown no more.
function release(scene) {
  scene.traverse(one => {
    if (one.geometry) one.geometry.dispose();
    for (const material of [].concat(one.material || [])) {
      const values = Object.values(material).concat(Object.values(material.uniforms || {}).map(uniform => uniform.value));
      for (const value of values) if (value && value.isTexture) value.dispose();
      material.dispose();
    }
    if (one.shadow && one.shadow.map) one.shadow.map.dispose();
  });
  if (scene.dispose) scene.dispose();
}

// A sky of pictures, addresses of them, as THREE.CubeTexture has them.
function skyOf(sides) {
  const sky = new THREE.CubeTextureLoader().load(sides);
  sky.encoding = THREE.sRGBEncoding;
  return sky;
}

// Behind everything, in its own colours: those of scene.background are lit as things are.
function addSky(scene, pictures) {
  const material = new THREE.ShaderMaterial({
    uniforms: { tCube: { value: pictures } }, vertexShader: THREE.ShaderChunk.cube_vert,
    fragmentShader: 'uniform samplerCube tCube; varying vec3 vWorldDirection;' +
        'void main() { gl_FragColor = textureCube(tCube, vec3(-vWorldDirection.x, vWorldDirection.yz)); }',
    side: THREE.BackSide, depthTest: false, depthWrite: false });
  const box = new THREE.Mesh(new THREE.BoxBufferGeometry(1, 1, 1), material);
  box.renderOrder = -1;
  box.frustumCulled = false;
  box.onBeforeRender = (renderer, scene, camera) => box.matrixWorld.copyPosition(camera.matrixWorld);
  scene.add(box);
}

// A scene with sky and sun, and the camera that looks at it; it looks as the one before, if there was one.
// `sides`: pictures of the sky; none: it has the one colour.
function newView(renderer, gltf, sky, sides, before) {
  const scene = new THREE.Scene();
  const pictures = sides.length ? skyOf(sides) : null;
  scene.background = new THREE.Color(sky);
  if (pictures) addSky(scene, pictures);
  scene.add(gltf.scene);
  scene.add(new THREE.HemisphereLight(sky, 0x707060, 1.6));
  const mirror = pictures || mirrored(sky);
  gltf.scene.traverse(one => {
    if (!one.isMesh || !(one.material.metalness > 0.3)) return;
    one.material.envMap = mirror;
    one.material.needsUpdate = true;
  });
  const box = new THREE.Box3().setFromObject(gltf.scene);
  const center = box.getCenter(new THREE.Vector3());
  const size = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 0.5);
  const followSun = addShadows(scene, size);

  const camera = new THREE.PerspectiveCamera(45, 1, 0.02, Math.max(1000, 20 * size));
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.enableKeys = false;
  controls.screenSpacePanning = true;
  if (before) {
    camera.fov = before.camera.fov;
    camera.position.copy(before.camera.position);
    controls.target.copy(before.controls.target);
    before.controls.dispose();
    release(before.scene);
  } else if (gltf.cameras.length) {
    const eye = gltf.cameras[0];
    eye.updateMatrixWorld(true);
    camera.fov = eye.fov;
    eye.getWorldPosition(camera.position);
    const ahead = eye.getWorldDirection(new THREE.Vector3());
    const distance = Math.max(center.clone().sub(camera.position).dot(ahead), 1);
    // Where it looks at the ground, if it does.
    const down = ahead.y < -0.05 ? -(camera.position.y - Math.max(box.min.y, 0)) / ahead.y : distance;
    controls.target.copy(camera.position).addScaledVector(ahead, down > 0.2 ? Math.min(down, 4 * size) : distance);
  } else {
    controls.target.copy(center);
    camera.position.copy(center).add(new THREE.Vector3(1.2 * size, 0.8 * size, 1.2 * size));
  }
  controls.update();
  const resize = () => {
    camera.aspect = window.innerWidth / window.innerHeight;
    camera.updateProjectionMatrix();
    renderer.setSize(window.innerWidth, window.innerHeight);
  };
  window.onresize = resize;
  resize();
  const draw = () => {
    controls.update();
    followSun(controls.target);
    renderer.render(scene, camera);
  };
  return { scene, camera, controls, draw };
}

// The camera goes with one of the named objects: the list `follow` has their names.
class Follower {
  constructor(view, nodes, wanted) {
    Object.assign(this, { view, nodes, followed: null, last: new THREE.Vector3(), place: new THREE.Vector3() });
    const list = at('follow');
    while (list.options.length > 1) list.remove(1);
    for (const name of nodes.keys()) list.add(new Option(name, name));
    list.onchange = () => this.choose(list.value);
    const fits = name => name === wanted || name === THREE.PropertyBinding.sanitizeNodeName(wanted);
    const first = wanted && [...nodes.keys()].find(fits);
    list.value = first || '';
    this.choose(list.value);
  }
  choose(name) {
    this.followed = this.nodes.get(name) || null;
    if (this.followed) this.followed.getWorldPosition(this.last);
  }
  move() {
    if (!this.followed) return;
    this.followed.getWorldPosition(this.place);
    this.view.camera.position.add(this.place).sub(this.last);
    this.view.controls.target.add(this.place).sub(this.last);
    this.last.copy(this.place);
  }
}
)";

inline constexpr const char* kPageScript = R"(
function begin() {
  const renderer = newRenderer();
  const bytes = Uint8Array.from(atob(at('glb').textContent.trim()), c => c.charCodeAt(0));
  new THREE.GLTFLoader().parse(bytes.buffer, '', gltf => show(renderer, gltf),
                               problem => fail('The scene cannot be read: ' + problem));
}

// Names of what moves by itself, for the list of what the camera can go with.
function movingNodes(gltf) {
  const named = new Map();
  for (const clip of gltf.animations) {
    for (const track of clip.tracks) {
      if (!track.name.endsWith('.position')) continue;
      const name = track.name.slice(0, -'.position'.length);
      const node = gltf.scene.getObjectByProperty('uuid', name) || gltf.scene.getObjectByName(name);
      if (node) named.set(node.name, node);
    }
  }
  return named;
}

function show(renderer, gltf) {
  const view = newView(renderer, gltf, settings.sky, settings.sides, null);
  const clip = gltf.animations[0];
  const seconds = settings.seconds;
  const mixer = new THREE.AnimationMixer(gltf.scene);
  if (clip) {
    clip.duration = Math.max(clip.duration, seconds);
    mixer.clipAction(clip).play();
  }
  at('bar').hidden = !clip;
  let now = 0, playing = true, before = null;
  at('time').max = seconds;
  const seek = time => { now = time; if (clip) mixer.setTime ? mixer.setTime(time) : mixer.update(time - mixer.time); };
  const play = on => { playing = on; at('play').textContent = on ? 'Pause' : 'Play'; };
  at('play').onclick = () => { if (now >= seconds) seek(0); play(!playing); };
  at('time').oninput = () => { play(false); seek(Number(at('time').value)); };
  window.onkeydown = event => { if (event.code === 'Space') { event.preventDefault(); at('play').click(); } };

  const follower = new Follower(view, movingNodes(gltf), settings.follow);
  const hash = /^#t=([0-9.]+)$/.exec(window.location.hash);  // page.html#t=3.5 stands at 3.5 s
  if (hash) { play(false); seek(Math.min(Number(hash[1]), seconds)); }

  const frame = wall => {
    if (playing && before !== null) {
      // The end stays in view.
      const next = Math.min(now + (wall - before) / 1000 * Number(at('speed').value), seconds);
      seek(next);
      if (now >= seconds) play(false);
    }
    before = wall;
    at('time').value = now;
    at('clock').textContent = now.toFixed(2) + ' / ' + seconds.toFixed(2) + ' s';
    follower.move();
    view.draw();
    window.requestAnimationFrame(frame);
  };
  window.requestAnimationFrame(frame);
}

try { begin(); } catch (problem) { fail('This browser cannot show the scene: ' + problem); }
)";

}  // namespace protobeam::gltf
