// What the motors and brakes of a unit were told, while it is built anew: a supervisor that changes
// a spring or a boundingObject does not stop the robot (Webots changes its joints in place).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/model.h"

namespace protobeam {

class KeptCommands {
 public:
  KeptCommands(const WorldModel& model, const wbt::Node& unit);
  /// Gives them to the same joints and motors, as far as they are there again.
  void restore(WorldModel& model) const;

 private:
  using Bytes = std::vector<std::byte>;
  std::map<std::pair<const wbt::Node*, int>, Bytes> axes_;            ///< by joint
  struct Kept {
    Bytes motor, axis;  ///< axis: a FreeAxis, which moves by its motor alone; empty for joints
  };
  std::map<std::pair<const wbt::Node*, std::string>, Kept> motors_;  ///< by robot
};

}  // namespace protobeam
