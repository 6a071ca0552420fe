// Energy of robots: what they draw from their batteries, and what chargers give them.
#pragma once

#include <vector>

#include "base/math.h"
#include "physics/world.h"

namespace protobeam {
namespace wbt {
struct Node;
}

struct WorldModel;

/// Robot.battery and cpuConsumption.
struct Battery {
  bool there = false;
  double energy = 0;    ///< J
  double capacity = 0;  ///< J
  double charging = 0;  ///< W that it takes from a charger
  double cpu = 10;      ///< W
  bool has_run_down = false;  ///< the robot's devices have stopped
  bool drained = false;       ///< it became empty in this step
  bool empty() const { return there && !(energy > 0); }
};

/// Of field `battery`: charge, capacity, charging power. As in Webots the last ones may be left
/// out; such a battery is never charged.
Battery battery_of(const std::vector<double>& numbers, double cpu);

/// A Charger of the world text: a battery that fills by itself, and charges one robot at a time.
struct Charger {
  double energy = 0;    ///< J
  double capacity = 0;  ///< J
  double filling = 0;   ///< W
  double radius = 0;    ///< m; robots whose origin is within
  physics::BodyId body = physics::kWorldBody;
  Pose X_BC;  ///< in its body; in the world when it never moves
  const wbt::Node* unit = nullptr;
};

/// A step of `dt` s has passed: chargers fill, robots near them charge (the first one in the
/// world's text), all robots with a battery pay for their computer and for what their devices drew
/// (DeviceModel::power). (Webots reference: Robot, Charger, Motor.)
void pass_energy(WorldModel& model, double dt);

}  // namespace protobeam
