// What the C++ classes of supervisors have in common: one object for each thing that was named.
#include <map>
#include <webots/Supervisor.hpp>

namespace webots {

// Never destroyed, as the objects in them: programs keep pointers, also while they end.
Node* Node::findNode(WbNodeRef ref) {
  static auto& all = *new std::map<WbNodeRef, Node*>;
  if (!ref) return nullptr;
  Node*& node = all[ref];
  if (!node) node = new Node(ref);
  return node;
}

Field* Field::findField(WbFieldRef ref) {
  static auto& all = *new std::map<WbFieldRef, Field*>;
  if (!ref) return nullptr;
  Field*& field = all[ref];
  if (!field) field = new Field(ref);
  return field;
}

Proto* Proto::findProto(WbProtoRef ref) {
  static auto& all = *new std::map<WbProtoRef, Proto*>;
  if (!ref) return nullptr;
  Proto*& proto = all[ref];
  if (!proto) proto = new Proto(ref);
  return proto;
}

Proto* Node::getProto() const { return Proto::findProto(wb_supervisor_node_get_proto(ref_)); }
Field* Node::getField(const std::string& name) const {
  return Field::findField(wb_supervisor_node_get_field(ref_, name.c_str()));
}
Field* Node::getFieldByIndex(int index) const {
  return Field::findField(wb_supervisor_node_get_field_by_index(ref_, index));
}
Field* Node::getBaseNodeField(const std::string& name) const {
  return Field::findField(wb_supervisor_node_get_base_node_field(ref_, name.c_str()));
}
Field* Node::getBaseNodeFieldByIndex(int index) const {
  return Field::findField(wb_supervisor_node_get_base_node_field_by_index(ref_, index));
}

Supervisor* Supervisor::internalGetInstance() {
  return dynamic_cast<Supervisor*>(Robot::internalGetInstance());
}

}  // namespace webots
