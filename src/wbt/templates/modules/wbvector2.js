// Plane vectors {x, y}.

export function equal(vA, vB) {
  return vA.x === vB.x && vA.y === vB.y;
}

export function add(vA, vB) {
  return {x: vA.x + vB.x, y: vA.y + vB.y};
}

export function minus(vA, vB) {
  return {x: vA.x - vB.x, y: vA.y - vB.y};
}

export function multiply(v, s) {
  return {x: v.x * s, y: v.y * s};
}

export function norm(v) {
  return Math.sqrt(v.x * v.x + v.y * v.y);
}

export function distance(vA, vB) {
  return norm(minus(vA, vB));
}

// The direction from vB to vA against the x axis, in (-pi, pi].
export function angle(vA, vB) {
  const direction = minus(vA, vB);
  return Math.atan2(direction.y, direction.x);
}

export function cross(vA, vB) {
  return vA.x * vB.y - vA.y * vB.x;
}

export function dot(vA, vB) {
  return vA.x * vB.x + vA.y * vB.y;
}

// A zero vector stays zero.
export function normalize(v) {
  const length = norm(v);
  return length === 0 ? {x: 0, y: 0} : multiply(v, 1 / length);
}

// Where the segments p1 p2 and p3 p4 meet; null when they do not, or are parallel.
export function intersection(p1, p2, p3, p4) {
  const a = minus(p2, p1);
  const b = minus(p4, p3);
  const area = cross(a, b);
  if (area === 0) return null;
  const between = minus(p3, p1);
  const s = cross(between, b) / area;
  const t = cross(between, a) / area;
  if (s < 0 || s > 1 || t < 0 || t > 1) return null;
  return add(p1, multiply(a, s));
}
