#include "sim/simulation.h"

#include <xxhash.h>

#include <GeographicLib/LocalCartesian.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "sim/paths.h"
#include "vehicle/schemas.h"

namespace protobeam {
namespace fs = std::filesystem;

struct Simulation::Hasher {
  XXH3_state_t* state = XXH3_createState();
  Hasher() { XXH3_64bits_reset(state); }
  ~Hasher() { XXH3_freeState(state); }
  void add(const void* data, std::size_t size) { XXH3_64bits_update(state, data, size); }
};

void fill_schemas(SchemaRegistry& schemas, PluginLoader& plugins) {
  wbt::add_core_schemas(schemas);
  for (const NodeSchema& schema : vehicle_schemas()) schemas.add(schema);
  schemas.set_resolver(
      [&plugins](std::string_view name) -> const NodeSchema* {
        const Plugin* plugin = plugins.find(name);
        return plugin ? &plugin->schema : nullptr;
      },
      [&plugins] { return plugins.names(); });
}

std::vector<fs::path> proto_folders(const std::vector<fs::path>& first) {
  std::vector<fs::path> folders = first;
  folders.push_back(installed_paths().catalogue);
  if (!installed_paths().cache.empty()) folders.push_back(installed_paths().cache);
  return folders;
}

Simulation::Simulation() : hasher_(std::make_unique<Hasher>()) {}
Simulation::~Simulation() = default;

std::unique_ptr<Simulation> Simulation::load(const fs::path& file, const SimulationOptions& options,
                                             Diagnostics& diagnostics) {
  std::unique_ptr<Simulation> simulation(new Simulation());
  auto& s = *simulation;
  s.options_ = options;
  fill_schemas(s.schemas_, s.plugins_);
  wbt::LoadOptions load;
  load.schemas = &s.schemas_;
  load.proto_path = proto_folders(options.proto_path);
  load.lenient = options.lenient;
  s.world_ = options.read(file, load, diagnostics);
  s.plugins_.check();  // before messages about nodes that only a broken plugin knows
  if (diagnostics.has_errors()) return nullptr;
  s.model_ = build_world(s.world_, s.schemas_, s.plugins_, options.build, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  for (const VisualGroup& group : s.model_.visuals) s.visual_poses_.push_back(s.pose_of(group));
  for (const auto& vehicle : s.model_.vehicles) {
    const RobotInfo& robot = s.model_.robots[static_cast<std::size_t>(vehicle->robot())];
    const physics::BodyId body = robot.devices[static_cast<std::size_t>(vehicle->device())].body;
    vehicle->attach(*s.model_.physics, body, s.model_.gravity, s.model_.regions);
    s.vehicle_of_body_.resize(static_cast<std::size_t>(s.model_.physics->body_count()));
    s.vehicle_of_body_[static_cast<std::size_t>(body)] = vehicle.get();
  }
  s.radio_ = std::make_unique<RadioMedium>(s.model_);
  for (std::size_t i = 0; i < s.model_.robots.size(); ++i) {
    s.drivers_.push_back(std::make_unique<RobotDriver>(s.model_, static_cast<int>(i), *s.radio_));
  }
  for (RobotInfo& robot : s.model_.robots) {
    for (Device& device : robot.devices) {
      if (device.sampling_period > 0) s.enable(device, device.sampling_period);
    }
  }
  return simulation;
}

void Simulation::start_controllers(ControllerLine lines,
                                   const std::function<bool(const RobotInfo&)>& wanted) {
  link::RobotRecord facts;
  std::error_code ignored;
  // Without a slash at the end, whatever the user wrote: (p / "x").parent_path().
  facts.project_path =
      (fs::absolute(world_.project, ignored) / "x").lexically_normal().parent_path().string();
  facts.world_path = fs::absolute(world_.file, ignored).lexically_normal().string();
  for (std::size_t i = 0; i < model_.robots.size(); ++i) {
    const RobotInfo& robot = model_.robots[i];
    if (robot.controller.empty() || robot.controller == "<none>" ||
        robot.controller == "<generic>" || robot.controller == "<extern>" ||
        robot.controller == "void") {
      continue;
    }
    if (wanted && !wanted(robot)) continue;
    std::vector<fs::path> folders = {world_.project / "controllers"};
    // A PROTO's robot brings its controller along: protos/x/R.proto -> controllers/.
    for (fs::path up = robot.proto_file.parent_path(); !up.empty(); up = up.parent_path()) {
      if (up.filename() == "protos") folders.push_back(up.parent_path() / "controllers");
      if (up == up.parent_path()) break;
    }
    try {
      const auto launch = link::find_controller(robot.controller, robot.controller_arguments,
                                                folders, {installed_paths().controllers});
      drivers_[i]->start(launch, facts,
                         [lines, name = robot.name](bool is_stderr, std::string_view line) {
                           lines(name, is_stderr, line);
                         });
    } catch (const std::exception& problem) {
      drivers_[i]->fail_to_start(problem.what());
    }
  }
}

void Simulation::step() {
  for (auto& driver : drivers_) driver->before_step(step_, options_.controller_limit);
  radio_->deliver();
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices) {
      if (device.sensor && device.period != 0) device.X_WD_before = pose_of(device);
    }
  }
  model_.animations.prepare_step(*model_.physics, time(), model_.basic_time_step);
  step_physics();
  ++step_;
  for (const auto& vehicle : model_.vehicles) vehicle->after_step(time());
  for (const physics::Contact& contact : model_.physics->contacts()) {
    if (VehicleHost* a = vehicle_of(contact.body_a)) a->touched(contact.body_b, contact.owner_b);
    if (VehicleHost* b = vehicle_of(contact.body_b)) b->touched(contact.body_a, contact.owner_a);
  }
  for (physics::BodyId body = 0; body < model_.physics->body_count(); ++body) {
    const Pose X = model_.physics->pose(body);
    const Vec3 v = model_.physics->velocity(body), w = model_.physics->angular_velocity(body);
    double state[13] = {X.R.x(), X.R.y(), X.R.z(), X.R.w(), X.p.x(), X.p.y(), X.p.z(),
                        v.x(),   v.y(),   v.z(),   w.x(),   w.y(),   w.z()};
    hasher_->add(state, sizeof state);
  }
  for (const auto& vehicle : model_.vehicles) {
    for (const WheelState& wheel : vehicle->vehicle().wheels()) {
      const double state[2] = {wheel.spin, wheel.yaw};
      hasher_->add(state, sizeof state);
    }
  }
  update_feedback();
  update_visuals();
  sample_devices();
  for (auto& driver : drivers_) {
    driver->sample_keys(step_, keys_);
    driver->after_step(step_, time());
  }
}

void Simulation::update_feedback() {
  for (std::size_t i = 0; i < model_.vehicles.size(); ++i) {
    const VehicleHost& vehicle = *model_.vehicles[i];
    const Device& device = model_.robots[static_cast<std::size_t>(vehicle.robot())]
                               .devices[static_cast<std::size_t>(vehicle.device())];
    const NoiseKey noise{model_.seed, device.key, 0, static_cast<std::uint64_t>(step_)};
    model_.vehicle_feedback[i].step(vehicle, model_.basic_time_step, noise);
  }
}

void Simulation::step_physics() {
  if (model_.vehicles.empty()) return model_.physics->step();
  const double start = time();
  model_.physics->step([&](double since, double dt) {
    for (const auto& vehicle : model_.vehicles) vehicle->substep(start + since, dt);
  });
}

VehicleHost* Simulation::vehicle_of(physics::BodyId body) const {
  const auto index = static_cast<std::size_t>(body);
  return body >= 0 && index < vehicle_of_body_.size() ? vehicle_of_body_[index] : nullptr;
}

void Simulation::update_visuals() {
  for (std::size_t i = 0; i < model_.visuals.size(); ++i) {
    const VisualGroup& group = model_.visuals[i];
    if (group.body == physics::kWorldBody && group.head_of < 0) continue;
    const Pose now = pose_of(group);
    Pose before = std::exchange(visual_poses_[i], now);
    if (model_.animations.jumped(group.body)) before = now;
    model_.visible->set_motion(group.instance, before, visual_poses_[i]);
  }
}

Pose Simulation::pose_of(const VisualGroup& group) const {
  const Pose X_WG = group.body == physics::kWorldBody
                        ? group.X_BG
                        : model_.physics->pose(group.body) * group.X_BG;
  if (group.vehicle >= 0) {
    const auto& vehicle = *model_.vehicles[static_cast<std::size_t>(group.vehicle)];
    return X_WG * vehicle.seen_pose_V(static_cast<std::size_t>(group.wheel), group.only_steers);
  }
  if (group.head_of < 0) return X_WG;
  int index = group.head_of;
  for (const RobotInfo& robot : model_.robots) {
    const int count = static_cast<int>(robot.devices.size());
    if (index < count) {
      const double angle = robot.devices[static_cast<std::size_t>(index)].sensor->head_angle();
      return X_WG * Pose::rotation(axis_angle(Vec3::UnitZ(), angle));
    }
    index -= count;
  }
  return X_WG;
}

void Simulation::set_keys(std::vector<int> keys) { keys_ = std::move(keys); }

Pose Simulation::pose_of(const Device& device) const {
  return device.body == physics::kWorldBody ? device.X_BD
                                            : model_.physics->pose(device.body) * device.X_BD;
}

void Simulation::sample_devices() {
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices) {
      if (device.period == 0) continue;
      const bool every_step = device.sensor && device.sensor->every_step();
      if (!every_step && device.next_sample > step_) {
        if (device.sensor && device.body != physics::kWorldBody) {
          // An accelerometer differences the velocity over the last step, sampled or not.
          const Pose X = model_.physics->pose(device.body);
          device.last_velocity =
              model_.physics->velocity(device.body) +
              model_.physics->angular_velocity(device.body).cross(X.R * device.X_BD.p);
        }
        continue;
      }
      if (!every_step) device.next_sample += device.period;
      sample(device);
      const bool delivered = !device.sensor || device.sensor->sample_changed();
      if (delivered) hasher_->add(device.data.data(), device.data.size());
    }
  }
}

void Simulation::sample(Device& device) {
  const auto& world = *model_.physics;
  NoiseKey noise{model_.seed, device.key, 0, device.samples};
  if (const int vehicle = model_.vehicle_of(device); vehicle >= 0) {
    const auto i = static_cast<std::size_t>(vehicle);
    model_.vehicle_feedback[i].write(*model_.vehicles[i], device.data);
    ++device.samples;
    ++device.frames;
    return;
  }
  if (!device.sensor) {
    double value = 0;
    if (device.joint >= 0 && device.kind == DeviceKind::kPositionSensor) {
      value = world.joint_position(device.joint, device.axis);
      if (device.noise > 0) value += device.noise * double{gaussian(noise, 0)};
      if (device.resolution > 0)
        value = std::floor(value / device.resolution + 0.5) * device.resolution;
    } else if (device.joint >= 0) {
      value = world.motor_effort(device.joint, device.axis);
    }
    if (device.data.size() >= sizeof value) std::memcpy(device.data.data(), &value, sizeof value);
    ++device.samples;
    ++device.frames;
    return;
  }
  SensorInput in;
  in.time = time();
  in.step = model_.basic_time_step;
  in.period = static_cast<double>(device.period) * model_.basic_time_step;
  in.frame = device.samples;
  in.X_WS = pose_of(device);
  in.X_WS_before = device.X_WD_before;
  if (device.body != physics::kWorldBody) {
    const Pose X_WB = world.pose(device.body);
    in.w_WS = world.angular_velocity(device.body);
    in.v_WS = world.velocity(device.body) + in.w_WS.cross(X_WB.R * device.X_BD.p);
    in.a_WS = (in.v_WS - device.last_velocity) / in.step;
    device.last_velocity = in.v_WS;
  }
  in.gravity_W = model_.gravity;
  in.visible = model_.visible.get();
  in.surfaces = model_.surfaces.get();
  in.atmosphere = &model_.atmosphere;
  in.sun = model_.sun ? &*model_.sun : nullptr;
  in.solid_ray = [&](const Vec3& from, const Vec3& direction,
                     double max) -> std::optional<SolidHit> {
    const auto hit = world.cast_ray(from, direction, max, device.body);
    if (!hit) return std::nullopt;
    return SolidHit{hit->distance, hit->normal_W};
  };
  std::vector<TouchContact> touches;
  if (device.kind == DeviceKind::kTouchSensor) {
    const Pose X_SW = in.X_WS.inverse();
    for (const physics::Contact& contact : world.contacts()) {
      const bool is_a = contact.owner_a == device.solid, is_b = contact.owner_b == device.solid;
      if (!is_a && !is_b) continue;
      const Vec3 force_W = contact.normal_W * (contact.impulse / in.step) * (is_a ? 1.0 : -1.0);
      touches.push_back({X_SW * contact.point_W, X_SW.R * force_W});
    }
  }
  in.contacts = touches;
  if (model_.geodetic) {
    const Vec3& reference = model_.gps_reference;
    in.to_geodetic = [frame = GeographicLib::LocalCartesian(reference.x(), reference.y(),
                                                            reference.z()),
                      turn = axis_angle(Vec3::UnitZ(), model_.gps_rotation)](const Vec3& p_W) {
      const Vec3 p = turn * p_W;  // east, north, up
      Vec3 out;
      frame.Reverse(p.x(), p.y(), p.z(), out.x(), out.y(), out.z());
      return out;
    };
  }
  in.gnss_outage = model_.regions.gnss_outage_at(in.X_WS.p);
  in.noise = noise;
  const auto begin = std::chrono::steady_clock::now();
  if (!device.sees_own_robot) show_robot(device.robot, false);
  device.sensor->sample(in, device.data);
  if (!device.sees_own_robot) show_robot(device.robot, true);
  device.wall_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ++device.samples;
  if (device.sensor->frame_complete()) {
    ++device.frames;
    device.points += device.sensor->points();
  }
}

void Simulation::show_robot(int robot, bool visible) {
  for (const VisualGroup& group : model_.visuals) {
    const int solid = group.solids.empty() ? -1 : group.solids.front();
    if (solid < 0 || model_.solids[static_cast<std::size_t>(solid)].robot != robot) continue;
    model_.visible->set_visible(group.instance, visible);
  }
}

void Simulation::enable(Device& device, double period_s) {
  drivers_[static_cast<std::size_t>(device.robot)]->obey(
      {static_cast<std::uint16_t>(
           &device - model_.robots[static_cast<std::size_t>(device.robot)].devices.data() + 1),
       DeviceOp::kEnable,
       {period_s * 1000},
       {}},
      step_);
}

Device* Simulation::find_device(std::string_view path) {
  Device* found = nullptr;
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices) {
      if (robot.name + "/" + device.name == path) return &device;
      if (device.name == path) {
        if (found) return nullptr;  // two robots have one: the path must say which
        found = &device;
      }
    }
  }
  return found;
}

VehicleHost* Simulation::find_vehicle(std::string_view robot) {
  for (const auto& vehicle : model_.vehicles) {
    if (vehicle->name() == robot) return vehicle.get();
  }
  return nullptr;
}

std::vector<std::string> Simulation::device_paths() const {
  std::vector<std::string> paths;
  for (const RobotInfo& robot : model_.robots) {
    for (const Device& device : robot.devices) paths.push_back(robot.name + "/" + device.name);
  }
  return paths;
}

std::vector<ControllerReport> Simulation::controllers() const {
  std::vector<ControllerReport> reports;
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    const ControllerReport report = drivers_[i]->report();
    if (report.started || report.failed) reports.push_back(report);
  }
  return reports;
}

void Simulation::finish() {
  for (auto& driver : drivers_) driver->finish(time(), options_.controller_limit);
}

std::uint64_t Simulation::state_hash() const { return XXH3_64bits_digest(hasher_->state); }

std::string Simulation::broken_body() const {
  for (const auto& vehicle : model_.vehicles) {
    if (!vehicle->broken().empty()) return vehicle->name();
  }
  const physics::BodyId body = model_.physics->first_broken_body();
  return body == physics::kWorldBody ? std::string{} : model_.physics->body_name(body);
}

}  // namespace protobeam
