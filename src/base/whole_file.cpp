#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace protobeam {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() {
    if (fd_ < 0) return true;
    const int result = ::close(fd_);
    fd_ = -1;
    return result == 0;
  }

 private:
  int fd_;
};

[[noreturn]] void fail(const char* what, const fs::path& path, const std::string& why) {
  throw std::runtime_error(std::string("cannot ") + what + " " + path.string() + ": " + why);
}
[[noreturn]] void fail(const char* what, const fs::path& path, int error) {
  fail(what, path, std::generic_category().message(error));
}

/// 0 or errno.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void write_directly(const fs::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail("write", path, errno);
  if (const int error = write_all(file.get(), bytes)) fail("write", path, error);
  if (!file.close()) fail("write", path, errno);
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  fs::path target = path;
  if (fs::exists(path, ignored)) {
    if (fs::is_directory(path, ignored)) fail("write", path, EISDIR);
    if (!fs::is_regular_file(path, ignored)) return write_directly(path, bytes);
    const fs::path real = fs::canonical(path, ignored);  // a link goes on pointing where it did
    if (!real.empty()) target = real;
  }
  static std::atomic<unsigned> counter{0};
  const fs::path temporary = target.string() + ".part" + std::to_string(::getpid()) + "-" +
                             std::to_string(counter.fetch_add(1));
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("write", path, errno);
  int error = write_all(file.get(), bytes);
  if (!file.close() && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, error);
  }
}

std::string read_whole_file(const fs::path& path, std::size_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail("read", path, errno);
  if (S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  if (!S_ISREG(info.st_mode)) fail("read", path, "not a regular file");
  const auto too_large = [&] {
    fail("read", path, "larger than " + std::to_string(limit >> 20) + " MiB");
  };
  if (static_cast<std::size_t>(info.st_size) > limit) too_large();
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace protobeam
