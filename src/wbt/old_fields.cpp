#include "wbt/old_fields.h"

#include <algorithm>
#include <iterator>

namespace protobeam::wbt {
namespace {

/// In alphabetical order.
constexpr std::string_view kWebotsNodes[] = {
    "Accelerometer",
    "Altimeter",
    "Appearance",
    "Background",
    "BallJoint",
    "BallJointParameters",
    "Billboard",
    "Box",
    "Brake",
    "CadShape",
    "Camera",
    "Capsule",
    "Charger",
    "Color",
    "Compass",
    "Cone",
    "Connector",
    "ContactProperties",
    "Coordinate",
    "Cylinder",
    "Damping",
    "DirectionalLight",
    "Display",
    "DistanceSensor",
    "ElevationGrid",
    "Emitter",
    "Fluid",
    "Focus",
    "Fog",
    "GPS",
    "Group",
    "Gyro",
    "Hinge2Joint",
    "HingeJoint",
    "HingeJointParameters",
    "ImageTexture",
    "ImmersionProperties",
    "IndexedFaceSet",
    "IndexedLineSet",
    "InertialUnit",
    "JointParameters",
    "LED",
    "Lens",
    "LensFlare",
    "Lidar",
    "LightSensor",
    "LinearMotor",
    "Material",
    "Mesh",
    "Microphone",
    "Muscle",
    "Normal",
    "PBRAppearance",
    "Pen",
    "Physics",
    "Plane",
    "PointLight",
    "PointSet",
    "Pose",
    "PositionSensor",
    "Propeller",
    "Radar",
    "Radio",
    "RangeFinder",
    "Receiver",
    "Recognition",
    "Robot",
    "RotationalMotor",
    "Shape",
    "Skin",
    "SliderJoint",
    "Slot",
    "Solid",
    "SolidReference",
    "Speaker",
    "Sphere",
    "SpotLight",
    "TextureCoordinate",
    "TextureTransform",
    "TouchSensor",
    "Track",
    "TrackWheel",
    "Transform",
    "VacuumGripper",
    "Viewpoint",
    "WorldInfo",
    "Zoom",
};

struct OldField {
  std::string_view type, field, last;
};

constexpr OldField kOldFields[] = {
    {"Appearance", "shaders", "R2018a"},
    {"Background", "cubemap", "R2019b"},
    {"Camera", "colorNoise", "R2022b"},
    {"Camera", "pixelSize", "R2022b"},
    {"Camera", "type", "R2022b"},
    {"Camera", "windowPosition", "R2022b"},
    {"Display", "pixelSize", "R2023b"},
    {"Display", "windowPosition", "R2023b"},
    {"ElevationGrid", "color", "R2019a"},
    {"ElevationGrid", "colorPerVertex", "R2019a"},
    {"ElevationGrid", "zDimension", "R2021b"},
    {"ElevationGrid", "zSpacing", "R2021b"},
    {"IndexedFaceSet", "solid", "R2023a"},
    {"LensFlare", "biais", "R2018b"},
    {"LensFlare", "burstSizesAndPositions", "R2018a"},
    {"LensFlare", "haloSizesAndPositions", "R2018a"},
    {"LensFlare", "occlusion", "R2018a"},
    {"PBRAppearance", "environmentMap", "R2019a"},
    {"Robot", "showWindow", "R2022a"},
    {"Skin", "model", "R2021b"},
};

}  // namespace

bool is_webots_node(std::string_view type) {
  return std::binary_search(std::begin(kWebotsNodes), std::end(kWebotsNodes), type);
}

std::string_view last_release_with(std::string_view type, std::string_view field) {
  for (const OldField& old : kOldFields) {
    if (old.type == type && old.field == field) return old.last;
  }
  return {};
}

}  // namespace protobeam::wbt
