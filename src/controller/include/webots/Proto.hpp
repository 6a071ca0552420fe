#ifndef WEBOTS_PROTO_HPP
#define WEBOTS_PROTO_HPP

#include <webots/supervisor.h>

#include <string>
#include <webots/Field.hpp>

namespace webots {

/// The PROTO that a node is an instance of. Kept until the program ends.
class Proto {
 public:
  std::string getTypeName() const { return wb_supervisor_proto_get_type_name(ref_); }
  bool isDerived() const { return wb_supervisor_proto_is_derived(ref_); }
  Proto* getParent() const { return findProto(wb_supervisor_proto_get_parent(ref_)); }
  Field* getField(const std::string& name) const {
    return Field::findField(wb_supervisor_proto_get_field(ref_, name.c_str()));
  }
  Field* getFieldByIndex(int index) const {
    return Field::findField(wb_supervisor_proto_get_field_by_index(ref_, index));
  }
  int getNumberOfFields() const { return wb_supervisor_proto_get_number_of_fields(ref_); }

  /// The same object for the same PROTO; null for null.
  static Proto* findProto(WbProtoRef ref);

 private:
  explicit Proto(WbProtoRef ref) : ref_(ref) {}
  ~Proto() = default;

  WbProtoRef ref_;
};

}  // namespace webots

#endif  // WEBOTS_PROTO_HPP
