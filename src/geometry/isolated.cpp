#include "geometry/isolated.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string_view>

namespace protobeam {
namespace {

// The last byte of what a child left; without one it did not come to its end.
constexpr char kResult = 'r', kError = 'e';

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Address space in use now, in bytes (proc(5), statm).
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void run_child(int fd, const Allowance& allowance,
                            const std::function<std::string()>& work) {
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(fatal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit cpu{allowance.cpu_seconds, allowance.cpu_seconds + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
  const rlim_t space = address_space() + allowance.memory;
  const rlimit memory{space, space};
  ::setrlimit(RLIMIT_AS, &memory);
  std::string bytes;
  try {
    bytes = work() + kResult;
  } catch (const std::bad_alloc&) {
    bytes = std::string("more memory is needed than is allowed") + kError;
  } catch (const std::exception& error) {
    bytes = std::string(error.what()) + kError;
  }
  ::_exit(write_all(fd, bytes) ? 0 : 1);
}

std::string read_all(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return {};
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got =
        ::pread(fd, bytes.data() + size, bytes.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    size += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string describe(int status) {
  if (!WIFSIGNALED(status)) return "its parser gave up";
  if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) {
    return "reading it takes too much time or memory";
  }
  return std::string("it is damaged (its parser crashed: ") + ::strsignal(WTERMSIG(status)) + ")";
}

}  // namespace

std::string run_isolated(const Allowance& allowance, const std::function<std::string()>& work) {
  const int fd = ::memfd_create("protobeam", MFD_CLOEXEC);
  if (fd < 0) throw std::runtime_error(std::string("memfd_create: ") + std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) run_child(fd, allowance, work);
  int status = 0;
  const int error = child < 0 ? errno : 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string bytes = read_all(fd);
  ::close(fd);
  if (error != 0) throw std::runtime_error(std::string("fork: ") + std::strerror(error));
  const char end = bytes.empty() ? '\0' : bytes.back();
  if (!bytes.empty()) bytes.pop_back();
  if (status != 0 || (end != kResult && end != kError)) throw std::runtime_error(describe(status));
  if (end == kError) throw std::runtime_error(bytes);
  return bytes;
}

}  // namespace protobeam
