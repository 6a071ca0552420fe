#include "urdf/unknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace protobeam::urdf {
namespace {

const std::vector<KnownTag>& vocabulary() {
  static const std::vector<KnownTag> all = {
      {"robot",
       {"name", "version"},
       {"link", "joint", "material", "gazebo", "transmission", "ros2_control"}},
      {"link", {"name", "type"}, {"inertial", "visual", "collision"}},
      {"joint",
       {"name", "type"},
       {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller",
        "calibration"}},
      {"material", {"name"}, {"color", "texture"}},
      {"inertial", {}, {"origin", "mass", "inertia"}},
      {"visual", {"name"}, {"origin", "geometry", "material"}},
      {"collision", {"name"}, {"origin", "geometry"}},
      {"geometry", {}, {"box", "sphere", "cylinder", "capsule", "mesh"}},
      {"origin", {"xyz", "rpy"}, {}},
      {"mass", {"value"}, {}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}},
      {"box", {"size"}, {}},
      {"sphere", {"radius"}, {}},
      {"cylinder", {"radius", "length"}, {}},
      {"capsule", {"radius", "length"}, {}},
      {"mesh", {"filename", "scale"}, {}},
      {"color", {"rgba"}, {}},
      {"texture", {"filename"}, {}},
      {"parent", {"link"}, {}},
      {"child", {"link"}, {}},
      {"axis", {"xyz"}, {}},
      {"limit", {"lower", "upper", "effort", "velocity"}, {}},
      {"dynamics", {"damping", "friction"}, {}},
      {"mimic", {"joint", "multiplier", "offset"}, {}},
  };
  return all;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void note_unknown(Ignored& ignored, const std::vector<KnownTag>& all, const Element& element) {
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const KnownTag& one) { return one.tag == element.tag; });
  if (known == all.end()) return;
  for (const xml::Attribute& one : element.attributes) {
    if (has(known->attributes, one.name) || one.name.starts_with("xmlns")) continue;
    ignored.add(fmt::format("'{}' of <{}>", one.name, element.tag), one.place,
                did_you_mean(one.name, known->attributes));
  }
  for (const Element& child : element.children) {
    if (has(known->children, child.tag)) {
      note_unknown(ignored, all, child);
    } else if (element.tag != "geometry") {  // that was said already
      ignored.add(fmt::format("<{}> of <{}>", child.tag, element.tag), child.place,
                  did_you_mean(child.tag, known->children));
    }
  }
}

void note_unknown(Import& import) {
  note_unknown(import.ignored, vocabulary(), *import.robot.element);
}

}  // namespace protobeam::urdf
