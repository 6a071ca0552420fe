#ifndef WEBOTS_NODE_HPP
#define WEBOTS_NODE_HPP

#include <webots/supervisor.h>

#include <string>

namespace webots {

class Field;
class Proto;

using ContactPoint = WbContactPoint;

/// A node of the world, as Supervisor gives it: see webots/supervisor.h. Kept until the program ends.
class Node {
 public:
  enum Type {
    NO_NODE = WB_NODE_NO_NODE,
    APPEARANCE = WB_NODE_APPEARANCE,
    BACKGROUND = WB_NODE_BACKGROUND,
    BILLBOARD = WB_NODE_BILLBOARD,
    BOX = WB_NODE_BOX,
    CAD_SHAPE = WB_NODE_CAD_SHAPE,
    CAPSULE = WB_NODE_CAPSULE,
    COLOR = WB_NODE_COLOR,
    CONE = WB_NODE_CONE,
    COORDINATE = WB_NODE_COORDINATE,
    CYLINDER = WB_NODE_CYLINDER,
    DIRECTIONAL_LIGHT = WB_NODE_DIRECTIONAL_LIGHT,
    ELEVATION_GRID = WB_NODE_ELEVATION_GRID,
    FOG = WB_NODE_FOG,
    GROUP = WB_NODE_GROUP,
    IMAGE_TEXTURE = WB_NODE_IMAGE_TEXTURE,
    INDEXED_FACE_SET = WB_NODE_INDEXED_FACE_SET,
    INDEXED_LINE_SET = WB_NODE_INDEXED_LINE_SET,
    MATERIAL = WB_NODE_MATERIAL,
    MESH = WB_NODE_MESH,
    MUSCLE = WB_NODE_MUSCLE,
    NORMAL = WB_NODE_NORMAL,
    PBR_APPEARANCE = WB_NODE_PBR_APPEARANCE,
    PLANE = WB_NODE_PLANE,
    POINT_LIGHT = WB_NODE_POINT_LIGHT,
    POINT_SET = WB_NODE_POINT_SET,
    POSE = WB_NODE_POSE,
    SHAPE = WB_NODE_SHAPE,
    SPHERE = WB_NODE_SPHERE,
    SPOT_LIGHT = WB_NODE_SPOT_LIGHT,
    TEXTURE_COORDINATE = WB_NODE_TEXTURE_COORDINATE,
    TEXTURE_TRANSFORM = WB_NODE_TEXTURE_TRANSFORM,
    TRANSFORM = WB_NODE_TRANSFORM,
    VIEWPOINT = WB_NODE_VIEWPOINT,
    ROBOT = WB_NODE_ROBOT,
    ACCELEROMETER = WB_NODE_ACCELEROMETER,
    ALTIMETER = WB_NODE_ALTIMETER,
    BRAKE = WB_NODE_BRAKE,
    CAMERA = WB_NODE_CAMERA,
    COMPASS = WB_NODE_COMPASS,
    CONNECTOR = WB_NODE_CONNECTOR,
    DISPLAY = WB_NODE_DISPLAY,
    DISTANCE_SENSOR = WB_NODE_DISTANCE_SENSOR,
    EMITTER = WB_NODE_EMITTER,
    GPS = WB_NODE_GPS,
    GYRO = WB_NODE_GYRO,
    INERTIAL_UNIT = WB_NODE_INERTIAL_UNIT,
    LED = WB_NODE_LED,
    LIDAR = WB_NODE_LIDAR,
    LIGHT_SENSOR = WB_NODE_LIGHT_SENSOR,
    LINEAR_MOTOR = WB_NODE_LINEAR_MOTOR,
    PEN = WB_NODE_PEN,
    POSITION_SENSOR = WB_NODE_POSITION_SENSOR,
    PROPELLER = WB_NODE_PROPELLER,
    RADAR = WB_NODE_RADAR,
    RANGE_FINDER = WB_NODE_RANGE_FINDER,
    RECEIVER = WB_NODE_RECEIVER,
    ROTATIONAL_MOTOR = WB_NODE_ROTATIONAL_MOTOR,
    SKIN = WB_NODE_SKIN,
    SPEAKER = WB_NODE_SPEAKER,
    TOUCH_SENSOR = WB_NODE_TOUCH_SENSOR,
    VACUUM_GRIPPER = WB_NODE_VACUUM_GRIPPER,
    BALL_JOINT = WB_NODE_BALL_JOINT,
    BALL_JOINT_PARAMETERS = WB_NODE_BALL_JOINT_PARAMETERS,
    CHARGER = WB_NODE_CHARGER,
    CONTACT_PROPERTIES = WB_NODE_CONTACT_PROPERTIES,
    DAMPING = WB_NODE_DAMPING,
    FLUID = WB_NODE_FLUID,
    FOCUS = WB_NODE_FOCUS,
    HINGE_JOINT = WB_NODE_HINGE_JOINT,
    HINGE_JOINT_PARAMETERS = WB_NODE_HINGE_JOINT_PARAMETERS,
    HINGE_2_JOINT = WB_NODE_HINGE_2_JOINT,
    IMMERSION_PROPERTIES = WB_NODE_IMMERSION_PROPERTIES,
    JOINT_PARAMETERS = WB_NODE_JOINT_PARAMETERS,
    LENS = WB_NODE_LENS,
    LENS_FLARE = WB_NODE_LENS_FLARE,
    PHYSICS = WB_NODE_PHYSICS,
    RECOGNITION = WB_NODE_RECOGNITION,
    SLIDER_JOINT = WB_NODE_SLIDER_JOINT,
    SLOT = WB_NODE_SLOT,
    SOLID = WB_NODE_SOLID,
    SOLID_REFERENCE = WB_NODE_SOLID_REFERENCE,
    TRACK = WB_NODE_TRACK,
    TRACK_WHEEL = WB_NODE_TRACK_WHEEL,
    WORLD_INFO = WB_NODE_WORLD_INFO,
    ZOOM = WB_NODE_ZOOM,
    MICROPHONE = WB_NODE_MICROPHONE,
    RADIO = WB_NODE_RADIO,
    PROTOBEAM_DEVICE = WB_NODE_PROTOBEAM_DEVICE
  };

  int getId() const { return wb_supervisor_node_get_id(ref_); }
  Type getType() const { return static_cast<Type>(wb_supervisor_node_get_type(ref_)); }
  std::string getDef() const { return wb_supervisor_node_get_def(ref_); }
  std::string getTypeName() const { return wb_supervisor_node_get_type_name(ref_); }
  std::string getBaseTypeName() const { return wb_supervisor_node_get_base_type_name(ref_); }
  Node* getParentNode() const { return findNode(wb_supervisor_node_get_parent_node(ref_)); }
  bool isProto() const { return wb_supervisor_node_is_proto(ref_); }
  Proto* getProto() const;
  Node* getFromProtoDef(const std::string& name) const {
    return findNode(wb_supervisor_node_get_from_proto_def(ref_, name.c_str()));
  }
  virtual void remove() { wb_supervisor_node_remove(ref_); }
  std::string exportString() const { return wb_supervisor_node_export_string(ref_); }

  Field* getField(const std::string& name) const;
  Field* getFieldByIndex(int index) const;
  int getNumberOfFields() const { return wb_supervisor_node_get_number_of_fields(ref_); }
  Field* getBaseNodeField(const std::string& name) const;
  Field* getBaseNodeFieldByIndex(int index) const;
  int getNumberOfBaseNodeFields() const {
    return wb_supervisor_node_get_number_of_base_node_fields(ref_);
  }
  // Older names.
  Field* getProtoField(const std::string& name) const { return getBaseNodeField(name); }
  Field* getProtoFieldByIndex(int index) const { return getBaseNodeFieldByIndex(index); }
  int getProtoNumberOfFields() const { return getNumberOfBaseNodeFields(); }

  const double* getPosition() const { return wb_supervisor_node_get_position(ref_); }
  const double* getOrientation() const { return wb_supervisor_node_get_orientation(ref_); }
  const double* getPose() const { return wb_supervisor_node_get_pose(ref_, nullptr); }
  const double* getPose(const Node* from) const {
    return wb_supervisor_node_get_pose(ref_, from ? from->ref_ : nullptr);
  }
  const double* getCenterOfMass() const { return wb_supervisor_node_get_center_of_mass(ref_); }
  const double* getVelocity() const { return wb_supervisor_node_get_velocity(ref_); }
  bool getStaticBalance() const { return wb_supervisor_node_get_static_balance(ref_); }
  ContactPoint* getContactPoints(bool includeDescendants, int* size) const {
    return wb_supervisor_node_get_contact_points(ref_, includeDescendants, size);
  }
  int getNumberOfContactPoints(bool includeDescendants = false) const {
    return wb_supervisor_node_get_number_of_contact_points(ref_, includeDescendants);
  }
  const double* getContactPoint(int index) const {
    return wb_supervisor_node_get_contact_point(ref_, index);
  }
  Node* getContactPointNode(int index) const {
    return findNode(wb_supervisor_node_get_contact_point_node(ref_, index));
  }

  void enablePoseTracking(int samplingPeriod) const {
    wb_supervisor_node_enable_pose_tracking(ref_, samplingPeriod, nullptr);
  }
  void enablePoseTracking(int samplingPeriod, const Node* from) const {
    wb_supervisor_node_enable_pose_tracking(ref_, samplingPeriod, from ? from->ref_ : nullptr);
  }
  void disablePoseTracking() const { wb_supervisor_node_disable_pose_tracking(ref_, nullptr); }
  void disablePoseTracking(const Node* from) const {
    wb_supervisor_node_disable_pose_tracking(ref_, from ? from->ref_ : nullptr);
  }
  void enableContactPointsTracking(int samplingPeriod, bool includeDescendants = false) const {
    wb_supervisor_node_enable_contact_points_tracking(ref_, samplingPeriod, includeDescendants);
  }
  void disableContactPointsTracking(bool = false) const {
    wb_supervisor_node_disable_contact_points_tracking(ref_);
  }

  void setVelocity(const double velocity[6]) { wb_supervisor_node_set_velocity(ref_, velocity); }
  void addForce(const double force[3], bool relative) {
    wb_supervisor_node_add_force(ref_, force, relative);
  }
  void addForceWithOffset(const double force[3], const double offset[3], bool relative) {
    wb_supervisor_node_add_force_with_offset(ref_, force, offset, relative);
  }
  void addTorque(const double torque[3], bool relative) {
    wb_supervisor_node_add_torque(ref_, torque, relative);
  }
  void resetPhysics() { wb_supervisor_node_reset_physics(ref_); }
  void setJointPosition(double position, int index = 1) {
    wb_supervisor_node_set_joint_position(ref_, position, index);
  }
  void saveState(const std::string& name) { wb_supervisor_node_save_state(ref_, name.c_str()); }
  void loadState(const std::string& name) { wb_supervisor_node_load_state(ref_, name.c_str()); }
  void restartController() { wb_supervisor_node_restart_controller(ref_); }
  void moveViewpoint() const { wb_supervisor_node_move_viewpoint(ref_); }
  void setVisibility(Node* from, bool visible) {
    wb_supervisor_node_set_visibility(ref_, from ? from->ref_ : nullptr, visible);
  }

  /// The same object for the same node; null for null.
  static Node* findNode(WbNodeRef ref);

 private:
  explicit Node(WbNodeRef ref) : ref_(ref) {}
  virtual ~Node() = default;

  WbNodeRef ref_;
};

}  // namespace webots

#endif  // WEBOTS_NODE_HPP
