-- Rotations: axis and angle {x, y, z, a}, unit quaternions {w, x, y, z}, and matrices as lists of nine
-- numbers, row by row. Angles in radians.
local M = {}

function M.equal(a, b)
  return a.x == b.x and a.y == b.y and a.z == b.z and a.a == b.a
end

function M.isvalid(r)
  return r.x ~= 0 or r.y ~= 0 or r.z ~= 0
end

function M.isidentity(r)
  return r.a == 0
end

-- Changes r itself: an angle in [-pi, pi].
function M.normalizeangle(r)
  local beyond = math.abs(r.a) - math.pi
  if beyond <= 0 then return end
  local revolutions = math.ceil(beyond / (2 * math.pi))
  r.a = r.a - (r.a < 0 and -1 or 1) * 2 * math.pi * revolutions
end

-- Changes r itself: a unit axis, that of y for a zero one.
function M.normalizeaxis(r)
  if not M.isvalid(r) then r.y = 1 end
  local length = math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
  r.x, r.y, r.z = r.x / length, r.y / length, r.z / length
end

function M.normalize(r)
  M.normalizeaxis(r)
  M.normalizeangle(r)
  return r
end

-- Normalizes r.
function M.toquaternion(r)
  M.normalize(r)
  local s = math.sin(r.a / 2)
  return {w = math.cos(r.a / 2), x = r.x * s, y = r.y * s, z = r.z * s}
end

-- Of a unit quaternion: the angle is in [0, 2 pi].
function M.fromquaternion(q)
  local angle = 2 * math.acos(math.min(math.max(q.w, -1), 1))
  local length = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z)
  if angle < 0.0001 or length == 0 then return {x = 0, y = 1, z = 0, a = 0} end
  return {x = q.x / length, y = q.y / length, z = q.z / length, a = angle}
end

-- Rodrigues' formula, for an axis of any length.
function M.tomatrix3(r)
  local length = math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
  if length == 0 then length = 1 end
  local x, y, z = r.x / length, r.y / length, r.z / length
  local c, s = math.cos(r.a), math.sin(r.a)
  local t = 1 - c
  return {
    c + x * x * t, x * y * t - z * s, x * z * t + y * s,
    y * x * t + z * s, c + y * y * t, y * z * t - x * s,
    z * x * t - y * s, z * y * t + x * s, c + z * z * t,
  }
end

-- By way of the quaternion whose largest component is found first (Shepperd 1978): exact at half
-- turns too, where the matrix's skew part vanishes. The axis has length 1 (in Webots twice the angle's
-- sine), the angle is in [0, pi].
function M.frommatrix3(m)
  local candidates = {
    m[1] + m[5] + m[9],
    m[1] - m[5] - m[9],
    m[5] - m[1] - m[9],
    m[9] - m[1] - m[5],
  }
  local best = 1
  for i = 2, 4 do
    if candidates[i] > candidates[best] then best = i end
  end
  local big = math.sqrt(candidates[best] + 1) / 2
  local f = 1 / (4 * big)
  local sx, sy, sz = (m[8] - m[6]) * f, (m[3] - m[7]) * f, (m[4] - m[2]) * f
  local ex, ey, ez = (m[8] + m[6]) * f, (m[3] + m[7]) * f, (m[4] + m[2]) * f
  local q = ({
    {big, sx, sy, sz},
    {sx, big, ez, ey},
    {sy, ez, big, ex},
    {sz, ey, ex, big},
  })[best]
  local length = math.sqrt(q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
  if length == 0 then return {x = 1, y = 0, z = 0, a = 0} end
  local s = (q[1] < 0 and -1 or 1) / length
  return {x = q[2] * s, y = q[3] * s, z = q[4] * s, a = 2 * math.atan2(length, math.abs(q[1]))}
end

-- First b, then a, both in fixed axes: the product of the matrices A B. Normalizes both.
function M.combine(a, b)
  local p, q = M.toquaternion(a), M.toquaternion(b)
  return M.fromquaternion {
    w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
    y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
    z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
  }
end

function M.rotatevector3bymatrix3(m, v)
  return {
    x = m[1] * v.x + m[2] * v.y + m[3] * v.z,
    y = m[4] * v.x + m[5] * v.y + m[6] * v.z,
    z = m[7] * v.x + m[8] * v.y + m[9] * v.z,
  }
end

function M.rotatevector3byrotation(r, v)
  return M.rotatevector3bymatrix3(M.tomatrix3(r), v)
end

function M.rotatevector3byquaternion(q, v)
  return M.rotatevector3byrotation(M.fromquaternion(q), v)
end

return M
