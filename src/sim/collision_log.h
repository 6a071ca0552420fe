// What robots ran into, out of the contacts of each step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/simulation.h"

namespace protobeam {

/// A robot and what it touched.
struct Collision {
  std::string robot;
  std::string touched;   ///< the Solid's name, or that of another robot
  std::string of_robot;  ///< whose part the Solid is; "" for one that is no robot's
  double first = 0;      ///< s, end of the first step with a contact
  int times = 0;         ///< touches that were at least kParted apart
  double duration = 0;   ///< s, of all touches together
};

/// Watches a simulation, and changes nothing in it. What counts as a collision, and which contacts
/// are normal, stands in docs/outputs.md, "Collisions": standing, rolling, carrying and handling
/// are none.
class CollisionLog {
 public:
  static constexpr double kParted = 0.1;  ///< s without contact between two touches

  /// `simulation` must live longer.
  explicit CollisionLog(Simulation& simulation) : simulation_(simulation) {}

  /// To be called after each step.
  void after_step();
  /// In the order in which they began.
  std::vector<Collision> collisions() const;

 private:
  /// What a body is to the robot that it belongs to.
  enum class Part : std::uint8_t {
    kTrunk,  ///< what moves with the Robot itself
    kWheel,  ///< behind a hinge that turns without limits
    kLimb,   ///< behind any other joint
  };
  struct Record {
    Collision collision;
    std::int64_t last_step = 0;
    std::int64_t steps = 0;       ///< with a contact
    bool from_the_start = false;  ///< they have touched since the first step: not counted yet
  };

  void learn_parts();
  Part part(int solid) const;
  bool movable(int solid) const;
  bool is_normal(const physics::Contact& contact) const;
  bool is_normal(int own, int other, double up) const;
  std::size_t record_of(int a, int b);

  Simulation& simulation_;
  int generation_ = -1;
  std::int64_t last_step_ = -1;
  std::vector<Part> parts_;  ///< by body
  std::vector<Record> records_;
  std::map<std::pair<int, int>, std::size_t> known_;  ///< of Solids, of this generation
};

/// "car touched 'crossing car 2' of traffic at 5.62 s (3 times, 1.40 s)".
std::string describe(const Collision& collision);

}  // namespace protobeam
