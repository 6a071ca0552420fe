#include "sweep/trajectory_error.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/linear_solve.h"
#include "base/whole_file.h"

namespace protobeam::sweep {
namespace {

constexpr std::size_t kLargestTrajectory = 1u << 30;

struct Pair {
  Vec3 estimate, truth;
};

std::vector<Pair> pairs_of(const std::vector<Sighting>& estimate,
                           const std::vector<Sighting>& truth, double time_difference) {
  std::vector<Pair> out;
  for (const Sighting& one : estimate) {
    auto next = std::ranges::lower_bound(truth, one.time, {}, &Sighting::time);
    if (next != truth.begin() &&
        (next == truth.end() || one.time - std::prev(next)->time < next->time - one.time)) {
      --next;
    }
    if (next == truth.end() || std::abs(next->time - one.time) > time_difference) continue;
    out.push_back({one.position, next->position});
  }
  return out;
}

}  // namespace

std::vector<Sighting> read_tum(const std::filesystem::path& file) {
  const std::string text = read_whole_file(file, kLargestTrajectory);
  std::vector<Sighting> out;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    ++number;
    const char* at = line.data();
    const char* const last = at + line.size();
    const auto skip = [&] {
      while (at != last && (*at == ' ' || *at == '\t' || *at == '\r' || *at == ',')) ++at;
    };
    skip();
    if (at == last || *at == '#') continue;
    std::array<double, 4> values{};  // the orientation is not compared
    for (double& value : values) {
      skip();
      const auto [behind, error] = std::from_chars(at, last, value);
      if (error != std::errc() || !std::isfinite(value)) {
        throw std::runtime_error(
            fmt::format("{}:{}: a pose is time x y z qx qy qz qw", file.string(), number));
      }
      at = behind;
    }
    out.push_back({values[0], {values[1], values[2], values[3]}});
  }
  std::ranges::stable_sort(out, {}, &Sighting::time);
  return out;
}

double absolute_trajectory_error(const std::vector<Sighting>& estimate,
                                 const std::vector<Sighting>& truth, Metric::Alignment alignment,
                                 double time_difference) {
  const std::vector<Pair> pairs = pairs_of(estimate, truth, time_difference);
  if (pairs.size() < 3) {
    throw std::runtime_error(
        fmt::format("{} of {} estimated poses have a true one within {:g} s; three are needed",
                    pairs.size(), estimate.size(), time_difference));
  }
  const double count = static_cast<double>(pairs.size());
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();
  double scale = 1;
  if (alignment != Metric::Alignment::kNone) {
    Vec3 mean_estimate = Vec3::Zero(), mean_truth = Vec3::Zero();
    for (const Pair& pair : pairs) mean_estimate += pair.estimate, mean_truth += pair.truth;
    mean_estimate /= count;
    mean_truth /= count;
    Mat3 covariance = Mat3::Zero();
    double spread = 0;
    for (const Pair& pair : pairs) {
      const Vec3 from = pair.estimate - mean_estimate;
      covariance += (pair.truth - mean_truth) * from.transpose() / count;
      spread += from.squaredNorm() / count;
    }
    const auto [U, V, stretch] = singular_values(covariance);
    Vec3 sign = Vec3::Ones();  // a rotation and no mirror image
    if (U.determinant() * V.determinant() < 0) sign[2] = -1;
    R = U * sign.asDiagonal() * V.transpose();
    if (alignment == Metric::Alignment::kScaled && spread > 0) {
      scale = stretch.dot(sign) / spread;
    }
    p = mean_truth - scale * (R * mean_estimate);
  }
  double sum = 0;
  for (const Pair& pair : pairs) {
    sum += (scale * (R * pair.estimate) + p - pair.truth).squaredNorm();
  }
  return std::sqrt(sum / count);
}

}  // namespace protobeam::sweep
