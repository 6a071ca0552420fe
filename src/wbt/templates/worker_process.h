// The template worker as the simulator sees it: a child process that answers requests or is killed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace protobeam::wbt {

class WorkerProcess {
 public:
  struct Limits {
    double seconds;  ///< of computing: a busy machine must not make a world invalid
    std::size_t memory_bytes;  ///< resident
    std::size_t reply_bytes;
  };
  enum class Outcome { kReply, kNotStarted, kDied, kTooLong, kTooMuchMemory, kTooMuchOutput };

  WorkerProcess() = default;
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a request and waits for its reply; starts the process if there is none. After anything
  /// but a reply the process is gone, and the next call starts a new one.
  Outcome exchange(std::string_view request, const Limits& limits, std::string& reply);
  /// Why it could not be started.
  const std::string& start_error() const { return start_error_; }
  pid_t pid() const { return pid_; }

 private:
  bool start();
  void stop();
  Outcome converse(std::string_view request, const Limits& limits, std::string& reply);
  std::size_t resident_bytes() const;
  double cpu_seconds() const;  ///< that the process has computed

  pid_t pid_ = -1;
  int socket_ = -1;
  std::string start_error_;
};

}  // namespace protobeam::wbt
