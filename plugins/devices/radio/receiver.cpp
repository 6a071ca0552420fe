// Receiver: packets of the emitters of its medium and channel that reach it.
//
// Frame: the device's own; an infra-red one looks along +x. A packet comes as a message: its bytes,
// and four numbers: signal strength 1 / distance^2, then the unit vector to the emitter in the
// receiver's frame (zero when both are at the same place). Packets that find the buffer full are
// lost. The cones of infra-red devices open by `aperture` about their x axes.
#include <cmath>

#include "base/libm.h"
#include "base/state_archive.h"
#include "radio.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  const auto ignored = [](const char* name) {
    FieldSpec field{name, FieldType::kFloat, "0", "", Range::at_least(0), "Standard deviation"};
    field.not_simulated = true;
    return field;
  };
  return {
      .node = {"Receiver", "Device", "Receives packets of emitters.",
               radio_fields("\"receiver\"",
                            {ignored("signalStrengthNoise"), ignored("directionNoise")})},
      .commands = {channel_command()},
      .properties = {{"type", "", "medium"},
                     {"channel", "", "at the start"},
                     {"bufferSize", "byte", "waiting at most; -1: unlimited"}},
      .inputs = Input::kSignals,
      .messages = true,
      .webots_node = 56,
  };
}

bool outside_cone(double aperture, const Vec3& p) {
  return aperture > 0 && libm::atan2(libm::hypot(p.y(), p.z()), p.x()) > aperture / 2;
}

class Receiver final : public DeviceModel, public KeepsState {
 public:
  explicit Receiver(const Fields& fields)
      : type_(fields.string("type")),
        channel_(fields.integer("channel")),
        aperture_(fields.number("aperture")),
        buffer_size_(fields.integer("bufferSize")) {}

  Properties properties() const override {
    return {{"type", type_}, {"channel", channel_}, {"bufferSize", buffer_size_}};
  }

  std::string command(std::size_t, std::span<const double> numbers, std::string_view) override {
    channel_ = numbers[0];
    return "";
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
    queue_.push_back({0, signal.bytes, {strength, direction.x(), direction.y(), direction.z()}});
  }

  std::vector<DeviceMessage> take_messages() override {
    waiting_ = 0;
    return std::exchange(queue_, {});
  }

  void visit_state(StateArchive& archive) override {
    archive(channel_, waiting_);
    std::uint64_t count = queue_.size();
    archive(count);
    queue_.resize(static_cast<std::size_t>(count));
    for (DeviceMessage& message : queue_) archive(message.tag, message.bytes, message.numbers);
  }

 private:
  std::string type_;
  double channel_, aperture_, buffer_size_;
  std::vector<DeviceMessage> queue_;
  std::size_t waiting_ = 0;  ///< bytes in the queue
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Receiver)
