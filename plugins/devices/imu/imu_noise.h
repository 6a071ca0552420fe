// The random errors of an Imu: white noise, and three parts of each axis' bias.
//
// The parts are those of IEEE Std 952-1997 (annex C) that have a rational spectrum:
//
//   white noise   density N: deviation N / sqrt(period) of each sample (angle random walk of a
//   gyro) bias          turn-on: constant from the first sample on, about a mean on either side
//                 drift: first-order Gauss-Markov process with a stationary deviation s and a
//                   correlation time T; it starts in its stationary distribution
//                 walk: Wiener process, K sqrt(t) after a time t (rate random walk of a gyro)
//
// A sampled Gauss-Markov process is d' = exp(-dt / T) d + s sqrt(1 - exp(-2 dt / T)) N(0, 1)
// exactly (D. Gillespie, "Exact numerical simulation of the Ornstein-Uhlenbeck process and its
// integral", Physical Review E 54, 1996), and a Wiener process w' = w + K sqrt(dt) N(0, 1). Thus
// none of the figures depends on the sampling period.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/math.h"
#include "base/rng.h"
#include "base/state_archive.h"

namespace protobeam {

/// What each purpose of random numbers has as NoiseKey::stream.
enum class ImuStream : std::uint32_t {
  kSample,
  kStart,
  kOrientation,
  kAccelerometerVibration,
  kGyroVibration,
};

/// The figures of three axes; U is the unit of the value. 0: none.
struct TriadNoise {
  double density = 0;          ///< N, U/sqrt(Hz)
  double deviation = 0;        ///< U, of each sample at any period, beside the density's
  double turn_on = 0;          ///< U, standard deviation
  double turn_on_mean = 0;     ///< U, of its amount: either sign by chance
  double drift_deviation = 0;  ///< s, U
  double drift_time = 100;     ///< T, s
  double walk = 0;             ///< K, U/sqrt(s)
  /// L of the axes' correlation matrix L L^T, lower triangular.
  Mat3 correlation_root = Mat3::Identity();
};

/// The L of a correlation matrix; nothing when it is not positive definite. Only what is above the
/// diagonal is read.
std::optional<Mat3> root_of_correlation(const Mat3& correlation);

/// Errors of three axes at the last sample.
struct TriadErrors {
  Vec3 white = Vec3::Zero();
  Vec3 turn_on = Vec3::Zero(), drift = Vec3::Zero(), walk = Vec3::Zero();
  Vec3 bias() const { return turn_on + drift + walk; }
  void visit_state(StateArchive& archive) { archive(white, turn_on, drift, walk); }
};

/// Accelerometer and gyro together, because six axes need whole pairs of normal values.
class ImuNoise {
 public:
  static constexpr std::size_t kAccelerometer = 0, kGyro = 1;

  ImuNoise(const TriadNoise& accelerometer, const TriadNoise& gyro);

  /// The next sample is the first one.
  void reset() { started_ = false; }
  void visit_state(StateArchive& archive) { archive(errors_, started_); }
  /// Draws the errors of the sample with the number key.frame. `dt`: s since the last one, of no
  /// effect on the first; `period`: s, of the white noise.
  void advance(double dt, double period, NoiseKey key);

  const TriadErrors& accelerometer() const { return errors_[kAccelerometer]; }
  const TriadErrors& gyro() const { return errors_[kGyro]; }

 private:
  enum Part : std::uint32_t { kWhite, kDrift, kWalk };

  void start(NoiseKey key);
  void set_step(double dt, double period);

  std::array<TriadNoise, 2> figures_;
  std::array<TriadErrors, 2> errors_;
  std::vector<std::uint32_t> pairs_;  ///< those of kSample that are needed
  bool started_ = false;
  // For the step of the last sample, as most are equal.
  double dt_ = -1, period_ = -1;
  struct Step {
    double white = 0, drift_kept = 1, drift_new = 0, walk = 0;
  };
  std::array<Step, 2> steps_;
};

}  // namespace protobeam
