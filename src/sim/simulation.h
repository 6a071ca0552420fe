// A world that runs: steps the bodies, samples what is due, talks to the controllers.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "sim/builder.h"
#include "sim/imposed_motion.h"
#include "sim/model.h"
#include "sim/plugins.h"
#include "sim/robot_driver.h"
#include "sim/sample_inputs.h"

namespace protobeam {

struct SimulationOptions {
  std::vector<std::filesystem::path> proto_path;  ///< asked before the catalogue
  bool lenient = false;
  /// What a world file says: wbt::load_world, or the reader of another language.
  std::function<wbt::LoadedWorld(const std::filesystem::path&, const wbt::LoadOptions&,
                                 Diagnostics&)>
      read = wbt::load_world;
  BuildOptions build;
  /// Wall time that a controller may compute for one step.
  std::chrono::milliseconds controller_limit{10'000};
};

/// A line that a controller printed.
using ControllerLine =
    std::function<void(const std::string& robot, bool is_stderr, std::string_view line)>;

class Simulation {
 public:
  /// Null with errors in `diagnostics`. Throws PluginError when a plugin is there but cannot be
  /// used.
  static std::unique_ptr<Simulation> load(const std::filesystem::path& world,
                                          const SimulationOptions& options,
                                          Diagnostics& diagnostics);
  ~Simulation();

  /// Starts a process for each robot that names a controller, or for those that `wanted` picks. A
  /// robot without one stands still.
  void start_controllers(ControllerLine lines,
                         const std::function<bool(const RobotInfo&)>& wanted = nullptr);
  /// One basicTimeStep: controllers, bodies, samples, answers. False, and nothing has moved, when a
  /// stop (base/stop.h) was requested while controllers were awaited.
  bool step();
  /// Ends the controllers and waits for them.
  void finish();

  double time() const { return static_cast<double>(step_) * model_.basic_time_step; }
  std::int64_t step_number() const { return step_; }
  WorldModel& model() { return model_; }
  const WorldModel& model() const { return model_; }
  const wbt::LoadedWorld& world() const { return world_; }
  SchemaRegistry& schemas() { return schemas_; }
  PluginLoader& plugins() { return plugins_; }
  std::vector<ControllerReport> controllers() const;
  /// Files and addresses that the world names and that are not there: it runs without them.
  const std::vector<std::string>& missing_files() const { return missing_; }
  /// "ROBOT/DEVICE", or just the device's name when only one robot has it; null when not found.
  Device* find_device(std::string_view path);
  std::vector<std::string> device_paths() const;
  /// The vehicle that a robot is; null when there is none of that name.
  VehicleHost* find_vehicle(std::string_view robot);
  /// Enables a device without a controller.
  void enable(Device& device, double period_s);
  Pose pose_of(const Device& device) const;  ///< in the world
  Pose pose_of(const VisualGroup& group) const;
  /// Adds what `text` says, one Solid or PROTO in the language of worlds ("Crate { }"), with this name and
  /// pose, after the last step. Its index in the model's `solids`; -1 with errors in `diagnostics`.
  int add_solid(const std::string& text, const std::string& name, const Pose& X_WS,
                Diagnostics& diagnostics);
  /// Takes a Solid that stands in no other one out of the world. "" or why it cannot be: a Robot stays.
  std::string remove_solid(int solid);
  /// What devices did in the last step that a run notes in words (DeviceModel::take_events), in the
  /// order of the devices.
  struct Event {
    const Device* device;
    std::string what;
  };
  const std::vector<Event>& events() const { return events_; }
  /// The keys that a person presses now, as Webots numbers them, modifiers added: what keyboards
  /// of controllers read at their next sample.
  void set_keys(std::vector<int> keys);
  /// Over all body states and every sample delivered so far.
  std::uint64_t state_hash() const;
  /// Names of bodies, and of robots for their devices, whose state became NaN or infinite, in the order
  /// in which it happened. Such a body stands still from then on where it was before.
  std::vector<std::string> broken_bodies() const;

 private:
  Simulation();
  void find_roles();
  /// DeviceModel::meet(): all devices of each type.
  void introduce_devices();
  void deliver_signals();
  void step_physics();
  void report_contacts();
  void hash_state();
  void update_visuals();
  bool is_seen(const VisualGroup& group) const;
  /// Whether the body was moved in no time in the last step.
  bool jumped(physics::BodyId body) const;
  void sample_devices();
  void sample(Device& device);
  void take_events();
  /// Whether sensors see what belongs to the robot.
  void show_robot(int robot, bool visible);

  WorldModel model_;
  wbt::LoadedWorld world_;
  std::vector<wbt::NodePtr> added_;  ///< what add_solid() has read: the model points to it
  SchemaRegistry schemas_;
  PluginLoader plugins_;
  SimulationOptions options_;
  std::vector<std::unique_ptr<RobotDriver>> drivers_;
  std::vector<Pose> visual_poses_;  ///< of model_.visuals at the end of the last step
  std::vector<Device*> all_devices_;  ///< of robots, one robot after another
  std::vector<Device*> acting_;       ///< those that declare `forces`
  std::vector<Device*> senders_, receivers_;  ///< of signals
  std::vector<Device*> noting_;  ///< those that declare `events`
  std::vector<Event> events_;    ///< of the last step
  std::vector<std::vector<Device*>> contact_devices_;  ///< by body: those that ask for its contacts
  ImposedMotions imposed_motions_;
  std::unique_ptr<SampleInputs> inputs_;
  std::vector<Pose> body_poses_;  ///< at the end of the last step
  std::vector<std::string> frozen_;
  std::vector<double> device_state_;  ///< of hash_state()
  std::vector<int> keys_;
  std::vector<std::string> missing_;
  std::int64_t step_ = 0;
  struct Hasher;
  std::unique_ptr<Hasher> hasher_;
};

/// All node types, those of plugins included.
void fill_schemas(SchemaRegistry& schemas, PluginLoader& plugins);
/// --proto-path folders, the catalogue, the cache: where PROTOs are looked for by name.
std::vector<std::filesystem::path> proto_folders(const std::vector<std::filesystem::path>& first);

}  // namespace protobeam
