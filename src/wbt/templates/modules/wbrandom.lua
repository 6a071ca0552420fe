-- Seeded random numbers: the linear congruential generator x' = (1140671485 x + 12820163) mod 2^24
-- (that of Visual Basic) in double precision. Sequence and mapping to intervals are those of Webots,
-- so that a PROTO looks the same here as there.
local M = {}

local modulus = 2 ^ 24
local state = 0

local function draw()
  state = (1140671485 * state + 12820163) % modulus
  return state
end

-- () -> [0, most], (max) -> [first, max], (min, max) -> [min, max]
local function interval(min, max, first, most)
  if min == nil then return 0, most end
  if max == nil then return first, min end
  return min, max
end

function M.seed(seed)
  local number = tonumber(seed)
  if not number or number ~= number or number == math.huge or number == -math.huge then
    error("wbrandom.seed needs a number, not '" .. tostring(seed) .. "'", 2)
  end
  state = number
end

function M.real(min, max)
  local low, high = interval(min, max, 0, 1)
  return low + draw() * (high - low) / (modulus - 1)
end

-- With one number from 1 on.
function M.integer(min, max)
  local low, high = interval(min, max, 1, modulus - 1)
  return low + draw() % (1 + high - low)
end

return M
