// Values that Webots replaces when it loads them.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "base/field_table.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Gives numbers of a Webots node that are out of its range the value that Webots gives them, with
/// one warning a field. What is not in Webots' nodes stays as it is.
void repair_numbers(const Node& node, Field& field,
                    const std::shared_ptr<const Instantiation>& chain, Diagnostics& diagnostics);

/// Warns of values that Webots passes over because of another field of the node.
void warn_of_unused(const Node& node, const Field& field,
                    const std::shared_ptr<const Instantiation>& chain, Diagnostics& diagnostics);

/// Whether Webots takes the default when a word of this field is none that it knows.
bool takes_default_for_words(const Node& node, const Field& field);

}  // namespace protobeam::wbt
