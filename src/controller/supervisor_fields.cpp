#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "controller/supervisor_access.h"

using namespace protobeam;
using controller::about;
using controller::SupervisedWorld;
using controller::Supervision;
using controller::SupervisorAnswer;
using controller::SupervisorOp;
using controller::SupervisorRequest;

namespace {

/// The element as it is tracked or, if not, as it is; null after a message.
const SupervisorAnswer* value_of(Supervision& call, WbFieldRef field, int type, int index) {
  if (!call.good(field, type)) return nullptr;
  const auto& world = SupervisedWorld::get();
  const auto found = world.fields.find(field);
  const auto* tracked = found != world.fields.end() ? world.current(found->second) : nullptr;
  if (tracked) return tracked;
  SupervisorRequest request = about(SupervisorOp::kFieldValue, field);
  request.index = index;
  return call.ask(std::move(request));
}

double number_of(const char* function, WbFieldRef field, int type, int index) {
  Supervision call(function);
  const auto* answer = call ? value_of(call, field, type, index) : nullptr;
  return answer && !answer->numbers.empty() ? answer->numbers[0] : 0;
}

/// Kept in the field until the next call; null after a message.
const double* numbers_of(const char* function, WbFieldRef field, int type, int index,
                         std::size_t count) {
  Supervision call(function);
  const auto* answer = call ? value_of(call, field, type, index) : nullptr;
  if (!answer || answer->numbers.size() < count) {
    // When the simulation has ended, many programs read once more before they look at the result of
    // their step: as in Webots, they get what was there.
    const bool single = type < WB_MF_BOOL && field && SupervisedWorld::get().has(field);
    return call && single && field->type == type ? field->numbers.data() : nullptr;
  }
  std::copy_n(answer->numbers.begin(), count, field->numbers.begin());
  return field->numbers.data();
}

const char* text_of(const char* function, WbFieldRef field, int type, int index) {
  Supervision call(function);
  const auto* answer = call ? value_of(call, field, type, index) : nullptr;
  if (!answer) return "";
  field->text = answer->text;
  return field->text.c_str();
}

WbNodeRef node_of(const char* function, WbFieldRef field, int type, int index) {
  Supervision call(function);
  const auto* answer = call ? value_of(call, field, type, index) : nullptr;
  if (!answer || answer->numbers.empty()) return nullptr;
  return SupervisedWorld::get().node(static_cast<int>(answer->numbers[0]));
}

void write_numbers(const char* function, SupervisorOp op, WbFieldRef field, int type, int index,
                   const double* values, std::size_t count) {
  Supervision call(function);
  if (!call || !call.good(field, type) || !call.good(values, count)) return;
  SupervisorRequest request = about(op, field);
  request.index = index;
  request.numbers.assign(values, values + count);
  call.tell(std::move(request));
}

void write_number(const char* function, SupervisorOp op, WbFieldRef field, int type, int index,
                  double value) {
  write_numbers(function, op, field, type, index, &value, 1);
}

void write_text(const char* function, SupervisorOp op, WbFieldRef field, int type, int index,
                const char* value) {
  Supervision call(function);
  if (!call || !call.good(field, type) || !call.good("value", value)) return;
  SupervisorRequest request = about(op, field);
  request.index = index;
  request.text = value;
  call.tell(std::move(request));
}

void import_text(const char* function, WbFieldRef field, int type, int position, const char* text) {
  Supervision call(function);
  if (!call || !call.good(field, type) || !call.good("node_string", text)) return;
  if (!*text) return call.complain("called with an empty 'node_string' argument");
  SupervisorRequest request = about(SupervisorOp::kImportNode, field);
  request.index = position;
  request.text = text;
  call.tell(std::move(request));
}

void import_file(const char* function, WbFieldRef field, int type, int position, const char* name) {
  std::ifstream file(name ? name : "");
  if (!file) {
    controller::complain(function,
                         std::string("cannot read the file '") + (name ? name : "") + "'");
    return;
  }
  std::stringstream text;
  text << file.rdbuf();
  import_text(function, field, type, position, text.str().c_str());
}

const char* type_name(int type) {
  constexpr const char* kLists[] = {"MFBool",     "MFInt32", "MFFloat",  "MFVec2f", "MFVec3f",
                                    "MFRotation", "MFColor", "MFString", "MFNode"};
  constexpr const char* kSingles[] = {"SFBool",     "SFInt32", "SFFloat",  "SFVec2f", "SFVec3f",
                                      "SFRotation", "SFColor", "SFString", "SFNode"};
  static_assert(std::size(kLists) == std::size(kSingles));
  const int one = (type & 0x0f) - 1;
  if (one < 0 || one >= static_cast<int>(std::size(kSingles))) return "";
  return (type & WB_MF) != 0 ? kLists[one] : kSingles[one];
}

}  // namespace

extern "C" {

const char* wb_supervisor_field_get_name(WbFieldRef field) {
  Supervision call(__func__);
  return call && call.good(field) ? field->name.c_str() : "";
}

WbFieldType wb_supervisor_field_get_type(WbFieldRef field) {
  Supervision call(__func__);
  return call && call.good(field) ? static_cast<WbFieldType>(field->type) : WB_NO_FIELD;
}

const char* wb_supervisor_field_get_type_name(WbFieldRef field) {
  Supervision call(__func__);
  return call && call.good(field) ? type_name(field->type) : "";
}

int wb_supervisor_field_get_count(WbFieldRef field) {
  Supervision call(__func__);
  if (!call || !call.good(field)) return -1;
  if ((field->type & WB_MF) == 0) {
    call.complain("called for the field '" + field->name + "', which is no list");
    return -1;
  }
  const double* count = call.ask_numbers(about(SupervisorOp::kFieldCount, field), 1);
  return count ? static_cast<int>(*count) : -1;
}

void wb_supervisor_field_enable_sf_tracking(WbFieldRef field, int sampling_period) {
  Supervision call(__func__);
  if (!call || !call.good(field)) return;
  if ((field->type & WB_MF) != 0) return call.complain("called for a list");
  if (sampling_period <= 0) return call.complain("called with a period that is not positive");
  SupervisedWorld::track(SupervisedWorld::get().fields[field],
                         about(SupervisorOp::kFieldValue, field), sampling_period);
}

void wb_supervisor_field_disable_sf_tracking(WbFieldRef field) {
  Supervision call(__func__);
  if (call && call.good(field)) SupervisedWorld::get().fields.erase(field);
}

bool wb_supervisor_field_get_sf_bool(WbFieldRef field) {
  return number_of(__func__, field, WB_SF_BOOL, 0) != 0;
}
int wb_supervisor_field_get_sf_int32(WbFieldRef field) {
  return static_cast<int>(number_of(__func__, field, WB_SF_INT32, 0));
}
double wb_supervisor_field_get_sf_float(WbFieldRef field) {
  return number_of(__func__, field, WB_SF_FLOAT, 0);
}
const double* wb_supervisor_field_get_sf_vec2f(WbFieldRef field) {
  return numbers_of(__func__, field, WB_SF_VEC2F, 0, 2);
}
const double* wb_supervisor_field_get_sf_vec3f(WbFieldRef field) {
  return numbers_of(__func__, field, WB_SF_VEC3F, 0, 3);
}
const double* wb_supervisor_field_get_sf_rotation(WbFieldRef field) {
  return numbers_of(__func__, field, WB_SF_ROTATION, 0, 4);
}
const double* wb_supervisor_field_get_sf_color(WbFieldRef field) {
  return numbers_of(__func__, field, WB_SF_COLOR, 0, 3);
}
const char* wb_supervisor_field_get_sf_string(WbFieldRef field) {
  return text_of(__func__, field, WB_SF_STRING, 0);
}
WbNodeRef wb_supervisor_field_get_sf_node(WbFieldRef field) {
  return node_of(__func__, field, WB_SF_NODE, 0);
}

bool wb_supervisor_field_get_mf_bool(WbFieldRef field, int index) {
  return number_of(__func__, field, WB_MF_BOOL, index) != 0;
}
int wb_supervisor_field_get_mf_int32(WbFieldRef field, int index) {
  return static_cast<int>(number_of(__func__, field, WB_MF_INT32, index));
}
double wb_supervisor_field_get_mf_float(WbFieldRef field, int index) {
  return number_of(__func__, field, WB_MF_FLOAT, index);
}
const double* wb_supervisor_field_get_mf_vec2f(WbFieldRef field, int index) {
  return numbers_of(__func__, field, WB_MF_VEC2F, index, 2);
}
const double* wb_supervisor_field_get_mf_vec3f(WbFieldRef field, int index) {
  return numbers_of(__func__, field, WB_MF_VEC3F, index, 3);
}
const double* wb_supervisor_field_get_mf_rotation(WbFieldRef field, int index) {
  return numbers_of(__func__, field, WB_MF_ROTATION, index, 4);
}
const double* wb_supervisor_field_get_mf_color(WbFieldRef field, int index) {
  return numbers_of(__func__, field, WB_MF_COLOR, index, 3);
}
const char* wb_supervisor_field_get_mf_string(WbFieldRef field, int index) {
  return text_of(__func__, field, WB_MF_STRING, index);
}
WbNodeRef wb_supervisor_field_get_mf_node(WbFieldRef field, int index) {
  return node_of(__func__, field, WB_MF_NODE, index);
}

void wb_supervisor_field_set_sf_bool(WbFieldRef field, bool value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_SF_BOOL, 0, value);
}
void wb_supervisor_field_set_sf_int32(WbFieldRef field, int value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_SF_INT32, 0, value);
}
void wb_supervisor_field_set_sf_float(WbFieldRef field, double value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_SF_FLOAT, 0, value);
}
void wb_supervisor_field_set_sf_vec2f(WbFieldRef field, const double values[2]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_SF_VEC2F, 0, values, 2);
}
void wb_supervisor_field_set_sf_vec3f(WbFieldRef field, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_SF_VEC3F, 0, values, 3);
}
void wb_supervisor_field_set_sf_rotation(WbFieldRef field, const double values[4]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_SF_ROTATION, 0, values, 4);
}
void wb_supervisor_field_set_sf_color(WbFieldRef field, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_SF_COLOR, 0, values, 3);
}
void wb_supervisor_field_set_sf_string(WbFieldRef field, const char* value) {
  write_text(__func__, SupervisorOp::kSetField, field, WB_SF_STRING, 0, value);
}

void wb_supervisor_field_set_mf_bool(WbFieldRef field, int index, bool value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_MF_BOOL, index, value);
}
void wb_supervisor_field_set_mf_int32(WbFieldRef field, int index, int value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_MF_INT32, index, value);
}
void wb_supervisor_field_set_mf_float(WbFieldRef field, int index, double value) {
  write_number(__func__, SupervisorOp::kSetField, field, WB_MF_FLOAT, index, value);
}
void wb_supervisor_field_set_mf_vec2f(WbFieldRef field, int index, const double values[2]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_MF_VEC2F, index, values, 2);
}
void wb_supervisor_field_set_mf_vec3f(WbFieldRef field, int index, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_MF_VEC3F, index, values, 3);
}
void wb_supervisor_field_set_mf_rotation(WbFieldRef field, int index, const double values[4]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_MF_ROTATION, index, values, 4);
}
void wb_supervisor_field_set_mf_color(WbFieldRef field, int index, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kSetField, field, WB_MF_COLOR, index, values, 3);
}
void wb_supervisor_field_set_mf_string(WbFieldRef field, int index, const char* value) {
  write_text(__func__, SupervisorOp::kSetField, field, WB_MF_STRING, index, value);
}

void wb_supervisor_field_insert_mf_bool(WbFieldRef field, int index, bool value) {
  write_number(__func__, SupervisorOp::kInsertField, field, WB_MF_BOOL, index, value);
}
void wb_supervisor_field_insert_mf_int32(WbFieldRef field, int index, int value) {
  write_number(__func__, SupervisorOp::kInsertField, field, WB_MF_INT32, index, value);
}
void wb_supervisor_field_insert_mf_float(WbFieldRef field, int index, double value) {
  write_number(__func__, SupervisorOp::kInsertField, field, WB_MF_FLOAT, index, value);
}
void wb_supervisor_field_insert_mf_vec2f(WbFieldRef field, int index, const double values[2]) {
  write_numbers(__func__, SupervisorOp::kInsertField, field, WB_MF_VEC2F, index, values, 2);
}
void wb_supervisor_field_insert_mf_vec3f(WbFieldRef field, int index, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kInsertField, field, WB_MF_VEC3F, index, values, 3);
}
void wb_supervisor_field_insert_mf_rotation(WbFieldRef field, int index, const double values[4]) {
  write_numbers(__func__, SupervisorOp::kInsertField, field, WB_MF_ROTATION, index, values, 4);
}
void wb_supervisor_field_insert_mf_color(WbFieldRef field, int index, const double values[3]) {
  write_numbers(__func__, SupervisorOp::kInsertField, field, WB_MF_COLOR, index, values, 3);
}
void wb_supervisor_field_insert_mf_string(WbFieldRef field, int index, const char* value) {
  write_text(__func__, SupervisorOp::kInsertField, field, WB_MF_STRING, index, value);
}

void wb_supervisor_field_remove_mf(WbFieldRef field, int index) {
  Supervision call(__func__);
  if (!call || !call.good(field)) return;
  if ((field->type & WB_MF) == 0) return call.complain("called for a field that is no list");
  SupervisorRequest request = about(SupervisorOp::kRemoveElement, field);
  request.index = index;
  call.tell(std::move(request));
}

void wb_supervisor_field_remove_sf(WbFieldRef field) {
  Supervision call(__func__);
  if (call && call.good(field, WB_SF_NODE)) call.tell(about(SupervisorOp::kRemoveValue, field));
}

void wb_supervisor_field_import_mf_node_from_string(WbFieldRef field, int position,
                                                    const char* node_string) {
  import_text(__func__, field, WB_MF_NODE, position, node_string);
}
void wb_supervisor_field_import_sf_node_from_string(WbFieldRef field, const char* node_string) {
  import_text(__func__, field, WB_SF_NODE, 0, node_string);
}
void wb_supervisor_field_import_mf_node(WbFieldRef field, int position, const char* filename) {
  import_file(__func__, field, WB_MF_NODE, position, filename);
}
void wb_supervisor_field_import_sf_node(WbFieldRef field, const char* filename) {
  import_file(__func__, field, WB_SF_NODE, 0, filename);
}
void wb_supervisor_field_remove_mf_node(WbFieldRef field, int position) {
  wb_supervisor_field_remove_mf(field, position);
}

}  // extern "C"
