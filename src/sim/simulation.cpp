#include "sim/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <utility>

#include "output/publish_settings.h"
#include "sim/ink_marks.h"
#include "sim/light_emitters.h"
#include "sim/line_of_sight.h"
#include "sim/paths.h"
#include "sim/simulation_hasher.h"
#include "sim/supervisor/supervisor.h"
#include "vehicle/schemas.h"

namespace protobeam {
namespace fs = std::filesystem;

void fill_schemas(SchemaRegistry& schemas, PluginLoader& plugins) {
  wbt::add_core_schemas(schemas);
  for (const NodeSchema& schema : vehicle_schemas()) schemas.add(schema);
  add_output_schemas(schemas);
  schemas.set_resolver(
      [&plugins](std::string_view name) -> const NodeSchema* {
        const Plugin* plugin = plugins.find(name);
        return plugin ? &plugin->schema : nullptr;
      },
      [&plugins] { return plugins.names(); });
}

wbt::LoadOptions project_load_options(const fs::path& file, SchemaRegistry& schemas,
                                      PluginLoader& plugins) {
  plugins.add_project(wbt::project_folder(file));
  wbt::LoadOptions load;
  load.schemas = &schemas;
  load.where_types = [&plugins] { return plugins.where(); };
  return load;
}

std::vector<fs::path> proto_folders(const std::vector<fs::path>& first) {
  std::vector<fs::path> folders = first;
  folders.push_back(installed_paths().catalogue);
  if (!installed_paths().cache.empty()) folders.push_back(installed_paths().cache);
  folders.push_back(installed_paths().catalogue / "webots");  // stand-ins: after all else
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
  wbt::LoadOptions load = project_load_options(file, s.schemas_, s.plugins_);
  load.proto_path = proto_folders(options.proto_path);
  load.lenient = options.lenient;
  auto since = std::chrono::steady_clock::now();
  const auto lap = [&since] {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(since, now)).count();
  };
  s.world_ = options.read(file, load, diagnostics);
  s.plugins_.check();  // before messages about nodes that only a broken plugin knows
  if (diagnostics.has_errors()) return nullptr;
  s.load_times_.read = lap();
  s.model_ = build_world(s.world_, s.schemas_, s.plugins_, options.build, s.shapes_, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  s.load_times_.build = lap();
  s.missing_ = diagnostics.missing_files();
  s.tree_ = std::make_unique<LiveTree>(s.world_, s.schemas_);
  s.supervisor_ = std::make_unique<Supervisor>(s);
  s.begin();
  s.make_drivers();
  for (RobotInfo& robot : s.model_.robots) {
    for (Device& device : robot.devices) {
      if (device.sampling_period > 0) s.enable(device, device.sampling_period);
    }
  }
  s.load_times_.begin = lap();
  return simulation;
}

void Simulation::reset_now(std::optional<std::uint64_t> seed) {
  if (seed) options_.build.seed = seed;
  reset_ = false;
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices)
      device.frames = device.samples = device.points = 0;  // noise counts them
  }
  reset();
  hasher_->restart();
  frozen_.clear();
  events_.clear();
}

/// Of a model that was just built.
void Simulation::begin() {
  after_change();
  loaded_generation_ = generation_;
  body_poses_.clear();
  for (physics::BodyId body = 0; body < model_.physics->body_count(); ++body) {
    body_poses_.push_back(model_.physics->pose(body));
  }
  supervisor_->begin_resting_motion();
  apply_emissions(model_);
  for (VisualGroup& group : model_.visuals) {
    group.X_WG = pose_of(group);
    if (!is_seen(group)) model_.visible->set_visible(group.instance, false);
  }
  for (VehicleHost* vehicle : model_.vehicles) attach(*vehicle);
}

void Simulation::attach(VehicleHost& vehicle) {
  const RobotInfo& robot = model_.robots[static_cast<std::size_t>(vehicle.robot())];
  const physics::BodyId body = robot.devices[static_cast<std::size_t>(vehicle.device())].body;
  vehicle.attach(*model_.physics, body, model_.gravity, model_.regions);
}

bool Simulation::step() {
  if (!hear_controllers()) return false;
  deliver_signals();
  for (Device* device : all_devices_) {
    if (works(model_, *device)) inputs_->before_step(*device);
  }
  draw_with_pens();
  supervisor_->move_resting_solids(model_.basic_time_step);
  model_.animations.prepare_step(*model_.physics, time(), model_.basic_time_step);
  imposed_motions_.prepare_step(*model_.physics, time(), model_.basic_time_step);
  roll(*model_.physics, model_.rolling, model_.up, model_.basic_time_step);
  for (Device* device : acting_) device->model->before_step(time());
  step_physics();
  ++step_;
  imposed_motions_.finish_step(*model_.physics, time());
  report_contacts();
  hash_state();
  for (Device* device : acting_) {
    const NoiseKey noise{model_.seed, device->key, 0, static_cast<std::uint64_t>(step_)};
    device->model->after_step(time(), model_.basic_time_step, noise);
  }
  apply_emissions(model_);
  pass_energy(model_, model_.basic_time_step);
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    // What had no charge from the start goes on, as in Webots: only what loses it stops.
    Battery& battery = model_.robots[i].battery;
    const bool drained = std::exchange(battery.drained, false);
    const bool off = battery.empty() && (drained || battery.has_run_down);
    if (off != battery.has_run_down) drivers_[i]->set_power(!off);
  }
  update_visuals();
  sample_devices();
  take_events();
  for (auto& driver : drivers_) {
    if (!driver) continue;
    driver->sample_keys(step_, keys_);
    driver->sample_battery(step_);
    driver->after_step(step_, time());
  }
  return true;
}

/// What was sent arrives in the same step, in the order of the senders, and not in their own robot
/// (WbReceiver: "robot cannot send message to self").
void Simulation::deliver_signals() {
  for (Device* sender : senders_) {
    for (Signal& signal : sender->model->take_signals()) {
      signal.X_WS = pose_of(*sender);
      for (Device* receiver : receivers_) {
        if (receiver->robot == sender->robot) continue;
        // Nobody would ever take what arrives for a robot without a running program.
        const auto& driver = drivers_[static_cast<std::size_t>(receiver->robot)];
        const bool taken = driver && driver->running();
        if (!works(model_, *receiver) || !taken) continue;
        // Light does not pass what can be touched (WbReceiver).
        if (signal.medium == "infra-red" && sight_blocked(model_, *sender, *receiver)) continue;
        receiver->model->receive(signal, pose_of(*receiver));
      }
    }
  }
}

/// As in Webots (WbPen::prePhysicsStep): by where pens are before bodies move.
void Simulation::draw_with_pens() {
  evaporate_ink(model_);
  for (Device* device : drawing_) {
    if (device->robot >= 0 &&
        model_.robots[static_cast<std::size_t>(device->robot)].battery.has_run_down)
      continue;
    if (const auto mark = device->model->draw(inputs_->prepare(*device, time())))
      add_mark(model_, *mark);
  }
}

void Simulation::step_physics() {
  const bool fluids = model_.fluids.acts();
  if (acting_.empty() && model_.free_axes.empty() && !fluids) return model_.physics->step();
  const double start = time();
  for (const auto& axis : model_.free_axes) axis->decide(model_.basic_time_step);
  model_.physics->step([&](double since, double dt) {
    for (const auto& axis : model_.free_axes) axis->advance(dt);
    if (fluids) model_.fluids.push(*model_.physics, model_.gravity, dt);
    for (Device* device : acting_) device->model->before_substep(start + since, dt);
  });
}

void Simulation::report_contacts() {
  const auto report = [&](physics::BodyId body, int own, physics::BodyId other, int solid) {
    if (body < 0) return;
    for (Device* device : contact_devices_[static_cast<std::size_t>(body)]) {
      device->model->body_contact({other, solid, own == device->solid});
    }
  };
  for (const physics::Contact& contact : model_.physics->contacts()) {
    report(contact.body_a, contact.owner_a, contact.body_b, contact.owner_b);
    report(contact.body_b, contact.owner_b, contact.body_a, contact.owner_a);
  }
  for (const auto& [device, body] : unyielding_) {
    for (const auto& [other, solid] : model_.physics->unyielding_touches(body, device->solid)) {
      device->model->body_contact({other, solid, true});
    }
  }
}

/// On the way, bodies whose state is not finite are frozen: it would spread to all that they touch.
void Simulation::hash_state() {
  auto& physics = *model_.physics;
  for (physics::BodyId body = 0; body < physics.body_count(); ++body) {
    if (!physics.exists(body)) continue;
    Pose& last = body_poses_[static_cast<std::size_t>(body)];
    const bool slept = physics.slept(body);
    double state[13];
    const auto read = [&] {
      Pose X = slept ? last : physics.pose(body);
      const Vec3 v = slept ? Vec3(Vec3::Zero()) : physics.velocity(body);
      const Vec3 w = slept ? Vec3(Vec3::Zero()) : physics.angular_velocity(body);
      const double now[] = {X.R.x(), X.R.y(), X.R.z(), X.R.w(), X.p.x(), X.p.y(), X.p.z(),
                            v.x(),   v.y(),   v.z(),   w.x(),   w.y(),   w.z()};
      std::ranges::copy(now, state);
      return X;
    };
    Pose X = read();
    double sum = 0;  // 0, or NaN
    for (const double number : state) sum += 0 * number;
    if (sum != 0) {
      physics.freeze(body, last);
      frozen_.push_back(physics.body_name(body));
      X = read();
    }
    last = X;
    hasher_->add(state, sizeof state);
  }
  device_state_.clear();
  for (Device* device : acting_) device->model->append_state(device_state_);
  for (const RobotInfo& robot : model_.robots) {
    if (robot.battery.there) device_state_.push_back(robot.battery.energy);
  }
  hasher_->add(device_state_.data(), device_state_.size() * sizeof(double));
}

void Simulation::update_visuals() {
  for (VisualGroup& group : model_.visuals) {
    if (group.body == physics::kWorldBody && !group.head) continue;
    const bool rides = group.body != physics::kWorldBody && !group.head && group.vehicle < 0;
    const bool still = group.X_WG_before.p == group.X_WG.p &&
                       group.X_WG_before.R.coeffs() == group.X_WG.R.coeffs();
    if (rides && still && model_.physics->slept(group.body)) continue;
    const Pose now = pose_of(group);
    Pose before = std::exchange(group.X_WG, now);
    if (jumped(group.body)) before = now;
    group.X_WG_before = before;
    model_.visible->set_motion(group.instance, before, now);
    if (group.turning >= 0) model_.visible->set_visible(group.instance, is_seen(group));
  }
}

bool Simulation::is_seen(const VisualGroup& group) const {
  return group.turning < 0 || group.head->seen_turning() == static_cast<std::size_t>(group.turning);
}

bool Simulation::jumped(physics::BodyId body) const {
  return model_.animations.jumped(body) || imposed_motions_.jumped(body);
}

Pose Simulation::pose_of(const VisualGroup& group) const {
  Pose X_WG = group.body == physics::kWorldBody ? group.X_BG
                                                : model_.physics->pose(group.body) * group.X_BG;
  if (group.vehicle >= 0) {
    const auto& vehicle = *model_.vehicles[static_cast<std::size_t>(group.vehicle)];
    return X_WG * vehicle.seen_pose_V(static_cast<std::size_t>(group.wheel), group.only_steers);
  }
  if (!group.head) return X_WG;
  if (group.belt) {
    // The path is that of the Track without its scale.
    Pose X_TG = group.belt->pose_T(group.head->head_angle() + group.belt_offset);
    X_TG.p = group.scale.cwiseProduct(X_TG.p);
    return X_WG * X_TG;
  }
  const double angle = group.head_rate * group.head->head_angle();
  return X_WG * Pose::rotation(axis_angle(Vec3::UnitZ(), angle));
}

void Simulation::set_keys(std::vector<int> keys) { keys_ = std::move(keys); }

Pose Simulation::pose_of(const Device& device) const { return protobeam::pose_of(model_, device); }

void Simulation::sample_devices() {
  divide_visuals();
  update_surfaces();
  due_.clear();
  for (Device* device : all_devices_) {
    if (device->period == 0) continue;
    const bool every_step = device->model->every_step();
    if (!every_step && device->next_sample > step_) continue;
    if (!every_step) device->next_sample += device->period;
    if (!works(model_, *device)) continue;
    due_.push_back(device);
  }
  hasher_->expect_samples(due_.size());
  std::vector<std::size_t> at_once, last;
  for (std::size_t i = 0; i < due_.size(); ++i) {
    Device& device = *due_[i];
    // What is hidden from a device is hidden from all; contacts and targets are those of one device.
    const bool alone = !device.sees_own_robot || !device.unseen.empty() ||
                       device.inputs.has(Input::kContacts) ||
                       device.inputs.has(Input::kRadarTargets);
    if (device.inputs.has(Input::kOtherSamples)) {
      last.push_back(i);
    } else if (device.model->type().concurrent && !alone) {
      at_once.push_back(i);
    } else {
      sample(i, inputs_->prepare(device, time()));
    }
  }
  if (!at_once.empty()) sample_at_once(at_once);
  for (const std::size_t i : last) sample(i, inputs_->prepare(*due_[i], time()));
}

void Simulation::sample_at_once(const std::vector<std::size_t>& numbers) {
  std::vector<SampleInput> inputs;
  std::vector<Vec3> places;
  for (const std::size_t number : numbers) {
    inputs.push_back(inputs_->prepare(*due_[number], time()));
    places.push_back(inputs.back().X_WS.p);
  }
  std::vector<std::exception_ptr> failures(numbers.size());
  model_.visible->together(places, [&](std::size_t i) {
    try {
      sample(numbers[i], inputs[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void Simulation::sample(std::size_t number, const SampleInput& in) {
  Device& device = *due_[number];
  Sample out(device.data, device.model->layout());
  const auto begin = std::chrono::steady_clock::now();
  if (!device.sees_own_robot) show_robot(device.robot, false);
  show_unseen(device, false);
  device.model->sample(in, out);
  show_unseen(device, true);
  if (!device.sees_own_robot) show_robot(device.robot, true);
  device.wall_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ++device.samples;
  if (device.model->frame_complete()) {
    ++device.frames;
    device.points += device.model->points();
  }
  const bool changed = device.model->sample_changed();
  hasher_->add_sample(number, changed ? device.data : std::span<std::byte>());
}

void Simulation::show_robot(int robot, bool visible) {
  for (const VisualGroup& group : model_.visuals) {
    const int solid = group.solids.empty() ? -1 : group.solids.front();
    if (solid < 0 || model_.solids[static_cast<std::size_t>(solid)].robot != robot) continue;
    model_.visible->set_visible(group.instance, visible && is_seen(group));
  }
}

void Simulation::take_events() {
  events_.clear();
  for (Device* device : noting_) {
    for (std::string& what : device->model->take_events()) {
      events_.push_back({device, std::move(what)});
    }
  }
}

void Simulation::enable(Device& device, double period_s) {
  const auto& devices = model_.robots[static_cast<std::size_t>(device.robot)].devices;
  const auto tag = static_cast<std::uint16_t>(&device - devices.data() + 1);
  drivers_[static_cast<std::size_t>(device.robot)]->apply_command(
      {tag, device_op::kEnable, {period_s * 1000}, {}}, step_);
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

VehicleHost* Simulation::find_vehicle(std::string_view robot) const {
  VehicleHost* on_part = nullptr;
  for (VehicleHost* vehicle : model_.vehicles) {
    if (vehicle->name() != robot) continue;
    const int solid = model_.robots[static_cast<std::size_t>(vehicle->robot())].solid;
    if (solid >= 0 && model_.solids[static_cast<std::size_t>(solid)].body == vehicle->body())
      return vehicle;
    if (!on_part) on_part = vehicle;
  }
  return on_part;
}

std::vector<std::string> Simulation::device_paths() const {
  std::vector<std::string> paths;
  for (const RobotInfo& robot : model_.robots) {
    for (const Device& device : robot.devices) paths.push_back(robot.name + "/" + device.name);
  }
  return paths;
}

std::uint64_t Simulation::state_hash() const { return XXH3_64bits_digest(hasher_->state); }

std::vector<std::string> Simulation::broken_bodies() const {
  std::vector<std::string> names = frozen_;
  for (const Device* device : acting_) {
    if (device->model->broken().empty()) continue;
    names.push_back(device->robot < 0
                        ? device->name
                        : model_.robots[static_cast<std::size_t>(device->robot)].name);
  }
  return names;
}

}  // namespace protobeam
