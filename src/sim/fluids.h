// Fluids of a world: what they do to the Solids that have ImmersionProperties.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/immersion.h"
#include "physics/world.h"

namespace protobeam {
namespace wbt {
struct Node;
}

/// A Fluid of the world text. It never moves; its surface is that of its boundingObject which is on
/// top.
struct Fluid {
  std::string name;
  double density = 1000;         ///< kg/m^3
  double viscosity = 0.001;      ///< Pa s
  Vec3 stream_W = Vec3::Zero();  ///< m/s
  /// What it fills: under each of these surfaces, within the box (in F) around that shape.
  struct Basin {
    HalfSpace surface;  ///< in W
    Pose X_WF;
    Vec3 min_F = Vec3::Zero(), max_F = Vec3::Zero();
    bool contains(const Vec3& p_W) const;
  };
  std::vector<Basin> basins;
  const wbt::Node* unit = nullptr;
};

/// How a Solid S behaves in one fluid (Webots reference, ImmersionProperties).
struct Immersed {
  std::string fluid;
  physics::BodyId body = physics::kWorldBody;
  Pose X_BS;
  std::vector<physics::CollisionShape> shapes;  ///< the Solid's own, in the body
  bool projected = false;  ///< drag by the areas seen along S's axes, else by the wet area
  Vec3 drag = Vec3::Zero(), drag_torque = Vec3::Zero();
  double viscous_force = 0, viscous_torque = 0;
  const wbt::Node* unit = nullptr;
};

/// For each shape of such a Solid that is in the fluid, with the wet volume, area and centre of the
/// shape:
///
///   buoyancy  -density volume gravity, at that centre
///   drag      by the velocity v of the centre and the angular velocity w, relative to the stream:
///             wet area:   F = -cx density |v| v area, M = -tx density |w| w area
///             projected:  in S, for each axis F_i = -c_i density |v_i| v_i A_i,
///                         M_i = -t_i density |w_i| w_i (A_j + A_k)
///   viscosity F = -r viscosity v_force v, M = -r viscosity v_torque w, r the share of the area
///   that is wet
///
/// Drag and viscosity together at most stop what moves in the fluid within a substep.
class Fluids {
 public:
  void add(Fluid fluid) { fluids_.push_back(std::move(fluid)); }
  void add(Immersed solid) { solids_.push_back(std::move(solid)); }
  const std::vector<Fluid>& all() const { return fluids_; }
  std::vector<Immersed>& solids() { return solids_; }
  /// Takes out what came of that node of the tree.
  void remove(const wbt::Node& unit) {
    std::erase_if(fluids_, [&](const Fluid& fluid) { return fluid.unit == &unit; });
    std::erase_if(solids_, [&](const Immersed& solid) { return solid.unit == &unit; });
  }
  bool acts() const { return !fluids_.empty() && !solids_.empty(); }

  /// In a physics::SubstepHook.
  void push(physics::World& world, const Vec3& gravity_W, double dt) const;

 private:
  void push(physics::World& world, const Vec3& gravity_W, double dt, const Immersed& solid,
            const Fluid& fluid) const;

  std::vector<Fluid> fluids_;
  std::vector<Immersed> solids_;
};

}  // namespace protobeam
