// Instances of PROTOs: values for their parameters, and IS.
#include <algorithm>
#include <utility>

#include "wbt/differential_wheels.h"
#include "wbt/expand.h"
#include "wbt/saved_motion.h"
#include "wbt/unknown_field.h"
#include "wbt/values.h"
#include "wbt/version_upgrade.h"

namespace protobeam::wbt {
namespace {

constexpr int kMaxProtoDepth = 64;

std::vector<std::string> parameter_names(const ProtoInterface& proto) {
  std::vector<std::string> out;
  for (const auto& parameter : proto.parameters) out.push_back(parameter.name);
  return out;
}

}  // namespace

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
    diagnostics_.left_out(place, "PROTO " + proto.name + " has no parameter '" + name + "'",
                          did_you_mean(name, parameter_names(proto)));
    return false;
  }
  // Before R2020b controllerArgs was one text.
  const bool became_a_list = wanted && scope.document.version < kR2020b && is_multi(*wanted) &&
                             single(*wanted) == parameter->type;
  if (wanted && *wanted != parameter->type && !became_a_list) {
    diagnostics_.error(place, "field '" + field.name + "' is " + std::string(to_string(*wanted)) +
                                  ", but parameter '" + name + "' is " +
                                  std::string(to_string(parameter->type)));
    return false;
  }
  const auto index = static_cast<std::size_t>(parameter - proto.parameters.data());
  if (!count(nodes_worth(bindings.values[index]), place, scope.chain)) return false;
  out = bindings.uses[index]++ == 0 ? bindings.values[index] : copied(bindings.values[index]);
  return true;
}

/// The parameter that a field with IS names; it is there.
ParameterLink Expander::link_of(const Field& field, const Scope& scope) const {
  const ProtoInterface& proto = *scope.bindings->document->proto;
  const Parameter* parameter = proto.find(field.value.strings[0]);
  return {scope.bindings->instance, static_cast<int>(parameter - proto.parameters.data())};
}

/// Nodes linked from two places are two nodes, each with a life of its own.
Value Expander::copied(const Value& value) {
  Value out = value;
  std::unordered_map<const Node*, NodePtr> copies;
  const auto copy = [&](const auto& self, const NodePtr& node) -> NodePtr {
    if (!node) return nullptr;
    NodePtr& known = copies[node.get()];
    if (known) return known;
    if (!count(1, node->place, node->expanded_from)) return nullptr;
    auto made = std::make_shared<Node>(*node);
    known = made;
    if (const auto from = instances_.find(node.get()); from != instances_.end()) {
      instances_[made.get()] = Made{made, from->second.bindings};
    }
    for (auto& field : made->fields) {
      count(nodes_worth(field.value), field.place, node->expanded_from);
      for (auto& child : field.value.nodes) child = self(self, child);
    }
    return made;
  };
  for (auto& node : out.nodes) node = copy(copy, node);
  return out;
}

/// Whether what it makes has other axes than the text that uses it. What stands in the parameters of
/// such a one is turned with it.
bool Expander::is_turned(const Document& proto, const Scope& outside) const {
  return is_younger(proto, outside) && !kept_axes(proto.proto->name);
}

bool Expander::is_younger(const Document& proto, const Scope& outside) const {
  return proto.version >= kR2022a && outside.document.version < kR2022a && !in_turned_;
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
    diagnostics_.error(
        raw.place, "PROTOs are nested deeper than " + std::to_string(kMaxProtoDepth) + " levels",
        "", scope.chain);
    return nullptr;
  }
  auto chain = std::make_shared<Instantiation>();
  chain->proto = name;
  chain->place = raw.place;
  chain->parent = scope.chain ? scope.chain : raw.expanded_from;
  auto owned = std::make_shared<Bindings>();
  Bindings& bindings = *owned;
  bindings.document = proto;
  bindings.instance = std::make_shared<ProtoInstance>();
  Scope inside{*proto, chain, nullptr, &proto->def_names, {}};
  if (!bind(raw, scope, inside, bindings)) return nullptr;
  inside.bindings = &bindings;
  const auto root = body(bindings, raw.place, inside);
  if (!root) return nullptr;
  // What its body holds is not in the parameters of a PROTO that is being bound.
  const bool in_turned = std::exchange(in_turned_, false);
  NodePtr out = node(*root, inside);
  in_turned_ = in_turned;
  if (out) {
    // Parts of the catalogue's are others than those of Webots' PROTOs by their names, and had
    // other axes before R2022a.
    if (scope.document.version >= kR2022a && !library_.is_ours(*proto))
      apply_saved_motion(raw, *options_.schemas, out);
    if (is_turned(*proto, scope)) turn_instance(*options_.schemas, name, *out);
    add_former_wheels(scope.document, *proto, *out);
    out->proto = name;
    out->def.clear();  // a DEF in the body means nothing outside
    ProtoInstance& made = *bindings.instance;
    made.document = proto;
    made.given = bindings.given;
    made.outside = scope.chain;
    made.inside = chain;
    made.base = out->instance;
    out->instance = bindings.instance;
    if (binding_ > 0) {
      made.values = bindings.values;
      instances_[out.get()] = {out, std::move(owned)};
    } else {
      made.values = std::move(bindings.values);
    }
  }
  return out;
}

/// The DEFs of default values count in the text that uses the PROTO, too: from the first parameter
/// behind theirs that is given on, if their own is not (Webots, WbNode::createProtoInstance).
class Expander::DefaultNames {
 public:
  DefaultNames(const Node& raw, const ProtoInterface& proto) {
    for (std::size_t i = 0; i < proto.parameters.size(); ++i) {
      const Parameter& parameter = proto.parameters[i];
      if (parameter.default_value.nodes.empty() || raw.find(parameter.name)) continue;
      std::vector<std::string> names;
      for (const NodePtr& node : parameter.default_value.nodes) collect(node, names);
      if (!names.empty()) names_[i] = std::move(names);
    }
  }
  const std::map<std::size_t, std::vector<std::string>>& names() const { return names_; }
  /// Those before `end` that have not come out yet.
  void put(std::size_t end, const Scope& inside, Scope& outside) {
    while (!names_.empty() && names_.begin()->first < end) {
      for (const std::string& name : names_.begin()->second) {
        if (const auto found = inside.defs.find(name); found != inside.defs.end())
          outside.defs.insert_or_assign(name, found->second);
      }
      names_.erase(names_.begin());
    }
  }

 private:
  static void collect(const NodePtr& node, std::vector<std::string>& names) {
    if (!node) return;
    if (!node->def.empty()) names.push_back(node->def);
    for (const Field& field : node->fields) {
      for (const NodePtr& child : field.value.nodes) collect(child, names);
    }
  }

  std::map<std::size_t, std::vector<std::string>> names_;  ///< by parameter
};

bool Expander::bind(const Node& raw, Scope& outside, Scope& inside, Bindings& bindings) {
  const ProtoInterface& proto = *bindings.document->proto;
  const std::size_t count = proto.parameters.size();
  bindings.values.resize(count);
  bindings.given.resize(count);
  bindings.uses.resize(count);
  bindings.instance->links.resize(count);
  ++binding_;
  const bool turned = is_turned(*bindings.document, outside);
  const bool younger = is_younger(*bindings.document, outside);
  // What it is given stands where it stands itself; its defaults are its own text.
  const bool in_turned = std::exchange(in_turned_, false);
  DefaultNames names(raw, proto);
  std::vector<bool> bound(count);
  bool good = true;
  for (const auto& [index, of_it] : names.names()) {
    good = good && bind_default(index, inside, bindings, younger);
    bound[index] = true;
  }
  in_turned_ = in_turned || turned;
  bind_given(raw, outside, inside, bindings, turned, names);
  names.put(count, inside, outside);
  in_turned_ = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!bindings.given[i] && !bound[i]) good = good && bind_default(i, inside, bindings, younger);
  }
  in_turned_ = in_turned;
  --binding_;
  return good;
}

void Expander::unknown_parameter(const Field& field, const ProtoInterface& proto,
                                 const Scope& outside) {
  std::vector<std::string> names, hidden;
  for (const Parameter& parameter : proto.parameters) {
    const bool shown = parameter.kind != Parameter::Kind::kHidden &&
                       parameter.kind != Parameter::Kind::kDeprecated;
    (shown ? names : hidden).push_back(parameter.name);
  }
  auto unknown = unknown_field(field.name, proto.name, names, hidden);
  const bool error = unknown.mistake && !options_.lenient;
  if (!error && !skipped_.insert(unknown.message).second) return;
  Diagnostic diagnostic{error ? Severity::kError : Severity::kWarning, field.place,
                        std::move(unknown.message), std::move(unknown.hint), outside.chain};
  const bool list = !unknown.note.empty() && listed_.insert(proto.name).second;
  if (list) diagnostic.notes.push_back(std::move(unknown.note));
  diagnostics_.add(std::move(diagnostic));
}

/// `turned`: the PROTO has other axes than the text that uses it, see is_turned().
void Expander::bind_given(const Node& raw, Scope& outside, const Scope& inside, Bindings& bindings,
                          bool turned, DefaultNames& names) {
  const ProtoInterface& proto = *bindings.document->proto;
  for (const auto& field : raw.fields) {
    if (field.hidden) continue;
    const Parameter* parameter =
        proto.find(turned ? turned_name(proto.name, field.name) : std::string_view(field.name));
    if (!parameter) {
      for (const auto& child : field.value.nodes) {
        if (child) skip(*child, outside);
      }
      unknown_parameter(field, proto, outside);
      continue;
    }
    const auto index = static_cast<std::size_t>(parameter - proto.parameters.data());
    if (bindings.given[index]) {
      diagnostics_.warning(
          field.place,
          "field '" + field.name + "' of " + proto.name + " is written twice: the last one counts",
          "", outside.chain);
    }
    names.put(index, inside, outside);
    Value bound;
    if (field.value.kind == Value::Kind::kIs) {
      if (!linked(field, outside, &parameter->type, bound)) continue;
      bindings.instance->links[index] = link_of(field, outside);
    } else {
      if (!value(field.value, outside, bound)) continue;
      const ValueContext context{"field '" + field.name + "' of " + proto.name, outside.chain,
                                 diagnostics_};
      if (!fit(bound, parameter->type, context)) continue;
    }
    if (turned) turn_parameter(proto.name, parameter->name, bound);
    if (parameter->allowed) restrict(*parameter, bound, outside, false);
    if (bound.kind == Value::Kind::kEmpty && !is_multi(parameter->type)) continue;
    bindings.values[index] = std::move(bound);
    bindings.given[index] = true;
  }
}

bool Expander::bind_default(std::size_t index, Scope& inside, Bindings& bindings, bool younger) {
  const ProtoInterface& proto = *bindings.document->proto;
  const Parameter& parameter = proto.parameters[index];
  Value& bound = bindings.values[index];
  if (!value(parameter.default_value, inside, bound)) {
    // A default node that could not be made (reported): nothing stands there.
    bound = Value{Value::Kind::kNodes, false, {}, {}, {nullptr}, {}, parameter.default_value.place};
  }
  const ValueContext context{"parameter '" + parameter.name + "' of PROTO " + proto.name, nullptr,
                             diagnostics_};
  if (!fit(bound, parameter.type, context)) return false;
  if (younger) turn_default(proto.name, parameter.name, bound);
  if (parameter.allowed) restrict(parameter, bound, inside, true);
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
  std::string rejected;
  Place rejected_at;
  Value kept;
  const std::size_t count = element_count(value, parameter.type);
  for (std::size_t i = 0; i < count; ++i) {
    bool good = false;
    std::string word;
    if (value.kind == Value::Kind::kNodes) {
      good = !value.nodes[i] || name_matches(*value.nodes[i], allowed);
      if (value.nodes[i]) word = value.nodes[i]->type;
    } else if (value.kind == Value::Kind::kStrings) {
      word.append(1, '"').append(value.strings[i]).append(1, '"');
      good = std::find(allowed.strings.begin(), allowed.strings.end(), value.strings[i]) !=
             allowed.strings.end();
    } else {
      const auto first = value.numbers.begin() + static_cast<std::ptrdiff_t>(i * size);
      for (std::size_t k = 0; k < size; ++k) {
        if (k > 0) word += ' ';
        word += shown(value.numbers[i * size + k]);
      }
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
    } else if (rejected.empty()) {
      rejected = word;
      rejected_at = value.element_place(i * size);
    }
  }
  if (rejected.empty()) return;
  if (is_default) {
    diagnostics_.error(rejected_at, "the default " + rejected + " of parameter '" + parameter.name +
                                        "' is not among its allowed values");
    return;
  }
  const bool multi = is_multi(parameter.type);
  diagnostics_.warning(rejected_at,
                       rejected + " is not allowed for parameter '" + parameter.name +
                           "': " + (multi ? "it is left out" : "the default counts"),
                       "", scope.chain);
  kept.kind = kept.offsets.empty() ? Value::Kind::kEmpty : value.kind;
  kept.bracketed = value.bracketed;
  kept.place = value.place;
  value = std::move(kept);
}

}  // namespace protobeam::wbt
