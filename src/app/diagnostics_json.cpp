#include "app/diagnostics_json.h"

#include <fmt/format.h>

namespace protobeam {

nlohmann::json diagnostic_json(const Diagnostic& diagnostic, const std::string& file) {
  const Place& place = diagnostic.place;
  nlohmann::json row = {{"file", place.valid() ? place.source->name() : file},
                        {"severity", diagnostic.severity == Severity::kError ? "error" : "warning"},
                        {"message", diagnostic.message},
                        {"hint", diagnostic.hint},
                        {"notes", diagnostic.notes}};
  if (place.valid()) {
    const auto at = place.source->locate(place.offset);
    row["line"] = at.line;
    row["column"] = at.column;
  }
  for (const auto* step = diagnostic.expanded_from.get(); step; step = step->parent.get()) {
    row["notes"].push_back(
        fmt::format("expanded from {} at {}", step->proto, step->place.to_string()));
  }
  return row;
}

nlohmann::json diagnostics_json(const Diagnostics& diagnostics, const std::string& file) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    rows.push_back(diagnostic_json(diagnostic, file));
  }
  return {{"errors", diagnostics.error_count()},
          {"warnings", diagnostics.warning_count()},
          {"diagnostics", std::move(rows)}};
}

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace protobeam
