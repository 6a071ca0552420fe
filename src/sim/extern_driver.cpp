// The part of a RobotDriver whose programs come from outside (controller "<extern>").
#include <poll.h>

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "sim/robot_driver.h"

namespace protobeam {

void RobotDriver::await_programs(link::ExternServer& server, const link::RobotRecord& world_facts,
                                 std::chrono::milliseconds limit) {
  auto made = std::make_unique<Extern>();
  made->server = &server;
  made->facts = world_facts;
  made->limit = limit;
  made->robot = server.announce(robot().name);  // throws where there is no folder to meet in
  extern_ = std::move(made);
  lines_ = [name = robot().name, &server](bool, std::string_view line) {
    server.tell("robot '" + name + "': " + std::string(line));
  };
}

void RobotDriver::announce_waiting() {
  if (!extern_ || host_ || gone_ || extern_->told || extern_->given_up) return;
  if (!robot().synchronization) return;
  pollfd come{extern_->robot->descriptor(), POLLIN, 0};
  if (poll(&come, 1, 0) > 0) return;  // nobody has to wait
  extern_->told = true;
  extern_->told_at = std::chrono::steady_clock::now();
  const std::string& name = report_.robot;
  const std::string before = report_.started
                                 ? "the controller of robot '" + name + "' " +
                                       report_.what_happened + ": waiting for another one"
                                 : "waiting for controller of robot '" + name + "'";
  extern_->server->tell(before + ": start it by: " + extern_->server->command_for(name));
}

bool RobotDriver::meet_program() {
  using Clock = std::chrono::steady_clock;
  announce_waiting();
  const bool waits = robot().synchronization && !extern_->given_up;
  const auto begin = Clock::now();
  // Several robots wait at the same time, however many were asked before this one.
  const auto deadline = (extern_->told ? extern_->told_at : begin) + extern_->limit;
  for (;;) {
    if (auto connection = extern_->robot->take()) {
      extern_->server->add_waited(Clock::now() - begin);
      connect(std::move(*connection));
      return true;
    }
    if (!waits) return true;
    if (stop::requested() || extern_->server->interrupted()) return false;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) break;
    pollfd fds[] = {{extern_->robot->descriptor(), POLLIN, 0}, {stop::descriptor(), POLLIN, 0}};
    constexpr long kLongest = 100;  // the window may be closed
    poll(fds, 2, static_cast<int>(std::min(left, kLongest)));
  }
  extern_->server->add_waited(Clock::now() - begin);
  // The run goes on without one, as without a program that cannot be started.
  extern_->given_up = true;
  if (!report_.started) fail_to_start("got no program in time (--controller-timeout)");
  return true;
}

void RobotDriver::connect(link::Connection connection) {
  for (Device& device : robot().devices) {
    if (device.sampling_period > 0) continue;  // it samples by itself
    device.period = 0;
  }
  keyboard_ = {};
  battery_sensor_ = {};
  report_.failed = false;
  report_.exit = 0;
  report_.what_happened.clear();
  extern_->told = extern_->given_up = false;
  try {
    take_over(
        std::make_unique<link::ControllerHost>(record(extern_->facts), std::move(connection)));
  } catch (const std::exception& problem) {  // no memory to share
    fail_to_start(problem.what());
    extern_->robot->release();
    return;
  }
  extern_->server->tell("the controller of robot '" + report_.robot + "' is connected");
}

}  // namespace protobeam
