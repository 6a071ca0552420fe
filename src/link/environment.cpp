#include "link/environment.h"

#include <cstdlib>

namespace protobeam::link {

std::optional<std::string> from_environment(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name) {
  const auto found = environment.find(name);
  return found != environment.end() ? found->second : from_environment(name).value_or("");
}

std::string join_paths(const std::string& first, const std::string& rest) {
  return first.empty() || rest.empty() ? first + rest : first + ":" + rest;
}

}  // namespace protobeam::link
