// Output of a program, line by line, whatever it writes and however much.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "link/controller_host.h"

namespace protobeam::link {

/// Bytes of a line that are passed on; the rest is cut and its size told.
inline constexpr std::size_t kLongestLine = 4096;
/// Lines a second of wall time that are passed on; the rest is dropped and its number told.
inline constexpr int kMostLinesASecond = 10000;

/// Cuts bytes into lines within these two limits. A flood costs its writer's time, not our memory.
class LineSplitter {
 public:
  using Clock = std::chrono::steady_clock;
  LineSplitter(bool is_stderr, const LineSink& sink) : is_stderr_(is_stderr), sink_(sink) {}

  void add(std::string_view bytes, Clock::time_point now);
  /// End of the stream: the last line may have no line end; then the last notes.
  void finish();

 private:
  void end_line(Clock::time_point now);
  void tell_dropped();

  bool is_stderr_;
  const LineSink& sink_;
  std::string line_;
  std::size_t cut_ = 0;  // bytes of this line that did not fit
  Clock::time_point window_{};
  int lines_in_window_ = 0;
  std::size_t dropped_ = 0;
};

/// Reads two pipes on a thread of its own.
class LineReader {
 public:
  /// Owns the pipes. The sink is called on the thread.
  LineReader(int stdout_pipe, int stderr_pipe, LineSink sink);
  ~LineReader();
  /// Once the writer has ended: delivers what the pipes still hold, then ends the thread.
  void finish();

 private:
  void run();

  LineSink sink_;
  std::array<int, 2> pipes_;
  int wake_;
  std::thread thread_;
};

}  // namespace protobeam::link
