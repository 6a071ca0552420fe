#include "wbt/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/math.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

enum class Becomes { kValue, kAll, kNearest, kAbsolute };
using enum Becomes;

struct Repair {
  std::string_view type, field;
  Range good;
  Becomes becomes;  ///< kValue: this number; kAll: each number of the field; kNearest: of the range
  double value;
};

Range at_most(double max) {
  Range range;
  range.max = max;
  return range;
}

Range inside(double min, double max) {
  Range range = Range::between(min, max);
  range.min_open = range.max_open = true;
  return range;
}

/// What WbFieldChecker and the nodes' own checks do when a world loads (cyberbotics/webots,
/// src/webots/nodes). By node type, then field.
const Repair kRepairs[] = {
    {"Background", "skyColor", Range::between(0, 1), kNearest, 0},
    {"BallJointParameters", "dampingConstant", Range::at_least(0), kAbsolute, 0},
    {"BallJointParameters", "springConstant", Range::at_least(0), kAbsolute, 0},
    {"Box", "size", Range::positive(), kAll, 1},
    {"Camera", "ambientOcclusionRadius", Range::at_least(0), kValue, 2},
    {"Camera", "bloomThreshold", Range::at_least(0).or_special(-1), kValue, 21},
    {"Camera", "exposure", Range::at_least(0), kValue, 1},
    {"Camera", "far", Range::at_least(0), kValue, 0},
    {"Camera", "fieldOfView", Range::positive(), kValue, 0.7854},
    {"Camera", "height", Range::at_least(1), kValue, 1},
    {"Camera", "near", Range::positive(), kValue, 0.01},
    {"Camera", "noise", Range::at_least(0), kValue, 0},
    {"Camera", "width", Range::at_least(1), kValue, 1},
    {"Capsule", "height", Range::positive(), kValue, 1},
    {"Capsule", "radius", Range::positive(), kValue, 1},
    {"Capsule", "subdivision", Range::between(4, 1000), kValue, 4},
    {"Color", "color", Range::between(0, 1), kNearest, 0},
    {"Cone", "bottomRadius", Range::positive(), kValue, 1},
    {"Cone", "height", Range::positive(), kValue, 1},
    {"Cone", "subdivision", Range::between(3, 1000), kValue, 3},
    {"Connector", "axisTolerance", Range::between(0, kPi), kNearest, 0},
    {"Connector", "distanceTolerance", Range::at_least(0), kValue, 0},
    {"Connector", "numberOfRotations", Range::at_least(0), kValue, 0},
    {"Connector", "rotationTolerance", Range::between(0, kPi), kNearest, 0},
    {"Connector", "shearStrength", Range::at_least(0).or_special(-1), kValue, -1},
    {"Connector", "tensileStrength", Range::at_least(0).or_special(-1), kValue, -1},
    {"ContactProperties", "bounce", Range::between(0, 1), kValue, 0.5},
    {"ContactProperties", "bounceVelocity", Range::at_least(0), kValue, 0.01},
    {"ContactProperties", "softCFM", Range::positive(), kValue, 0.001},
    {"ContactProperties", "softERP", Range::between(0, 1), kValue, 0.2},
    {"Cylinder", "height", Range::positive(), kValue, 1},
    {"Cylinder", "radius", Range::positive(), kValue, 1},
    {"Cylinder", "subdivision", Range::between(3, 1000), kValue, 3},
    {"Damping", "angular", Range::at_least(0), kValue, 0},
    {"Damping", "angular", at_most(1), kValue, 1},
    {"Damping", "linear", Range::at_least(0), kValue, 0},
    {"Damping", "linear", at_most(1), kValue, 1},
    {"DirectionalLight", "ambientIntensity", Range::between(0, 1), kNearest, 0},
    {"DirectionalLight", "color", Range::between(0, 1), kNearest, 0},
    {"DirectionalLight", "intensity", Range::at_least(0), kValue, 1},
    {"Display", "height", Range::at_least(1), kValue, 1},
    {"Display", "width", Range::at_least(1), kValue, 1},
    {"DistanceSensor", "aperture", Range::at_least(0), kAbsolute, 0},
    {"DistanceSensor", "gaussianWidth", Range::positive(), kValue, 1},
    {"DistanceSensor", "numberOfRays", Range::at_least(1), kValue, 1},
    {"DistanceSensor", "redColorSensitivity", Range::at_least(0), kAbsolute, 0},
    {"DistanceSensor", "resolution", Range::positive().or_special(-1), kValue, -1},
    {"ElevationGrid", "thickness", Range::at_least(0), kValue, 0},
    {"ElevationGrid", "xDimension", Range::at_least(0), kValue, 0},
    {"ElevationGrid", "xSpacing", Range::positive(), kValue, 1},
    {"ElevationGrid", "yDimension", Range::at_least(0), kValue, 0},
    {"ElevationGrid", "ySpacing", Range::positive(), kValue, 1},
    {"Emitter", "aperture", Range::between(0, 2 * kPi).or_special(-1), kValue, -1},
    {"Emitter", "byteSize", Range::at_least(8), kValue, 8},
    {"Emitter", "maxRange", Range::positive().or_special(-1), kValue, -1},
    {"Fluid", "density", Range::at_least(0), kValue, 1000},
    {"Fluid", "viscosity", Range::at_least(0), kValue, 1000},
    {"Focus", "focalDistance", Range::at_least(0), kValue, 0},
    {"Focus", "focalLength", Range::at_least(0), kValue, 0},
    {"Focus", "minFocalDistance", Range::at_least(0), kValue, 0},
    {"Fog", "color", Range::between(0, 1), kNearest, 0},
    {"Fog", "visibilityRange", Range::at_least(0), kValue, 0},
    {"HingeJointParameters", "dampingConstant", Range::at_least(0), kAbsolute, 0},
    {"HingeJointParameters", "springConstant", Range::at_least(0), kAbsolute, 0},
    {"HingeJointParameters", "stopCFM", Range::positive().or_special(-1), kValue, -1},
    {"HingeJointParameters", "stopERP", Range::at_least(0).or_special(-1), kValue, -1},
    {"ImageTexture", "filtering", Range::between(0, 5), kValue, 4},
    {"ImmersionProperties", "dragForceCoefficients", Range::at_least(0), kValue, 0},
    {"ImmersionProperties", "dragTorqueCoefficients", Range::at_least(0), kValue, 0},
    {"ImmersionProperties", "viscousResistanceForceCoefficient", Range::at_least(0), kValue, 0},
    {"ImmersionProperties", "viscousResistanceTorqueCoefficient", Range::at_least(0), kValue, 0},
    {"IndexedFaceSet", "creaseAngle", Range::at_least(0), kValue, 0},
    {"JointParameters", "dampingConstant", Range::at_least(0), kAbsolute, 0},
    {"JointParameters", "springConstant", Range::at_least(0), kAbsolute, 0},
    {"LensFlare", "blurIterations", Range::at_least(0), kValue, 2},
    {"LensFlare", "haloWidth", Range::positive(), kValue, 0.5},
    {"LensFlare", "samples", Range::at_least(0), kValue, 1},
    {"LensFlare", "transparency", Range::between(0, 1), kValue, 0.5},
    {"Lidar", "fieldOfView", Range::positive(), kValue, 0.7854},
    {"Lidar", "horizontalResolution", Range::positive(), kValue, 1},
    {"Lidar", "minFrequency", Range::positive(), kValue, 0.01},
    {"Lidar", "minRange", Range::positive(), kValue, 0.01},
    {"Lidar", "near", Range::positive(), kValue, 0.01},
    {"Lidar", "noise", Range::at_least(0), kValue, 0},
    {"Lidar", "numberOfLayers", Range::positive(), kValue, 1},
    {"Lidar", "resolution", Range::positive().or_special(-1), kValue, -1},
    {"Lidar", "verticalFieldOfView", at_most(kPi), kValue, kPi},
    {"Lidar", "verticalFieldOfView", Range::at_least(0), kValue, 0.1},
    {"LinearMotor", "acceleration", Range::at_least(0).or_special(-1), kValue, -1},
    {"LinearMotor", "maxForce", Range::at_least(0), kValue, 10},
    {"LinearMotor", "maxVelocity", Range::at_least(0), kAbsolute, 0},
    {"Material", "ambientIntensity", Range::between(0, 1), kValue, 0.5},
    {"Material", "diffuseColor", Range::between(0, 1), kNearest, 0},
    {"Material", "emissiveColor", Range::between(0, 1), kNearest, 0},
    {"Material", "shininess", Range::between(0, 1), kValue, 0.5},
    {"Material", "specularColor", Range::between(0, 1), kNearest, 0},
    {"Material", "transparency", Range::between(0, 1), kValue, 0.5},
    {"PBRAppearance", "IBLStrength", Range::at_least(0), kValue, 1},
    {"PBRAppearance", "metalness", Range::between(0, 1), kValue, 0},
    {"PBRAppearance", "normalMapFactor", Range::at_least(0), kValue, 1},
    {"PBRAppearance", "occlusionMapStrength", Range::at_least(0), kValue, 1},
    {"PBRAppearance", "roughness", Range::between(0, 1), kValue, 0},
    {"PBRAppearance", "transparency", Range::between(0, 1), kValue, 0},
    {"Pen", "inkDensity", Range::between(0, 1), kNearest, 0},
    {"Physics", "density", Range::positive().or_special(-1), kValue, 1000},
    {"Physics", "mass", Range::positive().or_special(-1), kValue, -1},
    {"Plane", "size", Range::positive(), kAll, 1},
    {"PointLight", "ambientIntensity", Range::between(0, 1), kNearest, 0},
    {"PointLight", "attenuation", Range::at_least(0), kAll, 0},
    {"PointLight", "color", Range::between(0, 1), kNearest, 0},
    {"PointLight", "intensity", Range::at_least(0), kValue, 1},
    {"PointLight", "radius", Range::at_least(0), kValue, 0},
    {"Radar", "angularNoise", Range::at_least(0), kValue, 0},
    {"Radar", "cellDistance", Range::at_least(0), kValue, 0},
    {"Radar", "cellSpeed", Range::at_least(0), kValue, 0},
    {"Radar", "frequency", Range::at_least(0), kValue, 24},
    {"Radar", "horizontalFieldOfView", inside(0, kPi), kValue, 0.78},
    {"Radar", "minAbsoluteRadialSpeed", Range::at_least(0), kValue, 0},
    {"Radar", "minRange", Range::at_least(0), kValue, 0},
    {"Radar", "rangeNoise", Range::at_least(0), kValue, 0},
    {"Radar", "speedNoise", Range::at_least(0), kValue, 0},
    {"Radar", "verticalFieldOfView", inside(0, kPi / 2), kValue, 0.1},
    {"RangeFinder", "fieldOfView", Range::positive(), kValue, 0.7854},
    {"RangeFinder", "height", Range::at_least(1), kValue, 1},
    {"RangeFinder", "minRange", Range::positive(), kValue, 0.01},
    {"RangeFinder", "near", Range::positive(), kValue, 0.01},
    {"RangeFinder", "noise", Range::at_least(0), kValue, 0},
    {"RangeFinder", "resolution", Range::positive().or_special(-1), kValue, -1},
    {"RangeFinder", "width", Range::at_least(1), kValue, 1},
    {"Receiver", "aperture", Range::between(0, 2 * kPi).or_special(-1), kValue, -1},
    {"Receiver", "baudRate", Range::positive().or_special(-1), kValue, -1},
    {"Receiver", "bufferSize", Range::positive().or_special(-1), kValue, -1},
    {"Receiver", "byteSize", Range::at_least(8), kValue, 8},
    {"Receiver", "directionNoise", Range::at_least(0), kValue, 0},
    {"Receiver", "signalStrengthNoise", Range::at_least(0), kValue, 0},
    {"Recognition", "maxObjects", Range::positive().or_special(-1), kValue, -1},
    {"Recognition", "maxRange", Range::positive(), kValue, 100},
    {"Recognition", "occlusion", Range::between(0, 2), kValue, 1},
    {"RotationalMotor", "acceleration", Range::at_least(0).or_special(-1), kValue, -1},
    {"RotationalMotor", "maxTorque", Range::at_least(0), kValue, 10},
    {"RotationalMotor", "maxVelocity", Range::at_least(0), kAbsolute, 0},
    {"Sphere", "radius", Range::positive(), kValue, 1},
    {"SpotLight", "ambientIntensity", Range::between(0, 1), kNearest, 0},
    {"SpotLight", "attenuation", Range::at_least(0), kAll, 0},
    {"SpotLight", "beamWidth", Range::at_least(0), kValue, 0},
    {"SpotLight", "color", Range::between(0, 1), kNearest, 0},
    {"SpotLight", "cutOffAngle", Range::between(0, kPi / 2), kValue, kPi / 2},
    {"SpotLight", "intensity", Range::at_least(0), kValue, 1},
    {"SpotLight", "radius", Range::at_least(0), kValue, 0},
    {"TrackWheel", "radius", Range::positive(), kValue, 0.1},
    {"VacuumGripper", "contactPoints", Range::positive(), kValue, 3},
    {"VacuumGripper", "shearStrength", Range::at_least(0).or_special(-1), kValue, -1},
    {"VacuumGripper", "tensileStrength", Range::at_least(0).or_special(-1), kValue, -1},
    {"Viewpoint", "exposure", Range::at_least(0), kValue, 1},
    {"Viewpoint", "far", Range::at_least(0), kValue, 0},
    {"Viewpoint", "fieldOfView", inside(0, kPi), kValue, kPi / 2},
    {"Viewpoint", "near", Range::positive(), kValue, 0.05},
    {"WorldInfo", "CFM", Range::positive(), kValue, 1e-05},
    {"WorldInfo", "ERP", Range::between(0, 1), kValue, 0.2},
    {"WorldInfo", "FPS", Range::positive(), kValue, 60},
    {"WorldInfo", "basicTimeStep", Range::positive(), kValue, 32},
    {"WorldInfo", "dragForceScale", Range::positive(), kValue, 30},
    {"WorldInfo", "dragTorqueScale", Range::positive(), kValue, 5},
    {"WorldInfo", "lineScale", Range::at_least(0), kValue, 0},
    {"WorldInfo", "randomSeed", Range::at_least(0).or_special(-1), kValue, 0},
    {"Zoom", "minFieldOfView", Range::at_least(0), kValue, 0},
};

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"Camera", "projection"},
    {"RangeFinder", "projection"},
    {"Lidar", "projection"},
    {"Lidar", "type"},
    {"DistanceSensor", "type"},
    {"Emitter", "type"},
    {"Receiver", "type"},
    {"Fog", "fogType"},
    {"GPS", "type"},
    {"TouchSensor", "type"},
    {"Viewpoint", "followType"},
    {"WorldInfo", "coordinateSystem"},
    {"WorldInfo", "gpsCoordinateSystem"},
    {"Connector", "type"},
};

double repaired(const Repair& repair, double number) {
  switch (repair.becomes) {
    case kNearest:
      return std::clamp(number, repair.good.min, repair.good.max);
    case kAbsolute:
      return std::abs(number);
    default:
      return repair.value;
  }
}

}  // namespace

void repair_numbers(const Node& node, Field& field,
                    const std::shared_ptr<const Instantiation>& chain, Diagnostics& diagnostics) {
  auto& numbers = field.value.numbers;
  for (const Repair& repair : kRepairs) {
    if (repair.type != node.type || repair.field != field.name) continue;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isnan(numbers[i]) || repair.good.contains(numbers[i])) continue;
      const double now = repaired(repair, numbers[i]);
      diagnostics.warning(
          field.value.element_place(i),
          fmt::format("field '{}' of {} must be {}, got {}: {} counts, as in Webots", field.name,
                      node.type, repair.good.to_string(), shown(numbers[i]), shown(now)),
          {}, chain);
      if (repair.becomes == kAll) {
        numbers = std::vector<double>(numbers.size(), now);
      } else {
        numbers.edit()[i] = now;
      }
    }
  }
}

void warn_of_unused(const Node& node, const Field& field,
                    const std::shared_ptr<const Instantiation>& chain, Diagnostics& diagnostics) {
  const auto& numbers = field.value.numbers;
  // WbLed::updateChildren
  if (node.type == "LED" && field.name == "color" && numbers.size() > 3) {
    const Field* gradual = node.find("gradual");
    if (!gradual || gradual->value.kind != Value::Kind::kBools || gradual->value.numbers[0] == 0)
      return;
    diagnostics.warning(field.value.element_place(3),
                        "a LED with gradual TRUE has one color, or none to show any: the first one "
                        "counts, as in Webots",
                        {}, chain);
  }
  const bool on_plane = field.name == "projection"
                            ? field.value.strings.size() == 1 && field.value.strings[0] == "planar"
                            : field.name == "spherical" && field.value.numbers.size() == 1 &&
                                  field.value.numbers[0] == 0 && !node.find("projection");
  if (node.type == "Lidar" && on_plane) {
    const Field* type = node.find("type");
    if (!type || type->value.strings.size() != 1 || type->value.strings[0] != "rotating") return;
    diagnostics.warning(field.value.place,
                        "the beams of a Lidar of type \"rotating\" are at equal angles: projection "
                        "\"cylindrical\" counts",
                        {}, chain);
  }
  // WbEmitter::updateAllowedChannels, WbReceiver::updateAllowedChannels
  const bool radio = node.type == "Emitter" || node.type == "Receiver";
  if (radio && field.name == "channel" && numbers.size() == 1) {
    const Field* allowed = node.find("allowedChannels");
    if (!allowed || allowed->value.numbers.empty()) return;
    const auto& all = allowed->value.numbers;
    if (std::find(all.begin(), all.end(), numbers[0]) != all.end()) return;
    diagnostics.warning(field.value.element_place(0),
                        "channel " + shown(numbers[0]) + " is not one of allowedChannels: " +
                            shown(all[0]) + " counts, as in Webots",
                        {}, chain);
  }
}

bool takes_default_for_words(const Node& node, const Field& field) {
  return std::find(std::begin(kWords), std::end(kWords),
                   std::pair<std::string_view, std::string_view>(node.type, field.name)) !=
         std::end(kWords);
}

}  // namespace protobeam::wbt
