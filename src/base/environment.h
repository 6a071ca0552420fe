// Variables of the environment, where the caller may have others than the process.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace protobeam {

/// The value of a variable; nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// By `environment`; an empty one: of this process.
std::optional<std::string> environment_variable(const Environment& environment,
                                                const std::string& name);

}  // namespace protobeam
