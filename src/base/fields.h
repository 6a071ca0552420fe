// A checked node as plugins see it: typed values by field name, defaults filled in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/math.h"
#include "base/place.h"

namespace protobeam {

/// Read access to the fields of one node. Names and types were checked against the node's field
/// table before, so asking for a field that the table does not have is a programmer's error
/// (assert). Values are in the table's units.
class Fields {
 public:
  virtual ~Fields() = default;
  virtual std::string_view node_type() const = 0;
  virtual bool boolean(std::string_view name) const = 0;
  virtual int integer(std::string_view name) const = 0;
  virtual double number(std::string_view name) const = 0;
  virtual std::string string(std::string_view name) const = 0;
  virtual Vec2 vec2(std::string_view name) const = 0;
  virtual Vec3 vec3(std::string_view name) const = 0;
  virtual Quat rotation(std::string_view name) const = 0;
  /// All numbers of an MF field, flat.
  virtual std::vector<double> numbers(std::string_view name) const = 0;
  virtual std::vector<std::string> strings(std::string_view name) const = 0;
  /// The node of an SFNode field, null for NULL; not after the node that it stands in.
  virtual std::unique_ptr<Fields> child(std::string_view name) const { return nullptr; }
  /// Written in the text (or by a PROTO), not the default.
  virtual bool is_set(std::string_view name) const = 0;
  /// Where the field's value was written; the node's place when it was not.
  virtual Place place(std::string_view name) const = 0;
};

}  // namespace protobeam
