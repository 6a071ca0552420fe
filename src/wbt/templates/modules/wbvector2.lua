-- Plane vectors {x, y}.
local M = {}

function M.equal(a, b)
  return a.x == b.x and a.y == b.y
end

function M.add(a, b)
  return {x = a.x + b.x, y = a.y + b.y}
end

function M.minus(a, b)
  return {x = a.x - b.x, y = a.y - b.y}
end

function M.multiply(v, s)
  return {x = s * v.x, y = s * v.y}
end

function M.norm(v)
  return math.sqrt(v.x * v.x + v.y * v.y)
end

-- Against the y axis towards x, in (-pi, pi].
function M.atan2(v)
  return math.atan2(v.x, v.y)
end

function M.distance(a, b)
  return M.norm(M.minus(a, b))
end

-- The direction from b to a, as atan2() has it. (That of wbvector2.js is against the x axis.)
function M.angle(a, b)
  return M.atan2(M.minus(a, b))
end

function M.cross(a, b)
  return a.x * b.y - a.y * b.x
end

function M.dot(a, b)
  return a.x * b.x + a.y * b.y
end

function M.normalize(v)
  local norm = M.norm(v)
  if norm == 0 then error('wbvector2.normalize: a zero vector has no direction', 2) end
  return {x = v.x / norm, y = v.y / norm}
end

-- Where the segments p1 p2 and p3 p4 meet; nil when they do not, or are parallel. Webots' own looks at
-- x only: there, upright segments meet others beyond their ends, and level ones nowhere.
function M.intersection(p1, p2, p3, p4)
  local a, b = M.minus(p2, p1), M.minus(p4, p3)
  local area = M.cross(a, b)
  if area == 0 then return nil end
  local between = M.minus(p3, p1)
  local s, t = M.cross(between, b) / area, M.cross(between, a) / area
  if s < 0 or s > 1 or t < 0 or t > 1 then return nil end
  return M.add(p1, M.multiply(a, s))
end

return M
