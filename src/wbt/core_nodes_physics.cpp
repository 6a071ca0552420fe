// Masses, contacts and joints.
#include "wbt/node_tables.h"

namespace protobeam::wbt {
namespace {

void add_bodies(SchemaRegistry& schemas) {
  schemas.add(
      {"Physics",
       "",
       "Mass of a Solid.",
       {{"density", kFloat, "1000", "kg/m^3", Range::at_least(0).or_special(-1),
         "Of the boundingObject; -1: mass counts"},
        {"mass", kFloat, "-1", "kg", Range::at_least(0).or_special(-1), "-1: density counts"},
        {"centerOfMass", kVec3s, "[ ]", "m", {}, "In the Solid's frame; empty: from the shape"},
        {"inertiaMatrix",
         kVec3s,
         "[ ]",
         "kg m^2",
         {},
         "I11 I22 I33, I12 I13 I23 about the centre of mass; empty: from the shape"},
        {"damping", kNode, "NULL", "", {}, "NULL: WorldInfo.defaultDamping", "Damping"},
        {"gravity", kBool, "TRUE", "", {}, "Gravity pulls at this mass"}}});
  schemas.add(
      {"Damping",
       "",
       "Slows a body down.",
       {{"linear", kFloat, "0.2", "", Range::between(0, 1), "Share of velocity lost a second"},
        {"angular", kFloat, "0.2", "", Range::between(0, 1),
         "Share of angular velocity lost a second"}}});
  schemas.add(
      {"ContactProperties",
       "",
       "What happens where two materials touch.",
       {{"material1", kString, "\"default\"", "", {}, "contactMaterial of one Solid"},
        {"material2", kString, "\"default\"", "", {}, "contactMaterial of the other Solid"},
        {"coulombFriction", kFloats, "[ 1 ]", "", Range::at_least(0).or_special(-1),
         "Friction coefficients; -1: infinite. Two to four: along and across the friction "
         "directions of Boxes, Planes and Cylinders"},
        {"frictionRotation", kVec2, "0 0", "rad", {}, "Turns the friction directions of both bodies"},
        {"frictionDirection", kVec3, "0 0 0", "", {},
         "The first friction direction, in the shapes of material1, whatever they are: the first two values "
         "of friction and slip are along and across it; 0 0 0: that of the shapes"},
        {"rollingFriction", kVec3, "0 0 0", "", Range::at_least(0).or_special(-1),
         "Rho, rho2 and rhoN"},
        {"bounce", kFloat, "0.5", "", Range::between(0, 1), "0: none, 1: all"},
        {"bounceVelocity", kFloat, "0.01", "m/s", Range::at_least(0), "Slower does not bounce"},
        {"forceDependentSlip", kFloats, "[ 0 ]", "m/(N s)", Range::at_least(0),
         "Slip velocity per force"},
        {"softERP", kFloat, "0.2", "", Range::between(0, 1), "Share of depth mended each step"},
        {"softCFM", kFloat, "0.001", "", Range::at_least(0), "Softness"},
        ignored({"bumpSound",
                 kString,
                 "\"https://raw.githubusercontent.com/cyberbotics/webots/"
                 "R2025a/projects/default/worlds/sounds/bump.wav\"",
                 "",
                 {},
                 "Sound"}),
        ignored({"rollSound",
                 kString,
                 "\"https://raw.githubusercontent.com/cyberbotics/webots/"
                 "R2025a/projects/default/worlds/sounds/roll.wav\"",
                 "",
                 {},
                 "Sound"}),
        ignored({"slideSound",
                 kString,
                 "\"https://raw.githubusercontent.com/cyberbotics/webots/"
                 "R2025a/projects/default/worlds/sounds/slide.wav\"",
                 "",
                 {},
                 "Sound"}),
        ignored({"maxContactJoints", kInt, "10", "", Range::at_least(1), "Contact points at most"})}});
}

void add_joints(SchemaRegistry& schemas) {
  const Range soft = Range::at_least(0);
  const auto axis = [](const char* value) {
    return FieldSpec{"axis", kVec3, value, "", {}, "Direction in the parent's frame"};
  };
  const FieldSpec anchor{"anchor", kVec3, "0 0 0", "m", {}, "Point of the axis, parent's frame"};
  schemas.add(
      {"JointParameters",
       "",
       "Axis, stops and springs of a joint.",
       {{"position", kFloat, "0", "rad or m", {}, "Position at the start"},
        axis("0 0 1"),
        {"minStop", kFloat, "0", "rad or m", {}, "Lowest position; both stops 0: none"},
        {"maxStop", kFloat, "0", "rad or m", {}, "Highest position"},
        {"springConstant", kFloat, "0", "N m/rad or N/m", soft, "Pulls to springReference"},
        {"springReference", kFloat, "0", "rad or m", {}, "Position at which the spring is at rest"},
        {"dampingConstant", kFloat, "0", "N m s/rad or N s/m", soft, "Brakes by velocity"},
        {"staticFriction", kFloat, "0", "N m or N", soft, "Brakes whatever the velocity"},
        {"maxVelocity", kFloat, "-1", "rad/s or m/s", Range::positive().or_special(-1),
         "No faster, whatever drives it; -1: any"}}});
  schemas.add(
      {"HingeJointParameters",
       "JointParameters",
       "Of a hinge.",
       {axis("1 0 0"),
        anchor,
        {"suspensionSpringConstant", kFloat, "0", "N/m", soft, "Spring along suspensionAxis"},
        {"suspensionDampingConstant", kFloat, "0", "N s/m", soft, "Damper along suspensionAxis"},
        {"suspensionAxis", kVec3, "1 0 0", "", {}, "Direction in which the hinge gives way"},
        // Ours.
        {"threadPitch", kFloat, "0", "m", Range::between(-1000, 1000),
         "Of a screw: how far it moves along its axis in a revolution, right-handed; 0: a hinge"},
        ignored({"stopERP", kFloat, "-1", "", Range::between(0, 1).or_special(-1),
                 "Share of error at a stop mended each step; -1: the world's"}),
        ignored({"stopCFM", kFloat, "-1", "", soft.or_special(-1),
                 "Softness of stops; -1: the world's"})}});
  schemas.add({"BallJointParameters",
               "JointParameters",
               "Of a ball joint, about the axis of its jointParameters2 (1 0 0 without them).",
               {ignored(axis("1 0 0")), anchor}});
  const auto parameters = [](const char* name, const char* type) {
    return FieldSpec{name, kNode, "NULL", "", {}, "NULL: all defaults", type};
  };
  const auto devices = [](const char* name, const char* types) {
    return FieldSpec{name, kNodes, "[ ]", "", {}, "Motor, sensor and brake of the axis", types};
  };
  constexpr const char* kTurning = "JointDevice|RotationalDevice";
  const FieldSpec end{
      "endPoint", kNode, "NULL", "", {}, "The body that it moves", "Solid|SolidReference"};
  const auto position = [](const char* name, const char* unit) {
    return FieldSpec{name, kFloat, "0", unit, {}, "Position at the start, as saved by an editor"};
  };
  schemas.add({"HingeJoint",
               "",
               "Lets a body turn about an axis.",
               {parameters("jointParameters", "HingeJointParameters"), devices("device", kTurning),
                end, position("position", "rad")}});
  schemas.add({"Hinge2Joint",
               "HingeJoint",
               "Lets a body turn about two axes.",
               {parameters("jointParameters2", "JointParameters"), devices("device2", kTurning),
                position("position2", "rad")}});
  schemas.add(
      {"SliderJoint",
       "",
       "Lets a body slide along an axis.",
       {parameters("jointParameters", "JointParameters"),
        devices("device", "JointDevice|LinearDevice"), end, position("position", "m")}});
  schemas.add(
      {"BallJoint",
       "",
       "Lets a body turn about a point.",
       {parameters("jointParameters", "BallJointParameters"),
        parameters("jointParameters2", "JointParameters"),
        parameters("jointParameters3", "JointParameters"), devices("device", kTurning),
        devices("device2", kTurning), devices("device3", kTurning), end,
        position("position", "rad"), position("position2", "rad"), position("position3", "rad")}});
}

void add_device_bases(SchemaRegistry& schemas) {
  const auto base = [&](const char* name, const char* meaning) {
    schemas.add({name, "", meaning, {{"name", kString, "\"\"", "", {}, "Name for the controller"}}});
  };
  base("JointDevice", "A device of any joint; what stands in a world is one of the types that extend it.");
  base("RotationalDevice", "A JointDevice of joints that turn.");
  base("LinearDevice", "A JointDevice of joints that slide.");
  schemas.add({"BodyDevice",
               "",
               "What acts on the body that it stands in, without a body of its own; "
               "what stands in a world is one of the types that extend it.",
               {}});
  schemas.add(
      {"TrackWheel",
       "Group",
       "What is seen of a wheel in the belt of a Track; it turns as the belt runs.",
       {{"position", kVec2, "0 0", "m", {}, "x and z of its centre in the frame of the Track"},
        {"radius", kFloat, "0.1", "m", Range::at_least(0), "Where the belt runs"},
        {"inner", kBool, "TRUE", "", {}, "Inside the belt; FALSE: outside, it turns the other way"},
        // Hidden in Webots, which writes it when it saves a world.
        {"rotation",
         kRotation,
         "1 0 0 1.5708",
         "rad",
         {},
         "No effect: the belt turns the wheel"}}});
}

}  // namespace

void add_physics_nodes(SchemaRegistry& schemas) {
  add_bodies(schemas);
  add_joints(schemas);
  add_device_bases(schemas);
}

}  // namespace protobeam::wbt
