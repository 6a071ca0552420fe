// Child processes. Every program that we start is started here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace protobeam {

/// A program that cannot outlive us, has a process group of its own, the descriptors that it is
/// given and no others, no blocked signals, and the default answer to all of them.
class ChildProcess {
 public:
  enum class Stream {
    kNull,  ///< /dev/null
    kPipe,  ///< our end is in(), out() or err()
    kOurs,  ///< the same as ours
    kOut,   ///< for `err` only: where `out` goes
  };
  struct Start {
    std::vector<std::string> argv;            ///< argv[0] is looked for in PATH unless it has a '/'
    std::filesystem::path working_directory;  ///< empty: ours
    std::map<std::string, std::string> environment;  ///< added to ours
    bool clean_environment = false;                  ///< instead of ours
    Stream in = Stream::kNull, out = Stream::kPipe, err = Stream::kPipe;
    /// Open descriptors by the number that the child sees; 0 to 2 go before `in`, `out`, `err`.
    std::map<int, int> descriptors;
    /// Without a group of its own a terminal's Ctrl-C reaches it.
    bool own_group = true;
  };
  /// Throws std::system_error that says what could not be started ("cannot start 'ffmpeg': No such
  /// file or directory") and why, with the error's code. The kernel kills the child when the
  /// calling thread ends, so that thread must live longer than the child.
  explicit ChildProcess(const Start& start);
  /// Kills the group and waits for the process.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Whether a ChildProcess has this process and has not reaped it yet.
  static bool is_one(pid_t pid);

  pid_t pid() const { return pid_; }
  Descriptor& in() { return in_; }
  Descriptor& out() { return out_; }
  Descriptor& err() { return err_; }
  /// Readable (poll) once the process has ended.
  int pidfd() const { return pidfd_.get(); }

  /// True when it has ended; then it is reaped and what is left of its group is killed.
  bool ended();
  bool ended_within(std::chrono::milliseconds time);
  void wait();
  void signal(int number);  ///< to the group
  void kill();              ///< the group, and waits

  /// After the end: as waitpid gives it.
  int wait_status() const { return wait_status_; }

 private:
  bool poll_end(int milliseconds);
  void reap();

  pid_t pid_ = -1;
  Descriptor pidfd_, in_, out_, err_;
  bool own_group_ = true;
  bool ended_ = false;
  int wait_status_ = 0;
};

/// As many open descriptors as the system allows, instead of the usual 1024: a controller takes five.
/// Children get the limit that there was.
void raise_descriptor_limit();

/// "exited with status 3", "was killed by signal 9 (SIGKILL)"
std::string describe_wait_status(int wait_status);
/// The exit code, or 128 + signal.
int exit_code(int wait_status);

}  // namespace protobeam
