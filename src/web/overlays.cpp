#include "web/overlays.h"

#include <array>
#include <limits>

#include "sim/scene/glyphs.h"
#include "web/message_writer.h"

namespace protobeam::web {
namespace {

std::array<float, 3> place_in(const WorldFile& world, const Vec3& p_W) {
  const Vec3 p = p_W - world.origin;
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

}  // namespace

Overlays::Overlays(const WorldFile& world) : world_(world) {
  for (const LineSet& set : world.description->lines)
    lines_move_ |= set.body != physics::kWorldBody;
}

void Overlays::want(const std::set<std::string, std::less<>>& names) {
  wanted_ = names;
  moving_ = robots_ = -1;
}

std::optional<std::string> Overlays::next(const SceneState& state) {
  if (!world_.description->lines.empty() && (lines_ < 0 || (lines_move_ && lines_ != state.step))) {
    lines_ = state.step;
    scene::Strokes strokes;
    scene::add_lines(*world_.description, state, strokes);
    return lines(Layer::kWorld, strokes);
  }
  if (!has_still_ && wants("bounds")) {
    has_still_ = true;
    return still();
  }
  const bool wants_moving =
      wants("frames") || wants("joints") || wants("contacts") || wants("frusta") || wants("bounds");
  if ((wants_moving || has_moving_) && moving_ != state.step) {
    moving_ = state.step;
    has_moving_ = wants_moving;
    return moving(state);
  }
  if (wants("trails") && robots_ != state.step) {
    robots_ = state.step;
    return robots(state);
  }
  return std::nullopt;
}

std::string Overlays::lines(Layer layer, const scene::Strokes& strokes) const {
  Writer out(Kind::kLines);
  out.add(static_cast<std::uint32_t>(world_.load));
  out.add(layer);
  const std::array lists{&strokes.line_ends(), &strokes.dots()};
  for (const auto* list : lists) out.add(static_cast<std::uint32_t>(list->size()));
  for (const auto* list : lists) {
    for (const scene::Strokes::End& end : *list) out.add(place_in(world_, end.p));
  }
  for (const auto* list : lists) {
    for (const scene::Strokes::End& end : *list) out.add(end.color);
  }
  return out.take();
}

const std::map<physics::BodyId, scene::Strokes>& Overlays::bounds() const {
  if (!bounds_) bounds_ = scene::bounding_objects(*world_.description);
  return *bounds_;
}

std::string Overlays::still() const {
  const auto found = bounds().find(physics::kWorldBody);
  return lines(Layer::kStill, found == bounds().end() ? scene::Strokes() : found->second);
}

std::string Overlays::moving(const SceneState& state) const {
  const SceneDescription& description = *world_.description;
  if (sizes_.empty()) sizes_ = scene::glyph_sizes(description);
  scene::Strokes strokes;
  if (wants("frames")) scene::add_frames(description, sizes_, state, strokes);
  if (wants("joints")) scene::add_joints(description, sizes_, state, strokes);
  if (wants("contacts")) scene::add_contacts(description, state, strokes);
  if (wants("frusta")) scene::add_frusta(description, state, strokes);
  if (wants("bounds")) {
    for (const auto& [body, edges] : bounds()) {
      const Pose* X_WB = body == physics::kWorldBody ? nullptr : find(state.bodies, body);
      if (!X_WB) continue;
      const auto& ends = edges.line_ends();
      for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
        strokes.line(*X_WB * ends[i].p, *X_WB * ends[i + 1].p, ends[i].color);
    }
  }
  return lines(Layer::kMoving, strokes);
}

std::string Overlays::robots(const SceneState& state) const {
  Writer out(Kind::kRobots);
  out.add(static_cast<std::uint32_t>(world_.load));
  const std::vector<int>& solids = world_.description->robot_solids;
  out.add(static_cast<std::uint32_t>(solids.size()));
  out.add(std::uint32_t{0});
  constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();
  for (const int solid : solids) {
    const SolidState* robot = find(state.solids, solid);
    out.add(robot ? place_in(world_, robot->X_WS.p) : std::array{kNowhere, kNowhere, kNowhere});
  }
  return out.take();
}

}  // namespace protobeam::web
