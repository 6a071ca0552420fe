#include "mvsim/shell.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "base/child_process.h"
#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = 64u << 10;

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error(why); }

/// A started `sh -c` whose output can be read; killed with its group at the end.
class Command {
 public:
  Command(const std::string& command, double seconds)
      : seconds_(seconds),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds))),
        shell_({.argv = {"/bin/sh", "-c", command}, .err = ChildProcess::Stream::kOurs}) {}

  std::string read_all() {
    std::string out;
    for (;;) {
      pollfd waiting{shell_.out().get(), POLLIN, 0};
      const int ready = ::poll(&waiting, 1, static_cast<int>(time_left() * 1000) + 1);
      if (ready < 0 && errno != EINTR) fail(std::generic_category().message(errno));
      if (ready <= 0) continue;
      char buffer[4096];
      const ssize_t got = ::read(shell_.out().get(), buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::generic_category().message(errno));
      if (got == 0) return out;
      out.append(buffer, static_cast<std::size_t>(got));
      if (out.size() > kMaxOutput) fail("it writes more than 64 KiB");
    }
  }

  /// Its status: a command may close its output and go on.
  int wait() {
    const std::chrono::duration<double> left(time_left());
    if (!shell_.ended_within(std::chrono::ceil<std::chrono::milliseconds>(left))) time_left();
    return shell_.wait_status();
  }

 private:
  double time_left() const {
    const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
    if (left <= 0) fail("it takes longer than " + to_text(seconds_) + " s");
    return left;
  }

  double seconds_;
  Clock::time_point deadline_;
  ChildProcess shell_;
};

}  // namespace

std::string run_shell_command(const std::string& command, double seconds) {
  Command running(command, seconds);
  std::string out = running.read_all();
  const int status = running.wait();
  if (WIFSIGNALED(status)) fail("it was killed by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) {
    fail("it exited with status " + std::to_string(WEXITSTATUS(status)));
  }
  return out;
}

}  // namespace protobeam::mvsim
