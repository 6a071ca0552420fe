// WEBOTS_CONTROLLER_URL: which robot of which simulation a program drives that its user has
// started.
#pragma once

#include <string>
#include <string_view>

namespace protobeam::link {

inline constexpr const char* kUrlVariable = "WEBOTS_CONTROLLER_URL";
/// Seconds that a program waits for its simulation.
inline constexpr const char* kPatienceVariable = "PROTOBEAM_CONTROLLER_TIMEOUT";
/// Webots' own.
inline constexpr int kDefaultPort = 1234;

struct ControllerUrl {
  enum class Protocol { kIpc, kTcp };
  Protocol protocol = Protocol::kIpc;
  std::string host;   ///< kTcp only
  int port = 0;       ///< 0: of whatever simulation there is
  std::string robot;  ///< "": the only one
};

/// "ipc://PORT[/ROBOT]", "tcp://HOST:PORT[/ROBOT]", "ROBOT" or "". The robot's name is
/// percent-encoded after a port, and as it is alone. Throws std::invalid_argument that says what is
/// wrong.
ControllerUrl parse_controller_url(const std::string& text);
/// As parse_controller_url() reads it.
std::string to_string(const ControllerUrl& url);
std::string percent_encode(std::string_view text);

}  // namespace protobeam::link
