// WheelPair: two wheels that are told their speeds together and counted by incremental encoders, as
// those of Webots' former DifferentialWheels. Speeds are in units of `speedUnit`, to either side at
// most `maxSpeed`.
//
// A wheel turns by its motor. With slipNoise n its speed is each step a factor 1 - n to 1 + n
// beside the command. An encoder counts encoderResolution per rad that its wheel has turned;
// encoderNoise does to what it adds in a step as slipNoise to speeds. Without noise of -1 or
// resolution of -1 both encoders stand still.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr std::uint32_t kSlip = 0, kEncoder = 1;  ///< streams of random numbers

DeviceType declaration() {
  using enum FieldType;
  const Range none_or_more = Range::at_least(0).or_special(-1);
  return {
      .node = {"WheelPair",
               "Device",
               "Two wheels that are told their speeds together, with encoders: what a "
               "DifferentialWheels of files before R2021b becomes.",
               {{"name", kString, "\"differential wheels\"", "", {}, "Name for the controller"},
                {"motors",
                 kMFString,
                 "[ ]",
                 "",
                 {},
                 "Names of the RotationalMotors of the left and the right wheel"},
                {"maxSpeed", kFloat, "10", "rad/s", Range::at_least(0), "Of a wheel"},
                {"speedUnit", kFloat, "1", "rad/s", Range::at_least(0), "What a speed of 1 means"},
                {"slipNoise", kFloat, "0", "", Range::at_least(0),
                 "Of a wheel's speed, as a share of it"},
                {"encoderNoise", kFloat, "-1", "", none_or_more,
                 "Of what an encoder adds, as a share of it; -1: no encoders"},
                {"encoderResolution", kFloat, "-1", "1/rad", none_or_more,
                 "Counts per rad; -1: no encoders"}}},
      .channels = {{"encoders", ElementType::kFloat64, {2}, "", "", "", "counts, left and right"}},
      .commands = {{"speeds", {{"left", "speedUnit"}, {"right", "speedUnit"}}, "set-point"},
                   {"encoders",
                    {{"left", ""}, {"right", ""}},
                    "what they have counted from now on"}},
      .properties = {{"maxSpeed", "rad/s", "of a wheel"},
                     {"speedUnit", "rad/s", "what a speed of 1 means"}},
      .forces = true,
      .motors = {"motors"},
  };
}

class WheelPair final : public DeviceModel, public KeepsState {
 public:
  explicit WheelPair(const Fields& fields)
      : max_speed_(fields.number("maxSpeed")),
        unit_(fields.number("speedUnit")),
        slip_(fields.number("slipNoise")),
        noise_(fields.number("encoderNoise")),
        resolution_(fields.number("encoderResolution")) {
    const std::size_t count = fields.strings("motors").size();
    require(count == 0 || count == 2,
            "field 'motors' of WheelPair must name two motors, left and right, got ", count);
  }

  void attach(const DeviceContext& context) override {
    robot_ = context.robot;
    const auto& tags = context.motors[0];
    for (std::size_t i = 0; i < tags.size(); ++i) wheels_[i].tag = tags[i];
  }
  Properties properties() const override {
    return {{"maxSpeed", max_speed_}, {"speedUnit", unit_}};
  }

  std::string command(std::size_t index, std::span<const double> n, std::string_view) override {
    for (std::size_t i = 0; i < 2; ++i) {
      if (index == 1) {
        wheels_[i].count = n[i];
      } else {
        wheels_[i].wanted = std::clamp(n[i] * unit_, -max_speed_, max_speed_);
      }
    }
    return "";
  }
  void release() override {
    for (Wheel& wheel : wheels_) wheel.wanted = 0;
  }

  void before_step(double) override {
    for (Wheel& wheel : wheels_) {
      if (!started_) wheel.position = position(wheel);
      drive(wheel);
    }
    started_ = true;
  }

  void after_step(double, double, const NoiseKey& noise) override {
    const bool counts = noise_ >= 0 && resolution_ >= 0;
    for (std::size_t i = 0; i < 2; ++i) {
      Wheel& wheel = wheels_[i];
      const double now = position(wheel);
      const double turned = (now - wheel.position) * factor(noise, kEncoder, i, noise_);
      wheel.position = now;
      if (counts) wheel.count += resolution_ * turned;
      wheel.slip = factor(noise, kSlip, i, slip_);
    }
  }

  void sample(const SampleInput&, Sample& out) override {
    write_values<2>(out.channel<double>(0), {wheels_[0].count, wheels_[1].count});
  }

  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(), {wheels_[0].count, wheels_[1].count});
  }
  void visit_state(StateArchive& archive) override {
    archive(started_);
    for (Wheel& wheel : wheels_)
      archive(wheel.position, wheel.wanted, wheel.slip, wheel.count, wheel.told);
  }

 private:
  struct Wheel {
    int tag = 0;                 ///< of its motor; 0: it has none
    double position = 0;         ///< rad, after the last step
    double wanted = 0;           ///< rad/s
    double slip = 1;             ///< of its speed in the next step
    double count = 0;            ///< of its encoder
    std::optional<double> told;  ///< rad/s, to its motor
  };

  static double factor(NoiseKey key, std::uint32_t stream, std::size_t side, double noise) {
    if (!(noise > 0)) return 1;
    key.stream = stream;
    return 1 - noise + 2 * noise * double{uniform(key, side)};
  }

  double position(const Wheel& wheel) const {
    const JointPort* axis = robot_ && wheel.tag ? robot_->axis(wheel.tag) : nullptr;
    return axis ? axis->position() : wheel.position;
  }

  /// A robot that drives by its motors themselves is left alone: nobody has told it speeds.
  void drive(Wheel& wheel) {
    const double speed = std::clamp(wheel.wanted * wheel.slip, -max_speed_, max_speed_);
    if (wheel.told == speed || (!wheel.told && speed == 0)) return;
    DeviceModel* motor = robot_ && wheel.tag ? robot_->device(wheel.tag) : nullptr;
    if (!motor) return;
    if (!wheel.told) motor->send_command("position", {std::numeric_limits<double>::infinity()});
    motor->send_command("velocity", {speed});
    wheel.told = speed;
  }

  double max_speed_, unit_, slip_, noise_, resolution_;
  const RobotPort* robot_ = nullptr;
  std::array<Wheel, 2> wheels_;
  bool started_ = false;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::WheelPair)
