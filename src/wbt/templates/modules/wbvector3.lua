-- Vectors in space {x, y, z}.
local M = {}

function M.equal(a, b)
  return a.x == b.x and a.y == b.y and a.z == b.z
end

function M.add(a, b)
  return {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
end

function M.minus(a, b)
  return {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
end

function M.multiply(v, s)
  return {x = s * v.x, y = s * v.y, z = s * v.z}
end

function M.norm(v)
  return math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
end

function M.distance(a, b)
  return M.norm(M.minus(a, b))
end

function M.cross(a, b)
  return {
    x = a.y * b.z - a.z * b.y,
    y = a.z * b.x - a.x * b.z,
    z = a.x * b.y - a.y * b.x,
  }
end

function M.dot(a, b)
  return a.x * b.x + a.y * b.y + a.z * b.z
end

function M.normalize(v)
  local norm = M.norm(v)
  if norm == 0 then error('wbvector3.normalize: a zero vector has no direction', 2) end
  return {x = v.x / norm, y = v.y / norm, z = v.z / norm}
end

return M
