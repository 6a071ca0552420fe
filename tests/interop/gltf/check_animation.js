// Animations of runs, by Khronos' validator of glTF; and whether what moves in them does so as the
// run's own record of poses says. Arguments: the program protobeam, a world, the name of a robot in
// it, simulated seconds.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {execFileSync} = require('child_process');
const validator = require('gltf-validator');

const [program, world, robot, seconds] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'protobeam-gltf-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true}));
const file = path.join(folder, 'run.glb');
execFileSync(program, [
  'run', world, '--duration', seconds, '--no-pictures', '--out', folder, '--poses', '--animation',
  file, '--animation-rate', '20'
]);

function fail(what) {
  console.error(what);
  process.exit(1);
}

// The file as the format's specification describes it.
const bytes = fs.readFileSync(file);
const textSize = bytes.readUInt32LE(12);
const gltf = JSON.parse(bytes.toString('utf8', 20, 20 + textSize));
const binary = bytes.subarray(20 + textSize + 8);
function numbers(index) {
  const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView];
  const width = {SCALAR: 1, VEC3: 3, VEC4: 4}[accessor.type];
  const rows = [];
  for (let i = 0; i < accessor.count; ++i) {
    const row = [];
    for (let k = 0; k < width; ++k)
      row.push(binary.readFloatLE(view.byteOffset + 4 * (i * width + k)));
    rows.push(row);
  }
  return rows;
}
function track(node, what) {
  const animation = gltf.animations[0];
  const channel =
      animation.channels.find(one => one.target.node === node && one.target.path === what);
  if (!channel) fail(`${robot} has no track of its ${what}`);
  const sampler = animation.samplers[channel.sampler];
  return {times: numbers(sampler.input).map(row => row[0]), values: numbers(sampler.output)};
}
function at(one, time) {
  let i = 0;
  while (i + 2 < one.times.length && one.times[i + 1] < time) ++i;
  const share = Math.min(1, Math.max(0, (time - one.times[i]) / (one.times[i + 1] - one.times[i])));
  return one.values[i].map((value, k) => value + share * (one.values[i + 1][k] - value));
}

async function main() {
  const report = await validator.validateBytes(new Uint8Array(bytes));
  for (const issue of report.issues.messages)
    console.error(issue.code, issue.message, issue.pointer);
  const {numErrors, numWarnings, numInfos} = report.issues;
  if (numErrors + numWarnings + numInfos > 0) fail('the validator has something to say');
  if (report.info.drawCallCount === 0 || report.info.animationCount !== 1)
    fail('nothing is there, or nothing moves');

  const node = gltf.nodes.findIndex(one => one.name === robot);
  if (node < 0 || !gltf.nodes[0].children.includes(node))
    fail(`there is no node '${robot}' below the root`);
  const place = track(node, 'translation'), turn = track(node, 'rotation');
  const poses = fs.readFileSync(path.join(folder, 'poses', `${robot}.tum`), 'utf8')
                    .split('\n')
                    .filter(line => line && line[0] !== '#');
  let compared = 0, way = 0, first = null;
  for (const line of poses) {
    const [time, ...pose] = line.split(/\s+/).map(Number);
    if (!place.times.some(one => Math.abs(one - time) < 1e-5))
      continue;  // between two it is a straight line
    const p = at(place, time), q = at(turn, time);
    const off = Math.hypot(p[0] - pose[0], p[1] - pose[1], p[2] - pose[2]);
    const cosine = Math.abs(q[0] * pose[3] + q[1] * pose[4] + q[2] * pose[5] + q[3] * pose[6]);
    if (off > 1e-5 || cosine < 1 - 1e-6)
      fail(`at ${time} s it is ${off} m from its pose, cosine ${cosine}`);
    first = first || p;
    way = Math.max(way, Math.hypot(p[0] - first[0], p[1] - first[1]));
    ++compared;
  }
  if (compared < 10 || way < 0.1) fail(`only ${compared} poses compared, ${way} m apart`);
  console.log(`${compared} poses of ${robot}, ${
      way.toFixed(2)} m apart, are as the run's own record has them`);
}
main();
