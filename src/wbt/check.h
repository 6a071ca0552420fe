// The expanded tree against the field tables: types, ranges, allowed nodes, and what no single
// field shows (duplicate names, indices, contradictions).
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/diagnostics.h"
#include "base/field_table.h"
#include "wbt/load.h"
#include "wbt/node.h"

namespace protobeam::wbt {

class Checker {
 public:
  Checker(const LoadOptions& options, Diagnostics& diagnostics)
      : options_(options), schemas_(*options.schemas), diagnostics_(diagnostics) {}

  /// Checks and completes the nodes of a world in place: sets `schema`, gives fields their names of
  /// today, and takes out what is not simulated.
  void world(std::vector<NodePtr>& nodes);
  /// One node that may stand anywhere (a PROTO by itself).
  void proto(NodePtr& node);

 private:
  struct Ignored {
    std::string what;
    int count = 0;
    Place first;
    std::shared_ptr<const Instantiation> chain;
    std::string note;
  };

  void node(NodePtr& node, int depth);
  void rename_fields(Node& node, const NodeSchema& schema);
  void field(Node& node, Field& field, const FieldSpec& spec, int depth);
  bool convert_alias(const Node& node, Field& field, const FieldSpec& old, const FieldSpec& today);
  void check_range(const Node& node, const Field& field, const FieldSpec& spec);
  void check_words(const Node& node, Field& field, const FieldSpec& spec);
  /// Says so if it may not; then it is left out.
  bool may_stand(const Node& owner, const Field& field, const FieldSpec& spec, const Node& child);
  bool slots_match(const Node& outer, const Node& inner);
  void drop_third_slot(Node& second);
  void drop_ignored(std::vector<NodePtr>& nodes, Elements<std::uint32_t>& offsets);
  void become_base(Node& node);
  void ignore(const std::string& key, const std::string& what, const Place& place,
              std::shared_ptr<const Instantiation> chain, const char* predicate,
              const std::string& note = {});
  void report_ignored();
  bool dropped_scale(const Node& node, Field& field);
  void unknown_field(const Node& node, const Field& field, const NodeSchema& schema);

  const LoadOptions& options_;
  const SchemaRegistry& schemas_;
  Diagnostics& diagnostics_;
  std::unordered_set<const Node*> seen_;
  std::map<std::string, Ignored> ignored_;
  std::set<std::string> listed_;  ///< node types whose fields a message has listed
  std::vector<std::string> ignored_order_;
  bool too_deep_ = false;
  bool bounding_ = false;  ///< inside a boundingObject
};

/// What needs several fields or nodes at once, of a tree that went through the Checker.
void check_structure(const std::vector<NodePtr>& nodes, const SchemaRegistry& schemas,
                     Diagnostics& diagnostics);

}  // namespace protobeam::wbt
