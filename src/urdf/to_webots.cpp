#include "urdf/to_webots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/named_files.h"
#include "urdf/drives.h"
#include "urdf/frictions.h"
#include "urdf/import.h"
#include "urdf/joints.h"
#include "urdf/masses.h"
#include "urdf/sensors.h"
#include "urdf/shapes.h"
#include "urdf/unknown.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

constexpr double kTimeStep = 5;  // ms: sensors have rates such as 20, 50, 100 and 200 Hz

class RobotTree {
 public:
  explicit RobotTree(Import& import)
      : import_(import),
        masses_(masses_of(import)),
        drives_(import),
        frictions_(import, drives_),
        control_(import, drives_),
        sensors_(import) {}

  /// Adds to a Robot what the links say.
  wbt::NodePtr run(NodeMaker robot) {
    contents(robot, import_.robot.root);
    return robot.take();
  }
  bool fixed_to_world() const { return masses_.fixed_to_world; }
  std::vector<wbt::NodePtr> contact_properties() const { return frictions_.contact_properties(); }

 private:
  wbt::NodePtr solid(int index) {
    const Link& link = import_.link(index);
    NodeMaker made("Solid", at(*link.element));
    made.pose(start_pose(import_.robot, *import_.robot.parent_joint(index)))
        .text("name", link.name);
    contents(made, index);
    return made.take();
  }

  void contents(NodeMaker& made, int index) {
    const Link& link = import_.link(index);
    std::vector<wbt::NodePtr> children = visual_nodes(import_, link);
    for (wbt::NodePtr& node : sensors_.of(import_, link)) children.push_back(std::move(node));
    if (index == import_.robot.root) {
      for (wbt::NodePtr& node : drives_.nodes()) children.push_back(std::move(node));
    }
    for (const int joint : link.joints) {
      children.push_back(
          joint_node(import_, control_, import_.joint(joint), solid(import_.joint(joint).child)));
    }
    made.nodes("children", std::move(children));
    if (frictions_.has(link)) made.text("contactMaterial", link.name);
    made.node("boundingObject", bounding_object(import_, link));
    made.node("physics", physics(index));
  }

  wbt::NodePtr physics(int index) {
    const auto& mass = masses_.of_link[static_cast<std::size_t>(index)];
    if (!mass) return nullptr;
    const Link& link = import_.link(index);
    const Element* inertial = link.element->child("inertial");
    NodeMaker made("Physics", at(inertial ? *inertial : *link.element));
    made.number("density", -1)
        .number("mass", mass->mass)
        .points("centerOfMass", std::vector{mass->com});
    if (mass->inertia) {
      const Mat3& I = *mass->inertia;
      made.points("inertiaMatrix",
                  std::vector{Vec3(I(0, 0), I(1, 1), I(2, 2)), Vec3(I(0, 1), I(0, 2), I(1, 2))});
    }
    return made.take();
  }

  Import& import_;
  Masses masses_;
  Drives drives_;
  Frictions frictions_;
  Control control_;
  Sensors sensors_;
};

wbt::Document new_document(const Robot& robot) {
  wbt::Document out;
  out.file = robot.file;
  out.source = robot.element->place.source;
  out.has_header = true;
  out.version = wbt::kR2025a;
  out.version_text = "R2025a";
  return out;
}

/// A parameter of the PROTO and the field of the Robot that takes it.
void add_parameter(wbt::ProtoInterface& interface, wbt::Node& robot, const char* name,
                   FieldType type, wbt::Value value) {
  wbt::Parameter parameter;
  parameter.type = type;
  parameter.name = name;
  parameter.place = interface.place;
  value.place = interface.place;
  parameter.default_value = std::move(value);
  interface.parameters.push_back(std::move(parameter));
  wbt::Field field;
  field.name = name;
  field.place = interface.place;
  field.value.kind = wbt::Value::Kind::kIs;
  field.value.strings = {name};
  field.value.place = interface.place;
  robot.fields.push_back(std::move(field));
}

wbt::Value numbers(std::vector<double> values) {
  wbt::Value out;
  out.kind = wbt::Value::Kind::kNumbers;
  out.numbers = std::move(values);
  return out;
}
wbt::Value text(std::string value) {
  wbt::Value out;
  out.kind = wbt::Value::Kind::kStrings;
  out.strings = {std::move(value)};
  return out;
}
wbt::Value flag(bool value) {
  wbt::Value out;
  out.kind = wbt::Value::Kind::kBools;
  out.numbers = {value ? 1.0 : 0.0};
  return out;
}

/// Everything of the text is looked at, so that all of its mistakes are told; then this says
/// whether there were any.
bool finish(Import& import, int errors_before) {
  note_unknown(import);
  import.ignored.report(import.diagnostics);
  return import.diagnostics.error_count() == errors_before;
}

}  // namespace

std::optional<wbt::Document> to_proto(const Robot& robot, const std::string& name,
                                      const Options& options, const fs::path& folder,
                                      Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  diagnostics.set_lenient(options.lenient);
  Import import{robot, options, folder, diagnostics};
  allow_files_below(project_folder(robot.file));
  RobotTree tree(import);
  const wbt::NodePtr node = tree.run(NodeMaker("Robot", at(*robot.element)));
  if (!finish(import, before)) return std::nullopt;

  wbt::Document out = new_document(robot);
  out.info = {fmt::format("Made by `protobeam import` from {}.", robot.file.filename().string())};
  out.proto = std::make_unique<wbt::ProtoInterface>();
  out.proto->name = name;
  out.proto->place = robot.element->place;
  wbt::Value none;
  none.bracketed = true;
  wbt::Node head;
  add_parameter(*out.proto, head, "translation", FieldType::kVec3f, numbers({0, 0, 0}));
  add_parameter(*out.proto, head, "rotation", FieldType::kRotation, numbers({0, 0, 1, 0}));
  add_parameter(*out.proto, head, "name", FieldType::kString, text(robot.name));
  add_parameter(*out.proto, head, "controller", FieldType::kString, text("<none>"));
  add_parameter(*out.proto, head, "controllerArgs", FieldType::kMFString, none);
  add_parameter(*out.proto, head, "customData", FieldType::kString, text(""));
  add_parameter(*out.proto, head, "supervisor", FieldType::kBool, flag(false));
  add_parameter(*out.proto, head, "synchronization", FieldType::kBool, flag(true));
  add_parameter(*out.proto, head, "selfCollision", FieldType::kBool, flag(false));
  node->fields.insert(node->fields.begin(), std::make_move_iterator(head.fields.begin()),
                      std::make_move_iterator(head.fields.end()));
  out.nodes = {node};
  out.def_names = import.materials.defined();
  return out;
}

std::optional<wbt::Document> to_world(const Robot& robot, const Options& options,
                                      const fs::path& folder, Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  diagnostics.set_lenient(options.lenient);
  Import import{robot, options, folder, diagnostics, true};
  allow_files_below(project_folder(robot.file));
  RobotTree tree(import);
  const bool in_its_place = tree.fixed_to_world() && import.link(robot.root).name == "world";
  const Extent extent = extent_of(import);
  const double height = in_its_place ? 0 : -extent.lowest;
  NodeMaker made("Robot", at(*robot.element));
  made.pose(Pose::translation({0, 0, height}))
      .text("name", robot.name)
      .text("controller", "<none>");
  const wbt::NodePtr node = tree.run(std::move(made));
  if (!tree.fixed_to_world() &&
      std::all_of(robot.links.begin(), robot.links.end(),
                  [](const Link& link) { return link.collisions.empty(); })) {
    diagnostics.warning(robot.element->place,
                        "the robot has no collision shape: it falls through the ground");
  }
  if (!finish(import, before)) return std::nullopt;

  const wbt::Origin origin = at(*robot.element);
  wbt::Document out = new_document(robot);
  // From behind, the right and above.
  const double size =
      std::clamp(std::max(extent.highest - extent.lowest, 2 * extent.across), 0.1, 30.0);
  const Vec3 middle(0, 0, height + (extent.lowest + extent.highest) / 2);
  const Quat looks = wbt::rotation_of(0.588, 0.46, 0);
  const auto plane = [&](const char* type) {
    return NodeMaker(type, origin).vec2("size", {100, 100}).take();
  };
  out.nodes = {
      NodeMaker("WorldInfo", origin)
          .text("title", robot.name)
          .number("basicTimeStep", kTimeStep)
          .nodes("contactProperties", tree.contact_properties())
          .take(),
      NodeMaker("Viewpoint", origin)
          .vec3("position", middle - 2.5 * size * (looks * Vec3::UnitX()))
          .rotation("orientation", looks)
          .take(),
      NodeMaker("Background", origin).numbers("skyColor", {0.7, 0.8, 0.9}).take(),
      NodeMaker("DirectionalLight", origin)
          .vec3("direction", {0.4, 0.5, -1})
          .number("ambientIntensity", 1)
          .number("intensity", 1)
          .take(),
      NodeMaker("Solid", origin)
          .text("name", "ground")
          .nodes("children", {NodeMaker("Shape", origin)
                                  .node("appearance", NodeMaker("PBRAppearance", origin)
                                                          .vec3("baseColor", {0.5, 0.5, 0.5})
                                                          .number("roughness", 1)
                                                          .number("metalness", 0)
                                                          .take())
                                  .node("geometry", plane("Plane"))
                                  .take()})
          .node("boundingObject", plane("Plane"))
          .take(),
      node};
  out.def_names = import.materials.defined();
  return out;
}

}  // namespace protobeam::urdf
