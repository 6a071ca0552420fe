#include "sim/robot_urdf.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <variant>

#include "base/libm.h"
#include "base/turn.h"
#include "sim/simulation.h"
#include "wbt/node.h"
#include "xml/write.h"

namespace protobeam {
namespace {

/// Fixed axes x, y, z (roll, pitch, yaw), as URDF has it.
Vec3 roll_pitch_yaw(const Quat& rotation) {
  const Mat3 R = rotation.toRotationMatrix();
  const double pitch = libm::atan2(-R(2, 0), libm::hypot(R(0, 0), R(1, 0)));
  // Straight up or down roll and yaw turn about one axis: yaw takes all of it.
  if (libm::hypot(R(0, 0), R(1, 0)) < 1e-9) return {0, pitch, libm::atan2(-R(0, 1), R(1, 1))};
  return {libm::atan2(R(2, 1), R(2, 2)), pitch, libm::atan2(R(1, 0), R(0, 0))};
}

std::string number(double value) {
  return fmt::format("{:.12g}", std::abs(value) < 1e-12 ? 0.0 : value);
}
std::string numbers(const Vec3& v) {
  return number(v.x()) + " " + number(v.y()) + " " + number(v.z());
}

void add_origin(xml::Tree& to, const Pose& X) {
  const Vec3 rpy = roll_pitch_yaw(X.R);
  if (X.p.isZero(1e-12) && rpy.isZero(1e-12)) return;
  xml::Tree& origin = to.add("origin");
  origin.set("xyz", numbers(X.p));
  origin.set("rpy", numbers(rpy));
}

struct Part {
  std::string tag;
  std::vector<std::pair<const char*, std::string>> sizes;
  Pose X_GP;  ///< in the geometry
};

std::vector<Part> parts_of(const Geometry& geometry) {
  const auto sphere = [](double radius, double z) {
    return Part{"sphere", {{"radius", number(radius)}}, Pose{Quat::Identity(), Vec3(0, 0, z)}};
  };
  const auto cylinder = [](double radius, double length) {
    return Part{"cylinder", {{"radius", number(radius)}, {"length", number(length)}}, {}};
  };
  if (const auto* box = std::get_if<Box>(&geometry)) {
    return {{"box", {{"size", numbers(box->size)}}, {}}};
  }
  if (const auto* ball = std::get_if<Sphere>(&geometry)) return {sphere(ball->radius, 0)};
  if (const auto* c = std::get_if<Cylinder>(&geometry)) return {cylinder(c->radius, c->height)};
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    return {cylinder(c->radius, c->height), sphere(c->radius, c->height / 2),
            sphere(c->radius, -c->height / 2)};
  }
  return {};
}

class UrdfWriter {
 public:
  UrdfWriter(Simulation& simulation, int robot, std::string prefix)
      : model_(simulation.model()),
        schemas_(simulation.schemas()),
        robot_(model_.robots[static_cast<std::size_t>(robot)]),
        prefix_(std::move(prefix)) {}

  std::string write() {
    root_.set("name", robot_.name);
    if (robot_.solid >= 0) add_link(robot_.solid, fresh_link("base_link"), {});
    return xml::write(root_);
  }

 private:
  struct Link {
    std::string name;
    Pose X_SL;  ///< in its Solid
  };

  const SolidInfo& solid(int number) const {
    return model_.solids[static_cast<std::size_t>(number)];
  }
  wbt::NodeView view(const wbt::Node& node) const { return {node, schemas_}; }

  /// With the prefix, and a number when it is there already.
  std::string fresh(std::set<std::string>& names, const std::string& name) const {
    std::string unique = prefix_ + name;
    for (int i = 2; !names.insert(unique).second; ++i)
      unique = fmt::format("{}{}_{}", prefix_, name, i);
    return unique;
  }
  std::string fresh_link(const std::string& name) { return fresh(links_, name); }

  xml::Tree& link_element(const std::string& name) {
    xml::Tree& link = root_.add("link");
    link.set("name", name);
    return link;
  }

  void add_link(int number, const std::string& name, const Pose& X_SL) {
    const SolidInfo& info = solid(number);
    xml::Tree& element = link_element(name);
    const Pose X_LB = X_SL.inverse() * info.X_BS.inverse();
    if (info.body != physics::kWorldBody && weighed_.insert(info.body).second) {
      add_inertial(element, info.body, X_LB);
    }
    for (const VisualGroup& group : model_.visuals) {
      for (std::size_t i = 0; i < group.solids.size(); ++i) {
        if (group.solids[i] != number || group.body != info.body) continue;
        add_shape(element, "visual", *group.geometries[i], X_LB * group.X_BG * group.shape_poses[i],
                  group.materials[i].get());
      }
    }
    for (const CollisionInfo& shape : model_.collisions) {
      if (shape.solid == number && shape.body == info.body)
        add_shape(element, "collision", *shape.geometry, X_LB * shape.X_BS, nullptr);
    }
    for (std::size_t i = 0; i < model_.solids.size(); ++i) {
      const SolidInfo& child = model_.solids[i];
      if (child.parent != number || child.robot != info.robot || child.removed) continue;
      add_child({name, X_SL}, number, static_cast<int>(i));
    }
  }

  void add_inertial(xml::Tree& link, physics::BodyId body, const Pose& X_LB) {
    if (!(model_.physics->mass(body) > 0)) return;
    const physics::RigidState state = model_.physics->rigid_state(body);
    const Pose X_LW = X_LB * state.X_WB.inverse();
    const Mat3 R = X_LW.R.toRotationMatrix();
    const Mat3 I = R * state.inverse_inertia_W.inverse() * R.transpose();
    xml::Tree& inertial = link.add("inertial");
    add_origin(inertial, {Quat::Identity(), X_LW * state.centre_W});
    inertial.add("mass").set("value", number(state.mass));
    xml::Tree& inertia = inertial.add("inertia");
    constexpr const char* kAxes = "xyz";
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        inertia.set(fmt::format("i{}{}", kAxes[i], kAxes[j]), number(I(i, j)));
      }
    }
  }

  static void add_shape(xml::Tree& link, const char* kind, const Geometry& geometry,
                        const Pose& X_LG, const Material* material) {
    for (const Part& part : parts_of(geometry)) {
      xml::Tree& element = link.add(kind);
      add_origin(element, X_LG * part.X_GP);
      xml::Tree& shape = element.add("geometry").add(part.tag);
      for (const auto& [name, value] : part.sizes) shape.set(name, value);
      if (!material) continue;
      xml::Tree& look = element.add("material");
      const Eigen::Vector3f& color = material->base_color;
      const std::string rgba = fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}", color.x(), color.y(),
                                           color.z(), 1 - material->transparency);
      look.set("name", rgba);  // materials of one name are one material
      look.add("color").set("rgba", rgba);
    }
  }

  /// The joint whose endPoint the Solid is; -1: it is fixed to what it stands in.
  physics::JointId joint_to(const SolidInfo& child) const {
    for (std::size_t i = 0; i < model_.joints.size(); ++i) {
      const JointInfo& joint = model_.joints[i];
      if (!joint.node || !model_.physics->joint_exists(static_cast<physics::JointId>(i))) continue;
      const wbt::NodeView fields = view(*joint.node);
      if (fields.has("endPoint") && fields.node("endPoint").get() == child.node)
        return static_cast<physics::JointId>(i);
    }
    return -1;
  }

  void add_child(const Link& parent, int parent_number, int number) {
    const SolidInfo &from = solid(parent_number), &child = solid(number);
    const std::string name = fresh_link(child.name);
    const Pose X_BP = from.X_BS;
    const Pose X_PC = pose_of(from).inverse() * pose_of(child);
    const physics::JointId joint = joint_to(child);
    if (joint < 0 || model_.joints[static_cast<std::size_t>(joint)].axes_P.empty()) {
      add_joint("fixed", child.name + " joint", parent.name, name, parent.X_SL.inverse() * X_PC);
      return add_link(number, name, {});
    }
    const JointInfo& info = model_.joints[static_cast<std::size_t>(joint)];
    const bool slides = info.kind == physics::JointKind::kSlider;
    std::vector<Vec3> axes;  // in the parent's Solid
    for (const Vec3& axis : info.axes_P) axes.push_back(X_BP.R.conjugate() * axis);
    const auto position = [&](std::size_t axis) {
      return model_.physics->joint_position(joint, static_cast<int>(axis));
    };
    // Back to 0, where the axes are known.
    Pose X_PC0 = X_PC;
    Vec3 anchor = X_BP.inverse() * info.anchor_P;
    if (slides) {
      X_PC0.p -= position(0) * axes[0];
      anchor = X_PC0.p;
    } else {
      Quat turned = Quat::Identity();
      for (std::size_t i = 0; i < axes.size(); ++i)
        turned = turned * turn_about(axes[i], position(i));
      X_PC0 = Pose{turned.conjugate() * X_PC.R, anchor + turned.conjugate() * (X_PC.p - anchor)};
    }
    // The link's frame is on the axis, turned as the Solid.
    const Pose X_PL{X_PC0.R, anchor};
    std::string above = parent.name;
    Pose X = parent.X_SL.inverse() * X_PL;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const bool last = i + 1 == axes.size();
      const std::string below =
          last ? name : fresh_link(fmt::format("{} axis {}", child.name, i + 1));
      if (!last) link_element(below);
      add_moving(joint, info, static_cast<int>(i), slides, above, below, X,
                 X_PL.R.conjugate() * axes[i], child.name);
      above = below;
      X = {};
    }
    add_link(number, name, X_PC0.inverse() * X_PL);
  }

  void add_moving(physics::JointId joint, const JointInfo& info, int axis, bool slides,
                  const std::string& parent, const std::string& child, const Pose& X,
                  const Vec3& axis_L, const std::string& child_name) {
    const Device* motor = device_of(joint, axis, [this](const Device& device) {
      return device.node && view(*device.node).has("maxVelocity");
    });
    const Device* sensor = device_of(
        joint, axis, [](const Device& device) { return device.model->type().commands.empty(); });
    const std::string name = motor    ? motor->name
                             : sensor ? sensor->name
                                      : fmt::format("{} joint {}", child_name, axis + 1);
    double low = 0, high = 0;
    constexpr const char* kParameters[] = {"jointParameters", "jointParameters2",
                                           "jointParameters3"};
    const wbt::NodeView fields = view(*info.node);
    if (fields.has(kParameters[axis])) {
      if (const wbt::NodePtr parameters = fields.node(kParameters[axis])) {
        const wbt::NodeView stops = view(*parameters);
        if (stops.has("minStop")) low = stops.number("minStop"), high = stops.number("maxStop");
      }
    }
    double effort = 0, speed = 0;
    if (motor) {
      const wbt::NodeView drive = view(*motor->node);
      effort = drive.number(drive.has("maxForce") ? "maxForce" : "maxTorque");
      speed = drive.number("maxVelocity");
      if (low == high) low = drive.number("minPosition"), high = drive.number("maxPosition");
    }
    const bool limited = low < high;
    xml::Tree& element = add_joint(slides    ? "prismatic"
                                   : limited ? "revolute"
                                             : "continuous",
                                   name, parent, child, X);
    element.add("axis").set("xyz", numbers(axis_L));
    xml::Tree& limit = element.add("limit");
    if (limited || slides) {
      constexpr double kFar = 1e6;  // m: URDF has no slider without limits
      limit.set("lower", number(limited ? low : -kFar));
      limit.set("upper", number(limited ? high : kFar));
    }
    limit.set("effort", number(effort));
    limit.set("velocity", number(speed));
  }

  xml::Tree& add_joint(const char* type, const std::string& name, const std::string& parent,
                       const std::string& child, const Pose& X) {
    xml::Tree& joint = root_.add("joint");
    joint.set("name", fresh(joints_, name));
    joint.set("type", type);
    joint.add("parent").set("link", parent);
    joint.add("child").set("link", child);
    add_origin(joint, X);
    return joint;
  }

  template <class Is>
  const Device* device_of(physics::JointId joint, int axis, Is is) const {
    for (const Device& device : robot_.devices) {
      if (device.joint == joint && device.axis == axis && is(device)) return &device;
    }
    return nullptr;
  }

  Pose pose_of(const SolidInfo& info) const {
    return info.body == physics::kWorldBody ? info.X_BS
                                            : model_.physics->pose(info.body) * info.X_BS;
  }

  const WorldModel& model_;
  const SchemaRegistry& schemas_;
  const RobotInfo& robot_;
  std::string prefix_;
  xml::Tree root_{"robot", {}, {}};
  std::set<std::string> links_, joints_;  ///< their names
  std::set<physics::BodyId> weighed_;     ///< bodies whose mass is on a link
};

}  // namespace

std::string robot_urdf(Simulation& simulation, int robot, const std::string& prefix) {
  return UrdfWriter(simulation, robot, prefix).write();
}

}  // namespace protobeam
