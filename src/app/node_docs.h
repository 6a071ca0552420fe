// The pages docs/nodes/NAME.md, written from the field tables that the loader checks.
#pragma once

#include <string>

#include "base/device_type.h"

namespace protobeam {

/// The page of one node type in Markdown: its own fields as a table, old spellings, and the fields
/// that it has from the types it extends, by name; then, of a device type, what else it declares.
std::string node_page(const SchemaRegistry& schemas, const NodeSchema& schema,
                      const DeviceType* type = nullptr);

/// The list of all pages: one line a node type that `schemas` knows by now. Those that are not
/// simulated have no page and come last, by name.
std::string node_index(const SchemaRegistry& schemas);

}  // namespace protobeam
