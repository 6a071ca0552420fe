// What supervisors ask and change: answers to their requests, between steps, in the order in which
// they come.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "link/supervisor_messages.h"
#include "render/picture_label.h"
#include "sim/supervisor/animation_maker.h"
#include "sim/supervisor/live_tree.h"
#include "sim/supervisor/movie_maker.h"

namespace protobeam {

class Simulation;
struct RobotInfo;
struct SolidInfo;

/// Numbers that the simulation writes into a field of the node.
wbt::Value number_value(const wbt::Node& node, std::vector<double> numbers);

class Supervisor {
 public:
  explicit Supervisor(Simulation& simulation) : simulation_(simulation) {}

  /// Of the robot with that number; one for each request.
  std::vector<link::SupervisorAnswer> answer(int robot,
                                             std::span<const link::SupervisorRequest> requests);
  /// Takes a node out of the tree and the world. "" or why it stays.
  std::string remove_node(int id);
  /// A robot that comes with a name that is taken gets a number behind it.
  void give_own_name(wbt::Node& robot);
  /// Of a world that was just loaded or reset: Solids without Physics move as their fields say.
  void begin_resting_motion();
  /// So does a Solid that came into the running world.
  void begin_resting_motion(const SolidInfo& solid);
  /// Solids without Physics go on as the velocities say that they were given; before each physics
  /// step.
  void move_resting_solids(double step);

  /// Texts over pictures of the world, by their ids.
  const std::map<int, render::PictureLabel>& labels() const { return labels_; }
  enum class Mode { kPause, kRealTime, kFast };
  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { mode_ = mode; }
  /// Who makes pictures: the file, and a quality of 1..100. Gives "" or why there is none.
  using Photographer = std::function<std::string(const std::string& file, int quality)>;
  void set_photographer(Photographer photographer) { photographer_ = std::move(photographer); }
  /// Who makes movies, as long as there are requests; null: nobody.
  void set_movie_maker(MovieMaker* maker) { movie_maker_ = maker; }
  /// The same for animations.
  void set_animation_maker(AnimationMaker* maker) { animation_maker_ = maker; }

 private:
  using Request = link::SupervisorRequest;
  using Answer = link::SupervisorAnswer;

  /// Why a request cannot be met: what the program's author reads.
  struct Refusal {
    std::string why;
  };
  [[noreturn]] static void refuse(std::string why) { throw Refusal{std::move(why)}; }

  Answer answer_one(int robot, const Request& request);
  bool answer_node(int robot, const Request& request, Answer& out);
  bool answer_field(const Request& request, Answer& out);
  bool change_node(const Request& request);
  bool change_field(const Request& request);
  bool answer_simulation(int robot, const Request& request, Answer& out);

  // reading.cpp
  wbt::NodePtr node(const Request& request) const;  ///< refuses the root and what is not there
  TreeField field(const Request& request) const;
  TreeField field_to_change(const Request& request) const;  ///< refuses one inside of a PROTO
  int solid(const Request& request) const;  ///< refuses what is no Solid of the world
  const RobotInfo& self(int robot) const;   ///< refuses one that it has removed
  Pose world_pose(const wbt::Node* node, Vec3* scale = nullptr) const;
  /// Puts an addition into its parent; null: the world.
  void stand_in(const wbt::Node* parent, Addition& what) const;
  bool is_pose(const wbt::Node& node) const;
  /// The values of fields that follow from how bodies and joints are now.
  void sync(const wbt::NodePtr& node);
  void sync_subtree(const wbt::NodePtr& node);
  void sync_all();
  std::vector<int> solids_within(int solid) const;
  std::vector<double> contacts(int solid, bool descendants) const;
  Vec3 center_of_mass(int solid) const;
  bool statically_balanced(int solid) const;
  wbt::Value element(const TreeField& field, int index) const;

  // changes.cpp
  wbt::Value value_for(const TreeField& field, const Request& request) const;
  wbt::Value with_element(const TreeField& field, int index, const wbt::Value& element,
                          bool insert);
  wbt::Value without_element(const TreeField& field, int index) const;
  void import_node(const TreeField& field, int position, const std::string& text);
  void remove_nodes(const TreeField& field, wbt::Value rest);
  void save_state(const wbt::NodePtr& node, const std::string& name);
  void load_state(const wbt::NodePtr& node, const std::string& name);

  // resting_motion.cpp
  /// It has no Physics and is where its joint says.
  bool follows_joint(const SolidInfo& solid) const;
  bool has_no_force(const SolidInfo& solid) const;  ///< that moves it: it has no Physics
  void set_resting_velocity(int solid, const Vec3& v_P, const Vec3& w_P);
  void go_on_resting(int solid);  ///< as its fields say
  /// v and w that the Solid was given, in its parent's frame; zero for others.
  std::pair<Vec3, Vec3> own_velocity(const wbt::Node& node) const;
  std::pair<Vec3, Vec3> resting_velocity(int solid) const;  ///< v and w in W

  // joint_positions.cpp
  struct JointAxis {
    physics::JointId id;
    int axis;
  };
  /// Of which joint, and of which of its axes, these are the parameters; nothing if of none.
  std::optional<JointAxis> joint_of(const wbt::Node& parameters) const;
  void set_joint_position(const wbt::Node& joint, int number, double position);
  Device* motor_of(const JointAxis& joint) const;  ///< null: it has none
  /// As at the start, with the position as its target.
  void reset_motor(const JointAxis& joint, double position);

  // device_fields.cpp
  struct DeviceField {
    Device* device;
    std::string name;  ///< of the device's own field, or of that which holds the node
  };
  std::optional<DeviceField> device_field(const wbt::Node& node, const std::string& field);
  /// Of a device, or of a node that belongs to one.
  void change_device(const TreeField& field, const wbt::Value& value);

  // robot_fields.cpp
  /// False: it is no field of Robots alone, or has no effect.
  bool change_robot(RobotInfo& robot, const std::string& field, const wbt::Value& value);
  void sync_custom_data(const wbt::NodePtr& node);
  void sync_battery(const wbt::NodePtr& node);

  // effects.cpp: the value comes into the tree and takes effect. Refuses what cannot be.
  void change(const TreeField& field, wbt::Value value);
  void change_parameter(const TreeField& field, wbt::Value value);
  TreeField holder_of(const wbt::NodePtr& node);
  void regenerate(const TreeField& field, const wbt::Value& value);
  bool change_solid(const TreeField& field, const wbt::Value& value);
  bool change_scenery(const TreeField& field, const wbt::Value& value);
  bool change_world_info(const TreeField& field, const wbt::Value& value);
  void change_structure(const TreeField& field, const wbt::Value& value);
  void write(const wbt::NodePtr& node, std::string_view field, wbt::Value value);
  void write_pose(const wbt::NodePtr& node, const Pose& X_WN);
  void check(const TreeField& field, wbt::Value& value);
  void update_light(const wbt::Node& node);
  void warn_once(const std::string& what);
  void reset_physics(const wbt::Node* node);

  /// What a change of a node touches: the nearest Solid around it, or what stands at the top.
  struct Context {
    const wbt::Node* unit = nullptr;   ///< to be made anew, see WorldModel
    const wbt::Node* owner = nullptr;  ///< a Solid, or a Shape in none: to be looked at again
    bool looks = false;                ///< only what is seen changes
  };
  void find_contexts(const wbt::Node& node, bool looks, std::vector<Context>& out) const;
  bool only_seen(const wbt::NodePtr& node) const;
  /// A unit that is to be made anew where it stands.
  Addition again(const wbt::Node& unit) const;
  void rebuild(const wbt::Node& unit, const std::function<void()>& change,
               const std::function<void()>& undo);
  void add_unit(const wbt::NodePtr& node);
  void forget_shapes(const wbt::Node& node);

  Simulation& simulation_;
  std::map<int, render::PictureLabel> labels_;
  Mode mode_ = Mode::kFast;
  Photographer photographer_;
  MovieMaker* movie_maker_ = nullptr;
  AnimationMaker* animation_maker_ = nullptr;
  std::set<std::string> warned_;
  std::vector<std::string> warnings_;  ///< for the one that is answered now

  struct SavedField {
    std::weak_ptr<wbt::Node> node;
    std::string field;
    wbt::Value value;
  };
  struct SavedVelocity {
    std::weak_ptr<wbt::Node> node;
    Vec3 v_WB, w_WB;
  };
  struct SavedState {
    std::vector<SavedField> fields;
    std::vector<SavedVelocity> velocities;
  };
  std::map<std::pair<int, std::string>, SavedState> states_;  ///< by node and name
  /// Solids without Physics that were given a velocity, which is in their fields.
  std::vector<std::weak_ptr<wbt::Node>> gliding_;
  /// Poses that were written into the tree, or read from it, and hold as long as the bodies rest.
  std::map<const wbt::Node*, Pose> written_poses_;
};

}  // namespace protobeam
