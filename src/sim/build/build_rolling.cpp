// Robots without Physics that drive by their wheels, as Webots' WbKinematicDifferentialWheels does:
// two hinges with motors and parallel axes, with cylinders of one radius about them.
#include <cmath>

#include "sim/build/old_axes.h"
#include "sim/build/tree_builder.h"

namespace protobeam {
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

constexpr double kEqual = 1e-3;  ///< of radii and directions

struct DrivenWheel {
  const Node* joint;
  Vec3 axis, anchor;  ///< in the Robot's frame
  double radius;
};

class WheelFinder {
 public:
  WheelFinder(const SchemaRegistry& schemas, PluginLoader& plugins)
      : schemas_(schemas), plugins_(plugins) {}

  void look(const Node& node, const Pose& X_RN) {
    for (const NodePtr& child : view(node).nodes("children")) {
      if (!child) continue;
      if (child->type == "HingeJoint") {
        hinge(*child, X_RN);
      } else if (child->type == "Pose" || child->type == "Transform") {
        look(*child, X_RN * pose(*child));
      } else if (child->type == "Group") {
        look(*child, X_RN);
      }
    }
  }

  std::vector<DrivenWheel> wheels;

 private:
  NodeView view(const Node& node) const { return {node, schemas_}; }
  Pose pose(const Node& node) const {
    return {view(node).rotation("rotation"), view(node).vec3("translation")};
  }

  void hinge(const Node& node, const Pose& X_RN) {
    const NodeView fields = view(node);
    const NodePtr end = end_point(node, schemas_), parameters = fields.node("jointParameters");
    bool driven = false;
    for (const NodePtr& device : fields.nodes("device")) {
      driven = driven || (device && turns(device->type));
    }
    if (!driven || !end || !schemas_.is_a(end->type, "Solid")) return;
    const Vec3 axis = parameters ? view(*parameters).vec3("axis") : Vec3(Vec3::UnitX());
    const Vec3 anchor = parameters ? view(*parameters).vec3("anchor") : Vec3(Vec3::Zero());
    if (!(axis.norm() > 0)) return;
    const NodePtr bounding = view(*end).node("boundingObject");
    double radius = node.old_wheel_radius;
    if (radius == 0 && bounding) radius = cylinder_radius(*bounding, pose(*end), axis.normalized());
    if (radius > 0) wheels.push_back({&node, X_RN.R * axis.normalized(), X_RN * anchor, radius});
  }

  /// A motor: what is told a velocity.
  bool turns(const std::string& type) const {
    const auto* plugin = plugins_.find_as<DevicePlugin>(type);
    return plugin && find_command(plugin->type.commands, "velocity") >= 0;
  }

  /// Of a cylinder about that axis; 0 for anything else.
  double cylinder_radius(const Node& node, const Pose& X, const Vec3& axis) const {
    const NodeView fields = view(node);
    if (node.type == "Shape") {
      const NodePtr geometry = fields.node("geometry");
      return geometry ? cylinder_radius(*geometry, X, axis) : 0;
    }
    if (node.type == "Pose" || node.type == "Transform" || node.type == "Group") {
      const Pose inner = node.type == "Group" ? X : X * pose(node);
      for (const NodePtr& child : fields.nodes("children")) {
        const double radius = child ? cylinder_radius(*child, inner, axis) : 0;
        if (radius > 0) return radius;
      }
    }
    if (node.type != "Cylinder") return 0;
    const Vec3 own = (X * shape_axes(fields, Vec3::Ones()).X_NG).R * Vec3::UnitZ();
    return own.cross(axis).norm() < kEqual ? fields.number("radius") : 0;
  }

  const SchemaRegistry& schemas_;
  PluginLoader& plugins_;
};

}  // namespace

std::optional<RollingDraft> TreeBuilder::find_wheels(const Node& robot) {
  WheelFinder finder(schemas_, plugins_);
  finder.look(robot, Pose{});
  if (finder.wheels.size() != 2) return {};
  const DrivenWheel &one = finder.wheels[0], &other = finder.wheels[1];
  if (std::abs(one.radius - other.radius) > kEqual * one.radius) return {};
  if (one.axis.cross(other.axis).norm() > kEqual) return {};
  RollingDraft out;
  out.body.radius = one.radius;
  for (std::size_t i = 0; i < 2; ++i) {
    out.joints[i] = finder.wheels[i].joint;
    out.body.wheels[i] = {-1, finder.wheels[i].axis, finder.wheels[i].anchor};
  }
  return out;
}

void TreeBuilder::finish_rolling(const JointDraft& draft, physics::JointId joint) {
  for (RollingDraft& rolling : rolling_) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (rolling.joints[i] == draft.node) rolling.body.wheels[i].joint = joint;
    }
    const bool whole = rolling.body.wheels[0].joint >= 0 && rolling.body.wheels[1].joint >= 0;
    if (!whole || rolling.body.body != physics::kWorldBody) continue;
    rolling.body.body = drafts_[static_cast<std::size_t>(rolling.draft)].body;
    model_.rolling.push_back(rolling.body);
  }
}

}  // namespace protobeam
