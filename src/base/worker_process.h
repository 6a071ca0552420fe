// protobeam-worker as the simulator sees it: a sandboxed process that answers requests or is
// killed.
//
// Both ends send frames over a socket. The simulator's are a size (u64) and that many bytes: a
// request, or the answer to a question. The worker's have a WorkerFrame before the size: a question
// about the request, or the reply that ends it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"

namespace protobeam {

enum class WorkerFrame : std::uint8_t { kReply = 'r', kQuestion = 'q' };
/// The descriptor of the worker's end of the socket.
inline constexpr int kWorkerSocket = 3;

class WorkerProcess {
 public:
  using Bytes = std::vector<std::byte>;
  struct Limits {
    double seconds = 0;            ///< of computing: a busy machine must not make a world invalid
    std::size_t memory_bytes = 0;  ///< resident
    std::size_t reply_bytes = 0;
    double patience = 20;  ///< wall time for each second of computing: one that sleeps ends, too
    /// Also of address space, so that what asks for too much is told so. Not for JavaScriptCore,
    /// which reserves more than it uses.
    bool address_space = false;
  };
  enum class Outcome { kReply, kNotStarted, kDied, kTooLong, kTooMuchMemory, kTooMuchOutput };
  /// Answers a question of the worker. It is foreign data that asks.
  using Answer = std::function<Bytes(std::span<const std::byte> question)>;

  /// `task`: the argument of the program, "templates" or "models".
  explicit WorkerProcess(std::string task);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a request and waits for its reply; starts the process if there is none. After anything
  /// but a reply the process is gone, and the next call starts a new one. What `answer` throws goes
  /// to the caller.
  Outcome exchange(std::span<const std::byte> request, const Limits& limits, Bytes& reply,
                   const Answer& answer = {});
  /// Why it could not be started.
  const std::string& start_error() const { return start_error_; }
  /// After kDied: as waitpid gives it.
  int wait_status() const { return wait_status_; }
  pid_t pid() const { return process_ ? process_->pid() : -1; }

 private:
  bool start();
  void stop();
  Outcome converse(std::span<const std::byte> request, const Limits& limits, Bytes& reply,
                   const Answer& answer);
  void limit_address_space(std::size_t more);
  std::size_t memory(bool resident) const;  ///< bytes in use now
  double cpu_seconds() const;               ///< that the process has computed

  std::string task_;
  std::unique_ptr<ChildProcess> process_;
  Descriptor socket_;
  std::string start_error_;
  int wait_status_ = 0;
};

}  // namespace protobeam
