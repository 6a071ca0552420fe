// Nodes of the world as a whole: its settings, view, background and lights.
#include "wbt/node_tables.h"

namespace protobeam::wbt {
namespace {

FieldSpec url(const char* name, const char* meaning) {
  return {name, kStrings, "[ ]", "", {}, meaning};
}

}  // namespace

void add_world_nodes(SchemaRegistry& schemas) {
  schemas.add(
      {"WorldInfo",
       "",
       "Settings of the world.",
       {{"info", kStrings, "[ ]", "", {}, "Free text"},
        {"title", kString, "\"\"", "", {}, "Title of the world"},
        {"window", kString, "\"<none>\"", "", {}, "World window of the user interface"},
        {"gravity", kFloat, "9.81", "m/s^2", {}, "Downwards"},
        // Ours.
        {"gravityDirection", kVec3, "0 0 0", "", {}, "Where gravity pulls; 0 0 0: downwards"},
        {"CFM", kFloat, "0.00001", "", Range::at_least(0), "Constraint softness"},
        {"ERP", kFloat, "0.2", "", Range::between(0, 1), "Share of a joint error mended each step"},
        ignored({"physics", kString, "\"<none>\"", "", {}, "Physics plugin"}),
        {"basicTimeStep", kFloat, "32", "ms", Range::between(0.1, 10000),
         "Length of a physics step"},
        // Ours.
        {"vehicleTimeStep", kFloat, "5", "ms", Range::between(1, 100),
         "A physics step with vehicles in it is cut into ones that are not longer"},
        {"maxSeparationSpeed", kFloat, "-1", "m/s", Range::at_least(0).or_special(-1),
         "Bodies that overlap part no faster than this, or 0.1 m/s; -1: as fast as in ODE"},
        {"FPS", kFloat, "60", "Hz", Range::at_least(1), "Pictures a second in a window"},
        {"optimalThreadCount", kInt, "1", "", Range::at_least(1), "Threads of the physics engine"},
        {"physicsDisableTime", kFloat, "1", "s", Range::at_least(0),
         "A body at rest for so long falls asleep"},
        {"physicsDisableLinearThreshold", kFloat, "0.01", "m/s", Range::at_least(0),
         "Slower than this is at rest"},
        {"physicsDisableAngularThreshold", kFloat, "0.01", "rad/s", Range::at_least(0),
         "Slower than this is at rest"},
        {"defaultDamping", kNode, "NULL", "", {}, "For bodies without their own", "Damping"},
        {"inkEvaporation", kFloat, "0", "", Range::at_least(0), "Fading of what pens draw"},
        {"coordinateSystem",
         kString,
         "\"ENU\"",
         "",
         {},
         "World axes: ENU has z up, NUE y up",
         "ENU|NUE|EUN"},
        // "UTM" is ours.
        {"gpsCoordinateSystem",
         kString,
         "\"local\"",
         "",
         {},
         "What a GPS tells; UTM: WGS84, of a world whose axes are those of the UTM zone of "
         "gpsReference",
         "local|WGS84|UTM"},
        {"gpsReference",
         kVec3,
         "0 0 0",
         "",
         {},
         "Latitude, longitude (deg), altitude (m) of 0 0 0; m along the axes if local"},
        // Ours; Webots' worlds have x to the east.
        {"gpsRotation", kFloat, "0", "rad", {}, "From east to the x axis, counterclockwise"},
        {"lineScale", kFloat, "0.1", "m", Range::at_least(0), "Length of drawn axes"},
        {"dragForceScale", kFloat, "30", "", Range::at_least(0), "Pulling with a mouse"},
        {"dragTorqueScale", kFloat, "5", "", Range::at_least(0), "Turning with a mouse"},
        {"randomSeed", kInt, "0", "", {}, "Seed of all noise"},
        {"contactProperties",
         kNodes,
         "[ ]",
         "",
         {},
         "What happens where two materials touch",
         "ContactProperties"},
        ignored({"northDirection", kVec3, "1 0 0", "", {}, "Before R2020b: where north is"})}});
  schemas.add(
      {"Viewpoint",
       "",
       "Where a person looks at the world from.",
       {{"fieldOfView",
         kFloat,
         "0.785398",
         "rad",
         {0, 3.14159265358979, true, true},
         "Across the wider side"},
        {"orientation", kRotation, "0 0 1 0", "rad", {}, "The view looks along its x axis, z up"},
        {"position", kVec3, "-10 0 0", "m", {}, "Of the eye"},
        {"description", kString, "\"\"", "", {}, "Free text"},
        {"near", kFloat, "0.05", "m", Range::positive(), "Nothing nearer is drawn"},
        {"far", kFloat, "0", "m", Range::at_least(0), "Nothing farther is drawn; 0: all is"},
        {"exposure", kFloat, "1", "", Range::at_least(0), "Brightness of the picture"},
        {"follow", kString, "\"\"", "", {}, "Name of the Solid that the view follows"},
        {"followType",
         kString,
         "\"Tracking Shot\"",
         "",
         {},
         "How it follows",
         "None|Tracking Shot|Mounted Shot|Pan and Tilt Shot"},
        {"followSmoothness", kFloat, "0.5", "", Range::between(0, 1), "How softly it follows"},
        {"followOrientation", kBool, "FALSE", "", {}, "Before R2020a: mounted on what it follows"},
        {"lensFlare", kNode, "NULL", "", {}, "Effect of the picture"},
        {"ambientOcclusionRadius", kFloat, "2", "m", Range::at_least(0), "Effect of the picture"},
        {"bloomThreshold", kFloat, "21", "", Range::at_least(0).or_special(-1),
         "Effect of the picture"}}});
  schemas.add({"Background",
               "",
               "Sky colour and pictures.",
               {{"skyColor", kColors, "[ 0 0 0 ]", "", Range::between(0, 1), "Colour of the sky"},
                url("backUrl", "Picture of a side"),
                url("bottomUrl", "Picture of a side"),
                url("frontUrl", "Picture of a side"),
                url("leftUrl", "Picture of a side"),
                url("rightUrl", "Picture of a side"),
                url("topUrl", "Picture of a side"),
                url("backIrradianceUrl", "Light of a side"),
                url("bottomIrradianceUrl", "Light of a side"),
                url("frontIrradianceUrl", "Light of a side"),
                url("leftIrradianceUrl", "Light of a side"),
                url("rightIrradianceUrl", "Light of a side"),
                url("topIrradianceUrl", "Light of a side"),
                {"luminosity", kFloat, "1", "", Range::at_least(0), "Brightness"},
                {"quarterTurns",
                 kInt,
                 "0",
                 "",
                 {},
                 "How often the pictures are turned to the left by 90 degrees, seen from above"}}});
  schemas.add({"Fog",
               "",
               "Fog of the picture.",
               {{"color", kColor, "1 1 1", "", Range::between(0, 1), "Colour"},
                {"fogType",
                 kString,
                 "\"LINEAR\"",
                 "",
                 {},
                 "How it thickens with distance",
                 "LINEAR|EXPONENTIAL|EXPONENTIAL2"},
                {"visibilityRange", kFloat, "0", "m", Range::at_least(0), "0: no fog"}}});
  // Ours; Webots' Fog is for the eye only. See docs/lidar-models.md.
  schemas.add({"Atmosphere",
               "",
               "Weather as lidars see it; for the eye there is Fog.",
               {{"visibility", kFloat, "0", "m", Range::at_least(0),
                 "Meteorological visibility in fog or haze (contrast 2 %, 550 nm); 0: clear"},
                {"rainRate", kFloat, "0", "mm/h", Range::at_least(0), "Rain"},
                {"snowRate", kFloat, "0", "mm/h", Range::at_least(0), "Snow, as melted water"},
                {"dustDensity", kFloat, "0", "g/m^3", Range::at_least(0), "Mineral dust in the air"}}});
  const std::vector<FieldSpec> light = {
      {"ambientIntensity", kFloat, "0", "", Range::between(0, 1),
       "Light that comes from all sides"},
      {"castShadows", kBool, "FALSE", "", {}, "Things throw shadows"},
      {"color", kColor, "1 1 1", "", Range::between(0, 1), "Colour"},
      {"intensity", kFloat, "1", "", Range::at_least(0), "Brightness"},
      {"on", kBool, "TRUE", "", {}, "Switched on"}};
  const auto with_light = [&](std::vector<FieldSpec> fields) {
    fields.insert(fields.begin(), light.begin(), light.end());
    return fields;
  };
  const FieldSpec attenuation{"attenuation",
                              kVec3,
                              "1 0 0",
                              "",
                              Range::at_least(0),
                              "Constant, linear and quadratic loss with distance"};
  const FieldSpec location{"location", kVec3, "0 0 0", "m", {}, "Place in the parent's frame"};
  const FieldSpec radius{"radius", kFloat, "100", "m", Range::at_least(0), "Reach"};
  const FieldSpec direction{"direction", kVec3, "0 0 -1", "", {}, "Where it shines"};
  schemas.add(
      {"DirectionalLight", "", "Parallel light, as from the sun.", with_light({direction})});
  schemas.add({"PointLight", "", "Light from a point to all sides.",
               with_light({attenuation, location, radius})});
  const Range cone{0, 1.5707963267948966, false, false};
  schemas.add({"SpotLight", "", "Light in a cone.",
               with_light({attenuation,
                           {"beamWidth", kFloat, "1.570796", "rad", cone, "Full light inside"},
                           {"cutOffAngle", kFloat, "0.785398", "rad", cone, "No light outside"},
                           direction,
                           location,
                           radius})});
}

}  // namespace protobeam::wbt
