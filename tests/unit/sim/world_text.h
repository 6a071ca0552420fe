// Worlds from a few words, for tests of what the builder makes of them.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {

/// What loading a world throws; "" where it does not.
template <class Load>
std::string problem_of(Load&& load) {
  try {
    load();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

class WorldText {
 public:
  /// Loads a world to which the text is added; `info` goes into WorldInfo.
  Simulation& load(const std::string& text, const std::string& info = "gravity 0",
                   const SimulationOptions& options = {}, int step_ms = 8) {
    const auto file =
        folder_.write("worlds/test.wbt",
                      fmt::format("#VRML_SIM R2025a utf8\nWorldInfo {{ basicTimeStep {} {} }}\n{}",
                                  step_ms, info, text));
    diagnostics_ = {};
    simulation_ = Simulation::load(file, options, diagnostics_);
    if (!simulation_) throw std::runtime_error(diagnostics_.to_string());
    return *simulation_;
  }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  TemporaryFolder& folder() { return folder_; }

 private:
  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace protobeam
