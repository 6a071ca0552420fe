// Solids: which ones are bodies, which are welded to others, what they weigh and how they look.
// The rules are those of the Webots reference manual (Solid, Physics, boundingObject).
#include <Eigen/Eigenvalues>
#include <utility>
#include <algorithm>

#include "sim/build/old_axes.h"
#include "sim/build/tree_builder.h"

namespace protobeam {
using physics::CollisionShape;
using physics::Motion;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

Pose TreeBuilder::world_pose(const Frame& frame) const {
  return frame.draft < 0 ? frame.X_BF
                         : drafts_[static_cast<std::size_t>(frame.draft)].spec.X_WB * frame.X_BF;
}

Frame TreeBuilder::moved(const NodeView& node, const Frame& frame) const {
  Frame inner = frame;
  const Vec3 p = frame.scale.cwiseProduct(node.vec3("translation"));
  inner.X_BF = frame.X_BF * Pose{node.rotation("rotation"), p};
  if (node.has("scale")) inner.scale = frame.scale.cwiseProduct(node.vec3("scale"));
  inner.old_body_scale *= node.get().old_body_scale;
  return inner;
}

void TreeBuilder::children(const Node& node, const Frame& frame) {
  for (const NodePtr& child : view(node).nodes("children")) {
    if (child) walk(*child, frame);
  }
}

void TreeBuilder::walk(const Node& node, const Frame& frame) {
  const std::string& type = node.type;
  if (schemas_.is_a(type, "Solid")) {
    if (only_looks_) {
      look_at_solid(node, frame);
    } else {
      solid(node, frame);
    }
  } else if (type == "PropertyRegion") {
    region(node, frame);
  } else if (type == "Fluid") {
    fluid(node, frame);
  } else if (type == "Pose" || type == "Transform") {
    children(node, moved(view(node), frame));
  } else if (type == "Group") {
    children(node, frame);
  } else if (type == "Shape" || type == "CadShape") {
    visible(node, frame);
  } else if (type == "Slot") {
    if (const NodePtr end = view(node).node("endPoint")) walk(*end, frame);
  } else if (only_looks_) {
    return;  // nothing else is seen of this body
  } else if (type == "HingeJoint" || type == "Hinge2Joint" || type == "SliderJoint" ||
             type == "BallJoint") {
    joint(node, frame);
  } else if (schemas_.is_a(type, "BodyDevice")) {
    device(node, frame);
  } else if (type == "TrackWheel") {
    track_wheel(node, frame);
  } else if (type == "KeyframeAnimation") {
    animation(node, frame);
  } else if (type == "DistanceJoint" || type == "RevoluteJoint") {
    links_.push_back(&node);
  } else if (type == "DirectionalLight" || type == "PointLight" || type == "SpotLight") {
    light(node, frame);
  } else if (type == "Viewpoint" || type == "Background" || type == "Fog" || type == "Atmosphere") {
    scenery(node);
  } else if (schemas_.is_a(type, "VehicleDrive")) {
    vehicle(node, frame);
  } else if (type == "Ros2Controller" || type == "Ros2Hardware") {
    controlled(node, frame);
  } else if (type == "Topic" || type == "Publishing" || schemas_.is_a(type, "Output")) {
    publishing(node, frame);
  } else if (type == "VehicleWheel") {
    error(node, "", "a VehicleWheel stands in the field 'wheels' of a drive");
  }
}

void TreeBuilder::visible(const Node& node, const Frame& frame) {
  if (node.type == "Shape" && !only_looks_) {
    const NodePtr geometry = view(node).node("geometry");
    if (geometry && (geometry->type == "IndexedLineSet" || geometry->type == "PointSet")) {
      lines(node, *geometry, frame);
    }
  }
  const auto shapes = shapes_.shape(node, frame.scale);
  if (shapes.empty()) return;
  int sink = frame.sink;
  if (sink < 0 && frame.draft >= 0) {
    auto& draft = drafts_[static_cast<std::size_t>(frame.draft)];
    if (draft.sink < 0) {
      draft.sink = static_cast<int>(visuals_.size());
      visuals_.push_back({frame.draft, Pose{}, {}, {}, {}});
      visuals_.back().owner = draft.node;
      visuals_.back().unit = unit_;
    }
    sink = draft.sink;
  }
  Pose X_GS = frame.X_BF;
  if (sink < 0) {
    // A static shape outside a Solid: a group of its own, local to itself.
    visuals_.push_back({-1, frame.X_BF, {}, {}, {}});
    visuals_.back().owner = &node;
    visuals_.back().scale = frame.scale;
    visuals_.back().unit = unit_;
    sink = static_cast<int>(visuals_.size()) - 1;
    X_GS = Pose{};
  } else {
    X_GS = visuals_[static_cast<std::size_t>(sink)].X_BG.inverse() * frame.X_BF;
  }
  auto& group = visuals_[static_cast<std::size_t>(sink)];
  for (const auto& shape : shapes) {
    group.emitters.push_back(frame.emitter);
    group.shapes.push_back({shape.geometry, X_GS * shape.X_NG});
    group.materials.push_back(painted(node, shape.material));
    group.solids.push_back(frame.solid);
    group.nodes.push_back(&node);
  }
}

int TreeBuilder::new_draft(const Node& node, Motion motion, const Pose& X_WB, const Frame& frame) {
  BodyDraft draft;
  draft.spec.name = view(node).string("name");
  draft.spec.motion = motion;
  draft.spec.X_WB = X_WB;
  if (motion == Motion::kDynamic) {
    draft.spec.v_WB = view(node).vec3("linearVelocity");
    draft.spec.w_WB = view(node).vec3("angularVelocity");
  }
  draft.spec.robot = frame.robot;
  draft.spec.self_collision = frame.self_collision;
  draft.node = &node;
  draft.place = node.place;
  draft.expanded_from = node.expanded_from;
  drafts_.push_back(std::move(draft));
  return static_cast<int>(drafts_.size()) - 1;
}

/// It is seen with the body around it, unless it is a group of its own: one that never moves.
void TreeBuilder::look_at_solid(const Node& node, const Frame& parent) {
  if (parent.draft < 0) return;
  Frame frame = moved(view(node), parent);
  const auto known = known_solids_.find(&node);
  if (known != known_solids_.end()) frame.solid = known->second;
  children(node, frame);
}

int TreeBuilder::add_solid_info(SolidInfo info) {
  auto& solids = model_.solids;
  info.unit = unit_;
  // The lowest free number; those below the last one are taken.
  while (free_solid_ < solids.size() && !solids[free_solid_].removed) ++free_solid_;
  const auto index = static_cast<int>(free_solid_);
  if (free_solid_ == solids.size()) {
    solids.push_back(std::move(info));
  } else {
    solids[free_solid_] = std::move(info);
  }
  new_solids_.push_back(index);
  return index;
}

void TreeBuilder::solid(const Node& node, const Frame& parent) {
  // One that stands in no other is a unit of its own.
  const Node* outer_unit = unit_;
  const bool topmost = parent.draft < 0 && parent.solid < 0;
  if (topmost && without_solids_ && &node != outer_unit) return;
  if (topmost) unit_ = &node;
  topmost_solid(node, parent);
  unit_ = outer_unit;
}

void TreeBuilder::topmost_solid(const Node& node, const Frame& parent) {
  Frame frame = moved(view(node), parent);
  const bool has_physics = view(node).node("physics") != nullptr;
  const bool free = parent.draft < 0 && parent.solid < 0;
  const Node* guide = free && schemas_.is_a(node.type, "Robot") ? find_guide(node) : nullptr;
  if (guide && has_physics) {
    error(*guide, "",
          "a " + guide->type + " says where its robot is; remove the Physics of the Robot '" +
              view(node).string("name") + "'");
  }
  std::optional<RollingDraft> rolling;
  if (free && !has_physics && !guide && schemas_.is_a(node.type, "Robot")) rolling = find_wheels(node);
  if (free && (has_physics || guide || rolling)) {
    // A free body; its frame is the Solid's.
    Frame with_robot = frame;
    if (schemas_.is_a(node.type, "Robot")) {
      with_robot.robot = next_robot(node);
      with_robot.self_collision = view(node).boolean("selfCollision");
    }
    const Motion motion = has_physics && !guide ? Motion::kDynamic : Motion::kKinematic;
    frame.draft = new_draft(node, motion, frame.X_BF, with_robot);
    if (guide) guided_drafts_.insert(frame.draft);
    if (rolling) {
      rolling->draft = frame.draft;
      rolling_.push_back(*rolling);
    }
    frame.X_BF = Pose{};
  }
  solid_contents(node, frame, parent);
}

void TreeBuilder::solid_contents(const Node& node, Frame frame, const Frame& parent) {
  const NodeView fields = view(node);
  SolidInfo info;
  info.name = fields.string("name");
  info.type = node.type;
  info.proto = node.proto;
  info.place = info.written_at = node.place;
  for (auto proto = node.expanded_from; proto; proto = proto->parent) {
    info.written_at = proto->place;
  }
  info.parent = parent.solid;
  info.radar_cross_section = fields.number("radarCrossSection");
  info.temperature = fields.number("temperature");
  info.model = fields.string("model");
  const auto colors = fields.numbers("recognitionColors");
  for (std::size_t i = 0; i + 2 < colors.size(); i += 3) {
    info.recognition_colors.push_back(Vec3(colors[i], colors[i + 1], colors[i + 2]).cast<float>());
  }
  const bool robot = schemas_.is_a(node.type, "Robot");
  info.node = &node;
  frame.solid = add_solid_info(std::move(info));
  if (robot) frame.robot = add_robot(node, frame.solid);
  if (robot) frame.self_collision = fields.boolean("selfCollision");
  model_.solids[static_cast<std::size_t>(frame.solid)].robot = frame.robot;

  const bool moves = frame.draft >= 0;
  const auto shapes = bounding_shapes(node, frame);
  // Volumes add up even where shapes overlap, as in Webots.
  MassProperties filled, own;
  const NodePtr physics = frame.weightless ? nullptr : fields.node("physics");
  if (physics) {
    for (const auto& shape : shapes)
      filled = combined(filled, transformed(mass_properties(*shape.geometry, 1.0), shape.X_BS));
    own = own_mass(view(*physics), frame, filled);
    auto& weighed = model_.solids[static_cast<std::size_t>(frame.solid)];
    weighed.mass = std::max(0.0, own.mass);
    weighed.weight_mass = view(*physics).boolean("gravity") ? weighed.mass : 0;
    weighed.centre_B = own.com;
  }
  for (const auto& shape : shapes) {
    model_.collisions.push_back({shape.geometry, shape.X_BS, frame.draft, frame.solid});
  }
  immersed(node, frame, shapes);
  if (moves) {
    auto& draft = drafts_[static_cast<std::size_t>(frame.draft)];
    if (draft.spec.motion == Motion::kDynamic && physics) {
      model_.solids[static_cast<std::size_t>(frame.solid)].inertia_B =
          add_mass(node, frame, filled.mass, own, draft).inertia;
    }
    // A leaf without Physics (a sensor's casing) adds its boundingObject but no mass.
    draft.spec.shapes.insert(draft.spec.shapes.end(), shapes.begin(), shapes.end());
  } else {
    // As in Webots, with Physics it is a body of its own, which ODE holds to the world by a joint
    // (WbSolid::setOdeJointToUpperSolid).
    frame.held = !physics ? nullptr : parent.held ? parent.held : &node;
    if (!shapes.empty()) {
      frame.static_draft = new_draft(node, Motion::kStatic, Pose{}, frame);
      drafts_.back().spec.shapes = shapes;
      drafts_.back().spec.held = frame.held != nullptr;
      drafts_.back().held = frame.held;
      model_.solids[static_cast<std::size_t>(frame.solid)].static_body = frame.static_draft;
    }
    // All shapes of one static Solid are one object of the ray scene, in the Solid's own frame.
    const bool in_head =
        frame.sink >= 0 && visuals_[static_cast<std::size_t>(frame.sink)].head != nullptr;
    if (!in_head) {
      visuals_.push_back({-1, frame.X_BF, {}, {}, {}});
      visuals_.back().owner = &node;
      visuals_.back().scale = frame.scale;
      visuals_.back().unit = unit_;
      frame.sink = static_cast<int>(visuals_.size()) - 1;
    }
  }
  {
    auto& placed = model_.solids[static_cast<std::size_t>(frame.solid)];
    placed.X_BS = frame.X_BF;
    placed.body = frame.draft;  // a draft number until the bodies are made
  }
  if (node.type == "Charger") charger(node, frame);
  const DeviceModel* made = device(node, frame);
  const auto* plugin = plugins_.find_as<DevicePlugin>(node.type);
  if (made && plugin->type.own_axis != OwnAxis::kNone) frame.axis = made;
  if (const auto picture = made ? made->picture() : nullptr) {
    painted_children(node, frame, picture);
  } else {
    solid_children(node, frame);
  }
}

void TreeBuilder::painted_children(const Node& node, const Frame& frame,
                                   const std::shared_ptr<const Image>& picture) {
  // A Display in another one's child has its own picture.
  const auto outer = std::exchange(paint_, picture);
  for (const NodePtr& child : view(node).nodes("children")) {
    if (child) walk(*child, frame);
    paint_ = nullptr;
  }
  paint_ = outer;
}

std::shared_ptr<const Material> TreeBuilder::painted(
    const Node& shape, const std::shared_ptr<const Material>& material) {
  if (!paint_ || !material || shape.type != "Shape") return material;
  const NodePtr appearance = view(shape).node("appearance");
  if (!appearance) return material;
  const NodeView look = view(*appearance);
  const bool pbr = appearance->type == "PBRAppearance";
  const bool textured = look.node(pbr ? "baseColorMap" : "texture") != nullptr;
  const bool emits = pbr && look.node("emissiveColorMap");
  if (!textured && !emits) return material;
  auto changed = std::make_shared<Material>(*material);
  if (textured) changed->texture = paint_;
  if (emits) {
    auto maps = std::make_shared<MaterialMaps>();
    maps->emissive_intensity = material->emissive_intensity;
    if (material->maps) *maps = *material->maps;
    maps->emissive = paint_;
    changed->maps = std::move(maps);
  }
  if (std::ranges::find(model_.pictures, paint_) == model_.pictures.end()) {
    model_.pictures.push_back(paint_);
  }
  return changed;
}

std::vector<CollisionShape> TreeBuilder::bounding_shapes(const Node& node, const Frame& frame) {
  std::vector<CollisionShape> shapes;
  const NodePtr root = view(node).node("boundingObject");
  if (!root) return shapes;
  const NodeView owner = view(node);
  const int material =
      !owner.has("contactMaterial") ? 0 : model_.physics->material(owner.string("contactMaterial"));
  const auto add = [&](const auto& self, const Node& n, const Pose& X_BN,
                       const Vec3& scale) -> void {
    const NodeView fields = view(n);
    if (n.type == "Shape") {
      if (const NodePtr g = fields.node("geometry")) self(self, *g, X_BN, scale);
    } else if (n.type == "Group" || n.type == "Pose" || n.type == "Transform") {
      Pose X = X_BN;
      Vec3 s = scale;
      if (n.type != "Group") {
        X = X_BN *
            Pose{fields.rotation("rotation"), scale.cwiseProduct(fields.vec3("translation"))};
        if (fields.has("scale")) s = scale.cwiseProduct(fields.vec3("scale"));
      }
      for (const NodePtr& child : fields.nodes("children")) {
        if (child) self(self, *child, X, s);
      }
    } else if (n.type == "Plane" && frame.draft >= 0) {
      diagnostics_.left_out(n.place, "a Plane collides as a half space and cannot move",
                            "give what moves a thin Box; --lenient goes on without the Plane",
                            n.expanded_from);
    } else {
      const ShapeAxes axes = shape_axes(fields, scale);
      if (const auto g = shapes_.geometry(n, axes.scale)) {
        shapes.push_back({g, X_BN * axes.X_NG, material, frame.solid, axes.R_GF});
      }
    }
  };
  add(add, *root, frame.X_BF, frame.scale);
  return shapes;
}

MassProperties TreeBuilder::own_mass(const NodeView& physics, const Frame& frame,
                                     const MassProperties& filled) const {
  // What was written for a body of the scale 1 (Webots R2021b, src/webots/nodes/WbSolid.cpp).
  const double s = frame.old_body_scale;
  const double given = physics.number("mass") * s * s * s;
  // With neither a mass nor a density, water: the loader has said so.
  const double density = physics.number("density") > 0 ? physics.number("density") : 1000;
  // Webots takes 1 kg where neither a mass nor a volume is known (src/webots/nodes/WbSolid.cpp).
  const double mass = given > 0 ? given : filled.mass > 0 ? density * filled.mass : 1;
  // Nothing to weigh: a ball of 10 cm keeps the inertia finite.
  MassProperties own = filled.mass > 0
                           ? filled
                           : transformed(mass_properties(Sphere{0.1}, 1.0), frame.X_BF);
  own.inertia *= mass / own.mass;
  own.mass = mass;
  const auto com = physics.numbers("centerOfMass");
  if (com.size() >= 3) own.com = frame.X_BF * Vec3(s * Vec3(com[0], com[1], com[2]));
  return own;
}

MassProperties TreeBuilder::add_mass(const Node& node, const Frame& frame, double volume,
                                     MassProperties own, BodyDraft& draft) {
  const NodePtr physics = view(node).node("physics");
  const NodeView fields = view(*physics);
  const auto matrix = fields.numbers("inertiaMatrix");
  Mat3 I = Mat3::Zero();
  if (matrix.size() >= 6) {
    I << matrix[0], matrix[3], matrix[4], matrix[3], matrix[1], matrix[5], matrix[4], matrix[5],
        matrix[2];
  }
  const bool has_inertia = Eigen::SelfAdjointEigenSolver<Mat3>(I).eigenvalues().minCoeff() > 0;
  // Robots converted from other formats come with such matrices; Webots goes on without them
  // (src/webots/nodes/WbPhysics.cpp).
  if (matrix.size() >= 6 && !has_inertia) {
    diagnostics_.left_out(
        fields.place("inertiaMatrix"), "inertiaMatrix is not positive definite: no body has it",
        "--lenient takes the inertia of the boundingObject", physics->expanded_from);
  }
  if (!(volume > 0)) {
    const bool has_mass = fields.number("mass") > 0;
    if (!has_mass || !has_inertia) {
      const std::string name = view(node).string("name");
      warning(node, "physics",
              "'" + name + "' has Physics but no boundingObject with a volume: " +
                  (has_mass ? "" : "it weighs 1 kg") + (has_mass || has_inertia ? "" : ", and ") +
                  (has_inertia ? "" : "its inertia is that of a ball of 0.1 m radius"));
    }
  }
  if (has_inertia) {
    const Mat3 R = frame.X_BF.R.toRotationMatrix();
    const double s = frame.old_body_scale;
    own.inertia = s * s * s * s * s * R * I * R.transpose();
  }
  draft.spec.mass = combined(draft.spec.mass, own);
  if (!fields.boolean("gravity") && own.mass > 0) {
    const double before =
        std::exchange(draft.spec.weightless_mass, draft.spec.weightless_mass + own.mass);
    draft.spec.weightless_com =
        (before * draft.spec.weightless_com + own.mass * own.com) / draft.spec.weightless_mass;
  }
  double linear = default_linear_damping_, angular = default_angular_damping_;
  if (const NodePtr damping = fields.node("damping")) {
    linear = view(*damping).number("linear");
    angular = view(*damping).number("angular");
  }
  const double weight = volume > 0 ? volume : 1e-6;
  const double before = draft.damping_weight;
  draft.spec.linear_damping =
      (draft.spec.linear_damping * before + linear * weight) / (before + weight);
  draft.spec.angular_damping =
      (draft.spec.angular_damping * before + angular * weight) / (before + weight);
  draft.damping_weight = before + weight;
  return own;
}

}  // namespace protobeam
