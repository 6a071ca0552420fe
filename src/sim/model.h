// What the simulation is made of, after the tree was built: robots, devices, things to draw.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/device_type.h"
#include "base/place.h"
#include "base/zeroed_bytes.h"
#include "device/device_model.h"
#include "device/surroundings.h"
#include "geometry/material.h"
#include "output/publish_settings.h"
#include "physics/world.h"
#include "raycast/ray_scene.h"
#include "sim/animation.h"
#include "sim/battery.h"
#include "sim/belt_path.h"
#include "sim/fluids.h"
#include "sim/free_axis.h"
#include "sim/property_region.h"
#include "sim/scene_labels.h"
#include "sim/wheel_motion.h"
#include "sim/vehicle/vehicle_host.h"

namespace protobeam {
namespace wbt {
struct Node;
}

/// A Solid of the world text: for contacts, listings and messages.
struct SolidInfo {
  std::string name;
  std::string type, proto;  ///< node type and PROTO name ("" for none)
  Place place;
  Place written_at;  ///< in the world's own text: where the outermost PROTO was used
  physics::BodyId body = physics::kWorldBody;
  Pose X_BS;        ///< in its body; in the world when body is kWorldBody
  double mass = 0;              ///< kg, by its own Physics
  double weight_mass = 0;       ///< kg of it at which gravity pulls: all or nothing
  Vec3 centre_B = Vec3::Zero();  ///< of that mass
  Mat3 inertia_B = Mat3::Zero();  ///< kg m^2 of that mass about its centre, in the body's axes
  /// What others bump into where it never moves; kWorldBody without a boundingObject.
  physics::BodyId static_body = physics::kWorldBody;
  int parent = -1;  ///< index of the enclosing Solid
  int robot = -1;
  double radar_cross_section = 0;  ///< m^2
  double temperature = 0;          ///< K; 0: that of what is around it
  bool removed = false;            ///< taken out of the world while it runs: its number is free
  const wbt::Node* node = nullptr;
  const wbt::Node* unit = nullptr;  ///< see WorldModel
  std::string model;               ///< what it is, in the author's words
  std::vector<Eigen::Vector3f> recognition_colors;  ///< 0..1, as written
};

/// A rigid group of visible shapes: one instance of the ray scene.
struct VisualGroup {
  static constexpr RayScene::Instance kNoInstance = kNoHit;  ///< it has no shapes now
  RayScene::Instance instance = 0;
  physics::BodyId body = physics::kWorldBody;  ///< moves with it; kWorldBody: never moves
  Pose X_BG;                                   ///< in the body; in the world when it never moves
  Pose X_WG, X_WG_before;                      ///< now, and at the start of the step
  const DeviceModel* head =
      nullptr;           ///< the device that turns it about z by its head_angle(), or null
  double head_rate = 1;  ///< rad per unit of head_angle()
  std::shared_ptr<const BeltPath> belt;  ///< along which the head moves it instead; null: it turns
  double belt_offset = 0;                ///< m, where on the belt it is at head_angle() 0
  int turning = -1;              ///< seen while the head's seen_turning() is this; -1: always
  int vehicle = -1, wheel = -1;  ///< a wheel of model.vehicles[vehicle] that turns it, or -1
  bool only_steers = false;      ///< ... that steers it, but does not spin it
  std::vector<std::shared_ptr<const Material>> materials;  ///< by shape of the instance
  std::vector<std::shared_ptr<const Geometry>> geometries;
  std::vector<Pose> shape_poses;  ///< of each shape in the group
  std::vector<int> solids;        ///< index of the Solid of each shape, -1 for none
  std::vector<const wbt::Node*> nodes;  ///< what shows each shape: a Shape or CadShape
  std::vector<int> emitters;  ///< of WorldModel::emitters, that colours each shape; -1: none
  /// What pens drew on each shape, or null; empty: nothing on any.
  std::vector<std::shared_ptr<PaintLayer>> paints;
  /// Where its shapes begin in the tree: the Solid, a rotating head, or a Shape in no Solid.
  const wbt::Node* owner = nullptr;
  Vec3 scale = Vec3::Ones();         ///< of the owner's children
  const wbt::Node* unit = nullptr;   ///< see WorldModel
  bool divided_off = false;  ///< from another group of the owner, to be hidden from a device
};

/// A shape of a boundingObject, for who looks at the world.
struct CollisionInfo {
  std::shared_ptr<const Geometry> geometry;
  Pose X_BS;
  physics::BodyId body = physics::kWorldBody;
  int solid = -1;
};

struct JointInfo {
  std::string name;
  const wbt::Node* node = nullptr;
  physics::JointKind kind = physics::JointKind::kFixed;
  physics::BodyId parent = physics::kWorldBody;
  Vec3 anchor_P = Vec3::Zero();  ///< in the parent's frame
  std::vector<Vec3> axes_P;      ///< unit, at position 0
  const wbt::Node* unit = nullptr;
  int solid = -1;  ///< index of the Solid in which it stands; -1: none
};

/// Lines and dots for the eye: no sensor sees them.
struct LineSet {
  physics::BodyId body = physics::kWorldBody;
  std::vector<Vec3> ends_B;  ///< two a line; in the world when it never moves
  Eigen::Vector3f color{1, 1, 1};
  std::vector<Vec3> dots_B;
  std::vector<Eigen::Vector3f> dot_colors;  ///< of each dot; empty: `color`
  const wbt::Node* unit = nullptr;
};

/// A device of a robot: its place, schedule and payload. Its tag is its index in the robot's list
/// plus 1.
struct Device {
  std::string name, type, proto;
  Place place;
  const wbt::Node* node = nullptr;
  const wbt::Node* unit = nullptr;
  int robot = 0;
  physics::BodyId body = physics::kWorldBody;
  Pose X_BD;       ///< in its body; in the world when it never moves
  int solid = -1;  ///< its SolidInfo, -1 for those of joints
  physics::JointId joint = -1;  ///< those of joints
  int axis = 0;
  double sampling_period = 0;  ///< s; sampled so often without being asked; 0: not
  bool sees_own_robot = true;  ///< what sees
  std::shared_ptr<FreeAxis> free_axis;  ///< its own, or the one it stands on; null for others
  int free_axis_number = -1;            ///< in WorldModel::free_axes
  std::vector<const wbt::Node*> unseen;     ///< nodes that a supervisor hides from it
  std::vector<std::size_t> unseen_visuals;  ///< WorldModel::visuals of these
  bool labelled = false;  ///< its returns carry labels (WorldModel::labels)
  std::unique_ptr<BodyPort> body_port;
  std::unique_ptr<JointPort> joint_port;
  std::unique_ptr<RobotPort> robot_port;
  std::unique_ptr<DeviceModel> model;
  Inputs inputs;  ///< what its samples look at

  // While running:
  std::uint32_t key = 0;         ///< NoiseKey::device
  std::int64_t period = 0;       ///< physics steps; 0: not enabled
  std::int64_t next_sample = 0;  ///< physics step at which the next sample is due
  std::uint64_t frames = 0;      ///< whole frames delivered
  std::uint64_t samples = 0;
  std::uint64_t points = 0;  ///< returns in all frames
  double wall_seconds = 0;   ///< spent in sample()
  // Before the bodies moved in this step; of the device's origin.
  Pose X_WD_before;
  Vec3 v_WD_before = Vec3::Zero();
  Vec3 v_mounted_before = Vec3::Zero();  ///< in W, of the mass that Input::kMountForce is about
  ZeroedBytes own_data;      ///< where samples go when no controller has memory for them
  std::span<std::byte> data;        ///< where samples go
  bool facts_changed = false;       ///< and the controller has not been told

  /// The last sample stays, and new ones go into own_data: the controller's memory is about to go.
  void keep_last_sample();
};

struct RobotInfo {
  std::string name, model, controller, custom_data, window;
  std::vector<std::string> controller_arguments;
  Place place;
  std::filesystem::path
      proto_file;  ///< of its outermost PROTO, whose project may hold the controller
  bool synchronization = true;
  bool supervisor = false;
  bool self_collision = false;
  int index = -1;        ///< in WorldModel::robots
  bool removed = false;  ///< taken out of the world while it runs: its number is free
  const wbt::Node* node = nullptr;
  const wbt::Node* unit = nullptr;
  int solid = -1;
  Battery battery;
  std::vector<Device> devices;
  std::vector<TopicSettings> topics;  ///< of the nodes Topic in it
  std::vector<ControllerSettings> ros2_controllers;
  std::vector<HardwareSettings> ros2_hardware;
};

/// A DirectionalLight, PointLight or SpotLight that is switched on.
struct Light {
  enum class Kind { kDirectional, kPoint, kSpot };
  Kind kind = Kind::kDirectional;
  Eigen::Vector3f color{1, 1, 1};
  float intensity = 1, ambient = 0;
  bool casts_shadows = false;
  physics::BodyId body = physics::kWorldBody;  ///< moves with it
  Vec3 location_B = Vec3::Zero();              ///< in its body; in the world when it never moves
  Vec3 direction_B{0, 0, -1};                  ///< where it shines; any length
  Vec3 attenuation{1, 0, 0};                   ///< 1 / (x + y d + z d^2)
  double radius = 100;                         ///< m; no light beyond
  double beam_width = 1.570796, cut_off_angle = 0.785398;  ///< rad; full inside, none outside
  const wbt::Node* node = nullptr;
  const wbt::Node* unit = nullptr;
  int emitter = -1;  ///< of WorldModel::emitters, that colours it
};

/// A device that colours Shapes and lights (DeviceModel::emission).
struct LightEmitter {
  struct Shape {
    int group;  ///< of WorldModel::visuals
    std::size_t index;
  };
  int robot = -1, device = 0;  ///< -1: it is gone
  const wbt::Node* unit = nullptr;
  std::vector<Shape> shapes;        ///< by collect_emitters()
  std::vector<std::size_t> lights;  ///< of WorldModel::lights; ditto
  Eigen::Vector3f color{0, 0, 0};   ///< of all of them, once it was applied
  bool applied = false;
};

struct Background {
  bool given = false;
  Eigen::Vector3f sky{0, 0, 0};
  float luminosity = 1;
  /// Pictures of the six sides as Webots names them: right, left, top, bottom, front, back. Seen
  /// from the middle; null where none is given.
  std::array<std::shared_ptr<const Image>, 6> sides;
};

struct Fog {
  enum class Kind { kLinear, kExponential, kExponential2 };
  Kind kind = Kind::kLinear;
  Eigen::Vector3f color{1, 1, 1};
  double visibility_range = 0;  ///< m; 0: none
};

struct Viewpoint {
  Pose X_WV;  ///< x forward, z up
  double field_of_view = 0.785398;  ///< rad, across the wider side
  double near = 0.05, far = 0;      ///< m; far 0: unlimited
  std::string follow;               ///< name of a Solid
};

/// What came of one topmost Solid of the tree, or of another node at its top, is a unit: it comes and
/// goes as a whole. Everything in it names that node.
struct WorldModel {
  std::string title;
  std::uint64_t seed = 0;
  double basic_time_step = 0.032;  ///< s
  Vec3 gravity{0, 0, -9.81}, gravity_direction = -Vec3::UnitZ();
  bool geodetic = false;
  bool utm = false;  ///< geodetic, and the world's axes are those of the zone of gps_reference
  Vec3 gps_reference = Vec3::Zero();
  Vec3 north = Vec3::UnitY(), up = Vec3::UnitZ();  ///< unit, in the world
  bool north_up_east = false;                      ///< coordinateSystem "NUE"
  std::unique_ptr<physics::World> physics;
  std::unique_ptr<RayScene> visible;
  std::vector<VisualGroup> visuals;
  std::vector<SolidInfo> solids;
  std::deque<RobotInfo> robots;  ///< a deque: references to them last
  /// Those that controllers do not see: of joints outside of robots, belts, propellers.
  std::deque<Device> loose_devices;
  std::vector<std::shared_ptr<FreeAxis>> free_axes;
  std::vector<std::shared_ptr<const Image>> pictures;  ///< DeviceModel::picture() on Shapes
  /// Of `vehicles`, one for each node type.
  std::map<std::string, std::unique_ptr<const DeviceType>> drive_types;
  std::vector<RollingBody> rolling;    ///< robots without Physics that drive
  std::vector<VehicleHost*> vehicles;  ///< in the order of the world's text; devices own them
  std::vector<JointInfo> joints;  ///< by JointId
  std::vector<CollisionInfo> collisions;
  std::vector<LineSet> lines;
  std::vector<Light> lights;
  std::vector<LightEmitter> emitters;
  std::uint64_t emissions = 0;  ///< counts changes of their colours
  double ink_evaporation = 0;   ///< 1/s, by which what pens drew fades
  std::uint64_t painted = 0;    ///< counts shapes that a pen drew on for the first time
  Background background;
  Fog fog;
  Atmosphere atmosphere;
  std::optional<Sun> sun;
  PropertyRegions regions;
  Fluids fluids;
  std::vector<Charger> chargers;
  Animator animations;
  std::unique_ptr<SurfaceTable> surfaces;  ///< of `visible`; null when no sensor asks
  std::unique_ptr<SceneLabels> labels;     ///< of `visible`; null when nobody records them
  std::optional<Viewpoint> viewpoint;
  PublishSettings publishing;
  std::vector<const wbt::Node*> outputs;  ///< nodes of Output types, in the loaded world
};

/// Whether it is enabled and its robot has power.
inline bool works(const WorldModel& model, const Device& device) {
  return device.period != 0 &&
         !(device.robot >= 0 &&
           model.robots[static_cast<std::size_t>(device.robot)].battery.has_run_down);
}

}  // namespace protobeam
