// The entities of a world, as the package simulation_interfaces means them: robots and objects with a
// name. Here they are the Solids that stand in no other one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "message/simulation_interfaces.h"
#include "sim/simulation.h"

namespace protobeam {

inline constexpr const char* kNoPose =
    "the pose is no pose: the orientation is a quaternion of length 1, and the place at most 1e8 m "
    "from the origin";
/// Of a message; none for what is no pose of this world: a quaternion that is none, or a place
/// beyond the world's bounds.
std::optional<Pose> pose_in_world(const message::Pose& pose);

class Entities {
 public:
  explicit Entities(Simulation& simulation);

  bool has(const std::string& name) const { return find(name).has_value(); }
  /// Solids of the same world have come or gone; the others keep their names.
  void follow();
  /// One that has come into the world.
  void add(const std::string& name, int solid);
  /// It is not there any more.
  void remove(int solid);

  /// Index in WorldModel::solids; none for a name that is not there.
  std::optional<int> find(const std::string& name) const;
  /// Those that a filter lets through, in the order of the world's text. Throws std::invalid_argument
  /// for a pattern that is no regular expression.
  std::vector<std::string> names(const message::simulation::EntityFilters& filters) const;

  /// In the world: of "", "world" and "map" the identity, of the name of an entity where it is.
  /// None for other words.
  std::optional<Pose> frame(const std::string& name) const;

  message::simulation::EntityState state(int solid) const;
  /// Whether it could be, with the codes of SetEntityState: what never moves has no other pose, and
  /// no twist but 0.
  message::simulation::Result set_state(int solid, const message::simulation::EntityState& state,
                                        bool pose, bool twist);
  message::simulation::EntityInfo info(int solid) const;
  /// A box along the world's axes around what is seen of it; empty when nothing is.
  message::simulation::Bounds bounds(int solid) const;

 private:
  struct Entity {
    std::string name;
    int solid;
    const void* node;  ///< of the Solid, to tell it from one with the same number later
  };
  Pose X_WS(int solid) const;

  Simulation& simulation_;
  std::vector<Entity> all_;
};

}  // namespace protobeam
