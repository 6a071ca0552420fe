// Makes runs of a sweep, several processes at a time, and writes what came of them into a journal.
#pragma once

#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep/description.h"
#include "sweep/design.h"
#include "sweep/journal.h"
#include "sweep/run_process.h"

namespace protobeam::sweep {

struct WorkSettings {
  std::filesystem::path folder;  ///< of the sweep
  std::string prefix;            ///< of the journal's name
  std::string program;           ///< protobeam
  std::string version;
  int processes = 1;
  /// The first run ends the work when its world cannot be loaded: the others would not be better.
  bool first_decides = false;
};

/// The first run of a sweep did not work.
class FirstRunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Worker {
 public:
  /// Opens its journal. Throws std::runtime_error.
  Worker(const Description& description, const Design& design, const WorkSettings& settings);

  /// Makes these runs; one that fails again, up to Description::retries times. `seen` is called
  /// after each attempt, and once a second. False when a stop was requested (base/stop.h): then
  /// runs that were under way count as not made. Throws FirstRunFailed, and std::runtime_error when
  /// the journal cannot be written any more.
  bool work(std::vector<std::int64_t> runs, const std::function<void()>& seen);

  /// Names of what it has done.
  std::int64_t done() const { return done_; }
  std::int64_t failed() const { return failed_; }
  /// Seconds of wall time that runs took, all in all.
  double wall() const { return wall_; }

 private:
  struct Waiting {
    std::int64_t run;
    int attempts;
  };
  void start(const Waiting& next);
  void wait();
  void take(const RunProcess& process, Outcome outcome, double wall);
  std::filesystem::path folder_of(std::int64_t run) const;

  const Description& description_;
  const Design& design_;
  WorkSettings settings_;
  std::string machine_ = machine_name();
  Journal journal_;
  std::list<Waiting> waiting_;
  std::list<std::pair<Waiting, std::unique_ptr<RunProcess>>> running_;
  std::int64_t done_ = 0, failed_ = 0;
  double wall_ = 0;
  bool decided_ = false;
};

/// As many runs as fit at once: processors that we may use, and memory that is free for what each
/// needs (GB; 0: not said).
int processes_that_fit(double memory);

}  // namespace protobeam::sweep
