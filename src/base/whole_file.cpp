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

}  // namespace

PartFile::PartFile(const fs::path& target, const std::string& ending) : target_(real_path(target)) {
  static std::atomic<unsigned> counter{0};
  std::error_code ignored;
  do {  // processes of two containers have the same number
    part_ = target_.string() + ".part" + std::to_string(::getpid()) + "-" +
            std::to_string(counter.fetch_add(1)) + ending;
  } while (fs::exists(part_, ignored));
}

PartFile::~PartFile() { discard(); }

PartFile::PartFile(PartFile&& other) noexcept
    : target_(std::move(other.target_)), part_(std::move(other.part_)) {
  other.part_.clear();
}

int PartFile::finish() {
  const int error = ::rename(part_.c_str(), target_.c_str()) == 0 ? 0 : errno;
  if (error != 0) ::unlink(part_.c_str());
  part_.clear();
  return error;
}

void PartFile::discard() {
  if (!part_.empty()) ::unlink(part_.c_str());
  part_.clear();
}

WholeFile::WholeFile(const fs::path& path) : path_(path), part_(path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(EISDIR);
  direct_ = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  file_ =
      direct_
          ? Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC))
          : Descriptor(::open(part_.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file_.open()) fail(errno);
}

WholeFile::~WholeFile() = default;

void WholeFile::add(std::string_view bytes) {
  if (!file_.open()) fail(EBADF);
  if (bytes.size() < kBuffer) {
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
    return;
  }
  flush();
  if (const int error = write_all(file_.get(), bytes)) fail(error);
}

void WholeFile::finish() {
  if (!file_.open()) fail(EBADF);
  flush();
  if (!file_.close()) fail(errno);
  if (direct_) return;
  if (const int error = part_.finish()) fail(error);
}

void WholeFile::flush() {
  if (const int error = write_all(file_.get(), buffer_)) fail(error);
  buffer_.clear();
}

void WholeFile::fail(int error) {
  file_.close();
  part_.discard();
  protobeam::fail("write", path_, error);
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
