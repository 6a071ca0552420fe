// Short words for the field tables of the language's node types.
#pragma once

#include "base/field_table.h"

namespace protobeam::wbt {

inline constexpr FieldType kBool = FieldType::kBool, kInt = FieldType::kInt32,
                           kFloat = FieldType::kFloat, kVec2 = FieldType::kVec2f,
                           kVec3 = FieldType::kVec3f, kRotation = FieldType::kRotation,
                           kColor = FieldType::kColor, kString = FieldType::kString,
                           kNode = FieldType::kNode, kInts = FieldType::kMFInt32,
                           kFloats = FieldType::kMFFloat, kVec2s = FieldType::kMFVec2f,
                           kVec3s = FieldType::kMFVec3f,
                           kRotations = FieldType::kMFRotation, kColors = FieldType::kMFColor,
                           kStrings = FieldType::kMFString, kNodes = FieldType::kMFNode;

/// A field that Webots knows, without effect here: one counted warning when it is set.
/// An old spelling of another field.
inline FieldSpec former(FieldSpec spec, const char* today) {
  spec.alias_of = today;
  return spec;
}

inline FieldSpec ignored(FieldSpec spec) {
  spec.not_simulated = true;
  return spec;
}

/// Whatever may stand in a list of children.
inline constexpr const char* kChildren =
    "Group|Shape|CadShape|HingeJoint|Hinge2Joint|SliderJoint|BallJoint|DirectionalLight|"
    "PointLight|SpotLight|VehicleDrive|KeyframeAnimation|Topic|BodyDevice|TrackWheel|"
    "Ros2Controller|Ros2Hardware";
/// Geometry of a Shape, and of a boundingObject.
inline constexpr const char* kGeometry =
    "Box|Sphere|Cylinder|Capsule|Cone|Plane|ElevationGrid|ElevationImage|OccupancyGrid|"
    "IndexedFaceSet|IndexedLineSet|PointSet|Mesh";
inline constexpr const char* kBounding =
    "Box|Sphere|Cylinder|Capsule|Plane|ElevationGrid|ElevationImage|OccupancyGrid|IndexedFaceSet|"
    "Mesh|Shape|Group";

void add_world_nodes(SchemaRegistry& schemas);
void add_shape_nodes(SchemaRegistry& schemas);
void add_physics_nodes(SchemaRegistry& schemas);
void add_element_nodes(SchemaRegistry& schemas);  ///< what Webots has no word for
void add_webots_nodes(SchemaRegistry& schemas);  ///< those that are not simulated

}  // namespace protobeam::wbt
