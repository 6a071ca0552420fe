#include "imu_noise.h"

#include <cmath>

#include "base/libm.h"

namespace protobeam {
namespace {

// Six axes are three pairs of normal values for each part of the errors: x, y of the accelerometer;
// its z and x of the gyro; y, z of the gyro.
constexpr std::uint32_t kPairs = 3, kParts = 3;
constexpr std::uint64_t kSigns =
    64;  ///< of the turn-on biases, beyond the normal values of a start

}  // namespace

std::optional<Mat3> root_of_correlation(const Mat3& correlation) {
  // Cholesky's decomposition, written out: the diagonal of the matrix is 1.
  const double xy = correlation(0, 1), xz = correlation(0, 2), yz = correlation(1, 2);
  const double yy = 1 - xy * xy;
  if (!(yy > 0)) return std::nullopt;
  Mat3 root = Mat3::Identity();
  root(1, 0) = xy;
  root(1, 1) = std::sqrt(yy);
  root(2, 0) = xz;
  root(2, 1) = (yz - xy * xz) / root(1, 1);
  const double zz = 1 - xz * xz - root(2, 1) * root(2, 1);
  if (!(zz > 0)) return std::nullopt;
  root(2, 2) = std::sqrt(zz);
  return root;
}

ImuNoise::ImuNoise(const TriadNoise& accelerometer, const TriadNoise& gyro)
    : figures_{accelerometer, gyro} {
  bool wanted[kParts] = {};
  for (const TriadNoise& figures : figures_) {
    wanted[kWhite] |= figures.density > 0 || figures.deviation > 0;
    wanted[kDrift] |= figures.drift_deviation > 0;
    wanted[kWalk] |= figures.walk > 0;
  }
  // The numbers of a part do not depend on which others there are: to switch one off changes none.
  for (std::uint32_t part = 0; part < kParts; ++part) {
    for (std::uint32_t i = 0; wanted[part] && i < kPairs; ++i) pairs_.push_back(part * kPairs + i);
  }
}

void ImuNoise::start(NoiseKey key) {
  key.stream = static_cast<std::uint32_t>(ImuStream::kStart);
  for (std::size_t triad = 0; triad < 2; ++triad) {
    const TriadNoise& figures = figures_[triad];
    const auto normal = [&](std::uint64_t first) -> Vec3 {
      const std::uint64_t i = first + 3 * triad;
      return figures.correlation_root *
             Vec3(gaussian(key, i), gaussian(key, i + 1), gaussian(key, i + 2));
    };
    errors_[triad] = {};
    if (figures.turn_on > 0) errors_[triad].turn_on = figures.turn_on * normal(0);
    for (int axis = 0; figures.turn_on_mean > 0 && axis < 3; ++axis) {
      double& bias = errors_[triad].turn_on[axis];
      bias += figures.turn_on_mean;
      if (uniform(key, kSigns + 3 * triad + static_cast<std::uint64_t>(axis)) < 0.5F) bias = -bias;
    }
    if (figures.drift_deviation > 0) errors_[triad].drift = figures.drift_deviation * normal(6);
  }
  started_ = true;
}

void ImuNoise::set_step(double dt, double period) {
  if (dt == dt_ && period == period_) return;
  dt_ = dt;
  period_ = period;
  for (std::size_t triad = 0; triad < 2; ++triad) {
    const TriadNoise& figures = figures_[triad];
    Step& step = steps_[triad];
    const double by_density = period > 0 ? figures.density * figures.density / period : 0;
    step.white = std::sqrt(by_density + figures.deviation * figures.deviation);
    step.drift_kept = libm::exp(-dt / figures.drift_time);
    step.drift_new =
        figures.drift_deviation * std::sqrt(-libm::expm1(-2 * dt / figures.drift_time));
    step.walk = figures.walk * std::sqrt(dt);
  }
}

void ImuNoise::advance(double dt, double period, NoiseKey key) {
  if (!started_) {
    start(key);
    dt = 0;
  }
  if (pairs_.empty()) return;
  set_step(dt, period);
  key.stream = static_cast<std::uint32_t>(ImuStream::kSample);
  float even[kParts * kPairs], odd[kParts * kPairs];
  fill_gaussian_pairs(key, pairs_, even, odd);
  for (std::size_t at = 0; at < pairs_.size(); at += kPairs) {
    const float* const e = even + at;
    const float* const o = odd + at;
    const std::array<Vec3, 2> normal = {Vec3(e[0], o[0], e[1]), Vec3(o[1], e[2], o[2])};
    for (std::size_t triad = 0; triad < 2; ++triad) {
      const Step& step = steps_[triad];
      TriadErrors& errors = errors_[triad];
      const Vec3 n = figures_[triad].correlation_root * normal[triad];
      switch (pairs_[at] / kPairs) {
        case kWhite:
          errors.white = step.white * n;
          break;
        case kDrift:
          errors.drift = step.drift_kept * errors.drift + step.drift_new * n;
          break;
        default:
          errors.walk += step.walk * n;
          break;
      }
    }
  }
}

}  // namespace protobeam
