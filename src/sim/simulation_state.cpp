// The state of a whole run as bytes.
//
//   magic, version, fingerprint of the world, number of bytes, checksum of them, the bytes
//
// The fingerprint covers what the bytes have to fit: the expanded text of the world, names and
// types of robots and devices, sizes of samples, counts of bodies and joints, seed, time step, and
// the version of the program.
#include <fmt/format.h>

#include <array>

#include "sim/build_config.h"
#include "sim/device_ports.h"
#include "sim/ink_marks.h"
#include "sim/light_emitters.h"
#include "sim/simulation.h"
#include "sim/simulation_hasher.h"
#include "wbt/load.h"

namespace protobeam {
namespace {

struct Frame {
  std::array<char, 8> magic{'p', 'b', 's', 't', 'a', 't', 'e', '\n'};
  std::uint64_t version = 13;
  std::uint64_t structure = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

/// "" or that the device does not say what it keeps.
std::string why_no_state(const Device& device) {
  if (!device.model || dynamic_cast<KeepsState*>(device.model.get()) ||
      dynamic_cast<Stateless*>(device.model.get()))
    return "";
  return fmt::format("'{}': devices of the type {} do not say what they keep", device.name,
                     device.type);
}

/// Sums of few steps are numbers, too.
bool is_step(std::int64_t number) { return number >= 0 && number < (std::int64_t{1} << 53); }
constexpr double kMostSeconds = 1e9;  // thirty years, of which a double tells microseconds
constexpr const char* kWrongTime = "a step beyond all runs";

}  // namespace

std::string Simulation::why_no_state() const {
  if (tree_->is_changed() || generation_ != loaded_generation_)
    return "nodes of the world have been changed, added or removed since it was loaded";
  if (!frozen_.empty()) return fmt::format("'{}' was frozen", frozen_.front());
  if (const std::string why = model_.physics->why_no_state(); !why.empty()) return why;
  for (const RobotInfo& robot : model_.robots) {
    for (const Device& device : robot.devices) {
      if (const std::string why = protobeam::why_no_state(device); !why.empty()) return why;
    }
  }
  for (const Device& device : model_.loose_devices) {
    if (const std::string why = protobeam::why_no_state(device); !why.empty()) return why;
  }
  return "";
}

std::uint64_t Simulation::structure() {
  if (!text_hash_) {
    const std::string text = wbt::to_text(world_.nodes);
    text_hash_ = XXH3_64bits(text.data(), text.size());
  }
  Hasher hasher;
  const auto text = [&](const std::string& value) { hasher.add(value.c_str(), value.size() + 1); };
  const auto number = [&](auto value) { hasher.add(&value, sizeof value); };
  text(kVersion);
  number(*text_hash_);
  number(model_.seed);
  number(model_.basic_time_step);
  for (const double value : model_.gravity) number(value);
  number(model_.physics->body_count());
  for (physics::BodyId body = 0; body < model_.physics->body_count(); ++body) {
    if (!model_.physics->exists(body)) continue;
    text(model_.physics->body_name(body));
    number(model_.physics->mass(body));
  }
  number(model_.joints.size());
  number(model_.visuals.size());
  number(model_.free_axes.size());
  number(model_.chargers.size());
  const auto add = [&](const Device& device) {
    text(device.name);
    text(device.type);
    number(device.data.size());
    number(device.key);
  };
  for (const RobotInfo& robot : model_.robots) {
    text(robot.name);
    number(robot.devices.size());
    for (const Device& device : robot.devices) add(device);
  }
  for (const Device& device : model_.loose_devices) add(device);
  return XXH3_64bits_digest(hasher.state);
}

void Simulation::visit_device(StateArchive& archive, Device& device) {
  archive(device.period, device.next_sample, device.frames, device.samples, device.points,
          device.X_WD_before, device.v_WD_before, device.X_BD);
  archive.expect(is_step(device.period) && is_step(device.next_sample), kWrongTime);
  const bool resting =
      device.solid >= 0 &&
      model_.solids[static_cast<std::size_t>(device.solid)].body == physics::kWorldBody;
  if (archive.restores() && resting)
    static_cast<WorldBodyPort&>(*device.body_port).place(device.X_BD);
  if (auto* keeps = dynamic_cast<KeepsState*>(device.model.get())) keeps->visit_state(archive);
  archive.raw(device.data.data(), device.data.size());
}

void Simulation::visit_state(StateArchive& archive) {
  archive(step_);
  archive.expect(is_step(step_) && time() < kMostSeconds, kWrongTime);
  model_.physics->visit_state(archive);
  archive.fixed(body_poses_);
  archive(*hasher_, keys_);
  for (const auto& axis : model_.free_axes) archive(*axis);
  for (RobotInfo& robot : model_.robots) {
    archive(robot.custom_data, robot.battery.energy, robot.battery.charging,
            robot.battery.has_run_down);
    for (Device& device : robot.devices) visit_device(archive, device);
  }
  for (Device& device : model_.loose_devices) visit_device(archive, device);
  for (Charger& charger : model_.chargers) archive(charger.energy);
  // What never moves may stand where move_solid() has put it.
  for (SolidInfo& solid : model_.solids) archive(solid.X_BS);
  for (CollisionInfo& collision : model_.collisions) archive(collision.X_BS);
  for (Light& light : model_.lights) archive(light.location_B, light.direction_B);
  for (VisualGroup& group : model_.visuals) {
    const Pose shown = group.X_WG;
    archive(group.X_BG, group.X_WG, group.X_WG_before);
    const bool resting = group.body == physics::kWorldBody && !group.head;
    const bool same = shown.p == group.X_WG.p && shown.R.coeffs() == group.X_WG.R.coeffs();
    if (archive.restores() && resting && !same)
      model_.visible->set_pose(group.instance, group.X_WG);
  }
  visit_paint(archive, model_);
}

std::vector<std::byte> Simulation::save() {
  if (const std::string why = why_no_state(); !why.empty())
    throw StateError("the state cannot be saved: " + why);
  StateArchive archive;
  visit_state(archive);
  const std::vector<std::byte> state = archive.take();
  Frame frame;
  frame.structure = structure();
  frame.size = state.size();
  frame.checksum = XXH3_64bits(state.data(), state.size());
  std::vector<std::byte> out(sizeof frame);
  std::memcpy(out.data(), &frame, sizeof frame);
  out.insert(out.end(), state.begin(), state.end());
  return out;
}

void Simulation::restore(std::span<const std::byte> bytes) {
  Frame frame;
  const Frame wanted;
  if (bytes.size() >= sizeof frame) std::memcpy(&frame, bytes.data(), sizeof frame);
  if (bytes.size() < sizeof frame || frame.magic != wanted.magic)
    throw StateError("this is not the state of a run");
  if (frame.version != wanted.version)
    throw StateError(fmt::format("the state has the version {}, this program reads {}",
                                 frame.version, wanted.version));
  const auto state = bytes.subspan(sizeof frame);
  if (state.size() != frame.size)
    throw StateError(fmt::format("the state has {} bytes instead of {}", state.size(), frame.size));
  if (XXH3_64bits(state.data(), state.size()) != frame.checksum)
    throw StateError("the state is damaged: its checksum is another one");
  for (const auto& driver : drivers_) {
    if (driver && driver->running())
      throw StateError("the state cannot be restored while controllers run");
  }
  if (tree_->is_changed() || generation_ != loaded_generation_)
    throw StateError("nodes of the world have been changed, added or removed since it was loaded");
  if (frame.structure != structure())
    throw StateError(
        "the state is of another world, of the same with another seed, or of another version of the "
        "program");
  // Bodies, joints and devices as they were made.
  reset_now(std::nullopt);
  std::vector<std::int64_t> periods;  // which reset_now() keeps
  for (const RobotInfo& robot : model_.robots) {
    for (const Device& device : robot.devices) periods.push_back(device.period);
  }
  StateArchive archive(state);
  try {
    visit_state(archive);
    if (!archive.at_end()) throw StateError("the state has more bytes than this world takes");
  } catch (const StateError& error) {
    auto period = periods.begin();
    for (RobotInfo& robot : model_.robots) {
      for (Device& device : robot.devices) device.period = *period++;
    }
    keys_.clear();
    reset_now(std::nullopt);
    throw StateError(fmt::format("{}; the world is at its start", error.what()));
  }
  for (VisualGroup& group : model_.visuals) {
    if (group.body == physics::kWorldBody && !group.head) continue;
    model_.visible->set_motion(group.instance, group.X_WG_before, group.X_WG);
    if (group.turning >= 0) model_.visible->set_visible(group.instance, is_seen(group));
  }
  apply_emissions(model_);
  inputs_ = std::make_unique<SampleInputs>(model_, *tree_);
}

}  // namespace protobeam
