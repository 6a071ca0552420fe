#include "link/attach.h"

#include <poll.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "link/attach_messages.h"
#include "link/meeting_place.h"
#include "link/messages.h"
#include "link/tcp.h"

namespace protobeam::link {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenTries{100};
constexpr milliseconds kAnswerLimit{10'000};
constexpr milliseconds kWebotsPatience{50'000};

/// Nobody is there yet: it is worth another try.
class Absent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::unique_ptr<Channel> connect_to(const ControllerUrl& url) {
  const bool local = url.protocol == ControllerUrl::Protocol::kIpc;
  std::string problem;
  Descriptor socket =
      local ? meet(url.port).value_or(Descriptor()) : connect_tcp(url.host, url.port, problem);
  if (!socket.open()) {
    const ControllerUrl place{url.protocol, url.host, url.port, ""};
    throw Absent("no simulation with extern controllers is at " + to_string(place) +
                 (problem.empty() ? "" : " (" + problem + ")"));
  }
  return std::make_unique<Channel>(socket.release(),
                                   local ? Channel::Kind::kPackets : Channel::Kind::kStream);
}

/// The next message, within a limit.
Message answer_of(Channel& channel) {
  const auto deadline = Clock::now() + kAnswerLimit;
  for (;;) {
    if (const auto message = channel.receive(false)) return *message;
    if (channel.closed()) throw Absent("the simulation has closed the connection");
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) throw Absent("the simulation does not answer");
    pollfd fd{channel.fd(), static_cast<short>(channel.pending() ? POLLIN | POLLOUT : POLLIN), 0};
    poll(&fd, 1, static_cast<int>(left));
    channel.flush();
  }
}

std::unique_ptr<Channel> ask_for(const ControllerUrl& url) {
  auto channel = connect_to(url);
  channel->post(MessageType::kAttach, encode_attach(url.robot));
  const Message answer = answer_of(*channel);
  if (answer.type == MessageType::kRefused) {
    throw std::runtime_error(to_string({url.protocol, url.host, url.port, ""}) + ": " +
                             decode_refused(answer.bytes));
  }
  if (answer.type != MessageType::kAttached) throw BrokenMessage("it answers with another message");
  return channel;
}

struct Found {
  ControllerUrl url;
  bool driven;
};

/// All robots of all simulations of this machine.
std::vector<Found> find_robots() {
  std::vector<Found> all;
  for (const int port : meeting_ports()) {
    ControllerUrl url{ControllerUrl::Protocol::kIpc, "", port, ""};
    try {
      const auto channel = connect_to(url);
      channel->post(MessageType::kList, encode_list());
      const Message answer = answer_of(*channel);
      if (answer.type != MessageType::kRobots) continue;
      for (const WaitingRobot& robot : decode_robots(answer.bytes)) {
        url.robot = robot.name;
        all.push_back({url, robot.driven});
      }
    } catch (const Absent&) {  // it has just ended, or was killed
    }
  }
  return all;
}

std::string list_of(const std::vector<Found>& robots) {
  std::string text;
  for (const Found& robot : robots) {
    text += "\n  " + std::string(kUrlVariable) + "=" + to_string(robot.url) +
            (robot.driven ? "  (driven by another program)" : "");
  }
  return text;
}

/// The only one that fits.
ControllerUrl choose(const std::string& name) {
  const auto all = find_robots();
  if (all.empty()) throw Absent("no simulation with extern controllers runs");
  std::vector<Found> fitting, free;
  for (const Found& robot : all) {
    if (!name.empty() && robot.url.robot != name) continue;
    fitting.push_back(robot);
    if (!robot.driven) free.push_back(robot);
  }
  if (fitting.empty()) {
    throw std::runtime_error("no robot '" + name +
                             "' has the controller \"<extern>\"; there are:" + list_of(all));
  }
  if (fitting.size() == 1) return fitting[0].url;  // if it is driven, its simulation says so
  if (!name.empty() && free.size() == 1) return free[0].url;
  throw std::runtime_error("several robots have the controller \"<extern>\"; name one:" +
                           list_of(fitting));
}

}  // namespace

ControllerUrl url_of_environment() {
  if (const char* url = std::getenv(kUrlVariable); url && *url) return parse_controller_url(url);
  ControllerUrl url;
  if (const char* robot = std::getenv("WEBOTS_ROBOT_NAME")) url.robot = robot;
  return url;
}

milliseconds patience_of_environment() {
  const char* text = std::getenv(kPatienceVariable);
  if (text && *text) {
    const std::string_view whole = text;
    double seconds = 0;
    const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
    if (error != std::errc() || *end || !(seconds >= 0) || seconds > 1e9) {
      throw std::invalid_argument(std::string(kPatienceVariable) + " is '" + text +
                                  "', which is no number of seconds");
    }
    return milliseconds(static_cast<std::int64_t>(seconds * 1000));
  }
  const char* url = std::getenv(kUrlVariable);
  return url && *url ? kWebotsPatience : milliseconds(0);
}

std::unique_ptr<Channel> attach(const ControllerUrl& url, milliseconds patience,
                                const std::function<void(const std::string&)>& note) {
  const auto deadline = Clock::now() + patience;
  for (bool first = true;; first = false) {
    try {
      if (url.port != 0) return ask_for(url);
      ControllerUrl chosen = choose(url.robot);
      return ask_for(chosen);
    } catch (const Absent& absent) {
      if (Clock::now() >= deadline) throw;
      if (first) note(std::string(absent.what()) + ": waiting for it");
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

}  // namespace protobeam::link
