// Watches a run as the live page does, with sockets of our own, and drives its rover by keys; and knocks as a
// page of another site. Arguments: the program protobeam, worlds/teleop.wbt.
'use strict';
const assert = require('node:assert/strict');
const http = require('node:http');
const net = require('node:net');
const {WebSocket} = require('ws');
const {Run, sleep, soon} = require('./run.js');

const [program, world] = process.argv.slice(2);

/// What a page knows.
class Page {
  status = null;
  world = null;
  time = -1;
  places = new Map();
  points = new Map();  // by device
  constructor(address) {
    this.socket = new WebSocket(address.replace('http', 'ws') + '/live', {origin: address});
    this.open = new Promise((resolve, reject) => this.socket.on('open', resolve).on('error', reject));
    this.socket.on('message', (data, binary) => binary ? this.took(data) : this.told(JSON.parse(data)));
  }
  told(message) {
    if (message.op === 'status') this.status = message;
    if (message.op === 'world') this.world = message;
  }
  took(data) {
    assert.equal(data.readUInt32LE(4), this.world.load);
    const kind = data.readUInt32LE(0);
    if (kind === 1) {
      this.time = data.readDoubleLE(8);
      const count = data.readUInt32LE(16);
      assert.equal(data.length, 24 + 32 * count);
      for (let i = 0; i < count; ++i) {
        const at = 24 + 32 * i;
        this.places.set(data.readUInt32LE(at) % 0x80000000, [0, 1, 2].map(k => data.readFloatLE(at + 4 + 4 * k)));
      }
    }
    if (kind === 2) {
      const count = data.readUInt32LE(12);
      assert.equal(data.length, 48 + 16 * count);
      this.points.set(data.readUInt32LE(8), count);
    }
  }
  say(op, value) { this.socket.send(JSON.stringify({op, value})); }
  place(name) { return this.places.get(this.world.moving[name]); }
}

/// What comes for a request that is none of a browser.
function answerTo(address, request) {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(new URL(address).port, '127.0.0.1', () => socket.write(request));
    socket.on('data', part => { answer += part; }).on('end', () => resolve(answer.split('\r\n')[0])).on('error', reject);
  });
}

function get(address, path, headers = {}) {
  return new Promise((resolve, reject) => http.get(address + path, {headers}, answer => {
    const parts = [];
    answer.on('data', part => parts.push(part));
    answer.on('end', () => resolve({status: answer.statusCode, type: answer.headers['content-type'], body: Buffer.concat(parts)}));
  }).on('error', reject));
}

async function main() {
  const run = new Run(program, world, '--duration', '100000', '--realtime');
  const address = await run.address();

  const front = await get(address, '/');
  assert.equal(front.status, 200);
  assert.match(front.type, /^text\/html/);
  assert.match(front.body.toString(), /new WebSocket\(/);
  assert.equal((await get(address, '/etc/passwd')).status, 404);
  assert.equal((await get(address, '/world/99.glb')).status, 404);
  assert.equal((await get(address, '/', {Origin: 'http://evil.example'})).status, 403);
  assert.equal((await get(address, '/', {Host: 'evil.example'})).status, 403);
  assert.match(await answerTo(address, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello'), / 405 /);
  assert.match(await answerTo(address, 'how are you?\r\n\r\n'), / 400 /);
  assert.match(await answerTo(address, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20000)}\r\n\r\n`), / 400 /);
  await assert.rejects(new Promise((resolve, reject) => new WebSocket(address.replace('http', 'ws') + '/live', {origin: 'http://evil.example'})
                                                            .on('open', resolve)
                                                            .on('error', reject)),
                       /403/);

  const page = new Page(address);
  await page.open;
  await soon('the world', () => page.world);
  const file = await get(address, `/world/${page.world.load}.glb`);
  assert.equal(file.body.toString('latin1', 0, 4), 'glTF');
  const names = new Set(JSON.parse(file.body.toString('utf8', 20, 20 + file.body.readUInt32LE(12))).nodes.map(node => node.name));
  for (const item of page.places.keys()) assert(names.has('n' + item), `node n${item}`);

  // It stands until somebody drives it.
  await soon('points', () => [...page.points.values()].some(count => count > 1000));
  await soon('the rover', () => page.place('rover'));
  const start = page.place('rover');
  await sleep(300);
  assert(Math.hypot(...page.place('rover').map((x, k) => x - start[k])) < 0.02);
  page.socket.send('this is no JSON');
  page.socket.send(Buffer.from([1, 2, 3]));
  page.say('keys', 'none');
  page.say('keys', [315]);  // WB_KEYBOARD_UP
  await soon('the rover to move', () => Math.hypot(...page.place('rover').map((x, k) => x - start[k])) > 0.3);

  page.say('pause', true);
  await soon('the pause', () => page.status.paused);
  await sleep(300);
  const stopped = page.time;
  await sleep(300);
  assert.equal(page.time, stopped);
  page.say('step');
  await soon('a step', () => page.time > stopped);
  assert(page.time < stopped + 0.05, `${page.time} after ${stopped}`);
  page.say('speed', 5);
  page.say('pause', false);
  await soon('another speed', () => page.status.speed === 5 && !page.status.paused);

  // Keys go with the page that holds them.
  page.socket.terminate();
  const other = new Page(address);
  await other.open;
  await soon('the rover again', () => other.world && other.place('rover'));
  await soon('the rover to stand', async () => {
    const before = other.place('rover');
    await sleep(500);
    return Math.hypot(...other.place('rover').map((x, k) => x - before[k])) < 0.02;
  });
  other.socket.close();
  assert.notEqual(await run.end(), 'SIGKILL');
  assert.match(run.text, /real time; state hash/);
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
