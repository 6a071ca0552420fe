// Where the controller libraries and their headers are, in a build tree or installed.
#pragma once

#include <filesystem>

namespace protobeam::link {

/// Folder of libController.so: the `lib` beside the running program's folder, or above the Python
/// module that holds this code. Empty: there is none.
std::filesystem::path controller_library_dir();
/// Folder of webots/robot.h.
std::filesystem::path controller_include_dir();

}  // namespace protobeam::link
