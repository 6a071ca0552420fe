// What the world, and a file of settings, say about the two simulated sensors.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/device_type.h"
#include "base/fields.h"

namespace protobeam {

/// How noise depends on the place of a cone.
enum class ConeNoise {
  kConstant,  ///< standard deviation noise_std on x and on y
  kEufs,      ///< grows exponentially with range, more along x than along y
  kPacSim,    ///< of range and angle, and on top of x and y
};

/// A probability that falls with distance, after PacSim: max(floor, p - linear d - quadratic d^2),
/// d being what the range has beyond the least one.
struct FallingProbability {
  double p = 1, linear = 0, quadratic = 0, floor = 0;
  double at(double d) const;
};

/// One of the two sensors.
struct ConeSensorSettings {
  bool tells_colors = false;
  double hz = 0;
  double noise_std = 0;                  ///< m
  double delay_mean = 0, delay_std = 0;  ///< s

  // All of these are off by default.
  Vec3 position = Vec3::Zero();  ///< m, in the device's frame: where rays start, ranges count from
  ConeNoise noise = ConeNoise::kConstant;
  double min_range = 0, max_range = 0;  ///< m; infinite: unlimited
  double field_of_view = 0;             ///< rad
  bool forward_only = false;
  FallingProbability detection, classification;
  double color_range = 0;      ///< m; beyond it colours are unknown; infinite: unlimited
  double false_positives = 0;  ///< mean number in a message
  bool occlusion = false;
};

/// The figures of the two laws of noise.
struct ConeNoiseFigures {
  double eufs_scale, eufs_growth, eufs_lidar_noise, eufs_camera_share;
  double pacsim_range, pacsim_relative_range, pacsim_angle, pacsim_cartesian;
};

struct ConeDetectorSettings {
  ConeSensorSettings camera, lidar;
  ConeNoiseFigures figures;
  bool covariances = false, reordering = false;
};

std::vector<FieldSpec> cone_detector_fields();

/// The path that a field of type SFString names, relative to the file in which it was written.
std::filesystem::path named_file(const Fields& fields, const char* field);

/// Fields that are written count more than the file that `settings` names, and this more than
/// defaults. Throws std::invalid_argument.
ConeDetectorSettings cone_detector_settings(const Fields& fields);

}  // namespace protobeam
