// One run of a sweep: `protobeam run` as a process, and what came of it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "sweep/description.h"
#include "sweep/journal.h"

namespace protobeam::sweep {

/// The command line of a run and what its environment has more.
struct RunCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
};

/// `values`: of Design::values. `out`: its folder; empty: it has none.
RunCommand run_command(const Description& description, const std::vector<std::string>& values,
                       const std::string& program, std::int64_t run,
                       const std::filesystem::path& out);
/// As one would type it.
std::string shell_text(const RunCommand& command);

struct Outcome {
  bool done = false;
  bool usable = false;  ///< the world could be loaded: another try, or another run, may do better
  int exit = 0;
  std::string state_hash;
  std::string message;  ///< why it is not done
  std::vector<std::optional<double>> metrics;
};

/// Of what `run --json` wrote on stdout and said on stderr. `exit`: 128 + signal for one that was
/// killed.
Outcome outcome_of(const Description& description, int exit, const std::string& out,
                   const std::string& err, const std::filesystem::path& folder);

class RunProcess {
 public:
  /// Throws std::system_error when it cannot be started.
  RunProcess(const Description& description, std::int64_t run, const RunCommand& command,
             std::filesystem::path out);
  /// Kills it, and removes its folder unless that is kept.
  ~RunProcess();
  RunProcess(const RunProcess&) = delete;

  std::int64_t run() const { return run_; }
  int out() { return process_.out().get(); }  ///< -1 once it is closed
  int err() { return process_.err().get(); }
  int pidfd() const { return process_.pidfd(); }
  double wall() const;

  /// Takes what has arrived.
  void read();
  bool ended() { return process_.ended(); }
  /// Kills it because it takes too long.
  void time_out();
  /// After the end.
  Outcome outcome();

 private:
  const Description& description_;
  std::int64_t run_;
  std::filesystem::path folder_;
  ChildProcess process_;
  std::chrono::steady_clock::time_point begin_;
  std::string out_, err_;
  bool timed_out_ = false;
};

}  // namespace protobeam::sweep
