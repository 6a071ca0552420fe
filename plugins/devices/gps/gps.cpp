// GPS: position, speed and velocity of the device's origin.
//
// Frame: the world's (x, y, z in m), or latitude and longitude in degrees and altitude in m when
// WorldInfo.gpsCoordinateSystem is "WGS84". Velocity is in the world frame, m/s.
// Noise and resolution act on the metres of the world frame, before any geodetic conversion.
// No return: all values are NaN while the device is in a PropertyRegion with gnssOutage, as
// wb_gps_get_values tells before the first sample. Of no effect on type "laser". There is no other
// shadowing and no start-up time.
//
// Position noise is a first-order Gauss-Markov process: with c = noiseCorrelation and dt seconds
// since the last sample, n' = c^dt n + sqrt(1 - c^(2 dt)) accuracy N(0, 1), whose standard
// deviation is `accuracy` at all times and whose correlation over one second is c.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/libm.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

enum Channel : std::size_t { kPosition, kSpeed, kVelocity };

DeviceType declaration() {
  Range correlation = Range::between(0, 1);
  correlation.max_open = true;
  return {
      .node =
          {"GPS",
           "Device",
           "Position and velocity of the device in the world.",
           {
               {"name", FieldType::kString, "\"gps\"", "", Range::any(), "name for the controller"},
               {"type", FieldType::kString, "\"satellite\"", "", Range::any(),
                "technology of the receiver; satellites are hidden in regions of gnssOutage",
                "satellite|laser"},
               {"accuracy", FieldType::kFloat, "0", "m", Range::at_least(0),
                "standard deviation of the position, each axis"},
               {"verticalAccuracy", FieldType::kFloat, "-1", "m", Range::at_least(0).or_special(-1),
                "that of the height; -1: as the other axes"},
               {"noiseCorrelation", FieldType::kFloat, "0", "", correlation,
                "correlation of position noise over one second; 0: white"},
               {"offset", FieldType::kVec3f, "0 0 0", "m", Range::any(),
                "constant error of the position, in the world's axes"},
               {"turnOnBias", FieldType::kVec3f, "0 0 0", "m", Range::at_least(0),
                "standard deviations of an error that stays from the first sample on"},
               {"turnOnMean", FieldType::kVec3f, "0 0 0", "m", Range::at_least(0),
                "what that error is drawn about, on either side of 0 by chance"},
               {"resolution", FieldType::kFloat, "-1", "m", Range::positive().or_special(-1),
                "smallest step of the position; -1: none"},
               {"speedNoise", FieldType::kFloat, "0", "m/s", Range::at_least(0),
                "standard deviation of the speed and of each velocity component"},
               {"speedResolution", FieldType::kFloat, "-1", "m/s", Range::positive().or_special(-1),
                "smallest step of speed and velocity; -1: none"},
           }},
      .channels =
          {{"position",
            ElementType::kFloat64,
            {3},
            "m (geodetic: deg, deg, m)",
            "world",
            "nan",
            "x, y, z, or latitude, longitude and altitude"},
           {"speed", ElementType::kFloat64, {}, "m/s", "", "nan", "over ground and upwards"},
           {"velocity", ElementType::kFloat64, {3}, "m/s", "world", "nan", "x, y, z"}},
      .properties = {{"accuracy", "m", "standard deviation of the position, each axis"},
                     {"resolution", "m", "smallest step of the position; -1: none"},
                     {"coordinateSystem", "", "local or WGS84"}},
      .inputs = {Input::kMotion, Input::kGeodetic, Input::kOutage},
      .webots_node = 44,
  };
}

class Gps final : public DeviceModel, public KeepsState {
 public:
  explicit Gps(const Fields& fields)
      : satellite_(fields.string("type") == "satellite"),
        accuracy_(fields.number("accuracy")),
        vertical_(fields.number("verticalAccuracy") < 0 ? accuracy_
                                                        : fields.number("verticalAccuracy")),
        correlation_(fields.number("noiseCorrelation")),
        offset_(fields.vec3("offset")),
        turn_on_(fields.vec3("turnOnBias")),
        turn_on_mean_(fields.vec3("turnOnMean")),
        resolution_(fields.number("resolution")),
        speed_noise_(fields.number("speedNoise")),
        speed_resolution_(fields.number("speedResolution")) {}

  void attach(const DeviceContext& context) override { geodetic_ = context.geodetic; }
  Properties properties() const override {
    return {{"accuracy", accuracy_},
            {"resolution", resolution_},
            {"coordinateSystem", std::string(geodetic_ ? "WGS84" : "local")}};
  }
  /// NavSatFix where the world has geodetic coordinates, otherwise the point in the world.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    if (!geodetic_) {
      return {topic_of<message::PointStamped>("point", "", [this](const TopicInput& in) {
        const auto p = channel<double>(in.data, kPosition);
        message::PointStamped out;
        out.header = in.header;
        out.header.frame_id = "map";
        out.point = {p[0], p[1], p[2]};
        return out;
      })};
    }
    return {topic_of<message::NavSatFix>("fix", "", [this](const TopicInput& in) {
      const auto p = channel<double>(in.data, kPosition);
      message::NavSatFix fix;
      fix.header = in.header;
      fix.status.status = std::isnan(p[0]) ? -1 : 0;
      fix.status.service = 1;  // GPS
      fix.latitude = p[0], fix.longitude = p[1], fix.altitude = p[2];
      fix.position_covariance[0] = fix.position_covariance[4] = accuracy_ * accuracy_;
      fix.position_covariance[8] = vertical_ * vertical_;
      fix.position_covariance_type = accuracy_ > 0 || vertical_ > 0 ? 2 : 0;  // diagonal, unknown
      return fix;
    })};
  }
  void reset() override { started_ = false; }

  void sample(const SampleInput& in, Sample& out) override {
    advance_noise(in);
    if (satellite_ && in.gnss_outage) {
      for (std::size_t i : {kPosition, kSpeed, kVelocity}) {
        std::ranges::fill(out.channel<double>(i), std::numeric_limits<double>::quiet_NaN());
      }
      return;
    }
    Vec3 p = quantised(in.X_WS.p + offset_ + turn_on_error(in.noise) + noise_, resolution_);
    if (in.to_geodetic) p = in.to_geodetic(p);

    NoiseKey key = in.noise;
    key.stream = kSpeedNoise;
    const Vec3 v = quantised(in.v_WS + speed_noise_ * normal3(key, 0), speed_resolution_);
    const double speed =
        quantised(in.v_WS.norm() + speed_noise_ * gaussian(key, 3), speed_resolution_);
    write_values(out.channel<double>(kPosition), p);
    write_values<1>(out.channel<double>(kSpeed), {speed});
    write_values(out.channel<double>(kVelocity), v);
  }

  void visit_state(StateArchive& archive) override { archive(started_, last_time_, noise_); }

 private:
  enum Stream : std::uint32_t { kPositionNoise, kSpeedNoise, kTurnOn };

  static Vec3 normal3(const NoiseKey& key, std::uint64_t first) {
    return {gaussian(key, first), gaussian(key, first + 1), gaussian(key, first + 2)};
  }

  Vec3 turn_on_error(NoiseKey key) const {
    if (turn_on_.isZero(0) && turn_on_mean_.isZero(0)) return Vec3::Zero();
    key.stream = kTurnOn;
    key.frame = 0;
    Vec3 out = turn_on_mean_ + turn_on_.cwiseProduct(normal3(key, 0));
    for (int i = 0; i < 3; ++i)
      if (uniform(key, 3 + static_cast<std::uint64_t>(i)) < 0.5F) out[i] = -out[i];
    return out;
  }

  void advance_noise(const SampleInput& in) {
    if (accuracy_ == 0 && vertical_ == 0) return;
    NoiseKey key = in.noise;
    key.stream = kPositionNoise;
    const double keep = started_ ? libm::pow(correlation_, in.time - last_time_) : 0;
    const Vec3 sigma(accuracy_, accuracy_, vertical_);
    noise_ = keep * noise_ + std::sqrt(1 - keep * keep) * sigma.cwiseProduct(normal3(key, 0));
    last_time_ = in.time;
    started_ = true;
  }

  bool satellite_;
  double accuracy_, vertical_, correlation_;
  Vec3 offset_, turn_on_, turn_on_mean_;
  double resolution_, speed_noise_, speed_resolution_;
  bool geodetic_ = false, started_ = false;
  double last_time_ = 0;
  Vec3 noise_ = Vec3::Zero();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Gps)
