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

// null, with a message, for a zero vector.
export function normalize(v) {
  const length = norm(v);
  if (length === 0) {
    console.error('wbvector2.normalize: a zero vector has no direction');
    return null;
  }
  return {x: v.x / length, y: v.y / length};
}

// Where the segments p1 p2 and p3 p4 meet; null when they do not, or are parallel. Webots' own looks at
// x only: there, upright segments meet others beyond their ends, and level ones nowhere.
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
