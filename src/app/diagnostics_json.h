// Diagnostics for programs: what --json prints of a file that is wrong.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostics.h"

namespace protobeam {

/// {"file", "line", "column", "severity", "message", "hint", "notes"}: line and column, from 1, are
/// missing where the message is about no text; `notes` also holds the PROTOs that the place was expanded
/// from. `file` stands for the file that was asked for when a message names none.
nlohmann::json diagnostic_json(const Diagnostic& diagnostic, const std::string& file);
/// {"errors", "warnings", "diagnostics"} of one file.
nlohmann::json diagnostics_json(const Diagnostics& diagnostics, const std::string& file);
/// As text; bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::json& json);

}  // namespace protobeam
