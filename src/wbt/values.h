// Values against field types: the same rules for fields of nodes and parameters of PROTOs.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "base/field_table.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Who is asking: names the field in messages and says where its text was expanded.
struct ValueContext {
  std::string subject;  ///< "field 'size' of Box"
  std::shared_ptr<const Instantiation> chain;
  Diagnostics& diagnostics;
};

/// Makes the value one of that type (whole numbers, unit axes); false with an error when it is not.
bool fit(Value& value, FieldType type, const ValueContext& context);

/// The value is an empty list or of the kind that the type wants; how many of them is not asked.
bool has_kind(const Value& value, FieldType type);

/// Number of elements of a value that fits the type.
std::size_t element_count(const Value& value, FieldType type);

/// How many nodes take as much memory as the numbers and strings of the value.
std::size_t nodes_worth(const Value& value);

/// Elements by content: numbers, strings, or nothing for nodes.
bool equal_values(const Value& a, const Value& b);

/// The PROTOs around a value: those of its node, less the ones whose bodies did not hold it.
std::shared_ptr<const Instantiation> chain_of(const Place& value, const Place& node,
                                              std::shared_ptr<const Instantiation> chain);

/// True, with a last message, when there are more mistakes than a person would read: time to stop.
bool too_many(Diagnostics& diagnostics);

/// "0.5", as short as it reads back.
std::string shown(double number);

}  // namespace protobeam::wbt
