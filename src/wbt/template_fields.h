// Parameters of a PROTO as its template sees them.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/field_table.h"
#include "wbt/document.h"
#include "wbt/node.h"

namespace protobeam::wbt {

struct Bindings;

/// {"name": {"value": ..., "defaultValue": ...}} of the parameters that the body mentions: vectors
/// as {x, y, z}, rotations as {x, y, z, a}, colours as {r, g, b}, lists as arrays, nodes as
/// {node_name, fields}, those made by PROTOs with `super`, NULL as null.
/// `made_by` returns the PROTO and the values that an expanded node came from, or null.
nlohmann::json template_fields(const Document& document, const std::vector<Value>& values,
                               const SchemaRegistry& schemas,
                               const std::function<const Bindings*(const Node&)>& made_by);

}  // namespace protobeam::wbt
