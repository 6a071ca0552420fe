#include "base/strays.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/child_process.h"

namespace protobeam {
namespace {

std::atomic<bool> g_adopting{false};

/// Each thread has a list of its own. What was adopted is the first thread's (find_new_reaper() in
/// Linux' kernel/exit.c): looking at the others would cost a thousand controllers seconds.
std::vector<pid_t> adopted() {
  std::vector<pid_t> all;
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  for (pid_t pid = 0; children >> pid;) {
    if (!ChildProcess::is_one(pid)) all.push_back(pid);
  }
  return all;
}

bool has_variable(pid_t pid, const std::string& variable) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return ('\0' + text).find('\0' + variable + '\0') != std::string::npos;
}

}  // namespace

void adopt_strays() {
  if (!g_adopting.exchange(true)) prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void end_strays(const std::string& variable) {
  if (!g_adopting) return;
  // What one of them has started becomes ours when it ends: look again until there is none. Some
  // rounds are enough for all but a fork bomb, which the next look meets.
  for (int round = 0; round < 100; ++round) {
    bool found = false;
    for (const pid_t pid : adopted()) {
      if (waitpid(pid, nullptr, WNOHANG) == pid) continue;  // it had ended by itself
      if (!variable.empty() && !has_variable(pid, variable)) continue;
      found = true;
      kill(pid, SIGKILL);
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (!found) return;
  }
}

}  // namespace protobeam
