// What pens drew, for a live page.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "web/world_file.h"

namespace protobeam::web {

/// What a page has of it, so that it is sent only what is another now.
class InkOfPage {
 public:
  explicit InkOfPage(const WorldFile& world) : world_(world) {}
  /// The next message that makes the page show this state: triangles to show a picture on, or a
  /// picture.
  std::optional<std::string> next(const SceneState& state);

 private:
  using Side = std::pair<std::size_t, int>;  ///< of a shape, the node "s<its index>"

  std::string sheet(const Side& side, const Geometry& geometry);
  std::string picture(const Side& side, const PaintedSide* painted);

  const WorldFile& world_;
  std::set<Side> sheets_;
  std::map<Side, std::shared_ptr<const Image>> pictures_;
};

}  // namespace protobeam::web
