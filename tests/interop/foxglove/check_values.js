// Decodes the messages of sample_messages.h by their definitions, with a parser and a reader that are not
// ours, and compares their values.
"use strict";
const assert = require("node:assert/strict");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

const checks = {
  "/tf_static": (m) => {
    assert.deepEqual(m.transforms.map((t) => t.child_frame_id), ["car/lidar", "car/imu"]);
    assert.equal(m.transforms[1].transform.translation.x, 0.5);
    assert.equal(m.transforms[0].transform.rotation.w, 1);
  },
  "/car/imu": (m, i) => {
    assert.deepEqual(m.orientation, { x: 0, y: 0, z: 0.6, w: 0.8 });
    assert.equal(m.angular_velocity.z, i * 0.5);
    assert.equal(m.linear_acceleration.x, i * -0.25);
    assert.equal(m.orientation_covariance[0], -1);
    assert.equal(m.header.frame_id, "car/imu");
  },
  "/car/points": (m, i) => {
    assert.equal(m.point_step, 16);
    assert.deepEqual(m.fields.map((f) => f.name), ["x", "y", "z", "intensity"]);
    assert.equal(m.data.byteLength, m.width * 16);
    const view = new DataView(m.data.buffer, m.data.byteOffset, m.data.byteLength);
    assert.equal(view.getFloat32(16 * 7 + 4, true), 7);
    assert.equal(view.getFloat32(16 * 7 + 8, true), i);
    assert.equal(m.is_dense, true);
  },
  "/car/image": (m, i) => {
    assert.equal(m.encoding, "rgb8");
    assert.equal(m.data.length, m.step * m.height);
    assert.equal(m.data[3599], (i + 3599) % 256);
  },
  "/car/camera_info": (m, i) => {
    assert.deepEqual([...m.d], [0.1, -0.2, 0, 0, 0.05]);
    assert.deepEqual([...m.k], [50, 0, 20, 0, 51, 15, 0, 0, 1]);
    assert.equal(m.p[0], 50 + i);
    assert.equal(m.roi.do_rectify, true);
  },
  "/car/odom": (m, i) => {
    assert.equal(m.child_frame_id, "car");
    assert.equal(m.pose.pose.position.x, i * 0.1);
    assert.equal(m.pose.covariance[35], 0.125);
    assert.equal(m.twist.twist.linear.x, 10);
  },
  "/car/livox": (m, i) => {
    assert.equal(m.timebase, BigInt(i) * 10000000n);
    assert.deepEqual(m.points.map((p) => [p.offset_time, p.y, p.line]),
      [0, 1, 2].map((k) => [k * 1000, -i, k]));
    assert.equal(m.points[2].reflectivity, 200);
  },
};

const readers = new Map();
/// The number i of the message, after a look at its values.
exports.check = (topic, typeName, definition, data) => {
  let reader = readers.get(typeName);
  if (!reader) {
    reader = new MessageReader(parse(definition, { ros2: true }));
    readers.set(typeName, reader);
  }
  const message = reader.readMessage(data);
  const header = message.header ?? message.transforms[0].header;
  const i = Math.round(header.stamp.sec * 100 + (header.stamp.nanosec ?? header.stamp.nsec) / 1e7);
  checks[topic](message, i);
  return i;
};
exports.topics = Object.keys(checks);
