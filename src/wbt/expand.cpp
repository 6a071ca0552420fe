#include "wbt/expand.h"

#include <algorithm>
#include <utility>

#include "wbt/differential_wheels.h"
#include "wbt/near_names.h"
#include "wbt/old_fields.h"
#include "wbt/parser.h"
#include "wbt/values.h"
#include "wbt/version_upgrade.h"

namespace protobeam::wbt {
namespace {

constexpr int kMaxTreeDepth = 1000;  ///< of the expanded tree, bounds every recursion over it

bool once_only(const SchemaRegistry& schemas, const std::string& type) {
  return schemas.is_a(type, "Solid") || schemas.is_a(type, "JointParameters") ||
         schemas.is_a(type, "BallJointParameters") || type == "HingeJoint" ||
         type == "Hinge2Joint" || type == "SliderJoint" || type == "BallJoint" ||
         schemas.is_a(type, "BodyDevice") || is_joint_device(schemas, type);
}

/// Up to R2018b a Supervisor was a node type of its own.
Field supervisor_field(const Node& raw) {
  Field field;
  field.name = "supervisor";
  field.place = field.value.place = raw.place;
  field.value.kind = Value::Kind::kBools;
  field.value.numbers = {1};
  field.value.offsets = {raw.place.offset};
  return field;
}

}  // namespace

Expander::Expander(const LoadOptions& options, ProtoLibrary& library, std::filesystem::path world,
                   std::filesystem::path project, Diagnostics& diagnostics)
    : options_(options),
      library_(library),
      world_(std::move(world)),
      project_(std::move(project)),
      diagnostics_(diagnostics) {}

std::vector<NodePtr> Expander::world(const Document& document) {
  Scope scope{document, nullptr, nullptr, &document.def_names, {}};
  coordinate_system_ = coordinate_system(document);
  std::vector<NodePtr> out;
  for (const auto& raw : document.nodes) {
    if (NodePtr expanded = node(*raw, scope)) out.push_back(std::move(expanded));
  }
  return out;
}

NodePtr Expander::proto(const std::shared_ptr<const Document>& document) {
  Node raw;
  raw.type = document->proto->name;
  raw.place = document->proto->place;
  Scope scope{*document, nullptr, nullptr, nullptr, {}};
  return instance(raw, scope, document);
}

/// Counts what the tree holds: nodes, and lists by their length. False with an error when it is
/// more than `max_nodes`.
bool Expander::count(std::size_t nodes, const Place& place,
                     const std::shared_ptr<const Instantiation>& chain) {
  count_ += nodes;
  if (count_ <= options_.max_nodes) return true;
  if (!std::exchange(full_, true)) {
    diagnostics_.error(place,
                       "the world has more than " + std::to_string(options_.max_nodes) + " nodes",
                       "", chain);
  }
  return false;
}

bool Expander::enter(const Place& place, const Scope& scope) {
  if (too_many(diagnostics_) || !count(1, place, scope.chain)) return false;
  if (depth_ >= kMaxTreeDepth) {
    if (!std::exchange(too_deep_, true)) {
      diagnostics_.error(
          place, "nodes are nested deeper than " + std::to_string(kMaxTreeDepth) + " levels", "",
          scope.chain);
    }
    return false;
  }
  deepest_ = std::max(deepest_, depth_ + 1);
  return true;
}

NodePtr Expander::node(const Node& raw, Scope& scope) {
  if (!raw.use.empty()) return used(raw, scope);
  if (const std::string_view today = renamed_node(raw.type); !today.empty()) {
    Node copy = raw;
    copy.type = today;
    if (raw.type == "Supervisor") copy.fields.push_back(supervisor_field(raw));
    return node(copy, scope);
  }
  if (!enter(raw.place, scope)) return nullptr;
  const auto defined = [&] {
    const auto found = scope.defs.find(raw.def);
    return found == scope.defs.end() ? nullptr : found->second.node;
  };
  const NodePtr defined_before = raw.def.empty() ? nullptr : defined();
  const std::size_t count_before = count_;
  const int deepest_outside = deepest_;
  deepest_ = ++depth_;
  NodePtr out;
  const bool wheels = raw.type == "DifferentialWheels" && scope.document.version < kR2021b;
  const NodeSchema* schema = options_.schemas->find(wheels ? "Robot" : raw.type);
  if (schema && !is_webots_node(raw.type) && library_.declares(raw.type, scope.document)) {
    schema = nullptr;  // a type of our own has the name of somebody's PROTO
  }
  if (schema) {
    out = built_in(raw, scope, *schema);
  } else {
    bool known = false;
    auto proto = library_.find(raw.type, scope.document, raw.place, scope.chain, known);
    if (proto) {
      out = instance(raw, scope, std::move(proto));
    } else if (const auto today = renamed_proto(scope.document, raw.type);
               !known && !today.empty()) {
      --depth_;
      --count_;
      Node copy = raw;
      copy.type = today;
      return node(copy, scope);
    } else {
      if (!known) unknown(raw, scope);
      skip(raw, scope);
    }
  }
  --depth_;
  const int height = deepest_ - depth_;
  deepest_ = std::max(deepest_, deepest_outside);
  if (!out && !raw.def.empty()) scope.defs[raw.def] = {};
  if (out && !raw.def.empty()) {
    out->def = raw.def;
    // As in Webots, a node inside of this one keeps the name that both have: people name a Solid
    // and its Shape alike, and write USE of that Shape in its boundingObject and in other Solids.
    if (defined() == defined_before) {
      Defined& name = scope.defs[raw.def];
      Defined made{out, count_ - count_before + 1, height};
      if (options_.lenient && once_only(*options_.schemas, out->type)) {
        made.raw = std::make_shared<const Node>(raw);
        if (name.node) made.before = std::make_shared<const Defined>(std::move(name));
      }
      name = std::move(made);
    }
  }
  return out;
}

NodePtr Expander::used(const Node& raw, Scope& scope) {
  auto found = scope.defs.find(raw.use);
  if (found == scope.defs.end() && !scope.bindings && options_.defined_outside) {
    if (NodePtr outside = options_.defined_outside(raw.use))
      found = scope.defs.insert_or_assign(raw.use, Defined{std::move(outside), 1, 1}).first;
  }
  if (found == scope.defs.end()) {
    const auto& names = *scope.def_names;
    const bool later = std::find(names.begin(), names.end(), raw.use) != names.end();
    diagnostics_.error(raw.place,
                       later ? "USE " + raw.use + " stands before the end of DEF " + raw.use
                             : "USE " + raw.use + " has no DEF in this file",
                       later || names.size() > kMaxFields ? "" : did_you_mean(raw.use, names),
                       scope.chain);
    return nullptr;
  }
  const Defined& defined = found->second;
  if (!defined.node) return nullptr;  // skipped: what is wrong with it was said there
  if (const auto again = defined.raw) {
    // As in Webots, whose reference forbids it and whose reader copies the node.
    diagnostics_.warning(raw.place,
                         "USE " + raw.use + " is not allowed: a " + defined.node->type +
                             " stands in one place only; a copy stands here",
                         "", scope.chain);
    // In the copy its name means what it meant there.
    if (const auto before = defined.before) {
      found->second = *before;
    } else {
      scope.defs.erase(found);
    }
    return node(*again, scope);
  }
  if (once_only(*options_.schemas, defined.node->type)) {
    diagnostics_.error(
        raw.place,
        "USE " + raw.use + " is not allowed: a " + defined.node->type + " stands in one place only",
        "write it again or make it a PROTO; --lenient puts a copy here", scope.chain);
    return nullptr;
  }
  count_ += defined.size - 1;
  depth_ += defined.height - 1;
  const bool fits = enter(raw.place, scope);
  depth_ -= defined.height - 1;
  return fits ? defined.node : nullptr;
}

/// Nothing is known of this node: what it defines is not there, and no mistake of who uses it.
void Expander::skip(const Node& raw, Scope& scope) {
  if (!raw.def.empty()) scope.defs[raw.def] = {};
  for (const auto& field : raw.fields) {
    for (const auto& child : field.value.nodes) {
      if (child) skip(*child, scope);
    }
  }
}

void Expander::unknown(const Node& raw, Scope& scope) {
  if (unknown_[raw.type]++ > 0) return;
  auto names = options_.schemas->names();
  const auto protos = library_.names();
  names.insert(names.end(), protos.begin(), protos.end());
  const std::string meant = misspelt_type(raw.type, names);
  std::string hint = meant.empty() ? "" : "did you mean '" + meant + "'?";
  if (raw.type == "DifferentialWheels") {
    hint =
        "Webots has none since R2021b: write a Robot with a HingeJoint and a "
        "RotationalMotor for each wheel";
  }
  if (hint.empty()) hint = "PROTOs are looked for in " + library_.searched_folders();
  Diagnostic diagnostic{options_.lenient ? Severity::kWarning : Severity::kError,
                        raw.place,
                        "unknown node or PROTO '" + raw.type + "'",
                        std::move(hint),
                        scope.chain,
                        raw.type + ".proto"};
  const bool first = unknown_.size() == 1;
  if (first && options_.where_types) diagnostic.notes.push_back(options_.where_types());
  diagnostics_.add(std::move(diagnostic));
}

NodePtr Expander::built_in(const Node& raw, Scope& scope, const NodeSchema& schema) {
  auto out = std::make_shared<Node>();
  out->type = schema.name;
  out->place = raw.place;
  out->expanded_from = scope.chain ? scope.chain : raw.expanded_from;
  out->fields.reserve(raw.fields.size());
  for (const auto& field : raw.fields) {
    if (field.hidden) continue;
    Field copy;
    copy.name = field.name;
    copy.place = field.place;
    if (field.value.kind == Value::Kind::kIs) {
      const FieldSpec* spec = options_.schemas->find_field(schema, field.name);
      if (!linked(field, scope, spec ? &spec->type : nullptr, copy.value)) continue;
      copy.from = link_of(field, scope);
    } else if (!value(field.value, scope, copy.value)) {
      continue;
    }
    out->fields.push_back(std::move(copy));
  }
  if (raw.type != out->type) become_robot(*out, diagnostics_);
  if (scope.document.version < kR2023b) {
    upgrade_node(scope.document, *options_.schemas, *out, in_turned_);
  }
  return out;
}

/// The value with its nodes expanded. False when nothing of it is left.
bool Expander::value(const Value& raw, Scope& scope, Value& out) {
  if (raw.kind != Value::Kind::kNodes) {
    if (!count(nodes_worth(raw), raw.place, scope.chain)) return false;
    out = raw;
    return true;
  }
  out.kind = Value::Kind::kNodes;
  out.bracketed = raw.bracketed;
  out.place = raw.place;
  out.nodes.reserve(raw.nodes.size());
  for (std::size_t i = 0; i < raw.nodes.size(); ++i) {
    NodePtr expanded = raw.nodes[i] ? node(*raw.nodes[i], scope) : nullptr;
    if (raw.nodes[i] && !expanded) continue;
    out.nodes.push_back(std::move(expanded));
    out.offsets.push_back(raw.offsets[i]);
  }
  if (out.nodes.empty() && !raw.bracketed) return false;
  if (out.nodes.empty()) out.kind = Value::Kind::kEmpty;
  return true;
}

}  // namespace protobeam::wbt
