// Regions, animations, and joints between bodies that stand apart in the text.
#include <algorithm>
#include <cmath>

#include "sim/build/tree_builder.h"

namespace protobeam {
using physics::JointKind;
using physics::Motion;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

std::vector<Vec2> points2(const std::vector<double>& numbers) {
  std::vector<Vec2> points;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    points.emplace_back(numbers[i], numbers[i + 1]);
  }
  return points;
}

std::vector<Vec3> points3(const std::vector<double>& numbers) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }
  return points;
}

std::string shown(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

/// `frame` is that of the Charger, a Solid.
void TreeBuilder::charger(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  const auto battery = fields.numbers("battery");
  if (battery.size() != 3 && !battery.empty()) {
    warning(node, "battery",
            "field 'battery' of Charger holds charge, capacity and filling power, got " +
                std::to_string(battery.size()) +
                (battery.size() < 3 ? " numbers: it charges nothing"
                                    : " numbers: the rest is ignored"));
  }
  if (battery.size() < 3) return;
  Charger charger{battery[0],  battery[1], battery[2], fields.number("radius"),
                  frame.draft, frame.X_BF, unit_};
  model_.chargers.push_back(charger);
}

void TreeBuilder::region(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  if (frame.draft >= 0) {
    error(node, "", "a PropertyRegion belongs to the world and cannot stand in a body that moves");
    return;
  }
  PropertyRegion region;
  region.name = fields.string("name");
  region.X_WR = moved(fields, frame).X_BF;
  region.min = fields.vec3("min");
  region.max = fields.vec3("max");
  region.polygon = points2(fields.numbers("polygon"));
  for (int i = region.polygon.empty() ? 0 : 2; i < 3; ++i) {
    if (region.min[i] <= region.max[i]) continue;
    const char* axes[] = {"x", "y", "z"};
    error(node, "min",
          std::string("field 'min' of PropertyRegion must be at most 'max', got ") + axes[i] + " " +
              shown(region.min[i]) + " and " + shown(region.max[i]));
    return;
  }
  if (!region.polygon.empty() && region.polygon.size() < 3) {
    error(node, "polygon", "field 'polygon' of PropertyRegion needs 3 points or more");
    return;
  }
  const auto said = [&](const char* field) -> std::optional<double> {
    const double value = fields.number(field);
    return value < 0 ? std::nullopt : std::optional(value);
  };
  region.friction = said("friction");
  region.rolling_resistance = said("rollingResistance");
  if (fields.is_set("gnssOutage")) region.gnss_outage = fields.boolean("gnssOutage");
  if (!region.friction && !region.rolling_resistance && !region.gnss_outage) {
    warning(node, "",
            "the PropertyRegion '" + region.name +
                "' says nothing; give it friction, rollingResistance or gnssOutage");
  }
  model_.regions.add(std::move(region));
  children(node, moved(fields, frame));
}

void TreeBuilder::animation(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  const NodePtr end = fields.node("endPoint");
  if (!end) return;
  if (view(*end).node("physics")) {
    error(*end, "physics",
          "the endPoint of a KeyframeAnimation moves as its times say; remove its Physics");
    return;
  }
  Animation animation;
  for (std::size_t i = first_.animations;
       frame.draft >= 0 && i < model_.animations.all().size(); ++i) {
    // Until the bodies are made, an animation's body is a draft number.
    if (model_.animations.all()[i].body == frame.draft) animation.parent = static_cast<int>(i);
  }
  if (frame.draft >= 0 && animation.parent < 0) {
    error(node, "",
          "a KeyframeAnimation hangs on the world or on another KeyframeAnimation; a body with "
          "Physics or a joint cannot carry it");
    return;
  }
  auto keyframes = read_keyframes(node);
  if (!keyframes) return;
  animation.keyframes = std::move(*keyframes);
  Frame inner = moved(view(*end), frame);
  animation.X_PA = inner.X_BF;
  inner.X_BF = inner.X_BF * animation.keyframes.pose(0);
  Frame made = frame;
  if (schemas_.is_a(end->type, "Robot")) {
    made.robot = next_robot(*end);
    made.self_collision = view(*end).boolean("selfCollision");
  }
  inner.draft = new_draft(*end, Motion::kKinematic, world_pose(inner), made);
  animation.body = inner.draft;
  animation.unit = unit_;
  model_.animations.add(std::move(animation));
  inner.X_BF = Pose{};
  inner.sink = -1;
  inner.static_draft = -1;
  inner.held = nullptr;
  solid_contents(*end, inner, frame);
}

std::optional<Keyframes> TreeBuilder::read_keyframes(const Node& node) {
  const NodeView fields = view(node);
  Keyframes out;
  out.loop = fields.boolean("loop");
  out.times = fields.numbers("times");
  if (out.times.empty()) {
    error(node, "times", "field 'times' of KeyframeAnimation needs a time or more");
    return std::nullopt;
  }
  for (std::size_t i = 1; i < out.times.size(); ++i) {
    if (out.times[i] > out.times[i - 1]) continue;
    error(node, "times",
          "field 'times' of KeyframeAnimation must rise, got " + shown(out.times[i - 1]) +
              " and then " + shown(out.times[i]) + " (number " + std::to_string(i + 1) + ")");
    return std::nullopt;
  }
  out.translations = points3(fields.numbers("translations"));
  const auto rotations = fields.numbers("rotations");
  for (std::size_t i = 0; i + 3 < rotations.size(); i += 4) {
    const Vec3 axis(rotations[i], rotations[i + 1], rotations[i + 2]);
    out.rotations.push_back(axis_angle(axis, rotations[i + 3]));
  }
  const auto fits = [&](const char* field, std::size_t count) {
    if (count == 0 || count == out.times.size()) return true;
    error(node, field,
          std::string("field '") + field + "' of KeyframeAnimation needs one for each of the " +
              std::to_string(out.times.size()) + " times, got " + std::to_string(count));
    return false;
  };
  if (!fits("translations", out.translations.size()) || !fits("rotations", out.rotations.size())) {
    return std::nullopt;
  }
  return out;
}

namespace {

/// As light, of what they are in a picture.
std::vector<Eigen::Vector3f> dot_colors(const NodeView& colors) {
  std::vector<Eigen::Vector3f> out;
  for (const Vec3& color : points3(colors.numbers("color"))) {
    out.push_back(color.cast<float>().unaryExpr([](float c) { return libm::pow(c, 2.2f); }));
  }
  return out;
}

}  // namespace

void TreeBuilder::lines(const Node& shape, const Node& geometry, const Frame& frame) {
  const NodeView fields = view(geometry);
  const NodePtr coord = fields.node("coord");
  if (!coord) return;
  LineSet set;
  const NodePtr appearance = view(shape).node("appearance");
  const auto material = shapes_.material(appearance.get());
  // A line has no surface that light could fall on: its own light is its colour, if it has one.
  set.color = material->emissive.isZero() ? material->base_color : material->emissive;
  set.body = frame.draft;  // a draft number until the bodies are made
  const std::vector<Vec3> points = points3(view(*coord).numbers("point"));
  const auto place = [&](const Vec3& p) { return frame.X_BF * frame.scale.cwiseProduct(p); };
  if (geometry.type == "PointSet") {
    for (const Vec3& p : points) set.dots_B.push_back(place(p));
    if (const NodePtr colors = fields.node("color")) {
      set.dot_colors = dot_colors(view(*colors));
      // WbPointSet draws those that have a point and a color.
      set.dots_B.resize(std::min(set.dots_B.size(), set.dot_colors.size()));
      set.dot_colors.resize(set.dots_B.size());
    }
    set.unit = unit_;
    if (!set.dots_B.empty()) model_.lines.push_back(std::move(set));
    return;
  }
  const Vec3* before = nullptr;
  for (const double index : fields.numbers("coordIndex")) {
    const Vec3* here = nullptr;
    if (index >= 0 && index < static_cast<double>(points.size())) {
      here = &points[static_cast<std::size_t>(index)];
    }
    if (before && here) {
      for (const Vec3* p : {before, here}) {
        set.ends_B.push_back(place(*p));
      }
    }
    before = here;
  }
  set.unit = unit_;
  if (!set.ends_B.empty()) model_.lines.push_back(std::move(set));
}

void TreeBuilder::finish_links() {
  const auto find = [&](const Node& node, const char* field) -> const SolidInfo* {
    const std::string name = view(node).string(field);
    const SolidInfo* found = nullptr;
    for (const SolidInfo& solid : model_.solids) {
      if (solid.removed || solid.name != name) continue;
      if (found) {
        error(node, field,
              "two Solids have the name '" + name +
                  "'; give the one that is meant a name of its own");
        return nullptr;
      }
      found = &solid;
    }
    if (!found) error(node, field, "no Solid has the name '" + name + "'");
    return found;
  };
  struct End {
    physics::BodyId body = physics::kWorldBody;
    Pose X_BS;
    Vec3 anchor_B = Vec3::Zero();
  };
  const auto read = [&](const Node& node, const char* body, const char* anchor) {
    std::optional<End> end;
    const Vec3 p = view(node).vec3(anchor);
    if (view(node).string(body).empty()) {
      end = End{physics::kWorldBody, Pose{}, p};
    } else if (const SolidInfo* solid = find(node, body)) {
      end = End{solid->body, solid->X_BS, solid->X_BS * p};
    }
    return end;
  };
  for (const Node* node : links_) {
    const NodeView fields = view(*node);
    const auto first = read(*node, "bodyA", "anchorA"), second = read(*node, "bodyB", "anchorB");
    if (!first || !second) continue;
    if (first->body == second->body) {
      error(*node, "bodyB",
            "a " + node->type + " joins two bodies; its ends belong to the same one");
      continue;
    }
    physics::JointSpec spec;
    spec.name = node->type;
    const auto yields = [&](const End& end) {
      return end.body != physics::kWorldBody && model_.physics->mass(end.body) > 0;
    };
    if (!yields(*first) && !yields(*second)) {
      error(*node, "bodyB", "a " + node->type + " needs a body with Physics at one end or at both");
      continue;
    }
    const bool turned = !yields(*second);
    const End& parent = turned ? *second : *first;
    const End& child = turned ? *first : *second;
    const Pose X_WP =
        parent.body == physics::kWorldBody ? Pose{} : model_.physics->pose(parent.body);
    const Pose X_WC = model_.physics->pose(child.body);
    spec.parent = parent.body;
    spec.child = child.body;
    spec.anchor_P = parent.anchor_B;
    spec.X_PC0 = X_WP.inverse() * X_WC;
    physics::JointAxis& axis = spec.axes[0];
    if (node->type == "DistanceJoint") {
      spec.kind = JointKind::kDistance;
      spec.anchor_C = child.anchor_B;
      axis.min_stop = fields.number("minLength");
      axis.max_stop = fields.number("maxLength");
      axis.spring_constant = fields.number("springConstant");
      axis.damping_constant = fields.number("dampingConstant");
      if (axis.min_stop > axis.max_stop) {
        error(*node, "minLength", "field 'minLength' of DistanceJoint must be at most 'maxLength'");
        continue;
      }
    } else {
      spec.kind = JointKind::kHinge;
      // The anchors belong together, wherever the bodies stand now.
      spec.X_PC0.p = spec.anchor_P - spec.X_PC0.R * child.anchor_B;
      const Pose X_WA =
          first->body == physics::kWorldBody ? Pose{} : model_.physics->pose(first->body);
      const Vec3 axis_W = (X_WA * first->X_BS).R * fields.vec3("axis");
      if (!(axis_W.norm() > 0)) {
        error(*node, "axis", "field 'axis' of RevoluteJoint must not be 0 0 0");
        continue;
      }
      axis.axis_P = (X_WP.R.conjugate() * axis_W).normalized() * (turned ? -1 : 1);
      axis.min_stop = fields.number("minStop");
      axis.max_stop = fields.number("maxStop");
      if (axis.min_stop > axis.max_stop) {
        error(*node, "minStop", "field 'minStop' of RevoluteJoint must be at most 'maxStop'");
        continue;
      }
    }
    try {
      const physics::JointId joint = model_.physics->add_joint(spec);
      model_.joints.resize(
          std::max<std::size_t>(model_.joints.size(), static_cast<std::size_t>(joint) + 1));
      model_.joints[static_cast<std::size_t>(joint)] = {
          spec.name, node, spec.kind, spec.parent, spec.anchor_P,
          spec.kind == JointKind::kHinge ? std::vector<Vec3>{axis.axis_P} : std::vector<Vec3>{},
          node};
    } catch (const std::exception& problem) {
      error(*node, "", problem.what());
    }
  }
}

}  // namespace protobeam
