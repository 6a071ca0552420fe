// Rotations: axis and angle {x, y, z, a}, unit quaternions {w, x, y, z}, and matrices as arrays of
// nine numbers, row by row. Angles in radians.

export function equal(rA, rB) {
  return rA.x === rB.x && rA.y === rB.y && rA.z === rB.z && rA.a === rB.a;
}

export function isIdentity(r) {
  return r.a === 0;
}

// A unit axis and an angle in (-pi, pi]; no turn about a zero axis.
function unit(r) {
  const length = Math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
  if (length === 0) return {x: 1, y: 0, z: 0, a: 0};
  let angle = r.a % (2 * Math.PI);
  if (angle > Math.PI) angle -= 2 * Math.PI;
  if (angle <= -Math.PI) angle += 2 * Math.PI;
  return {x: r.x / length, y: r.y / length, z: r.z / length, a: angle};
}

// Changes r itself and returns it.
export function normalize(r) {
  return Object.assign(r, unit(r));
}

export function toQuaternion(r) {
  const {x, y, z, a} = unit(r);
  const s = Math.sin(a / 2);
  return {w: Math.cos(a / 2), x: x * s, y: y * s, z: z * s};
}

// The angle is in [0, pi].
export function fromQuaternion(q) {
  const sign = q.w < 0 ? -1 : 1;
  const length = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const angle = 2 * Math.atan2(length, sign * q.w);
  return unit({x: sign * q.x, y: sign * q.y, z: sign * q.z, a: angle});
}

// Rodrigues' formula.
export function toMatrix3(r) {
  const {x, y, z, a} = unit(r);
  const c = Math.cos(a);
  const s = Math.sin(a);
  const t = 1 - c;
  return [
    c + x * x * t, x * y * t - z * s, x * z * t + y * s,
    y * x * t + z * s, c + y * y * t, y * z * t - x * s,
    z * x * t - y * s, z * y * t + x * s, c + z * z * t
  ];
}

// By way of the quaternion whose largest component is found first (Shepperd 1978): exact enough
// at half turns, where the matrix's skew part vanishes.
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
  const skew = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const even = [m[7] + m[5], m[2] + m[6], m[3] + m[1]];
  switch (best) {
    case 0: return fromQuaternion({w: big, x: skew[0] * f, y: skew[1] * f, z: skew[2] * f});
    case 1: return fromQuaternion({w: skew[0] * f, x: big, y: even[2] * f, z: even[1] * f});
    case 2: return fromQuaternion({w: skew[1] * f, x: even[2] * f, y: big, z: even[0] * f});
    default: return fromQuaternion({w: skew[2] * f, x: even[1] * f, y: even[0] * f, z: big});
  }
}

// First rB, then rA, both in fixed axes: the product of the matrices A B.
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
