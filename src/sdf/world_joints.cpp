#include "sdf/world_joints.h"

#include <algorithm>
#include <map>
#include <set>

namespace protobeam::sdf {
namespace {

/// Of "arm::hand::palm" the first one.
std::string outermost(const std::string& name) { return name.substr(0, name.find("::")); }

}  // namespace

std::vector<JoinedModels> join_models(const Context& context, const Element& world) {
  std::vector<JoinedModels> groups;
  std::map<std::string, std::size_t> group_of;  ///< of models that move
  for (const Element* model : world.all("model")) {
    if (!flag_in(*model, "static", false)) group_of.emplace(name_of(*model), groups.size());
    groups.push_back({{model}, {}});
  }
  std::set<std::string> children;
  for (const Element* joint : world.all("joint")) {
    const JointFrame* frame = context.frames.joint(*joint);
    if (!frame) continue;
    children.insert(outermost(frame->child));
    const auto parent = group_of.find(outermost(frame->parent));
    const auto child = group_of.find(outermost(frame->child));
    if (parent == group_of.end() && child == group_of.end()) {
      context.ignored.add("a <joint> of a <world> between what never moves", joint->place);
      continue;
    }
    const std::size_t to = parent == group_of.end() ? child->second : parent->second;
    const std::size_t from = child == group_of.end() ? to : child->second;
    groups[to].joints.push_back(joint);
    if (from == to) continue;
    groups[to].models.insert(groups[to].models.end(), groups[from].models.begin(),
                             groups[from].models.end());
    groups[to].joints.insert(groups[to].joints.end(), groups[from].joints.begin(),
                             groups[from].joints.end());
    groups[from] = {};
    for (auto& [name, group] : group_of) {
      if (group == from) group = to;
    }
  }
  std::erase_if(groups, [](const JoinedModels& group) { return group.models.empty(); });
  for (JoinedModels& group : groups) {
    std::ranges::stable_partition(
        group.models, [&](const Element* model) { return !children.contains(name_of(*model)); });
  }
  return groups;
}

}  // namespace protobeam::sdf
