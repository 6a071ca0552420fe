// Receiver: packets of the emitters of its medium and channel that reach it.
//
// Frame: the device's own; an infra-red one looks along +x. A packet comes as a message: its bytes,
// and four numbers: signal strength 1 / distance^2, then the unit vector to the emitter in the
// receiver's frame (zero when both are at the same place). Packets that find the buffer full are
// lost. The cones of infra-red devices open by `aperture` about their x axes, and what they send
// does not pass a boundingObject of neither of the two robots: the simulation stops it.
//
// What has arrived is given to the program with the next sample. `signalStrengthNoise` multiplies
// the strength by 1 + noise g, g standard normal, and keeps it from below 0; `directionNoise` adds
// noise times three such numbers to the unit vector, which is normalised again (Webots,
// src/webots/nodes/WbReceiver.cpp).
#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "radio.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  const auto noise = [](const char* name, const char* meaning) {
    return FieldSpec{name, FieldType::kFloat, "0", "", Range::at_least(0), meaning};
  };
  return {
      .node = {"Receiver", "Device", "Receives packets of emitters.",
               radio_fields("\"receiver\"", false,
                            {noise("signalStrengthNoise", "Standard deviation by the strength"),
                             noise("directionNoise", "Standard deviation of each axis")})},
      .commands = {channel_command()},
      .properties = {{"type", "", "medium"},
                     {"channel", "", "at the start"},
                     allowed_channels(),
                     {"bufferSize", "byte", "waiting at most; -1: unlimited"}},
      .inputs = Input::kSignals,
      .messages = true,
      .webots_node = 56,
  };
}

bool outside_cone(double aperture, const Vec3& p) {
  return aperture > 0 && libm::atan2(libm::hypot(p.y(), p.z()), p.x()) > aperture / 2;
}

constexpr std::size_t kArrivedNumbers = 4;  ///< of a packet: its strength and direction

enum Stream : std::uint32_t { kStrengthNoise, kDirectionNoise };

class Receiver final : public DeviceModel, public KeepsState {
 public:
  explicit Receiver(const Fields& fields)
      : type_(fields.string("type")),
        allowed_(fields.numbers("allowedChannels")),
        channel_(first_channel(fields.integer("channel"), allowed_)),
        aperture_(fields.number("aperture")),
        buffer_size_(fields.integer("bufferSize")),
        strength_noise_(fields.number("signalStrengthNoise")),
        direction_noise_(fields.number("directionNoise")) {}

  Properties properties() const override {
    return {{"type", type_},
            {"channel", channel_},
            {"allowedChannels", allowed_},
            {"bufferSize", buffer_size_}};
  }

  std::string command(std::size_t, std::span<const double> numbers, std::string_view) override {
    channel_ = numbers[0];
    return "";
  }

  bool change(const Fields& fields, std::string_view name) override {
    if (name != "channel") return false;
    channel_ = first_channel(fields.integer(name), allowed_);
    return true;
  }

  void receive(const Signal& signal, const Pose& X_WS) override {
    if (signal.medium != type_ || signal.numbers.size() != kRadioNumbers) return;
    const double channel = signal.numbers[kChannelNumber];
    if (channel_ != channel && channel_ != -1 && channel != -1) return;
    const Vec3 p_S = X_WS.inverse() * signal.X_WS.p;  // the emitter, seen from here
    const double distance = p_S.norm(), range = signal.numbers[kRangeNumber];
    if (range >= 0 && distance > range) return;
    if (type_ == "infra-red") {
      const Vec3 p_E = signal.X_WS.inverse() * X_WS.p;
      if (outside_cone(signal.numbers[kApertureNumber], p_E) || outside_cone(aperture_, p_S)) {
        return;
      }
    }
    if (buffer_size_ >= 0 && static_cast<double>(waiting_ + signal.bytes.size()) > buffer_size_) {
      return;
    }
    waiting_ += signal.bytes.size();
    const Vec3 direction = distance > 0 ? Vec3(p_S / distance) : Vec3::Zero();
    const double strength = distance > 0 ? 1 / (distance * distance) : HUGE_VAL;
    arrived_.push_back({0, signal.bytes, {strength, direction.x(), direction.y(), direction.z()}});
  }

  void sample(const SampleInput& in, Sample&) override {
    for (std::size_t i = 0; i < arrived_.size(); ++i) {
      add_noise(arrived_[i].numbers, in.noise, i);
      ready_.push_back(std::move(arrived_[i]));
    }
    arrived_.clear();
  }

  std::vector<DeviceMessage> take_messages() override {
    for (const DeviceMessage& message : ready_) waiting_ -= message.bytes.size();
    return std::exchange(ready_, {});
  }

  void visit_state(StateArchive& archive) override {
    archive(channel_, waiting_);
    for (auto* queue : {&arrived_, &ready_}) {
      archive.length(*queue);
      for (DeviceMessage& message : *queue) {
        archive(message.tag, message.bytes, message.numbers);
        archive.expect(message.numbers.size() == kArrivedNumbers,
                       "a packet without strength and direction");
      }
    }
  }

 private:
  /// To the strength and direction of packet number `index` of a sample.
  void add_noise(std::vector<double>& numbers, NoiseKey key, std::size_t index) const {
    if (strength_noise_ > 0) {
      key.stream = kStrengthNoise;
      numbers[0] = std::max(numbers[0] * (1 + strength_noise_ * double{gaussian(key, index)}), 0.0);
    }
    Eigen::Map<Vec3> direction(numbers.data() + 1);
    if (direction_noise_ > 0 && !direction.isZero(0)) {
      key.stream = kDirectionNoise;
      for (int axis = 0; axis < 3; ++axis) {
        direction[axis] += direction_noise_ * double{gaussian(key, 3 * index + axis)};
      }
      direction.normalize();
    }
  }

  std::string type_;
  std::vector<double> allowed_;
  double channel_, aperture_, buffer_size_, strength_noise_, direction_noise_;
  std::vector<DeviceMessage> arrived_, ready_;  ///< before and after the next sample
  std::size_t waiting_ = 0;                     ///< bytes in both
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Receiver)
