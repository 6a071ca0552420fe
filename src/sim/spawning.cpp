// What comes into a running world as text or out of another language.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/turn.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"
#include "wbt/document.h"
#include "wbt/values.h"

namespace protobeam {
namespace {

using wbt::Node;
using wbt::NodePtr;

/// Of a node that is in no tree yet.
void write_field(Node& node, const char* name, wbt::Value value) {
  value.place = node.place;
  value.offsets = std::vector<std::uint32_t>(std::max(value.numbers.size(), value.strings.size()),
                                             node.place.offset);
  if (wbt::Field* written = node.find(name)) {
    written->value = std::move(value);
    return;
  }
  wbt::Field field;
  field.name = name;
  field.place = node.place;
  field.value = std::move(value);
  node.fields.push_back(std::move(field));
}

wbt::Value of_numbers(std::vector<double> numbers) {
  wbt::Value out;
  out.kind = wbt::Value::Kind::kNumbers;
  out.numbers = std::move(numbers);
  return out;
}

}  // namespace

wbt::LoadOptions Simulation::load_options() {
  wbt::LoadOptions load;
  load.schemas = &schemas_;
  load.where_types = [this] { return plugins_.where(); };
  load.proto_path = proto_folders(options_.proto_path);
  load.lenient = options_.lenient;
  return load;
}

wbt::Document Simulation::document_of(const std::string& text, Diagnostics& diagnostics) const {
  // Beside the world's file, so that it names the same files: PROTOs, meshes and pictures.
  const auto file = world_.file.parent_path() / "imported nodes";
  std::string whole = "#VRML_SIM R2025a utf8\n";
  for (const auto& declared : world_.externs) {
    whole += fmt::format("EXTERNPROTO \"{}\"\n", declared.url);
  }
  whole += "WorldInfo { }\n";
  const auto head = static_cast<int>(std::ranges::count(whole, '\n'));
  whole += text + "\n";
  auto source =
      std::make_shared<SourceText>(file.string(), std::move(whole), file.filename().string(), head);
  return wbt::parse_document(std::move(source), file, wbt::DocumentKind::kWorld, diagnostics);
}

std::vector<NodePtr> Simulation::read_nodes(const std::string& text, const std::string& owner,
                                            const std::string& field, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const auto document = document_of(text, diagnostics);
  return read_nodes(document, owner, field, diagnostics);
}

std::vector<NodePtr> Simulation::read_nodes(const wbt::Document& document, const std::string& owner,
                                            const std::string& field, Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return {};
  // USE may name what is in the world already, as in Webots.
  wbt::LoadOptions options = load_options();
  options.defined_outside = [this](const std::string& def) {
    return tree_->node(tree_->from_def(def));
  };
  return wbt::expand_nodes(document, owner, field, options, diagnostics);
}

NodePtr Simulation::read_solid(const wbt::Document& document, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const auto nodes = read_nodes(document, "", "children", diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  if (nodes.size() == 1 && schemas_.is_a(nodes.front()->type, "Solid")) return nodes.front();
  diagnostics.error(nodes.empty() ? Place{} : nodes.front()->place,
                    "one Solid is expected, and nothing else");
  return nullptr;
}

int Simulation::add_solid(const std::string& written, const std::string& name, const Pose& X_WS,
                          Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const NodePtr solid = read_solid(document_of(written, diagnostics), diagnostics);
  return solid ? add_solid(solid, name, X_WS, diagnostics) : -1;
}

int Simulation::add_solid(const NodePtr& solid, const std::string& name, const Pose& X_WS,
                          Diagnostics& diagnostics) {
  wbt::Value title;
  title.kind = wbt::Value::Kind::kStrings;
  title.strings = {name};
  write_field(*solid, "name", std::move(title));
  const auto turn = axis_and_angle(X_WS.R);
  write_field(*solid, "translation", of_numbers({X_WS.p.x(), X_WS.p.y(), X_WS.p.z()}));
  write_field(*solid, "rotation",
              of_numbers({turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle()}));
  for (const NodePtr& one : tree_->subtree(solid)) {
    if (one != solid && schemas_.is_a(one->type, "Robot")) supervisor_->give_own_name(*one);
  }
  TreeField root;
  root.name = "children";
  root.type = FieldType::kMFNode;
  wbt::Value children = tree_->value(root);
  const wbt::Value before = children;
  children.nodes.push_back(solid);
  tree_->set(root, std::move(children));
  Addition what;
  what.node = solid.get();
  if (!add_unit(what, diagnostics)) {
    tree_->set(root, before);
    for (const NodePtr& one : tree_->subtree(solid)) shapes_.forget(*one);
    shapes_.forget_unused_files();
    return -1;
  }
  return solid_of(*solid);
}

void Simulation::add_contact_properties(const wbt::Document& document, Diagnostics& diagnostics) {
  const auto rules = read_nodes(document, "WorldInfo", "contactProperties", diagnostics);
  const auto info = std::ranges::find_if(
      world_.nodes, [](const NodePtr& node) { return node && node->type == "WorldInfo"; });
  if (info == world_.nodes.end()) return;
  const auto materials = [this](const NodePtr& rule) {
    const wbt::NodeView view(*rule, schemas_);
    return std::pair(view.string("material1"), view.string("material2"));
  };
  const TreeField field = tree_->field_of(*info, "contactProperties");
  wbt::Value all = tree_->value(field);
  const std::size_t before = all.nodes.size();
  for (const NodePtr& rule : rules) {
    const bool is_new = std::ranges::none_of(all.nodes, [&](const NodePtr& other) {
      return other && materials(other) == materials(rule);
    });
    if (is_new) all.nodes.push_back(rule);
  }
  if (all.nodes.size() == before) return;
  all.kind = wbt::Value::Kind::kNodes;
  all.bracketed = true;
  all.place = all.place.valid() ? all.place : (*info)->place;
  all.offsets = std::vector<std::uint32_t>(all.nodes.size(), all.place.offset);
  tree_->set(field, std::move(all));
  read_scenery(**info);
}

std::string Simulation::remove_solid(int solid) {
  const SolidInfo& root = model_.solids[static_cast<std::size_t>(solid)];
  if (root.removed) return "it is not there any more";
  if (root.parent >= 0) return "it stands in another Solid";
  const int id = tree_->id(root.node);
  return supervisor_->remove_node(id);
}

}  // namespace protobeam
