// Messages, copies, angles and checks of values.

export function error(message) {
  console.error(message);
}

export function info(message) {
  console.log(message);
}

export function assert(statement, message) {
  if (!statement) error(message);
}

export function deepCopy(original) {
  if (typeof original !== 'object' || original === null) return original;
  if (Array.isArray(original)) return original.map(deepCopy);
  const copy = {};
  for (const key of Object.keys(original)) copy[key] = deepCopy(original[key]);
  return copy;
}

export function degreesToRadians(angle) {
  return angle * Math.PI / 180;
}

export function radiansToDegrees(angle) {
  return angle * 180 / Math.PI;
}

export function isScalar(s) {
  return typeof s === 'number' && !Number.isNaN(s);
}

// An object with exactly these keys, all scalars.
function hasScalars(value, keys) {
  return typeof value === 'object' && value !== null && Object.keys(value).length === keys.length &&
    keys.every((key) => isScalar(value[key]));
}

export function isVector2(v) {
  return hasScalars(v, ['x', 'y']);
}

export function isVector3(v) {
  return hasScalars(v, ['x', 'y', 'z']);
}

export function isAxisAngle(r) {
  return hasScalars(r, ['x', 'y', 'z', 'a']);
}

export function isQuaternion(q) {
  return hasScalars(q, ['w', 'x', 'y', 'z']);
}

export function isMatrix3(m) {
  return hasScalars(m, ['0', '1', '2', '3', '4', '5', '6', '7', '8']);
}

export function isArrayOfPoints(array, dim) {
  const isPoint = dim === 2 ? isVector2 : isVector3;
  return (dim === 2 || dim === 3) && Array.isArray(array) && array.every(isPoint);
}
