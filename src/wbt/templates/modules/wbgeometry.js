// Circles, polygons and curves of points {x, y} or {x, y, z}.

import * as wbvector2 from 'wbvector2.js';

// A circle of `div` edges, counterclockwise, the first point at the angle `shift`. The first point
// comes again at the end, as in Webots.
export function circle(radius, div, center = {x: 0, y: 0}, shift = 0) {
  const points = [];
  for (let i = 0; i <= div; ++i) {
    const angle = i * (2 * Math.PI / div) + shift;
    points.push({
      x: center.x + radius * Math.cos(angle),
      y: center.y + radius * Math.sin(angle)
    });
  }
  return points;
}

// Counts the edges that a ray from p along +x crosses. A point on an edge to its right is inside.
export function isPoint2InPolygon(p, polygon) {
  if (polygon.length < 3) return false;
  let inside = false;
  for (let i = 0; i < polygon.length; ++i) {
    const a = polygon[i];
    const b = polygon[(i + 1) % polygon.length];
    if ((p.y > a.y) === (p.y > b.y)) continue;
    if (p.x <= a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

// The first of the nearest points; the reference itself for an empty array.
export function findClosestPoint2InArray(reference, points) {
  let best = reference;
  let bestDistance = Infinity;
  for (const point of points) {
    const distance = wbvector2.distance(reference, point);
    if (distance < bestDistance) {
      best = point;
      bestDistance = distance;
    }
  }
  return best;
}

// By the sign of the polygon's area. As in Webots, that is clockwise where y points down.
export function isPoint2ArrayClockwise(points) {
  let area = 0;
  for (let i = 0; i < points.length; ++i) {
    area += wbvector2.cross(points[i], points[(i + 1) % points.length]);
  }
  return area > 0;
}

// A uniform cubic B-spline. Both ends are continued by two points in a straight line, so that the
// curve begins in the first point and ends in the last one. As in Webots, the points added stay in
// `points`. `keys` are the coordinates to interpolate, `first` the segment after the first point.
function bSpline(points, subdivision, keys, first) {
  if (points.length < 2) return points.map((point) => ({...point}));
  const count = points.length;
  const beyond = (end, neighbour) => {
    const point = {};
    for (const key of keys) point[key] = end[key] + (end[key] - neighbour[key]);
    return point;
  };
  for (let i = 0; i < 2; ++i) {
    points.push(beyond(points[points.length - 1], points[points.length - 2]));
    points.unshift(beyond(points[0], points[1]));
  }
  const curve = [points[2]];
  for (let i = first; i <= count; ++i) {
    for (let j = 1; j <= subdivision; ++j) {
      const t = j / subdivision;
      const weights = [
        (1 - t) ** 3 / 6,
        (3 * t ** 3 - 6 * t ** 2 + 4) / 6,
        (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6,
        t ** 3 / 6
      ];
      const point = {};
      for (const key of keys) {
        point[key] = weights.reduce((sum, weight, k) => sum + weight * points[i - 1 + k][key], 0);
      }
      curve.push(point);
    }
  }
  return curve;
}

// In Webots, a curve in the plane has a segment more than one in space: after the first point it goes
// on as far before it as the second one lies behind it.
export function bSpline2(points, subdivision) {
  return bSpline(points, subdivision, ['x', 'y'], 1);
}

export function bSpline3(points, subdivision) {
  return bSpline(points, subdivision, ['x', 'y', 'z'], 2);
}
