// Vibration of what carries an Imu: a sum of harmonics, as it would be without a mount that damps.
//
// Tones have a frequency and an amplitude. A spectrum is a one-sided power spectral density, linear
// between its points; it becomes harmonics with random phases, one in each of many narrow bands, at
// a random place so that the sum has no period (M. Shinozuka, G. Deodatis, "Simulation of
// stochastic processes by spectral representation", Applied Mechanics Reviews 44(4), 1991):
//
//   x(t) = sum of sqrt(2 S(f) df) cos(2 pi (f t + u)),   u uniform in [0, 1)
//
// It is a function of time and of the device's key, not of the sampling: a harmonic above half of
// the sampling rate is folded down, as in a device without an anti-aliasing filter.
#pragma once

#include <span>
#include <vector>

#include "base/math.h"
#include "base/rng.h"

namespace protobeam {

class Vibration {
 public:
  /// One row of the tables: frequency, Hz, and a value for each axis of the sensor.
  struct Row {
    double frequency;
    Vec3 value;  ///< tones: amplitude, U; spectrum: density, U^2/Hz
  };
  static constexpr int kBands = 32;  ///< between two points of the spectrum

  Vibration() = default;
  Vibration(std::vector<Row> tones, std::vector<Row> spectrum)
      : tones_(std::move(tones)), spectrum_(std::move(spectrum)) {}

  /// The phases change with `key` and its stream; its frame has no effect.
  Vec3 at(double time, const NoiseKey& key);

 private:
  struct Harmonic {
    double frequency;
    Vec3 amplitude, phase;  ///< of each axis; phases in turns
  };
  void choose_phases(const NoiseKey& key);

  std::vector<Row> tones_, spectrum_;
  std::vector<Harmonic> harmonics_;
  NoiseKey key_;  ///< of the phases
};

}  // namespace protobeam
