// What comes into a world and leaves it while it runs.
#include <fmt/format.h>

#include "base/turn.h"
#include "sim/simulation.h"

namespace protobeam {
namespace {

using wbt::Field;
using wbt::Value;

void set_field(wbt::Node& node, const char* name, Value value) {
  if (Field* field = node.find(name)) {
    field->value = std::move(value);
    return;
  }
  Field field;
  field.name = name;
  field.place = node.place;
  field.value = std::move(value);
  node.fields.push_back(std::move(field));
}

Value numbers(const wbt::Node& node, std::vector<double> values) {
  Value out;
  out.kind = Value::Kind::kNumbers;
  out.offsets.assign(values.size(), node.place.offset);
  out.numbers = std::move(values);
  out.place = node.place;
  return out;
}

Value text(const wbt::Node& node, const std::string& words) {
  Value out;
  out.kind = Value::Kind::kStrings;
  out.offsets = {node.place.offset};
  out.strings = {words};
  out.place = node.place;
  return out;
}

}  // namespace

int Simulation::add_solid(const std::string& written, const std::string& name, const Pose& X_WS,
                          Diagnostics& diagnostics) {
  wbt::LoadOptions load;
  load.schemas = &schemas_;
  load.proto_path = proto_folders(options_.proto_path);
  load.lenient = options_.lenient;
  // Beside the world's file, so that it names the same files.
  const auto file = world_.file.parent_path() / "added.wbt";
  auto source = std::make_shared<SourceText>(
      "added", fmt::format("#VRML_SIM R2025a utf8\nWorldInfo {{ }}\n{}\n", written));
  const auto document =
      wbt::parse_document(std::move(source), file, wbt::DocumentKind::kWorld, diagnostics);
  if (diagnostics.has_errors()) return -1;
  const wbt::LoadedWorld read = wbt::expand_world(document, load, diagnostics);
  if (diagnostics.has_errors()) return -1;
  wbt::NodePtr solid;
  int others = 0;
  for (const auto& node : read.nodes) {
    if (!node || node->type == "WorldInfo") continue;
    if (schemas_.is_a(node->type, "Solid") && !solid) {
      solid = node;
    } else {
      ++others;
    }
  }
  if (!solid || others > 0) {
    diagnostics.error(solid ? solid->place : Place{}, "one Solid is expected, and nothing else");
    return -1;
  }
  const auto turn = axis_and_angle(X_WS.R);
  set_field(*solid, "name", text(*solid, name));
  set_field(*solid, "translation", numbers(*solid, {X_WS.p.x(), X_WS.p.y(), X_WS.p.z()}));
  set_field(*solid, "rotation",
            numbers(*solid, {turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle()}));
  const std::size_t groups = model_.visuals.size();
  const int index =
      add_to_world(model_, world_, *solid, schemas_, plugins_, options_.build, diagnostics);
  if (index < 0) return -1;
  added_.push_back(solid);
  while (static_cast<int>(body_poses_.size()) < model_.physics->body_count()) {
    body_poses_.push_back(model_.physics->pose(static_cast<physics::BodyId>(body_poses_.size())));
  }
  contact_devices_.resize(body_poses_.size());
  for (std::size_t i = groups; i < model_.visuals.size(); ++i) {
    visual_poses_.push_back(pose_of(model_.visuals[i]));
  }
  inputs_ = std::make_unique<SampleInputs>(model_);
  return index;
}

std::string Simulation::remove_solid(int solid) {
  const auto within = [&](int one) {
    for (; one >= 0; one = model_.solids[static_cast<std::size_t>(one)].parent) {
      if (one == solid) return true;
    }
    return false;
  };
  SolidInfo& root = model_.solids[static_cast<std::size_t>(solid)];
  if (root.removed) return "it is not there any more";
  if (root.parent >= 0) return "it stands in another Solid";
  for (std::size_t i = 0; i < model_.solids.size(); ++i) {
    if (within(static_cast<int>(i)) && model_.solids[i].robot >= 0) return "a Robot stays";
  }
  for (std::size_t i = 0; i < model_.solids.size(); ++i) {
    SolidInfo& info = model_.solids[i];
    if (!within(static_cast<int>(i))) continue;
    info.removed = true;
    for (const physics::BodyId body : {info.body, info.static_body}) {
      if (body != physics::kWorldBody) model_.physics->remove(body);
    }
  }
  for (const VisualGroup& group : model_.visuals) {
    if (!group.solids.empty() && within(group.solids.front())) {
      model_.visible->set_visible(group.instance, false);
    }
  }
  inputs_ = std::make_unique<SampleInputs>(model_);
  return "";
}

}  // namespace protobeam
