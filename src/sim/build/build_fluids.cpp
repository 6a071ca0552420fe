// Fluids, and the Solids that they act on.
#include <fmt/format.h>

#include "sim/build/tree_builder.h"

namespace protobeam {
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

void TreeBuilder::fluid(const Node& node, const Frame& frame) {
  const NodeView fields = view(node);
  Frame inner = moved(fields, frame);
  children(node, inner);
  if (frame.draft >= 0) {
    return error(node, "", "a Fluid belongs to the world and cannot stand in a body that moves");
  }
  Fluid fluid;
  fluid.name = fields.string("name");
  fluid.density = std::max(0.0, fields.number("density"));
  fluid.viscosity = fields.number("viscosity");
  fluid.stream_W = fields.vec3("streamVelocity");
  for (const auto& shape : bounding_shapes(node, inner)) {
    // On top is the face of the shape's box that looks up most.
    Bounds box = bounds(*shape.geometry);
    if (std::holds_alternative<Plane>(*shape.geometry)) {
      box.min = Vec3::Constant(-std::numeric_limits<double>::infinity());
      box.max = Vec3::Constant(std::numeric_limits<double>::infinity());
      box.max.z() = 0;
    }
    const Vec3 up_F = shape.X_BS.R.conjugate() * model_.up;
    int axis = 2;
    if (!std::holds_alternative<Plane>(*shape.geometry)) up_F.cwiseAbs().maxCoeff(&axis);
    const double side = up_F[axis] < 0 ? -1 : 1;
    const Vec3 normal_W = shape.X_BS.R * (side * Vec3::Unit(axis));
    Fluid::Basin basin;
    basin.X_WF = shape.X_BS;
    basin.min_F = box.min;
    basin.max_F = box.max;
    const double height = side > 0 ? box.max[axis] : -box.min[axis];
    basin.surface = {normal_W, height + normal_W.dot(shape.X_BS.p)};
    fluid.basins.push_back(basin);
  }
  if (fluid.basins.empty()) {
    warning(node, "boundingObject",
            "the Fluid '" + fluid.name + "' has no boundingObject: it fills nothing");
  }
  fluid.unit = unit_;
  model_.fluids.add(std::move(fluid));
}

void TreeBuilder::immersed(const Node& node, const Frame& frame,
                           const std::vector<physics::CollisionShape>& shapes) {
  for (const NodePtr& item : view(node).nodes("immersionProperties")) {
    if (!item) continue;
    const NodeView fields = view(*item);
    Immersed solid;
    solid.fluid = fields.string("fluidName");
    solid.body = frame.draft;  // a draft number until the bodies are made
    solid.X_BS = frame.X_BF;
    solid.shapes = shapes;
    // Webots' manual says "xyz-projected area", its source "xyz-projection".
    solid.projected = fields.string("referenceArea") != "immersed area";
    solid.drag = fields.vec3("dragForceCoefficients");
    solid.drag_torque = fields.vec3("dragTorqueCoefficients");
    solid.viscous_force = fields.number("viscousResistanceForceCoefficient");
    solid.viscous_torque = fields.number("viscousResistanceTorqueCoefficient");
    solid.unit = unit_;
    model_.fluids.add(std::move(solid));
    immersion_nodes_.push_back(item.get());
  }
}

void TreeBuilder::finish_fluids() {
  // Those of this builder stand behind those that the world had before.
  auto& solids = model_.fluids.solids();
  const std::size_t first = solids.size() - immersion_nodes_.size();
  for (std::size_t i = 0; i < immersion_nodes_.size(); ++i) {
    const auto& fluids = model_.fluids.all();
    const bool known = std::any_of(fluids.begin(), fluids.end(), [&](const Fluid& fluid) {
      return fluid.name == solids[first + i].fluid;
    });
    // A ship in a dry world says nothing wrong.
    if (!known && !fluids.empty()) {
      warning(*immersion_nodes_[i], "fluidName",
              fmt::format("no Fluid has the name '{}'", solids[first + i].fluid));
    }
  }
  for (std::size_t i = first; i < solids.size(); ++i) {
    const int draft = solids[i].body;
    const bool yields = draft >= 0 && drafts_[static_cast<std::size_t>(draft)].spec.motion ==
                                          physics::Motion::kDynamic;
    solids[i].body = yields ? drafts_[static_cast<std::size_t>(draft)].body : physics::kWorldBody;
  }
  std::erase_if(solids, [](const Immersed& solid) { return solid.body == physics::kWorldBody; });
  immersion_nodes_.clear();
}

}  // namespace protobeam
