#ifndef WEBOTS_FIELD_HPP
#define WEBOTS_FIELD_HPP

#include <webots/supervisor.h>

#include <string>
#include <webots/Node.hpp>

namespace webots {

/// A field of a node, or a parameter of a PROTO: see webots/supervisor.h. Kept until the program
/// ends.
class Field {
 public:
  enum Type {
    NO_FIELD = WB_NO_FIELD,
    SF_BOOL = WB_SF_BOOL,
    SF_INT32 = WB_SF_INT32,
    SF_FLOAT = WB_SF_FLOAT,
    SF_VEC2F = WB_SF_VEC2F,
    SF_VEC3F = WB_SF_VEC3F,
    SF_ROTATION = WB_SF_ROTATION,
    SF_COLOR = WB_SF_COLOR,
    SF_STRING = WB_SF_STRING,
    SF_NODE = WB_SF_NODE,
    MF = WB_MF,
    MF_BOOL = WB_MF_BOOL,
    MF_INT32 = WB_MF_INT32,
    MF_FLOAT = WB_MF_FLOAT,
    MF_VEC2F = WB_MF_VEC2F,
    MF_VEC3F = WB_MF_VEC3F,
    MF_ROTATION = WB_MF_ROTATION,
    MF_COLOR = WB_MF_COLOR,
    MF_STRING = WB_MF_STRING,
    MF_NODE = WB_MF_NODE
  };

  std::string getName() const { return wb_supervisor_field_get_name(ref_); }
  Type getType() const { return static_cast<Type>(wb_supervisor_field_get_type(ref_)); }
  std::string getTypeName() const { return wb_supervisor_field_get_type_name(ref_); }
  int getCount() const { return wb_supervisor_field_get_count(ref_); }
  Field* getActualField() const { return findField(wb_supervisor_field_get_actual_field(ref_)); }

  void enableSFTracking(int samplingPeriod) {
    wb_supervisor_field_enable_sf_tracking(ref_, samplingPeriod);
  }
  void disableSFTracking() { wb_supervisor_field_disable_sf_tracking(ref_); }

  bool getSFBool() const { return wb_supervisor_field_get_sf_bool(ref_); }
  int getSFInt32() const { return wb_supervisor_field_get_sf_int32(ref_); }
  double getSFFloat() const { return wb_supervisor_field_get_sf_float(ref_); }
  const double* getSFVec2f() const { return wb_supervisor_field_get_sf_vec2f(ref_); }
  const double* getSFVec3f() const { return wb_supervisor_field_get_sf_vec3f(ref_); }
  const double* getSFRotation() const { return wb_supervisor_field_get_sf_rotation(ref_); }
  const double* getSFColor() const { return wb_supervisor_field_get_sf_color(ref_); }
  std::string getSFString() const { return wb_supervisor_field_get_sf_string(ref_); }
  Node* getSFNode() const { return Node::findNode(wb_supervisor_field_get_sf_node(ref_)); }

  bool getMFBool(int index) const { return wb_supervisor_field_get_mf_bool(ref_, index); }
  int getMFInt32(int index) const { return wb_supervisor_field_get_mf_int32(ref_, index); }
  double getMFFloat(int index) const { return wb_supervisor_field_get_mf_float(ref_, index); }
  const double* getMFVec2f(int index) const {
    return wb_supervisor_field_get_mf_vec2f(ref_, index);
  }
  const double* getMFVec3f(int index) const {
    return wb_supervisor_field_get_mf_vec3f(ref_, index);
  }
  const double* getMFRotation(int index) const {
    return wb_supervisor_field_get_mf_rotation(ref_, index);
  }
  const double* getMFColor(int index) const {
    return wb_supervisor_field_get_mf_color(ref_, index);
  }
  std::string getMFString(int index) const {
    return wb_supervisor_field_get_mf_string(ref_, index);
  }
  Node* getMFNode(int index) const {
    return Node::findNode(wb_supervisor_field_get_mf_node(ref_, index));
  }

  void setSFBool(bool value) { wb_supervisor_field_set_sf_bool(ref_, value); }
  void setSFInt32(int value) { wb_supervisor_field_set_sf_int32(ref_, value); }
  void setSFFloat(double value) { wb_supervisor_field_set_sf_float(ref_, value); }
  void setSFVec2f(const double values[2]) { wb_supervisor_field_set_sf_vec2f(ref_, values); }
  void setSFVec3f(const double values[3]) { wb_supervisor_field_set_sf_vec3f(ref_, values); }
  void setSFRotation(const double values[4]) { wb_supervisor_field_set_sf_rotation(ref_, values); }
  void setSFColor(const double values[3]) { wb_supervisor_field_set_sf_color(ref_, values); }
  void setSFString(const std::string& value) {
    wb_supervisor_field_set_sf_string(ref_, value.c_str());
  }

  void setMFBool(int index, bool value) { wb_supervisor_field_set_mf_bool(ref_, index, value); }
  void setMFInt32(int index, int value) { wb_supervisor_field_set_mf_int32(ref_, index, value); }
  void setMFFloat(int index, double value) { wb_supervisor_field_set_mf_float(ref_, index, value); }
  void setMFVec2f(int index, const double values[2]) {
    wb_supervisor_field_set_mf_vec2f(ref_, index, values);
  }
  void setMFVec3f(int index, const double values[3]) {
    wb_supervisor_field_set_mf_vec3f(ref_, index, values);
  }
  void setMFRotation(int index, const double values[4]) {
    wb_supervisor_field_set_mf_rotation(ref_, index, values);
  }
  void setMFColor(int index, const double values[3]) {
    wb_supervisor_field_set_mf_color(ref_, index, values);
  }
  void setMFString(int index, const std::string& value) {
    wb_supervisor_field_set_mf_string(ref_, index, value.c_str());
  }

  void insertMFBool(int index, bool value) {
    wb_supervisor_field_insert_mf_bool(ref_, index, value);
  }
  void insertMFInt32(int index, int value) {
    wb_supervisor_field_insert_mf_int32(ref_, index, value);
  }
  void insertMFFloat(int index, double value) {
    wb_supervisor_field_insert_mf_float(ref_, index, value);
  }
  void insertMFVec2f(int index, const double values[2]) {
    wb_supervisor_field_insert_mf_vec2f(ref_, index, values);
  }
  void insertMFVec3f(int index, const double values[3]) {
    wb_supervisor_field_insert_mf_vec3f(ref_, index, values);
  }
  void insertMFRotation(int index, const double values[4]) {
    wb_supervisor_field_insert_mf_rotation(ref_, index, values);
  }
  void insertMFColor(int index, const double values[3]) {
    wb_supervisor_field_insert_mf_color(ref_, index, values);
  }
  void insertMFString(int index, const std::string& value) {
    wb_supervisor_field_insert_mf_string(ref_, index, value.c_str());
  }

  void removeMF(int index) { wb_supervisor_field_remove_mf(ref_, index); }
  void removeMFNode(int index) { removeMF(index); }  // older name
  void removeSF() { wb_supervisor_field_remove_sf(ref_); }
  void importMFNodeFromString(int position, const std::string& text) {
    wb_supervisor_field_import_mf_node_from_string(ref_, position, text.c_str());
  }
  void importSFNodeFromString(const std::string& text) {
    wb_supervisor_field_import_sf_node_from_string(ref_, text.c_str());
  }
  void importMFNode(int position, const std::string& file) {  // older: out of a file
    wb_supervisor_field_import_mf_node(ref_, position, file.c_str());
  }
  void importSFNode(const std::string& file) {
    wb_supervisor_field_import_sf_node(ref_, file.c_str());
  }

  /// The same object for the same field; null for null.
  static Field* findField(WbFieldRef ref);

 private:
  explicit Field(WbFieldRef ref) : ref_(ref) {}
  ~Field() = default;

  WbFieldRef ref_;
};

}  // namespace webots

#endif  // WEBOTS_FIELD_HPP
