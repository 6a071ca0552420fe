// The node type that all outputs extend.
#pragma once

#include "base/field_table.h"

namespace protobeam {

/// "Output": which topics go out.
void add_output_schemas(SchemaRegistry& schemas);

}  // namespace protobeam
