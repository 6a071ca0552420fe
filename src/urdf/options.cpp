#include "urdf/options.h"

#include <cstdlib>

namespace protobeam::urdf {

std::optional<std::string> environment_variable(const Options& options, const std::string& name) {
  if (options.environment) return options.environment(name);
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace protobeam::urdf
