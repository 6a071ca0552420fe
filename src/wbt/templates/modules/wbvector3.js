// Vectors in space {x, y, z}.

export function equal(vA, vB) {
  return vA.x === vB.x && vA.y === vB.y && vA.z === vB.z;
}

export function add(vA, vB) {
  return {x: vA.x + vB.x, y: vA.y + vB.y, z: vA.z + vB.z};
}

export function minus(vA, vB) {
  return {x: vA.x - vB.x, y: vA.y - vB.y, z: vA.z - vB.z};
}

export function multiply(v, s) {
  return {x: v.x * s, y: v.y * s, z: v.z * s};
}

export function norm(v) {
  return Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

export function distance(vA, vB) {
  return norm(minus(vA, vB));
}

export function cross(vA, vB) {
  return {
    x: vA.y * vB.z - vA.z * vB.y,
    y: vA.z * vB.x - vA.x * vB.z,
    z: vA.x * vB.y - vA.y * vB.x
  };
}

export function dot(vA, vB) {
  return vA.x * vB.x + vA.y * vB.y + vA.z * vB.z;
}

// null, with a message, for a zero vector.
export function normalize(v) {
  const length = norm(v);
  if (length === 0) {
    console.error('wbvector3.normalize: a zero vector has no direction');
    return null;
  }
  return {x: v.x / length, y: v.y / length, z: v.z / length};
}
