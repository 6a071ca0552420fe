#include "sim/scene_labels.h"

#include <limits>

#include "sim/model.h"

namespace protobeam {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();

const SolidInfo& info_of(const WorldModel& model, int solid) {
  return model.solids[static_cast<std::size_t>(solid)];
}

/// The Solid that is the object; -1 for none.
int object_around(const WorldModel& model, int solid) {
  int topmost = solid;
  for (int at = solid; at >= 0; at = info_of(model, at).parent) {
    if (!info_of(model, at).recognition_colors.empty()) return at;
    topmost = at;
  }
  return topmost;
}

std::string class_name(const SolidInfo& solid) {
  if (!solid.model.empty()) return solid.model;
  return solid.proto.empty() ? solid.name : solid.proto;
}

}  // namespace

void SceneLabels::update(const WorldModel& model) {
  // Solids first, so that numbers follow the text and not the order in which shapes were built.
  for (std::size_t i = 0; i < model.solids.size(); ++i) {
    const int solid = static_cast<int>(i);
    if (!model.solids[i].removed && object_around(model, solid) == solid) label_of(model, solid);
  }
  table_.clear();
  std::vector<std::uint32_t> shapes;
  for (const VisualGroup& group : model.visuals) {
    if (group.instance == VisualGroup::kNoInstance) continue;
    shapes.clear();
    for (const int solid : group.solids) {
      shapes.push_back(solid < 0 ? 0 : label_of(model, object_around(model, solid)));
    }
    table_.set(group.instance, shapes);
  }
}

std::uint16_t SceneLabels::class_of(const std::string& name) {
  const auto known = class_ids_.find(name);
  if (known != class_ids_.end()) return known->second;
  if (classes_.size() >= kMost) return 0;
  classes_.push_back(name);
  return class_ids_[name] = static_cast<std::uint16_t>(classes_.size());
}

std::uint32_t SceneLabels::label_of(const WorldModel& model, int solid) {
  const SolidInfo& info = info_of(model, solid);
  const Key key{solid, info.name};
  const auto known = labels_.find(key);
  if (known != labels_.end()) return known->second;
  const std::uint16_t class_id = class_of(class_name(info));
  std::uint32_t instance = 0;
  if (instances_.size() < kMost) {
    instance = static_cast<std::uint32_t>(instances_.size() + 1);
    instances_.push_back({static_cast<std::uint16_t>(instance), info.name, class_id,
                          info.recognition_colors});
  } else {
    without_number_[key] = true;
  }
  return labels_[key] = instance << 16 | class_id;
}

}  // namespace protobeam
