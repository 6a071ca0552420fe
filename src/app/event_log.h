// `run --out`: what devices did that is told in words, such as what a Speaker played, as
// events.csv.
#pragma once

#include <filesystem>
#include <optional>

#include "base/whole_file.h"
#include "sim/simulation.h"

namespace protobeam {

class EventLog {
 public:
  EventLog(const Simulation& simulation, std::filesystem::path folder)
      : simulation_(simulation), file_name_(std::move(folder) / "events.csv") {}

  /// Takes what the last step brought; the file is begun with the first event. Throws
  /// std::runtime_error when it cannot take more.
  void after_step();
  /// The file gets its name.
  void finish();

 private:
  const Simulation& simulation_;
  std::filesystem::path file_name_;
  std::optional<WholeFile> file_;
};

}  // namespace protobeam
