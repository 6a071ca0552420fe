#include "wbt/templates/worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "wbt/templates/wire.h"

namespace protobeam::wbt {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the template sandbox knows x86_64 and aarch64 only"
#endif

/// Memory, time, threads, signals to itself, and the socket that is open already.
constexpr int kAllowed[] = {
    __NR_read,
    __NR_write,
    __NR_readv,
    __NR_writev,
    __NR_recvfrom,
    __NR_sendto,
    __NR_close,
    __NR_brk,
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_mincore,
    __NR_futex,
    __NR_set_robust_list,
    __NR_rseq,
    __NR_membarrier,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_sched_getparam,
    __NR_sched_getscheduler,
    __NR_gettid,
    __NR_getpid,
    __NR_tgkill,
    __NR_getrandom,
    __NR_sysinfo,
    __NR_getrusage,
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_gettimeofday,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_rt_sigsuspend,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_exit,
    __NR_exit_group,
};

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter give(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
/// Skips the next instruction unless the loaded word is `value`.
sock_filter only_if(std::uint32_t value) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
}

std::vector<sock_filter> system_call_filter() {
  std::vector<sock_filter> program = {
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
  };
  for (const int call : kAllowed) {
    program.push_back(only_if(static_cast<std::uint32_t>(call)));
    program.push_back(give(SECCOMP_RET_ALLOW));
  }
  // glibc falls back to clone(), whose flags the filter can see.
  program.push_back(only_if(__NR_clone3));
  program.push_back(give(SECCOMP_RET_ERRNO | ENOSYS));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3));
  program.push_back(load(offsetof(seccomp_data, args)));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
  program.push_back(give(SECCOMP_RET_ALLOW));
  program.push_back(give(SECCOMP_RET_ERRNO | EPERM));
  return program;
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
  close_range(wire::kSocket + 1, ~0u, 0);
}

bool forbid_system_calls() {
  limit(RLIMIT_NOFILE, wire::kSocket + 1);
  std::vector<sock_filter> filter = system_call_filter();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace protobeam::wbt
