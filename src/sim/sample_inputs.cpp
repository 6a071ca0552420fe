#include "sim/sample_inputs.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <variant>

#include "render/color.h"
#include "render/light_reach.h"
#include "sim/geodetic.h"
#include "sim/supervisor/live_tree.h"

namespace protobeam {
namespace {

/// The Solid itself or the nearest one around it that cameras recognise; -1 for none.
int recognizable(const WorldModel& model, int solid) {
  while (solid >= 0) {
    const SolidInfo& info = model.solids[static_cast<std::size_t>(solid)];
    if (!info.recognition_colors.empty()) return solid;
    solid = info.parent;
  }
  return -1;
}

/// K, of the Solid or the nearest one around it that has a temperature; 0: none has.
float temperature_of(const WorldModel& model, int solid) {
  while (solid >= 0) {
    const SolidInfo& info = model.solids[static_cast<std::size_t>(solid)];
    if (info.temperature > 0) return static_cast<float>(info.temperature);
    solid = info.parent;
  }
  return 0;
}

/// The Robot that a Solid is, or that it is a child of; -1: neither.
int robot_of(const WorldModel& model, int solid) {
  const auto is_robot = [&](const SolidInfo& info) {
    return info.robot >= 0 &&
           (info.parent < 0 || model.solids[static_cast<std::size_t>(info.parent)].robot != info.robot);
  };
  const SolidInfo& info = model.solids[static_cast<std::size_t>(solid)];
  if (is_robot(info)) return info.robot;
  if (info.parent < 0) return -1;
  const SolidInfo& parent = model.solids[static_cast<std::size_t>(info.parent)];
  return is_robot(parent) ? parent.robot : -1;
}

/// Corners of a box, elsewhere.
void extend(Bounds& all, const Bounds& box, const Pose& X) {
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1 ? box.max : box.min).x(), (corner & 2 ? box.max : box.min).y(),
                 (corner & 4 ? box.max : box.min).z());
    all.min = all.min.cwiseMin(X * p);
    all.max = all.max.cwiseMax(X * p);
  }
}

/// Of the world when it is kWorldBody.
Pose pose_of_body(const WorldModel& model, physics::BodyId body) {
  return body == physics::kWorldBody ? Pose() : model.physics->pose(body);
}

/// Of a boundingObject in the frame of a Solid that is at X_WO. Within one body, without what
/// rounding its pose would add.
Pose place_in(const WorldModel& model, const SolidInfo& solid, const Pose& X_WO,
              const CollisionInfo& shape) {
  return shape.body == solid.body ? solid.X_BS.inverse() * shape.X_BS
                                  : X_WO.inverse() * pose_of_body(model, shape.body) * shape.X_BS;
}

/// boundingObjects of the objects, by Solid; a Solid in another one belongs to both, as in Webots
/// (WbObjectDetection::recursivelyCheckIfWithinBounds).
void find_bounding(const WorldModel& model, const std::map<int, int>& objects, Appearance& out,
                   std::vector<ObjectSolid>& solids) {
  for (std::size_t i = 0; i < model.collisions.size(); ++i) {
    const CollisionInfo& shape = model.collisions[i];
    int solid = shape.solid;
    for (; solid >= 0; solid = model.solids[static_cast<std::size_t>(solid)].parent) {
      const auto found = objects.find(solid);
      if (found == objects.end()) continue;
      const Bounds box = bounds(*shape.geometry);
      if (box.empty()) break;
      const auto number = static_cast<std::size_t>(found->second);
      solids[number].collisions.push_back(i);
      const auto* mesh = std::get_if<Mesh>(shape.geometry.get());
      out.objects[number].bounding.push_back(
          {shape.geometry, Pose(), box,
           mesh ? std::span(mesh->vertices) : std::span<const Vec3>()});
    }
  }
}

/// Objects for cameras, their Solids, and which shape is a part of which. Where they are is left to
/// place_objects().
void find_objects(const WorldModel& model, const LiveTree& tree, Appearance& out,
                  std::vector<ObjectSolid>& solids) {
  std::map<int, int> objects;  // by Solid
  std::vector<Bounds> boxes;
  for (const VisualGroup& group : model.visuals) {
    auto& shapes = out.instances[group.instance].shapes;
    for (std::size_t i = 0; i < group.solids.size(); ++i) {
      shapes[i].temperature = temperature_of(model, group.solids[i]);
      const int solid = recognizable(model, group.solids[i]);
      if (solid < 0) continue;
      const SolidInfo& info = model.solids[static_cast<std::size_t>(solid)];
      const auto [it, added] = objects.try_emplace(solid, static_cast<int>(out.objects.size()));
      if (added) {
        RecognizableObject& object = out.objects.emplace_back();
        object.id = tree.id(info.node);
        solids.push_back({solid, {}});
        object.robot = robot_of(model, solid);
        object.model = info.model;
        object.colors = info.recognition_colors;
        boxes.emplace_back();
      }
      shapes[i].object = it->second;
      if (group.body != info.body) continue;  // of a part behind a joint
      const Pose X_OS = info.X_BS.inverse() * group.X_BG * group.shape_poses[i];
      const Bounds box = bounds(*group.geometries[i]);
      if (box.empty()) continue;
      extend(boxes[static_cast<std::size_t>(it->second)], box, X_OS);
      out.objects[static_cast<std::size_t>(it->second)].parts.push_back(
          {group.geometries[i], X_OS, box, {}});
    }
  }
  find_bounding(model, objects, out, solids);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty()) continue;
    out.objects[i].min_O = boxes[i].min;
    out.objects[i].max_O = boxes[i].max;
  }
}

void place_objects(const WorldModel& model, const std::vector<ObjectSolid>& solids,
                   std::vector<RecognizableObject>& objects) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const SolidInfo& solid = model.solids[static_cast<std::size_t>(solids[i].solid)];
    RecognizableObject& object = objects[i];
    object.X_WO = pose_of_body(model, solid.body) * solid.X_BS;
    for (std::size_t k = 0; k < object.bounding.size(); ++k) {
      const CollisionInfo& shape = model.collisions[solids[i].collisions[k]];
      object.bounding[k].X_OS = place_in(model, solid, object.X_WO, shape);
    }
  }
}

/// What does not change while the world runs.
void start_appearance(const WorldModel& model, const LiveTree& tree, Appearance& out,
                      std::vector<ObjectSolid>& object_solids) {
  for (const VisualGroup& group : model.visuals) {
    if (out.instances.size() <= group.instance) out.instances.resize(group.instance + 1);
    auto& shapes = out.instances[group.instance].shapes;
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      shapes.push_back({group.materials[i], group.geometries[i], group.shape_poses[i]});
    }
  }
  find_objects(model, tree, out, object_solids);
  for (const Light& light : model.lights) {
    LightSource source;
    source.kind = light.kind == Light::Kind::kDirectional ? LightSource::Kind::kDirectional
                  : light.kind == Light::Kind::kPoint     ? LightSource::Kind::kPoint
                                                          : LightSource::Kind::kSpot;
    source.color = light.color;
    source.intensity = light.intensity;
    source.ambient = light.ambient;
    source.casts_shadows = light.casts_shadows;
    source.attenuation = light.attenuation;
    source.radius = light.radius;
    source.beam_width = light.beam_width;
    source.cut_off_angle = light.cut_off_angle;
    out.lights.push_back(source);
  }
  out.sky.color = render::linear_from_srgb(model.background.sky);
  out.sky.luminosity = model.background.luminosity;
  out.sky.sides = model.background.sides;
  out.sky.up = model.up;
  // Webots takes a sky of one colour for light as it is written.
  out.sky.light = model.background.sky;
  if (render::has_pictures(out.sky)) out.sky.light = render::mean_light(out.sky);
  out.fog.kind = model.fog.kind == Fog::Kind::kLinear        ? FogLook::Kind::kLinear
                 : model.fog.kind == Fog::Kind::kExponential ? FogLook::Kind::kExponential
                                                             : FogLook::Kind::kExponential2;
  out.fog.color = render::linear_from_srgb(model.fog.color);
  out.fog.visibility_range = model.fog.visibility_range;
  out.changing = model.pictures;
}

}  // namespace

Pose pose_of(const WorldModel& model, const SolidInfo& solid) {
  return solid.body == physics::kWorldBody ? solid.X_BS
                                           : model.physics->pose(solid.body) * solid.X_BS;
}

Pose pose_of(const WorldModel& model, const Device& device) {
  return device.body == physics::kWorldBody ? device.X_BD
                                            : model.physics->pose(device.body) * device.X_BD;
}

Vec3 SampleInputs::velocity_of(const Device& device, const Vec3& p_B) const {
  if (device.body == physics::kWorldBody) return Vec3::Zero();
  const auto& world = *model_.physics;
  const Pose X_WB = world.pose(device.body);
  return world.velocity(device.body) +
         world.angular_velocity(device.body).cross(X_WB.R * p_B);
}

void SampleInputs::before_step(Device& device) {
  device.X_WD_before = pose_of(model_, device);
  // An accelerometer differences the velocity over the last step, sampled or not.
  if (device.inputs.has(Input::kMotion)) device.v_WD_before = velocity_of(device, device.X_BD.p);
  if (device.inputs.has(Input::kMountForce)) {
    device.v_mounted_before = velocity_of(device, mounted_by(device).centre_B);
  }
  if (device.inputs.has(Input::kCarrierWrench)) carrier_meter(device).before_step();
  if (device.inputs.has(Input::kRadarTargets)) {
    if (!radar_solids_) find_radar_solids();
    for (RadarSolid& target : *radar_solids_) {
      const SolidInfo& solid = model_.solids[static_cast<std::size_t>(target.solid)];
      if (solid.body == physics::kWorldBody) target.p_WS_before = solid.X_BS.p;
    }
  }
}

void SampleInputs::find_contacts(const Device& device, const Pose& X_WS) {
  contacts_.clear();
  const Pose X_SW = X_WS.inverse();
  for (const physics::Contact& contact : model_.physics->contacts()) {
    const bool is_a = contact.owner_a == device.solid, is_b = contact.owner_b == device.solid;
    if (!is_a && !is_b) continue;
    const Vec3 impulse_W = contact.normal_W * contact.impulse + contact.friction_W;
    const Vec3 force_W = impulse_W / model_.basic_time_step * (is_a ? 1.0 : -1.0);
    contacts_.push_back({X_SW * contact.point_W, X_SW.R * force_W});
  }
}

const SampleInputs::Mounted& SampleInputs::mounted_by(const Device& device) {
  const auto [it, added] = mounted_.try_emplace(&device);
  Mounted& found = it->second;
  if (!added || device.solid < 0) return found;
  const auto& solids = model_.solids;
  const SolidInfo& own = solids[static_cast<std::size_t>(device.solid)];
  const bool fixed =
      own.parent >= 0 && solids[static_cast<std::size_t>(own.parent)].body == own.body;
  found.there = fixed && own.mass > 0;
  if (!found.there) return found;
  Vec3 moment = Vec3::Zero();
  // Numbers need not rise from a Solid to those in it: they are given again.
  const auto belongs = [&](int solid) {
    while (solid >= 0 && solid != device.solid) {
      const SolidInfo& info = solids[static_cast<std::size_t>(solid)];
      if (info.removed || info.body != own.body) return false;
      solid = info.parent;
    }
    return solid >= 0;
  };
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (!belongs(static_cast<int>(i))) continue;
    found.solids.push_back(static_cast<int>(i));
    found.mass += solids[i].mass;
    found.weight_mass += solids[i].weight_mass;
    moment += solids[i].mass * solids[i].centre_B;
  }
  found.centre_B = moment / found.mass;
  for (std::size_t i = 0; i < model_.joints.size(); ++i) {
    const int solid = model_.joints[i].solid;
    if (std::ranges::binary_search(found.solids, solid)) {
      found.joints.push_back(static_cast<physics::JointId>(i));
    }
  }
  return found;
}

/// Newton's law for what is mounted: of all forces on it, those of its mount are what is missing to
/// its change of momentum over the step.
std::optional<Vec3> SampleInputs::mount_force(const Device& device, const Pose& X_WS) {
  const Mounted& mounted = mounted_by(device);
  if (!mounted.there) return {};
  const physics::World& world = *model_.physics;
  const double dt = model_.basic_time_step;
  const Vec3 a_W =
      (velocity_of(device, mounted.centre_B) - device.v_mounted_before) / dt;
  const double weighed = mounted.weight_mass / mounted.mass;
  Vec3 force_W = mounted.mass * (weighed * world.spec().gravity - a_W);
  const auto is_mounted = [&](int solid) {
    return std::ranges::binary_search(mounted.solids, solid);
  };
  for (const physics::Contact& contact : world.contacts()) {
    const bool is_a = is_mounted(contact.owner_a), is_b = is_mounted(contact.owner_b);
    if (is_a == is_b) continue;
    const Vec3 impulse_W = contact.normal_W * contact.impulse + contact.friction_W;
    force_W += impulse_W / dt * (is_a ? 1.0 : -1.0);
  }
  for (const physics::JointId joint : mounted.joints) {
    // One to the static environment has the part itself as its child.
    const JointInfo& info = model_.joints[static_cast<std::size_t>(joint)];
    const bool is_child = device.body != physics::kWorldBody && info.parent != device.body;
    force_W += world.joint_force(joint) * (is_child ? 1.0 : -1.0);
  }
  return X_WS.R.conjugate() * force_W;
}

void SampleInputs::find_appearance(double time) {
  if (time == appearance_time_) return;
  // Not by what is in it: a world may have lights and nothing to see.
  if (appearance_time_ < 0) start_appearance(model_, tree_, appearance_, object_solids_);
  appearance_time_ = time;
  if (emissions_ != model_.emissions) find_emissions();
  if (painted_ != model_.painted) find_paint();
  for (const VisualGroup& group : model_.visuals) {
    InstanceLook& look = appearance_.instances[group.instance];
    look.X_WI = group.X_WG;
    look.X_WI_before = group.X_WG_before;
  }
  place_objects(model_, object_solids_, appearance_.objects);
  for (std::size_t i = 0; i < model_.lights.size(); ++i) {
    const Light& light = model_.lights[i];
    const Pose X_WB =
        light.body == physics::kWorldBody ? Pose() : model_.physics->pose(light.body);
    appearance_.lights[i].p_W = X_WB * light.location_B;
    const double length = light.direction_B.norm();
    appearance_.lights[i].direction_W =
        X_WB.R * (length > 0 ? Vec3(light.direction_B / length) : Vec3(-Vec3::UnitZ()));
  }
}

/// With each image: what is sampled in between may light another place.
void SampleInputs::find_spots() {
  appearance_.spots.clear();
  for (const RobotInfo& robot : model_.robots) {
    for (const Device& device : robot.devices) {
      if (!device.model || !works(model_, device)) continue;
      if (const auto spot = device.model->spot()) appearance_.spots.push_back(*spot);
    }
  }
}

void SampleInputs::find_emissions() {
  emissions_ = model_.emissions;
  for (const LightEmitter& emitter : model_.emitters) {
    for (const LightEmitter::Shape& shape : emitter.shapes) {
      const VisualGroup& group = model_.visuals[static_cast<std::size_t>(shape.group)];
      appearance_.instances[group.instance].shapes[shape.index].material =
          group.materials[shape.index];
    }
    for (const std::size_t light : emitter.lights) {
      appearance_.lights[light].color = model_.lights[light].color;
    }
  }
}

void SampleInputs::find_paint() {
  painted_ = model_.painted;
  for (const VisualGroup& group : model_.visuals) {
    for (std::size_t i = 0; i < group.paints.size(); ++i) {
      appearance_.instances[group.instance].shapes[i].paint = group.paints[i];
    }
  }
}

void SampleInputs::find_radar_solids() {
  radar_solids_.emplace();
  for (std::size_t i = 0; i < model_.solids.size(); ++i) {
    const SolidInfo& solid = model_.solids[i];
    if (!(solid.radar_cross_section > 0)) continue;
    RadarSolid found{static_cast<int>(i), {}, {}, {}};
    // Numbers need not rise from a Solid to those in it: they are given again.
    const auto belongs = [&](int part) {
      while (part >= 0 && part != found.solid) {
        const SolidInfo& info = model_.solids[static_cast<std::size_t>(part)];
        part = info.removed ? -1 : info.parent;
      }
      return part >= 0;
    };
    for (int part = 0; part < static_cast<int>(model_.solids.size()); ++part) {
      if (belongs(part)) found.parts.push_back(part);
    }
    for (std::size_t k = 0; k < model_.collisions.size(); ++k) {
      const CollisionInfo& shape = model_.collisions[k];
      if (std::ranges::binary_search(found.parts, shape.solid))
        found.shapes.push_back({k, bounds(*shape.geometry)});
    }
    radar_solids_->push_back(std::move(found));
  }
}

void SampleInputs::find_radar_targets(const Device& device) {
  if (!radar_solids_) find_radar_solids();
  radar_targets_.clear();
  for (const RadarSolid& target : *radar_solids_) {
    const SolidInfo& solid = model_.solids[static_cast<std::size_t>(target.solid)];
    if (solid.robot >= 0 && solid.robot == device.robot) continue;
    RadarTarget out{solid.radar_cross_section,
                    solid.X_BS,
                    Vec3::Zero(),
                    Vec3::Zero(),
                    Vec3::Zero(),
                    target.parts};
    if (solid.body != physics::kWorldBody) {
      const Pose X_WB = model_.physics->pose(solid.body);
      out.X_WT = X_WB * solid.X_BS;
      out.v_WT = model_.physics->velocity(solid.body) +
                 model_.physics->angular_velocity(solid.body).cross(X_WB.R * solid.X_BS.p);
    } else if (target.p_WS_before) {
      out.v_WT = (out.X_WT.p - *target.p_WS_before) / model_.basic_time_step;
    }
    Bounds all;
    for (const RadarSolid::Shape& part : target.shapes) {
      const CollisionInfo& shape = model_.collisions[part.collision];
      extend(all, part.box_S, place_in(model_, solid, out.X_WT, shape));
    }
    if (!all.empty() && all.min.allFinite() && all.max.allFinite()) {
      out.min_T = all.min;
      out.max_T = all.max;
    }
    radar_targets_.push_back(out);
  }
}

void SampleInputs::find_models() {
  models_.clear();
  for (const SolidInfo& solid : model_.solids) {
    if (solid.parent < 0 && !solid.removed) models_.push_back({solid.name, pose_of(model_, solid)});
  }
}

/// Shapes of its robot that are fixed to it, or turn as its head.
const SampleInputs::FixedShapes& SampleInputs::fixed_shapes_of(const Device& device) {
  const auto [it, added] = fixed_shapes_.try_emplace(&device);
  if (!added) return it->second;
  std::vector<FixedShape> found;
  const Pose X_SB = device.X_BD.inverse();
  for (const VisualGroup& group : model_.visuals) {
    if (group.body != device.body || group.wheel >= 0) continue;
    if (group.instance == VisualGroup::kNoInstance) continue;
    const bool turns = group.head && group.head == device.model.get() && group.turning < 0 && !group.belt;
    if (group.head && !turns) continue;
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      const int solid = group.solids[i];
      if (solid < 0 || model_.solids[static_cast<std::size_t>(solid)].robot != device.robot) continue;
      found.push_back({group.geometries[i], X_SB * group.X_BG * group.shape_poses[i], turns});
    }
  }
  if (!found.empty()) {
    it->second = std::make_shared<const std::vector<FixedShape>>(std::move(found));
  }
  return it->second;
}

SampleInput SampleInputs::prepare(Device& device, double time) {
  SampleInput in;
  in.time = time;
  in.step = model_.basic_time_step;
  in.period = static_cast<double>(device.period) * model_.basic_time_step;
  in.frame = device.samples;
  in.noise = {model_.seed, device.key, 0, device.samples};
  in.X_WS = pose_of(model_, device);
  in.X_WS_before = device.X_WD_before;
  in.gravity_W = model_.gravity;
  in.up_W = model_.up;
  in.robot = device.robot;
  const Inputs& wanted = device.inputs;
  if (wanted.has(Input::kMotion) && device.body == physics::kWorldBody) {
    // It may glide with a Solid that has no Physics, but a velocity: that is how a GPS and a radar
    // move, while a gyro and an accelerometer feel nothing, as in Webots.
    in.v_WS = (in.X_WS.p - in.X_WS_before->p) / in.step;
  } else if (wanted.has(Input::kMotion)) {
    in.w_WS = model_.physics->angular_velocity(device.body);
    in.v_WS = velocity_of(device, device.X_BD.p);
    in.a_WS = (in.v_WS - device.v_WD_before) / in.step;
  }
  if (wanted.has(Input::kVisibleRays)) in.visible = model_.visible.get();
  if (wanted.has(Input::kSurfaces)) {
    in.surfaces = model_.surfaces.get();
    in.atmosphere = &model_.atmosphere;
    in.sun = model_.sun ? &*model_.sun : nullptr;
  }
  if (device.labelled && model_.labels) in.labels = &model_.labels->table();
  if (wanted.has(Input::kAppearance)) {
    find_appearance(time);
    find_spots();
    in.appearance = &appearance_;
  }
  if (wanted.has(Input::kHousing) && device.sees_own_robot) in.fixed_shapes = fixed_shapes_of(device);
  if (wanted.has(Input::kSolidRays)) {
    // As Webots (WbSimulationCluster::odeNearCallback): what does not collide with the parts of its
    // robot does not feel them either; what does feels its own body, too.
    physics::BodyId ignored = physics::kWorldBody;
    std::function<bool(int)> passes;
    if (!model_.robots[static_cast<std::size_t>(device.robot)].self_collision) {
      ignored = device.body;
      passes = [&solids = model_.solids, robot = device.robot](int owner) {
        return owner >= 0 && solids[static_cast<std::size_t>(owner)].robot == robot;
      };
    }
    in.solid_ray = [&world = *model_.physics, ignored, passes = std::move(passes)](
                       const Vec3& from, const Vec3& direction,
                       double max) -> std::optional<SolidHit> {
      const auto hit = world.cast_ray(from, direction, max, ignored, passes);
      if (!hit) return std::nullopt;
      return SolidHit{hit->distance, hit->normal_W, hit->owner};
    };
  }
  if (wanted.has(Input::kContacts)) {
    find_contacts(device, in.X_WS);
    in.contacts = contacts_;
  }
  if (wanted.has(Input::kMountForce)) in.mount_force_S = mount_force(device, in.X_WS);
  if (wanted.has(Input::kCarrierWrench)) in.carrier_wrench = carrier_meter(device).measure(in.X_WS);
  if (wanted.has(Input::kRadarTargets)) {
    find_radar_targets(device);
    in.radar_targets = radar_targets_;
  }
  if (wanted.has(Input::kModels)) {
    find_models();
    in.models = models_;
  }
  if (wanted.has(Input::kGeodetic)) {
    if (!to_geodetic_) to_geodetic_ = geodetic_in(model_);
    in.to_geodetic = to_geodetic_;
  }
  if (wanted.has(Input::kOutage)) in.gnss_outage = model_.regions.gnss_outage_at(in.X_WS.p);
  return in;
}

}  // namespace protobeam
