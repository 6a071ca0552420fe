// Nodes made by a program, out of text of another language (XML): each node, field and value has the
// place of the text that it comes from, so that what the loader says of it points there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/math.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Where a text was written, and what brought it there.
struct Origin {
  Place place;
  std::shared_ptr<const Instantiation> chain;

  Origin(Place where, std::shared_ptr<const Instantiation> through)
      : place(std::move(where)), chain(std::move(through)) {}
  /// Elements of an expanded tree have both.
  template <class Element>
    requires requires(const Element& one) { one.place, one.chain; }
  Origin(const Element& element)  // NOLINT(google-explicit-constructor)
      : place(element.place), chain(element.chain) {}
};

/// Fields without a place of their own take the node's.
class NodeMaker {
 public:
  NodeMaker(std::string type, const Origin& origin);

  NodeMaker& number(const char* field, double value, const Place& place = {});
  NodeMaker& flag(const char* field, bool value, const Place& place = {});
  NodeMaker& text(const char* field, std::string value, const Place& place = {});
  NodeMaker& vec2(const char* field, const Vec2& value, const Place& place = {});
  NodeMaker& vec3(const char* field, const Vec3& value, const Place& place = {});
  /// Nothing is written for the identity.
  NodeMaker& rotation(const char* field, const Quat& value, const Place& place = {});
  NodeMaker& pose(const Pose& X, const Place& place = {});  ///< translation and rotation
  NodeMaker& numbers(const char* field, std::vector<double> values, const Place& place = {});
  NodeMaker& points(const char* field, std::span<const Vec3> values, const Place& place = {});
  NodeMaker& texts(const char* field, std::vector<std::string> values, const Place& place = {});
  NodeMaker& node(const char* field, NodePtr value);  ///< nothing is written for null
  NodeMaker& nodes(const char* field, std::vector<NodePtr> values);

  NodePtr take() { return std::move(node_); }

 private:
  Field& add(const char* field, Value::Kind kind, bool list, const Place& place);

  NodePtr node_;
};

/// Yaw, pitch and roll: about z, then the new y, then the new x. (URDF's and SDF's "rpy" is the same
/// rotation, said as roll, pitch and yaw about fixed axes.)
Quat rotation_of(double yaw, double pitch, double roll);

}  // namespace protobeam::wbt
