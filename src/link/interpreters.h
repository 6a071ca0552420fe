// Controllers that are no programs of their own: scripts of Python, classes and archives of Java.
#pragma once

#include <filesystem>
#include <string>

#include "link/controller_host.h"
#include "link/runtime_ini.h"

namespace protobeam::link {

/// The endings of such files, in the order in which a controller's are looked for.
constexpr const char* kInterpreted[] = {".class", ".jar", ".py"};

bool is_interpreted(const std::filesystem::path& file);

/// Puts the command that runs `file`, relative to `folder` or absolute, into `launch`, and what its
/// language needs to find our packages. Throws std::runtime_error when that is not installed.
void interpret(const std::filesystem::path& folder, const std::filesystem::path& file,
               const RuntimeIni& ini, LaunchSpec& launch);

/// Controller.jar; there is none in a build without SWIG or a JDK.
std::filesystem::path java_library();

/// The line that makes classes of the sources in a folder.
std::string java_build_command(const std::filesystem::path& folder);

}  // namespace protobeam::link
