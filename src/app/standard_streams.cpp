#include "app/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "app/commands.h"
#include "app/log.h"

namespace protobeam {
namespace {

/// Why the first loss happened: errno, 0 without one.
std::atomic<int> lost_out{0}, lost_err{0};

std::atomic<bool> printed{false};

/// Of a pipe: nobody holds its other end any more.
bool reader_is_gone(std::FILE* stream) {
  pollfd end{fileno(stream), 0, 0};
  return poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}

/// `error` 0: something else has flushed the stream, and its errno is lost.
void note_loss(std::FILE* stream, int error) {
  std::atomic<int>& lost = stream == stdout ? lost_out : lost_err;
  if (error == 0) error = reader_is_gone(stream) ? EPIPE : EIO;
  int none = 0;
  lost.compare_exchange_strong(none, error);
}

}  // namespace

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The wrong way round, so that a use fails as it would have.
    const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) close(opened);  // there is no /dev/null below it
  }
}

bool has_printed() { return printed; }

void write_to(std::FILE* stream, std::string_view text) {
  if (stream == stdout && !text.empty()) printed = true;
  if ((stream == stdout ? lost_out : lost_err) != 0) return;
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!written || std::ferror(stream)) note_loss(stream, errno);
}

void flush(std::FILE* stream) {
  errno = 0;
  if (std::fflush(stream) != 0 || std::ferror(stream)) note_loss(stream, errno);
}

int close_standard_streams(int exit_code) {
  for (std::FILE* stream : {stdout, stderr}) flush(stream);  // others write there as well: the log
  const int lost = lost_out;
  if (lost != 0 && lost != EPIPE) {
    log_error("cannot write to standard output: " + std::generic_category().message(lost));
  }
  return exit_code == kExitGood && (lost != 0 || lost_err != 0) ? kExitData : exit_code;
}

}  // namespace protobeam
