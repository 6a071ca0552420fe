// Opens pages of ours in Chromium, without a display: an animation, and a run that is under way, whose rover
// a key drives. Arguments: the program protobeam, worlds/teleop.wbt. Leaves with 77 where there is no chromium.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {execFileSync, spawn, spawnSync} = require('node:child_process');
const {WebSocket} = require('ws');
const {Run, soon} = require('./run.js');

const [program, world] = process.argv.slice(2);
if (spawnSync('chromium', ['--version']).error) {
  console.log('no chromium (apt-get install chromium)');
  process.exit(77);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'protobeam-web-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));

/// Chromium, by its DevTools protocol.
class Browser {
  asked = new Map();
  problems = [];
  constructor() {
    this.child = spawn('chromium', [
      '--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-proxy-server',
      '--window-size=640,480', '--remote-debugging-port=0', `--user-data-dir=${folder}/profile`, 'about:blank'
    ], {stdio: 'ignore'});
    process.on('exit', () => this.child.kill('SIGKILL'));
  }
  async open() {
    const port = await soon('chromium', () => {
      try {
        return fs.readFileSync(`${folder}/profile/DevToolsActivePort`, 'utf8').split('\n')[0];
      } catch {
        return null;
      }
    });
    const pages = await soon('its page', async () => (await (await fetch(`http://127.0.0.1:${port}/json`)).json()).filter(one => one.type === 'page')[0]);
    this.socket = new WebSocket(pages.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => this.socket.on('open', resolve).on('error', reject));
    this.socket.on('message', text => {
      const message = JSON.parse(text);
      if (message.method === 'Runtime.exceptionThrown') this.problems.push(message.params.exceptionDetails);
      this.asked.get(message.id)?.(message.result);
    });
    await this.call('Runtime.enable');
    await this.call('Page.enable');
  }
  call(method, params = {}) {
    const id = this.asked.size + 1;
    return new Promise(resolve => {
      this.asked.set(id, resolve);
      this.socket.send(JSON.stringify({id, method, params}));
    });
  }
  async ask(expression) {
    const answer = await this.call('Runtime.evaluate', {expression, returnByValue: true});
    return answer?.exceptionDetails ? null : answer?.result?.value;
  }
  key(type, key) { return this.call('Input.dispatchKeyEvent', {type, key, code: key}); }
  /// How many colours a picture of the scene has: an empty one has a few.
  colors() {
    return this.ask(`(() => {
      const canvas = document.querySelector('canvas'), copy = document.createElement('canvas');
      copy.width = 160; copy.height = 120;
      if (typeof view !== 'undefined' && view) view.draw();
      const area = copy.getContext('2d');
      area.drawImage(canvas, 0, 0, 160, 120);
      const pixels = new Uint32Array(area.getImageData(0, 0, 160, 120).data.buffer);
      return new Set(pixels).size;
    })()`);
  }
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
  const place = () => browser.ask('nodes[world.moving.rover].position.toArray()');
  const start = await place();
  await browser.key('keyDown', 'ArrowUp');
  await soon('the rover to move', async () => Math.hypot(...(await place()).map((x, k) => x - start[k])) > 0.3);
  await browser.key('keyUp', 'ArrowUp');
  await browser.ask('document.getElementById("play").click()');
  await soon('the pause', () => browser.ask('document.getElementById("clock").textContent.includes("paused")'));
  for (const by of ['range', 'ring', 'intensity', 'none', 'height'])
    await browser.ask(`document.getElementById('cloud').value = '${by}'; document.getElementById('cloud').onchange()`);
  assert.deepEqual(browser.problems, []);
  assert.equal(await browser.ask('document.getElementById("problem").hidden'), true);
  await run.end();
  await soon('the end', () => browser.ask('!document.getElementById("problem").hidden || status.ended'));
  assert.deepEqual(browser.problems, []);
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
