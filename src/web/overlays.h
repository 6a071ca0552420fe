// What one page wants to see over a world that has no shape: frames, joints, contacts, ...
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scene/strokes.h"
#include "web/world_file.h"

namespace protobeam::web {

class Overlays {
 public:
  /// What a page has is replaced layer by layer.
  enum class Layer : std::uint32_t {
    kMoving = 0,  ///< of this moment
    kStill = 1,   ///< the edges of boundingObjects that stand still
    kWorld = 2,   ///< the world's own lines, which are always there
  };

  explicit Overlays(const WorldFile& world);

  /// "frames", "joints", "contacts", "frusta", "bounds", "trails"; others are ignored.
  void want(const std::set<std::string, std::less<>>& names);
  /// The next message that makes the page show this state.
  std::optional<std::string> next(const SceneState& state);

 private:
  bool wants(std::string_view name) const { return wanted_.contains(name); }
  std::string lines(Layer layer, const scene::Strokes& strokes) const;
  std::string still() const;
  std::string moving(const SceneState& state) const;
  std::string robots(const SceneState& state) const;
  const std::map<physics::BodyId, scene::Strokes>& bounds() const;

  const WorldFile& world_;
  bool lines_move_ = false;  ///< the world's own
  std::set<std::string, std::less<>> wanted_;
  // What the page has, by the state's step; -1: nothing.
  std::int64_t moving_ = -1, robots_ = -1, lines_ = -1;
  bool has_still_ = false, has_moving_ = false;
  // Made when they are wanted.
  mutable std::optional<std::map<physics::BodyId, scene::Strokes>> bounds_;
  mutable std::vector<double> sizes_;
};

}  // namespace protobeam::web
