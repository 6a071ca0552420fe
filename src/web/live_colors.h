// Of the live page: the colours of points, and what they mean. Before live_page.h's script.
#pragma once

namespace protobeam::web {

inline constexpr const char* kColorStyle = R"(
  #legend { position: absolute; left: 8px; bottom: calc(100% + 8px); width: 260px; padding: 6px 14px 20px; font-size: 12px;
            background: rgba(20, 24, 30, 0.72); }
  #legend b { display: block; margin-bottom: 4px; }
  #legend i { display: block; height: 10px; }
  #legend span { position: absolute; bottom: 3px; transform: translateX(-50%); font-variant-numeric: tabular-nums; }
)";

inline constexpr const char* kColorScript = R"(
const kTurbo = settings.turbo.map(byte => (byte / 255) ** 2.2);  // linear, as all colours of a scene
const entryOf = share => 3 * Math.round(20 + 204 * share);  // as the window: not the darkest of either end

// The largest of 1, 2 or 5 times a power of ten of which at least four fit into the span.
function roundStep(span) {
  const limit = span / 4, power = 10 ** Math.floor(Math.log10(limit));
  return power * (5 * power <= limit ? 5 : 2 * power <= limit ? 2 : 1);
}

const kKinds = {
  height: { unit: 'm' },
  range: { unit: 'm' },
  ring: { whole: true, least: 0 },
  intensity: {},
  return: { whole: true, least: 1 },
};

// A function of a point's number.
function valuesOf(by, cloud) {
  const { points, marks } = cloud;
  if (by === 'ring') return i => marks[4 * i];
  if (by === 'intensity') return i => marks[4 * i + 1] / 255;
  if (by === 'return') return i => marks[4 * i + 2];
  if (by === 'range') return i => Math.sqrt(points[3 * i] ** 2 + points[3 * i + 1] ** 2 + points[3 * i + 2] ** 2);
  const [qx, qy, qz, qw] = cloud.pose.subarray(3), up = new THREE.Vector3().fromArray(world.up);
  const own = up.dot(new THREE.Vector3().fromArray(cloud.pose)) + world.height;
  up.applyQuaternion(new THREE.Quaternion(-qx, -qy, -qz, qw));
  return i => up.x * points[3 * i] + up.y * points[3 * i + 1] + up.z * points[3 * i + 2] + own;
}

// Which value has which colour, in all clouds: the ends are round numbers and only ever grow apart, as those of the
// window (viewer/layers/color_scale.cpp).
class ColorScale {
  constructor(by) { this.by = by; this.lowest = Infinity; this.highest = -Infinity; this.low = Infinity; this.high = -Infinity; }
  get empty() { return !(this.low <= this.high); }

  // Whether it has become another one.
  include(cloud, rings) {
    if (!cloud.count) return false;
    const value = valuesOf(this.by, cloud), kind = kKinds[this.by];
    const before = [this.low, this.high];
    if (this.by === 'height') {
      // The highest and lowest hundredth do not stretch the colours.
      const stride = 1 + Math.floor(cloud.count / 4096), sample = new Float32Array(Math.ceil(cloud.count / stride));
      for (let i = 0; i < sample.length; ++i) sample[i] = value(i * stride);
      sample.sort();
      const at = share => sample[Math.round(share * (sample.length - 1))];
      this.lowest = Math.min(this.lowest, at(0.01));
      this.highest = Math.max(this.highest, at(0.99));
      // Colours need not resolve the noise of level ground; heights may stick out by a tenth of a step.
      const top = Math.max(this.highest, this.lowest + 0.5), step = roundStep(top - this.lowest);
      this.low = Math.min(this.low, Math.floor(this.lowest / step + 0.1) * step);
      this.high = Math.max(this.high, Math.ceil(top / step - 0.1) * step);
    } else {
      let most = this.by === 'ring' ? rings - 1 : -Infinity;
      for (let i = 0; i < cloud.count; ++i) most = Math.max(most, value(i));
      this.low = kind.least || 0;
      if (!kind.whole) {
        const step = most > 0 ? roundStep(most) : 1;  // nothing but zeros gets a whole scale all the same
        most = Math.max(step, Math.ceil(most / step) * step);
      }
      this.high = Math.max(this.high, most);
    }
    return before[0] !== this.low || before[1] !== this.high;
  }

  share(value) { return this.high > this.low ? Math.min(Math.max((value - this.low) / (this.high - this.low), 0), 1) : 0; }

  // Round numbers, six at most.
  ticks() {
    const span = this.high - this.low, whole = kKinds[this.by].whole;
    if (!(span > 0)) return [this.low];
    const power = 10 ** Math.floor(Math.log10(span / 6)), low = whole ? Math.max(1, power) : power;
    const count = step => Math.floor(this.high / step + 1e-9) - Math.ceil(this.low / step - 1e-9) + 1;
    const step = [1, 2, 5, 10, 20, 50].map(factor => factor * low).find(one => count(one) <= 6);
    const all = [];
    for (let k = Math.ceil(this.low / step - 1e-9); k <= this.high / step + 1e-9; ++k) all.push(Number((k * step).toPrecision(6)));
    return all;
  }
}

let scale = new ColorScale('height');

function paint(cloud) {
  const value = valuesOf(scale.by, cloud), colors = new Float32Array(3 * cloud.count);
  for (let i = 0; i < cloud.count; ++i) {
    const entry = entryOf(scale.share(value(i)));
    for (let k = 0; k < 3; ++k) colors[3 * i + k] = kTurbo[entry + k];
  }
  cloud.object.geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
}

// The clouds that are drawn get their colours: that of a device, which is new, or all of them.
function color(device) {
  const by = at('cloud').value, drawn = [...clouds].filter(([, cloud]) => cloud.object);
  for (const [, cloud] of drawn) cloud.object.visible = by !== 'none';
  if (by !== 'none') {
    const anew = device === undefined || by !== scale.by;
    if (anew) scale = new ColorScale(by);
    const grown = drawn.filter(([one, cloud]) => (anew || one === device) && scale.include(cloud, world.rings[one])).length > 0;
    for (const [one, cloud] of drawn) if (anew || grown || one === device) paint(cloud);
    if (anew || grown) showLegend();
  }
  at('legend').hidden = by === 'none' || scale.empty;
}

function showLegend() {
  const [title, bar] = at('legend').children, unit = kKinds[scale.by].unit;
  title.textContent = scale.by + (unit ? ' [' + unit + ']' : '');
  const css = share => 'rgb(' + settings.turbo.slice(entryOf(share), entryOf(share) + 3).join(',') + ')';
  bar.style.background = 'linear-gradient(to right,' + Array.from({ length: 33 }, (_, i) => css(i / 32)).join(',') + ')';
  while (at('legend').children.length > 2) at('legend').lastChild.remove();
  const labels = scale.ticks();
  for (const tick of labels) {
    const label = document.createElement('span');
    label.textContent = String(tick);
    label.style.left = 'calc(14px + (100% - 28px) * ' + scale.share(tick) + ')';
    at('legend').append(label);
  }
}
)";

}  // namespace protobeam::web
