// One robot and the controller process that drives it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "link/controller_host.h"
#include "link/extern_server.h"
#include "sim/model.h"
#include "sim/robot_windows.h"

namespace protobeam {

/// How a controller did, for the summary.
struct ControllerReport {
  std::string robot, name;
  bool started = false, running = false, failed = false;
  int exit = 0;               ///< exit code, 128 + signal
  std::string what_happened;  ///< "" while it runs
  std::map<std::string, double> metrics;  ///< that it has given (pb_metric), the last of each name
};

class RobotDriver {
 public:
  RobotDriver(WorldModel& model, int robot);

  /// Starts the process; a controller that cannot be started is a failed one, no exception.
  void start(const link::LaunchSpec& launch, const link::RobotRecord& world_facts,
             link::LineSink lines);
  void fail_to_start(std::string why);
  /// Programs that their users start may drive the robot, one after another. With `synchronization` the
  /// simulation waits for each, at most `limit`, and for its steps.
  void await_programs(link::ExternServer& server, const link::RobotRecord& world_facts,
                      std::chrono::milliseconds limit);
  /// Tells the user, once, that the simulation waits for a program.
  void announce_waiting();

  /// Before physics step `step`: takes the controller's requests and applies their commands until it
  /// waits for a time later than now (or has ended). False when a stop was requested meanwhile.
  bool before_step(std::int64_t step, std::chrono::milliseconds limit);
  /// What the keyboard, if it is on and due, takes in after step `step`.
  void sample_keys(std::int64_t step, std::span<const int> pressed);
  /// What the battery sensor, if it is on and due, measures after step `step`.
  void sample_battery(std::int64_t step);
  /// The battery is empty, or is so no longer (Webots, WbRobot::setCurrentEnergy). Without power
  /// devices stand still, sensors with their last values, and the program goes on; with power
  /// sensors go on, motors do what they were told last, and what else acts waits for its next
  /// command.
  void set_power(bool on);
  /// Answers the request that is due now.
  void after_step(std::int64_t step, double time);
  /// Answers -1 to its step: all controllers end at the same time.
  void begin_finish(double time);
  /// Waits until the controller has ended, at most `limit` a step. After a stop was requested until
  /// `soft` and, after SIGTERM, until `hard`; then it is killed.
  void finish(double time, std::chrono::milliseconds limit,
              std::chrono::steady_clock::time_point soft,
              std::chrono::steady_clock::time_point hard);

  /// A command of the controller (or of a test), checked against the declaration before; mistakes go
  /// to the controller's stderr.
  void apply_command(const DeviceCommand& command, std::int64_t step);
  /// Who answers the controller of a supervisor.
  using Answer = std::function<std::vector<link::SupervisorAnswer>(
      std::span<const link::SupervisorRequest>)>;
  void answer_with(Answer answer) { answer_ = std::move(answer); }
  /// The robot is gone: from now on nothing of it is touched.
  void leave() { gone_ = true; }
  /// The robot was made anew, with that number, and its devices have the same memory as before.
  void follow(int index) { index_ = index; }
  /// The time begins again at 0, after `step`.
  void begin_again(std::int64_t step);
  /// Its devices are others than those of the process, which is about to end.
  void forget_devices() { gone_ = true; }
  int index() const { return index_; }
  void send_custom_data() { custom_data_changed_ = true; }
  /// Somebody may look at the page of its window from now on; before start().
  void open_window() { has_window_ = true; }
  std::vector<WindowText> take_window_texts() { return to_window_.take(); }
  void tell_from_window(WindowText text) { from_window_.add(std::move(text)); }
  ControllerReport report() const;
  bool running() const;

 private:
  RobotInfo& robot() { return model_.robots[static_cast<std::size_t>(index_)]; }
  link::RobotRecord record(const link::RobotRecord& world_facts);
  void take_over(std::unique_ptr<link::ControllerHost> host);
  /// Takes a program that has come; waits for one. False when a stop was requested meanwhile.
  bool meet_program();
  void connect(link::Connection connection);
  std::int64_t periods(double ms) const;  ///< in physics steps, at least one
  void robot_command(const DeviceCommand& command, std::int64_t step);
  void device_command(Device& device, const DeviceCommand& command);
  void release_devices();
  std::vector<DeviceMessage> take_messages();
  std::vector<link::SupervisorAnswer> answers_at_the_end() const;
  void keep_metrics(ControllerReport& report) const;
  void close();  ///< notes how it ended, keeps its last samples, lets the process go
  void complain(const std::string& message);

  WorldModel& model_;
  int index_;
  bool gone_ = false;
  bool custom_data_changed_ = false, has_window_ = false;
  WindowTexts to_window_, from_window_;
  Answer answer_;
  std::unique_ptr<link::ControllerHost> host_;
  link::LineSink lines_;
  struct Extern {
    link::ExternServer* server;
    link::RobotRecord facts;
    std::chrono::milliseconds limit;
    std::unique_ptr<link::ExternRobot> robot;
    bool told = false;      ///< that the simulation waits
    std::chrono::steady_clock::time_point told_at;
    bool given_up = false;  ///< waiting; a program may come nevertheless
  };
  std::unique_ptr<Extern> extern_;  ///< null: the simulator starts the program
  ControllerReport report_;
  struct {
    std::int64_t period = 0;  ///< physics steps; 0: off
    std::int64_t next_sample = 0;
    std::vector<int> keys;  ///< its last sample
  } keyboard_;
  struct {
    std::int64_t period = 0;  ///< physics steps; 0: off
    std::int64_t next_sample = 0;
    bool fresh = false;  ///< not yet told
    double value = -1;   ///< J; -1: there is no battery
  } battery_sensor_;
  bool waiting_ = false;  ///< its request waits for step due_
  std::int64_t due_ = 0;
  std::optional<std::int64_t> asked_;  ///< the step at which it asked last for one
  std::int64_t late_ = 0;  ///< steps from there to its next request beyond what this one asks for
};

}  // namespace protobeam
