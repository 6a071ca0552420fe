// Webots' numbers of node types.
#include "controller/supervisor_access.h"

namespace protobeam::controller {
namespace {

struct NamedType {
  const char* name;
  WbNodeType type;
};
constexpr NamedType kTypes[] = {
    {"Accelerometer", WB_NODE_ACCELEROMETER},
    {"Altimeter", WB_NODE_ALTIMETER},
    {"Appearance", WB_NODE_APPEARANCE},
    {"Background", WB_NODE_BACKGROUND},
    {"BallJoint", WB_NODE_BALL_JOINT},
    {"BallJointParameters", WB_NODE_BALL_JOINT_PARAMETERS},
    {"Billboard", WB_NODE_BILLBOARD},
    {"Box", WB_NODE_BOX},
    {"Brake", WB_NODE_BRAKE},
    {"CadShape", WB_NODE_CAD_SHAPE},
    {"Camera", WB_NODE_CAMERA},
    {"Capsule", WB_NODE_CAPSULE},
    {"Charger", WB_NODE_CHARGER},
    {"Color", WB_NODE_COLOR},
    {"Compass", WB_NODE_COMPASS},
    {"Cone", WB_NODE_CONE},
    {"Connector", WB_NODE_CONNECTOR},
    {"ContactProperties", WB_NODE_CONTACT_PROPERTIES},
    {"Coordinate", WB_NODE_COORDINATE},
    {"Cylinder", WB_NODE_CYLINDER},
    {"Damping", WB_NODE_DAMPING},
    {"DirectionalLight", WB_NODE_DIRECTIONAL_LIGHT},
    {"Display", WB_NODE_DISPLAY},
    {"DistanceSensor", WB_NODE_DISTANCE_SENSOR},
    {"ElevationGrid", WB_NODE_ELEVATION_GRID},
    {"Emitter", WB_NODE_EMITTER},
    {"Fluid", WB_NODE_FLUID},
    {"Focus", WB_NODE_FOCUS},
    {"Fog", WB_NODE_FOG},
    {"GPS", WB_NODE_GPS},
    {"Group", WB_NODE_GROUP},
    {"Gyro", WB_NODE_GYRO},
    {"Hinge2Joint", WB_NODE_HINGE_2_JOINT},
    {"HingeJoint", WB_NODE_HINGE_JOINT},
    {"HingeJointParameters", WB_NODE_HINGE_JOINT_PARAMETERS},
    {"ImageTexture", WB_NODE_IMAGE_TEXTURE},
    {"ImmersionProperties", WB_NODE_IMMERSION_PROPERTIES},
    {"IndexedFaceSet", WB_NODE_INDEXED_FACE_SET},
    {"IndexedLineSet", WB_NODE_INDEXED_LINE_SET},
    {"InertialUnit", WB_NODE_INERTIAL_UNIT},
    {"JointParameters", WB_NODE_JOINT_PARAMETERS},
    {"LED", WB_NODE_LED},
    {"Lens", WB_NODE_LENS},
    {"LensFlare", WB_NODE_LENS_FLARE},
    {"Lidar", WB_NODE_LIDAR},
    {"LightSensor", WB_NODE_LIGHT_SENSOR},
    {"LinearMotor", WB_NODE_LINEAR_MOTOR},
    {"Material", WB_NODE_MATERIAL},
    {"Mesh", WB_NODE_MESH},
    {"Microphone", WB_NODE_MICROPHONE},
    {"Muscle", WB_NODE_MUSCLE},
    {"Normal", WB_NODE_NORMAL},
    {"PBRAppearance", WB_NODE_PBR_APPEARANCE},
    {"Pen", WB_NODE_PEN},
    {"Physics", WB_NODE_PHYSICS},
    {"Plane", WB_NODE_PLANE},
    {"PointLight", WB_NODE_POINT_LIGHT},
    {"PointSet", WB_NODE_POINT_SET},
    {"Pose", WB_NODE_POSE},
    {"PositionSensor", WB_NODE_POSITION_SENSOR},
    {"Propeller", WB_NODE_PROPELLER},
    {"Radar", WB_NODE_RADAR},
    {"Radio", WB_NODE_RADIO},
    {"RangeFinder", WB_NODE_RANGE_FINDER},
    {"Receiver", WB_NODE_RECEIVER},
    {"Recognition", WB_NODE_RECOGNITION},
    {"Robot", WB_NODE_ROBOT},
    {"RotationalMotor", WB_NODE_ROTATIONAL_MOTOR},
    {"Shape", WB_NODE_SHAPE},
    {"Skin", WB_NODE_SKIN},
    {"SliderJoint", WB_NODE_SLIDER_JOINT},
    {"Slot", WB_NODE_SLOT},
    {"Solid", WB_NODE_SOLID},
    {"SolidReference", WB_NODE_SOLID_REFERENCE},
    {"Speaker", WB_NODE_SPEAKER},
    {"Sphere", WB_NODE_SPHERE},
    {"SpotLight", WB_NODE_SPOT_LIGHT},
    {"TextureCoordinate", WB_NODE_TEXTURE_COORDINATE},
    {"TextureTransform", WB_NODE_TEXTURE_TRANSFORM},
    {"TouchSensor", WB_NODE_TOUCH_SENSOR},
    {"Track", WB_NODE_TRACK},
    {"TrackWheel", WB_NODE_TRACK_WHEEL},
    {"Transform", WB_NODE_TRANSFORM},
    {"VacuumGripper", WB_NODE_VACUUM_GRIPPER},
    {"Viewpoint", WB_NODE_VIEWPOINT},
    {"WorldInfo", WB_NODE_WORLD_INFO},
    {"Zoom", WB_NODE_ZOOM},
};

}  // namespace

WbNodeType node_type_of(const std::string& name) {
  for (const auto& [known, type] : kTypes) {
    if (name == known) return type;
  }
  return WB_NODE_NO_NODE;
}

}  // namespace protobeam::controller
