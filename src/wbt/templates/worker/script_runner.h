// Evaluates one template in JavaScriptCore.
#pragma once

#include <string>

#include "wbt/templates/wire.h"

namespace protobeam::wbt {

/// Settings of JavaScriptCore that count from its first use on.
void configure_javascript();

/// The reply's bytes: Status, emissions (a string of u32 piece, u8 has_text, and the text as a
/// string when it has one), messages (count, then level, text, stack), exception.
std::string run_scripts(const wire::Request& request);

}  // namespace protobeam::wbt
