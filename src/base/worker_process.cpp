#include "base/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

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

/// The simulator's end of the socket, which never blocks.
class Line {
 public:
  /// `most`: bytes of a frame that is not shared.
  Line(int socket, std::size_t most) : socket_(socket), most_(most) {}

  /// `shared`: the bytes are in shared memory already. `room`: of it, for the reply.
  void send_frame(FrameKind kind, std::span<const std::byte> bytes, bool shared,
                  std::uint64_t room = 0) {
    sent_ = {kind, shared ? 1u : 0u, bytes.size(), room};
    header_ = std::as_bytes(std::span(&sent_, 1));
    body_ = shared ? std::span<const std::byte>() : bytes;
  }
  bool sending() const { return !header_.empty() || !body_.empty(); }

  /// Sends or receives what goes at once; false when the worker has closed its end.
  bool move() {
    ssize_t moved = 0;
    if (sending()) {
      auto& part = header_.empty() ? body_ : header_;
      moved = ::send(socket_, part.data(), part.size(), MSG_NOSIGNAL);
      if (moved > 0) part = part.subspan(static_cast<std::size_t>(moved));
    } else {
      const std::span<std::byte> room =
          got_ < sizeof head_ ? std::as_writable_bytes(std::span(&head_, 1)).subspan(got_)
                              : std::span(bytes_).subspan(got_ - sizeof head_);
      moved = ::recv(socket_, room.data(), room.size(), 0);
      if (moved > 0) got_ += static_cast<std::size_t>(moved);
      if (got_ == sizeof head_ && head_.shared == 0) {
        bytes_.resize(std::min<std::uint64_t>(head_.size, most_));
      }
    }
    return moved > 0 || (moved < 0 && (errno == EAGAIN || errno == EINTR));
  }
  /// A whole frame is there.
  bool received() const { return got_ >= sizeof head_ && got_ == sizeof head_ + bytes_.size(); }
  const FrameHead& head() const { return head_; }
  /// Of a frame that is not shared.
  WorkerProcess::Bytes take() {
    got_ = 0;
    return std::exchange(bytes_, {});
  }

 private:
  int socket_;
  std::size_t most_;
  FrameHead sent_, head_;
  std::span<const std::byte> header_, body_;
  std::size_t got_ = 0;  ///< of the head and the bytes
  WorkerProcess::Bytes bytes_;
};

Descriptor make_memory(const char* name) { return Descriptor(memfd_create(name, MFD_CLOEXEC)); }

/// Gives the pages back.
void empty(const Descriptor& memory) {
  if (memory.open()) [[maybe_unused]]
    const int failed = ftruncate(memory.get(), 0);
}

}  // namespace

SharedBytes::SharedBytes(int fd, std::size_t size, bool writable) {
  if (size == 0) return;
  void* memory =
      mmap(nullptr, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) bytes_ = {static_cast<std::byte*>(memory), size};
}

SharedBytes::~SharedBytes() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

SharedBytes::SharedBytes(SharedBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

SharedBytes& SharedBytes::operator=(SharedBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

fs::path WorkerProcess::program() {
  std::string tried;
  return find_worker(tried);
}

WorkerProcess::WorkerProcess(std::string task) : task_(std::move(task)) {}
WorkerProcess::~WorkerProcess() { stop(); }  // before its socket closes, upon which it would exit

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
  input_ = make_memory("protobeam-input");
  output_ = make_memory("protobeam-output");
  if (!input_.open() || !output_.open()) {
    start_error_ = std::string("no memory to share: ") + std::strerror(errno);
    return false;
  }
  start.descriptors = {
      {kWorkerSocket, theirs.get()}, {kWorkerInput, input_.get()}, {kWorkerOutput, output_.get()}};
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

std::span<const std::byte> WorkerProcess::reply() const {
  return large_reply_.bytes().empty() ? std::span<const std::byte>(small_reply_)
                                      : large_reply_.bytes();
}

void WorkerProcess::release_reply() {
  small_reply_ = {};
  large_reply_ = {};
  empty(output_);
}

WorkerProcess::Outcome WorkerProcess::exchange(std::span<const std::byte> request,
                                               const Limits& limits, const Answer& answer) {
  release_reply();
  // An idle worker may be dead (it dies with the thread that started it), or hold much memory.
  if (process_ && (process_->ended() || memory(true) > limits.memory_bytes / 2)) stop();
  for (bool fresh = !process_;; fresh = true) {
    if (!process_ && !start()) return Outcome::kNotStarted;
    Outcome outcome = Outcome::kDied;
    try {
      outcome = converse(request, limits, answer);
    } catch (...) {
      stop();
      throw;
    }
    empty(input_);
    if (outcome == Outcome::kReply) return outcome;
    if (outcome == Outcome::kDied) process_->ended_within(std::chrono::seconds(1));
    stop();
    // The thread that started it may have ended just now.
    const bool killed = WIFSIGNALED(wait_status_) && WTERMSIG(wait_status_) == SIGKILL;
    if (outcome != Outcome::kDied || fresh || !killed) return outcome;
  }
}

bool WorkerProcess::share(std::span<const std::byte> bytes) {
  if (bytes.size() < kSharedFrame) return false;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written =
        pwrite(input_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (written <= 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

WorkerProcess::Outcome WorkerProcess::converse(std::span<const std::byte> request,
                                               const Limits& limits, const Answer& answer) {
  // What the worker shares with us counts as its memory, and as its addresses.
  const bool room = ftruncate(output_.get(), static_cast<off_t>(limits.reply_bytes)) == 0;
  if (limits.address_space) {
    limit_address_space(limits.memory_bytes + limits.reply_bytes + request.size());
  }
  const double cpu_end = cpu_seconds() + limits.seconds;
  const auto deadline =
      Clock::now() + std::chrono::duration<double>(limits.patience * limits.seconds);
  auto look = Clock::now();
  Line line(socket_.get(), room ? kSharedFrame : limits.reply_bytes);
  Bytes answered;
  line.send_frame(FrameKind::kRequest, request, share(request), room ? limits.reply_bytes : 0);
  for (;;) {
    if (const auto now = Clock::now(); now >= look) {
      if (cpu_seconds() > cpu_end || now > deadline) return Outcome::kTooLong;
      if (memory(true) > limits.memory_bytes) return Outcome::kTooMuchMemory;
      look = now + kLook;
    }
    pollfd event{socket_.get(), static_cast<short>(line.sending() ? POLLOUT : POLLIN), 0};
    if (poll(&event, 1, static_cast<int>(kLook.count())) <= 0) continue;
    if (!line.move()) return Outcome::kDied;
    if (line.sending() || !line.received()) continue;
    const FrameHead head = line.head();
    const bool reply = head.kind == FrameKind::kReply;
    if (head.size > limits.reply_bytes) return Outcome::kTooMuchOutput;
    if (reply && head.shared != 0) {
      large_reply_ = SharedBytes(output_.get(), head.size, false);
      return large_reply_.bytes().size() == head.size ? Outcome::kReply : Outcome::kDied;
    }
    Bytes bytes = line.take();
    if (bytes.size() != head.size) return Outcome::kDied;
    if (reply) {
      small_reply_ = std::move(bytes);
      return Outcome::kReply;
    }
    if (head.kind != FrameKind::kQuestion || !answer) return Outcome::kDied;
    answered = answer(bytes);
    line.send_frame(FrameKind::kAnswer, answered, false);  // the request lies in the memory
  }
}

}  // namespace protobeam
