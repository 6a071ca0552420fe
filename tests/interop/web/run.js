// A run that shows itself in browsers, `protobeam run ... --web=0`, and a browser.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const {spawn, spawnSync} = require('node:child_process');
const {WebSocket} = require('ws');

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/// Waits for what `ask` gives, if not null; up to two minutes, since machines are slow beside others.
async function soon(what, ask) {
  for (let i = 0; i < 1200; ++i) {
    const got = await ask();
    if (got !== null && got !== undefined && got !== false) return got;
    await sleep(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

class Run {
  text = '';
  constructor(program, ...words) {
    this.child = spawn(program, ['run', ...words, '--web=0'], {stdio: ['ignore', 'pipe', 'pipe']});
    for (const stream of [this.child.stdout, this.child.stderr])
      readline.createInterface({input: stream}).on('line', line => { this.text += line + '\n'; });
    this.ended = new Promise(resolve => this.child.on('close', (code, signal) => resolve(signal ?? code)));
    process.on('exit', () => this.child.kill('SIGKILL'));
  }
  /// "http://127.0.0.1:34567"
  address() {
    return soon('the address', () => /open (http:\S+) in a browser/.exec(this.text)?.[1]);
  }
  end() {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

const hasBrowser = () => !spawnSync('chromium', ['--version']).error;

/// Chromium, by its DevTools protocol.
class Browser {
  asked = new Map();
  problems = [];
  constructor() {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'protobeam-chromium-'));
    this.child = spawn('chromium', [
      '--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-proxy-server',
      '--window-size=640,480', '--remote-debugging-port=0', `--user-data-dir=${this.folder}`, 'about:blank'
    ], {stdio: 'ignore'});
    process.on('exit', () => {
      this.child.kill('SIGKILL');
      for (let i = 0; i < 50; ++i) {  // its processes end one after another, and write until then
        try {
          return fs.rmSync(this.folder, {recursive: true, force: true});
        } catch {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        }
      }
    });
  }
  async open() {
    const port = await soon('chromium', () => {
      try {
        return fs.readFileSync(`${this.folder}/DevToolsActivePort`, 'utf8').split('\n')[0];
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
  /// Of the left button, in pixels from the upper left corner.
  async click(x, y) {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.call('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
  }
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

module.exports = {Browser, Run, hasBrowser, sleep, soon};
