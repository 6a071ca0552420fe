// Which label a hit has: of the shapes of a ray scene by what RayBlock says about a hit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam {

class LabelTable {
 public:
  /// `shapes` in the order of the instance's shapes: class in the lower 16 bits, instance in the
  /// upper ones.
  void set(RayScene::Instance instance, std::span<const std::uint32_t> shapes) {
    if (instance >= labels_.size()) labels_.resize(instance + 1);
    labels_[instance].assign(shapes.begin(), shapes.end());
  }
  void clear() { labels_.clear(); }

  /// 0 for a miss (kNoHit) and for what was never set.
  std::uint32_t at(std::uint32_t instance, std::uint32_t shape) const {
    if (instance >= labels_.size() || shape >= labels_[instance].size()) return 0;
    return labels_[instance][shape];
  }

 private:
  std::vector<std::vector<std::uint32_t>> labels_;  ///< by instance and shape
};

}  // namespace protobeam
