#include "worker/sandbox.h"

#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/worker_process.h"

namespace protobeam {
namespace {

/// Memory, time, threads, and the socket and the shared memory that are open already.
constexpr int kAllowed[] = {
    SCMP_SYS(read),           SCMP_SYS(write),
    SCMP_SYS(readv),          SCMP_SYS(writev),
    SCMP_SYS(recvfrom),       SCMP_SYS(sendto),
    SCMP_SYS(close),          SCMP_SYS(brk),
    SCMP_SYS(mmap),           SCMP_SYS(munmap),
    SCMP_SYS(mremap),         SCMP_SYS(mprotect),
    SCMP_SYS(madvise),        SCMP_SYS(mincore),
    SCMP_SYS(futex),          SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),           SCMP_SYS(membarrier),
    SCMP_SYS(sched_yield),    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(gettid),         SCMP_SYS(getpid),
    SCMP_SYS(getrandom),      SCMP_SYS(sysinfo),
    SCMP_SYS(getrusage),      SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),   SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),      SCMP_SYS(gettimeofday),
    SCMP_SYS(rt_sigaction),   SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),   SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(sigaltstack),    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),           SCMP_SYS(exit_group),
};

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, Release>;

int fill(scmp_filter_ctx filter) {
  // JavaScriptCore's threads are running already: the filter is for them as well.
  int failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  if (failed == 0) failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 1);
  for (const int call : kAllowed) {
    if (failed == 0) failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
  }
  // Signals to a thread are for its process only by its number; tkill(2) does not take that.
  const auto self = static_cast<scmp_datum_t>(getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    if (failed == 0) {
      failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_A0(SCMP_CMP_EQ, self));
    }
  }
  // glibc falls back to clone(), whose flags the filter can see.
  if (failed == 0) failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (failed == 0) {
    failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  }
  return failed;
}

void limit(int resource, rlim_t value) {
  const rlimit limits{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

}  // namespace

void limit_resources() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  close_range(kWorkerOutput + 1, ~0u, 0);
}

bool forbid_system_calls() {
  limit(RLIMIT_NOFILE, kWorkerOutput + 1);
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  const int failed = filter ? fill(filter.get()) : -ENOMEM;
  const int loaded = failed == 0 ? seccomp_load(filter.get()) : failed;
  if (loaded != 0) errno = loaded < 0 ? -loaded : EBUSY;  // > 0: a thread with another filter
  return loaded == 0;
}

}  // namespace protobeam
