// Trajectory: carries its robot along a recorded trajectory.
//
// The frame of the node, B, is the body whose poses were recorded: place the node where that body
// is on the robot. Recordings of a body with axes forward, right, down need rotation 1 0
// 0 3.14159265359 in a robot whose x is forward and z up. M is the map of the recording;
// mapTranslation and mapRotation say where it lies in the world.
//
// The robot is where the recording says at the end of every step, and moves evenly within the step.
// Its velocities then are the derivatives of the curve, so that an Imu on it measures the change of
// the true velocity over the step. It pushes what it touches and nothing pushes it. Before its
// start and after its end a recording stands still. All channels are in the world's frame and
// exact; there is always a value.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/named_files.h"
#include "base/state_archive.h"
#include "base/turn.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/geometry_msgs.h"
#include "recording.h"

namespace protobeam {
namespace {

// Steps add up to a whole number of rounds but for rounding.
constexpr double kSameTime = 1e-9;  // s

// In the order of the declaration.
enum Channel : std::size_t {
  kPosition,
  kOrientation,
  kVelocity,
  kAngularVelocity,
  kAcceleration,
  kAngularAcceleration,
  kRecordedTime
};

/// Velocities and accelerations have to stay finite.
Range speeds() {
  Range range = Range::between(0, 1000);
  range.min_open = true;
  return range;
}

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"Trajectory",
               "Device",
               "Carries its robot along a recorded trajectory.",
               {{"name", kString, "\"trajectory\"", "", Range::any(), "name for the controller"},
                {"url", kString, "\"\"", "", Range::any(),
                 "file of the recording, relative to the file that names it"},
                {"format", kString, "\"auto\"", "", Range::any(),
                 "rows of TUM, or pose_inW.csv or spline.csv of MCD; auto looks at the first row",
                 "auto|tum|mcd_pose|mcd_spline"},
                {"startTime", kFloat, "0", "s", Range::at_least(0),
                 "of the recording, counted from its first moment, at which the world starts"},
                {"speed", kFloat, "1", "", speeds(), "recorded seconds in a second of the world"},
                {"loop", kBool, "FALSE", "", Range::any(),
                 "begins again at the end, where the robot otherwise stops"},
                {"mapTranslation", kVec3f, "0 0 0", "m", Range::any(),
                 "of the recording's map in the world"},
                {"mapRotation", kRotation, "0 0 1 0", "rad", Range::any(),
                 "of the recording's map in the world"}}},
      .channels =
          {{"position", ElementType::kFloat64, {3}, "m", "world", "", "of the recorded body"},
           {"orientation",
            ElementType::kFloat64,
            {4},
            "",
            "world",
            "",
            "quaternion x, y, z, w of the recorded body, w >= 0"},
           {"velocity", ElementType::kFloat64, {3}, "m/s", "world", "", "of the recorded body"},
           {"angular_velocity", ElementType::kFloat64, {3}, "rad/s", "world", "", "of the robot"},
           {"acceleration",
            ElementType::kFloat64,
            {3},
            "m/s^2",
            "world",
            "",
            "of the recorded body, without gravity"},
           {"angular_acceleration",
            ElementType::kFloat64,
            {3},
            "rad/s^2",
            "world",
            "",
            "of the robot"},
           {"recorded_time",
            ElementType::kFloat64,
            {1},
            "s",
            "",
            "",
            "time stamp in the recording"}},
      .properties = {{"duration", "s", "of the recording"},
                     {"start", "s", "time stamp of the recording's first moment"}},
      .moves_robot = true,
  };
}

class Trajectory final : public DeviceModel, public Stateless {
 public:
  explicit Trajectory(const Fields& fields)
      : start_time_(fields.number("startTime")),
        speed_(fields.number("speed")),
        loop_(fields.boolean("loop")),
        X_WM_{fields.rotation("mapRotation"), fields.vec3("mapTranslation")} {
    if (fields.string("url").empty()) {
      throw std::invalid_argument(
          "field 'url' of Trajectory names no file; write url \"pose_inW.csv\" or the like");
    }
    try {
      recording_ = read_recording(file_beside(fields.string("url"), fields.place("url")),
                                  fields.string("format"));
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(std::string("field 'url' of Trajectory: ") + problem.what());
    }
    if (start_time_ >= duration()) {
      throw std::invalid_argument("field 'startTime' of Trajectory must be less than the " +
                                  std::to_string(duration()) + " s of the recording, got " +
                                  std::to_string(start_time_));
    }
  }

  Properties properties() const override {
    return {{"duration", duration()}, {"start", recording_.start}};
  }

  /// The true pose of the recorded body.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::PoseStamped>("pose", "", [this](const TopicInput& in) {
      const auto p = channel<double>(in.data, kPosition), q = channel<double>(in.data, kOrientation);
      message::PoseStamped pose;
      pose.header = in.header;
      pose.header.frame_id = "map";
      pose.pose.position = {p[0], p[1], p[2]};
      pose.pose.orientation = {q[0], q[1], q[2], q[3]};
      return pose;
    })};
  }

  ImposedMotion motion(double time) const override {
    const CurvePoint point = in_world(time);
    return {point.X_MB, point.v_MB, point.w_MB};
  }

  bool jumps(double from, double to) const override {
    if (!loop_ || round_at(from) == round_at(to)) return false;
    const Pose first = recording_.curve->at(0).X_MB, last = recording_.curve->at(duration()).X_MB;
    return (first.p - last.p).norm() > 1e-9 ||
           axis_and_angle(first.R.conjugate() * last.R).angle() > 1e-6;
  }

  void sample(const SampleInput& in, Sample& out) override {
    const CurvePoint now = in_world(in.time);
    Quat q = now.X_MB.R;
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    write_values(out.channel<double>(kPosition), now.X_MB.p);
    write_values<4>(out.channel<double>(kOrientation), {q.x(), q.y(), q.z(), q.w()});
    write_values(out.channel<double>(kVelocity), now.v_MB);
    write_values(out.channel<double>(kAngularVelocity), now.w_MB);
    write_values(out.channel<double>(kAcceleration), now.a_MB);
    write_values(out.channel<double>(kAngularAcceleration), now.dw_MB);
    out.channel<double>(kRecordedTime)[0] = recording_.start + recorded(in.time);
  }

 private:
  double duration() const { return recording_.curve->duration(); }
  double round_at(double time) const {
    return std::floor((start_time_ + speed_ * time + kSameTime) / duration());
  }
  /// Seconds from the recording's first moment, within it.
  double recorded(double time) const {
    const double t = start_time_ + speed_ * time;
    if (!loop_) return std::min(t, duration());
    return std::clamp(t - round_at(time) * duration(), 0.0, duration());
  }

  /// In the world, in seconds of the world.
  CurvePoint in_world(double time) const {
    CurvePoint out = recording_.curve->at(recorded(time));
    const bool over = !loop_ && start_time_ + speed_ * time >= duration();
    const double rate = over ? 0 : speed_;
    out.X_MB = X_WM_ * out.X_MB;
    out.v_MB = rate * (X_WM_.R * out.v_MB);
    out.w_MB = rate * (X_WM_.R * out.w_MB);
    out.a_MB = rate * rate * (X_WM_.R * out.a_MB);
    out.dw_MB = rate * rate * (X_WM_.R * out.dw_MB);
    return out;
  }

  double start_time_, speed_;
  bool loop_;
  Pose X_WM_;
  Recording recording_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Trajectory)
