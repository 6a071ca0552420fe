// run --save-state and --from-state: the state of a world in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace CLI {
class App;
}

namespace protobeam {

struct StateArguments {
  std::vector<std::string> save;  ///< TIME:FILE
  std::string from;               ///< "": from the start
};

void add_state_arguments(CLI::App& command, StateArguments& arguments);

/// Writes what --save-state asks for when it is time.
class StateFiles {
 public:
  /// Restores --from-state. Throws std::runtime_error or std::invalid_argument with what is wrong,
  /// for the user.
  StateFiles(Simulation& simulation, const StateArguments& arguments);

  void after_step();
  /// What was asked for and did not come, in words; "" when all did.
  std::string missed() const;

 private:
  struct Wanted {
    double time = 0;  ///< s
    std::string file;
    bool done = false;
  };
  Simulation& simulation_;
  std::vector<Wanted> wanted_;
};

}  // namespace protobeam
