// Variables of the environment, of ours or of a program that is to be started.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace protobeam::link {

/// Of this process.
std::optional<std::string> from_environment(const std::string& variable);
/// Of `environment`, else of this process; "" when it is not set.
std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name);
/// "first:rest" without empty entries.
std::string join_paths(const std::string& first, const std::string& rest);

}  // namespace protobeam::link
