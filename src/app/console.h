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
    lidars_checked_ = false;
  }
  /// For who shows points: says once, when controllers had a second of simulated time to enable a lidar,
  /// that none is enabled.
  void check_lidars(const Simulation& simulation);
  /// False when the state of a body is no longer finite; a message for each when it happens.
  bool check_bodies(const Simulation& simulation);
  /// Simulated and wall time on one line that is written over.
  void show_progress(double time, double wall);
  /// The same of a film: pictures and the time that is left.
  void show_pictures(std::int64_t done, std::int64_t all, double wall);
  /// What takes a while, until the next one or clear_progress().
  void show_stage(const std::string& what);
  void clear_progress();

 private:
  void clear();  ///< under the mutex
  bool due(double wall) const;  ///< a terminal gets ten lines a second at most
  void show_bar(double share, double wall, const std::string& text);

  Settings settings_;
  std::mutex mutex_;
  std::set<std::string> reported_;
  std::size_t broken_ = 0;  ///< bodies that were reported
  bool lidars_checked_ = false;
  double last_ = -1;
  bool shown_ = false;
};

}  // namespace protobeam
