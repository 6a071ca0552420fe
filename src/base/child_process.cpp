#include "base/child_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

namespace protobeam {
namespace {

/// The process's variables. In a library that is bound to its own dependencies first (the Python
/// module), `environ` would be libc's, which is not the one of a program that has a copy of it.
char** environment() {
  static void* const program = dlopen(nullptr, RTLD_LAZY);
  auto* const place = program ? static_cast<char***>(dlsym(program, "environ")) : nullptr;
  return place ? *place : environ;
}

using std::chrono::milliseconds;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

Descriptor checked(int fd) {
  if (fd < 0) fail(errno, "cannot open a pipe");
  return Descriptor(fd);
}

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(errno, "cannot open a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The same descriptor with a number of at least `lowest`.
Descriptor moved_up(const Descriptor& descriptor, int lowest) {
  return checked(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, lowest));
}

struct StartError {
  enum Stage { kDirectory, kProgram } stage;
  int error;
};

/// A descriptor of ours and its number in the child; between them a number that nobody uses.
struct Given {
  int ours = -1, between = -1, theirs = -1;
};

struct ChildPlan {
  char* const* argv;
  char* const* environment;
  const char* directory;
  std::vector<Given>& given;
  int first_free;  ///< above all numbers of `given`
  int report;
  pid_t parent;
  bool own_group;
  rlimit descriptor_limit;  ///< its rlim_cur 0: as ours
};

/// Ours before raise_descriptor_limit(); programs that use select() count on it.
rlimit g_descriptor_limit{0, 0};

std::mutex g_children_mutex;
std::set<pid_t> g_children;  ///< of all ChildProcess, until they are reaped

/// Between vfork and exec, in the memory of the parent, whose calling thread waits: system calls
/// only.
[[noreturn]] void become(const ChildPlan& plan) {
  if (plan.own_group) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // it has died before the line above
  for (Given& one : plan.given) one.between = fcntl(one.ours, F_DUPFD, plan.first_free);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  for (const Given& one : plan.given) dup2(one.between, one.theirs);
  // The default answer to all signals first: our handlers must not run in the child.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
  if (plan.descriptor_limit.rlim_cur > 0) setrlimit(RLIMIT_NOFILE, &plan.descriptor_limit);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  StartError failure{StartError::kDirectory, 0};
  if (chdir(plan.directory) == 0) {
    failure.stage = StartError::kProgram;
    execvpe(plan.argv[0], plan.argv, plan.environment);
  }
  failure.error = errno;
  [[maybe_unused]] const auto written = write(plan.report, &failure, sizeof failure);
  _exit(127);
}

std::vector<std::string> environment_of(const ChildProcess::Start& start) {
  std::vector<std::string> all;
  for (char** entry = environment(); !start.clean_environment && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!start.environment.contains(std::string(text.substr(0, text.find('='))))) {
      all.emplace_back(text);
    }
  }
  for (const auto& [name, value] : start.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

ChildProcess::ChildProcess(const Start& start) : own_group_(start.own_group) {
  if (start.argv.empty()) fail(EINVAL, "cannot start a program without a name");
  auto arguments = start.argv;
  auto variables = environment_of(start);
  const auto argv = pointers(arguments), environment = pointers(variables);
  const std::string directory =
      start.working_directory.empty() ? "." : start.working_directory.string();

  const Descriptor null = checked(open("/dev/null", O_RDWR | O_CLOEXEC));
  std::map<int, int> wanted = start.descriptors;
  std::array<std::optional<Pipe>, 3> pipes;
  const std::array<Stream, 3> streams{start.in, start.out, start.err};
  for (int number = 0; number < 3; ++number) {
    const auto i = static_cast<std::size_t>(number);
    if (wanted.contains(number)) continue;
    if (streams[i] == Stream::kNull) wanted[number] = null.get();
    if (streams[i] == Stream::kOurs) wanted[number] = number;
    if (streams[i] == Stream::kOut) wanted[number] = wanted.at(STDOUT_FILENO);
    if (streams[i] == Stream::kPipe) {
      pipes[i] = make_pipe();
      wanted[number] = (number == 0 ? pipes[i]->read : pipes[i]->write).get();
    }
  }
  std::vector<Given> given;
  for (const auto& [theirs, ours] : wanted) given.push_back({ours, -1, theirs});
  const int first_free = wanted.rbegin()->first + 1;
  Pipe report = make_pipe();
  Descriptor told = moved_up(report.write, first_free);
  report.write.close();

  const ChildPlan plan{argv.data(), environment.data(), directory.c_str(), given,
                       first_free,  told.get(),         getpid(),          own_group_,
                       g_descriptor_limit};
  // Not fork(): it would copy the page tables, and each new robot more of them. No handler of ours may
  // run in the child, which has our memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  {
    const std::lock_guard lock(g_children_mutex);
    pid_ = vfork();
    if (pid_ == 0) become(plan);
    if (pid_ > 0) g_children.insert(pid_);
  }
  const int start_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid_ < 0) fail(start_error, "cannot start '" + start.argv[0] + "'");
  // The report's end comes with exec, so whoever reads on has a running program.
  told.close();
  StartError failure;
  ssize_t n;
  do {
    n = read(report.read.get(), &failure, sizeof failure);
  } while (n < 0 && errno == EINTR);
  if (n == sizeof failure) {
    reap();
    fail(failure.error, failure.stage == StartError::kDirectory
                            ? "cannot work in '" + directory + "'"
                            : "cannot start '" + start.argv[0] + "'");
  }
  // Not pidfd_open(): its header lacks the extern "C" in glibc 2.36.
  pidfd_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_.open()) {
    const int error = errno;
    kill();
    fail(error, "cannot watch '" + start.argv[0] + "'");
  }
  if (pipes[0]) in_ = std::move(pipes[0]->write);
  if (pipes[1]) out_ = std::move(pipes[1]->read);
  if (pipes[2]) err_ = std::move(pipes[2]->read);
}

ChildProcess::~ChildProcess() { kill(); }

void raise_descriptor_limit() {
  rlimit now{};
  if (getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur == now.rlim_max) return;
  if (g_descriptor_limit.rlim_cur == 0) g_descriptor_limit = now;
  now.rlim_cur = now.rlim_max;
  setrlimit(RLIMIT_NOFILE, &now);
}

bool ChildProcess::poll_end(int milliseconds) {
  pollfd end{pidfd_.get(), POLLIN, 0};
  return poll(&end, 1, milliseconds) > 0;
}

bool ChildProcess::ended() { return ended_within(milliseconds(0)); }

bool ChildProcess::ended_within(milliseconds time) {
  if (ended_) return true;
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (poll_end(static_cast<int>(std::max<long>(0, left.count())))) break;
    if (left.count() <= 0) return false;
  }
  kill();
  return true;
}

void ChildProcess::wait() {
  while (!ended_ && !poll_end(-1)) {
  }
  kill();
}

void ChildProcess::signal(int number) {
  if (!ended_) ::kill(own_group_ ? -pid_ : pid_, number);
}

void ChildProcess::kill() {
  if (ended_) return;
  // Until it is reaped the process keeps its number, so the group cannot be somebody else's.
  ::kill(own_group_ ? -pid_ : pid_, SIGKILL);
  reap();
}

void ChildProcess::reap() {
  const std::lock_guard lock(g_children_mutex);
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  g_children.erase(pid_);
  ended_ = true;
}

bool ChildProcess::is_one(pid_t pid) {
  const std::lock_guard lock(g_children_mutex);
  return g_children.contains(pid);
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

}  // namespace protobeam
