#include "base/field_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace protobeam {
namespace {

constexpr std::array<std::string_view, 10> kNames = {
    "", "Bool", "Int32", "Float", "Vec2f", "Vec3f", "Rotation", "Color", "String", "Node"};
constexpr std::array<std::string_view, 10> kSingle = {
    "", "SFBool", "SFInt32", "SFFloat", "SFVec2f", "SFVec3f", "SFRotation", "SFColor", "SFString",
    "SFNode"};
constexpr std::array<std::string_view, 10> kMulti = {
    "", "MFBool", "MFInt32", "MFFloat", "MFVec2f", "MFVec3f", "MFRotation", "MFColor", "MFString",
    "MFNode"};

std::string shown(double value) {
  std::ostringstream out;
  out << std::setprecision(12) << value;
  return out.str();
}

}  // namespace

int components(FieldType type) {
  constexpr std::array<int, 10> kComponents = {0, 1, 1, 1, 2, 3, 4, 3, 0, 0};
  return kComponents[static_cast<unsigned>(single(type))];
}

std::string_view to_string(FieldType type) {
  const auto index = static_cast<unsigned>(single(type));
  return is_multi(type) ? kMulti[index] : kSingle[index];
}

bool parse_field_type(std::string_view name, FieldType& type) {
  if (name.size() < 3 || name[1] != 'F' || (name[0] != 'S' && name[0] != 'M')) return false;
  for (unsigned i = 1; i < kNames.size(); ++i) {
    if (name.substr(2) == kNames[i]) {
      type = static_cast<FieldType>(i + (name[0] == 'M' ? 0x10u : 0u));
      return true;
    }
  }
  return false;
}

bool Range::contains(double value) const {
  if (std::isnan(value)) return false;
  if (value == special) return true;
  if (std::isinf(min) && std::isinf(max)) return std::isfinite(value);
  const bool above = min_open ? value > min : value >= min;
  const bool below = max_open ? value < max : value <= max;
  return above && below && std::isfinite(value);
}

std::string Range::to_string() const {
  std::string out;
  const bool has_min = std::isfinite(min), has_max = std::isfinite(max);
  if (has_min && has_max) {
    out = std::string("in ") + (min_open ? "(" : "[") + shown(min) + ", " + shown(max) +
          (max_open ? ")" : "]");
  } else if (has_min) {
    out = (min_open ? "> " : ">= ") + shown(min);
  } else if (has_max) {
    out = (max_open ? "< " : "<= ") + shown(max);
  }
  if (!std::isnan(special) && !out.empty()) out += " or " + shown(special);
  return out;
}

void SchemaRegistry::add(const NodeSchema& schema) {
  schemas_[schema.name] = std::make_unique<NodeSchema>(schema);
}

void SchemaRegistry::set_resolver(std::function<const NodeSchema*(std::string_view)> resolver,
                                  std::function<std::vector<std::string>()> offered) {
  resolver_ = std::move(resolver);
  offered_ = std::move(offered);
}

const NodeSchema* SchemaRegistry::find(std::string_view name) const {
  if (name.empty()) return nullptr;
  const auto known = schemas_.find(name);
  // What the tables only know by name, a plugin may simulate; null: asked for before.
  const bool settled = known != schemas_.end() && (resolved_.contains(name) || !known->second ||
                                                   !known->second->not_simulated);
  if (settled) return known->second.get();
  const NodeSchema* found = resolver_ ? resolver_(name) : nullptr;
  if (!found && known != schemas_.end()) return known->second.get();
  // A null entry remembers that nobody has it.
  auto& slot = schemas_[std::string(name)];
  if (found) slot = std::make_unique<NodeSchema>(*found);
  if (found) resolved_.emplace(name);
  return slot.get();
}

const FieldSpec* SchemaRegistry::find_field(const NodeSchema& schema, std::string_view field) const {
  for (const auto& spec : schema.fields) {
    if (field == spec.name) return &spec;
  }
  const NodeSchema* base = find(schema.base);
  return base ? find_field(*base, field) : nullptr;
}

std::vector<const FieldSpec*> SchemaRegistry::fields(const NodeSchema& schema) const {
  std::vector<const FieldSpec*> all;
  if (const NodeSchema* base = find(schema.base)) all = fields(*base);
  for (const auto& spec : schema.fields) {
    bool replaced = false;  // a derived type may give a field another default ("name")
    for (auto& known : all) {
      if (std::string_view(known->name) == spec.name) {
        known = &spec;
        replaced = true;
      }
    }
    if (!replaced) all.push_back(&spec);
  }
  return all;
}

bool SchemaRegistry::is_a(std::string_view type, std::string_view ancestor) const {
  if (type == ancestor) return true;
  const NodeSchema* schema = find(type);
  return schema && schema->base[0] != '\0' && is_a(schema->base, ancestor);
}

std::vector<std::string> SchemaRegistry::types_of(std::string_view ancestor) const {
  std::vector<std::string> out;
  for (const std::string& name : names()) {
    if (name != ancestor && is_a(name, ancestor)) out.push_back(name);
  }
  return out;
}

bool is_joint_device(const SchemaRegistry& schemas, std::string_view type) {
  return schemas.is_a(type, "JointDevice") || schemas.is_a(type, "RotationalDevice") ||
         schemas.is_a(type, "LinearDevice");
}

std::vector<std::string> SchemaRegistry::names() const {
  std::vector<std::string> out = offered_ ? offered_() : std::vector<std::string>{};
  for (const auto& [name, schema] : schemas_) {
    if (schema) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace protobeam
