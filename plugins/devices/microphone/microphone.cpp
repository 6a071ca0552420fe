// Microphone: known to worlds and programs, and hears nothing.
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node =
          {"Microphone",
           "Device",
           "Would hear sounds.",
           {{"name", FieldType::kString, "\"microphone\"", "", {}, "name for the controller"},
            {"aperture", FieldType::kFloat, "-1", "rad", {}, "angle from which it hears; -1: all"},
            {"sensitivity", FieldType::kFloat, "-50", "dB", {}, "ratio of output to sound"}},
           /* not_simulated */ true},
      .webots_node = 86,
  };
}

class Microphone final : public DeviceModel, public Stateless {
 public:
  explicit Microphone(const Fields&) {}
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Microphone)
