// Seeded random numbers: the linear congruential generator x' = (1140671485 x + 12820163) mod 2^24
// (that of Visual Basic) in double precision. Sequence and mapping to intervals are those of Webots,
// so that a PROTO looks the same here as there.

const modulus = 16777216;
let state = 0;

function next() {
  state = (1140671485 * state + 12820163) % modulus;
  return state;
}

// () -> [0, most], (max) -> [0, max], (min, max) -> [min, max]
function interval(min, max, most) {
  if (min === undefined) return [0, most];
  if (max === undefined) return [0, min];
  return [min, max];
}

export function seed(s) {
  const number = Number(s);
  if (!Number.isFinite(number)) throw new TypeError(`wbrandom.seed needs a number, not '${s}'`);
  state = number < 0 ? number % modulus + modulus : number;
}

export function real(min, max) {
  const [low, high] = interval(min, max, 1);
  return low + next() * (high - low) / (modulus - 1);
}

export function integer(min, max) {
  const [low, high] = interval(min, max, modulus - 1);
  return low + next() % (high - low + 1);
}
