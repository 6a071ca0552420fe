// The program's side of finding its robot, when its user has started it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "link/channel.h"
#include "link/controller_url.h"

namespace protobeam::link {

/// What the environment says: WEBOTS_CONTROLLER_URL, or else WEBOTS_ROBOT_NAME. Throws
/// std::invalid_argument.
ControllerUrl url_of_environment();
/// How long to wait for the simulation: what kPatienceVariable says, else 50 s (as in Webots) when
/// there is a URL, else not at all. Throws std::invalid_argument.
std::chrono::milliseconds patience_of_environment();

/// A connection to the robot; its Hello is next. `note` is called once when there is something to
/// wait for. Throws std::runtime_error that says which robots there are.
std::unique_ptr<Channel> attach(const ControllerUrl& url, std::chrono::milliseconds patience,
                                const std::function<void(const std::string&)>& note);

}  // namespace protobeam::link
