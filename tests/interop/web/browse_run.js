// Opens pages of ours in Chromium, without a display: an animation, and a run that is under way, whose rover
// a key drives. Arguments: the program protobeam, worlds/teleop.wbt, a world with a camera
// of 64 x 32 pixels that is on. Leaves with 77 where there is no chromium.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {execFileSync} = require('node:child_process');
const {Browser, Run, hasBrowser, soon} = require('./run.js');

const [program, world, camera] = process.argv.slice(2);
if (!hasBrowser()) {
  console.log('no chromium (apt-get install chromium)');
  process.exit(77);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'protobeam-web-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));

function write(name, text) {
  fs.mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

/// A world that a supervisor changes in each step.
function changingWorld() {
  write('controllers/change/change.py', `
from controller import Supervisor
supervisor = Supervisor()
children = supervisor.getRoot().getField('children')
while supervisor.step(32) != -1:
    old = supervisor.getFromDef('BALL')
    if old:
        old.remove()
    children.importMFNodeFromString(-1, 'DEF BALL Solid { children [ Shape { geometry Sphere { } } ] }')
`);
  return write('worlds/changing.wbt', `#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Solid { name "mirror" translation 3 0 0 children [ Shape { appearance PBRAppearance { roughness 0 } geometry Box { } } ] }
Robot { supervisor TRUE controller "change" }
`);
}

/// Each change is shown, and what was shown before is given back.
async function watchChanges(browser) {
  const run = new Run(program, changingWorld(), '--duration', '100000', '--realtime');
  await browser.call('Page.navigate', {url: await run.address() + '/'});
  await soon('the world', () => browser.ask('view !== null'));
  await browser.ask('window.shown = new Set(); window.count = () => { if (nodes.length) shown.add(world.load); return shown.size; }; 1');
  await soon('changes', async () => await browser.ask('count()') > 12);
  // Between two worlds there is neither, for a moment.
  await soon('what was shown before to be given back', async () => {
    const held = await browser.ask('renderer.info.memory');
    return held.geometries <= 4 && held.textures <= 4;
  });
  await soon('a mirror', () => browser.ask('[...nodes].some(node => node.children.some(one => one.material && one.material.envMap))'));
  assert.deepEqual(browser.problems, []);
  await run.end();
}

/// A pen draws a red line on a white floor along y = 0.5 m, from x = -1 m on, and keeps to x < 0; beside it a wall
/// that a lidar of 8 rings sees.
function drawingWorld() {
  return write('worlds/drawing.wbt', `#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 20 gravity 0 }
DirectionalLight { direction 0 0 -1 }
Solid { name "floor" children [ Shape { appearance PBRAppearance { metalness 0 } geometry Box { size 6 4 1 } } ] }
Solid { name "wall" translation 2.5 0 1.5 children [ Shape { geometry Box { size 0.1 4 2 } } ] }
Solid { name "stop" translation 0.1 0.5 1 boundingObject Box { size 0.1 1 1 } }
Robot {
  name "writer" translation -1 0.5 0.75
  children [
    Pen { leadSize 0.2 inkColor 1 0 0 inkDensity 1 }
    Lidar { translation 0 0 0.2 fieldOfView 6.28 verticalFieldOfView 0.6 numberOfLayers 8 horizontalResolution 180 maxRange 10 samplingPeriod 0.1 }
  ]
  boundingObject Sphere { radius 0.1 } physics Physics { } linearVelocity 0.4 0 0
}
`);
}

/// The colour of the picture where a point of the world is.
const colorAt = (browser, point) => browser.ask(`(() => {
  const gl = renderer.getContext(), pixel = new Uint8Array(4);
  view.draw();
  const place = new THREE.Vector3(${point.join(', ')}).applyMatrix4(view.root.matrixWorld).project(view.camera);
  gl.readPixels(Math.floor((place.x + 1) / 2 * gl.drawingBufferWidth), Math.floor((place.y + 1) / 2 * gl.drawingBufferHeight),
                1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return [...pixel];
})()`);

/// Ink lies where a pen was, and the legend says what the colours of points mean.
async function watchPen(browser) {
  const run = new Run(program, drawingWorld(), '--duration', '100000', '--realtime');
  await browser.call('Page.navigate', {url: await run.address() + '/'});
  const isRed = ([red, green, blue]) => red > 100 && green < 60 && blue < 60;
  // The line is a lead of 0.2 m wide: what it has reached here it has filled 0.1 m before.
  await soon('ink', async () => await browser.ask('view !== null && inks.size === 1') && isRed(await colorAt(browser, [-0.25, 0.5, 0.5])));
  for (const point of [[-0.4, 0.43, 0.5], [-0.9, 0.5, 0.5], [-0.9, 0.57, 0.5]])
    assert(isRed(await colorAt(browser, point)), `${point} is red`);
  for (const point of [[-0.4, 0.3, 0.5], [-0.9, 0.7, 0.5], [-1.3, 0.5, 0.5], [0.6, 0.5, 0.5]]) {
    const [red, green, blue] = await colorAt(browser, point);
    assert(green > 100 && Math.abs(red - green) < 20 && Math.abs(red - blue) < 40, `${point} is white`);
  }

  const legend = async by => {
    await browser.ask(`at('cloud').value = '${by}'; at('cloud').onchange(); 1`);
    return browser.ask(`[at('legend').querySelector('b').textContent,
                         ...[...at('legend').querySelectorAll('span')].map(one => one.textContent)].join(' ')`);
  };
  assert.equal(await legend('ring'), 'ring 0 2 4 6');
  assert.equal(await legend('return'), 'return 1');
  // To the far corners of the floor and of the wall, about 5 m away.
  const [name, unit, ...ticks] = (await legend('range')).split(' ');
  assert.deepEqual([name, unit, ticks[0]], ['range', '[m]', '0']);
  assert(Number(ticks[ticks.length - 1]) >= 3 && Number(ticks[ticks.length - 1]) <= 6, ticks.join(' '));
  // The floor, 0.5 m above the origin, is the lowest thing.
  assert.match(await legend('height'), /^height \[m\] 0\.5 1/);
  await browser.ask(`at('cloud').value = 'none'; at('cloud').onchange(); 1`);
  assert.equal(await browser.ask('at("legend").hidden'), true);
  assert.deepEqual(browser.problems, []);
  await run.end();
}

async function main() {
  const browser = new Browser();
  await browser.open();

  const page = path.join(folder, 'run.html');
  execFileSync(program, ['run', world, '--duration', '1', '--animation', page]);
  await browser.call('Page.navigate', {url: `file://${page}#t=0.5`});
  await soon('the animation', async () => await browser.ask('document.getElementById("clock").textContent') === '0.50 / 1.00 s');
  assert.deepEqual(browser.problems, []);
  assert.equal(await browser.ask('document.getElementById("problem").hidden'), true);

  const run = new Run(program, world, '--duration', '100000', '--realtime');
  await browser.call('Page.navigate', {url: await run.address() + '/'});
  await soon('points', () => browser.ask('[...clouds.values()].some(cloud => cloud.count > 1000 && cloud.object)'));
  await soon('a picture', async () => await browser.colors() > 50);
  assert(await browser.ask('at("bar").scrollWidth <= window.innerWidth'), 'everything is in the window');
  const place = () => browser.ask('nodes[world.moving.rover].position.toArray()');
  const start = await place();
  await browser.key('keyDown', 'ArrowUp');
  await soon('the rover to move', async () => Math.hypot(...(await place()).map((x, k) => x - start[k])) > 0.3);
  await browser.key('keyUp', 'ArrowUp');
  await browser.ask('document.getElementById("play").click()');
  await soon('the pause', () => browser.ask('document.getElementById("clock").textContent.includes("paused")'));
  // The rover, from above.
  await browser.ask(`follower.choose('rover'); view.controls.target.setFromMatrixPosition(nodes[world.moving.rover].matrixWorld);
    view.camera.position.copy(view.controls.target).add({x: 0.01, y: 3, z: 0}); 1`);
  const middle = await browser.ask('[window.innerWidth / 2, window.innerHeight / 2]');
  await soon('its facts', async () => {
    await browser.click(...middle);
    return browser.ask('panel.name === "rover" && at("panel").innerText.includes("written at")');
  });
  assert(await browser.ask('fitBox(), view.box.visible'));
  await browser.ask(`at('lines').open = true; for (const box of document.querySelectorAll('#lines input')) box.click(); 1`);
  await soon('lines', () => browser.ask('layers.get(0) && layers.get(0).object && layers.get(1).object && trails.length === 1'));
  assert(await browser.ask('[...clouds.values()].some(cloud => cloud.object.beams)'));
  await browser.key('keyDown', 'Escape');
  await soon('nothing to be selected', () => browser.ask('at("panel").hidden'));
  for (const by of ['range', 'ring', 'intensity', 'return', 'none', 'height'])
    await browser.ask(`document.getElementById('cloud').value = '${by}'; document.getElementById('cloud').onchange()`);
  assert.deepEqual(browser.problems, []);
  assert.equal(await browser.ask('document.getElementById("problem").hidden'), true);
  await run.end();
  await soon('the end', () => browser.ask('!document.getElementById("problem").hidden || run.ended'));
  assert.deepEqual(browser.problems, []);

  const seeing = new Run(program, camera, '--duration', '100000', '--realtime');
  await browser.call('Page.navigate', {url: await seeing.address() + '/'});
  await soon('the world', () => browser.ask('view !== null'));
  await browser.ask('document.getElementById("cameras").click()');
  await soon('what the camera sees', () => browser.ask('[...document.querySelectorAll("#pictures img")].some(image => image.naturalWidth === 64)'));
  assert.deepEqual(browser.problems, []);
  await seeing.end();

  await watchPen(browser);
  await watchChanges(browser);
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
