// A controller's runtime.ini: environment variables and the commands of languages.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::link {

struct RuntimeIni {
  struct Interpreter {
    std::string command;  ///< "" when the file names none
    std::vector<std::string> options;
  };
  std::map<std::string, std::string> environment;
  Interpreter python, java;
};

using Lookup = std::function<std::optional<std::string>(const std::string& variable)>;

/// `path` names the text in messages; its folder is the base of relative paths. `outer` gives the
/// variables of the environment for $(VAR); earlier lines of the file come before it. Throws
/// std::runtime_error ("controllers/a/runtime.ini:3: ...").
RuntimeIni parse_runtime_ini(std::string_view text, const std::filesystem::path& path,
                             const Lookup& outer);

}  // namespace protobeam::link
