// Nodes of the typed tree out of XML: each node, field and value has the place of the text that it
// comes from, so that what the loader says of it points into the XML.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/math.h"
#include "mvsim/element.h"
#include "wbt/node.h"

namespace protobeam::mvsim {

/// Where a text was written, and what brought it there.
struct Origin {
  Place place;
  std::shared_ptr<const Instantiation> chain;

  Origin(Place where, std::shared_ptr<const Instantiation> through)
      : place(std::move(where)), chain(std::move(through)) {}
  Origin(const Element& element)  // NOLINT(google-explicit-constructor): an element has one
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
  NodeMaker& node(const char* field, wbt::NodePtr value);  ///< nothing is written for null
  NodeMaker& nodes(const char* field, std::vector<wbt::NodePtr> values);

  wbt::NodePtr take() { return std::move(node_); }

 private:
  wbt::Field& add(const char* field, wbt::Value::Kind kind, bool list, const Place& place);

  wbt::NodePtr node_;
};

/// Yaw, pitch and roll: about z, then the new y, then the new x.
Quat rotation_of(double yaw, double pitch, double roll);

}  // namespace protobeam::mvsim
