// What the key P writes: a picture and, beside it, what was shown in it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geometry/material.h"

namespace protobeam::viewer {

/// "view-001" with the first number of which `folder` has neither picture nor text.
std::string next_screenshot(const std::filesystem::path& folder);

/// Writes view-NNN.png, then view-NNN.json; makes the folder when there is none. Who watches the
/// folder sees whole files only, and the text last. Returns the path of the picture; throws
/// std::runtime_error that names the file and the reason.
std::filesystem::path save_screenshot(const std::filesystem::path& folder, const Image& image,
                                      const nlohmann::json& text);

}  // namespace protobeam::viewer
