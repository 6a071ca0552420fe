#include "sim/robot_urdf.h"

#include <fmt/format.h>

#include <set>
#include <variant>

#include "base/libm.h"
#include "sim/robot_links.h"
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
  UrdfWriter(const Simulation& simulation, int robot, const RobotLinks& links,
             const MeshFile& mesh_file)
      : model_(simulation.model()),
        robot_(model_.robots[static_cast<std::size_t>(robot)]),
        links_(links),
        mesh_file_(mesh_file) {}

  std::string write() {
    root_.set("name", robot_.name);
    for (const RobotLink& link : links_.links()) {
      add_link(link);
      if (link.joint >= 0) add_joint(links_.joints()[static_cast<std::size_t>(link.joint)]);
    }
    return xml::write(root_);
  }

 private:
  const std::string& name_of(int link) const {
    return links_.links()[static_cast<std::size_t>(link)].name;
  }

  void add_link(const RobotLink& link) {
    xml::Tree& element = root_.add("link");
    element.set("name", link.name);
    if (link.vehicle) return add_wheel(element, link);
    if (link.solid < 0 || link.only_frame) return;
    const SolidInfo& info = model_.solids[static_cast<std::size_t>(link.solid)];
    const Pose X_LB = link.X_SL.inverse() * info.X_BS.inverse();
    if (info.body != physics::kWorldBody && weighed_.insert(info.body).second) {
      add_inertial(element, info.body, X_LB);
    }
    for (const VisualGroup& group : model_.visuals) {
      for (std::size_t i = 0; i < group.solids.size(); ++i) {
        if (group.solids[i] != link.solid || group.body != info.body || group.vehicle >= 0)
          continue;
        add_shape(element, "visual", group.geometries[i], X_LB * group.X_BG * group.shape_poses[i],
                  group.materials[i].get());
      }
    }
    for (const CollisionInfo& shape : model_.collisions) {
      if (shape.solid == link.solid && shape.body == info.body)
        add_shape(element, "collision", shape.geometry, X_LB * shape.X_BS, nullptr);
    }
  }

  /// What is seen of a wheel stands in a group at the hub or at the wheel.
  void add_wheel(xml::Tree& element, const RobotLink& link) {
    if (link.part == RobotLink::WheelPart::kCarrier) return;
    const bool only_steers = link.part == RobotLink::WheelPart::kHub;
    for (const VisualGroup& group : model_.visuals) {
      if (group.vehicle < 0 || group.only_steers != only_steers ||
          static_cast<std::size_t>(group.wheel) != link.wheel ||
          model_.vehicles[static_cast<std::size_t>(group.vehicle)] != link.vehicle)
        continue;
      for (std::size_t i = 0; i < group.geometries.size(); ++i) {
        add_shape(element, "visual", group.geometries[i], group.shape_poses[i],
                  group.materials[i].get());
      }
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

  std::vector<Part> parts_of(const std::shared_ptr<const Geometry>& geometry) const {
    std::vector<Part> parts = protobeam::parts_of(*geometry);
    if (!parts.empty() || !mesh_file_) return parts;
    const std::string file = mesh_file_(geometry);
    if (file.empty()) return {};
    return {{"mesh", {{"filename", file}}, {}}};
  }

  void add_shape(xml::Tree& link, const char* kind, const std::shared_ptr<const Geometry>& geometry,
                 const Pose& X_LG, const Material* material) const {
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

  void add_joint(const RobotJoint& joint) {
    using Kind = RobotJoint::Kind;
    const bool slides = joint.kind == Kind::kSlider;
    xml::Tree& element = root_.add("joint");
    element.set("name", joint.name);
    element.set("type", joint.kind == Kind::kFixed ? "fixed"
                        : slides                   ? "prismatic"
                        : joint.limited            ? "revolute"
                                                   : "continuous");
    element.add("parent").set("link", name_of(joint.parent));
    element.add("child").set("link", name_of(joint.child));
    add_origin(element, joint.X_PC);
    if (joint.kind == Kind::kFixed) return;
    element.add("axis").set("xyz", numbers(joint.axis_C));
    xml::Tree& limit = element.add("limit");
    if (joint.limited || slides) {
      constexpr double kFar = 1e6;  // m: URDF has no slider without limits
      limit.set("lower", number(joint.limited ? joint.low : -kFar));
      limit.set("upper", number(joint.limited ? joint.high : kFar));
    }
    limit.set("effort", number(joint.effort));
    limit.set("velocity", number(joint.speed));
  }

  const WorldModel& model_;
  const RobotInfo& robot_;
  const RobotLinks& links_;
  const MeshFile& mesh_file_;
  xml::Tree root_{"robot", {}, {}};
  std::set<physics::BodyId> weighed_;  ///< bodies whose mass is on a link
};

}  // namespace

std::string robot_urdf(const Simulation& simulation, int robot, const RobotLinks& links,
                       const MeshFile& mesh_file) {
  return UrdfWriter(simulation, robot, links, mesh_file).write();
}

std::string robot_urdf(const Simulation& simulation, int robot, const std::string& prefix) {
  LinkNames names;
  names.prefix = prefix;
  return robot_urdf(simulation, robot, RobotLinks(simulation, robot, names));
}

}  // namespace protobeam
