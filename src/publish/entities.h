// The entities of a world, as the package simulation_interfaces means them: robots and objects with a
// name. Here they are the Solids that stand in no other one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/geometry.h"
#include "message/simulation_interfaces.h"
#include "sim/simulation.h"

namespace protobeam {

inline constexpr const char* kNoPose =
    "the pose is no pose: the orientation is a quaternion of length 1, and the place at most 1e8 m "
    "from the origin";
/// Of a message; none for what is no pose of this world: a quaternion that is none, or a place
/// beyond the world's bounds.
std::optional<Pose> pose_in_world(const message::Pose& pose);
/// Within the world's bounds.
bool is_in_world(const Vec3& place);

/// "" or why it is no filter.
std::string problem_with(const message::simulation::TagsFilter& filter);
bool passes(const message::simulation::TagsFilter& filter, const std::vector<std::string>& tags);

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
  /// "there is no entity 'bal'; did you mean 'ball'?"
  std::string no_entity(const std::string& name) const;
  /// Those that a filter lets through, in the order of the world's text. A filter that is none, or
  /// that is not known here, is the result, and nothing is in `out`.
  message::simulation::Result choose(const message::simulation::EntityFilters& filters,
                                     std::vector<std::string>& out) const;

  /// What poses and twists are relative to.
  struct Frame {
    Pose X_WF;
    Vec3 v_WF = Vec3::Zero(), w_WF = Vec3::Zero();
  };
  /// Of "", "world" and "map" the world's, of the name of an entity its own. None for other words.
  std::optional<Frame> frame(const std::string& name) const;
  std::string no_frame(const std::string& name) const;

  message::simulation::EntityState state(int solid) const;
  /// Whether it could be, with the codes of SetEntityState: what never moves has no other pose, and
  /// no twist but 0. Pose and twist are as seen in the frame of the header.
  message::simulation::Result set_state(int solid, const message::simulation::EntityState& state,
                                        bool pose, bool twist);
  message::simulation::EntityInfo info(int solid) const;
  /// Instead of what the world says of it.
  message::simulation::Result set_info(int solid, message::simulation::EntityInfo info);
  /// A box in its frame, along its axes, around what is seen of it; empty when nothing is.
  message::simulation::Bounds bounds(int solid) const;

 private:
  struct Entity {
    std::string name;
    int solid;
    const void* node;  ///< of the Solid, to tell it from one with the same number later
    std::optional<message::simulation::EntityInfo> info{};  ///< that somebody has set
  };
  std::string suggestion(const std::string& name, const std::string& otherwise) const;
  const SolidInfo& solid_info(int solid) const;
  Pose X_WS(int solid) const;
  Bounds box(int solid, const Pose& X_FW) const;

  Simulation& simulation_;
  std::vector<Entity> all_;
};

}  // namespace protobeam
