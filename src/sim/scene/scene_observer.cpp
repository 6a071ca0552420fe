#include "sim/scene/scene_observer.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/libm.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {
namespace {

double number(const Properties& properties, const char* name) {
  const auto found = properties.find(name);
  const double* value = found == properties.end() ? nullptr : std::get_if<double>(&found->second);
  return value ? *value : 0;
}

const BeamSensor* lidar_of(const Device& device) {
  return dynamic_cast<const BeamSensor*>(device.model.get());
}

Pose in_world(const physics::World& world, physics::BodyId body, const Pose& X_BF) {
  return body == physics::kWorldBody ? X_BF : world.pose(body) * X_BF;
}

/// A sweep that is in use nowhere else. Large vectors that are new for each sweep would cost more
/// than what is written into them.
std::shared_ptr<Sweep> spare(std::vector<std::shared_ptr<Sweep>>& pool) {
  constexpr std::size_t kMostKept = 4;
  for (const auto& sweep : pool) {
    if (sweep.use_count() != 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);  // after its last reader's release
    return sweep;
  }
  auto sweep = std::make_shared<Sweep>();
  if (pool.size() < kMostKept) pool.push_back(sweep);
  return sweep;
}

Bounds visible_bounds(const WorldModel& model) {
  Bounds all;
  for (const VisualGroup& group : model.visuals) {
    const Pose X_WG = in_world(*model.physics, group.body, group.X_BG);
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      const Bounds box = bounds(*group.geometries[i]);
      if (box.empty()) continue;
      const Pose X_WS = X_WG * group.shape_poses[i];
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p = X_WS * Vec3(corner & 1 ? box.max.x() : box.min.x(),
                                   corner & 2 ? box.max.y() : box.min.y(),
                                   corner & 4 ? box.max.z() : box.min.z());
        all.min = all.min.cwiseMin(p);
        all.max = all.max.cwiseMax(p);
      }
    }
  }
  return all;
}

/// The channel of a sample that is a picture; null: there is none.
const ChannelLayout* image_of(const Device& device) {
  for (const ChannelLayout& channel : device.model->layout().channels) {
    const auto& shape = channel.shape;
    if (channel.type == ElementType::kUint8 && shape.size() == 3 &&
        (shape[2] == 1 || shape[2] == 4))
      return &channel;
  }
  return nullptr;
}

void add_devices(const WorldModel& model, SceneDescription& description) {
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) {
      if (device.solid < 0) continue;  // motors and their like have no pose
      SceneDescription::Device out{robot.name, device.name, device.type, device.proto,
                                   device.solid};
      if (const BeamSensor* lidar = lidar_of(device)) {
        out.layers = lidar->layers();
        out.columns = lidar->columns();
        out.min_range = number(device.model->facts(), "minRange");
        out.max_range = lidar->max_range();
        out.fov = number(device.model->facts(), "fieldOfView");
        out.vertical_fov = number(device.model->facts(), "verticalFieldOfView");
      } else if (const double fov = number(device.model->facts(), "fov"); fov > 0) {
        // Something that takes images.
        const Properties& facts = device.model->facts();
        out.min_range = std::max(number(facts, "near"), number(facts, "minRange"));
        out.max_range = std::max(number(facts, "far"), number(facts, "maxRange"));
        out.fov = fov;
        const double ratio = number(facts, "height") / std::max(1.0, number(facts, "width"));
        out.vertical_fov = fov < kPi ? 2 * libm::atan(libm::tan(fov / 2) * ratio) : fov * ratio;
      }
      out.has_picture = image_of(device) != nullptr;
      description.devices.push_back(std::move(out));
    }
  }
}

}  // namespace

std::shared_ptr<const SceneDescription> describe_scene(const Simulation& simulation, int load) {
  const WorldModel& model = simulation.model();
  auto description = std::make_shared<SceneDescription>();
  description->load = load;
  description->file = simulation.world().file;
  description->title = model.title;
  for (const VisualGroup& group : model.visuals) {
    SceneDescription::Group out;
    out.moves = group.body != physics::kWorldBody || group.head;
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      out.shapes.push_back(
          {group.geometries[i], group.materials[i], group.shape_poses[i], group.solids[i]});
    }
    description->groups.push_back(std::move(out));
  }
  for (const CollisionInfo& c : model.collisions) {
    description->collisions.push_back({c.geometry, c.X_BS, c.body, c.solid});
  }
  for (const SolidInfo& solid : model.solids) {
    const double mass = solid.body == physics::kWorldBody ? 0 : model.physics->mass(solid.body);
    description->solids.push_back({solid.name, solid.type, solid.proto, solid.written_at,
                                   solid.parent, solid.robot, solid.body, mass});
  }
  for (const JointInfo& joint : model.joints) {
    description->joints.push_back(
        {joint.name, joint.kind, joint.parent, joint.anchor_P, joint.axes_P});
  }
  description->lines = model.lines;
  add_devices(model, *description);
  for (const RobotInfo& robot : model.robots) {
    description->robots.push_back(robot.name);
    description->robot_solids.push_back(robot.solid);
    if (const auto page = simulation.window_of(robot); !page.empty())
      description->windows.push_back({robot.name, page});
  }
  description->lights = model.lights;
  for (const LightEmitter& emitter : model.emitters) {
    SceneDescription::Emitter out;
    for (const LightEmitter::Shape& shape : emitter.shapes) {
      const auto group = static_cast<std::size_t>(shape.group);
      out.shapes.push_back({group, shape.index});
      description->groups[group].shapes[shape.index].emits = true;
    }
    out.lights = emitter.lights;
    description->emitters.push_back(std::move(out));
  }
  description->background = model.background;
  description->fog = model.fog;
  description->up = model.up;
  description->viewpoint = model.viewpoint;
  description->bounds = visible_bounds(model);
  return description;
}

SceneObserver::SceneObserver(const Simulation& simulation, const SceneDescription& description)
    : load_(description.load) {
  int index = 0;
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (device.solid < 0) continue;
      if (lidar_of(device)) lidars_.push_back({&device, index, 0, nullptr, {}});
      if (image_of(device)) imagers_.push_back({&device, index, 0, nullptr});
      ++index;
    }
  }
}

void SceneObserver::record_sweeps(const Simulation& simulation) {
  for (Lidar& lidar : lidars_) {
    const Device& device = *lidar.device;
    if (device.frames == lidar.frames_seen) continue;
    lidar.frames_seen = device.frames;
    auto sweep = spare(lidar.pool);
    sweep->device = lidar.index;
    sweep->number = device.frames;
    sweep->time = simulation.time();
    sweep->X_WS = simulation.pose_of(device);
    lidar_of(device)->write_beams(device.data, sweep->returns);
    std::erase_if(sweep->returns,
                  [](const BeamReturn& beam) { return !std::isfinite(beam.range); });
    lidar.newest = std::move(sweep);
  }
}

void SceneObserver::record_pictures() {
  for (Imager& imager : imagers_) {
    const Device& device = *imager.device;
    const ChannelLayout* image = image_of(device);
    if (device.samples == imager.samples_seen || !image) continue;
    imager.samples_seen = device.samples;
    auto picture = std::make_shared<DevicePicture>();
    picture->device = imager.index;
    picture->number = device.samples;
    picture->height = static_cast<int>(image->shape[0]);
    picture->width = static_cast<int>(image->shape[1]);
    picture->channels = static_cast<int>(image->shape[2]);
    const auto bytes = device.data.subspan(image->offset, image->bytes());
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    picture->pixels.assign(first, first + bytes.size());
    imager.newest = std::move(picture);
  }
}

std::shared_ptr<const SceneState> SceneObserver::state(const Simulation& simulation) const {
  const WorldModel& model = simulation.model();
  const physics::World& world = *model.physics;
  auto state = std::make_shared<SceneState>();
  state->load = load_;
  state->time = simulation.time();
  state->step = simulation.step_number();
  for (const VisualGroup& group : model.visuals) {
    state->groups.push_back(simulation.pose_of(group));
    state->hidden.push_back(!simulation.is_seen(group));
  }
  for (physics::BodyId body = 0; body < world.body_count(); ++body) {
    state->bodies.push_back(world.pose(body));
  }
  for (const SolidInfo& solid : model.solids) {
    SolidState solid_state;
    solid_state.X_WS = in_world(world, solid.body, solid.X_BS);
    if (solid.body != physics::kWorldBody) {
      const Vec3 arm = solid_state.X_WS.p - world.pose(solid.body).p;
      solid_state.w_WS = world.angular_velocity(solid.body);
      solid_state.v_WS = world.velocity(solid.body) + solid_state.w_WS.cross(arm);
    }
    state->solids.push_back(solid_state);
  }
  state->contacts = world.contacts();
  for (const Lidar& lidar : lidars_) {
    if (lidar.newest) state->sweeps.push_back(lidar.newest);
  }
  for (const Imager& imager : imagers_) {
    if (imager.newest) state->pictures.push_back(imager.newest);
  }
  for (const LightEmitter& emitter : model.emitters) state->emissions.push_back(emitter.color);
  if (model.painted > 0) state->paint = painted_sides_.of(model);
  state->controllers = simulation.controllers();
  for (const auto& [id, label] : simulation.supervisor().labels()) state->labels.push_back(label);
  return state;
}

}  // namespace protobeam
