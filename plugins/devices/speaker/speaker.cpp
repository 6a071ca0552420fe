// Speaker: what its controller has it play and say, as events with their times.
//
// It has no sample, and nobody hears it. `run --out` writes the events into events.csv.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

enum Command { kPlay, kStop, kSpeak };

DeviceType declaration() {
  return {
      .node = {"Speaker",
               "Device",
               "Plays sounds and says texts: events of a run, which nobody hears.",
               {{"name", FieldType::kString, "\"speaker\"", "", {}, "name for the controller"}}},
      .commands = {{"play",
                    {{"volume", "", Range::between(0, 1)},
                     {"pitch", "", Range::positive()},
                     {"balance", "", Range::between(-1, 1)},
                     {"loop", "", Range::between(0, 1)},
                     {"side", "", Range::between(-1, 1)}},
                    "a file; side -1, 0, 1: its left, both, right channels",
                    true},
                   {"stop", {}, "a file; empty: all", true},
                   {"speak",
                    {{"volume", "", Range::between(0, 1)}},
                    "language and text, a space between them",
                    true}},
      .events = true,
      .webots_node = 59,
  };
}

class Speaker final : public DeviceModel, public KeepsState {
 public:
  explicit Speaker(const Fields&) {}

  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view bytes) override {
    busy_ = busy_ || index != kStop;
    if (index == kPlay) {
      const char* channels = numbers[4] < 0 ? "left" : numbers[4] > 0 ? "right" : "both";
      events_.push_back(fmt::format("play {}, channels {}, volume {}, pitch {}, balance {}{}",
                                    bytes, channels, numbers[0], numbers[1], numbers[2],
                                    numbers[3] != 0 ? ", in a loop" : ""));
    } else if (index == kStop) {
      events_.push_back(bytes.empty() ? "stop" : fmt::format("stop {}", bytes));
    } else {
      const std::size_t space = bytes.find(' ');
      events_.push_back(fmt::format("speak {}, volume {}: {}", bytes.substr(0, space), numbers[0],
                                    space == bytes.npos ? "" : bytes.substr(space + 1)));
    }
    return "";
  }
  std::vector<std::string> take_events() override { return std::exchange(events_, {}); }
  void release() override {
    if (std::exchange(busy_, false)) events_.push_back("stop");
  }

  void visit_state(StateArchive& archive) override { archive(busy_, events_); }

 private:
  bool busy_ = false;  ///< has been told to play or say something
  std::vector<std::string> events_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Speaker)
