// A child process with its own group, that cannot outlive us and leaves nothing behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace protobeam::link {

class Process {
 public:
  struct Start {
    std::vector<std::string> argv;
    std::filesystem::path working_directory;
    std::map<std::string, std::string> environment;  ///< added to ours
    std::vector<int> inherited;  ///< descriptors above 2 that stay open, with their number
  };
  /// Throws std::runtime_error that says what could not be started and why. The kernel kills the
  /// child when the calling thread ends, so that thread must live longer than the child.
  explicit Process(const Start& start);
  /// Kills the group and waits for the process.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Ends of the pipes; the caller closes them.
  int stdout_pipe() const { return stdout_; }
  int stderr_pipe() const { return stderr_; }
  /// Readable (poll) once the process has ended.
  int pidfd() const { return pidfd_; }

  /// True when it has ended; then it is reaped and what is left of its group is killed.
  bool ended();
  /// Waits for the end.
  bool ended_within(std::chrono::milliseconds time);
  void signal(int number);  ///< to the group
  void kill();              ///< the group, and waits

  /// After the end: as waitpid gives it.
  int wait_status() const { return wait_status_; }

 private:
  pid_t pid_ = -1;
  int pidfd_ = -1, stdout_ = -1, stderr_ = -1;
  bool ended_ = false;
  int wait_status_ = 0;
};

/// "exited with status 3", "was killed by signal 9 (SIGKILL)"
std::string describe_wait_status(int wait_status);
/// The exit code, or 128 + signal.
int exit_code(int wait_status);

}  // namespace protobeam::link
