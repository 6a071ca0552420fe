// The tree of a world while it runs, as a supervisor sees it: nodes by number and DEF, their fields
// and those of the PROTOs that made them. What is changed can be taken back.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field_table.h"
#include "link/supervisor_messages.h"
#include "wbt/load.h"

namespace protobeam {

/// A field that a supervisor named.
struct TreeField {
  wbt::NodePtr node;  ///< null: the root, whose one field is `children`
  std::string name;
  FieldType type = FieldType::kNode;
  const FieldSpec* spec = nullptr;               ///< of a node type's field
  std::shared_ptr<wbt::ProtoInstance> instance;  ///< of a parameter
  int parameter = -1;

  bool of_root() const { return !node; }
};

class LiveTree {
 public:
  static constexpr int kRoot = 0, kNone = -1;

  /// Numbers the nodes 1, 2, ... as they stand in the text, parents first. `world` must live
  /// longer.
  LiveTree(wbt::LoadedWorld& world, const SchemaRegistry& schemas);

  int id(const wbt::Node* node) const;  ///< kNone for one that is not in the tree
  wbt::NodePtr node(int id) const;      ///< null for the root and for what does not exist
  bool exists(int id) const { return id == kRoot || entries_.contains(id); }
  int parent(int id) const;
  /// All nodes that hold it: several when it is named by USE. Null stands for the root.
  const std::vector<const wbt::Node*>& parents(const wbt::Node& node) const;
  /// The node itself and all below it, parents first.
  std::vector<wbt::NodePtr> subtree(const wbt::NodePtr& node) const;
  /// "A" or "A.B": a B somewhere below an A. What is inside of PROTOs is not found.
  int from_def(std::string_view path) const;
  /// In the body of that PROTO instance.
  int from_proto_def(int proto, std::string_view def) const;
  /// In no PROTO's body: it can be found by its DEF, and stands in the world's text.
  bool in_world_text(int id) const;

  /// Nothing when there is no such field.
  std::optional<TreeField> field(int id, const link::FieldAddress& address) const;
  std::vector<std::string> field_names(int id, const link::FieldAddress& address) const;
  /// It stands in the world's text, not inside of a PROTO: it can be changed.
  bool is_shown(int id, const link::FieldAddress& address) const;
  struct FieldPlace {
    int node = kNone;
    link::FieldAddress address;
  };
  /// The field itself when it is shown, else the shown parameter that it follows; kNone when there
  /// is none.
  FieldPlace shown_field(int id, const link::FieldAddress& address) const;
  /// The PROTO that is `level` steps inside; null when there are fewer.
  std::shared_ptr<wbt::ProtoInstance> proto(int id, int level) const;
  /// What the field holds in the tree, or its default.
  const wbt::Value& value(const TreeField& field) const;
  std::vector<wbt::NodePtr> nodes(const TreeField& field) const;
  /// What a node's field held when the world was loaded.
  wbt::Value original(const TreeField& field) const;
  /// The fields of nodes that a parameter sets.
  std::vector<TreeField> linked(const wbt::ProtoInstance& instance, int parameter) const;
  /// A template in the PROTO's body reads it.
  static bool read_by_template(const wbt::ProtoInstance& instance, int parameter);
  /// ... or one in the body of a PROTO inside that it sets.
  bool feeds_template(const wbt::ProtoInstance& instance, int parameter) const;
  /// The nodes that are of this instance: more than one where a parameter that was given it is used
  /// at several places.
  std::vector<wbt::NodePtr> made_with(const wbt::ProtoInstance& instance) const;
  /// The node and all that is in it once more, of the same instances.
  static wbt::NodePtr copy_of(const wbt::NodePtr& node);
  /// Address of a field of a node type.
  link::FieldAddress address(const TreeField& field) const;
  TreeField field_of(const wbt::NodePtr& node, std::string_view name) const;

  /// Writes it. Nodes in the value become part of the tree, others leave it.
  void set(const TreeField& field, wbt::Value value);

  /// When it comes into the tree, the new node has the number of the old one, which leaves; so do
  /// the nodes in its fields, of a PROTO in its parameters, until end_succession().
  void succeed(const wbt::Node& old, const wbt::NodePtr& node);
  void end_succession() { known_ids_.clear(); }

  /// Takes back all changes. Nodes that have left get new numbers.
  void restore();

  /// Whether anything is not as it was loaded.
  bool is_changed() const {
    return !originals_.empty() || !original_parameters_.empty() || original_nodes_.has_value();
  }

 private:
  struct Entry {
    wbt::NodePtr node;
    std::vector<const wbt::Node*> parents;
    int owner = kNone;  ///< the PROTO instance whose body holds it
  };
  using Slot = std::pair<const wbt::Node*, std::string>;
  using ParameterKey = std::pair<const wbt::ProtoInstance*, int>;

  void add(const wbt::NodePtr& node, const wbt::Node* parent);
  void remove(const wbt::NodePtr& node, const wbt::Node* parent);
  void note(const TreeField& field);
  const std::vector<const FieldSpec*>& fields_of(const std::string& type) const;
  const wbt::Value& default_value(const char* text) const;
  void linked_slots(const wbt::ProtoInstance& instance, int parameter,
                    std::vector<Slot>& out) const;

  wbt::LoadedWorld& world_;
  const SchemaRegistry& schemas_;
  int next_ = 1;
  std::map<int, Entry> entries_;
  std::map<const wbt::Node*, int> ids_;
  std::map<std::string, std::set<int>, std::less<>> defs_;
  std::map<const Instantiation*, int> owners_;  ///< by the PROTOs around their bodies
  std::map<ParameterKey, std::vector<Slot>> links_;
  std::map<ParameterKey, std::vector<std::pair<const wbt::ProtoInstance*, int>>> inner_links_;
  mutable std::map<std::string, std::vector<const FieldSpec*>> fields_;
  mutable std::map<std::string, wbt::Value> defaults_;
  mutable wbt::Value root_children_;

  struct Original {
    wbt::NodePtr node;
    std::optional<wbt::Field> field;  ///< none: it was not written
  };
  struct OriginalParameter {
    std::shared_ptr<wbt::ProtoInstance> instance;
    wbt::Value value;
    bool given;
  };
  std::map<Slot, Original> originals_;
  std::map<ParameterKey, OriginalParameter> original_parameters_;
  std::optional<std::vector<wbt::NodePtr>> original_nodes_;  ///< of the root
  std::map<const wbt::Node*, int> known_ids_;                ///< that nodes get when they come
};

}  // namespace protobeam
