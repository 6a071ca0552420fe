// Runs the real program (or any other) and looks at what it did.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace protobeam::test {

struct Outcome {
  int exit = -1;  ///< exit code, 128 + signal
  std::string out, err;
  double seconds = 0;
};

/// More than any run needs: sanitized, or beside many others, some take eight times what they do alone.
inline constexpr std::chrono::seconds kLimit{250};

struct Surroundings {
  std::vector<std::string> environment;  ///< "NAME=value", added to ours
  std::filesystem::path directory;       ///< default: the source tree
  long file_size_limit = -1;             ///< bytes that a file may have (a full disk)
  std::chrono::seconds limit = kLimit;   ///< killed after that
  std::function<void(pid_t)> meanwhile;  ///< called once, when it has started
};

/// build/bin/protobeam with these arguments.
Outcome protobeam(const std::vector<std::string>& arguments, const Surroundings& run = {});
Outcome execute(const std::vector<std::string>& words, const Surroundings& run = {});

/// Processes whose command line holds `word`.
int processes_with(const std::string& word);

}  // namespace protobeam::test
