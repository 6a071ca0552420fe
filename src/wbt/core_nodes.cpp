// The tree's own nodes: groups, solids and robots. Names and defaults are those of Webots R2025a
// (its reference manual, chapter "Nodes and API Functions", and resources/nodes/*.wrl).
#include "wbt/load.h"
#include "wbt/node_tables.h"

namespace protobeam::wbt {

void add_core_schemas(SchemaRegistry& schemas) {
  schemas.add({"Group",
               "",
               "Holds other nodes.",
               {{"children", kNodes, "[ ]", "", {}, "The nodes inside", kChildren}}});
  schemas.add(
      {"Pose",
       "Group",
       "Places its children.",
       {{"translation", kVec3, "0 0 0", "m", {}, "Origin in the parent's frame"},
        {"rotation", kRotation, "0 0 1 0", "rad", {}, "Axis and angle relative to the parent"},
        {"translationStep", kFloat, "0.01", "m", Range::at_least(0), "Step of an editor's arrows"},
        {"rotationStep", kFloat, "0.261799", "rad", Range::at_least(0),
         "Step of an editor's arrows"}}});
  schemas.add({"Transform",
               "Pose",
               "Places and scales its children.",
               {{"scale", kVec3, "1 1 1", "", {}, "Factor along each axis, not 0"}}});
  schemas.add(
      {"Solid",
       "Pose",
       "A body: something that can be seen, touched and moved.",
       {{"name", kString, "\"solid\"", "", {}, "Name among its siblings"},
        {"model", kString, "\"\"", "", {}, "Free text: what it is"},
        {"description", kString, "\"\"", "", {}, "Free text"},
        {"contactMaterial", kString, "\"default\"", "", {}, "Material in ContactProperties"},
        {"immersionProperties",
         kNodes,
         "[ ]",
         "",
         {},
         "Behaviour in fluids",
         "ImmersionProperties"},
        {"boundingObject", kNode, "NULL", "", {}, "Shape for collisions", kBounding},
        {"physics", kNode, "NULL", "", {}, "Mass; NULL: it does not fall or yield", "Physics"},
        {"locked", kBool, "FALSE", "", {}, "Protected in an editor"},
        {"radarCrossSection", kFloat, "0", "m^2", Range::at_least(0), "Echo for a radar; 0: none"},
        {"recognitionColors", kColors, "[ ]", "", Range::between(0, 1),
         "Colours for recognition by cameras"},
        {"temperature", kFloat, "0", "K", Range::between(0, 65535),
         "For a ThermalCamera; 0: that of the Solid around it, or of the surroundings"},
        {"linearVelocity", kVec3, "0 0 0", "m/s", {}, "Velocity at the start, world frame"},
        {"angularVelocity",
         kVec3,
         "0 0 0",
         "rad/s",
         {},
         "Angular velocity at the start, world frame"}}});
  // Ours; Webots' devices wait for a controller.
  schemas.add({"Device",
               "Solid",
               "Something that a robot measures with; what stands in a world is one of the types "
               "that extend it.",
               {{"samplingPeriod", kFloat, "0", "ms", Range::at_least(0),
                 "It is sampled so often from the start on; 0: once a controller enables it"}}});
  schemas.add(
      {"Robot",
       "Solid",
       "A body with devices, driven by a controller program.",
       {{"name", kString, "\"robot\"", "", {}, "Name among the robots"},
        {"controller",
         kString,
         "\"<generic>\"",
         "",
         {},
         "Program in controllers/, \"<extern>\" or \"<none>\""},
        {"controllerArgs", kStrings, "[ ]", "", {}, "Arguments of the program"},
        {"customData", kString, "\"\"", "", {}, "Text that controllers read and write"},
        former({"data", kString, "\"\"", "", {}, "Before R2018a"}, "customData"),
        {"supervisor", kBool, "FALSE", "", {}, "The controller may use the supervisor functions"},
        {"synchronization", kBool, "TRUE", "", {}, "The simulation waits for the controller"},
        {"battery", kFloats, "[ ]", "J, J, W", Range::at_least(0),
         "Charge, capacity and charging power; empty: it needs none"},
        {"cpuConsumption", kFloat, "10", "W", Range::at_least(0), "Power drawn by the computer"},
        {"selfCollision", kBool, "FALSE", "", {}, "Its own parts collide with each other"},
        {"window",
         kString,
         "\"<generic>\"",
         "",
         {},
         "Page of its robot window: plugins/robot_windows/NAME/NAME.html (run --web)"},
        ignored({"remoteControl", kString, "\"<none>\"", "", {}, "Plugin for a real robot"}),
        ignored({"showWindow", kBool, "FALSE", "", {}, "Before R2020a: opens the window"})}});
  schemas.add({"Slot",
               "",
               "A named place that another Slot with a matching type plugs into.",
               {{"type", kString, "\"\"", "", {}, "Connector type; + and - at the end must pair"},
                {"endPoint", kNode, "NULL", "", {}, "What is plugged in"}}});
  schemas.add(
      {"SolidReference",
       "",
       "Names another body of the robot: closes a chain of joints.",
       {{"solidName", kString, "\"\"", "", {}, "Name of the Solid or \"<static environment>\""}}});
  add_world_nodes(schemas);
  add_shape_nodes(schemas);
  add_physics_nodes(schemas);
  add_element_nodes(schemas);
  add_webots_nodes(schemas);
}

}  // namespace protobeam::wbt
