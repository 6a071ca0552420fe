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
  return typeof s === 'number';
}

// As in Webots, an object may have more than these keys.
function hasKeys(value, keys) {
  return typeof value === 'object' && value !== null &&
    keys.every((key) => Object.prototype.hasOwnProperty.call(value, key));
}

export function isVector2(v) {
  return hasKeys(v, ['x', 'y']);
}

export function isVector3(v) {
  return hasKeys(v, ['x', 'y', 'z']);
}

export function isAxisAngle(r) {
  return hasKeys(r, ['x', 'y', 'z', 'a']);
}

export function isQuaternion(q) {
  return hasKeys(q, ['w', 'x', 'y', 'z']);
}

export function isMatrix3(m) {
  return hasKeys(m, ['0', '1', '2', '3', '4', '5', '6', '7', '8']);
}

export function isArrayOfPoints(array, dim) {
  if (!Array.isArray(array)) return false;
  if (dim !== 2 && dim !== 3) {
    error('wbutility.isArrayOfPoints knows points of 2 and 3 dimensions');
    return false;
  }
  return array.every(dim === 2 ? isVector2 : isVector3);
}
