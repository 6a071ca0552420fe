// Pen: known to worlds and programs, and paints nothing.
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Pen",
               "Device",
               "Would paint on textured Shapes below it.",
               {{"name", FieldType::kString, "\"pen\"", "", {}, "name for the controller"},
                {"inkColor", FieldType::kColor, "0 0 0", "", Range::between(0, 1), "colour"},
                {"inkDensity", FieldType::kFloat, "0.5", "", Range::between(0, 1), "1: opaque"},
                {"leadSize", FieldType::kFloat, "0.002", "m", Range::at_least(0),
                 "width of a line"},
                {"maxDistance", FieldType::kFloat, "0", "m", Range::at_least(0), "reach; 0: any"},
                {"write", FieldType::kBool, "TRUE", "", {}, "it paints"}},
               /* not_simulated */ true},
      .webots_node = 51,
  };
}

class Pen final : public DeviceModel, public Stateless {
 public:
  explicit Pen(const Fields&) {}
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Pen)
