#include "link/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace protobeam::link {

void LineSplitter::add(std::string_view bytes, Clock::time_point now) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    const auto kept = std::min(part.size(), kLongestLine - line_.size());
    line_.append(part.substr(0, kept));
    cut_ += part.size() - kept;
    if (end == std::string_view::npos) return;
    end_line(now);
    bytes.remove_prefix(end + 1);
  }
}

void LineSplitter::finish() {
  if (!line_.empty()) end_line(Clock::now());
  tell_dropped();
}

void LineSplitter::end_line(Clock::time_point now) {
  if (now - window_ >= std::chrono::seconds(1)) {
    tell_dropped();
    window_ = now;
    lines_in_window_ = 0;
  }
  if (++lines_in_window_ > kMostLinesASecond) {
    ++dropped_;
  } else {
    if (cut_ > 0) {
      // Not in the middle of a character.
      while (!line_.empty() && (static_cast<unsigned char>(line_.back()) & 0xc0) == 0x80) {
        line_.pop_back();
        ++cut_;
      }
      line_ += " [" + std::to_string(cut_) + " bytes more]";
    } else if (!line_.empty() && line_.back() == '\r') {
      line_.pop_back();
    }
    sink_(is_stderr_, line_);
  }
  line_.clear();
  cut_ = 0;
}

void LineSplitter::tell_dropped() {
  if (dropped_ == 0) return;
  std::string note = "[";
  note += std::to_string(dropped_) + " lines dropped: more than " +
          std::to_string(kMostLinesASecond) + " a second]";
  sink_(is_stderr_, note);
  dropped_ = 0;
}

LineReader::LineReader(int stdout_pipe, int stderr_pipe, LineSink sink)
    : sink_(std::move(sink)), pipes_{stdout_pipe, stderr_pipe}, wake_(eventfd(0, EFD_CLOEXEC)) {
  for (int pipe : pipes_) fcntl(pipe, F_SETFL, O_NONBLOCK);
  thread_ = std::thread([this] { run(); });
}

LineReader::~LineReader() {
  finish();
  for (int fd : {pipes_[0], pipes_[1], wake_}) close(fd);
}

void LineReader::finish() {
  if (!thread_.joinable()) return;
  eventfd_write(wake_, 1);
  thread_.join();
}

void LineReader::run() {
  LineSplitter splitters[] = {{false, sink_}, {true, sink_}};
  std::vector<char> buffer(65536);
  bool open[] = {true, true}, writer_ended = false;
  // What a pipe holds when its writer has ended is bounded by its capacity; a process that outlives
  // its parent and goes on writing is not listened to.
  std::size_t left[] = {std::size_t{1} << 20, std::size_t{1} << 20};
  while (open[0] || open[1]) {
    pollfd fds[] = {{open[0] ? pipes_[0] : -1, POLLIN, 0},
                    {open[1] ? pipes_[1] : -1, POLLIN, 0},
                    {writer_ended ? -1 : wake_, POLLIN, 0}};
    if (!writer_ended && poll(fds, 3, -1) < 0) continue;
    writer_ended = writer_ended || (fds[2].revents & POLLIN);
    for (int i = 0; i < 2; ++i) {
      if (!open[i] || (!writer_ended && !fds[i].revents)) continue;
      const auto n = read(pipes_[i], buffer.data(), buffer.size());
      if (n > 0) {
        const auto size = static_cast<std::size_t>(n);
        splitters[i].add({buffer.data(), size}, LineSplitter::Clock::now());
        if (writer_ended) {
          left[i] -= std::min(size, left[i]);
          if (left[i] == 0) open[i] = false;
        }
      } else if (n == 0 || (errno != EINTR && (errno != EAGAIN || writer_ended))) {
        open[i] = false;
      }
    }
  }
  for (auto& splitter : splitters) splitter.finish();
}

}  // namespace protobeam::link
