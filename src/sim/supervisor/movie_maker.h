// Movies of the running world that supervisors ask for, as those see them.
#pragma once

#include <filesystem>
#include <string>

namespace protobeam {

struct MovieOrder {
  std::filesystem::path file;
  int width = 0, height = 0;  ///< pixels
  int quality = 80;           ///< 1..100
  int acceleration = 1;       ///< simulated seconds in one of the movie
  bool caption = false;       ///< in the upper right corner
};

class MovieMaker {
 public:
  /// Webots' numbers.
  enum class Status { kReady = 0, kRecording = 1, kWriteError = 3, kEncodingError = 4 };

  virtual ~MovieMaker() = default;
  /// "", or why there will be no movie. From the next step on.
  virtual std::string start(const MovieOrder& order) = 0;
  /// "", or why there is no movie. Without a movie that runs: nothing.
  virtual std::string stop() = 0;
  virtual Status status() const = 0;
};

}  // namespace protobeam
