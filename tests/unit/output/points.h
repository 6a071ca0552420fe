// Sweeps for tests of point clouds, and numbers out of their bytes.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "output/point_cloud.h"

namespace protobeam {

inline BeamReturn beam_at(int layer, int column, double time) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  BeamReturn beam{};
  beam.layer = beam.beam = layer;
  beam.column = column;
  beam.range = beam.x = beam.y = beam.z = kInf;
  beam.time = time;
  return beam;
}

inline BeamReturn return_at(int layer, int column, double time, float range,
                            Vec3 p = Vec3::Zero()) {
  BeamReturn beam = beam_at(layer, column, time);
  beam.range = range;
  beam.x = static_cast<float>(p.x());
  beam.y = static_cast<float>(p.y());
  beam.z = static_cast<float>(p.z());
  return beam;
}

inline SweepSource source_of(int layers, int columns, Properties properties = {}) {
  SweepSource source;
  source.robot = "car";
  source.device = "top";
  source.layers = layers;
  source.columns = columns;
  source.properties = std::move(properties);
  return source;
}

inline PointCloud cloud_of(const char* format, std::vector<BeamReturn> beams,
                           const SweepSource& source, std::optional<bool> organised = {},
                           std::optional<bool> destaggered = {}) {
  const PointLayout& layout = point_layout(format);
  return fill_points(layout, shape_of(layout, organised, destaggered),
                     timed_sweep(std::move(beams), {}), source);
}

template <class T>
T at(const PointCloud& cloud, std::size_t byte) {
  T value;
  std::memcpy(&value, cloud.data.data() + byte, sizeof value);
  return value;
}

}  // namespace protobeam
