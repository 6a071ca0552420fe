// Emitter: sends packets to the receivers of its medium and channel that are in reach.
//
// Frame: the device's own; an infra-red one shines about +x. A packet that the controller sends
// leaves with its pose at that moment and arrives in the same step. It has no sample.
#include "base/state_archive.h"
#include "radio.h"

namespace protobeam {
namespace {

enum Command { kSend, kChannel, kRange };

DeviceType declaration() {
  const Range unlimited = Range::at_least(0).or_special(-1);
  return {
      .node = {"Emitter", "Device", "Sends packets to receivers.",
               radio_fields(
                   "\"emitter\"", true,
                   {{"range", FieldType::kFloat, "-1", "m", unlimited, "Reach; -1: unlimited"},
                    {"maxRange", FieldType::kFloat, "-1", "m", unlimited,
                     "Limit of range; -1: none"}})},
      .commands = {{"send", {}, "a packet", true},
                   channel_command(),
                   {"range", {{"range", "m", unlimited, true}}, "reach; -1: unlimited"}},
      .properties = {{"type", "", "medium"},
                     {"channel", "", "at the start"},
                     allowed_channels(),
                     {"range", "m", "at the start; -1: unlimited"},
                     {"maxRange", "m", "limit of range; -1: none"},
                     {"byteRate", "byte/s", "as fast as packets leave; -1: at once"},
                     {"bufferSize", "byte",
                      "waiting, or sent in one step, at most; -1: unlimited"}},
      .sends = true,
      .webots_node = 43,
  };
}

class Emitter final : public DeviceModel, public KeepsState {
 public:
  explicit Emitter(const Fields& fields)
      : type_(fields.string("type")),
        allowed_(fields.numbers("allowedChannels")),
        channel_(first_channel(fields.integer("channel"), allowed_)),
        range_(fields.number("range")),
        max_range_(fields.number("maxRange")),
        aperture_(fields.number("aperture")),
        buffer_size_(fields.integer("bufferSize")) {
    const double bits = fields.integer("baudRate");
    byte_rate_ = bits < 0 ? -1 : bits / fields.integer("byteSize");
  }

  Properties properties() const override {
    return {{"type", type_},         {"channel", channel_},    {"allowedChannels", allowed_},
            {"range", range_},       {"maxRange", max_range_}, {"bufferSize", buffer_size_},
            {"byteRate", byte_rate_}};
  }

  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view bytes) override {
    if (index == kChannel) {
      channel_ = numbers[0];
    } else if (index == kRange) {
      range_ = numbers[0];
    } else {
      sent_.push_back({type_, {}, {channel_, range_, aperture_}, std::string(bytes)});
    }
    return "";
  }

  bool change(const Fields& fields, std::string_view name) override {
    if (name == "channel") {
      channel_ = first_channel(fields.integer(name), allowed_);
    } else if (name == "range") {
      range_ = fields.number(name);
    } else {
      return false;
    }
    return true;
  }

  std::vector<Signal> take_signals() override { return std::exchange(sent_, {}); }

  void visit_state(StateArchive& archive) override {
    archive(channel_, range_);
    archive.length(sent_);
    for (Signal& signal : sent_)
      archive(signal.medium, signal.X_WS, signal.numbers, signal.bytes);
  }

 private:
  std::string type_;
  std::vector<double> allowed_;
  double channel_, range_, max_range_, aperture_, buffer_size_, byte_rate_ = -1;
  std::vector<Signal> sent_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Emitter)
