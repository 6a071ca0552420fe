#include "wbt/unknown_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"
#include "wbt/old_fields.h"

namespace protobeam::wbt {

namespace {

/// "fields of Lidar: name, type, ..."
std::string listed_fields(const std::string& type, const std::vector<std::string>& known) {
  if (known.empty()) return fmt::format("{} has no fields", type);
  return fmt::format("fields of {}: {}", type, fmt::join(known, ", "));
}

}  // namespace

UnknownField unknown_field(const std::string& field, const std::string& type,
                           const std::vector<std::string>& known,
                           const std::vector<std::string>& former) {
  if (const auto last = last_release_with(type, field); !last.empty()) {
    return {
        fmt::format("field '{}' of {} did something up to {}: it is skipped", field, type, last),
        {},
        {},
        false};
  }
  std::string hint = did_you_mean(field, known);
  if (hint.empty()) hint = did_you_mean(field, former);
  const bool mistake = !hint.empty();
  return {fmt::format("unknown field '{}' in {}{}", field, type, mistake ? "" : ": it is skipped"),
          std::move(hint), listed_fields(type, known), mistake};
}

}  // namespace protobeam::wbt
