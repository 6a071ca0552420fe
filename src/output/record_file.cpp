#include "output/record_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace protobeam {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{64} << 10;

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error("cannot write " + path.string() + ": " +
                           std::generic_category().message(error));
}

}  // namespace

RecordFile::RecordFile(const std::filesystem::path& path, Existing existing)
    : path_(path),
      file_(::open(path.c_str(),
                   O_WRONLY | O_CREAT | O_CLOEXEC | (existing == Existing::kReplace ? O_TRUNC : O_APPEND),
                   0666)) {
  if (!file_.open()) fail(path_, errno);
}

RecordFile::~RecordFile() {
  try {
    finish();
  } catch (const std::runtime_error&) {
    // finish() is for those who want to know.
  }
}

void RecordFile::add(std::string_view record) {
  if (!file_.open()) fail(path_, EBADF);
  waiting_ += record;
  ends_.push_back(waiting_.size());
  if (waiting_.size() >= kMostWaiting) flush();
}

void RecordFile::finish() {
  if (!file_.open()) return;
  flush();
  if (!file_.close()) fail(path_, errno);
}

void RecordFile::flush() {
  std::size_t written = 0;
  while (written < waiting_.size()) {
    const ssize_t size = ::write(file_.get(), waiting_.data() + written, waiting_.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) {
      const int error = errno;
      const auto behind = std::ranges::upper_bound(ends_, written);
      const std::size_t whole = behind == ends_.begin() ? 0 : *std::prev(behind);
      const off_t end = ::lseek(file_.get(), 0, SEEK_CUR);
      // What is no file, a pipe, has no end to go back to.
      if (end >= 0 && ::ftruncate(file_.get(), end - static_cast<off_t>(written - whole)) != 0) {
        // It keeps a piece of a record: no reason to hide the first problem.
      }
      file_.close();
      fail(path_, error);
    }
    written += static_cast<std::size_t>(size);
  }
  waiting_.clear();
  ends_.clear();
}

}  // namespace protobeam
