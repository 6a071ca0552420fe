// Reads our captures of Velodynes with @foxglove/velodyne-cloud and compares its points with the
// sweeps that they were made of. Argument: write_samples.
"use strict";

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const velodyne = require("@foxglove/velodyne-cloud");

const DEGREE = Math.PI / 180;

// Payloads of UDP packets to the port of data.
function* payloads(file) {
  const data = fs.readFileSync(file);
  assert.strictEqual(data.readUInt32LE(0), 0xa1b2c3d4);
  for (let at = 24; at < data.length; ) {
    const size = data.readUInt32LE(at + 8);
    const frame = data.subarray(at + 16, at + 16 + size);
    at += 16 + size;
    if (frame.readUInt16BE(36) === 2368) yield new Uint8Array(frame.subarray(42));
  }
}

function calibrationOf(model, lasersFile) {
  if (model !== velodyne.Model.HDL64E) return new velodyne.Calibration(model);
  // Each HDL-64E has a calibration of its own; the package only knows one of them.
  const lasers = fs.readFileSync(lasersFile, "utf8").trim().split("\n").map((line, id) => {
    const [elevation, azimuth] = line.split(" ").map(Number);
    return {
      laser_id: id, rot_correction: azimuth * DEGREE, vert_correction: elevation * DEGREE,
      dist_correction: 0, dist_correction_x: 0, dist_correction_y: 0, vert_offset_correction: 0,
      horiz_offset_correction: 0, focal_distance: 0, focal_slope: 0,
    };
  });
  return new velodyne.Calibration(model, { lasers, distance_resolution: 0.002 });
}

function check(folder, product, model, unit) {
  const bytes = fs.readFileSync(path.join(folder, product + ".f64"));
  const rows = new Float64Array(new Uint8Array(bytes).buffer);
  const calibration = calibrationOf(model, path.join(folder, product + ".txt"));
  const transformer = new velodyne.Transformer(calibration);
  let number = 0;
  for (const payload of payloads(path.join(folder, product + ".pcap"))) {
    if (model === velodyne.Model.HDL64E) {
      payload[1205] = velodyne.FactoryId.HDL64;  // that one tells its status there
    }
    const raw = new velodyne.RawPacket(payload);
    assert.strictEqual(raw.inferModel(), model);
    const cloud = new velodyne.PointCloud({
      stamp: 0, maxPoints: velodyne.RawPacket.MAX_POINTS_PER_PACKET,
    });
    transformer.unpack(raw, 0, 0, cloud);
    for (let i = 0; i < cloud.width; ++i, ++number) {
      const point = cloud.point(i);
      const [laser, x, y, z, intensity, late, turned] = rows.subarray(7 * number, 7 * number + 7);
      assert.strictEqual(point.ring, laser);
      assert.strictEqual(point.intensity, intensity);
      // The reader leaves out what the head turns within a block.
      const px = point.x * Math.cos(turned) + point.y * Math.sin(turned);
      const py = point.y * Math.cos(turned) - point.x * Math.sin(turned);
      const off = Math.hypot(px - x, py - y, point.z - z);
      assert.ok(off < unit / 2 + 0.0051 * DEGREE * Math.hypot(x, y) + 1e-4,
        `${product} point ${number} is ${off} m off`);
      // Its times of other lasers and devices are not those of the makers' manuals (a division
      // that should drop the rest; none for the HDL-64E).
      if (model === velodyne.Model.VLP32C && laser % 2 === 0) {
        assert.ok(Math.abs(point.deltaNs - 1e9 * late) < 2, `${product} point ${number}`);
      }
    }
  }
  assert.strictEqual(7 * number, rows.length);
  assert.ok(number > 80000, `${number} points`);
  console.log(`${product}: ${number} points`);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "protobeam-packets-"));
try {
  execFileSync(process.argv[2], ["packets", folder]);
  check(folder, "VelodyneVLP-16", velodyne.Model.VLP16, 0.002);
  check(folder, "VelodyneHDL-32E", velodyne.Model.HDL32E, 0.002);
  check(folder, "VelodyneVLP-32C", velodyne.Model.VLP32C, 0.004);
  check(folder, "VelodyneHDL-64E", velodyne.Model.HDL64E, 0.002);
} finally {
  fs.rmSync(folder, { recursive: true });
}
