// What a supervisor hides from one sensor only: Device::unseen.
#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/light_emitters.h"
#include "sim/sample_inputs.h"
#include "sim/simulation.h"
#include "sim/supervisor/live_tree.h"

namespace protobeam {
using wbt::Node;

void Simulation::divide_visuals() {
  if (divided_generation_ == generation_ && divided_look_generation_ == look_generation_) return;
  std::vector<Device*> limited;
  for (Device* device : all_devices_) {
    std::erase_if(device->unseen,
                  [&](const Node* node) { return tree_->id(node) == LiveTree::kNone; });
    device->unseen_visuals.clear();
    if (!device->unseen.empty()) limited.push_back(device);
  }
  for (const Device* device : limited) {
    for (const Node* node : device->unseen) divide_visuals(*node);
  }
  for (Device* device : limited) {
    for (std::size_t i = 0; i < model_.visuals.size(); ++i) {
      // Of a group that shows nothing any more there is nothing to hide.
      if (model_.visuals[i].nodes.empty()) continue;
      const Node* shape = model_.visuals[i].nodes.front();
      if (std::ranges::any_of(device->unseen,
                              [&](const Node* node) { return is_within(shape, *node); })) {
        device->unseen_visuals.push_back(i);
      }
    }
  }
  divided_generation_ = generation_;
  divided_look_generation_ = look_generation_;
}

void Simulation::divide_visuals(const Node& node) {
  // The group with those of its shapes that are within the node, or those that are not.
  const auto part_of = [&](const VisualGroup& group, bool within) {
    VisualGroup part = group;
    const auto leave = [&](auto& list) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (is_within(group.nodes[i], node) == within) list[kept++] = list[i];
      }
      list.resize(kept);
    };
    leave(part.materials);
    leave(part.geometries);
    leave(part.shape_poses);
    leave(part.solids);
    leave(part.emitters);
    if (!part.paints.empty()) leave(part.paints);
    leave(part.nodes);
    std::vector<VisibleShape> shapes;
    for (std::size_t i = 0; i < part.nodes.size(); ++i) {
      shapes.push_back({part.geometries[i], part.shape_poses[i]});
    }
    part.instance = model_.visible->add(shapes, part.X_WG);
    model_.visible->set_motion(part.instance, part.X_WG_before, part.X_WG);
    if (!is_seen(part)) model_.visible->set_visible(part.instance, false);
    return part;
  };
  std::vector<VisualGroup> divided_off;
  for (VisualGroup& group : model_.visuals) {
    const auto within = std::ranges::count_if(
        group.nodes, [&](const Node* shape) { return is_within(shape, node); });
    if (within == 0 || within == std::ssize(group.nodes)) continue;
    VisualGroup rest = part_of(group, false);
    divided_off.push_back(part_of(group, true));
    divided_off.back().divided_off = true;
    model_.visible->remove(group.instance);
    group = std::move(rest);
  }
  if (divided_off.empty()) return;
  std::ranges::move(divided_off, std::back_inserter(model_.visuals));
  surfaces_valid_ = false;
  collect_emitters(model_);
  inputs_ = std::make_unique<SampleInputs>(model_, *tree_);
  ++look_generation_;
}

bool Simulation::is_within(const Node* node, const Node& outer) const {
  if (!node || node == &outer) return node;
  return std::ranges::any_of(tree_->parents(*node),
                             [&](const Node* parent) { return is_within(parent, outer); });
}

void Simulation::show_unseen(const Device& device, bool visible) {
  for (const std::size_t number : device.unseen_visuals) {
    const VisualGroup& group = model_.visuals[number];
    model_.visible->set_visible(group.instance, visible && is_seen(group));
  }
}

}  // namespace protobeam
