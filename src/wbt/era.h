// What text of older releases means today. The release is that of the file that holds the text.
#pragma once

#include <string>

#include "wbt/document.h"

namespace protobeam::wbt {

/// Node types whose local axes changed with R2022a: text of before is not converted.
bool is_turned_type(const std::string& type);

/// World axes: as WorldInfo says, and before R2020b y up unless it says otherwise.
std::string coordinate_system(const Document& document);

/// Conversions of one expanded node of a file older than R2022a, which turned the axes.
void convert_era(const Document& document, Node& node);

}  // namespace protobeam::wbt
