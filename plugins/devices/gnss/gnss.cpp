// Gnss: a receiver of satellite navigation, as drivers of such receivers report it.
//
// Frames: latitude, longitude and altitude are those of the WGS84 ellipsoid. East, north, up (ENU)
// are the axes of the tangent plane at WorldInfo.gpsReference; `enu`, `velocity` and `covariance`
// are in them, also far away from there (at 1 km the antenna's own horizon is inclined by 0.16
// mrad). Measured is the antenna's position, `leverArm` away from the device's origin, and its
// velocity.
//
// Errors, each 0 unless set:
//   position   = truth + white(horizontalNoise, verticalNoise) + correlated error
//   correlated error, each axis: a stationary Gauss-Markov process of first order,
//                x(t + dt) = f x(t) + s sqrt(1 - f^2) N(0, 1),  f = exp(-dt / correlation time),
//                which is exact for every dt (D. T. Gillespie, "Exact numerical simulation of the
//                Ornstein-Uhlenbeck process and its integral", Physical Review E 54, 1996): its
//                deviation s and its correlation do not depend on the sampling period.
//   velocity   = truth + white(horizontalVelocityNoise, verticalVelocityNoise)
//   covariance = diag(white^2 + s^2), what a receiver would state that knows its errors
//
// A measurement is delivered `latency` later, with its own time in `stamp`. No fix: status -1,
// quality 0 and NaN for the rest, in regions of gnssOutage (at the device's origin) and at random
// by dropoutProbability; `stamp` still tells when it was.
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>

#include "base/libm.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

enum Channel : std::size_t {
  kPosition,
  kEnu,
  kVelocity,
  kCovariance,
  kStatus,
  kQuality,
  kStamp,
};

/// The element of `position`.
struct GeodeticPosition {
  double latitude_deg, longitude_deg, altitude;
};

/// What a fix is called: NavSatStatus of ROS, and the quality of a GGA sentence (NMEA 0183).
struct FixType {
  const char* name;
  std::int32_t status, quality;
};
constexpr FixType kNoFix{"", -1, 0};
/// RTK is an augmentation from the ground: NavSatStatus knows no more of it than that.
constexpr std::array<FixType, 5> kFixTypes{{{"autonomous", 0, 1},
                                            {"SBAS", 1, 2},
                                            {"GBAS", 2, 2},
                                            {"RTK float", 2, 5},
                                            {"RTK fixed", 2, 4}}};

FieldSpec deviation(const char* name, const char* unit, const char* meaning) {
  return {name, FieldType::kFloat, "0", unit, Range::at_least(0), meaning};
}

/// MVSim's name of a field.
FieldSpec legacy(const char* name, const char* today) {
  FieldSpec spec = deviation(name, "m", "");
  spec.alias_of = today;
  return spec;
}

DeviceType declaration() {
  const char* correlation_time = "time after which the correlation has dropped to 1/e";
  return {
      .node =
          {"Gnss",
           "Device",
           "Receiver of satellite navigation: position, velocity, their quality and their time.",
           {
               {"name", FieldType::kString, "\"gnss\"", "", Range::any(),
                "name for the controller"},
               {"leverArm", FieldType::kVec3f, "0 0 0", "m", Range::any(),
                "the antenna in the device's frame"},
               {"fixType", FieldType::kString, "\"autonomous\"", "", Range::any(),
                "kind of fix that it reports", "autonomous|SBAS|GBAS|RTK float|RTK fixed"},
               deviation("horizontalNoise", "m",
                         "standard deviation of the white error, east and north each"),
               deviation("verticalNoise", "m", "standard deviation of the white error, up"),
               deviation("horizontalCorrelatedNoise", "m",
                         "standard deviation of the correlated error, east and north each"),
               deviation("verticalCorrelatedNoise", "m",
                         "standard deviation of the correlated error, up"),
               {"horizontalCorrelationTime", FieldType::kFloat, "60", "s", Range::positive(),
                correlation_time},
               {"verticalCorrelationTime", FieldType::kFloat, "60", "s", Range::positive(),
                correlation_time},
               deviation("horizontalVelocityNoise", "m/s",
                         "standard deviation of the velocity, east and north each"),
               deviation("verticalVelocityNoise", "m/s", "standard deviation of the velocity, up"),
               {"latency", FieldType::kFloat, "0", "s", Range::between(0, 60),
                "from a measurement to its delivery, at the first step that is not earlier"},
               {"dropoutProbability", FieldType::kFloat, "0", "", Range::between(0, 1),
                "share of measurements without a fix"},
               legacy("horizontal_std_noise", "horizontalNoise"),
               legacy("vertical_std_noise", "verticalNoise"),
           }},
      .channels = {{"position",
                    ElementType::kRecord,
                    {},
                    "",
                    "WGS84",
                    "nan",
                    "of the antenna; altitude above the ellipsoid",
                    {{"latitude_deg", ElementType::kFloat64, "deg"},
                     {"longitude_deg", ElementType::kFloat64, "deg"},
                     {"altitude", ElementType::kFloat64, "m"}}},
                   {"enu",
                    ElementType::kFloat64,
                    {3},
                    "m",
                    "ENU at gpsReference",
                    "nan",
                    "the same, from gpsReference"},
                   {"velocity",
                    ElementType::kFloat64,
                    {3},
                    "m/s",
                    "ENU at gpsReference",
                    "nan",
                    "of the antenna"},
                   {"covariance",
                    ElementType::kFloat64,
                    {3, 3},
                    "m^2",
                    "ENU at gpsReference",
                    "nan",
                    "of the position's error"},
                   {"status",
                    ElementType::kInt32,
                    {},
                    "",
                    "",
                    "-1",
                    "as NavSatStatus of ROS: -1 no fix, 0 fix, 1 SBAS, 2 GBAS and RTK"},
                   {"quality",
                    ElementType::kInt32,
                    {},
                    "",
                    "",
                    "0",
                    "as GGA of NMEA 0183: 0 no fix, 1 autonomous, 2 differential, 4 RTK fixed, 5 "
                    "RTK float"},
                   {"stamp",
                    ElementType::kFloat64,
                    {},
                    "s",
                    "",
                    "nan",
                    "when it was measured; nan before the first delivery"}},
      .properties = {{"fixType", "", "kind of fix that it reports"},
                     {"latency", "s", "from a measurement to its delivery"}},
      .inputs = {Input::kMotion, Input::kGeodetic, Input::kOutage},
  };
}

Vec3 horizontal_vertical(const Fields& fields, const char* horizontal, const char* vertical) {
  const double across = fields.number(horizontal);
  return {across, across, fields.number(vertical)};
}

Vec3 normal3(const NoiseKey& key) { return {gaussian(key, 0), gaussian(key, 1), gaussian(key, 2)}; }

/// The rows are east, north and up in the world.
Mat3 enu_axes(const Vec3& north_W, const Vec3& up_W) {
  Mat3 R;
  R << north_W.cross(up_W).transpose(), north_W.transpose(), up_W.transpose();
  return R;
}

struct Measurement {
  GeodeticPosition position;
  Vec3 enu, velocity;
  Mat3 covariance;
  FixType fix = kNoFix;
  double stamp = 0;

  void visit_state(StateArchive& archive) {
    int type = -1;  // kNoFix
    for (std::size_t i = 0; i < kFixTypes.size(); ++i) {
      if (std::string_view(fix.name) == kFixTypes[i].name) type = static_cast<int>(i);
    }
    archive(position, enu, velocity, covariance, type, stamp);
    fix = type >= 0 && type < static_cast<int>(kFixTypes.size())
              ? kFixTypes[static_cast<std::size_t>(type)]
              : kNoFix;
  }
};

Measurement no_fix(double stamp) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  return {{kNaN, kNaN, kNaN},
          Vec3::Constant(kNaN),
          Vec3::Constant(kNaN),
          Mat3::Constant(kNaN),
          kNoFix,
          stamp};
}

class Gnss final : public DeviceModel, public KeepsState {
 public:
  explicit Gnss(const Fields& fields)
      : antenna_S_(fields.vec3("leverArm")),
        white_noise_(horizontal_vertical(fields, "horizontalNoise", "verticalNoise")),
        correlated_noise_(
            horizontal_vertical(fields, "horizontalCorrelatedNoise", "verticalCorrelatedNoise")),
        correlation_time_(
            horizontal_vertical(fields, "horizontalCorrelationTime", "verticalCorrelationTime")),
        velocity_noise_(
            horizontal_vertical(fields, "horizontalVelocityNoise", "verticalVelocityNoise")),
        latency_(fields.number("latency")),
        dropout_(fields.number("dropoutProbability")) {
    for (const FixType& type : kFixTypes) {
      if (fields.string("fixType") == type.name) fix_ = type;
    }
  }

  /// That of the antenna, where it measures.
  Pose data_frame() const override { return Pose::translation(antenna_S_); }
  void attach(const DeviceContext& context) override {
    if (!context.geodetic) {
      throw std::invalid_argument(
          "Gnss needs the world's place on the earth; write WorldInfo { "
          "gpsCoordinateSystem \"WGS84\" gpsReference LATITUDE LONGITUDE ALTITUDE }");
    }
    north_W_ = context.north_W;
  }
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    DeviceTopic topic;
    topic.message = "fix";
    topic.type = &message::type_of<message::NavSatFix>();
    topic.make = [this](const TopicInput& in) -> std::vector<message::AnyMessage> {
      const double stamp = channel<double>(in.data, kStamp)[0];
      if (std::isnan(stamp)) return {};  // nothing was delivered yet
      message::NavSatFix fix;
      fix.header = in.header;
      fix.header.stamp = message::time_of(std::max<std::int64_t>(message::nanoseconds(stamp), 0));
      fix.status.status = static_cast<std::int8_t>(channel<std::int32_t>(in.data, kStatus)[0]);
      fix.status.service = 1;  // GPS
      const auto& position = channel<GeodeticPosition>(in.data, kPosition)[0];
      fix.latitude = position.latitude_deg, fix.longitude = position.longitude_deg;
      fix.altitude = position.altitude;
      const auto covariance = channel<double>(in.data, kCovariance);
      const bool known = !std::isnan(covariance[0]);
      if (known) std::ranges::copy(covariance, fix.position_covariance.begin());
      fix.position_covariance_type = known ? 3 : 0;
      return {fix};
    };
    return {topic};
  }
  Properties properties() const override {
    return {{"fixType", std::string(fix_.name)}, {"latency", latency_}};
  }

  // With a latency each step may take a measurement or deliver one.
  bool every_step() const override { return latency_ > 0; }
  bool frame_complete() const override { return delivered_; }
  bool sample_changed() const override { return changed_; }

  void reset() override {
    started_ = first_written_ = false;
    next_time_.reset();
    pending_.clear();
  }

  void sample(const SampleInput& in, Sample& out) override {
    if (latency_ == 0) {
      write(measure(in), out);
      return;
    }
    // The first one a period after it was enabled, which was at the start of this step.
    if (!next_time_) next_time_ = in.time - in.step + in.period;
    if (in.time > *next_time_ - in.step / 2) {
      pending_.push_back(measure(in));
      *next_time_ += in.period;
    }
    // At most one is due at a step, as measurements are at least a step apart.
    constexpr double kRounding = 1e-9;  // s, of sums of steps
    delivered_ = changed_ = false;
    if (!pending_.empty() && pending_.front().stamp + latency_ <= in.time + kRounding) {
      write(pending_.front(), out);
      pending_.pop_front();
    } else if (!first_written_) {
      write(no_fix(std::numeric_limits<double>::quiet_NaN()), out);
      delivered_ = false;
    }
  }

  void visit_state(StateArchive& archive) override {
    archive(correlated_E_, last_time_, next_time_, started_, first_written_, delivered_, changed_,
            pending_);
  }

 private:
  enum Stream : std::uint32_t { kWhite, kCorrelated, kVelocityNoise, kDropout };

  Measurement measure(const SampleInput& in) {
    // The correlated error goes on while there is no fix.
    advance_correlated(in);
    NoiseKey key = in.noise;
    key.stream = kDropout;
    if (in.gnss_outage || (dropout_ > 0 && uniform(key, 0) < dropout_)) return no_fix(in.time);

    const Mat3 R_EW = enu_axes(north_W_, in.up_W);
    const Vec3 arm_W = in.X_WS.R * antenna_S_;
    key.stream = kWhite;
    const Vec3 error_E = white_noise_.cwiseProduct(normal3(key)) + correlated_E_;
    const Vec3 p_W = in.X_WS.p + arm_W + R_EW.transpose() * error_E;
    const Vec3 geodetic = in.to_geodetic(p_W);
    key.stream = kVelocityNoise;
    const Vec3 v_E =
        R_EW * (in.v_WS + in.w_WS.cross(arm_W)) + velocity_noise_.cwiseProduct(normal3(key));
    const Vec3 variance = white_noise_.cwiseAbs2() + correlated_noise_.cwiseAbs2();
    return {{geodetic.x(), geodetic.y(), geodetic.z()},
            R_EW * p_W,
            v_E,
            variance.asDiagonal(),
            fix_,
            in.time};
  }

  void advance_correlated(const SampleInput& in) {
    const double dt = in.time - last_time_;
    NoiseKey key = in.noise;
    key.stream = kCorrelated;
    const Vec3 normal = normal3(key);
    for (int axis = 0; axis < 3; ++axis) {
      // The first one is drawn from the stationary distribution.
      const double elapsed = started_ ? dt / correlation_time_[axis] : 0;
      const double keep = started_ ? libm::exp(-elapsed) : 0;
      const double fresh = started_ ? std::sqrt(-libm::expm1(-2 * elapsed)) : 1;
      correlated_E_[axis] =
          keep * correlated_E_[axis] + correlated_noise_[axis] * fresh * normal[axis];
    }
    last_time_ = in.time;
    started_ = true;
  }

  void write(const Measurement& m, Sample& out) {
    out.channel<GeodeticPosition>(kPosition)[0] = m.position;
    write_values(out.channel<double>(kEnu), m.enu);
    write_values(out.channel<double>(kVelocity), m.velocity);
    const auto covariance = out.channel<double>(kCovariance);
    for (int i = 0; i < 9; ++i)
      covariance[static_cast<std::size_t>(i)] = m.covariance(i / 3, i % 3);
    out.channel<std::int32_t>(kStatus)[0] = m.fix.status;
    out.channel<std::int32_t>(kQuality)[0] = m.fix.quality;
    write_values<1>(out.channel<double>(kStamp), {m.stamp});
    delivered_ = changed_ = first_written_ = true;
  }

  Vec3 antenna_S_;
  Vec3 white_noise_, correlated_noise_, correlation_time_, velocity_noise_;  ///< ENU
  double latency_, dropout_;
  FixType fix_ = kFixTypes[0];
  Vec3 north_W_ = Vec3::UnitY();

  Vec3 correlated_E_ = Vec3::Zero();  ///< the correlated error
  double last_time_ = 0;
  std::optional<double> next_time_;  ///< of the next measurement, with a latency
  bool started_ = false;             ///< the correlated error has a value
  bool first_written_ = false;       ///< the sample holds what this device wrote
  bool delivered_ = true, changed_ = true;
  std::deque<Measurement> pending_;  ///< not yet delivered, oldest first
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Gnss)
