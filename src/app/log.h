// What the program itself has to say, on stderr: "protobeam: error: ...".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/diagnostics.h"

namespace protobeam {

void log_error(const std::string& message);
void log_note(const std::string& message);
/// All of them, as a person reads them.
void log_diagnostics(const Diagnostics& diagnostics, const std::string& file);

/// The errors that were logged, as diagnostics_json() has those of a file: what --json prints of a
/// command that has failed.
nlohmann::json logged_errors();

}  // namespace protobeam
