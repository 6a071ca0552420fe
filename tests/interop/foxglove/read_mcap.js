// Reads our recordings with @mcap/core. Arguments: write_samples, a folder for its files.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { execFileSync, spawn } = require("node:child_process");
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { loadDecompressHandlers } = require("@mcap/support");
const { check, topics } = require("./check_values.js");

const [writer, folder] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });

const record = (file, ...rest) => execFileSync(writer, ["mcap", file, ...rest], { encoding: "utf8" });

const readable = (file) => {
  const bytes = fs.readFileSync(file);
  return {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => {
      assert.ok(Number(offset + size) <= bytes.length, "a read behind the end");
      return new Uint8Array(bytes.subarray(Number(offset), Number(offset + size)));
    },
  };
};

const count = (numbers, topic) => numbers.set(topic, (numbers.get(topic) ?? 0) + 1);

/// From the start, with all sums checked: what a reader without an index sees.
async function stream(file, decompressHandlers) {
  const reader = new McapStreamReader({ decompressHandlers, includeChunks: true, validateCrcs: true });
  reader.append(new Uint8Array(fs.readFileSync(file)));
  const schemas = new Map(), channels = new Map(), numbers = new Map(), kinds = new Map();
  for (let one; (one = reader.nextRecord()); ) {
    count(kinds, one.type);
    if (one.type === "Schema") schemas.set(one.id, one);
    if (one.type === "Channel") channels.set(one.id, one);
    if (one.type !== "Message") continue;
    const channel = channels.get(one.channelId), schema = schemas.get(channel.schemaId);
    const i = check(channel.topic, schema.name, new TextDecoder().decode(schema.data), one.data);
    assert.equal(one.logTime, BigInt(i) * 10000000n);
    assert.equal(one.publishTime, one.logTime);
    count(numbers, channel.topic);
  }
  return { numbers, kinds, done: reader.done() };
}

async function indexed(file, decompressHandlers, range = {}) {
  const reader = await McapIndexedReader.Initialize({ readable: readable(file), decompressHandlers });
  const numbers = new Map();
  let last = 0n;
  for await (const one of reader.readMessages({ ...range, validateCrcs: true })) {
    assert.ok(one.logTime >= last);
    last = one.logTime;
    const channel = reader.channelsById.get(one.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    check(channel.topic, schema.name, new TextDecoder().decode(schema.data), one.data);
    count(numbers, channel.topic);
  }
  return { numbers, reader };
}

async function wholeFiles(handlers) {
  for (const compression of ["zstd", "none"]) {
    const file = path.join(folder, `${compression}.mcap`);
    const text = record(file, compression, "all");
    const size = (fs.statSync(file).size / 1e6).toFixed(1);
    assert.equal(text, `wrote ${file}: 1201 messages, ${size} MB\n`);

    const all = await stream(file, handlers);
    assert.ok(all.done);
    for (const topic of topics) assert.equal(all.numbers.get(topic), topic === "/tf_static" ? 1 : 200);

    const { numbers, reader } = await indexed(file, handlers);
    assert.deepEqual([...numbers].sort(), [...all.numbers].sort());
    assert.equal(reader.header.profile, "ros2");
    assert.equal(reader.header.library, "protobeam sample");
    assert.equal(reader.statistics.messageCount, 1201n);
    assert.equal(reader.statistics.messageEndTime, 1990000000n);
    assert.ok(reader.chunkIndexes.length > 10);
    assert.ok(reader.chunkIndexes.some((c) => c.compression === (compression === "zstd" ? "zstd" : "")));
    for (const channel of reader.channelsById.values()) {
      assert.equal(channel.messageEncoding, "cdr");
      assert.match(channel.metadata.get("topic_type_hash"), /^RIHS01_[0-9a-f]{64}$/);
      const durability = channel.topic === "/tf_static" ? 1 : 2;
      assert.match(channel.metadata.get("offered_qos_profiles"), new RegExp(`durability: ${durability}\n`));
    }
    const metadata = [];
    for await (const one of reader.readMetadata()) metadata.push(one);
    assert.match(metadata[0].metadata.get("serialized_metadata"), /^version: 8\n/);

    const second = await indexed(file, handlers, {
      startTime: 500000000n, endTime: 1500000000n, topics: ["/car/imu", "/car/points"] });
    assert.deepEqual([...second.numbers].sort(), [["/car/imu", 101], ["/car/points", 101]]);
  }
}

async function killed(handlers) {
  for (const compression of ["zstd", "none"]) {
    const file = path.join(folder, `killed_${compression}.mcap`);
    const child = spawn(writer, ["mcap", file, compression, "forever"], { stdio: ["ignore", "pipe", "inherit"] });
    let chunks = 0;
    await new Promise((resolve) => {
      child.stdout.on("data", (data) => {
        chunks += data.toString().split("chunk").length - 1;
        if (chunks > 20) child.kill("SIGKILL");
      });
      child.on("close", resolve);
    });
    const { numbers, kinds, done } = await stream(file, handlers);
    assert.ok(!done);  // no footer
    assert.ok(kinds.get("Chunk") >= 20, `${kinds.get("Chunk")} chunks`);
    for (const topic of topics) assert.ok(numbers.get(topic) > 100);
  }
}

async function full(handlers) {
  for (const compression of ["zstd", "none"]) {
    for (const room of [1000000, 1003000, 1010000, 1030000, 1050000]) {
      const file = path.join(folder, `full_${compression}_${room}.mcap`);
      const [error, text] = record(file, compression, "full", String(room)).split("\n");
      assert.equal(error, `cannot write ${file}: File too large`);
      const { numbers, kinds } = await stream(file, handlers);
      let messages = 0;
      for (const number of numbers.values()) messages += number;
      assert.ok(kinds.get("Chunk") >= 8);
      assert.ok(text.startsWith(`wrote ${file}: ${messages} messages, 1.0 MB`) ||
        text.startsWith(`wrote ${file}: ${messages} messages, 0.9 MB`), text);
      // With room for it there is a summary, too.
      if (kinds.has("Footer")) {
        const { reader } = await indexed(file, handlers);
        assert.equal(reader.statistics.messageCount, BigInt(messages));
      } else {
        assert.ok(room - fs.statSync(file).size < 20000, "a summary would have had room");
      }
    }
  }
}

(async () => {
  const handlers = await loadDecompressHandlers();
  await wholeFiles(handlers);
  await killed(handlers);
  await full(handlers);
  console.log("recordings: read from the start, by time, after SIGKILL and from full disks");
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
