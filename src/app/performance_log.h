// `webots --log-performance`: how long a run took, in the lines of Webots' own file
// (src/webots/core/WbPerformanceLog.cpp of github.com/cyberbotics/webots, R2023b), as far as there
// is something to measure here.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace protobeam {

struct PerformanceArguments {
  std::string file;    ///< "": none
  long steps = 0;      ///< that are measured; 0: all
  std::string system;  ///< lines about the machine, for the beginning of the file
  bool wanted() const { return !file.empty(); }
};

/// Of one world; a file may get several, one behind the other.
class PerformanceLog {
 public:
  /// Throws std::runtime_error when the file cannot be written, as finish() does.
  PerformanceLog(const Simulation& simulation, PerformanceArguments arguments);

  void after_step();
  /// Appends what was measured; nothing without a step.
  void finish();

 private:
  struct Column {
    std::string name;
    double average = 0, total = 0;  ///< ms
  };
  std::vector<Column> columns() const;

  const Simulation& simulation_;
  const PerformanceArguments arguments_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  long steps_ = 0;
  double wall_ = 0;               ///< s, until the last step that is measured
  std::vector<Column> measured_;  ///< when that was made
};

}  // namespace protobeam
