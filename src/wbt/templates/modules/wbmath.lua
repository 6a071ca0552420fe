-- Rounding and angles.
local M = {}

-- To the nearest whole number, a half upwards.
function M.round(number)
  return math.floor(number + 0.5)
end

function M.degrees2radians(angle)
  return angle * math.pi / 180
end

function M.radians2degrees(angle)
  return angle * 180 / math.pi
end

return M
