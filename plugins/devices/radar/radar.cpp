// Radar: distance, radial speed, azimuth and echo of the Solids that have a radarCrossSection.
//
// Frame: the device's own; it looks along +x. Azimuths grow to the right (towards -y), as in Webots
// R2025a; speeds are positive for what moves away, the radar's own motion included. Solids of the
// radar's own robot are no targets. Distances are those of the middle of a target's box, along the
// radar's axes; azimuths and speeds those of its origin. When nothing is detected, `count` is 0.
//
// The echo is that of the radar equation (M. I. Skolnik, "Introduction to radar systems", 3rd ed.,
// section 1.2), with one antenna for both ways:
//
//   received = transmitted gain^2 wavelength^2 crossSection / ((4 pi)^3 distance^4)
//
// Which targets are detected, and how those in one cell become one, follows Webots' reference
// (Radar) and its behaviour; where the two contradict each other, the comments here say what we do.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

constexpr double kSpeedOfLight = 299792458;  // m/s
constexpr std::size_t kMostTargets = 256;    // in a sample; the strongest when there are more
constexpr double kLeastDistance = 0.01;      // m, where the radar equation ends
constexpr double kNoLimit = -1;              // of maxRadialSpeed
constexpr double kFar = std::numeric_limits<double>::infinity();

/// What a random number is for: NoiseKey::stream. The index is the number of the target's Solid, so
/// that its noise does not depend on which others are there.
enum Stream : std::uint32_t { kRange, kSpeed, kAngle };
enum Channel : std::size_t { kTargets, kCount };

/// As WbRadarTarget.
struct Detection {
  double distance;  // m
  double power;     // W until the end, then dBm
  double speed;     // m/s
  double azimuth;   // rad
};
static_assert(sizeof(Detection) == 32);

DeviceType declaration() {
  using enum FieldType;
  const Range at_least_0 = Range::at_least(0);
  return {
      .node = {"Radar",
               "Device",
               "Distance, radial speed and azimuth of Solids that have a radarCrossSection.",
               {{"name", kString, "\"radar\"", "", {}, "name for the controller"},
                {"minRange", kFloat, "1", "m", at_least_0, "nearest target"},
                {"maxRange", kFloat, "50", "m", Range::positive(), "farthest target"},
                {"horizontalFieldOfView", kFloat, "0.78", "rad", Range::between(0, 2 * kPi),
                 "whole angle, left to right"},
                {"verticalFieldOfView", kFloat, "0.1", "rad", Range::between(0, kPi),
                 "whole angle, top to bottom"},
                {"minAbsoluteRadialSpeed", kFloat, "0", "m/s", at_least_0,
                 "slowest target, either way"},
                {"minRadialSpeed",
                 kFloat,
                 "1",
                 "m/s",
                 {},
                 "least radial speed; no limits while both are 0, or maxRadialSpeed is -1 and less "
                 "than this"},
                {"maxRadialSpeed", kFloat, "-1", "m/s", {}, "greatest radial speed"},
                {"cellDistance", kFloat, "0", "m", at_least_0,
                 "targets whose distances differ by less are one; 0: all are kept apart"},
                {"cellSpeed", kFloat, "0", "m/s", at_least_0,
                 "... if their speeds differ by less, too; 0: whatever their speeds"},
                {"rangeNoise", kFloat, "0", "m", at_least_0, "standard deviation of the distance"},
                {"speedNoise", kFloat, "0", "m/s", at_least_0, "standard deviation of the speed"},
                {"angularNoise", kFloat, "0", "rad", at_least_0,
                 "standard deviation of the azimuth"},
                {"antennaGain", kFloat, "20", "dBi", {}, "of the antenna, sending and receiving"},
                {"frequency", kFloat, "24", "GHz", Range::positive(), "of the carrier"},
                {"transmittedPower", kFloat, "1", "dBm", {}, "into the antenna"},
                {"minDetectableSignal", kFloat, "-100", "dBm", {}, "weakest echo"},
                {"occlusion",
                 kBool,
                 "FALSE",
                 "",
                 {},
                 "boundingObjects between radar and target hide it"}}},
      .channels = {{"targets",
                    ElementType::kRecord,
                    {kMostTargets},
                    "",
                    "device",
                    "0",
                    "the first `count` hold what was detected; azimuths grow to the right",
                    {{"distance", ElementType::kFloat64, "m"},
                     {"receivedPower", ElementType::kFloat64, "dBm"},
                     {"speed", ElementType::kFloat64, "m/s"},
                     {"azimuth", ElementType::kFloat64, "rad"}}},
                   {"count", ElementType::kInt32, {}, "", "", "", "targets that were detected"}},
      .properties = {{"minRange", "m", "nearest target"},
                     {"maxRange", "m", "farthest target"},
                     {"horizontalFieldOfView", "rad", "whole angle, left to right"},
                     {"verticalFieldOfView", "rad", "whole angle, top to bottom"}},
      .inputs = {Input::kMotion, Input::kSolidRays, Input::kRadarTargets},
      .webots_node = 54,
  };
}

double watts(double dBm) { return 0.001 * libm::exp10(dBm / 10); }

/// The angles that a box fills about that of its origin; wide intervals stay connected behind the
/// radar, where angles jump from pi to -pi.
struct Spread {
  double middle, least = kFar, most = -kFar;
  void add(double angle) {
    const double away = std::remainder(angle - middle, 2 * kPi);
    least = std::min(least, away);
    most = std::max(most, away);
  }
  bool meets(double half) const { return middle + least <= half && middle + most >= -half; }
};

class Radar final : public DeviceModel, public Stateless {
 public:
  explicit Radar(const Fields& fields)
      : min_range_(fields.number("minRange")),
        max_range_(fields.number("maxRange")),
        width_(fields.number("horizontalFieldOfView")),
        height_(fields.number("verticalFieldOfView")),
        min_absolute_speed_(fields.number("minAbsoluteRadialSpeed")),
        min_speed_(fields.number("minRadialSpeed")),
        max_speed_(fields.number("maxRadialSpeed")),
        cell_distance_(fields.number("cellDistance")),
        cell_speed_(fields.number("cellSpeed")),
        range_noise_(fields.number("rangeNoise")),
        speed_noise_(fields.number("speedNoise")),
        angular_noise_(fields.number("angularNoise")),
        least_power_(watts(fields.number("minDetectableSignal"))),
        occlusion_(fields.boolean("occlusion")) {
    if (max_range_ <= min_range_) {
      throw std::invalid_argument("field 'maxRange' has to be greater than minRange");
    }
    // Webots' defaults 1 and -1 would hide every target, and its reference has -1 as "no limit".
    speed_limits_ = !(min_speed_ == 0 && max_speed_ == 0) &&
                    !(max_speed_ == kNoLimit && min_speed_ > max_speed_);
    if (speed_limits_ && max_speed_ < min_speed_) {
      throw std::invalid_argument("field 'maxRadialSpeed' is less than minRadialSpeed");
    }
    const double gain = libm::exp10(fields.number("antennaGain") / 10);
    const double wavelength = kSpeedOfLight / (fields.number("frequency") * 1e9);
    power_factor_ = watts(fields.number("transmittedPower")) * gain * gain * wavelength *
                    wavelength / (64 * kPi * kPi * kPi);
  }

  Properties properties() const override {
    return {{"minRange", min_range_},
            {"maxRange", max_range_},
            {"horizontalFieldOfView", width_},
            {"verticalFieldOfView", height_}};
  }
  Inputs inputs(Inputs declared) const override {
    return occlusion_ ? declared : declared.without(Input::kSolidRays);
  }

  void sample(const SampleInput& in, Sample& out) override {
    detections_.clear();
    for (const RadarTarget& target : in.radar_targets) detect(target, in);
    if (cell_distance_ > 0) merge_cells();
    if (detections_.size() > kMostTargets) {
      std::stable_sort(detections_.begin(), detections_.end(),
                       [](const auto& a, const auto& b) { return a.power > b.power; });
      detections_.resize(kMostTargets);
    }
    for (Detection& detection : detections_) {
      detection.power = 10 * libm::log10(detection.power / 0.001);
    }
    const auto targets = out.channel<Detection>(kTargets);
    std::fill(std::copy(detections_.begin(), detections_.end(), targets.begin()), targets.end(),
              Detection{});
    out.channel<std::int32_t>(kCount)[0] = static_cast<std::int32_t>(detections_.size());
  }

 private:
  void detect(const RadarTarget& target, const SampleInput& in) {
    const Pose X_ST = in.X_WS.inverse() * target.X_WT;
    const double distance = X_ST.p.norm();
    if (!(distance > 0)) return;
    const Vec3 sight_W = (target.X_WT.p - in.X_WS.p) / distance;

    // A target counts while a part of its box is in the field of view and within the ranges.
    Spread across{azimuth(X_ST.p)}, up{elevation(X_ST.p)};
    double farthest = -kFar;  // of the box along the line of sight
    Vec3 low_S = Vec3::Constant(kFar), high_S = Vec3::Constant(-kFar);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p_T((corner & 1 ? target.max_T : target.min_T).x(),
                     (corner & 2 ? target.max_T : target.min_T).y(),
                     (corner & 4 ? target.max_T : target.min_T).z());
      const Vec3 p_S = X_ST * p_T;
      across.add(azimuth(p_S));
      up.add(elevation(p_S));
      const double along = p_S.dot(X_ST.p) / distance;
      farthest = std::max(farthest, along);
      low_S = low_S.cwiseMin(p_S);
      high_S = high_S.cwiseMax(p_S);
    }
    if (!across.meets(width_ / 2) || !up.meets(height_ / 2)) return;

    const auto noise = [&](Stream stream, double deviation) {
      NoiseKey key = in.noise;
      key.stream = stream;
      const int solid = target.parts.empty() ? 0 : target.parts.front();
      return deviation > 0 ? deviation * gaussian(key, static_cast<std::uint64_t>(solid)) : 0;
    };
    const double error = noise(kRange, range_noise_);
    // Webots' distance is that of the middle of the box, and the target begins half its depth
    // before that (WbObjectDetection::isContainedInFrustum); azimuth and speed are those of the
    // origin.
    const double middle = (0.5 * (low_S + high_S)).norm(), half = 0.5 * (high_S - low_S).x();
    if (farthest + error < min_range_ || middle - half + error > max_range_) return;
    const double measured = std::clamp(middle + error, min_range_, max_range_);
    const double power =
        power_factor_ * target.cross_section / libm::pow(std::max(measured, kLeastDistance), 4);
    if (power < least_power_) return;

    const double speed = sight_W.dot(target.v_WT - in.v_WS) + noise(kSpeed, speed_noise_);
    if (speed_limits_ && (speed < min_speed_ || speed > max_speed_)) return;
    if (std::abs(speed) < min_absolute_speed_) return;
    if (occlusion_ && hidden(target, in, sight_W, distance - half)) return;

    const double angle = std::clamp(across.middle, -width_ / 2, width_ / 2);
    detections_.push_back({measured, power, speed, angle + noise(kAngle, angular_noise_)});
  }

  static double azimuth(const Vec3& p_S) { return libm::atan2(-p_S.y(), p_S.x()); }
  static double elevation(const Vec3& p_S) {
    return libm::atan2(p_S.z(), libm::hypot(p_S.x(), p_S.y()));
  }

  /// Something else stands on the line to its origin, within `reach`, and nearer than the target
  /// itself. That ends half the depth of the target before its origin (Webots,
  /// WbObjectDetection::hasCollided): the ground on which its origin lies does not hide it.
  static bool hidden(const RadarTarget& target, const SampleInput& in, const Vec3& sight_W,
                     double reach) {
    if (!(reach > 0)) return false;
    const auto hit = in.solid_ray(in.X_WS.p, sight_W, reach);
    return hit && !std::binary_search(target.parts.begin(), target.parts.end(), hit->solid);
  }

  /// Each target takes in all later ones of its cell, and again with what it has become, as in
  /// Webots: powers add up, the rest is their mean by power.
  void merge_cells() {
    for (std::size_t i = 0; i < detections_.size();) {
      const Detection first = detections_[i];
      Detection sum{first.distance * first.power, first.power, first.speed * first.power,
                    first.azimuth * first.power};
      const auto taken = [&](const Detection& other) {
        const bool same = std::abs(first.distance - other.distance) < cell_distance_ &&
                          (cell_speed_ <= 0 || std::abs(first.speed - other.speed) < cell_speed_);
        if (!same) return false;
        sum.distance += other.distance * other.power;
        sum.power += other.power;
        sum.speed += other.speed * other.power;
        sum.azimuth += other.azimuth * other.power;
        return true;
      };
      std::size_t kept = i + 1;
      for (std::size_t j = i + 1; j < detections_.size(); ++j) {
        if (!taken(detections_[j])) detections_[kept++] = detections_[j];
      }
      if (kept == detections_.size()) {
        ++i;
        continue;
      }
      detections_.resize(kept);
      detections_[i] = {sum.distance / sum.power, sum.power, sum.speed / sum.power,
                        sum.azimuth / sum.power};
    }
  }

  double min_range_, max_range_, width_, height_;
  double min_absolute_speed_, min_speed_, max_speed_;
  double cell_distance_, cell_speed_;
  double range_noise_, speed_noise_, angular_noise_;
  double least_power_;  // W
  bool occlusion_, speed_limits_ = false;
  double power_factor_ = 0;  // W m^2: times cross section / distance^4 is the echo
  std::vector<Detection> detections_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Radar)
