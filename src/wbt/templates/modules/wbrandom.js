// Seeded random numbers: the linear congruential generator x' = (1140671485 x + 12820163) mod 2^24
// (that of Visual Basic) in double precision. Sequence and mapping to intervals are those of Webots,
// so that a PROTO looks the same here as there.

const modulus = 16777216;
let state = 0;

function next() {
  state = (1140671485 * state + 12820163) % modulus;
  return state;
}

// () -> [0, most], (max) -> [first, max], (min, max) -> [min, max]
function interval(min, max, first, most) {
  const bounds = min === undefined ? [0, most] : max === undefined ? [first, min] : [min, max];
  for (const bound of bounds) {
    if (typeof bound !== 'number') throw new TypeError(`wbrandom needs numbers, not '${bound}'`);
  }
  return bounds;
}

export function seed(s) {
  const number = Number(s);
  if (!Number.isFinite(number)) throw new TypeError(`wbrandom.seed needs a number, not '${s}'`);
  state = number;
}

export function real(min, max) {
  const [low, high] = interval(min, max, 0, 1);
  return low + next() * (high - low) / (modulus - 1);
}

// With one number from 1 on, whatever Webots' reference says: its code has it so.
export function integer(min, max) {
  const [low, high] = interval(min, max, 1, modulus - 1);
  return low + next() % (high - low + 1);
}
