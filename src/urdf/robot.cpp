#include "urdf/robot.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "urdf/plain_text.h"
#include "urdf/structure.h"
#include "urdf/values.h"
#include "urdf/wheels.h"
#include "wbt/document.h"
#include "xml/parse.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

/// What urdfdom prints, as diagnostics. Its handler is one for the whole process.
class Messages : public console_bridge::OutputHandler {
 public:
  Messages(const Place& place, Diagnostics& diagnostics)
      : place_(place), diagnostics_(diagnostics) {
    console_bridge::useOutputHandler(this);
  }
  ~Messages() override { console_bridge::restorePreviousOutputHandler(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR) diagnostics_.error(place_, text);
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_WARN) diagnostics_.warning(place_, text);
  }

 private:
  Place place_;
  Diagnostics& diagnostics_;
};

Vec3 vector_of(const ::urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose pose_of(const ::urdf::Pose& pose) {
  const ::urdf::Rotation& R = pose.rotation;
  return {Quat(R.w, R.x, R.y, R.z).normalized(), vector_of(pose.position)};
}

Inertial inertial_of(const ::urdf::Inertial& from) {
  Inertial out;
  const Pose X = pose_of(from.origin);
  Mat3 I;
  I << from.ixx, from.ixy, from.ixz, from.ixy, from.iyy, from.iyz, from.ixz, from.iyz, from.izz;
  out.mass = from.mass;
  out.com = X.p;
  const Mat3 R = X.R.toRotationMatrix();
  if (!I.isZero(0)) out.inertia = R * I * R.transpose();
  return out;
}

void fill(Shape& shape, const ::urdf::Pose& origin, const ::urdf::Geometry& geometry) {
  shape.X_LS = pose_of(origin);
  if (const auto* box = dynamic_cast<const ::urdf::Box*>(&geometry)) {
    shape.kind = Shape::Kind::kBox;
    shape.size = vector_of(box->dim);
  } else if (const auto* sphere = dynamic_cast<const ::urdf::Sphere*>(&geometry)) {
    shape.kind = Shape::Kind::kSphere;
    shape.radius = sphere->radius;
  } else if (const auto* cylinder = dynamic_cast<const ::urdf::Cylinder*>(&geometry)) {
    shape.kind = shape.shape->tag == "capsule" ? Shape::Kind::kCapsule : Shape::Kind::kCylinder;
    shape.radius = cylinder->radius;
    shape.length = cylinder->length;
  } else if (const auto* mesh = dynamic_cast<const ::urdf::Mesh*>(&geometry)) {
    shape.kind = Shape::Kind::kMesh;
    shape.file = *shape.shape->attribute("filename");
    shape.scale = vector_of(mesh->scale);
  }
}

void fill(Link& link, const ::urdf::Link& from) {
  if (link.inertial && from.inertial) link.inertial = inertial_of(*from.inertial);
  for (std::size_t i = 0; i < link.visuals.size() && i < from.visual_array.size(); ++i) {
    fill(link.visuals[i], from.visual_array[i]->origin, *from.visual_array[i]->geometry);
  }
  for (std::size_t i = 0; i < link.collisions.size() && i < from.collision_array.size(); ++i) {
    fill(link.collisions[i], from.collision_array[i]->origin, *from.collision_array[i]->geometry);
  }
}

void fill(Joint& joint, const ::urdf::Joint& from) {
  joint.X_PJ = pose_of(from.parent_to_joint_origin_transform);
  joint.axis = vector_of(from.axis);
  joint.axis = joint.axis.norm() > 0 ? Vec3(joint.axis.normalized()) : Vec3::UnitX();
  if (joint.limited && from.limits) {
    joint.lower = from.limits->lower;
    joint.upper = from.limits->upper;
  }
  if (from.dynamics) {
    joint.damping = from.dynamics->damping;
    joint.friction = from.dynamics->friction;
  }
  if (joint.mimic && from.mimic) {
    joint.mimic->multiplier = from.mimic->multiplier;
    joint.mimic->offset = from.mimic->offset;
  }
}

/// False with what urdfdom says about it.
bool ask_urdfdom(Robot& robot, const std::string& text, Diagnostics& diagnostics) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const Messages messages(robot.element->place, diagnostics);
  const int before = diagnostics.error_count();
  const auto model = ::urdf::parseURDF(text);
  if (!model) {
    if (diagnostics.error_count() == before) {
      diagnostics.error(robot.element->place, "urdfdom cannot read this robot");
    }
    return false;
  }
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (const auto link = model->getLink(fmt::format("l{}", i))) fill(robot.links[i], *link);
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (const auto joint = model->getJoint(fmt::format("j{}", i))) fill(robot.joints[i], *joint);
  }
  return diagnostics.error_count() == before;
}

/// Nothing holds bodies within a robot that no joint holds. The root may be one that stands for the
/// world: then the robot is its child.
void free_root(Robot& robot, Diagnostics& diagnostics) {
  const Link& root = robot.links[static_cast<std::size_t>(robot.root)];
  for (const Joint& joint : robot.joints) {
    if (joint.type != Joint::Type::kFloating && joint.type != Joint::Type::kPlanar) continue;
    const char* type = joint.type == Joint::Type::kPlanar ? "planar" : "floating";
    if (joint.parent != robot.root || root.joints.size() != 1 || root.inertial ||
        !root.visuals.empty() || !root.collisions.empty()) {
      diagnostics.error(joint.element->place,
                        fmt::format("joint '{}' is of type {}: only the first joint of a robot can "
                                    "be, from an empty link",
                                    joint.name, type));
      continue;
    }
    if (joint.type == Joint::Type::kPlanar) {
      diagnostics.warning(
          joint.element->place,
          fmt::format("joint '{}' is of type planar: the robot moves freely", joint.name));
    }
    robot.root = joint.child;
    robot.links[static_cast<std::size_t>(joint.child)].parent_joint = -1;
    return free_root(robot, diagnostics);
  }
}

/// Controllers that no plugin names run as in ros2_control_node.
void add_control_node(Robot& robot, Diagnostics& diagnostics) {
  const Element* control = robot.element->child("ros2_control");
  if (!control) {
    diagnostics.warning(robot.element->place,
                        "its controllers are not known: the robot has no <ros2_control>");
    return;
  }
  const auto plugins = all_plugins(robot);
  if (std::ranges::any_of(plugins, [](const Element* one) { return is_control_plugin(*one); }))
    return;
  Element made;
  made.tag = "plugin";
  made.place = control->place;
  made.attributes.push_back({"filename", control->place, {"ros2_control_node", control->place}});
  robot.control_node = std::make_shared<const Element>(std::move(made));
  robot.plugins.push_back(robot.control_node.get());
}

std::unique_ptr<const Robot> read(const std::shared_ptr<const SourceText>& source,
                                  const fs::path& file, const Options& options,
                                  Diagnostics& diagnostics) {
  auto robot = std::make_unique<Robot>();
  robot->file = file;
  const xml::Dialect dialect{{options.limits.nesting, options.limits.elements}, {}, {}};
  auto top = xml::parse_only(source, dialect, diagnostics);
  if (!top) return nullptr;
  robot->element = std::make_shared<const Element>(std::move(*top));
  const Element& root = *robot->element;
  if (root.tag != "robot") {
    diagnostics.error(root.place, fmt::format("a URDF is a <robot>, not a <{}>", root.tag));
    return nullptr;
  }
  if (is_xacro(root, diagnostics)) return nullptr;
  const int before = diagnostics.error_count();
  if (const Text* version = root.attribute("version")) {
    const auto number = numbers_of(*version, 1, "'version' of <robot>", diagnostics);
    if (number && number->front() != 1) {
      diagnostics.error(version->place,
                        fmt::format("'version' of <robot> must be 1.0, got '{}'", version->value));
    }
  }
  const Text* name = root.attribute("name");
  if (!name) diagnostics.error(root.place, "a <robot> needs a name");
  if (name) robot->name = name->value;
  if (name && name->value.empty()) {
    robot->name = file.stem().string();
    diagnostics.warning(
        name->place, fmt::format("the name of the robot is empty: it is called '{}'", robot->name));
  }
  if (!find_structure(*robot, options.limits, diagnostics)) return nullptr;
  const std::string text = plain_text(*robot, diagnostics);
  if (diagnostics.error_count() > before || !ask_urdfdom(*robot, text, diagnostics)) return nullptr;
  free_root(*robot, diagnostics);
  if (diagnostics.error_count() > before) return nullptr;
  if (!options.controllers.empty()) add_control_node(*robot, diagnostics);
  return robot;
}

}  // namespace

std::unique_ptr<const Robot> read_robot_text(std::string text, const fs::path& file,
                                             const Options& options, Diagnostics& diagnostics) {
  return read(std::make_shared<SourceText>(file.string(), std::move(text)), file, options,
              diagnostics);
}

std::unique_ptr<const Robot> read_robot(const fs::path& file, const Options& options,
                                        Diagnostics& diagnostics) {
  const auto source = wbt::read_source(file, options.limits.file_bytes, {}, diagnostics);
  return source ? read(source, file, options, diagnostics) : nullptr;
}

}  // namespace protobeam::urdf
