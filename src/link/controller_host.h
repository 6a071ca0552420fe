// The simulator's side of a controller program: starts the process, or takes the connection of one that
// its user has started, hands it its robot, waits for its steps and answers them, and survives whatever
// it does.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/device_data.h"
#include "base/device_type.h"
#include "link/supervisor_messages.h"

namespace protobeam::link {

/// A device as its controller program gets to know it: what its type declares, for this one.
struct DeviceRecord {
  std::uint16_t tag = 0;  ///< 1, 2, ... in the order of the list
  std::string type;       ///< node type
  std::string api;        ///< DeviceType::api, or the type's own name
  std::int32_t webots_node = 1000;
  std::string name, model;
  Properties properties;
  std::int32_t joint = -1;  ///< the same number for all devices on one axis of a joint; -1: none
  bool messages = false;    ///< delivers messages
  std::vector<ChannelLayout> channels;
  std::vector<CommandSpec> commands;
  std::size_t data_size = 0;  ///< bytes in shared memory; 0: none

  bool has_sample() const { return !channels.empty() || messages; }
};

struct RobotRecord {
  std::string name, model, custom_data, controller;
  std::string project_path, world_path;
  double basic_time_step_ms = 32;
  bool supervisor = false, synchronization = true;
  bool window = false;  ///< somebody may look at the page of its window
  std::vector<DeviceRecord> devices;
};

/// What to start. The host adds the environment of the link itself.
struct LaunchSpec {
  std::vector<std::string> argv;            ///< program and arguments
  std::filesystem::path working_directory;
  std::map<std::string, std::string> environment;  ///< added to ours
};

/// Finds `controller` as Webots does: <dir>/NAME/NAME (program), NAME.class, NAME.jar, NAME.py;
/// reads runtime.ini. The folders are tried in order; the working directory is the controller's
/// source folder, also when its program lies in `build_dirs`. Throws std::runtime_error naming what
/// was tried.
LaunchSpec find_controller(const std::string& controller, const std::vector<std::string>& arguments,
                           const std::vector<std::filesystem::path>& controller_dirs,
                           const std::vector<std::filesystem::path>& build_dirs);

/// A program, or by its ending what another one runs (link/interpreters.h), with the runtime.ini
/// beside it. The working directory is ours. Throws std::runtime_error.
LaunchSpec launch_file(const std::filesystem::path& file, const std::vector<std::string>& arguments);
/// What a program needs to find libController: LD_LIBRARY_PATH, WEBOTS_HOME.
void add_library_environment(std::map<std::string, std::string>& environment);

/// One wb_robot_step of the controller.
struct StepRequest {
  int period_ms = 0;  ///< 0: only flush the commands
  std::vector<DeviceCommand> commands;
};

/// Keys that a keyboard tells at once, as many as the reference of Webots' Keyboard says.
inline constexpr std::size_t kMostKeys = 7;

struct StepReply {
  int result = 0;  ///< what wb_robot_step returns: 0, a delay in ms, or -1: end
  double time = 0; ///< simulated, s
  /// Of tag 0: with a number, what its battery sensor measures; without, a text from the page of
  /// its window.
  std::vector<DeviceMessage> messages;
  std::vector<int> keys;  ///< the keyboard's sample, at most kMostKeys; empty while it is off
  std::optional<std::string> custom_data;  ///< when a supervisor has changed it
  std::optional<bool> supervisor;          ///< when one has changed whether this is one
  /// Of devices whose fields a supervisor has changed, by tag.
  std::vector<std::pair<std::uint16_t, Properties>> properties = {};
};

/// What a program says about its run (pb_metric). It may be NaN: whoever evaluates runs decides.
struct Metric {
  /// Bytes of a name, which is printable ASCII, and names of a robot.
  static constexpr std::size_t kLongestName = 100, kMost = 1000;
  static bool good_name(std::string_view name);

  std::string name;
  double value = 0;
};

struct Connection;  // link/extern_server.h

enum class ControllerState {
  kComputing,  ///< started, its next step is awaited
  kStepping,   ///< request() waits for reply()
  kAsking,     ///< questions() wait for answer()
  kFinished,   ///< ended by itself with status 0
  kFailed,     ///< exit status other than 0, a signal, a broken message or no answer in time
};

/// Lines of the controller's stdout (false) and stderr (true), without line end. Called on a thread
/// of the host, until the process has ended and wait(), poll() or the destructor has returned. Of a
/// line no more than 4096 bytes come, of a stream no more than 10000 lines a second; what is left out
/// is told. It must not wait for the thread that drives the host.
using LineSink = std::function<void(bool is_stderr, std::string_view line)>;

class ControllerHost {
 public:
  /// Starts the process. Throws std::runtime_error when it cannot be started. The kernel kills the
  /// process when the calling thread ends.
  ControllerHost(RobotRecord robot, const LaunchSpec& launch, LineSink lines);
  /// Takes a program that its user has started. It cannot be killed: where a process would be, its
  /// connection is closed.
  ControllerHost(RobotRecord robot, Connection connection);
  /// Ends the process (-1 to its step, after a second SIGTERM, then SIGKILL) and waits for it.
  ~ControllerHost();

  /// The device's part of the shared memory, aligned to 64 bytes; zero at start.
  std::span<std::byte> data(std::uint16_t tag);

  ControllerState state() const;
  /// Waits until the controller asks for a step or has ended; a controller that lets no simulated
  /// time pass for `limit` of wall time is killed and failed ("did not step for 10 s"), also when it
  /// asks for steps of no time meanwhile. A stop (base/stop.h) ends the wait: kComputing then.
  ControllerState wait(std::chrono::milliseconds limit);
  /// Without waiting (robots with synchronization FALSE).
  ControllerState poll();
  const StepRequest& request() const;
  void reply(const StepReply& reply);
  /// Of a supervisor.
  const std::vector<SupervisorRequest>& questions() const;
  void answer(std::span<const SupervisorAnswer> answers);
  /// Answers -1 if it waits for its step; what it does then is its own.
  void stop();
  /// Ends the process: -1 to its steps until `soft`, SIGTERM and the same until `hard`, then SIGKILL.
  void end(std::chrono::steady_clock::time_point soft, std::chrono::steady_clock::time_point hard);

  int exit_status() const;          ///< exit code, or 128 + signal
  std::string what_happened() const;  ///< "exited with status 3", "was killed by signal 9 (SIGKILL)"
  const RobotRecord& robot() const;
  /// By name, each with its last value; those that come after the last step too.
  const std::map<std::string, double>& metrics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::link
