#include "wbt/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/libm.h"
#include "base/math.h"
#include "wbt/node_tables.h"
#include "wbt/parser.h"
#include "wbt/repairs.h"
#include "wbt/unknown_field.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

constexpr int kMaxCheckedDepth = 1000;

constexpr const char* kTopLevel =
    "Group|Shape|CadShape|WorldInfo|Viewpoint|Background|Fog|Atmosphere|DirectionalLight|PointLight|"
    "SpotLight|KeyframeAnimation|DistanceJoint|RevoluteJoint|Output|Publishing|Topic";

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::vector<std::string> split(std::string_view allowed) {
  std::vector<std::string> out;
  while (!allowed.empty()) {
    const auto bar = std::min(allowed.find('|'), allowed.size());
    out.emplace_back(allowed.substr(0, bar));
    allowed.remove_prefix(std::min(bar + 1, allowed.size()));
  }
  return out;
}

std::string listed(const std::vector<std::string>& words, const char* quote) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    out += quote + words[i] + quote;
  }
  return out;
}

std::string named(const Field& field, const Node& node) {
  return "field '" + field.name + "' of " + node.type;
}

}  // namespace

void Checker::world(std::vector<NodePtr>& nodes) {
  Node world;
  world.type = "the world";
  Field top;
  top.name = "top level";
  const FieldSpec spec{"top level", FieldType::kMFNode, "[ ]", "", {}, "", kTopLevel};
  Elements<std::uint32_t> offsets = std::vector<std::uint32_t>(nodes.size());
  for (auto& root : nodes) {
    if (too_many(diagnostics_)) break;
    node(root, 1);
    if (!may_stand(world, top, spec, *root)) root = nullptr;
  }
  nodes.erase(std::remove(nodes.begin(), nodes.end(), nullptr), nodes.end());
  offsets.edit().resize(nodes.size());
  drop_ignored(nodes, offsets);
  report_ignored();
}

void Checker::proto(NodePtr& root) {
  node(root, 1);
  std::vector<NodePtr> nodes{root};
  Elements<std::uint32_t> offsets = {0};
  drop_ignored(nodes, offsets);
  report_ignored();
}

void Checker::node(NodePtr& pointer, int depth) {
  Node& node = *pointer;
  if (!seen_.insert(&node).second) return;
  if (depth > kMaxCheckedDepth) {
    if (!std::exchange(too_deep_, true)) {
      diagnostics_.error(
          node.place, "nodes are nested deeper than " + std::to_string(kMaxCheckedDepth) + " levels",
          "", node.expanded_from);
    }
    node.fields.clear();
    return;
  }
  const NodeSchema* schema = schemas_.find(node.type);
  if (!schema) return;  // reported by the expansion
  node.schema = schema;
  if (schema->not_simulated) ignore(node.type, node.type, node.place, node.expanded_from, "");
  rename_fields(node, *schema);
  for (std::size_t i = 0; i < node.fields.size() && !too_many(diagnostics_);) {
    Field& written = node.fields[i];
    const FieldSpec* spec = schemas_.find_field(*schema, written.name);
    if (!spec) {
      if (written.name != "scale" || !dropped_scale(node, written)) {
        unknown_field(node, written, *schema);
      }
      node.fields.erase(node.fields.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    field(node, written, *spec, depth);
    ++i;
  }
}

/// Until R2023b bodies had a `scale`, as a rule 1 1 1. True when `field` is that.
bool Checker::dropped_scale(const Node& node, Field& field) {
  if (!schemas_.is_a(node.type, "Solid")) return false;
  const auto chain = chain_of(field.value.place, node.place, node.expanded_from);
  if (!fit(field.value, FieldType::kVec3f, {named(field, node), chain, diagnostics_})) return true;
  if (field.value.numbers == std::vector<double>{1, 1, 1}) return true;
  diagnostics_.warning(field.value.place,
                       named(field, node) + " is skipped: since R2023b bodies have no scale",
                       "put the shapes into a Transform with this scale", chain);
  return true;
}

void Checker::unknown_field(const Node& node, const Field& field, const NodeSchema& schema) {
  // Its own fields first: those that all Solids have are not what one looks for.
  std::vector<std::string> names, former;
  for (const NodeSchema* type = &schema; type; type = schemas_.find(type->base)) {
    for (const FieldSpec& spec : type->fields) {
      auto& kind = spec.alias_of ? former : names;
      // A type may give a field of its base another default.
      if (std::find(kind.begin(), kind.end(), spec.name) == kind.end()) {
        kind.emplace_back(spec.name);
      }
    }
  }
  auto unknown = wbt::unknown_field(field.name, node.type, names, former);
  auto chain = chain_of(field.place, node.place, node.expanded_from);
  if (!unknown.note.empty() && !listed_.insert(node.type).second) unknown.note.clear();
  if (!unknown.mistake) {
    ignore(node.type + "." + field.name, unknown.message, field.place, std::move(chain), "",
           unknown.note);
    return;
  }
  Diagnostic diagnostic{options_.lenient ? Severity::kWarning : Severity::kError, field.place,
                        std::move(unknown.message), std::move(unknown.hint), std::move(chain)};
  if (!unknown.note.empty()) diagnostic.notes.push_back(std::move(unknown.note));
  diagnostics_.add(std::move(diagnostic));
}

/// Old spellings become today's, and of two values for one field the last one stays.
void Checker::rename_fields(Node& node, const NodeSchema& schema) {
  for (std::size_t i = 0; i < node.fields.size();) {
    Field& field = node.fields[i];
    const FieldSpec* spec = schemas_.find_field(schema, field.name);
    const FieldSpec* today =
        spec && spec->alias_of ? schemas_.find_field(schema, spec->alias_of) : nullptr;
    if (today && !convert_alias(node, field, *spec, *today)) {
      node.fields.erase(node.fields.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    ++i;
  }
  for (std::size_t i = 0; i < node.fields.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (node.fields[k].name != node.fields[i].name) continue;
      diagnostics_.warning(node.fields[i].place,
                           named(node.fields[i], node) + " is written twice: the last one counts",
                           "", chain_of(node.fields[i].place, node.place, node.expanded_from));
      node.fields.erase(node.fields.begin() + static_cast<std::ptrdiff_t>(k));
      --i;
      break;
    }
  }
}

bool Checker::convert_alias(const Node& node, Field& field, const FieldSpec& old,
                            const FieldSpec& today) {
  const ValueContext context{named(field, node),
                             chain_of(field.value.place, node.place, node.expanded_from),
                             diagnostics_};
  if (!fit(field.value, old.type, context)) return false;
  field.name = today.name;
  if (old.type == FieldType::kBool && today.type == FieldType::kString) {
    // Until R2023a a lidar said `spherical TRUE` for what is now projection "cylindrical".
    field.value.strings = {field.value.numbers[0] != 0 ? "cylindrical" : "planar"};
    field.value.numbers = {};
    field.value.kind = Value::Kind::kStrings;
  }
  return true;
}

void Checker::field(Node& node, Field& field, const FieldSpec& spec, int depth) {
  Value& value = field.value;
  const auto chain = chain_of(value.place, node.place, node.expanded_from);
  const ValueContext context{named(field, node), chain, diagnostics_};
  if (single(spec.type) == FieldType::kNode && value.kind == Value::Kind::kNodes) {
    const bool bounding_outside =
        std::exchange(bounding_, bounding_ || field.name == "boundingObject");
    for (auto& child : value.nodes) {
      if (!child || too_many(diagnostics_)) continue;
      this->node(child, depth + 1);
      if (node.type == "Slot" && child->type == "Slot") drop_third_slot(*child);
      if (!may_stand(node, field, spec, *child)) child = nullptr;
    }
    bounding_ = bounding_outside;
    if (!fit(value, spec.type, context)) return;
    drop_ignored(value.nodes, value.offsets);
    if (is_multi(spec.type)) {
      for (std::size_t i = value.nodes.size(); i-- > 0;) {
        if (value.nodes[i]) continue;
        value.nodes.erase(value.nodes.begin() + static_cast<std::ptrdiff_t>(i));
        auto& offsets = value.offsets.edit();
        offsets.erase(offsets.begin() + static_cast<std::ptrdiff_t>(i));
      }
    } else if (value.nodes.empty()) {
      value.nodes.push_back(nullptr);
      value.offsets.push_back(value.place.offset);
    }
    if (value.nodes.empty()) value.kind = Value::Kind::kEmpty;
    return;
  }
  if (node.type == "WorldInfo" && field.name == "gravity" && value.numbers.size() == 3) {
    // Before R2020b gravity was a vector; its direction follows from the coordinate system, and
    // Webots says so each time (WbParser::parseField).
    const double length = libm::hypot(value.numbers[0], value.numbers[1], value.numbers[2]);
    const Field* axes = node.find("coordinateSystem");
    const bool y_up = axes && axes->value.strings.size() == 1 && axes->value.strings[0] != "ENU";
    if (std::abs(value.numbers[y_up ? 1 : 2] + length) > 1e-6 * length) {
      diagnostics_.warning(
          field.value.place,
          fmt::format("the direction of gravity does not count, as in Webots: down is -{} here",
                      y_up ? 'y' : 'z'),
          fmt::format("coordinateSystem \"{}\" makes it -{}", y_up ? "ENU" : "NUE",
                      y_up ? 'z' : 'y'),
          chain);
    }
    value.numbers = {length};
    value.offsets.edit().resize(1);
    value.bracketed = false;
  }
  if (spec.type == FieldType::kInt32 && value.kind == Value::Kind::kBools && value.numbers.size() == 1) {
    // ImageTexture.filtering until V8.6, Recognition.occlusion until R2023a.
    value.kind = Value::Kind::kNumbers;
    value.numbers.edit()[0] *= field.name == "filtering" ? 4 : 1;
  }
  if (!fit(value, spec.type, context)) return;
  repair_numbers(node, field, chain, diagnostics_);
  warn_of_unused(node, field, chain, diagnostics_);
  check_range(node, field, spec);
  check_words(node, field, spec);
  if (spec.not_simulated && !equal_values(value, parse_value(spec.default_text))) {
    ignore(node.type + "." + field.name, "field '" + field.name + "' of " + node.type, field.place,
           chain_of(field.place, node.place, node.expanded_from), " is not simulated");
  }
}

void Checker::check_range(const Node& node, const Field& field, const FieldSpec& spec) {
  const FieldType type = single(spec.type);
  if (type == FieldType::kBool || type == FieldType::kString || type == FieldType::kNode) return;
  for (std::size_t i = 0; i < field.value.numbers.size(); ++i) {
    const double number = field.value.numbers[i];
    if (std::isnan(number) || spec.range.contains(number)) continue;
    const double radians = number * kPi / 180;
    const bool degrees = std::string_view(spec.unit) == "rad" && spec.range.contains(radians);
    diagnostics_.error(
        field.value.element_place(i),
        named(field, node) + " must be " + spec.range.to_string() + ", got " + shown(number),
        degrees ? fmt::format("{} degrees are {:.5g}", shown(number), radians) : "",
        chain_of(field.value.place, node.place, node.expanded_from));
    return;  // one message for a list
  }
}

void Checker::check_words(const Node& node, Field& field, const FieldSpec& spec) {
  if (single(spec.type) != FieldType::kString || spec.allowed[0] == '\0') return;
  const auto allowed = split(spec.allowed);
  for (std::size_t i = 0; i < field.value.strings.size(); ++i) {
    std::string& word = field.value.strings[i];
    const auto match = std::find_if(allowed.begin(), allowed.end(), [&](const std::string& known) {
      return same_word(known, word);
    });
    if (match != allowed.end()) {
      word = *match;
      continue;
    }
    const auto chain = chain_of(field.value.place, node.place, node.expanded_from);
    std::string message = named(field, node) + " must be " + listed(allowed, "\"") + ", got \"" + word + "\"";
    if (takes_default_for_words(node, field)) {
      const std::string usual = parse_value(spec.default_text).strings.at(0);
      diagnostics_.warning(field.value.element_place(i),
                           fmt::format("{}: \"{}\" counts, as in Webots", message, usual),
                           did_you_mean(word, allowed), chain);
      word = usual;
      continue;
    }
    diagnostics_.error(field.value.element_place(i), std::move(message), did_you_mean(word, allowed),
                       chain);
  }
}

namespace {

/// As written; empty fits all.
std::string slot_type(const Node& slot) {
  const Field* field = slot.find("type");
  return field && field->value.strings.size() == 1 ? field->value.strings[0] : "";
}

}  // namespace

/// Types are equal, or differ in their gender: the + or - at their ends
/// (Webots, WbNodeUtilities::isSlotTypeMatch).
bool Checker::slots_match(const Node& outer, const Node& inner) {
  const std::string wanted = slot_type(outer), type = slot_type(inner);
  if (wanted.empty() || type.empty()) return true;
  const bool gendered = type.back() == '+' || type.back() == '-';
  const auto base = [](const std::string& word) {
    return std::string_view(word).substr(0, word.size() - 1);
  };
  if (gendered ? base(type) == base(wanted) && type != wanted : type == wanted) return true;
  std::string fitting = wanted;
  if (wanted.back() == '+' || wanted.back() == '-')
    fitting.back() = wanted.back() == '+' ? '-' : '+';
  const bool same_gender = gendered && type == wanted;
  diagnostics_.warning(
      inner.find("type")->value.element_place(0),
      fmt::format("a Slot of the type \"{}\" does not fit into one of the type \"{}\"{}: nothing "
                  "stands there, as in Webots",
                  type, wanted, same_gender ? ", which has the same gender" : ""),
      same_gender ? fmt::format("\"{}\" would", fitting)
                  : did_you_mean(type, std::vector<std::string>{fitting}),
      inner.expanded_from);
  return false;
}

/// Of two Slots, one in the other (Webots, WbNodeUtilities::isAllowedToInsert).
void Checker::drop_third_slot(Node& second) {
  Field* end = second.find("endPoint");
  if (!end || end->value.nodes.size() != 1) return;
  NodePtr& third = end->value.nodes[0];
  if (!third || third->type != "Slot") return;
  diagnostics_.warning(third->place,
                       "a third Slot stands in two others: nothing stands there, as in Webots", "",
                       third->expanded_from);
  third = nullptr;
}

bool Checker::may_stand(const Node& owner, const Field& field, const FieldSpec& spec,
                        const Node& child) {
  if (owner.type == "Slot" && child.type == "Slot" && !slots_match(owner, child)) return false;
  if (spec.allowed[0] == '\0') return true;
  const NodeSchema* schema = schemas_.find(child.type);
  if (!schema || schema->not_simulated) return true;
  if (child.type == "Slot") {
    // Slots are transparent: what stands in them stands here.
    const Field* inner = child.find("endPoint");
    const bool filled = inner && inner->value.kind == Value::Kind::kNodes &&
                        inner->value.nodes.size() == 1 && inner->value.nodes[0];
    return !filled || may_stand(owner, field, spec, *inner->value.nodes[0]);
  }
  // Inside a boundingObject, Pose and Group hold the geometry itself.
  const auto allowed = split(bounding_ && field.name == "children" ? kBounding : spec.allowed);
  for (const auto& type : allowed) {
    if (schemas_.is_a(child.type, type)) return true;
  }
  // What is only there to be extended stands for the types that do.
  std::vector<std::string> shown;
  for (const auto& type : allowed) {
    const bool joint_base = type == "JointDevice" || type == "RotationalDevice" || type == "LinearDevice";
    const auto types = joint_base ? schemas_.types_of(type) : std::vector<std::string>{type};
    shown.insert(shown.end(), types.begin(), types.end());
  }
  const std::string where =
      field.name == "top level" ? "at the top level of a world" : "in " + named(field, owner);
  diagnostics_.left_out(child.place, "a " + child.type + " cannot stand " + where,
                        "allowed: " + listed(shown, ""), child.expanded_from);
  return false;
}

void Checker::drop_ignored(std::vector<NodePtr>& nodes, Elements<std::uint32_t>& offsets) {
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i] || !nodes[i]->schema || !nodes[i]->schema->not_simulated) continue;
    // A plugin's: controllers find it.
    if (schemas_.is_a(nodes[i]->type, "Device")) continue;
    // A camera takes no pictures, but a viewer draws what it would see.
    if (nodes[i]->type == "Camera" || nodes[i]->type == "RangeFinder") continue;
    if (schemas_.is_a(nodes[i]->type, "Group")) {
      become_base(*nodes[i]);
    } else {
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
      auto& left = offsets.edit();
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

/// A node that is not simulated, but holds others: what it extends stays in its place.
void Checker::become_base(Node& node) {
  const NodeSchema* schema = node.schema;
  if (!node.find("name") && schemas_.is_a(node.type, "Solid")) {
    // Its own default name: the one of its Solid would look like a duplicate.
    if (const FieldSpec* name = schemas_.find_field(*schema, "name")) {
      Field field;
      field.name = "name";
      field.place = node.place;
      field.value = parse_value(name->default_text);
      field.value.place = node.place;
      field.value.offsets = {node.place.offset};
      node.fields.push_back(std::move(field));
    }
  }
  while (schema->not_simulated) schema = schemas_.find(schema->base);
  node.type = schema->name;
  node.schema = schema;
  std::erase_if(node.fields,
                [&](const Field& field) { return !schemas_.find_field(*schema, field.name); });
}

void Checker::ignore(const std::string& key, const std::string& what, const Place& place,
                     std::shared_ptr<const Instantiation> chain, const char* predicate,
                     const std::string& note) {
  auto& entry = ignored_[key];
  if (entry.count++ == 0) {
    entry.what = what + predicate;
    entry.first = place;
    entry.chain = std::move(chain);
    entry.note = note;
    ignored_order_.push_back(key);
  }
}

void Checker::report_ignored() {
  for (const auto& key : ignored_order_) {
    const auto& entry = ignored_[key];
    const bool is_field = key.find('.') != std::string::npos;
    std::string message;
    if (is_field) {
      message = entry.what;
      if (entry.count > 1) message += " (written " + std::to_string(entry.count) + " times)";
    } else {
      message = std::to_string(entry.count) + " " + entry.what +
                (entry.count == 1 ? " node is not simulated" : " nodes are not simulated");
    }
    Diagnostic diagnostic{Severity::kWarning, entry.first, std::move(message), "", entry.chain};
    if (!entry.note.empty()) diagnostic.notes.push_back(entry.note);
    diagnostics_.add(std::move(diagnostic));
  }
}

}  // namespace protobeam::wbt
