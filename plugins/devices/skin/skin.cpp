// Skin: known to worlds and programs; it has no bones and is not seen.
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Skin",
               "Device",
               "Would be drawn around bones.",
               {{"name", FieldType::kString, "\"skin\"", "", {}, "name for the controller"},
                {"scale", FieldType::kVec3f, "1 1 1", "", {}, "size"},
                {"modelUrl", FieldType::kMFString, "[ ]", "", {}, "file of the mesh"},
                {"appearance", FieldType::kMFNode, "[ ]", "", {}, "materials of the mesh"},
                {"bones", FieldType::kMFNode, "[ ]", "", {}, "Solids that move the bones"},
                {"castShadows", FieldType::kBool, "TRUE", "", {}, "it casts shadows"}},
               /* not_simulated */ true},
      .webots_node = 58,
  };
}

class Skin final : public DeviceModel, public Stateless {
 public:
  explicit Skin(const Fields&) {}
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Skin)
