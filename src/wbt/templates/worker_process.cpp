#include "wbt/templates/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "wbt/templates/wire.h"

namespace protobeam::wbt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kProgram = "protobeam-template";
/// How often a busy worker's memory is looked at: at some GB/s it cannot pass its limit by much.
constexpr int kWatchMs = 5;
/// Wall time for each second of computing that a worker may take: one that sleeps ends, too.
constexpr double kPatience = 20;

std::vector<fs::path> worker_candidates() {
  if (const char* path = std::getenv("PROTOBEAM_TEMPLATE_WORKER")) return {path};
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {folder / kProgram, folder / "../libexec/protobeam" / kProgram,
          fs::path(PROTOBEAM_TEMPLATE_BUILD_DIR) / kProgram};
}

/// The file to run, or empty with the places that were tried.
fs::path find_worker(std::string& tried) {
  for (const fs::path& path : worker_candidates()) {
    if (access(path.c_str(), X_OK) == 0) return path;
    tried += (tried.empty() ? "" : ", ") + path.lexically_normal().string();
  }
  return {};
}

}  // namespace

WorkerProcess::~WorkerProcess() { stop(); }

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
  // The file action below must really duplicate: on equal numbers it would keep close-on-exec.
  if (sockets[1] == wire::kSocket) {
    const int other = fcntl(sockets[1], F_DUPFD_CLOEXEC, wire::kSocket + 1);
    close(sockets[1]);
    sockets[1] = other;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], wire::kSocket);

  // A clean environment: neither JavaScriptCore's debugging switches nor a time zone get in.
  std::string library_path = "LD_LIBRARY_PATH=";
  if (const char* value = std::getenv("LD_LIBRARY_PATH")) library_path += value;
  char time_zone[] = "TZ=UTC", locale[] = "LC_ALL=C.UTF-8";
  char* environment[] = {time_zone, locale, library_path.data(), nullptr};
  std::string name = program.string();
  char* arguments[] = {name.data(), nullptr};
  const int failure = posix_spawn(&pid_, name.c_str(), &actions, nullptr, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  socket_ = sockets[0];
  if (failure != 0) {
    start_error_ = name + ": " + std::strerror(failure);
    pid_ = -1;
    stop();
    return false;
  }
  fcntl(socket_, F_SETFL, O_NONBLOCK);
  return true;
}

void WorkerProcess::stop() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (socket_ >= 0) close(socket_);
  pid_ = -1;
  socket_ = -1;
}

std::size_t WorkerProcess::resident_bytes() const {
  std::ifstream statm("/proc/" + std::to_string(pid_) + "/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double WorkerProcess::cpu_seconds() const {
  clockid_t clock;
  timespec spent{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

WorkerProcess::Outcome WorkerProcess::exchange(std::string_view request, const Limits& limits,
                                               std::string& reply) {
  // An idle worker may be dead (it dies with the thread that started it) or fat with garbage.
  if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
  if (pid_ < 0 || resident_bytes() > limits.memory_bytes / 2) stop();
  if (pid_ < 0 && !start()) return Outcome::kNotStarted;
  const Outcome outcome = converse(request, limits, reply);
  if (outcome != Outcome::kReply) stop();
  return outcome;
}

WorkerProcess::Outcome WorkerProcess::converse(std::string_view request, const Limits& limits,
                                               std::string& reply) {
  const double cpu_end = cpu_seconds() + limits.seconds;
  const auto deadline = Clock::now() + std::chrono::duration<double>(kPatience * limits.seconds);
  const std::uint64_t request_size = request.size();
  std::string header(reinterpret_cast<const char*>(&request_size), sizeof(request_size));
  std::string_view unsent_header = header, unsent = request;
  std::string received;
  std::uint64_t reply_size = 0;
  for (;;) {
    if (cpu_seconds() > cpu_end || Clock::now() > deadline) return Outcome::kTooLong;
    if (resident_bytes() > limits.memory_bytes) return Outcome::kTooMuchMemory;
    const bool sending = !unsent_header.empty() || !unsent.empty();
    pollfd event{socket_, static_cast<short>(sending ? POLLOUT : POLLIN), 0};
    if (poll(&event, 1, kWatchMs) <= 0) continue;
    ssize_t moved = 0;
    if (sending) {
      std::string_view& part = unsent_header.empty() ? unsent : unsent_header;
      moved = send(socket_, part.data(), part.size(), MSG_NOSIGNAL);
      if (moved > 0) part.remove_prefix(static_cast<std::size_t>(moved));
    } else {
      char buffer[1 << 16];
      moved = recv(socket_, buffer, sizeof(buffer), 0);
      if (moved > 0) received.append(buffer, static_cast<std::size_t>(moved));
    }
    const bool again = moved < 0 && (errno == EAGAIN || errno == EINTR);
    if (moved == 0 || (moved < 0 && !again)) return Outcome::kDied;
    if (received.size() < sizeof(reply_size)) continue;
    std::memcpy(&reply_size, received.data(), sizeof(reply_size));
    if (reply_size > limits.reply_bytes) return Outcome::kTooMuchOutput;
    if (received.size() - sizeof(reply_size) >= reply_size) break;
  }
  reply = received.substr(sizeof(reply_size), reply_size);
  return Outcome::kReply;
}

}  // namespace protobeam::wbt
