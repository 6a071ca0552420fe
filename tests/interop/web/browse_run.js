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

/// A world that a supervisor changes in each step.
function changingWorld() {
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
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
  for (const by of ['range', 'ring', 'intensity', 'none', 'height'])
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

  await watchChanges(browser);
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
