// What the readers of <element> share.
#pragma once

#include <optional>

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// The file of an address; nothing with a message when it is not there.
std::optional<std::filesystem::path> file_of(Import& import, const Element& element,
                                             const char* tag, Severity missing);
void add_file(Import& import, const Element& element, const char* tag, const char* field,
              Severity missing, NodeMaker& made);
void add_color(const Reader& reader, const char* tag, NodeMaker& made);
void add_name(const Element& element, NodeMaker& made);
/// Of an element that MVSim does not ask for a pose.
void warn_pose(Import& import, const Element& element);

}  // namespace protobeam::mvsim
