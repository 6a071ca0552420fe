#include "base/stop.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>

#include <atomic>
#include <cerrno>

namespace protobeam::stop {
namespace {

std::atomic<bool> g_requested{false};
std::atomic<int> g_event{-1};
timespec g_first{};

void on_signal(int number) {
  const int error = errno;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!g_requested) {
    g_first = now;
    request();
  } else {
    const double since = static_cast<double>(now.tv_sec - g_first.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - g_first.tv_nsec);
    if (since >= 0.3) {
      signal(number, SIG_DFL);
      raise(number);
    }
  }
  errno = error;
}

}  // namespace

void catch_signals() {
  if (g_event < 0) g_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    // nohup and some launchers have them ignored: so it stays.
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    struct sigaction wanted {};
    wanted.sa_handler = on_signal;
    wanted.sa_flags = SA_RESTART;
    sigaction(number, &wanted, nullptr);
  }
}

void request() {
  g_requested = true;
  if (const int event = g_event; event >= 0) eventfd_write(event, 1);
}

bool requested() { return g_requested; }
int descriptor() { return g_event; }

}  // namespace protobeam::stop
