// Talks to FoxglovePublisher with the official client and with sockets that misbehave. Argument:
// write_samples.
"use strict";
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
const net = require("node:net");
const fs = require("node:fs");
const readline = require("node:readline");
const { spawn } = require("node:child_process");
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const { WebSocket } = require("ws");
const { check, topics } = require("./check_values.js");

const [program] = process.argv.slice(2);
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/// Values that come one after another; next() takes the first that fits.
class Inbox {
  items = [];
  waiting = [];
  put(item) {
    const at = this.waiting.findIndex((one) => one.fits(item));
    if (at < 0) return void this.items.push(item);
    this.waiting.splice(at, 1)[0].resolve(item);
  }
  next(fits, what, ms = 10000) {
    const at = this.items.findIndex(fits);
    if (at >= 0) return Promise.resolve(this.items.splice(at, 1)[0]);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), ms);
      this.waiting.push({ fits, resolve: (item) => { clearTimeout(timer); resolve(item); } });
    });
  }
}

class Publisher {
  lines = new Inbox();
  constructor(memory = 64) {
    this.child = spawn(program, ["live", String(memory)], { stdio: ["pipe", "pipe", "inherit"] });
    this.closed = new Promise((resolve) => this.child.on("close", (code, signal) => resolve(signal ?? code)));
    readline.createInterface({ input: this.child.stdout }).on("line", (line) => this.lines.put(JSON.parse(line)));
  }
  async address() {
    this.where = (await this.lines.next((l) => l.address, "the address")).address;
    const [host, port] = this.where.split(":");
    this.host = host;
    this.port = Number(port);
    return this.where;
  }
  say(line) { this.child.stdin.write(line + "\n"); }
  async end() {
    this.child.stdin.end();
    const last = await this.lines.next((l) => l.text, "the summary");
    assert.equal(await this.closed, 0);
    return last;
  }
}

class Client {
  inbox = new Inbox();
  channels = new Map();
  bySubscription = new Map();
  constructor(where, protocol = "foxglove.websocket.v1") {
    this.ws = new WebSocket(`ws://${where}`, [protocol]);
    this.client = new FoxgloveClient({ ws: this.ws });
    for (const kind
             of ['open', 'serverInfo', 'status', 'time', 'serviceCallResponse',
                 'serviceCallFailure', 'advertiseServices', 'fetchAssetResponse', 'close',
                 'error']) {
      this.client.on(kind, (value) => this.inbox.put({ kind, value }));
    }
    this.client.on("advertise", (list) => {
      for (const channel of list) {
        this.channels.set(channel.topic, channel);
        this.inbox.put({ kind: "channel", value: channel.topic });
      }
    });
    this.client.on("message", (value) =>
      this.inbox.put({ kind: "message", topic: this.bySubscription.get(value.subscriptionId), value }));
  }
  async next(kind, more = () => true) {
    return (await this.inbox.next((one) => one.kind === kind && more(one), kind)).value;
  }
  subscribe(topic) {
    const id = this.client.subscribe(this.channels.get(topic).id);
    this.bySubscription.set(id, topic);
    return id;
  }
  async message(topic) {
    const value = await this.next("message", (one) => one.topic === topic);
    return { time: value.timestamp, data: bytesOf(value.data) };
  }
}

async function connected(where, protocol) {
  const client = new Client(where, protocol);
  const info = await client.next("serverInfo");
  await client.next("channel", (one) => one.value === "/clock");
  return { client, info };
}

async function values() {
  const publisher = new Publisher();
  const where = await publisher.address();
  assert.match(where, /^127\.0\.0\.1:\d+$/);
  for (const protocol of ["foxglove.websocket.v1", "foxglove.sdk.v1"]) {
    const { client, info } = await connected(where, protocol);
    assert.equal(client.ws.protocol, protocol);
    assert.equal(info.name, "protobeam sample");
    assert.deepEqual(info.capabilities, ['time', 'clientPublish', 'services', 'assets']);
    assert.deepEqual(info.supportedEncodings, ["cdr", "json"]);
    assert.equal(info.metadata.ROS_DISTRO, "humble");
    for (const topic of topics) {
      const channel = client.channels.get(topic);
      assert.equal(channel.encoding, "cdr");
      assert.equal(channel.schemaEncoding, "ros2msg");
      client.subscribe(topic);
    }
    for (const topic of topics) {  // /tf_static came once, before we did
      const { time, data } = await client.message(topic);
      const { schemaName, schema } = client.channels.get(topic);
      assert.equal(time, BigInt(check(topic, schemaName, schema, data)) * 10000000n);
    }
    const first = await client.next("time"), second = await client.next("time");
    assert.ok(second.timestamp > first.timestamp);
    assert.equal(second.timestamp % 10000000n, 0n);
    client.client.close();
    await client.next("close");
  }

  // A mesh of the robot, as Foxglove asks for it.
  const viewer = (await connected(where)).client;
  viewer.subscribe('/robot_description');
  const {data: description} = await viewer.message('/robot_description');
  const [, uri] = /filename="(package:[^"]+)"/.exec(new TextDecoder().decode(description));
  viewer.client.fetchAsset(uri, 12);
  const mesh = await viewer.next('fetchAssetResponse');
  assert.deepEqual([mesh.requestId, mesh.status], [12, 0]);
  assert.equal(new TextDecoder().decode(mesh.data), 'a mesh');
  viewer.client.fetchAsset('package://protobeam/../etc/passwd', 13);
  const refused = await viewer.next('fetchAssetResponse');
  assert.deepEqual([refused.requestId, refused.status], [13, 1]);
  assert.match(refused.error, /no message names/);
  viewer.client.close();

  // Unsubscribed topics are silent, new ones are advertised.
  const { client } = await connected(where);
  const id = client.subscribe("/car/imu");
  await client.message("/car/imu");
  client.client.unsubscribe(id);
  client.client.subscribe(9999);
  assert.match((await client.next("status")).message, /no channel 9999/);  // what was sent before is here
  client.inbox.items = client.inbox.items.filter((one) => one.kind !== "message");
  await sleep(200);
  assert.ok(!client.inbox.items.some((one) => one.kind === "message"));
  publisher.say("topic");
  await client.next("channel", (one) => one.value === "/late");
  client.client.close();
  const { text, lost } = await publisher.end();
  assert.match(text, /^served 127\.0\.0\.1:\d+: \d+ messages to 4 clients$/);
  assert.equal(lost, 0);
}

const twistDefinition = `Vector3 linear
Vector3 angular
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`;

async function publishing() {
  const publisher = new Publisher();
  const { client } = await connected(await publisher.address());
  const advertise = (topic, encoding, schemaName = "geometry_msgs/msg/Twist") =>
    client.client.advertise({ topic, encoding, schemaName });
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));

  const cdr = advertise("/cmd_vel", "cdr");
  const writer = new MessageWriter(parse(twistDefinition, { ros2: true }));
  client.client.sendMessage(cdr, writer.writeMessage(
    { linear: { x: 1.5, y: 0, z: 0 }, angular: { x: 0, y: 0, z: -0.5 } }));
  assert.deepEqual(await publisher.lines.next((l) => l.topic, "a twist"), { topic: "/cmd_vel", x: 1.5, turn: -0.5 });

  const text = advertise("/cmd_vel", "json", "geometry_msgs/Twist");
  client.client.sendMessage(text, json({ linear: { x: 2, y: 0, z: 0 }, angular: { z: 0.25 } }));
  assert.deepEqual(await publisher.lines.next((l) => l.topic, "a twist"), { topic: "/cmd_vel", x: 2, turn: 0.25 });

  // What is wrong is said, and nothing of it arrives.
  for (const [value, answer] of [
    [{ linear: { x: "fast" } }, /cmd_vel: linear\.x: not a number/],
    [{ linaer: {} }, /linaer: there is no such field/],
    [[1, 2], /not an object/]]) {
    client.client.sendMessage(text, json(value));
    assert.match((await client.next("status")).message, answer);
  }
  client.client.sendMessage(text, new TextEncoder().encode("{"));
  assert.match((await client.next("status")).message, /not JSON/);
  client.client.sendMessage(cdr, new Uint8Array(20));
  assert.match((await client.next("status")).message, /cmd_vel: a message that/);
  const wrong = advertise("/cmd_vel", "cdr", "sensor_msgs/msg/Imu");
  client.client.sendMessage(wrong, new Uint8Array(20));
  assert.match((await client.next("status")).message, /sensor_msgs\/msg\/Imu, where geometry_msgs\/msg\/Twist is/);
  advertise("/cmd_vel", "protobuf");
  assert.match((await client.next("status")).message, /neither cdr nor json/);
  advertise("/nobody", "cdr");
  assert.match((await client.next("status")).message, /nothing in the simulation takes \/nobody/);
  client.client.unadvertise(text);
  client.client.sendMessage(text, json({}));
  assert.match((await client.next("status")).message, /not advertised/);

  // A service.
  const [service] = await client.next("advertiseServices");
  assert.equal(service.name, "/twice");
  assert.equal(service.type, "test_msgs/srv/Twice");
  assert.equal(service.request.schemaName, "std_msgs/msg/String");
  const definition = parse(service.response.schema, { ros2: true });
  const data = new MessageWriter(definition).writeMessage({ data: "ab" });
  client.client.sendServiceCallRequest({ serviceId: service.id, callId: 77, encoding: "cdr", data });
  const response = await client.next("serviceCallResponse");
  assert.equal(response.callId, 77);
  assert.equal(response.encoding, "cdr");
  assert.equal(new MessageReader(definition).readMessage(response.data).data, "abab");
  client.client.sendServiceCallRequest({ serviceId: 5, callId: 78, encoding: "cdr", data });
  assert.match((await client.next("serviceCallFailure")).message, /no such service/);

  assert.ok(!publisher.lines.items.some((l) => l.topic));
  client.client.close();
  await publisher.end();
}

/// A connection whose handshake is done, or whose answer to it is text.
function raw(publisher, { request, protocol = "foxglove.websocket.v1" } = {}) {
  return new Promise((resolve) => {
    const socket = net.connect(publisher.port, publisher.host);
    socket.on("error", () => {});
    socket.write(request ?? `GET / HTTP/1.1\r\nHost: ${publisher.where}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Key: ${crypto.randomBytes(16).toString("base64")}\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`);
    socket.once("data", (data) => resolve({ socket, answer: data.toString("latin1") }));
    socket.once("close", () => resolve({ socket, answer: "" }));
  });
}

/// A masked frame of a client, whose length is written as short as the protocol wants it.
function frame(opcode, payload, length = payload.length) {
  const more = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const head = Buffer.alloc(2 + more);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (more === 0 ? length : more === 2 ? 126 : 127);
  if (more === 2) head.writeUInt16BE(length, 2);
  if (more === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1000;

async function garbage() {
  const publisher = new Publisher();
  await publisher.address();
  const closed = (socket) => socket.destroyed || socket.readableEnded ? Promise.resolve() :
    Promise.race([new Promise((resolve) => { socket.once("close", resolve); socket.resume(); }),
      sleep(8000).then(() => { throw new Error("a connection that should have ended"); })]);

  assert.match((await raw(publisher, { request: "GET / HTTP/1.1\r\nHost: x\r\n\r\n" })).answer, /^HTTP\/1.1 426 /);
  assert.match((await raw(publisher, { protocol: "chat" })).answer, /^HTTP\/1.1 400 /);
  assert.equal((await raw(publisher, { request: crypto.randomBytes(5000) + "\r\n\r\n" })).answer, "");
  assert.equal((await raw(publisher, { request: "GET / HTTP/1.1\r\nX: " + "y".repeat(20000) })).answer, "");

  // Text and binary frames of any content: the client is told, or it is out.
  const { client } = await connected(publisher.where);
  for (const text of ["", "{", "[]", "null", "{\"op\":1}", "{\"op\":\"nothing\"}", "{\"op\":\"subscribe\"}",
    "{\"op\":\"subscribe\",\"subscriptions\":[1,null,{\"id\":-1,\"channelId\":1},{\"id\":1e99,\"channelId\":1}]}",
    "{\"op\":\"unsubscribe\",\"subscriptionIds\":[\"x\",5]}", "[".repeat(500000), "{\"op\":\"" + "a".repeat(500) + "\"}",
    "{\"op\":\"advertise\",\"channels\":[{\"id\":1}]}", "{\"op\":\"subscribe\",\"subscriptions\":{}}", "\u0000".repeat(100)]) {
    client.ws.send(text);
    await client.next("status");
  }
  for (let i = 0; i < 300; ++i) client.ws.send(crypto.randomBytes(i % 40));
  for (let opcode = 0; opcode < 5; ++opcode) {
    for (const size of [0, 3, 4, 11, 12, 13, 400]) client.ws.send(Buffer.concat([Buffer.from([opcode]), Buffer.alloc(size, 255)]));
  }
  client.subscribe("/car/imu");
  await client.message("/car/imu");
  client.client.close();

  // Frames that are none.
  for (let i = 0; i < 50; ++i) {
    const { socket, answer } = await raw(publisher);
    assert.match(answer, /^HTTP\/1.1 101 /);
    socket.write(crypto.randomBytes(1 + i * 37));
    socket.end();
    socket.destroySoon();
  }
  const huge = await raw(publisher);
  huge.socket.write(frame(2, Buffer.alloc(10), 2 ** 40));
  await closed(huge.socket);
  const unmasked = await raw(publisher);
  unmasked.socket.write(Buffer.from([0x81, 2, 0x7b, 0x7d]));
  await closed(unmasked.socket);

  // A hundred at once; some say nothing, some half a handshake. Those are cut off after 5 s.
  const many = [];
  for (let i = 0; i < 100; ++i) {
    const socket = net.connect(publisher.port, publisher.host);
    socket.on("error", () => {});
    if (i % 3 === 1) socket.write("GET / HTTP/1.1\r\nHost:");
    many.push(socket);
  }
  const good = await raw(publisher);
  assert.match(good.answer, /^HTTP\/1.1 (101|503) /);
  good.socket.destroy();
  await Promise.all(many.map(closed));
  const after = await connected(publisher.where);
  after.client.subscribe("/car/imu");
  await after.client.message("/car/imu");
  after.client.client.close();
  assert.ok(memory(publisher.child.pid) < 200, `${memory(publisher.child.pid)} MB`);
  await publisher.end();
}

/// One client never reads; another gets everything.
async function slowClient() {
  const publisher = new Publisher(24);
  const { client } = await connected(await publisher.address());
  const lazy = await raw(publisher);
  lazy.socket.pause();
  const subscription = JSON.stringify({ op: "subscribe",
    subscriptions: [{ id: 1, channelId: client.channels.get("/car/big").id }] });
  lazy.socket.write(frame(1, Buffer.from(subscription)));
  client.subscribe("/car/big");
  await sleep(200);
  const before = memory(publisher.child.pid);
  // Ten at a time, so that the other one keeps up also on a machine that is busy.
  const count = 300;
  let burst = 0;
  for (let sent = 0; sent < count; sent += 10) {
    publisher.say("burst 10");
    for (let i = 0; i < 10; ++i) assert.ok((await client.message("/car/big")).data.length > 1600000);
    burst += (await publisher.lines.next((l) => l.burst, "the end of the burst")).burst;
  }
  const more = memory(publisher.child.pid) - before;
  // It would be 480 MB; this all is one message, shared.
  assert.ok(more < 60, `${more} MB more`);

  // Nor does one that asks without end and never reads the answers.
  const pest = await raw(publisher);
  pest.socket.pause();
  const question = frame(1, Buffer.from("{\"op\":\"" + "a".repeat(200) + "\"}"));
  const questions = Buffer.concat(Array(5000).fill(question));
  let gone = false;
  pest.socket.on("close", () => { gone = true; });
  for (let i = 0; i < 100 && !gone; ++i) {
    pest.socket.write(questions);
    await sleep(20);
  }
  for (let i = 0; i < 500 && !gone; ++i) await sleep(20);
  assert.ok(gone, "it is still connected");
  client.subscribe("/car/imu");
  await client.message("/car/imu");
  const full = memory(publisher.child.pid) - before;
  assert.ok(full < 120, `${full} MB more`);
  client.client.close();
  const { lost, finish, text } = await publisher.end();
  assert.ok(lost > 250 && lost < 300, `${lost} lost`);
  assert.ok(finish < 1500, `${finish} ms to finish`);
  console.log(`burst of ${count} clouds of 1.6 MB: ${burst.toFixed(0)} ms; ${lost} lost for the client that ` +
    `does not read; ${more.toFixed(0)} MB; ended in ${finish.toFixed(0)} ms; ${text}`);
  lazy.socket.destroy();
  pest.socket.destroy();
}

(async () => {
  for (const part of [values, publishing, garbage, slowClient]) {
    await part();
    console.log(`${part.name}: ok`);
  }
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
