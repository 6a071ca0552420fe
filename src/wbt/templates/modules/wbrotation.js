// Rotations: axis and angle {x, y, z, a}, unit quaternions {w, x, y, z}, and matrices as arrays of
// nine numbers, row by row. Angles in radians.

export function equal(rA, rB) {
  return rA.x === rB.x && rA.y === rB.y && rA.z === rB.z && rA.a === rB.a;
}

export function isIdentity(r) {
  return r.a === 0;
}

// Changes r itself and returns it: a unit axis and an angle in [-pi, pi].
export function normalize(r) {
  const length = Math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
  if (length === 0) {
    console.error('wbrotation.normalize: the axis is zero');
  } else {
    r.x /= length;
    r.y /= length;
    r.z /= length;
  }
  const beyond = Math.abs(r.a) - Math.PI;
  if (beyond > 0) r.a -= Math.sign(r.a) * 2 * Math.PI * Math.ceil(beyond / (2 * Math.PI));
  return r;
}

// Normalizes r.
export function toQuaternion(r) {
  normalize(r);
  const s = Math.sin(r.a / 2);
  return {w: Math.cos(r.a / 2), x: r.x * s, y: r.y * s, z: r.z * s};
}

// Of a unit quaternion: the angle is in [0, 2 pi].
export function fromQuaternion(q) {
  const angle = 2 * Math.acos(Math.min(Math.max(q.w, -1), 1));
  const length = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  if (angle < 0.0001 || length === 0) return {x: 0, y: 1, z: 0, a: 0};
  return {x: q.x / length, y: q.y / length, z: q.z / length, a: angle};
}

// Rodrigues' formula, for an axis of any length.
export function toMatrix3(r) {
  const length = Math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z) || 1;
  const [x, y, z, a] = [r.x / length, r.y / length, r.z / length, r.a];
  const c = Math.cos(a);
  const s = Math.sin(a);
  const t = 1 - c;
  return [
    c + x * x * t, x * y * t - z * s, x * z * t + y * s,
    y * x * t + z * s, c + y * y * t, y * z * t - x * s,
    z * x * t - y * s, z * y * t + x * s, c + z * z * t
  ];
}

// By way of the quaternion whose largest component is found first (Shepperd 1978): exact at half
// turns too, where the matrix's skew part vanishes. The axis has length 1 (in Webots twice the
// angle's sine), the angle is in [0, pi].
export function fromMatrix3(m) {
  const candidates = [
    m[0] + m[4] + m[8],
    m[0] - m[4] - m[8],
    m[4] - m[0] - m[8],
    m[8] - m[0] - m[4]
  ];
  const best = candidates.indexOf(Math.max(...candidates));
  const big = Math.sqrt(candidates[best] + 1) / 2;
  const f = 1 / (4 * big);
  const skew = [m[7] - m[5], m[2] - m[6], m[3] - m[1]].map((sum) => sum * f);
  const even = [m[7] + m[5], m[2] + m[6], m[3] + m[1]].map((sum) => sum * f);
  const [w, x, y, z] = [
    [big, ...skew],
    [skew[0], big, even[2], even[1]],
    [skew[1], even[2], big, even[0]],
    [skew[2], even[1], even[0], big]
  ][best];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length === 0) return {x: 1, y: 0, z: 0, a: 0};
  const s = w < 0 ? -1 / length : 1 / length;
  return {x: x * s, y: y * s, z: z * s, a: 2 * Math.atan2(length, Math.abs(w))};
}

// First rB, then rA, both in fixed axes: the product of the matrices A B. Normalizes both.
export function combine(rA, rB) {
  const p = toQuaternion(rA);
  const q = toQuaternion(rB);
  return fromQuaternion({
    w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
    y: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
    z: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w
  });
}

export function rotateVector3ByMatrix3(m, v) {
  return {
    x: m[0] * v.x + m[1] * v.y + m[2] * v.z,
    y: m[3] * v.x + m[4] * v.y + m[5] * v.z,
    z: m[6] * v.x + m[7] * v.y + m[8] * v.z
  };
}

export function rotateVector3ByRotation(r, v) {
  return rotateVector3ByMatrix3(toMatrix3(r), v);
}

export function rotateVector3ByQuaternion(q, v) {
  return rotateVector3ByRotation(fromQuaternion(q), v);
}
