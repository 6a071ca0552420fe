#include <algorithm>
#include <limits>

#include "controller/supervisor_access.h"

using namespace protobeam;
using controller::about;
using controller::kNaN;
using controller::SupervisedWorld;
using controller::Supervision;
using controller::SupervisorOp;
using controller::SupervisorRequest;

namespace {

/// What never changes about a node; false, after a message, when it is not there any more.
bool know(Supervision& call, WbNodeRef node) {
  if (!call.good(node)) return false;
  if (node->known) return true;
  const auto* answer = call.ask(about(SupervisorOp::kNodeInfo, node));
  if (!answer || answer->numbers.size() < 4) return false;
  const std::string& text = answer->text;
  const std::size_t first = text.find('\n'), second = text.find('\n', first + 1);
  if (first == std::string::npos || second == std::string::npos) return false;
  node->def = text.substr(0, first);
  node->type = text.substr(first + 1, second - first - 1);
  node->base_type = text.substr(second + 1);
  node->parent = static_cast<int>(answer->numbers[0]);
  node->is_proto = answer->numbers[1] != 0;
  node->fields = static_cast<int>(answer->numbers[2]);
  node->base_fields = static_cast<int>(answer->numbers[3]);
  node->known = true;
  return true;
}

WbFieldRef field_at(Supervision& call, WbNodeRef node, link::FieldAddress address) {
  SupervisorRequest request = about(SupervisorOp::kFieldInfo, node);
  request.field = address;
  const auto* answer = call.ask(request);
  if (!answer || answer->numbers.empty()) return nullptr;
  return SupervisedWorld::get().field(node, address, answer->text,
                                      static_cast<int>(answer->numbers[0]));
}

WbFieldRef field_named(Supervision& call, WbNodeRef node, std::uint8_t space, std::uint8_t level,
                       const char* name) {
  if (!call.good(node) || !call.good("field_name", name)) return nullptr;
  SupervisorRequest request = about(SupervisorOp::kFieldByName, node);
  request.field = {space, level, -1};
  request.text = name;
  const double* index = call.ask_numbers(request, 1);
  if (!index || *index < 0) return nullptr;
  return field_at(call, node, {space, level, static_cast<std::int32_t>(*index)});
}

WbFieldRef field_numbered(Supervision& call, WbNodeRef node, std::uint8_t space, std::uint8_t level,
                          int index, int count) {
  if (index < 0 || index >= count) {
    call.complain("called with index " + std::to_string(index) + ": there are " +
                  std::to_string(count) + " fields");
    return nullptr;
  }
  return field_at(call, node, {space, level, index});
}

void tell_vectors(Supervision& call, SupervisorOp op, WbNodeRef node,
                  std::initializer_list<const double*> vectors, bool relative) {
  if (!call.good(node)) return;
  SupervisorRequest request = about(op, node);
  for (const double* vector : vectors) {
    if (!call.good(vector, 3)) return;
    request.numbers.insert(request.numbers.end(), vector, vector + 3);
  }
  request.index = relative ? 1 : 0;
  call.tell(std::move(request));
}

void tell_plain(const char* function, SupervisorOp op, WbNodeRef node) {
  Supervision call(function);
  if (call && call.good(node)) call.tell(about(op, node));
}

/// The pose as it is tracked or, if not, as it is.
const double* pose_of(Supervision& call, WbNodeRef node, WbNodeRef from) {
  const auto& world = SupervisedWorld::get();
  const auto found = world.poses.find({node, from ? from->id : -1});
  const auto* tracked = found != world.poses.end() ? world.current(found->second) : nullptr;
  if (tracked) return tracked->numbers.data();
  SupervisorRequest request = about(SupervisorOp::kNodePose, node);
  request.index = from ? from->id : -1;
  return call.ask_numbers(request, 16);
}

bool read_contacts(Supervision& call, WbNodeRef node, bool descendants) {
  if (!call.good(node)) return false;
  SupervisorRequest request = about(SupervisorOp::kNodeContacts, node);
  request.index = descendants ? 1 : 0;
  const auto& world = SupervisedWorld::get();
  const auto found = world.contacts.find(node);
  const bool known = found != world.contacts.end() && found->second.request.index == request.index;
  const auto* tracked = known ? world.current(found->second) : nullptr;
  const auto* answer = tracked ? tracked : call.ask(request);
  node->contacts.clear();
  if (!answer) return false;
  const auto& n = answer->numbers;
  for (std::size_t i = 0; i + 3 < n.size(); i += 4) {
    node->contacts.push_back({{n[i], n[i + 1], n[i + 2]}, static_cast<int>(n[i + 3])});
  }
  return true;
}

bool know_proto(Supervision& call, WbProtoRef proto) {
  if (!call.good(proto)) return false;
  if (proto->fields > 0 || !proto->name.empty()) return true;
  SupervisorRequest request = about(SupervisorOp::kProtoInfo, proto->node);
  request.field.level = static_cast<std::uint8_t>(proto->level);
  const auto* answer = call.ask(request);
  if (!answer || answer->numbers.size() < 2 || answer->text.empty()) return false;
  proto->name = answer->text;
  proto->derived = answer->numbers[0] > 0;
  proto->fields = static_cast<int>(answer->numbers[1]);
  return true;
}

}  // namespace

extern "C" {

WbNodeRef wb_supervisor_node_get_root() {
  Supervision call(__func__);
  return call ? SupervisedWorld::get().node(0) : nullptr;
}

WbNodeRef wb_supervisor_node_get_self() {
  Supervision call(__func__);
  return call ? call.ask_node(about(SupervisorOp::kNodeSelf, WbNodeRef{})) : nullptr;
}

int wb_supervisor_node_get_id(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return -1;
  // -1 of one that is not there any more, also when it went with what it stood in.
  const double* id = call.ask_numbers(about(SupervisorOp::kNodeFromId, node), 1);
  return id ? static_cast<int>(*id) : -1;
}

WbNodeRef wb_supervisor_node_get_from_id(int id) {
  Supervision call(__func__);
  if (!call) return nullptr;
  if (id < 0) {
    call.complain("called with a negative id");
    return nullptr;
  }
  SupervisorRequest request = about(SupervisorOp::kNodeFromId, WbNodeRef{});
  request.node = id;
  return call.ask_node(request);
}

WbNodeRef wb_supervisor_node_get_from_device(WbDeviceTag tag) {
  Supervision call(__func__);
  if (!call) return nullptr;
  SupervisorRequest request = about(SupervisorOp::kNodeFromDevice, WbNodeRef{});
  request.index = tag;
  return call.ask_node(request);
}

WbNodeRef wb_supervisor_node_get_from_def(const char* def) {
  Supervision call(__func__);
  if (!call || !call.good("def", def)) return nullptr;
  SupervisorRequest request = about(SupervisorOp::kNodeFromDef, WbNodeRef{});
  request.text = def;
  return call.ask_node(request);
}

WbNodeRef wb_supervisor_node_get_from_proto_def(WbNodeRef node, const char* def) {
  Supervision call(__func__);
  if (!call || !know(call, node) || !call.good("def", def)) return nullptr;
  if (!node->is_proto) {
    call.complain("called for a node that is no PROTO");
    return nullptr;
  }
  SupervisorRequest request = about(SupervisorOp::kNodeFromDef, node);
  request.text = def;
  return call.ask_node(request);
}

WbNodeRef wb_supervisor_node_get_parent_node(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? SupervisedWorld::get().node(node->parent) : nullptr;
}

WbNodeRef wb_supervisor_node_get_selected() {
  const Supervision call(__func__);
  return nullptr;
}

WbNodeType wb_supervisor_node_get_type(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !know(call, node)) return WB_NODE_NO_NODE;
  return controller::node_type_of(node->base_type);
}

const char* wb_supervisor_node_get_def(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? node->def.c_str() : "";
}

const char* wb_supervisor_node_get_type_name(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? node->type.c_str() : "";
}

const char* wb_supervisor_node_get_base_type_name(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? node->base_type.c_str() : "";
}

bool wb_supervisor_node_is_proto(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) && node->is_proto;
}

WbProtoRef wb_supervisor_node_get_proto(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !know(call, node) || !node->is_proto) return nullptr;
  return SupervisedWorld::get().proto(node, 0);
}

void wb_supervisor_node_remove(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return;
  if (node->id == 0) return call.complain("called for the root node");
  call.tell(about(SupervisorOp::kRemoveNode, node));
}

const char* wb_supervisor_node_export_string(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return "";
  const auto* answer = call.ask(about(SupervisorOp::kNodeExport, node));
  node->exported = answer ? answer->text : "";
  return node->exported.c_str();
}

WbFieldRef wb_supervisor_node_get_field(WbNodeRef node, const char* field_name) {
  Supervision call(__func__);
  return call ? field_named(call, node, link::FieldAddress::kOwn, 0, field_name) : nullptr;
}

WbFieldRef wb_supervisor_node_get_field_by_index(WbNodeRef node, int index) {
  Supervision call(__func__);
  if (!call || !know(call, node)) return nullptr;
  return field_numbered(call, node, link::FieldAddress::kOwn, 0, index, node->fields);
}

int wb_supervisor_node_get_number_of_fields(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? node->fields : -1;
}

WbFieldRef wb_supervisor_node_get_base_node_field(WbNodeRef node, const char* field_name) {
  Supervision call(__func__);
  return call ? field_named(call, node, link::FieldAddress::kBase, 0, field_name) : nullptr;
}

WbFieldRef wb_supervisor_node_get_base_node_field_by_index(WbNodeRef node, int index) {
  Supervision call(__func__);
  if (!call || !know(call, node)) return nullptr;
  return field_numbered(call, node, link::FieldAddress::kBase, 0, index, node->base_fields);
}

int wb_supervisor_node_get_number_of_base_node_fields(WbNodeRef node) {
  Supervision call(__func__);
  return call && know(call, node) ? node->base_fields : -1;
}

WbFieldRef wb_supervisor_node_get_proto_field(WbNodeRef node, const char* field_name) {
  return wb_supervisor_node_get_base_node_field(node, field_name);
}
WbFieldRef wb_supervisor_node_get_proto_field_by_index(WbNodeRef node, int index) {
  return wb_supervisor_node_get_base_node_field_by_index(node, index);
}
int wb_supervisor_node_get_proto_number_of_fields(WbNodeRef node) {
  return wb_supervisor_node_get_number_of_base_node_fields(node);
}

const double* wb_supervisor_node_get_position(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  const double* pose = pose_of(call, node, nullptr);
  for (std::size_t i = 0; i < 3; ++i) node->position[i] = pose ? pose[4 * i + 3] : kNaN;
  return node->position.data();
}

const double* wb_supervisor_node_get_orientation(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  const double* pose = pose_of(call, node, nullptr);
  for (std::size_t i = 0; i < 9; ++i) {
    node->orientation[i] = pose ? pose[4 * (i / 3) + i % 3] : kNaN;
  }
  return node->orientation.data();
}

const double* wb_supervisor_node_get_pose(WbNodeRef node, WbNodeRef from_node) {
  Supervision call(__func__);
  if (!call || !call.good(node) || (from_node && !call.good(from_node))) return nullptr;
  const double* pose = pose_of(call, node, from_node);
  for (std::size_t i = 0; i < 16; ++i) node->pose[i] = pose ? pose[i] : kNaN;
  return node->pose.data();
}

const double* wb_supervisor_node_get_velocity(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  const double* v = call.ask_numbers(about(SupervisorOp::kNodeVelocity, node), 6);
  for (std::size_t i = 0; i < 6; ++i) node->velocity[i] = v ? v[i] : kNaN;
  return node->velocity.data();
}

const double* wb_supervisor_node_get_center_of_mass(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  const double* c = call.ask_numbers(about(SupervisorOp::kNodeCenterOfMass, node), 3);
  for (std::size_t i = 0; i < 3; ++i) node->center_of_mass[i] = c ? c[i] : kNaN;
  return node->center_of_mass.data();
}

bool wb_supervisor_node_get_static_balance(WbNodeRef node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return false;
  const double* balanced = call.ask_numbers(about(SupervisorOp::kNodeStaticBalance, node), 1);
  return balanced && *balanced != 0;
}

int wb_supervisor_node_get_number_of_contact_points(WbNodeRef node, bool include_descendants) {
  Supervision call(__func__);
  if (!call || !read_contacts(call, node, include_descendants)) return -1;
  return static_cast<int>(node->contacts.size());
}

/// Of those that get_number_of_contact_points() or get_contact_points() has counted last.
const double* wb_supervisor_node_get_contact_point(WbNodeRef node, int index) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  if (node->contacts.empty()) read_contacts(call, node, false);
  node->contact_point.fill(kNaN);
  if (index >= 0 && static_cast<std::size_t>(index) < node->contacts.size()) {
    const double* point = node->contacts[static_cast<std::size_t>(index)].point;
    std::copy(point, point + 3, node->contact_point.begin());
  }
  return node->contact_point.data();
}

WbNodeRef wb_supervisor_node_get_contact_point_node(WbNodeRef node, int index) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return nullptr;
  if (node->contacts.empty()) read_contacts(call, node, false);
  if (index < 0 || static_cast<std::size_t>(index) >= node->contacts.size()) return nullptr;
  return SupervisedWorld::get().node(node->contacts[static_cast<std::size_t>(index)].node_id);
}

WbContactPoint* wb_supervisor_node_get_contact_points(WbNodeRef node, bool include_descendants,
                                                      int* size) {
  Supervision call(__func__);
  if (size) *size = 0;
  if (!call || !read_contacts(call, node, include_descendants)) return nullptr;
  if (size) *size = static_cast<int>(node->contacts.size());
  return node->contacts.empty() ? nullptr : node->contacts.data();
}

void wb_supervisor_node_set_velocity(WbNodeRef node, const double velocity[6]) {
  Supervision call(__func__);
  if (!call || !call.good(node) || !call.good(velocity, 6)) return;
  SupervisorRequest request = about(SupervisorOp::kSetVelocity, node);
  request.numbers.assign(velocity, velocity + 6);
  call.tell(std::move(request));
}

void wb_supervisor_node_add_force(WbNodeRef node, const double force[3], bool relative) {
  Supervision call(__func__);
  if (call) tell_vectors(call, SupervisorOp::kAddForce, node, {force}, relative);
}

void wb_supervisor_node_add_force_with_offset(WbNodeRef node, const double force[3],
                                              const double offset[3], bool relative) {
  Supervision call(__func__);
  if (call) tell_vectors(call, SupervisorOp::kAddForceWithOffset, node, {force, offset}, relative);
}

void wb_supervisor_node_add_torque(WbNodeRef node, const double torque[3], bool relative) {
  Supervision call(__func__);
  if (call) tell_vectors(call, SupervisorOp::kAddTorque, node, {torque}, relative);
}

void wb_supervisor_node_reset_physics(WbNodeRef node) {
  tell_plain(__func__, SupervisorOp::kResetPhysics, node);
}

void wb_supervisor_node_set_joint_position(WbNodeRef node, double position, int index) {
  Supervision call(__func__);
  if (!call || !call.good(node) || !call.good(&position, 1)) return;
  SupervisorRequest request = about(SupervisorOp::kSetJointPosition, node);
  request.numbers = {position};
  request.index = index;
  call.tell(std::move(request));
}

void wb_supervisor_node_save_state(WbNodeRef node, const char* state_name) {
  Supervision call(__func__);
  if (!call || !call.good(node) || !call.good("state_name", state_name)) return;
  SupervisorRequest request = about(SupervisorOp::kSaveState, node);
  request.text = state_name;
  call.tell(std::move(request));
}

void wb_supervisor_node_load_state(WbNodeRef node, const char* state_name) {
  Supervision call(__func__);
  if (!call || !call.good(node) || !call.good("state_name", state_name)) return;
  SupervisorRequest request = about(SupervisorOp::kLoadState, node);
  request.text = state_name;
  call.tell(std::move(request));
}

void wb_supervisor_node_restart_controller(WbNodeRef node) {
  tell_plain(__func__, SupervisorOp::kRestartController, node);
}

void wb_supervisor_node_move_viewpoint(WbNodeRef node) {
  tell_plain(__func__, SupervisorOp::kMoveViewpoint, node);
}

void wb_supervisor_node_set_visibility(WbNodeRef node, WbNodeRef from, bool visible) {
  Supervision call(__func__);
  if (!call || !call.good(node) || !call.good(from)) return;
  SupervisorRequest request = about(SupervisorOp::kSetVisibility, node);
  request.index = from->id;
  request.numbers = {visible ? 1.0 : 0.0};
  call.tell(std::move(request));
}

void wb_supervisor_node_enable_pose_tracking(WbNodeRef node, int sampling_period,
                                             WbNodeRef from_node) {
  Supervision call(__func__);
  if (!call || !call.good(node) || (from_node && !call.good(from_node))) return;
  if (sampling_period <= 0) return call.complain("called with a period that is not positive");
  SupervisorRequest request = about(SupervisorOp::kNodePose, node);
  request.index = from_node ? from_node->id : -1;
  SupervisedWorld::track(SupervisedWorld::get().poses[{node, request.index}], request,
                         sampling_period);
}

void wb_supervisor_node_disable_pose_tracking(WbNodeRef node, WbNodeRef from_node) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return;
  SupervisedWorld::get().poses.erase({node, from_node ? from_node->id : -1});
}

void wb_supervisor_node_enable_contact_points_tracking(WbNodeRef node, int sampling_period,
                                                       bool include_descendants) {
  Supervision call(__func__);
  if (!call || !call.good(node)) return;
  if (sampling_period <= 0) return call.complain("called with a period that is not positive");
  SupervisorRequest request = about(SupervisorOp::kNodeContacts, node);
  request.index = include_descendants ? 1 : 0;
  SupervisedWorld::track(SupervisedWorld::get().contacts[node], request, sampling_period);
}

void wb_supervisor_node_disable_contact_points_tracking(WbNodeRef node) {
  Supervision call(__func__);
  if (call && call.good(node)) SupervisedWorld::get().contacts.erase(node);
}

void wb_supervisor_node_enable_contact_point_tracking(WbNodeRef node, int sampling_period,
                                                      bool include_descendants) {
  wb_supervisor_node_enable_contact_points_tracking(node, sampling_period, include_descendants);
}
void wb_supervisor_node_disable_contact_point_tracking(WbNodeRef node, bool) {
  wb_supervisor_node_disable_contact_points_tracking(node);
}

const char* wb_supervisor_proto_get_type_name(WbProtoRef proto) {
  Supervision call(__func__);
  return call && know_proto(call, proto) ? proto->name.c_str() : "";
}

bool wb_supervisor_proto_is_derived(WbProtoRef proto) {
  Supervision call(__func__);
  return call && know_proto(call, proto) && proto->derived;
}

WbProtoRef wb_supervisor_proto_get_parent(WbProtoRef proto) {
  Supervision call(__func__);
  if (!call || !know_proto(call, proto) || !proto->derived) return nullptr;
  return SupervisedWorld::get().proto(proto->node, proto->level + 1);
}

WbFieldRef wb_supervisor_proto_get_field(WbProtoRef proto, const char* field_name) {
  Supervision call(__func__);
  if (!call || !know_proto(call, proto)) return nullptr;
  return field_named(call, proto->node, link::FieldAddress::kProto,
                     static_cast<std::uint8_t>(proto->level), field_name);
}

WbFieldRef wb_supervisor_proto_get_field_by_index(WbProtoRef proto, int index) {
  Supervision call(__func__);
  if (!call || !know_proto(call, proto)) return nullptr;
  return field_numbered(call, proto->node, link::FieldAddress::kProto,
                        static_cast<std::uint8_t>(proto->level), index, proto->fields);
}

int wb_supervisor_proto_get_number_of_fields(WbProtoRef proto) {
  Supervision call(__func__);
  return call && know_proto(call, proto) ? proto->fields : -1;
}

WbFieldRef wb_supervisor_field_get_actual_field(WbFieldRef field) {
  Supervision call(__func__);
  if (!call || !call.good(field)) return nullptr;
  const double* actual = call.ask_numbers(about(SupervisorOp::kActualField, field), 4);
  if (!actual) return nullptr;
  const link::FieldAddress address{static_cast<std::uint8_t>(actual[1]),
                                   static_cast<std::uint8_t>(actual[2]),
                                   static_cast<std::int32_t>(actual[3])};
  const int id = static_cast<int>(actual[0]);
  if (id < 0) return nullptr;
  if (id == field->node->id && address == field->address) return field;
  return field_at(call, SupervisedWorld::get().node(id), address);
}

}  // extern "C"
