// What has changed in the make of a running world: for who keeps something made of it.
#pragma once

#include "sim/simulation.h"

namespace protobeam {

struct WorldGenerations {
  int robots = 0, world = 0, looks = 0;
  bool operator==(const WorldGenerations&) const = default;

  static WorldGenerations of(const Simulation& simulation) {
    return {simulation.robot_generation(), simulation.generation(), simulation.look_generation()};
  }
};

}  // namespace protobeam
