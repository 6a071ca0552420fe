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

constexpr std::size_t kBuffer = std::size_t{1} << 20;

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

/// Where a link points; the path itself when there is nothing yet.
fs::path real_path(const fs::path& path) {
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  return real.empty() ? path : real;
}

/// A name beside the file that nothing has. Processes of two containers have the same number.
fs::path unused_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  std::error_code ignored;
  for (;;) {
    fs::path name = target.string() + ".part" + std::to_string(::getpid()) + "-" +
                    std::to_string(counter.fetch_add(1));
    if (!fs::exists(name, ignored)) return name;
  }
}

}  // namespace

PartFile::PartFile(const fs::path& target) : target_(real_path(target)) {
  // An existing file that may not be written would be replaced by a new one.
  if (::access(target_.c_str(), F_OK) == 0 && ::access(target_.c_str(), W_OK) != 0) {
    fail("write", target, errno);
  }
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  file_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  // It gets its name through /proc.
  if (file_.open() && ::access(path().c_str(), F_OK) == 0) return;
  do {
    part_ = unused_name(target_);
    file_ = Descriptor(::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  } while (!file_.open() && errno == EEXIST);
  if (file_.open()) return;
  part_.clear();
  fail("write", target, errno);
}

PartFile::~PartFile() { discard(); }

PartFile::PartFile(PartFile&& other) noexcept
    : target_(std::move(other.target_)),
      part_(std::move(other.part_)),
      file_(std::move(other.file_)) {
  other.part_.clear();
}

fs::path PartFile::path() const {
  return part_.empty() ? fs::path("/proc/self/fd/" + std::to_string(file_.get())) : part_;
}

int PartFile::link_to(const fs::path& name) const {
  return ::linkat(AT_FDCWD, path().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                             : errno;
}

int PartFile::finish() {
  int error = part_.empty() ? link_to(target_) : EEXIST;
  if (error == EEXIST) {
    error = 0;
    while (part_.empty()) {
      const fs::path name = unused_name(target_);
      error = link_to(name);
      if (error == 0) part_ = name;
      if (error != EEXIST) break;
    }
    if (error == 0 && !file_.close()) error = errno;  // what a server could not store
    if (error == 0 && ::rename(part_.c_str(), target_.c_str()) != 0) error = errno;
    if (error == 0) part_.clear();
  }
  discard();
  return error;
}

void PartFile::discard() {
  file_.close();
  if (!part_.empty()) ::unlink(part_.c_str());
  part_.clear();
}

WholeFile::WholeFile(const fs::path& path) : path_(path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(EISDIR);
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) {
    part_.emplace(path);
    return;
  }
  direct_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!direct_.open()) fail(errno);
}

WholeFile::~WholeFile() = default;

void WholeFile::add(std::string_view bytes) {
  if (descriptor() < 0) fail(EBADF);
  if (bytes.size() < kBuffer) {
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
    return;
  }
  flush();
  if (const int error = write_all(descriptor(), bytes)) fail(error);
}

void WholeFile::finish() {
  if (descriptor() < 0) fail(EBADF);
  flush();
  if (!part_) {
    if (!direct_.close()) fail(errno);
  } else if (const int error = part_->finish()) {
    fail(error);
  }
}

void WholeFile::flush() {
  if (const int error = write_all(descriptor(), buffer_)) fail(error);
  buffer_.clear();
}

void WholeFile::fail(int error) {
  direct_.close();
  if (part_) part_->discard();
  protobeam::fail("write", path_, error);
}

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

void write_whole_file(const fs::path& path, std::string_view bytes) {
  WholeFile file(path);
  file.add(bytes);
  file.finish();
}

std::string read_whole_file(const fs::path& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) fail("read", path, errno);
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
