// One of the two simulated sensors: it measures at its rate and delivers each message when its
// delay is over.
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/state_archive.h"
#include "settings.h"
#include "track.h"

namespace protobeam {

/// An element of the channels of cones (24 bytes). The car's frame: x forward, y to the left.
struct ConeRecord {
  float x, y;        ///< m
  float xx, xy, yy;  ///< m^2, covariance
  std::int32_t color;
};
static_assert(sizeof(ConeRecord) == 24);

struct ConeMessage {
  double stamp;                   ///< s, when it was measured
  double due;                     ///< s, stamp and the delay that was drawn
  std::uint32_t sequence;         ///< number of the measurement, from 1
  std::vector<ConeRecord> cones;  ///< the nearest first

  void visit_state(StateArchive& archive) { archive(stamp, due, sequence, cones); }
};

/// The car on the plane, at one instant.
struct CarPose {
  Vec3 p_W;
  double c = 1, s = 0;  ///< cosine and sine of its heading

  static CarPose of(const Pose& X_WS);
  /// From the world's axes to the car's.
  Vec2 direction(double x_W, double y_W) const { return {c * x_W + s * y_W, c * y_W - s * x_W}; }
  /// From the car's frame to the world's; z counts from the device.
  Vec3 point_W(const Vec3& p) const {
    return p_W + Vec3(c * p.x() - s * p.y(), s * p.x() + c * p.y(), p.z());
  }
};

/// A cone of the track in the world.
struct WorldCone {
  Vec3 p_W;
  ConeColor color;
  double xx, xy, yy;  ///< m^2, in the world's axes
};

/// Whether something lies between two points of the world; the last `margin` metres do not count.
using Hidden = std::function<bool(const Vec3& from_W, const Vec3& to_W, double margin)>;

/// More are never in one message: less likely than 1e-9 by the law.
std::uint32_t max_false_positives(double mean);

class ConeSensor {
 public:
  /// `first_stream` to first_stream + kStreams - 1 of the noise keys are its own.
  ConeSensor(const ConeSensorSettings& settings, const ConeDetectorSettings& all,
             std::uint32_t first_stream)
      : settings_(settings),
        figures_(all.figures),
        covariances_(all.covariances),
        reordering_(all.reordering),
        first_stream_(first_stream) {}
  static constexpr std::uint32_t kStreams = 16;

  const ConeSensorSettings& settings() const { return settings_; }

  /// Nothing is under way; the first measurement is one period after `time`.
  void start(double time);
  /// When the next measurement is due.
  double next_time() const { return start_ + static_cast<double>(measured_ + 1) / settings_.hz; }
  /// Measurements that were due before `time` are not taken any more.
  void lose_until(double time);
  /// Takes it, and starts its way to the controller. `key` has seed and device.
  void measure(const CarPose& car, std::span<const WorldCone> cones, NoiseKey key,
               const Hidden& hidden);
  /// Whether a message is due at `time`; then the next one.
  bool is_due(double time) const { return !under_way_.empty() && under_way_.front().due <= time; }
  ConeMessage take();
  void visit_state(StateArchive& archive) {
    archive(start_, measured_, sequence_, under_way_);
    archive.expect(std::abs(start_) < 1e12 && measured_ < (std::uint64_t{1} << 53),
                   "a measurement at a time beyond all runs");
  }

 private:
  enum Purpose : std::uint32_t {
    kDelay,
    kNoise,
    kCartesianNoise,
    kDetection,
    kColor,
    kFalseCount,
    kFalsePlace,
    kFalseColor
  };

  NoiseKey key_for(Purpose purpose) const;
  void see(const CarPose& car, const WorldCone& cone, std::uint32_t index, const Hidden& hidden,
           std::vector<ConeRecord>& out) const;
  void add_false_positives(std::vector<ConeRecord>& out) const;
  ConeRecord noisy(const Vec2& p, std::uint32_t index) const;
  ConeRecord polar_noise(const Vec2& p, std::uint32_t index) const;
  std::int32_t seen_color(ConeColor color, double range, std::uint32_t index) const;

  ConeSensorSettings settings_;
  ConeNoiseFigures figures_;
  bool covariances_, reordering_;
  std::uint32_t first_stream_;
  double start_ = 0;
  std::uint64_t measured_ = 0;         ///< since the start
  std::uint32_t sequence_ = 0;         ///< goes on after a new start, so that noise does not repeat
  NoiseKey key_;                       ///< of the measurement that is being taken
  std::deque<ConeMessage> under_way_;  ///< in the order of delivery
};

}  // namespace protobeam
