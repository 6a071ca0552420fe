#include "batch/embedded_world.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace protobeam {

/// Nobody else may touch the world meanwhile.
class EmbeddedWorld::Use {
 public:
  explicit Use(EmbeddedWorld& world) : busy_(world.busy_) {
    world.simulation();
    if (busy_.exchange(true)) throw std::logic_error("another thread is stepping this world");
  }
  ~Use() { busy_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<bool>& busy_;
};

EmbeddedWorld::EmbeddedWorld(std::unique_ptr<Simulation> simulation)
    : simulation_(std::move(simulation)), process_(getpid()) {}

Simulation& EmbeddedWorld::simulation() {
  if (getpid() != process_) {
    throw std::logic_error(
        "this world was loaded before the process was forked: load it again in this process");
  }
  if (busy_) throw std::logic_error("another thread is stepping this world");
  return *simulation_;
}

void EmbeddedWorld::step(std::int64_t steps, const std::function<bool()>& go_on) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLook{20};
  if (steps < 0) throw std::invalid_argument(fmt::format("{} steps cannot be made", steps));
  const Use use(*this);
  auto looked = Clock::now();
  for (std::int64_t i = 0; i < steps; ++i) {
    if (!simulation_->step()) break;
    if (!go_on || i + 1 == steps || Clock::now() - looked < kLook) continue;
    if (!go_on()) break;
    looked = Clock::now();
  }
  for (const auto& [number, slot] : slots_) {
    const auto& robots = simulation_->model().robots;
    const auto& devices = robots[static_cast<std::size_t>(number.first)].devices;
    const auto index = static_cast<std::size_t>(number.second);
    if (index < devices.size()) slot.memory->follow(devices[index], slot.index);
  }
}

void EmbeddedWorld::reset(std::optional<std::uint64_t> seed) {
  const Use use(*this);
  simulation_->reset_now(seed);
  // What was sampled before is of another run.
  for (const auto& [number, slot] : slots_)
    std::ranges::fill(slot.memory->at(slot.index), std::byte{0});
}

std::vector<std::byte> EmbeddedWorld::save() {
  const Use use(*this);
  return simulation_->save();
}

void EmbeddedWorld::restore(std::span<const std::byte> state) {
  const Use use(*this);
  simulation_->restore(state);
  for (const auto& [number, slot] : slots_) {
    const auto& robots = simulation_->model().robots;
    const auto& devices = robots[static_cast<std::size_t>(number.first)].devices;
    const auto index = static_cast<std::size_t>(number.second);
    if (index < devices.size()) slot.memory->follow(devices[index], slot.index);
  }
}

void EmbeddedWorld::start_controllers(ControllerLine lines) {
  const Use use(*this);
  simulation_->start_controllers(std::move(lines));
}

void EmbeddedWorld::finish() {
  const Use use(*this);
  simulation_->finish();
}

Device& EmbeddedWorld::device(DeviceNumber number) {
  auto& robots = simulation().model().robots;
  const auto robot = static_cast<std::size_t>(number.first);
  const auto index = static_cast<std::size_t>(number.second);
  if (robot >= robots.size() || robots[robot].removed || index >= robots[robot].devices.size()) {
    throw std::out_of_range("this device is no longer in the world");
  }
  return robots[robot].devices[index];
}

EmbeddedWorld::Slot EmbeddedWorld::memory(DeviceNumber number) {
  Device& device = this->device(number);
  Slot& slot = slots_[number];
  if (!slot.memory || slot.memory->size() != device.data.size()) {
    slot = source_ ? source_(number, device.data.size())
                   : Slot{std::make_shared<SampleMemory>(device.data.size(), 1), 0};
    slot.memory->take_over(device, slot.index);
  }
  return slot;
}

void EmbeddedWorld::command(DeviceNumber number, std::string_view name, std::vector<double> numbers,
                            std::string bytes) {
  Device& device = this->device(number);
  const std::string problem = device.model->send_command(name, numbers, bytes);
  if (!problem.empty()) throw std::invalid_argument(fmt::format("'{}': {}", device.name, problem));
  // As for controllers: "arm::left" and "arm::right" are coupled.
  const std::size_t colons = device.name.find("::");
  if (!device.model->type().coupled_by_name || colons == std::string::npos) return;
  const std::string base = device.name.substr(0, colons + 2);
  for (Device& other :
       simulation_->model().robots[static_cast<std::size_t>(number.first)].devices) {
    const bool coupled =
        &other != &device && other.type == device.type && other.name.starts_with(base);
    if (coupled) other.model->send_command(name, numbers, bytes);
  }
}

const SolidInfo& EmbeddedWorld::solid(int index) const {
  const auto& solids = simulation().model().solids;
  const auto at = static_cast<std::size_t>(index);
  if (at >= solids.size() || solids[at].removed)
    throw std::out_of_range("this body is no longer in the world");
  return solids[at];
}

Pose EmbeddedWorld::X_WS(int index) const {
  const SolidInfo& info = solid(index);
  if (info.body == physics::kWorldBody) return info.X_BS;
  return simulation_->model().physics->pose(info.body) * info.X_BS;
}

std::pair<Vec3, Vec3> EmbeddedWorld::velocity(int index) const {
  const SolidInfo& info = solid(index);
  if (info.body == physics::kWorldBody) return {Vec3::Zero(), Vec3::Zero()};
  const auto& physics = *simulation_->model().physics;
  return {physics.point_velocity(info.body, X_WS(index).p), physics.angular_velocity(info.body)};
}

void EmbeddedWorld::set_pose(int index, const Pose& X) {
  const SolidInfo& info = solid(index);
  if (!X.p.allFinite() || std::abs(X.R.norm() - 1) > 1e-3) {
    throw std::invalid_argument(fmt::format(
        "the pose of '{}' must be three finite numbers and a quaternion of length 1", info.name));
  }
  if (!simulation_->move_solid(index, Pose{X.R.normalized(), X.p})) {
    throw std::invalid_argument(
        fmt::format("'{}' is a part of another body: that one has to be moved", info.name));
  }
}

void EmbeddedWorld::set_velocity(int index, const Vec3& v, const Vec3& w) {
  const SolidInfo& info = solid(index);
  auto& physics = *simulation_->model().physics;
  const bool moves = info.body != physics::kWorldBody && physics.mass(info.body) > 0;
  if (!moves) throw std::invalid_argument(fmt::format("'{}' does not move", info.name));
  if (!v.allFinite() || !w.allFinite()) {
    throw std::invalid_argument(fmt::format("the velocity of '{}' must be finite", info.name));
  }
  const Vec3 to_body = physics.pose(info.body).p - X_WS(index).p;
  physics.set_velocity(info.body, v + w.cross(to_body), w);
}

}  // namespace protobeam
