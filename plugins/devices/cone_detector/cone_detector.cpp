// ConeDetector: the cones of a Formula Student track, as the perception of a driverless car
// delivers them: a camera that tells colours and a lidar that does not, each at its own rate, with
// noise, and late.
//
// After the cone noise simulator of Formula Electric Berkeley (FEB), whose parameters, defaults and
// colours it has: normal noise on x and y, a delay for each message. Here a message is stamped with
// the time of its measurement and waits in a queue until it is due, while other messages go on
// being taken. All else (noise that grows with range, missed cones, false ones, wrong colours,
// hidden cones) is off by default; its laws are those of EUFS' simulator (eufs_sim) and PacSim.
//
// Frame: the car's, which is the device's, upright: x forward, y to the left, on the ground. The
// world's z axis points up. The cones are those of the CSV file `track`, where they were at the
// start: a cone that is knocked over in the world is still reported in its place.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/state_archive.h"
#include "cone_sensor.h"
#include "cone_messages.h"
#include "device/plugin.h"
#include "read_text.h"
#include "settings.h"
#include "track.h"

namespace protobeam {
namespace {

enum Channel : std::size_t {
  kTruthCount,
  kTruth,
  kCamera,
  kCameraHeaders,
  kCameraMessages,
  kLidar,
  kLidarHeaders,
  kLidarMessages
};

/// An element of the channels of headers: of one message (32 bytes).
struct HeaderRecord {
  double stamp, due, delivered;  ///< s
  std::uint32_t sequence;
  std::int32_t count;
};
static_assert(sizeof(HeaderRecord) == 32);

DeviceType declaration() {
  using enum ElementType;
  const std::vector<Component> cone = {{"x", kFloat32, "m"},    {"y", kFloat32, "m"},
                                       {"xx", kFloat32, "m^2"}, {"xy", kFloat32, "m^2"},
                                       {"yy", kFloat32, "m^2"}, {"color", kInt32, ""}};
  const std::vector<Component> header = {{"stamp", kFloat64, "s"},
                                         {"due", kFloat64, "s"},
                                         {"delivered", kFloat64, "s"},
                                         {"sequence", kUint32, ""},
                                         {"count", kInt32, ""}};
  const char* const cones_meaning =
      "cones of the latest messages: x, y, covariance, colour (2 blue, 1 yellow, 0 orange, 3 big "
      "orange, -1 unknown); message n, from 1, is in row (n - 1) % history";
  const char* const header_meaning =
      "of the latest messages, in the same rows: when measured, due and delivered, number of the "
      "measurement, cones";
  return {
      .node = {"ConeDetector", "Device",
               "Cones of a race track, as a camera and a lidar with their software detect them.",
               cone_detector_fields()},
      .channels =
          {{"truth_count", kInt32, {}, "", "", "", "cones in truth"},
           {"truth",
            kRecord,
            {"maxCones"},
            "",
            "device",
            "",
            "the true cones at the end of the step, with the covariance and colour of the track",
            cone},
           {"camera", kRecord, {"history", "maxCones"}, "", "device", "nan", cones_meaning, cone},
           {"camera_headers", kRecord, {"history"}, "", "", "", header_meaning, header},
           {"camera_messages", kUint32, {}, "", "", "", "delivered since the device was enabled"},
           {"lidar",
            kRecord,
            {"history", "maxCones"},
            "",
            "device",
            "nan",
            "the same; all colours are unknown",
            cone},
           {"lidar_headers", kRecord, {"history"}, "", "", "", header_meaning, header},
           {"lidar_messages", kUint32, {}, "", "", "", "delivered since the device was enabled"}},
      .properties = {{"maxCones", "", "most cones in a message"},
                     {"history", "", "latest messages in the sample"},
                     {"trackCones", "", "cones of the track"},
                     {"start", "m, m, rad",
                      "x, y and heading of the track's car_start, in the world"},
                     {"camera_hz", "Hz", "rate of camera messages"},
                     {"lidar_hz", "Hz", "rate of lidar messages"},
                     {"camera_noise_std", "m", "with constant noise"},
                     {"lidar_noise_std", "m", "with constant noise"},
                     {"camera_delay_mean", "s", "before negative ones become 0"},
                     {"camera_delay_std", "s", "before negative ones become 0"},
                     {"lidar_delay_mean", "s", "before negative ones become 0"},
                     {"lidar_delay_std", "s", "before negative ones become 0"}},
      .inputs = Input::kSolidRays,
  };
}

class ConeDetector final : public DeviceModel, public KeepsState {
 public:
  explicit ConeDetector(const Fields& fields)
      : settings_(cone_detector_settings(fields)),
        camera_(settings_.camera, settings_, 0),
        lidar_(settings_.lidar, settings_, ConeSensor::kStreams),
        history_(fields.integer("history")) {
    if (!fields.string("track").empty()) read_cones(fields);
    // Cones that are there, and then those that are not.
    most_cones_ = cones_.size() + std::max(max_false_positives(settings_.camera.false_positives),
                                           max_false_positives(settings_.lidar.false_positives));
    most_cones_ = std::max<std::size_t>(most_cones_, 1);
    if (fields.integer("maxCones") > 0)
      most_cones_ = static_cast<std::size_t>(fields.integer("maxCones"));
  }

  void attach(const DeviceContext& context) override {
    const double fastest = std::max(settings_.camera.hz, settings_.lidar.hz);
    const double in_a_step = std::ceil(fastest * context.basic_time_step - 1e-9);
    if (in_a_step > history_) {
      throw_invalid("field 'history' of ConeDetector must be at least ", in_a_step,
                    ": so many messages come in one step at ", fastest, " Hz");
    }
  }

  Properties properties() const override {
    Properties out = {{"maxCones", static_cast<double>(most_cones_)},
                      {"history", static_cast<double>(history_)},
                      {"trackCones", static_cast<double>(cones_.size())},
                      {"camera_hz", settings_.camera.hz},
                      {"lidar_hz", settings_.lidar.hz},
                      {"camera_noise_std", settings_.camera.noise_std},
                      {"lidar_noise_std", settings_.lidar.noise_std},
                      {"camera_delay_mean", settings_.camera.delay_mean},
                      {"camera_delay_std", settings_.camera.delay_std},
                      {"lidar_delay_mean", settings_.lidar.delay_mean},
                      {"lidar_delay_std", settings_.lidar.delay_std}};
    if (!start_.empty()) out["start"] = start_;
    return out;
  }

  /// Under the names of the simulators that racing teams have.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    std::vector<DeviceTopic> out = {
        topic_of<message::ConeArrayWithCovariance>("truth", "", [this](const TopicInput& in) {
          const auto count = static_cast<std::size_t>(channel<std::int32_t>(in.data, kTruthCount)[0]);
          return cone_array(in.header, channel<ConeRecord>(in.data, kTruth).first(count));
        })};
    out[0].name = "ground_truth/cones";
    out.push_back(delivered<message::ConesCartesian>("camera", "camera/cones", kCamera, cones_cartesian));
    out.push_back(delivered<message::ConesCartesian>("lidar", "lidar/cones", kLidar, cones_cartesian));
    out.push_back(delivered<message::PointCloud>("viz", "cones_noise_viz", kCamera, cone_points));
    return out;
  }

  Inputs inputs(Inputs declared) const override {
    const bool rays = settings_.camera.occlusion || settings_.lidar.occlusion;
    return rays ? declared : declared.without(Input::kSolidRays);
  }

  /// Its sensors have rates of their own, which the controller's period has no part in.
  bool every_step() const override { return true; }
  void reset() override { starts_ = true; }

  void sample(const SampleInput& in, Sample& out) override {
    if (starts_) {
      std::ranges::fill(out.bytes(), std::byte{0});
      camera_.start(in.time - in.step);
      lidar_.start(in.time - in.step);
      starts_ = false;
    }
    write_truth(in, out);
    run(camera_, in, out, kCamera);
    run(lidar_, in, out, kLidar);
  }

  void visit_state(StateArchive& archive) override { archive(camera_, lidar_, starts_); }

 private:
  /// The messages that were delivered since the last look, each as `make` writes it.
  template <message::Message M>
  DeviceTopic delivered(std::string name, std::string topic, Channel cones,
                        M (*make)(const message::Header&, std::span<const ConeRecord>)) const {
    DeviceTopic out;
    out.message = std::move(name);
    out.name = std::move(topic);
    out.type = &message::type_of<M>();
    out.make = [this, cones, make, seen = std::uint32_t{0}](const TopicInput& in) mutable {
      const std::uint32_t now = channel<std::uint32_t>(in.data, cones + 2)[0];
      const auto rows = static_cast<std::uint32_t>(history_);
      if (now < seen) seen = 0;  // enabled again
      std::vector<message::AnyMessage> messages;
      for (seen = std::max(seen, now - std::min(now, rows)); seen < now; ++seen) {
        const std::size_t row = seen % rows;
        const HeaderRecord& record = channel<HeaderRecord>(in.data, cones + 1)[row];
        message::Header header = in.header;
        header.stamp = message::time_of(std::max<std::int64_t>(message::nanoseconds(record.stamp), 0));
        const auto all = channel<ConeRecord>(in.data, cones).subspan(row * most_cones_);
        // A restored sample may have any number in it.
        const auto most = static_cast<std::int32_t>(most_cones_);
        const auto count = static_cast<std::size_t>(std::clamp(record.count, 0, most));
        messages.emplace_back(make(header, all.first(count)));
      }
      return messages;
    };
    return out;
  }

  void read_cones(const Fields& fields) {
    Track track;
    try {
      track = read_track(named_file(fields, "track"));
    } catch (const std::invalid_argument& problem) {
      throw_invalid("field 'track' of ConeDetector: ", problem.what());
    }
    const Vec3 origin = fields.vec3("trackTranslation");
    const double angle = fields.number("trackAngle");
    const double c = libm::cos(angle), s = libm::sin(angle);
    const auto in_world = [&](double x, double y) {
      return Vec3(origin.x() + c * x - s * y, origin.y() + s * x + c * y, origin.z());
    };
    for (const TrackCone& cone : track.cones) {
      const auto [xx, xy, yy] = turned(cone.xx, cone.xy, cone.yy, c, s);
      cones_.push_back({in_world(cone.p.x(), cone.p.y()), cone.color, xx, xy, yy});
    }
    if (track.start) {
      const auto& [x, y, heading] = *track.start;
      const Vec3 p = in_world(x, y);
      start_ = {p.x(), p.y(), heading + angle};
    }
  }

  /// R C R^T of the covariance [xx xy; xy yy] and the rotation R by the angle of c and s.
  static std::array<double, 3> turned(double xx, double xy, double yy, double c, double s) {
    return {c * c * xx - 2 * c * s * xy + s * s * yy, c * s * (xx - yy) + (c * c - s * s) * xy,
            s * s * xx + 2 * c * s * xy + c * c * yy};
  }

  void write_truth(const SampleInput& in, Sample& out) const {
    const CarPose car = CarPose::of(in.X_WS);
    std::vector<ConeRecord> all;
    all.reserve(cones_.size());
    for (const WorldCone& cone : cones_) {
      const Vec3 offset = cone.p_W - car.p_W;
      const Vec2 p = car.direction(offset.x(), offset.y());
      const auto [xx, xy, yy] = turned(cone.xx, cone.xy, cone.yy, car.c, -car.s);
      all.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(xx),
                     static_cast<float>(xy), static_cast<float>(yy),
                     static_cast<std::int32_t>(cone.color)});
    }
    // In the order of the track as long as all of them fit.
    if (all.size() > most_cones_) {
      std::ranges::stable_sort(all, {}, [](const ConeRecord& r) { return r.x * r.x + r.y * r.y; });
    }
    write_cones(all, out.channel<ConeRecord>(kTruth), out.channel<std::int32_t>(kTruthCount)[0]);
  }

  /// The rest of the row becomes zero, so that equal messages have equal bytes.
  static void write_cones(std::span<const ConeRecord> cones, std::span<ConeRecord> row,
                          std::int32_t& count) {
    const std::size_t n = std::min(cones.size(), row.size());
    std::copy_n(cones.begin(), n, row.begin());
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(n), row.end(), ConeRecord{});
    count = static_cast<std::int32_t>(n);
  }

  void run(ConeSensor& sensor, const SampleInput& in, Sample& out, Channel cones) const {
    // Rounding must not move a measurement that is due now to the next step.
    const double tolerance = 1e-9;
    sensor.lose_until(in.time - in.step - tolerance);  // without power, say
    while (sensor.next_time() <= in.time + tolerance) {
      sensor.measure(car_at(in, sensor.next_time()), cones_, in.noise, hidden(in));
    }
    std::uint32_t& delivered = out.channel<std::uint32_t>(cones + 2)[0];
    // A controller that looks at each step finds all of them: the others wait for the next step.
    for (int i = 0; i < history_ && sensor.is_due(in.time + tolerance); ++i) {
      const ConeMessage message = sensor.take();
      const std::size_t row = delivered++ % static_cast<std::size_t>(history_);
      HeaderRecord& header = out.channel<HeaderRecord>(cones + 1)[row];
      header = {message.stamp, message.due, in.time, message.sequence, 0};
      write_cones(message.cones,
                  out.channel<ConeRecord>(cones).subspan(row * most_cones_, most_cones_),
                  header.count);
    }
  }

  static CarPose car_at(const SampleInput& in, double time) {
    if (!in.X_WS_before || !(in.step > 0)) return CarPose::of(in.X_WS);
    const double fraction = std::clamp(1 - (in.time - time) / in.step, 0.0, 1.0);
    return CarPose::of(pose_at(*in.X_WS_before, in.X_WS, fraction));
  }

  static Hidden hidden(const SampleInput& in) {
    if (!in.solid_ray) return {};
    return [&in](const Vec3& from_W, const Vec3& to_W, double margin) {
      const Vec3 way = to_W - from_W;
      const double free = way.norm() - margin;
      return free > 0 && in.solid_ray(from_W, way.normalized(), free).has_value();
    };
  }

  ConeDetectorSettings settings_;
  ConeSensor camera_, lidar_;
  int history_;
  std::size_t most_cones_ = 1;
  std::vector<WorldCone> cones_;
  std::vector<double> start_;
  bool starts_ = true;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::ConeDetector)
