#include "cone_sensor.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr ConeColor kColors[] = {ConeColor::kOrange, ConeColor::kYellow, ConeColor::kBlue,
                                 ConeColor::kBigOrange, ConeColor::kUnknown};

/// Rays go to the middle of a cone, 325 or 505 mm high; what they meet within its base, 228 or 285
/// mm square, is the cone itself (Formula Student handbook).
struct Size {
  double half_height, margin;
};
Size size_of(ConeColor color) {
  return color == ConeColor::kBigOrange ? Size{0.2525, 0.21} : Size{0.1625, 0.17};
}

}  // namespace

CarPose CarPose::of(const Pose& X_WS) {
  const Vec3 forward = X_WS.R * Vec3::UnitX();
  const double length = libm::hypot(forward.x(), forward.y());
  CarPose out{X_WS.p};
  if (length > 0) {
    out.c = forward.x() / length;
    out.s = forward.y() / length;
  }
  return out;
}

void ConeSensor::start(double time) {
  start_ = time;
  measured_ = 0;
  under_way_.clear();
}

void ConeSensor::lose_until(double time) {
  const double lost = std::ceil((time - start_) * settings_.hz) - 1;
  if (next_time() < time && lost > 0) measured_ = static_cast<std::uint64_t>(lost);
}

NoiseKey ConeSensor::key_for(Purpose purpose) const {
  NoiseKey key = key_;
  key.stream = first_stream_ + purpose;
  return key;
}

void ConeSensor::measure(const CarPose& car, std::span<const WorldCone> cones, NoiseKey key,
                         const Hidden& hidden) {
  ConeMessage message;
  message.stamp = next_time();
  message.sequence = ++sequence_;
  ++measured_;
  key_ = key;
  key_.frame = sequence_;
  // A negative delay becomes 0, as in FEB's simulator, which clips and does not draw again.
  const double delay = settings_.delay_mean + settings_.delay_std * gaussian(key_for(kDelay), 0);
  message.due = message.stamp + std::max(0.0, delay);

  for (std::uint32_t i = 0; i < cones.size(); ++i) see(car, cones[i], i, hidden, message.cones);
  add_false_positives(message.cones);
  // The order says nothing about which cone of the track it is.
  const auto nearer = [](const ConeRecord& a, const ConeRecord& b) {
    return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y;
  };
  std::stable_sort(message.cones.begin(), message.cones.end(), nearer);

  auto place = under_way_.end();
  if (reordering_) {
    place = std::upper_bound(under_way_.begin(), under_way_.end(), message,
                             [](const auto& a, const auto& b) { return a.due < b.due; });
  }
  under_way_.insert(place, std::move(message));
}

ConeMessage ConeSensor::take() {
  ConeMessage message = std::move(under_way_.front());
  under_way_.pop_front();
  return message;
}

void ConeSensor::see(const CarPose& car, const WorldCone& cone, std::uint32_t index,
                     const Hidden& hidden, std::vector<ConeRecord>& out) const {
  const Vec3 from_car = cone.p_W - car.p_W;
  // From the sensor, along the car's axes.
  const Vec2 p = car.direction(from_car.x(), from_car.y()) - settings_.position.head<2>();
  const double range = libm::hypot(p.x(), p.y());
  if (range < settings_.min_range || range > settings_.max_range) return;
  if (std::abs(libm::atan2(p.y(), p.x())) > settings_.field_of_view / 2) return;
  const double probability = settings_.detection.at(range - settings_.min_range);
  if (!(uniform(key_for(kDetection), index) < probability)) return;
  if (settings_.occlusion && hidden) {
    const Size size = size_of(cone.color);
    const Vec3 middle = cone.p_W + Vec3(0, 0, size.half_height);
    if (hidden(car.point_W(settings_.position), middle, size.margin)) return;
  }
  ConeRecord record = noisy(p, index);
  if (settings_.forward_only && record.x <= 0.1f) return;
  record.color = seen_color(cone.color, range, index);
  out.push_back(record);
}

ConeRecord ConeSensor::noisy(const Vec2& p, std::uint32_t index) const {
  if (settings_.noise == ConeNoise::kPacSim) return polar_noise(p, index);
  double along = settings_.noise_std, across = settings_.noise_std;
  if (settings_.noise == ConeNoise::kEufs) {
    // eufs_sim, gazebo_cone_ground_truth: the mean of a camera, whose noise along the car grows
    // with range and is a fifth of that across, and of a lidar, weighted by the camera's share.
    const double range = libm::hypot(p.x(), p.y());
    // It was fitted to some 20 m; hundreds of metres away it must still be a number.
    const double camera =
        std::min(1000.0, figures_.eufs_scale * libm::exp(figures_.eufs_growth * range));
    const double share = figures_.eufs_camera_share;
    along = share * camera + (1 - share) * figures_.eufs_lidar_noise;
    across = share * camera / 5 + (1 - share) * figures_.eufs_lidar_noise;
  }
  const auto [x, y] = gaussian_pair(key_for(kNoise), index);
  ConeRecord out{static_cast<float>(p.x() + settings_.position.x() + along * x),
                 static_cast<float>(p.y() + settings_.position.y() + across * y),
                 kNaN,
                 kNaN,
                 kNaN,
                 0};
  if (covariances_) {
    out.xx = static_cast<float>(along * along);
    out.xy = 0;
    out.yy = static_cast<float>(across * across);
  }
  return out;
}

/// PacSim's noise on the plane: independent errors of range (absolute and relative), of bearing,
/// and then of x and y. Its covariance is J diag(range, bearing) J^T + cartesian, with the Jacobian
/// of polar coordinates where the cone was measured.
ConeRecord ConeSensor::polar_noise(const Vec2& p, std::uint32_t index) const {
  const double true_range = libm::hypot(p.x(), p.y());
  const double relative = figures_.pacsim_relative_range * true_range;
  const double range_variance = figures_.pacsim_range * figures_.pacsim_range + relative * relative;
  const auto [g_range, g_angle] = gaussian_pair(key_for(kNoise), index);
  const auto [g_x, g_y] = gaussian_pair(key_for(kCartesianNoise), index);
  const double range = true_range + std::sqrt(range_variance) * g_range;
  const double angle = libm::atan2(p.y(), p.x()) + figures_.pacsim_angle * g_angle;
  const double c = libm::cos(angle), s = libm::sin(angle), sigma = figures_.pacsim_cartesian;
  ConeRecord out{static_cast<float>(range * c + settings_.position.x() + sigma * g_x),
                 static_cast<float>(range * s + settings_.position.y() + sigma * g_y),
                 kNaN,
                 kNaN,
                 kNaN,
                 0};
  if (covariances_) {
    const double across = range * range * figures_.pacsim_angle * figures_.pacsim_angle;
    out.xx = static_cast<float>(c * c * range_variance + s * s * across + sigma * sigma);
    out.xy = static_cast<float>(c * s * (range_variance - across));
    out.yy = static_cast<float>(s * s * range_variance + c * c * across + sigma * sigma);
  }
  return out;
}

std::int32_t ConeSensor::seen_color(ConeColor color, double range, std::uint32_t index) const {
  const auto number = [](ConeColor c) { return static_cast<std::int32_t>(c); };
  if (!settings_.tells_colors || range > settings_.color_range) return number(ConeColor::kUnknown);
  const double right = settings_.classification.at(range - settings_.min_range);
  const double u = uniform(key_for(kColor), index);
  if (u < right) return number(color);
  // As in PacSim, the four other classes, "unknown" among them, share the rest evenly.
  const int other = std::min(3, static_cast<int>(4 * (u - right) / (1 - right)));
  int skipped = 0;
  for (const ConeColor candidate : kColors) {
    if (candidate == color) continue;
    if (skipped++ == other) return number(candidate);
  }
  return number(color);
}

void ConeSensor::add_false_positives(std::vector<ConeRecord>& out) const {
  if (!(settings_.false_positives > 0)) return;
  // Their number is Poisson distributed, by inversion.
  const double u = uniform(key_for(kFalseCount), 0);
  double term = libm::exp(-settings_.false_positives), sum = term;
  std::uint32_t count = 0;
  const std::uint32_t most = max_false_positives(settings_.false_positives);
  while (u >= sum && count < most) {
    term *= settings_.false_positives / ++count;
    sum += term;
  }
  const double near2 = settings_.min_range * settings_.min_range;
  const double far2 = settings_.max_range * settings_.max_range;
  for (std::uint32_t i = 0; i < count; ++i) {
    // Evenly over the area that the sensor sees.
    const auto place = uniforms(key_for(kFalsePlace), i);
    const double range = std::sqrt(near2 + (far2 - near2) * place[0]);
    const double angle = settings_.field_of_view * (place[1] - 0.5);
    // An index that no cone of a track has: another sequence of noise.
    ConeRecord record = noisy({range * libm::cos(angle), range * libm::sin(angle)}, ~i);
    if (settings_.forward_only && record.x <= 0.1f) continue;
    record.color = -1;
    if (settings_.tells_colors && range <= settings_.color_range) {
      record.color = std::min(3, static_cast<int>(4 * uniform(key_for(kFalseColor), i)));
    }
    out.push_back(record);
  }
}

std::uint32_t max_false_positives(double mean) {
  if (!(mean > 0)) return 0;
  return static_cast<std::uint32_t>(std::ceil(mean + 8 * std::sqrt(mean) + 8));
}

}  // namespace protobeam
