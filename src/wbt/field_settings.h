// Fields of a world that are set from outside of its text: `run --set PATH=VALUE`.
//
// A PATH is what has the field, a dot, and the field's name. What has it is, in this order:
//   CAR, ARM.HAND     a node by its DEF, in the world's own text; a HAND somewhere in an ARM
//   my robot          ... by its field `name`, or the name that its PROTO gives it
//   WorldInfo         ... by its type or PROTO, when there is only one such node
//   my robot/lidar    a device or Solid in a robot, also where a PROTO put it there
//   lidar             ... when only one robot has it
// A node in the text is changed before PROTOs are expanded: parameters of PROTOs are fields, and
// their templates see the value. The others are changed after that.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "wbt/load.h"
#include "wbt/resolve.h"

namespace protobeam::wbt {

/// "PATH=VALUE", split at the first '='. Throws std::invalid_argument.
FieldSetting parse_setting(std::string_view text, std::string origin);

class FieldSetter {
 public:
  FieldSetter(const LoadOptions& options, ProtoLibrary& library, Diagnostics& diagnostics)
      : options_(options), library_(library), diagnostics_(diagnostics) {}

  /// Sets what names a node in the text: its nodes are changed, not copied.
  void set_in_text(const Document& document);
  /// Sets the rest, in the expanded tree. A path that names nothing is an error.
  void set_in_tree(const std::vector<NodePtr>& nodes);

 private:
  struct TextNode {
    NodePtr node;
    std::string name;
    int parent;  ///< in the list; -1: at the top of the world
  };
  /// One setting as a text of its own, for messages.
  struct Path {
    const FieldSetting* setting;
    std::string_view owner, field;
    Place place;  ///< of the owner
    Place field_place, value_place;
  };

  std::optional<Path> path_of(const FieldSetting& setting);
  void read_text(const NodePtr& node, int parent, const Document& document);
  std::string name_in_text(const Node& node, const Document& document);
  std::vector<NodePtr> in_text(std::string_view owner) const;
  void read_tree(const NodePtr& node, const std::string& robot);
  /// One node, or null with an error.
  NodePtr only(const std::vector<NodePtr>& found, const Path& path);
  void set(const NodePtr& node, const Path& path, const Document* document);
  std::optional<Value> read_value(const Path& path, FieldType type, const std::string& subject);

  const LoadOptions& options_;
  ProtoLibrary& library_;
  Diagnostics& diagnostics_;
  std::vector<TextNode> text_;
  std::vector<Path> rest_;
  std::vector<std::pair<std::string, NodePtr>> tree_;  ///< "robot", "robot/device"
  std::set<const Node*> seen_;
};

}  // namespace protobeam::wbt
