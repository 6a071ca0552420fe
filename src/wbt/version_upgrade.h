// Upgrades of text of older releases. The release is that of the file that holds the text.
#pragma once

#include <string>

#include "wbt/document.h"

namespace protobeam::wbt {

/// Node types whose local axes changed with R2022a: older text is not converted.
bool has_changed_axes(const std::string& type);

/// World axes: as WorldInfo says, and before R2020b y up unless it says otherwise.
std::string coordinate_system(const Document& document);

/// Upgrades one expanded node of a file older than R2022a, which changed the axes.
void upgrade_node(const Document& document, Node& node);

}  // namespace protobeam::wbt
