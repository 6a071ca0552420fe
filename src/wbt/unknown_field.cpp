#include "wbt/unknown_field.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "wbt/old_fields.h"

namespace protobeam::wbt {

UnknownField unknown_field(const std::string& field, const std::string& type,
                           const std::vector<std::string>& known) {
  if (const auto last = last_release_with(type, field); !last.empty()) {
    return {
        fmt::format("field '{}' of {} did something up to {}: it is skipped", field, type, last),
        {},
        false};
  }
  std::string hint = did_you_mean(field, known);
  const bool mistake = !hint.empty();
  return {fmt::format("unknown field '{}' in {}{}", field, type, mistake ? "" : ": it is skipped"),
          std::move(hint), mistake};
}

}  // namespace protobeam::wbt
