// Circles, polygons and curves of points {x, y} or {x, y, z}.

import * as wbvector2 from 'wbvector2.js';

// A circle of `div` edges, counterclockwise, the first point at the angle `shift`. The first point
// comes again at the end, as in Webots.
export function circle(radius, div, center = {x: 0, y: 0}, shift = 0) {
  const points = [];
  for (let i = 0; i <= div; ++i) {
    const angle = 2 * Math.PI * i / div + shift;
    points.push({
      x: center.x + radius * Math.cos(angle),
      y: center.y + radius * Math.sin(angle)
    });
  }
  return points;
}

// Counts the edges that a ray from p along +x crosses.
export function isPoint2InPolygon(p, polygon) {
  let inside = false;
  for (let i = 0; i < polygon.length; ++i) {
    const a = polygon[i];
    const b = polygon[(i + 1) % polygon.length];
    if ((a.y > p.y) === (b.y > p.y)) continue;
    if (p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

// The first of the nearest points; undefined for an empty array.
export function findClosestPoint2InArray(reference, points) {
  let best;
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

// By the sign of the polygon's area.
export function isPoint2ArrayClockwise(points) {
  let area = 0;
  for (let i = 0; i < points.length; ++i) {
    area += wbvector2.cross(points[i], points[(i + 1) % points.length]);
  }
  return area < 0;
}

// A uniform cubic B-spline. Both ends are continued by a point in a straight line, so that the curve
// begins in the first point and ends in the last one. `keys` are the coordinates to interpolate.
function bSpline(points, subdivision, keys) {
  if (points.length < 2) return points.map((point) => ({...point}));
  const beyond = (end, neighbour) => {
    const point = {};
    for (const key of keys) point[key] = 2 * end[key] - neighbour[key];
    return point;
  };
  const control = [
    beyond(points[0], points[1]),
    ...points,
    beyond(points[points.length - 1], points[points.length - 2])
  ];
  const curve = [];
  const push = (i, t) => {
    const weights = [
      (1 - t) ** 3 / 6,
      (3 * t ** 3 - 6 * t ** 2 + 4) / 6,
      (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6,
      t ** 3 / 6
    ];
    const point = {};
    for (const key of keys) {
      point[key] = weights.reduce((sum, weight, k) => sum + weight * control[i + k][key], 0);
    }
    curve.push(point);
  };
  for (let i = 0; i + 3 < control.length; ++i) {
    for (let j = 0; j < subdivision; ++j) push(i, j / subdivision);
  }
  push(control.length - 4, 1);
  return curve;
}

export function bSpline2(points, subdivision) {
  return bSpline(points, subdivision, ['x', 'y']);
}

export function bSpline3(points, subdivision) {
  return bSpline(points, subdivision, ['x', 'y', 'z']);
}
