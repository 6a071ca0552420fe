// A world that runs: steps the bodies, samples what is due, talks to the controllers.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "sim/builder.h"
#include "sim/imposed_motion.h"
#include "sim/model.h"
#include "sim/plugins.h"
#include "sim/robot_driver.h"
#include "sim/sample_inputs.h"
#include "sim/supervisor/live_tree.h"
#include "sim/surfaces.h"

namespace protobeam {

/// Seconds of the clock that loading took.
struct LoadTimes {
  double read = 0;   ///< files, templates, checks: the expanded tree
  double build = 0;  ///< bodies, meshes, ray scene, devices
  double begin = 0;  ///< what follows once all of it is there
};

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

class StateArchive;
class Supervisor;

class Simulation {
 public:
  /// Null with errors in `diagnostics`. Throws PluginError when a plugin is there but cannot be
  /// used.
  static std::unique_ptr<Simulation> load(const std::filesystem::path& world,
                                          const SimulationOptions& options,
                                          Diagnostics& diagnostics);
  ~Simulation();

  /// All that decides how the run goes on, between steps. Throws StateError with what cannot be saved:
  /// a world that has been changed, bodies that are linked, a device that does not say what it keeps.
  /// Of controllers nothing is saved.
  std::vector<std::byte> save();
  /// The run goes on where that world was saved: the same file, of the same version. Throws StateError
  /// with what is wrong with the bytes, and then nothing has changed; not while controllers run. Bytes that
  /// fit by all that can be checked before, and do not after all, leave the world at its start.
  void restore(std::span<const std::byte> state);
  /// Starts a process for each robot that names a controller, or for those that `wanted` picks. A
  /// robot without one stands still.
  /// Pages of robot windows may talk with their robots; before start_controllers().
  void open_windows() { windows_open_ = true; }
  /// The page of a robot's window, while they are open; else empty.
  std::filesystem::path window_of(const RobotInfo& robot) const;
  /// What controllers have sent to their windows.
  std::vector<WindowText> take_window_texts();
  /// What a page sends, for the robot's next step.
  void tell_from_window(const WindowText& text);
  void start_controllers(ControllerLine lines,
                         const std::function<bool(const RobotInfo&)>& wanted = nullptr);
  /// Robots with the controller "<extern>" wait for programs there, each time at most `limit`; for their
  /// steps too. Before start_controllers(); without this they stand still. The server outlives the simulation.
  void accept_programs(link::ExternServer& server, std::chrono::milliseconds limit) {
    externs_ = &server;
    extern_limit_ = limit;
  }
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
  const SchemaRegistry& schemas() const { return schemas_; }
  PluginLoader& plugins() { return plugins_; }
  std::vector<ControllerReport> controllers() const;
  /// Files and addresses that the world names and that are not there: it runs without them.
  const std::vector<std::string>& missing_files() const { return missing_; }
  const LoadTimes& load_times() const { return load_times_; }
  /// "ROBOT/DEVICE", or just the device's name when only one robot has it; null when not found.
  Device* find_device(std::string_view path);
  std::vector<std::string> device_paths() const;
  /// The vehicle that a robot is, by a drive of its own, else by the first on a part of it; null
  /// when there is none of that name.
  VehicleHost* find_vehicle(std::string_view robot) const;
  /// Enables a device without a controller.
  void enable(Device& device, double period_s);
  Pose pose_of(const Device& device) const;  ///< in the world
  Pose pose_of(const VisualGroup& group) const;
  /// False for what a device shows at other speeds only, as a helix of a Propeller.
  bool is_seen(const VisualGroup& group) const;
  /// Adds what `text` says, one Solid or PROTO in the language of worlds ("Crate { }"), with this name and
  /// pose, after the last step; the controllers of Robots are started. Its index in the model's `solids`;
  /// -1 with errors in `diagnostics`.
  int add_solid(const std::string& text, const std::string& name, const Pose& X_WS,
                Diagnostics& diagnostics);
  /// The same in two steps: the one Solid of a document, expanded, null with errors, and then it
  /// comes into the world, once.
  wbt::NodePtr read_solid(const wbt::Document& document, Diagnostics& diagnostics);
  int add_solid(const wbt::NodePtr& solid, const std::string& name, const Pose& X_WS,
                Diagnostics& diagnostics);
  /// `text` in the language of worlds, beside the world's file and with its EXTERNPROTO lines.
  wbt::Document document_of(const std::string& text, Diagnostics& diagnostics) const;
  /// ContactProperties that those of the world do not have for these materials.
  void add_contact_properties(const wbt::Document& document, Diagnostics& diagnostics);
  /// Takes a Solid that stands in no other one out of the world. "" or why it cannot be.
  std::string remove_solid(int solid);
  /// What devices did in the last step that a run notes in words (DeviceModel::take_events), in the
  /// order of the devices.
  struct Event {
    const Device* device;
    std::string what;
  };
  const std::vector<Event>& events() const { return events_; }

  /// Rises when Solids have come, gone or been made anew: who holds references to such asks for them
  /// again.
  int generation() const { return generation_; }
  /// The same of robots and devices.
  int robot_generation() const { return robot_generation_; }
  /// Rises when only shapes have changed.
  int look_generation() const { return look_generation_; }
  /// From now on devices that leave stay where they are, with their last sample, for who looks at them.
  void keep_devices() { keep_devices_ = true; }
  /// What is asked of who runs the simulation.
  struct Wish {
    enum class Kind { kQuit, kReload, kLoad };
    Kind kind = Kind::kQuit;
    int status = 0;              ///< kQuit: what the program ends with
    std::filesystem::path file;  ///< kLoad
  };
  const std::optional<Wish>& wish() const { return wish_; }
  void wish_for(Wish wish) { wish_ = std::move(wish); }
  /// How a supervisor sees the world and changes it.
  Supervisor& supervisor() { return *supervisor_; }
  const Supervisor& supervisor() const { return *supervisor_; }

  // For src/sim/supervisor: changes between steps.

  LiveTree& tree() { return *tree_; }
  wbt::LoadedWorld& loaded() { return world_; }
  wbt::LoadOptions load_options();
  /// Nodes out of text, beside the world's file and with its EXTERNPROTO lines, for that field of a node
  /// of that type ("": the top of the world). Empty with errors.
  std::vector<wbt::NodePtr> read_nodes(const std::string& text, const std::string& owner,
                                       const std::string& field, Diagnostics& diagnostics);
  std::vector<wbt::NodePtr> read_nodes(const wbt::Document& document, const std::string& owner,
                                       const std::string& field, Diagnostics& diagnostics);
  /// The node is in the tree, and what it says comes into the world. False with errors.
  bool add_unit(const Addition& what, Diagnostics& diagnostics);
  /// All that came of it leaves; the controllers of its robots end.
  void remove_unit(const wbt::Node& unit);
  /// The same, made anew out of the tree: bodies keep poses and velocities, robots their controllers.
  /// `change` is made in between. False with errors: then `undo` was called, and all is as before.
  bool rebuild_unit(const Addition& what, const std::function<void()>& change,
                    const std::function<void()>& undo, Diagnostics& diagnostics);
  /// What is seen of the Solid's body, or of a Shape in no Solid, is made anew.
  bool look_again(const wbt::Node& owner, Diagnostics& diagnostics);
  /// Device::unseen of a device is another one.
  void visibility_changed() { divided_generation_ = -1; }
  /// The Solid and all that hangs on it are elsewhere at once. False when it has to be built anew.
  bool move_solid(int solid, const Pose& X_WS);
  /// All nodes are as they were loaded, and the time is 0; at the start of the next step. Controllers
  /// go on.
  void reset_soon() { reset_ = true; }
  /// The same at once, between steps, with that seed of the noise or the same as before. What
  /// follows has the state hash of a world that was just loaded; devices that are on stay on.
  void reset_now(std::optional<std::uint64_t> seed);
  /// The robot's controller begins again, at the start of the next step.
  void restart_controller_soon(int robot) { restarts_.push_back(robot); }
  /// The Solid that a node is; -1 for none.
  int solid_of(const wbt::Node& node) const;
  ShapeFactory& shapes() { return shapes_; }
  /// A Background, Fog or Atmosphere, or WorldInfo's contactProperties, have changed.
  void read_scenery(const wbt::Node& node);
  /// A node of that type has left the top of the world.
  void scenery_gone(const std::string& type);
  /// Lights, colours or what sensors recognise have changed.
  void appearance_changed() { inputs_ = std::make_unique<SampleInputs>(model_, *tree_); }
  /// What a robot's controller reads as its customData from its next step on.
  void send_custom_data(int robot);
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
  void visit_state(StateArchive& archive);
  void visit_device(StateArchive& archive, Device& device);
  std::uint64_t structure();
  std::string why_no_state() const;
  bool hear_controllers();
  void start_controller(std::size_t robot);
  void end_leaving();
  void restart_controllers();
  void reset();
  void make_drivers();
  bool has_robot(const wbt::Node& unit) const;
  void begin();
  void attach(VehicleHost& vehicle);
  void after_change();
  void update_surfaces();
  void find_roles();
  /// DeviceModel::meet(): all devices of each type.
  void introduce_devices();
  void deliver_signals();
  void draw_with_pens();
  void step_physics();
  void report_contacts();
  void hash_state();
  void update_visuals();
  /// Whether the body was moved in no time in the last step.
  bool jumped(physics::BodyId body) const;
  void sample_devices();
  /// Of due_, by their places there.
  void sample_at_once(const std::vector<std::size_t>& numbers);
  void sample(std::size_t number, const SampleInput& in);
  void take_events();
  /// Whether sensors see what belongs to the robot.
  void show_robot(int robot, bool visible);
  void show_unseen(const Device& device, bool visible);
  /// Gives what is hidden from a device groups of its own; nothing if all have them.
  void divide_visuals();
  void divide_visuals(const wbt::Node& node);
  bool is_within(const wbt::Node* node, const wbt::Node& outer) const;

  SchemaRegistry schemas_;
  ShapeFactory shapes_{schemas_};
  SurfaceBuilder surface_builder_;
  bool surfaces_valid_ = true;
  WorldModel model_;
  wbt::LoadedWorld world_;
  std::unique_ptr<LiveTree> tree_;
  std::unique_ptr<Supervisor> supervisor_;
  PluginLoader plugins_;
  SimulationOptions options_;
  std::vector<std::unique_ptr<RobotDriver>> drivers_;  ///< by robot; null where there is none
  std::vector<std::unique_ptr<RobotDriver>> leaving_;  ///< of robots that are gone
  std::vector<ControllerReport> past_reports_;         ///< of those, if they had failed
  std::vector<bool> heard_;  ///< by robot, before the coming step
  std::vector<int> restarts_;
  bool reset_ = false, windows_open_ = false;
  std::optional<Wish> wish_;
  bool keep_devices_ = false;
  std::vector<std::vector<Device>> removed_devices_;
  std::optional<std::uint64_t> text_hash_;  ///< of the world as it was loaded, once structure() was asked
  int loaded_generation_ = 0;  ///< generation_ of the world as it was loaded
  int generation_ = 0, robot_generation_ = 0, look_generation_ = 0;
  int divided_generation_ = 0, divided_look_generation_ = 0;  ///< when visuals were divided
  std::map<const wbt::Node*, int> solid_of_, solid_of_before_;
  std::map<const wbt::Node*, std::unique_ptr<RobotDriver>> kept_drivers_;  ///< while they are rebuilt
  struct Starter {
    ControllerLine lines;
    std::function<bool(const RobotInfo&)> wanted;
  };
  link::ExternServer* externs_ = nullptr;
  std::chrono::milliseconds extern_limit_{0};
  std::optional<Starter> starter_;    ///< once controllers were started
  std::vector<Device*> all_devices_;  ///< robot by robot
  std::vector<Device*> acting_;       ///< those that declare `forces`
  std::vector<Device*> senders_, receivers_;  ///< of signals
  std::vector<Device*> drawing_;              ///< those that declare `draws`
  std::vector<Device*> noting_;               ///< those that declare `events`
  std::vector<Event> events_;    ///< of the last step
  std::vector<std::vector<Device*>> contact_devices_;  ///< by body: those that ask for its contacts
  /// Those that ask for contacts between what does not yield, and their bodies.
  std::vector<std::pair<Device*, physics::BodyId>> unyielding_;
  std::vector<Device*> due_;  ///< for a sample in this step
  ImposedMotions imposed_motions_;
  std::unique_ptr<SampleInputs> inputs_;
  std::vector<Pose> body_poses_;  ///< at the end of the last step
  std::vector<std::string> frozen_;
  std::vector<double> device_state_;  ///< of hash_state()
  std::vector<int> keys_;
  std::vector<std::string> missing_;
  LoadTimes load_times_;
  std::int64_t step_ = 0;
  struct Hasher;
  std::unique_ptr<Hasher> hasher_;
};

/// All node types, those of plugins included.
void fill_schemas(SchemaRegistry& schemas, PluginLoader& plugins);
/// How a file is read with them: its project's plugins join in. All three must outlive what is returned.
wbt::LoadOptions project_load_options(const std::filesystem::path& file, SchemaRegistry& schemas,
                                      PluginLoader& plugins);
/// --proto-path folders, the catalogue, the cache: where PROTOs are looked for by name.
std::vector<std::filesystem::path> proto_folders(const std::vector<std::filesystem::path>& first);

}  // namespace protobeam
