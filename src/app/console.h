// What a running world says on the terminal: its controllers' lines, their failures, the progress.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "sim/simulation.h"

namespace protobeam {

class Console {
 public:
  struct Settings {
    bool lines_to_stderr = false;  ///< stdout is for JSON alone
    double duration = 0;           ///< s; a progress line on terminals; 0: none
  };
  explicit Console(const Settings& settings);

  /// For Simulation::start_controllers; may be called from other threads.
  ControllerLine controller_lines();
  /// Each failure once, when it happens.
  void report_failures(const Simulation& simulation);
  /// Reports failures again: the controllers were restarted.
  void forget_failures() {
    reported_.clear();
    broken_ = 0;
  }
  /// False when the state of a body is no longer finite; a message for each when it happens.
  bool check_bodies(const Simulation& simulation);
  /// Simulated and wall time on one line that is written over.
  void show_progress(double time, double wall);
  void clear_progress();

 private:
  void clear();  ///< under the mutex

  Settings settings_;
  std::mutex mutex_;
  std::set<std::string> reported_;
  std::size_t broken_ = 0;  ///< bodies that were reported
  double last_ = -1;
  bool shown_ = false;
};

}  // namespace protobeam
