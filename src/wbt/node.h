// The node tree: what a world says, once as it is written and once expanded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "base/place.h"
#include "wbt/elements.h"

namespace protobeam::wbt {

struct Node;
using NodePtr = std::shared_ptr<Node>;

/// What stands behind a field name. The grammar needs no types: a value ends where the next field
/// name begins.
struct Value {
  enum class Kind : std::uint8_t {
    kEmpty,  ///< [ ]
    kBools,  ///< in `numbers`, 0 or 1
    kNumbers,
    kStrings,
    kNodes,  ///< NULL is a null pointer, USE shares the node
    kIs,     ///< IS parameter (in `strings`); only inside PROTO bodies, gone after expansion
  };
  Kind kind = Kind::kEmpty;
  bool bracketed = false;  ///< written with [ ]
  Elements<double> numbers;
  std::vector<std::string> strings;
  std::vector<NodePtr> nodes;
  /// Byte offset of each element in `place.source` (numbers: of each number).
  Elements<std::uint32_t> offsets;
  Place place;  ///< of the whole value; its source's path is what relative urls are relative to

  /// Where element `index` was written.
  Place element_place(std::size_t index) const;
};

struct ProtoInstance;

/// A parameter of an instance, as IS names it.
struct ParameterLink {
  std::weak_ptr<ProtoInstance> instance;
  int parameter = -1;  ///< position in the interface
};

struct Field {
  std::string name;
  Value value;
  Place place;          ///< of the name
  bool hidden = false;  ///< "hidden translation_2 ..." entries of saved worlds
  ParameterLink from;   ///< after expansion: where IS took the value from
};

/// The axes of a node that was written before R2022a, which turned those of some types.
enum class OldAxes : std::uint8_t {
  kNone,             ///< those of today
  kStandsAlongY,     ///< a geometry; today along z
  kLooksAlongMinusZ, ///< ... with y up; today along x with z up
  kLooksAlongZ,      ///< today along x
  kLooksAlongMinusY, ///< today along -z
};

struct Node {
  std::string type;   ///< after expansion: the base node type ("Lidar")
  std::string proto;  ///< after expansion: the PROTO that the text named ("VelodyneVLP-16"), or ""
  std::string def;    ///< DEF name or ""
  std::string use;    ///< before expansion: USE name; `type` is empty then
  Place place;        ///< of the type name
  /// The PROTOs whose bodies hold `place`. A document that comes from another language has what
  /// brought its text there.
  std::shared_ptr<const Instantiation> expanded_from;
  OldAxes old_axes = OldAxes::kNone;
  /// By what a node written before R2023b scales the bodies in it, itself among them: then a body's
  /// mass, inertia and centre of mass were meant before its scale.
  double old_body_scale = 1;
  /// Of a joint: the radius of its wheel, m, as a DifferentialWheels without Physics said; 0: none.
  double old_wheel_radius = 0;
  /// After expansion, of a node that a PROTO has made: the outermost one.
  std::shared_ptr<ProtoInstance> instance;
  std::vector<Field> fields;           ///< only what is written (or comes from PROTO parameters)
  const NodeSchema* schema = nullptr;  ///< set by the type check

  const Field* find(std::string_view name) const;
  Field* find(std::string_view name);
};

struct Document;

/// What a node was made of that is the instance of a PROTO.
struct ProtoInstance {
  std::shared_ptr<const Document> document;  ///< with the interface
  std::vector<Value> values;                 ///< by parameter, expanded
  std::vector<bool> given;                   ///< by parameter: written, not the default
  std::vector<ParameterLink> links;          ///< by parameter: of the PROTO around, where IS gave it
  std::shared_ptr<const Instantiation> outside;  ///< the PROTOs around the place of its use
  std::shared_ptr<const Instantiation> inside;   ///< those around its body: itself and `outside`
  /// The PROTO whose instance its body is; null when the body is a node type's.
  std::shared_ptr<ProtoInstance> base;
};

/// Typed view of a checked node, defaults filled in.
class NodeView : public Fields {
 public:
  NodeView(const Node& node, const SchemaRegistry& schemas) : node_(node), schemas_(schemas) {}

  std::string_view node_type() const override { return node_.type; }
  bool boolean(std::string_view name) const override;
  int integer(std::string_view name) const override;
  double number(std::string_view name) const override;
  std::string string(std::string_view name) const override;
  Vec2 vec2(std::string_view name) const override;
  Vec3 vec3(std::string_view name) const override;
  Quat rotation(std::string_view name) const override;
  std::vector<double> numbers(std::string_view name) const override;
  std::vector<std::string> strings(std::string_view name) const override;
  std::unique_ptr<Fields> child(std::string_view name) const override;
  bool is_set(std::string_view name) const override;
  Place place(std::string_view name) const override;

  NodePtr node(std::string_view name) const;  ///< null for NULL
  std::vector<NodePtr> nodes(std::string_view name) const;
  bool has(std::string_view name) const;  ///< the node type has such a field
  const Node& get() const { return node_; }
  const SchemaRegistry& schemas() const { return schemas_; }

 private:
  const Value& value(std::string_view name) const;

  const Node& node_;
  const SchemaRegistry& schemas_;
};

}  // namespace protobeam::wbt
