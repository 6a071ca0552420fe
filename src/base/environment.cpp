#include "base/environment.h"

#include <cstdlib>

namespace protobeam {

std::optional<std::string> environment_variable(const Environment& environment,
                                                const std::string& name) {
  if (environment) return environment(name);
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace protobeam
