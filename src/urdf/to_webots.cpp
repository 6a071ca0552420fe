#include "urdf/to_webots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/named_files.h"
#include "urdf/import.h"
#include "urdf/robot_tree.h"
#include "urdf/shapes.h"
#include "urdf/unknown.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

constexpr double kTimeStep = 5;  // ms: sensors have rates such as 20, 50, 100 and 200 Hz

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

NodeMaker named_robot(const Robot& robot) {
  NodeMaker made("Robot", at(*robot.element));
  made.text("name", robot.name).text("controller", "<none>");
  return made;
}

/// Everything of the text is looked at, so that all of its mistakes are told; then this says
/// whether there were any.
bool finish(Import& import, int errors_before) {
  note_unknown(import);
  import.ignored.report(import.diagnostics);
  return import.diagnostics.error_count() == errors_before;
}

}  // namespace

wbt::Document new_document(const fs::path& file, const Element& root) {
  wbt::Document out;
  out.file = file;
  out.source = root.place.source;
  out.has_header = true;
  out.version = wbt::kR2025a;
  out.version_text = "R2025a";
  return out;
}

wbt::NodePtr plain(const Element& whose) {
  const wbt::Origin origin = at(whose);
  const auto plane = [&] { return NodeMaker("Plane", origin).vec2("size", {100, 100}).take(); };
  return NodeMaker("Solid", origin)
      .text("name", "ground")
      .nodes("children", {NodeMaker("Shape", origin)
                              .node("appearance", NodeMaker("PBRAppearance", origin)
                                                      .vec3("baseColor", {0.5, 0.5, 0.5})
                                                      .number("roughness", 1)
                                                      .number("metalness", 0)
                                                      .take())
                              .node("geometry", plane())
                              .take()})
      .node("boundingObject", plane())
      .take();
}

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

  wbt::Document out = new_document(robot.file, *robot.element);
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
  const wbt::NodePtr node =
      tree.run(std::move(named_robot(robot).pose(Pose::translation({0, 0, height}))));
  if (!tree.fixed_to_world() &&
      std::all_of(robot.links.begin(), robot.links.end(),
                  [](const Link& link) { return link.collisions.empty(); })) {
    diagnostics.warning(robot.element->place,
                        "the robot has no collision shape: it falls through the ground");
  }
  if (!finish(import, before)) return std::nullopt;

  const wbt::Origin origin = at(*robot.element);
  wbt::Document out = new_document(robot.file, *robot.element);
  // From behind, the right and above.
  const double size =
      std::clamp(std::max(extent.highest - extent.lowest, 2 * extent.across), 0.1, 30.0);
  const Vec3 middle(0, 0, height + (extent.lowest + extent.highest) / 2);
  const Quat looks = wbt::rotation_of(0.588, 0.46, 0);
  out.nodes = {NodeMaker("WorldInfo", origin)
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
               plain(*robot.element),
               node};
  out.def_names = import.materials.defined();
  return out;
}

std::optional<Model> to_model(const Robot& robot, const Options& options,
                              Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  diagnostics.set_lenient(options.lenient);
  Import import{robot, options, {}, diagnostics, true};
  import.materials_by_friction = true;
  allow_files_below(project_folder(robot.file));
  RobotTree tree(import);
  const wbt::NodePtr node = tree.run(named_robot(robot));
  if (!finish(import, before)) return std::nullopt;
  Model out{new_document(robot.file, *robot.element), new_document(robot.file, *robot.element)};
  out.document.nodes = {node};
  out.document.def_names = import.materials.defined();
  out.contact_properties.nodes = tree.contact_properties();
  return out;
}

}  // namespace protobeam::urdf
