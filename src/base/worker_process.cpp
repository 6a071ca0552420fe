#include "base/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kProgram = "protobeam-worker";
/// How often a busy worker's memory and time are looked at: at some GB/s it cannot pass its limit
/// by much.
constexpr std::chrono::milliseconds kLook{5};

std::vector<fs::path> candidates() {
  if (const char* path = std::getenv("PROTOBEAM_WORKER")) return {path};
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {folder / kProgram, folder / "../libexec/protobeam" / kProgram,
          fs::path(PROTOBEAM_WORKER_BUILD_DIR) / kProgram};
}

/// The file to run, or empty with the places that were tried.
fs::path find_worker(std::string& tried) {
  for (const fs::path& path : candidates()) {
    if (access(path.c_str(), X_OK) == 0) return path;
    tried += (tried.empty() ? "" : ", ") + path.lexically_normal().string();
  }
  return {};
}

std::span<const std::byte> bytes_of(const std::uint64_t& size) {
  return std::as_bytes(std::span(&size, 1));
}

/// The simulator's end of the socket, which never blocks.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}

  void send_frame(std::span<const std::byte> bytes) {
    size_ = bytes.size();
    header_ = bytes_of(size_);
    body_ = bytes;
  }
  bool sending() const { return !header_.empty() || !body_.empty(); }

  /// Sends or receives what goes at once; false when the worker has closed its end.
  bool move(std::size_t limit) {
    ssize_t moved = 0;
    if (sending()) {
      auto& part = header_.empty() ? body_ : header_;
      moved = ::send(socket_, part.data(), part.size(), MSG_NOSIGNAL);
      if (moved > 0) part = part.subspan(static_cast<std::size_t>(moved));
    } else if (got_ < head_.size()) {
      moved = ::recv(socket_, head_.data() + got_, head_.size() - got_, 0);
      if (moved > 0) got_ += static_cast<std::size_t>(moved);
      if (got_ == head_.size()) {
        std::memcpy(&expected_, head_.data() + 1, sizeof expected_);
        too_large_ = expected_ > limit;
        frame_.clear();
      }
    } else {
      // Memory grows with what has arrived, not with what is announced.
      constexpr std::uint64_t kPiece = std::uint64_t{16} << 20;
      const auto have = frame_.size();
      const auto piece = static_cast<std::size_t>(std::min(kPiece, expected_ - have));
      if (frame_.capacity() < have + piece) frame_.reserve(std::max(have * 2, have + piece));
      frame_.resize(have + piece);
      moved = ::recv(socket_, frame_.data() + have, piece, 0);
      frame_.resize(have + static_cast<std::size_t>(std::max<ssize_t>(0, moved)));
    }
    return moved > 0 || (moved < 0 && (errno == EAGAIN || errno == EINTR));
  }
  bool too_large() const { return too_large_; }
  bool received() const { return got_ == head_.size() && frame_.size() == expected_; }
  WorkerFrame kind() const { return static_cast<WorkerFrame>(head_[0]); }
  WorkerProcess::Bytes take() {
    got_ = 0;
    return std::move(frame_);
  }

 private:
  int socket_;
  std::uint64_t size_ = 0, expected_ = 0;
  std::span<const std::byte> header_, body_;
  std::array<std::byte, 1 + sizeof(std::uint64_t)> head_{};
  std::size_t got_ = 0;  ///< of the head
  bool too_large_ = false;
  WorkerProcess::Bytes frame_;
};

}  // namespace

WorkerProcess::WorkerProcess(std::string task) : task_(std::move(task)) {}
WorkerProcess::~WorkerProcess() = default;

bool WorkerProcess::start() {
  std::string tried;
  const fs::path program = find_worker(tried);
  if (program.empty()) {
    start_error_ = "no program at " + tried;
    return false;
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    start_error_ = std::string("no socket: ") + std::strerror(errno);
    return false;
  }
  Descriptor ours(sockets[0]), theirs(sockets[1]);
  ChildProcess::Start start;
  start.argv = {program.string(), task_};
  // A clean environment: neither JavaScriptCore's debugging switches nor a time zone get in.
  start.clean_environment = true;
  start.environment = {{"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}};
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) start.environment[name] = value;
  }
  start.out = ChildProcess::Stream::kNull;
  start.err = ChildProcess::Stream::kOurs;  // what the loader says
  start.descriptors = {{kWorkerSocket, theirs.get()}};
  try {
    process_ = std::make_unique<ChildProcess>(start);
  } catch (const std::system_error& error) {
    start_error_ = error.what();
    return false;
  }
  socket_ = std::move(ours);
  fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
  return true;
}

void WorkerProcess::stop() {
  if (!process_) return;
  process_->kill();
  wait_status_ = process_->wait_status();
  process_.reset();
  socket_.close();
}

std::size_t WorkerProcess::memory(bool resident) const {
  std::ifstream statm("/proc/" + std::to_string(pid()) + "/statm");
  std::size_t address_space = 0, in_memory = 0;
  statm >> address_space >> in_memory;
  return (resident ? in_memory : address_space) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double WorkerProcess::cpu_seconds() const {
  clockid_t clock;
  timespec spent{};
  if (clock_getcpuclockid(pid(), &clock) != 0 || clock_gettime(clock, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

void WorkerProcess::limit_address_space(std::size_t more) {
#ifndef PROTOBEAM_SANITIZED  // the sanitizers reserve terabytes
  const rlimit space{memory(false) + more, RLIM_INFINITY};
  prlimit(pid(), RLIMIT_AS, &space, nullptr);
#endif
}

WorkerProcess::Outcome WorkerProcess::exchange(std::span<const std::byte> request,
                                               const Limits& limits, Bytes& reply,
                                               const Answer& answer) {
  // An idle worker may be dead (it dies with the thread that started it), or hold much memory.
  if (process_ && (process_->ended() || memory(true) > limits.memory_bytes / 2)) stop();
  for (bool fresh = !process_;; fresh = true) {
    if (!process_ && !start()) return Outcome::kNotStarted;
    Outcome outcome = Outcome::kDied;
    try {
      outcome = converse(request, limits, reply, answer);
    } catch (...) {
      stop();
      throw;
    }
    if (outcome == Outcome::kReply) return outcome;
    if (outcome == Outcome::kDied) process_->ended_within(std::chrono::seconds(1));
    stop();
    // The thread that started it may have ended just now.
    const bool killed = WIFSIGNALED(wait_status_) && WTERMSIG(wait_status_) == SIGKILL;
    if (outcome != Outcome::kDied || fresh || !killed) return outcome;
  }
}

WorkerProcess::Outcome WorkerProcess::converse(std::span<const std::byte> request,
                                               const Limits& limits, Bytes& reply,
                                               const Answer& answer) {
  if (limits.address_space) limit_address_space(limits.memory_bytes + request.size());
  const double cpu_end = cpu_seconds() + limits.seconds;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.patience * limits.seconds);
  auto look = Clock::now();
  Line line(socket_.get());
  Bytes answered;
  line.send_frame(request);
  for (;;) {
    if (const auto now = Clock::now(); now >= look) {
      if (cpu_seconds() > cpu_end || now > deadline) return Outcome::kTooLong;
      if (memory(true) > limits.memory_bytes) return Outcome::kTooMuchMemory;
      look = now + kLook;
    }
    pollfd event{socket_.get(), static_cast<short>(line.sending() ? POLLOUT : POLLIN), 0};
    if (poll(&event, 1, static_cast<int>(kLook.count())) <= 0) continue;
    if (!line.move(limits.reply_bytes)) return Outcome::kDied;
    if (line.too_large()) return Outcome::kTooMuchOutput;
    if (line.sending() || !line.received()) continue;
    if (line.kind() == WorkerFrame::kReply) {
      reply = line.take();
      return Outcome::kReply;
    }
    const Bytes question = line.take();
    if (line.kind() != WorkerFrame::kQuestion || !answer) return Outcome::kDied;
    answered = answer(question);
    line.send_frame(answered);
  }
}

}  // namespace protobeam
