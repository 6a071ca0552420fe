// Pages of robot windows: the files of their folders, under /robot_windows/, and the script of
// Webots that they import, RobotWindow.js, which is ours here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scene/scene_description.h"
#include "web/server.h"

namespace protobeam::web {

/// "/robot_windows/panel/panel.html?name=rover".
std::string window_address(const SceneDescription::Window& window);

/// What is behind a path without its query; null: nothing of a window. Only what lies in a folder
/// `robot_windows` of one of the world's windows is given away.
std::shared_ptr<const File> window_file(const SceneDescription& description, std::string_view path);

/// The robot whose window opens a WebSocket at "/window?name=rover"; nothing for another path.
std::optional<std::string> robot_of_window(std::string_view path);

/// Percent-encoding, RFC 3986; what is no code stays as it is.
std::string decoded(std::string_view text);
std::string encoded(std::string_view text);

}  // namespace protobeam::web
