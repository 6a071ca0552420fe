#include "wbt/expand.h"

#include <algorithm>
#include <utility>

#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

constexpr int kMaxTreeDepth = 1000;  ///< of the expanded tree, bounds every recursion over it
constexpr int kMaxProtoDepth = 64;

/// Node types whose local axes changed with R2022a.
constexpr std::string_view kTurnedTypes[] = {
    "Cylinder", "Capsule",  "Cone",     "Plane",     "ElevationGrid", "Camera", "Lidar",
    "Radar",    "Emitter",  "Receiver", "Connector", "TouchSensor",   "Pen",    "RangeFinder",
    "Track",
};

bool once_only(const SchemaRegistry& schemas, const std::string& type) {
  return schemas.is_a(type, "Solid") || schemas.is_a(type, "JointParameters") ||
         schemas.is_a(type, "BallJointParameters") || type == "HingeJoint" ||
         type == "Hinge2Joint" || type == "SliderJoint" || type == "BallJoint" ||
         type == "TrackWheel" || type == "RotationalMotor" || type == "LinearMotor" ||
         type == "PositionSensor" || type == "Brake";
}

std::vector<std::string> parameter_names(const ProtoInterface& proto) {
  std::vector<std::string> out;
  for (const auto& parameter : proto.parameters) out.push_back(parameter.name);
  return out;
}

/// World axes: as WorldInfo says, and before R2020b y up unless it says otherwise.
std::string coordinate_system(const Document& document) {
  for (const auto& node : document.nodes) {
    const Field* field = node->type == "WorldInfo" ? node->find("coordinateSystem") : nullptr;
    if (field && field->value.strings.size() == 1) return field->value.strings[0];
  }
  return document.version < kR2020b ? "NUE" : "ENU";
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

bool Expander::enter(const Place& place, const Scope& scope) {
  if (++count_ > options_.max_nodes) {
    if (!full_) {
      diagnostics_.error(place, "the world has more than " + std::to_string(options_.max_nodes) +
                                    " nodes",
                         "", scope.chain);
    }
    full_ = true;
    return false;
  }
  if (depth_ >= kMaxTreeDepth) {
    if (!too_deep_) {
      diagnostics_.error(place, "nodes are nested deeper than " + std::to_string(kMaxTreeDepth) +
                                    " levels",
                         "", scope.chain);
    }
    too_deep_ = true;
    return false;
  }
  deepest_ = std::max(deepest_, depth_ + 1);
  return true;
}

NodePtr Expander::node(const Node& raw, Scope& scope) {
  if (!raw.use.empty()) return used(raw, scope);
  if (!enter(raw.place, scope)) return nullptr;
  const std::size_t count_before = count_;
  const int deepest_outside = deepest_;
  deepest_ = ++depth_;
  NodePtr out;
  if (const NodeSchema* schema = options_.schemas->find(raw.type)) {
    out = built_in(raw, scope, *schema);
  } else {
    bool known = false;
    auto proto = library_.find(raw.type, scope.document, raw.place, scope.chain, known);
    if (proto) {
      out = instance(raw, scope, std::move(proto));
    } else if (!known) {
      unknown(raw, scope);
    }
  }
  --depth_;
  const int height = deepest_ - depth_;
  deepest_ = std::max(deepest_, deepest_outside);
  if (out && !raw.def.empty()) {
    out->def = raw.def;
    scope.defs[raw.def] = {out, count_ - count_before + 1, height};
  }
  return out;
}

NodePtr Expander::used(const Node& raw, Scope& scope) {
  const auto found = scope.defs.find(raw.use);
  if (found == scope.defs.end()) {
    const auto& names = *scope.def_names;
    const bool later = std::find(names.begin(), names.end(), raw.use) != names.end();
    diagnostics_.error(raw.place,
                       later ? "USE " + raw.use + " stands before the end of DEF " + raw.use
                             : "USE " + raw.use + " has no DEF in this file",
                       later ? "" : did_you_mean(raw.use, names), scope.chain);
    return nullptr;
  }
  const Defined& defined = found->second;
  if (once_only(*options_.schemas, defined.node->type)) {
    diagnostics_.error(raw.place, "USE " + raw.use + " is not allowed: a " + defined.node->type +
                                      " stands in one place only",
                       "write it again or make it a PROTO", scope.chain);
    return nullptr;
  }
  count_ += defined.size - 1;
  depth_ += defined.height - 1;
  const bool fits = enter(raw.place, scope);
  depth_ -= defined.height - 1;
  return fits ? defined.node : nullptr;
}

void Expander::unknown(const Node& raw, Scope& scope) {
  if (unknown_[raw.type]++ > 0) return;
  auto names = options_.schemas->names();
  const auto protos = library_.names();
  names.insert(names.end(), protos.begin(), protos.end());
  std::string hint = did_you_mean(raw.type, names);
  if (hint.empty()) hint = "PROTOs are looked for in " + library_.searched_folders();
  const std::string message = "unknown node or PROTO '" + raw.type + "'";
  if (options_.lenient) {
    diagnostics_.warning(raw.place, message, hint, scope.chain);
  } else {
    diagnostics_.error(raw.place, message, hint, scope.chain);
  }
}

/// One message for a file whose nodes stand in the axes of an older release.
void Expander::check_era(const Node& raw, const Scope& scope, const std::string& type) {
  const Document& document = scope.document;
  if (document.version >= kR2022a || raw.place.source != document.source) return;
  if (std::find(std::begin(kTurnedTypes), std::end(kTurnedTypes), type) == std::end(kTurnedTypes)) {
    return;
  }
  if (std::exchange(old_files_[document.source.get()], true)) return;
  diagnostics_.error(raw.place,
                     "the file is of version " + document.version_text + ", and the axes of " +
                         type + " changed with R2022a: files older than that are not converted",
                     "turn such nodes to z up and x forward and write R2022a or newer into the "
                     "header (Webots' convert_nue_to_enu_rub_to_flu.py does it)",
                     scope.chain);
}

NodePtr Expander::built_in(const Node& raw, Scope& scope, const NodeSchema& schema) {
  check_era(raw, scope, raw.type);
  auto out = std::make_shared<Node>();
  out->type = raw.type;
  out->place = raw.place;
  out->expanded_from = scope.chain;
  out->fields.reserve(raw.fields.size());
  for (const auto& field : raw.fields) {
    if (field.hidden) continue;
    Field copy;
    copy.name = field.name;
    copy.place = field.place;
    if (field.value.kind == Value::Kind::kIs) {
      const FieldSpec* spec = options_.schemas->find_field(schema, field.name);
      if (!linked(field, scope, spec ? &spec->type : nullptr, copy.value)) continue;
    } else if (!value(field.value, scope, copy.value)) {
      continue;
    }
    out->fields.push_back(std::move(copy));
  }
  if (raw.type == "WorldInfo" && !out->find("coordinateSystem") &&
      scope.document.version < kR2020b) {
    Field axes;
    axes.name = "coordinateSystem";
    axes.place = raw.place;
    axes.value.kind = Value::Kind::kStrings;
    axes.value.strings = {"NUE"};
    axes.value.place = raw.place;
    out->fields.push_back(std::move(axes));
  }
  return out;
}

/// The value with its nodes expanded. False when nothing of it is left.
bool Expander::value(const Value& raw, Scope& scope, Value& out) {
  if (raw.kind != Value::Kind::kNodes) {
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

/// `field IS parameter`. `wanted`: the type of the field, null when it is unknown.
bool Expander::linked(const Field& field, Scope& scope, const FieldType* wanted, Value& out) {
  const std::string& name = field.value.strings[0];
  const Place place = field.value.element_place(0);
  if (!scope.bindings) {
    diagnostics_.error(field.value.place, "IS stands outside the body of a PROTO", "", scope.chain);
    return false;
  }
  Bindings& bindings = *scope.bindings;
  const ProtoInterface& proto = *bindings.document->proto;
  const Parameter* parameter = proto.find(name);
  if (!parameter) {
    diagnostics_.error(place, "PROTO " + proto.name + " has no parameter '" + name + "'",
                       did_you_mean(name, parameter_names(proto)));
    return false;
  }
  if (wanted && *wanted != parameter->type) {
    diagnostics_.error(place, "field '" + field.name + "' is " + std::string(to_string(*wanted)) +
                                  ", but parameter '" + name + "' is " +
                                  std::string(to_string(parameter->type)));
    return false;
  }
  const auto index = static_cast<std::size_t>(parameter - proto.parameters.data());
  out = bindings.uses[index]++ == 0 ? bindings.values[index] : copied(bindings.values[index]);
  return true;
}

/// Nodes linked from two places are two nodes, each with a life of its own.
Value Expander::copied(const Value& value) {
  Value out = value;
  std::unordered_map<const Node*, NodePtr> copies;
  const auto copy = [&](const auto& self, const NodePtr& node) -> NodePtr {
    if (!node) return nullptr;
    NodePtr& known = copies[node.get()];
    if (known) return known;
    auto made = std::make_shared<Node>(*node);
    known = made;
    ++count_;
    if (const auto from = instances_.find(node.get()); from != instances_.end()) {
      instances_[made.get()] = Made{made, from->second.bindings};
    }
    for (auto& field : made->fields) {
      for (auto& child : field.value.nodes) child = self(self, child);
    }
    return made;
  };
  for (auto& node : out.nodes) node = copy(copy, node);
  return out;
}

NodePtr Expander::instance(const Node& raw, Scope& scope, std::shared_ptr<const Document> proto) {
  const std::string& name = proto->proto->name;
  int protos = 0;
  for (const auto* step = scope.chain.get(); step; step = step->parent.get()) {
    ++protos;
    if (step->proto != name) continue;
    diagnostics_.error(raw.place, "PROTO '" + name + "' uses itself", "", scope.chain);
    return nullptr;
  }
  if (protos >= kMaxProtoDepth) {
    diagnostics_.error(raw.place, "PROTOs are nested deeper than " +
                                      std::to_string(kMaxProtoDepth) + " levels",
                       "", scope.chain);
    return nullptr;
  }
  auto chain = std::make_shared<Instantiation>();
  chain->proto = name;
  chain->place = raw.place;
  chain->parent = scope.chain;
  auto owned = std::make_shared<Bindings>();
  Bindings& bindings = *owned;
  bindings.document = proto;
  Scope inside{*proto, chain, nullptr, &proto->def_names, {}};
  if (!bind(raw, scope, inside, bindings)) return nullptr;
  inside.bindings = &bindings;
  const auto root = body(bindings, raw.place, inside);
  if (!root) return nullptr;
  NodePtr out = node(*root, inside);
  if (out) {
    out->proto = name;
    out->def.clear();  // a DEF in the body means nothing outside
    if (binding_ > 0) instances_[out.get()] = {out, std::move(owned)};
  }
  return out;
}

bool Expander::bind(const Node& raw, Scope& outside, Scope& inside, Bindings& bindings) {
  const ProtoInterface& proto = *bindings.document->proto;
  const std::size_t count = proto.parameters.size();
  bindings.values.resize(count);
  bindings.given.resize(count);
  bindings.uses.resize(count);
  ++binding_;
  bind_given(raw, outside, bindings);
  const bool good = bind_defaults(inside, bindings);
  --binding_;
  return good;
}

void Expander::bind_given(const Node& raw, Scope& outside, Bindings& bindings) {
  const ProtoInterface& proto = *bindings.document->proto;
  for (const auto& field : raw.fields) {
    if (field.hidden) continue;
    const Parameter* parameter = proto.find(field.name);
    if (!parameter) {
      const std::string message = "unknown field '" + field.name + "' in " + proto.name;
      const std::string hint = did_you_mean(field.name, parameter_names(proto));
      if (options_.lenient) {
        diagnostics_.warning(field.place, message, hint, outside.chain);
      } else {
        diagnostics_.error(field.place, message, hint, outside.chain);
      }
      continue;
    }
    const auto index = static_cast<std::size_t>(parameter - proto.parameters.data());
    if (bindings.given[index]) {
      diagnostics_.warning(field.place, "field '" + field.name + "' of " + proto.name +
                                            " is written twice: the last one counts",
                           "", outside.chain);
    }
    Value bound;
    if (field.value.kind == Value::Kind::kIs) {
      if (!linked(field, outside, &parameter->type, bound)) continue;
    } else {
      if (!value(field.value, outside, bound)) continue;
      const ValueContext context{"field '" + field.name + "' of " + proto.name, outside.chain,
                                 diagnostics_};
      if (!fit(bound, parameter->type, context)) continue;
    }
    if (parameter->allowed) restrict(*parameter, bound, outside, false);
    if (bound.kind == Value::Kind::kEmpty && !is_multi(parameter->type)) continue;
    bindings.values[index] = std::move(bound);
    bindings.given[index] = true;
  }
}

bool Expander::bind_defaults(Scope& inside, Bindings& bindings) {
  const ProtoInterface& proto = *bindings.document->proto;
  for (std::size_t i = 0; i < proto.parameters.size(); ++i) {
    if (bindings.given[i]) continue;
    const Parameter& parameter = proto.parameters[i];
    if (!value(parameter.default_value, inside, bindings.values[i])) {
      // A default node that could not be made (reported): nothing stands there.
      bindings.values[i] = Value{Value::Kind::kNodes, false, {}, {}, {nullptr}, {},
                                 parameter.default_value.place};
    }
    const ValueContext context{"parameter '" + parameter.name + "' of PROTO " + proto.name, nullptr,
                               diagnostics_};
    if (!fit(bindings.values[i], parameter.type, context)) return false;
    if (parameter.allowed) restrict(parameter, bindings.values[i], inside, true);
  }
  return true;
}

bool Expander::name_matches(const Node& node, const Value& allowed) const {
  return std::any_of(allowed.nodes.begin(), allowed.nodes.end(), [&](const NodePtr& type) {
    return type && (type->type == node.proto || options_.schemas->is_a(node.type, type->type));
  });
}

/// Values outside the list that the interface gives: dropped, so that the default counts.
void Expander::restrict(const Parameter& parameter, Value& value, const Scope& scope,
                        bool is_default) {
  const Value& allowed = *parameter.allowed;
  const auto size = static_cast<std::size_t>(std::max(1, components(parameter.type)));
  std::string refused;
  Place refused_at;
  Value kept;
  const std::size_t count = element_count(value, parameter.type);
  for (std::size_t i = 0; i < count; ++i) {
    bool good = false;
    std::string word;
    if (value.kind == Value::Kind::kNodes) {
      good = !value.nodes[i] || name_matches(*value.nodes[i], allowed);
      if (value.nodes[i]) word = value.nodes[i]->type;
    } else if (value.kind == Value::Kind::kStrings) {
      word = '"' + value.strings[i] + '"';
      good = std::find(allowed.strings.begin(), allowed.strings.end(), value.strings[i]) !=
             allowed.strings.end();
    } else {
      const auto first = value.numbers.begin() + static_cast<std::ptrdiff_t>(i * size);
      for (std::size_t k = 0; k < size; ++k) word += (k ? " " : "") + shown(value.numbers[i * size + k]);
      for (std::size_t a = 0; a + size <= allowed.numbers.size(); a += size) {
        good = good || std::equal(first, first + static_cast<std::ptrdiff_t>(size),
                                  allowed.numbers.begin() + static_cast<std::ptrdiff_t>(a));
      }
    }
    if (good) {
      if (value.kind == Value::Kind::kNodes) kept.nodes.push_back(value.nodes[i]);
      if (value.kind == Value::Kind::kStrings) kept.strings.push_back(value.strings[i]);
      for (std::size_t k = 0; k < size && !value.numbers.empty(); ++k) {
        kept.numbers.push_back(value.numbers[i * size + k]);
      }
      for (std::size_t k = 0; k < size; ++k) kept.offsets.push_back(value.offsets[i * size + k]);
    } else if (refused.empty()) {
      refused = word;
      refused_at = value.element_place(i * size);
    }
  }
  if (refused.empty()) return;
  if (is_default) {
    diagnostics_.error(refused_at, "the default " + refused + " of parameter '" + parameter.name +
                                       "' is not among its allowed values");
    return;
  }
  const bool multi = is_multi(parameter.type);
  diagnostics_.warning(refused_at, refused + " is not allowed for parameter '" + parameter.name +
                                       "': " + (multi ? "it is left out" : "the default counts"),
                       "", scope.chain);
  kept.kind = kept.offsets.empty() ? Value::Kind::kEmpty : value.kind;
  kept.bracketed = value.bracketed;
  kept.place = value.place;
  value = std::move(kept);
}

}  // namespace protobeam::wbt
