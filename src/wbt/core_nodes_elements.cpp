// World elements that users of MVSim know and Webots has no word for: maps from files, regions,
// animations, and joints between bodies that stand apart in the text.
#include "wbt/node_tables.h"

namespace protobeam::wbt {
namespace {

void add_maps(SchemaRegistry& schemas) {
  schemas.add(
      {"ElevationImage",
       "",
       "A terrain from the grey levels of a picture.",
       {{"url", kStrings, "[ ]", "", {}, "A .png, .jpg or .pgm file, 8 or 16 bit"},
        {"resolution", kFloat, "1", "m", Range::positive(), "Distance between two pixels"},
        {"minHeight", kFloat, "0", "m", {}, "Height of the darkest pixel"},
        {"maxHeight", kFloat, "5", "m", {}, "Height of the brightest pixel"},
        {"corner",
         kVec2s,
         "[ ]",
         "m",
         {},
         "Where the first pixel lies; rows follow along x, columns along y; empty: centred"},
        {"textureSize", kVec2, "0 0", "m", Range::at_least(0),
         "Of one picture of the look, along x and y; 0: as large as the map"},
        {"kernel",
         kFloats,
         "[ ]",
         "",
         {},
         "Weights of the heights around each one, whose sum takes its place: 3 x 3, 5 x 5 ... 31 x "
         "31, "
         "row by row, together 1; beyond the edges there is nothing to add"}}});
  schemas.add({"OccupancyGrid",
               "",
               "Walls where the cells of a map are occupied.",
               {{"url",
                 kStrings,
                 "[ ]",
                 "",
                 {},
                 "The .yaml of a ROS map, or a .pgm, .png or .jpg picture, for which the fields "
                 "below say what the .yaml would"},
                {"height", kFloat, "2", "m", Range::positive(), "Of the walls"},
                {"resolution", kFloat, "0.05", "m", Range::positive(), "Size of a pixel"},
                {"origin",
                 kVec3,
                 "0 0 0",
                 "m, m, rad",
                 {},
                 "x, y and yaw of the lower left corner of the picture"},
                {"occupiedThreshold", kFloat, "0.65", "", Range::between(0, 1),
                 "Cells darker than this are walls (0: white, 1: black)"},
                {"negate", kBool, "FALSE", "", {}, "Bright pixels are occupied"}}});
}

void add_region(SchemaRegistry& schemas) {
  schemas.add(
      {"PropertyRegion",
       "Pose",
       "A part of the world where something is different; of those that say it, the last one counts.",
       {{"name", kString, "\"region\"", "", {}, "For messages"},
        {"min", kVec3, "-1 -1 -1000", "m", {}, "Lowest corner; faces belong to the region"},
        {"max", kVec3, "1 1 1000", "m", {}, "Highest corner"},
        {"polygon",
         kVec2s,
         "[ ]",
         "m",
         {},
         "Outline seen from above, instead of x and y of min and max"},
        {"friction", kFloat, "-1", "", Range::at_least(0).or_special(-1),
         "Friction coefficient of wheels on the ground; -1: not said"},
        {"rollingResistance", kFloat, "-1", "", Range::at_least(0).or_special(-1),
         "Rolling resistance coefficient of wheels; -1: not said"},
        {"gnssOutage",
         kBool,
         "FALSE",
         "",
         {},
         "Satellites are hidden: a GPS tells NaN; FALSE, where it is written: they are seen"}}});
}

void add_animation(SchemaRegistry& schemas) {
  schemas.add(
      {"KeyframeAnimation",
       "",
       "Moves a Solid along poses given by time; it pushes others and yields to none.",
       {{"endPoint", kNode, "NULL", "", {}, "What it moves, without Physics", "Solid"},
        {"times", kFloats, "[ ]", "s", Range::at_least(0), "One a keyframe, rising"},
        {"translations",
         kVec3s,
         "[ ]",
         "m",
         {},
         "Of each keyframe, in the frame of the endPoint as it is written; empty: none"},
        {"rotations",
         kRotations,
         "[ ]",
         "rad",
         {},
         "Of each keyframe, likewise; the shorter way round; empty: none"},
        {"loop", kBool, "TRUE", "", {}, "After the last keyframe from 0 s; FALSE: it stays there"}}});
}

void add_links(SchemaRegistry& schemas) {
  const auto body = [](const char* name) {
    return FieldSpec{name, kString, "\"\"", "", {}, "Name of a Solid; empty: the world"};
  };
  const auto anchor = [](const char* name) {
    return FieldSpec{name, kVec3, "0 0 0", "m", {}, "Point in that Solid's frame"};
  };
  schemas.add({"DistanceJoint",
               "",
               "A rod, rope or spring between points of two bodies.",
               {body("bodyA"), anchor("anchorA"), body("bodyB"), anchor("anchorB"),
                {"minLength", kFloat, "0", "m", Range::at_least(0), "Not shorter; a rope: 0"},
                {"maxLength", kFloat, "5", "m", Range::positive(), "Not longer"},
                {"springConstant", kFloat, "0", "N/m", Range::at_least(0),
                 "Between the two lengths: pulls to maxLength"},
                {"dampingConstant", kFloat, "0", "N s/m", Range::at_least(0),
                 "Between the two lengths: brakes along the joint"}}});
  schemas.add(
      {"RevoluteJoint",
       "",
       "A hinge between two bodies, as of a trailer.",
       {body("bodyA"), anchor("anchorA"), body("bodyB"), anchor("anchorB"),
        {"axis", kVec3, "0 0 1", "", {}, "In the frame of bodyA"},
        {"minStop", kFloat, "0", "rad", {}, "Lowest angle, from that at the start; both 0: none"},
        {"maxStop", kFloat, "0", "rad", {}, "Highest angle"}}});
}

void add_charger(SchemaRegistry& schemas) {
  schemas.add({"Charger",
               "Solid",
               "A battery that fills by itself and charges one robot at a time.",
               {{"battery", kFloats, "[ ]", "J, J, W", Range::at_least(0),
                 "Charge, capacity and filling power"},
                {"radius", kFloat, "0.04", "m", Range::at_least(0),
                 "It charges a robot whose origin is so near to its own"},
                ignored({"emissiveColor", kColor, "0 1 0", "", Range::between(0, 1),
                         "Of the first child while it is full"}),
                {"gradual", kBool, "TRUE", "", {}, "The colour grows with the charge"}}});
}

void add_fluids(SchemaRegistry& schemas) {
  const Range not_negative = Range::at_least(0);
  schemas.add(
      {"Fluid",
       "Pose",
       "Water, or another fluid: it carries and brakes what has ImmersionProperties.",
       {{"name", kString, "\"fluid\"", "", {}, "Name in ImmersionProperties"},
        {"model", kString, "\"\"", "", {}, "Free text: what it is"},
        {"description", kString, "\"\"", "", {}, "Free text"},
        {"density", kFloat, "1000", "kg/m^3", not_negative.or_special(-1), "-1: as 0"},
        {"viscosity", kFloat, "0.001", "Pa s", not_negative, "Dynamic viscosity"},
        {"streamVelocity", kVec3, "0 0 0", "m/s", {}, "Of the flow, world frame"},
        {"boundingObject",
         kNode,
         "NULL",
         "",
         {},
         "What it fills: boxes, the half space below a Plane, or the boxes around other shapes",
         kBounding},
        {"locked", kBool, "FALSE", "", {}, "Protected in an editor"}}});
  schemas.add(
      {"ImmersionProperties",
       "",
       "How a Solid behaves in a Fluid.",
       {{"fluidName", kString, "\"\"", "", {}, "Name of the Fluid"},
        {"referenceArea",
         kString,
         "\"immersed area\"",
         "",
         {},
         "Of drag: the wet surface, or what is seen of it along the axes of the Solid",
         "immersed area|xyz-projected area|xyz-projection"},
        {"dragForceCoefficients", kVec3, "0 0 0", "", not_negative,
         "Along the axes; of the wet surface the first one counts"},
        {"dragTorqueCoefficients", kVec3, "0 0 0", "m^3", not_negative, "About the axes, likewise"},
        {"viscousResistanceForceCoefficient", kFloat, "0", "m", not_negative,
         "Times viscosity and velocity"},
        {"viscousResistanceTorqueCoefficient", kFloat, "0", "m^3", not_negative,
         "Times viscosity and angular velocity"}}});
}

}  // namespace

void add_element_nodes(SchemaRegistry& schemas) {
  add_maps(schemas);
  add_region(schemas);
  add_animation(schemas);
  add_links(schemas);
  add_charger(schemas);
  add_fluids(schemas);
}

}  // namespace protobeam::wbt
