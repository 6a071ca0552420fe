// protobeam-worker as the simulator sees it: a sandboxed process that answers requests or is
// killed.
//
// Both ends send frames over a socket: a FrameHead and that many bytes. The simulator's are
// requests and answers to questions, the worker's questions about the request and the reply that
// ends it. The bytes of a large frame lie in memory that both share, one for each direction: on a
// busy machine a socket's buffer would have them change turns hundreds of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"

namespace protobeam {

enum class FrameKind : std::uint32_t { kRequest, kAnswer, kQuestion, kReply };
struct FrameHead {
  FrameKind kind{};
  std::uint32_t shared = 0;  ///< 1: the bytes lie in shared memory, from its beginning on
  std::uint64_t size = 0;    ///< bytes
  std::uint64_t room = 0;    ///< of a request: bytes of shared memory for its reply; 0: none
};
/// Frames from this size on go through shared memory, where there is some: a limit of file sizes
/// (ulimit -f) holds for it, too.
inline constexpr std::size_t kSharedFrame = std::size_t{1} << 18;

/// The worker's descriptors: its end of the socket, and the memory for what it gets and what it
/// gives. The latter is as large as the simulator allows.
inline constexpr int kWorkerSocket = 3, kWorkerInput = 4, kWorkerOutput = 5;

/// The first `size` bytes of a descriptor's memory, for as long as this lives.
class SharedBytes {
 public:
  SharedBytes() = default;
  /// Empty with errno when that cannot be.
  SharedBytes(int fd, std::size_t size, bool writable);
  ~SharedBytes();
  SharedBytes(SharedBytes&& other) noexcept;
  SharedBytes& operator=(SharedBytes&& other) noexcept;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

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
  /// The file that it would run; empty when there is none.
  static std::filesystem::path program();
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a request and waits for its reply; starts the process if there is none. After anything
  /// but a reply the process is gone, and the next call starts a new one. What `answer` throws goes
  /// to the caller. The reply is there until release_reply() or the next call.
  Outcome exchange(std::span<const std::byte> request, const Limits& limits,
                   const Answer& answer = {});
  std::span<const std::byte> reply() const;
  void release_reply();
  /// Why it could not be started.
  const std::string& start_error() const { return start_error_; }
  /// After kDied: as waitpid gives it.
  int wait_status() const { return wait_status_; }
  pid_t pid() const { return process_ ? process_->pid() : -1; }

 private:
  bool start();
  void stop();
  Outcome converse(std::span<const std::byte> request, const Limits& limits, const Answer& answer);
  bool share(std::span<const std::byte> bytes);
  void limit_address_space(std::size_t more);
  std::size_t memory(bool resident) const;  ///< bytes in use now
  double cpu_seconds() const;               ///< that the process has computed

  std::string task_;
  std::unique_ptr<ChildProcess> process_;
  Descriptor socket_, input_, output_;
  Bytes small_reply_;
  SharedBytes large_reply_;
  std::string start_error_;
  int wait_status_ = 0;
};

}  // namespace protobeam
