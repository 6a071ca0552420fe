// Field tables: what a node type is made of. One table is at once the schema that the loader
// checks, the defaults, the listing of `info nodes` and the page docs/nodes/NAME.md.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam {

/// Webots' field types. MF types are the SF type with kMulti set (as in WbFieldType: 0x10).
enum class FieldType : std::uint8_t {
  kBool = 1, kInt32, kFloat, kVec2f, kVec3f, kRotation, kColor, kString, kNode,
  kMFBool = 0x11, kMFInt32, kMFFloat, kMFVec2f, kMFVec3f, kMFRotation, kMFColor, kMFString, kMFNode,
};
constexpr bool is_multi(FieldType type) { return (static_cast<unsigned>(type) & 0x10u) != 0; }
constexpr FieldType single(FieldType type) {
  return static_cast<FieldType>(static_cast<unsigned>(type) & 0x0fu);
}
/// Numbers in one element: 1 for Bool, Int32 and Float, 2, 3, 4, 3 for the vectors, rotation and
/// colour, 0 for strings and nodes.
int components(FieldType type);
/// "SFVec3f", "MFNode", ...
std::string_view to_string(FieldType type);
/// The inverse of to_string; false when `name` is no field type.
bool parse_field_type(std::string_view name, FieldType& type);

/// Allowed interval for each number of a field. Defaults to everything finite.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;  ///< min itself is not allowed
  bool max_open = false;
  /// One value outside the interval that means "not set" or "unlimited" (-1 in Webots); NaN: none.
  double special = std::numeric_limits<double>::quiet_NaN();

  bool contains(double value) const;
  /// "> 0", "in [0, 1]", ">= 0 or -1"; "" when unlimited.
  std::string to_string() const;

  static Range any() { return {}; }
  static Range positive() { Range r; r.min = 0; r.min_open = true; return r; }
  static Range at_least(double min) { Range r; r.min = min; return r; }
  static Range between(double min, double max) { Range r; r.min = min; r.max = max; return r; }
  Range or_special(double value) const { Range r = *this; r.special = value; return r; }
};

struct FieldSpec {
  const char* name;
  FieldType type;
  const char* default_text;  ///< as it would be written in a world: "0 0 1 0", "NULL", "[ ]", "\"lidar\""
  const char* unit;          ///< "m", "rad", "N m", "Hz"; "" for none
  Range range;
  const char* meaning;       ///< one line
  const char* allowed = "";  ///< strings or node types, "|" between them; "" for all
  const char* alias_of = nullptr;  ///< an old spelling: the name of the field that it sets
  bool not_simulated = false;      ///< accepted and stored, without effect here: one counted warning
};

inline FieldSpec without_effect(FieldSpec spec) {
  spec.not_simulated = true;
  return spec;
}

/// A node type: its own fields and the node type that it extends.
struct NodeSchema {
  const char* name;
  const char* base;  ///< the node type whose fields it has too ("Solid" for devices); "" for none
  const char* meaning;
  std::vector<FieldSpec> fields;
  bool not_simulated = false;  ///< Webots knows it, we do not simulate it: one counted warning
};

class SchemaRegistry;
/// Stands in the `device` field of a joint.
bool is_joint_device(const SchemaRegistry& schemas, std::string_view type);

/// The node types that are known: built-in ones, and those that plugins bring when first asked for.
class SchemaRegistry {
 public:
  /// Adds or replaces; the registry keeps a copy.
  void add(const NodeSchema& schema);
  /// Asked once for a name that is not known; returns null when nobody has it.
  /// `offered` lists the names that it could answer, for suggestions.
  void set_resolver(std::function<const NodeSchema*(std::string_view name)> resolver,
                    std::function<std::vector<std::string>()> offered = nullptr);

  const NodeSchema* find(std::string_view name) const;
  /// Field of the node type or of a type it extends; null when there is none.
  const FieldSpec* find_field(const NodeSchema& schema, std::string_view field) const;
  /// The types known so far, or offered, that extend `ancestor`, sorted.
  std::vector<std::string> types_of(std::string_view ancestor) const;
  /// All fields, base types' first.
  std::vector<const FieldSpec*> fields(const NodeSchema& schema) const;
  /// `type` is `ancestor` or extends it.
  bool is_a(std::string_view type, std::string_view ancestor) const;
  /// Names of all types known so far and of those that the resolver offers, sorted.
  std::vector<std::string> names() const;

 private:
  mutable std::map<std::string, std::unique_ptr<NodeSchema>, std::less<>> schemas_;
  mutable std::set<std::string, std::less<>> resolved_;  ///< answers of resolver_ in schemas_
  std::function<const NodeSchema*(std::string_view)> resolver_;
  std::function<std::vector<std::string>()> offered_;
};

}  // namespace protobeam
