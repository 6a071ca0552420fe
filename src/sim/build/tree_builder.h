// The walk over the node tree. Inside src/sim/build only.
//
// Bodies are drafted first and made at the end, since a Solid that is welded to its parent adds
// to a body that was begun long before.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "device/plugin.h"
#include "sim/builder.h"
#include "sim/model.h"
#include "sim/shapes.h"

namespace protobeam {

/// Where in the tree we are. Frame F is that of the node's parent.
struct Frame {
  int draft = -1;  ///< the body that carries this frame; -1: the static world
  Pose X_BF;       ///< in that body, or in the world
  Vec3 scale = Vec3::Ones();
  double old_body_scale = 1;  ///< of wbt::Node, from the world to here
  int solid = -1;             ///< nearest Solid above
  int robot = -1;
  int static_draft = -1;  ///< collision body of the nearest static Solid above
  /// The Solid above is static but has Physics: the outermost such one that is all of one body.
  const wbt::Node* held = nullptr;
  int sink = -1;          ///< visible shapes go here instead of their body's own group
  bool self_collision = false;
  bool weightless = false;  ///< Physics below adds no mass
  int emitter = -1;  ///< of WorldModel::emitters, whose first child this is in
  const DeviceModel* axis = nullptr;  ///< of the device around that has an axis of its own
};

/// What a joint moves, which Slots may hold; null for nothing.
wbt::NodePtr end_point(const wbt::Node& joint, const SchemaRegistry& schemas);

struct VisualDraft {
  int draft = -1;
  Pose X_BG;
  std::vector<VisibleShape> shapes;
  std::vector<std::shared_ptr<const Material>> materials;
  std::vector<int> solids;              ///< by shape
  std::vector<const wbt::Node*> nodes;  ///< by shape
  int vehicle = -1, wheel = -1;
  bool only_steers = false;
  const DeviceModel* head = nullptr;  ///< see VisualGroup
  double head_rate = 1;
  std::shared_ptr<const BeltPath> belt;
  double belt_offset = 0;
  int turning = -1;
  std::vector<int> emitters;  ///< by shape
  const wbt::Node* owner = nullptr;
  Vec3 scale = Vec3::Ones();
  const wbt::Node* unit = nullptr;
};

struct BodyDraft {
  physics::BodySpec spec;
  Place place;
  std::shared_ptr<const Instantiation> expanded_from;
  double damping_weight = 0;  ///< volume over which the damping is averaged
  Vec3 com_sum = Vec3::Zero();
  int sink = -1;
  physics::BodyId body = physics::kWorldBody;
  const wbt::Node* node = nullptr;
  const wbt::Node* held = nullptr;  ///< see Frame
};

struct JointDraft {
  physics::JointSpec spec;
  int parent_draft = -1, child_draft = -1;
  std::string child_solid;  ///< SolidReference: the Solid's name, resolved at the end
  Vec3 anchor = Vec3::Zero();  ///< as it is written
  const wbt::Node* held = nullptr;  ///< see Frame: of its parent
  int robot = -1;
  Place place;  ///< of that name
  std::shared_ptr<const Instantiation> expanded_from;
  std::vector<std::size_t> devices;  ///< of device_drafts_, that act on this joint
  const wbt::Node* node = nullptr;
  const wbt::Node* unit = nullptr;
  int solid = -1;  ///< in which it stands
};

/// A Robot without Physics that rolls on two wheels.
struct RollingDraft {
  int draft = -1;
  std::array<const wbt::Node*, 2> joints{};
  RollingBody body;
};

/// A device waits for its body and joint.
struct DeviceDraft {
  const wbt::Node* node;
  const DeviceType* type;
  int robot = -1;  ///< -1: model_.loose_devices
  int index = 0;
  bool linear = false;   ///< in a SliderJoint
  bool dynamic = false;  ///< its body yields to forces
};

/// A vehicle waits for its body's mass.
struct VehicleDraft {
  const wbt::Node* node;
  Frame frame;  ///< of the vehicle
  int device = -1;
};

class TreeBuilder {
 public:
  TreeBuilder(const SchemaRegistry& schemas, PluginLoader& plugins, const BuildOptions& options,
              ShapeFactory& shapes, Diagnostics& diagnostics);
  WorldModel build(const wbt::LoadedWorld& world);
  /// See add_to_world().
  bool add(WorldModel& model, const wbt::LoadedWorld& world, const Addition& what);
  static std::vector<std::shared_ptr<PaintLayer>> kept_paint(const VisualGroup& group,
                                                             const VisualDraft& draft);
  /// See look_again().
  bool look_again(WorldModel& model, VisualGroup& group);
  /// See read_again().
  void read_again(WorldModel& model, const wbt::Node& node);

 private:
  wbt::NodeView view(const wbt::Node& node) const { return {node, schemas_}; }
  void error(const wbt::Node& node, std::string_view field, std::string message);
  void warning(const wbt::Node& node, std::string_view field, std::string message);

  // build_world.cpp
  bool has_vehicles(const std::vector<wbt::NodePtr>& nodes) const;
  void world_info(const wbt::Node& node);
  void read_damping(const wbt::Node& world_info);
  void finish_bodies();
  void finish_joints();
  /// Finds the body that a SolidReference names; false when the joint holds nothing.
  bool close_loop(JointDraft& draft);
  void keep_from_what_holds(const JointDraft& joint);
  /// `carried_by`: the joint that carries each of drafts_.
  void part_what_turns_about_one_anchor(const JointDraft& last,
                                        const std::vector<const JointDraft*>& carried_by);
  void finish_visuals();

  // build_scenery.cpp
  void publishing(const wbt::Node& node, const Frame& frame);
  void controlled(const wbt::Node& node, const Frame& frame);
  void scenery(const wbt::Node& node);
  void light(const wbt::Node& node, const Frame& frame);
  void contact_rules(const wbt::Node& world_info);

  // build_solids.cpp
  void walk(const wbt::Node& node, const Frame& frame);
  void children(const wbt::Node& node, const Frame& frame);
  Frame moved(const wbt::NodeView& node, const Frame& frame) const;
  void visible(const wbt::Node& node, const Frame& frame);
  /// Of a Solid, whose device shows a picture on the first one (DeviceModel::picture).
  void painted_children(const wbt::Node& node, const Frame& frame,
                        const std::shared_ptr<const Image>& picture);
  /// The material of a Shape, or one with the picture that lies on the textured Shapes there.
  std::shared_ptr<const Material> painted(const wbt::Node& shape,
                                          const std::shared_ptr<const Material>& material);
  void solid(const wbt::Node& node, const Frame& frame);
  void topmost_solid(const wbt::Node& node, const Frame& frame);
  void look_at_solid(const wbt::Node& node, const Frame& frame);
  /// The Solid's shapes, mass, devices and children; `frame` is the Solid's own.
  void solid_contents(const wbt::Node& node, Frame frame, const Frame& parent);
  std::vector<physics::CollisionShape> bounding_shapes(const wbt::Node& node, const Frame& frame);
  /// Of a Solid by its Physics; `filled`: its shapes, with a density of 1.
  MassProperties own_mass(const wbt::NodeView& physics, const Frame& frame,
                          const MassProperties& filled) const;
  MassProperties add_mass(const wbt::Node& node, const Frame& frame, double volume,
                          MassProperties own, BodyDraft& draft);
  int new_draft(const wbt::Node& node, physics::Motion motion, const Pose& X_WB,
                const Frame& frame);
  Pose world_pose(const Frame& frame) const;
  int add_solid_info(SolidInfo info);

  // build_fluids.cpp
  void fluid(const wbt::Node& node, const Frame& frame);
  /// What the Solid's immersionProperties say of its own shapes, in the body that carries it.
  void immersed(const wbt::Node& node, const Frame& frame,
                const std::vector<physics::CollisionShape>& shapes);
  /// Drafts become bodies; fluids that are not there are named.
  void finish_fluids();

  // build_elements.cpp
  void charger(const wbt::Node& node, const Frame& frame);
  void region(const wbt::Node& node, const Frame& frame);
  void animation(const wbt::Node& node, const Frame& frame);
  std::optional<Keyframes> read_keyframes(const wbt::Node& node);
  void lines(const wbt::Node& shape, const wbt::Node& geometry, const Frame& frame);
  void finish_links();

  // build_devices.cpp
  void joint(const wbt::Node& node, const Frame& frame);
  void ball_axes(const wbt::Node& node, const Frame& frame, physics::JointSpec& spec);
  void joint_devices(const wbt::Node& node, std::string_view field, int axis, const Frame& frame,
                     JointDraft& joint);
  void thread(const wbt::Node& parameters, physics::JointSpec& spec);
  void joint_of_nothing(const wbt::Node& node, const Frame& frame);
  void finish_devices();
  const DeviceModel* leader_of(const Device& device, const DeviceType& type) const;
  void finish_device(const DeviceDraft& draft);
  std::vector<int> motors_named(const wbt::Node& node, const char* field, const RobotInfo& robot,
                                bool may_slide);
  void check_mount(const wbt::Node& node, const Device& device);
  void check_carrier(const wbt::Node& node, const Device& device);
  int add_robot(const wbt::Node& node, int solid);
  /// Of a device, or of any other Solid; some devices colour what is in the first one.
  void solid_children(const wbt::Node& node, const Frame& frame);
  /// Null when the node is none.
  const DeviceModel* device(const wbt::Node& node, const Frame& frame);
  /// The devices in its field `device` stand on an axis that is no joint's.
  void own_axis(const wbt::Node& node, const Frame& frame, OwnAxis kind, std::size_t owner);
  std::shared_ptr<FreeAxis> free_axis(const wbt::Node& node, std::string_view field,
                                      const Frame& frame, bool linear, double position);
  /// What a joint that moves nothing has.
  std::shared_ptr<FreeAxis> put_on_free_axis(const JointDraft& joint);
  /// A group of its own for what `head` turns about the axis of `frame`, in the frame's origin.
  Frame turning_frame(const Frame& frame, const Vec3& axis, const DeviceModel& head, double rate,
                      int turning, const wbt::Node* owner);
  void turning_fields(const wbt::Node& node, const Frame& frame, const DeviceType& type,
                      const DeviceModel& head);
  void track_wheel(const wbt::Node& node, const Frame& frame);
  /// The axes of a TrackWheel in those of its turning_frame().
  static Quat seen_in_group(const wbt::Node& wheel);
  /// What is seen of the belt of a Track, whose children say where it goes.
  void belt(const wbt::Node& node, const Frame& frame, const DeviceModel& head);
  int next_robot(const wbt::Node& node) const;  ///< the number that the next robot gets
  /// The first device in the robot, not behind a joint, that says where the robot is; null for none.
  const wbt::Node* find_guide(const wbt::Node& robot);
  // build_rolling.cpp
  /// The wheels of a Robot without Physics: nothing unless it has just two that may carry it.
  std::optional<RollingDraft> find_wheels(const wbt::Node& robot);
  void finish_rolling(const JointDraft& draft, physics::JointId joint);

  /// It stands where find_guide() finds it, once in its robot.
  void check_guide(const wbt::Node& node, const Frame& frame);
  /// Null after a diagnostic.
  std::unique_ptr<DeviceModel> make_model(const DevicePlugin& plugin, const wbt::Node& node);
  Device& add_device(const wbt::Node& node, const Frame& frame, const DeviceType& type,
                     std::unique_ptr<DeviceModel> model);
  Device& device_of(const DeviceDraft& draft);
  void rotating_head(const wbt::Node& node, const Frame& frame, const DeviceModel& head);

  // build_vehicles.cpp
  void vehicle(const wbt::Node& node, const Frame& frame);
  /// What is seen of a wheel: its `children` turn with it, its `steeredChildren` are only steered.
  void wheel_shapes(const wbt::Node& wheel, std::string_view field, const Frame& frame,
                    int vehicle, int index);
  /// Makes the vehicles and adds their wheels to their bodies' mass.
  void finish_vehicles();
  void finish_vehicle(const VehicleDraft& draft);
  /// Of the field with whose name the message begins, else of the node.
  Place place_of(const wbt::Node& node, std::string_view message) const;
  /// The node types that extend `base`, for a message.
  std::string types_of(std::string_view base) const;

  const SchemaRegistry& schemas_;
  PluginLoader& plugins_;
  const BuildOptions& options_;
  Diagnostics& diagnostics_;
  ShapeFactory& shapes_;
  WorldModel model_;
  std::vector<BodyDraft> drafts_;
  std::set<int> guided_drafts_;  ///< of robots whose motion a device imposes
  std::vector<JointDraft> joints_;
  std::vector<VisualDraft> visuals_;
  std::vector<VehicleDraft> vehicles_;
  std::vector<DeviceDraft> device_drafts_;
  std::vector<RollingDraft> rolling_;
  std::vector<const wbt::Node*> links_;  ///< DistanceJoints and RevoluteJoints
  std::shared_ptr<const Image> paint_;   ///< on textured Shapes; null: none
  std::vector<const wbt::Node*> immersion_nodes_;  ///< of model_.fluids.solids()
  bool atmosphere_ = false;  ///< one was met
  double default_linear_damping_ = 0, default_angular_damping_ = 0;
  physics::WorldSpec physics_spec_;
  /// Where those begin that belong to drafts of this builder: others are there already.
  struct {
    std::size_t collisions = 0, lines = 0, lights = 0, animations = 0, vehicles = 0, chargers = 0;
  } first_;
  std::vector<int> new_solids_;
  std::size_t free_solid_ = 0;  ///< no number below it is free
  std::map<const wbt::Node*, int> robot_numbers_;
  const wbt::Node* unit_ = nullptr;  ///< what is walked belongs to it
  bool without_solids_ = false;      ///< the topmost ones are units of their own, and there already
  bool only_looks_ = false;          ///< only what is seen of one body is walked
  std::map<const wbt::Node*, int> known_solids_;  ///< while it only looks
};

}  // namespace protobeam
