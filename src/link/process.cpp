#include "link/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace protobeam::link {
namespace {

/// A descriptor that is closed with its scope, above the standard streams' numbers.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
    if (fd_ > 2) return;
    const int above = fcntl(fd_, F_DUPFD_CLOEXEC, 3);
    close(fd_);
    fd_ = above;
  }
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  ~Fd() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

struct Pipe {
  Fd read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
  }
  return {Fd(ends[0]), Fd(ends[1])};
}

struct StartError {
  enum Stage { kDirectory, kProgram } stage;
  int error;
};

struct ChildPlan {
  char* const* argv;
  char* const* environment;
  const char* directory;
  std::span<const int> inherited;
  int in, out, err, report;
  pid_t parent;
};

/// Between fork and exec: system calls only, another thread may have held any lock.
[[noreturn]] void become(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // it has died before the line above
  dup2(plan.in, STDIN_FILENO);
  dup2(plan.out, STDOUT_FILENO);
  dup2(plan.err, STDERR_FILENO);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  for (int fd : plan.inherited) fcntl(fd, F_SETFD, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::signal(number, SIG_DFL);
  StartError failure{StartError::kDirectory, 0};
  if (chdir(plan.directory) == 0) {
    failure.stage = StartError::kProgram;
    execvpe(plan.argv[0], plan.argv, plan.environment);
  }
  failure.error = errno;
  [[maybe_unused]] const auto written = ::write(plan.report, &failure, sizeof failure);
  _exit(127);
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    if (!added.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Process::Process(const Start& start) {
  if (start.argv.empty()) throw std::runtime_error("cannot start a controller without a name");
  auto arguments = start.argv;
  auto variables = merged_environment(start.environment);
  const auto argv = pointers(arguments), environment = pointers(variables);
  const std::string directory =
      start.working_directory.empty() ? "." : start.working_directory.string();

  Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe out = make_pipe(), err = make_pipe(), report = make_pipe();
  const ChildPlan plan{argv.data(),     environment.data(), directory.c_str(),
                       start.inherited, null.get(),         out.write.get(),
                       err.write.get(), report.write.get(), getpid()};
  pid_ = fork();
  if (pid_ == 0) become(plan);
  if (pid_ < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot start '" + start.argv[0] + "'");
  }
  // The report's end comes with exec, so whoever reads on has a running program.
  close(report.write.release());
  StartError failure;
  ssize_t n;
  do {
    n = read(report.read.get(), &failure, sizeof failure);
  } while (n < 0 && errno == EINTR);
  if (n == sizeof failure) {
    waitpid(pid_, nullptr, 0);
    throw std::runtime_error((failure.stage == StartError::kDirectory
                                  ? "cannot work in '" + directory
                                  : "cannot start '" + start.argv[0]) +
                             "': " + std::generic_category().message(failure.error));
  }
  // Not pidfd_open(): its header lacks the extern "C" in glibc 2.36.
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (pidfd_ < 0) {
    const int error = errno;
    kill();
    throw std::system_error(error, std::generic_category(), "cannot watch '" + start.argv[0] + "'");
  }
  stdout_ = out.read.release();
  stderr_ = err.read.release();
}

Process::~Process() {
  kill();
  if (pidfd_ >= 0) close(pidfd_);
}

bool Process::ended() { return ended_within(std::chrono::milliseconds(0)); }

bool Process::ended_within(std::chrono::milliseconds time) {
  if (ended_) return true;
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd end{pidfd_, POLLIN, 0};
    const int n = poll(&end, 1, static_cast<int>(std::max<long>(0, left.count())));
    if (n > 0) break;
    if (n == 0) return false;
  }
  kill();
  return true;
}

void Process::signal(int number) {
  if (!ended_) ::kill(-pid_, number);
}

void Process::kill() {
  if (ended_) return;
  // Until it is reaped the process keeps its number, so the group cannot be somebody else's.
  ::kill(-pid_, SIGKILL);
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

std::string describe_wait_status(int wait_status) {
  if (WIFEXITED(wait_status)) {
    return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
  }
  const int number = WTERMSIG(wait_status);
  const char* name = sigabbrev_np(number);
  return "was killed by signal " + std::to_string(number) +
         (name ? " (SIG" + std::string(name) + ")" : "");
}

int exit_code(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace protobeam::link
