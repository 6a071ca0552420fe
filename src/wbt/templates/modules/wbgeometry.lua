-- Circles, polygons and curves of points {x, y} or {x, y, z}.
local wbcore = require('wbcore')
local wbvector2 = require('wbvector2')

local M = {}

-- A circle of `div` edges about (cx, cy), counterclockwise, the first point at the angle `shift`. The
-- first point comes again at the end.
function M.circle(radius, div, cx, cy, shift)
  local points = {}
  for i = 0, div do
    local angle = i * (2 * math.pi / div) + shift
    points[i + 1] = {x = cx + radius * math.cos(angle), y = cy + radius * math.sin(angle)}
  end
  return points
end

-- Counts the edges that a ray from (x, y) along +x crosses. A point on an edge to its right is inside.
function M.ispointinpolygon(x, y, polygon)
  local count = wbcore.tablelength(polygon)
  if count < 3 then return false end
  local inside = false
  for i = 1, count do
    local a, b = polygon[i], polygon[i % count + 1]
    if (y > a.y) ~= (y > b.y) and x <= a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y) then
      inside = not inside
    end
  end
  return inside
end

-- The first of the nearest points; the reference itself for an empty list.
function M.findclosest2Dpointinarray(reference, points)
  local best, best_distance = reference, math.huge
  for _, point in ipairs(points) do
    local distance = wbvector2.distance(reference, point)
    if distance < best_distance then best, best_distance = point, distance end
  end
  return best
end

-- By the sign of the polygon's area. As in Webots, that is clockwise where y points down.
function M.islistclockwise2D(points)
  local count, area = wbcore.tablelength(points), 0
  for i = 1, count do area = area + wbvector2.cross(points[i], points[i % count + 1]) end
  return area > 0
end

-- A uniform cubic B-spline. Both ends are continued by two points in a straight line, so that the curve
-- begins in the first point and ends in the last one. As in Webots, the points added stay in `points`.
-- `keys` are the coordinates to interpolate, `first` the segment after the first point.
local function bspline(points, subdivision, keys, first)
  local count = wbcore.tablelength(points)
  local function beyond(stop, neighbour)
    local point = {}
    for _, key in ipairs(keys) do point[key] = stop[key] + (stop[key] - neighbour[key]) end
    return point
  end
  if count < 2 then error('a curve needs two points at least', 3) end
  points[0] = beyond(points[1], points[2])
  points[-1] = beyond(points[0], points[1])
  points[count + 1] = beyond(points[count], points[count - 1])
  points[count + 2] = beyond(points[count + 1], points[count])
  local curve = {points[1]}
  for i = first, count - 1 do
    for j = 1, subdivision do
      local t = j / subdivision
      local a, b = (1 - t) ^ 3 / 6, (3 * t ^ 3 - 6 * t ^ 2 + 4) / 6
      local c, d = (-3 * t ^ 3 + 3 * t ^ 2 + 3 * t + 1) / 6, t ^ 3 / 6
      local point = {}
      for _, key in ipairs(keys) do
        point[key] = a * points[i - 1][key] + b * points[i][key] + c * points[i + 1][key] +
          d * points[i + 2][key]
      end
      curve[#curve + 1] = point
    end
  end
  return curve
end

-- In Webots, a curve in the plane has a segment more than one in space: after the first point it goes
-- on as far before it as the second one lies behind it.
function M.bspline2D(points, subdivision)
  return bspline(points, subdivision, {'x', 'y'}, 0)
end

function M.bspline3D(points, subdivision)
  return bspline(points, subdivision, {'x', 'y', 'z'}, 1)
end

return M
