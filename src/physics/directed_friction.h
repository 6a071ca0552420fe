// Friction that differs along and across: Webots' ContactProperties with several values.
#pragma once

#include <optional>

#include "base/math.h"
#include "physics/world.h"

namespace protobeam::physics {

/// Whether a shape has friction directions, and which.
enum class Grain { kNone, kBox, kPlane, kCylinder };
Grain grain_of(const Geometry& geometry);

/// One of the two shapes in a contact.
struct GrainedShape {
  Grain grain = Grain::kNone;
  Quat R_WS;
};

struct DirectedFriction {
  Vec3 first_W;                            ///< unit, in the plane of contact
  double first = 1, second = 1;            ///< friction along it and across
  double first_slip = 0, second_slip = 0;  ///< force dependent slip, m/(N s)
};

/// What a rule with several values says of a contact with the normal n_W, `one` being of the rule's
/// first material; nothing when one of the shapes has no friction directions, or the one that the
/// rule gives is the normal: then the first value counts in all.
std::optional<DirectedFriction> directed_friction(const ContactRule& rule, const Vec3& n_W,
                                                  const GrainedShape& one,
                                                  const GrainedShape& other);

}  // namespace protobeam::physics
