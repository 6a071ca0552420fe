#include "urdf/link_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "urdf/ros_names.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr double kFast = 1e9;  // rad/s, more than any command

bool is_airfoil(const Element& plugin) {
  return file_has(plugin, "LiftDragPlugin") ||
         (file_has(plugin, "lift_drag_system") && !file_has(plugin, "advanced"));
}

bool is_thruster(const Element& plugin) { return file_has(plugin, "thruster_system"); }

bool is_rotor(const Element& plugin) {
  return file_has(plugin, "multicopter_motor_model") || file_has(plugin, "gazebo_motor_model");
}

bool is_simple_water(const Element& plugin) { return file_has(plugin, "SimpleHydrodynamics"); }

bool is_water(const Element& plugin) {
  return file_has(plugin, "hydrodynamics_system") || is_simple_water(plugin);
}

bool flag(const Element& plugin, const char* tag) {
  const std::string text = child_text(plugin, tag);
  return text == "true" || text == "1";
}

/// That turns z there.
Quat along(const Vec3& axis) { return Quat::FromTwoVectors(Vec3::UnitZ(), axis); }

}  // namespace

bool is_link_force(const Element& plugin) {
  return is_airfoil(plugin) || is_thruster(plugin) || is_rotor(plugin) || is_water(plugin);
}

std::string rotor_joint(const Element& plugin) {
  if (is_thruster(plugin)) return child_text(plugin, "joint_name");
  return is_rotor(plugin) ? child_text(plugin, "jointName") : "";
}

LinkForces::LinkForces(Import& import, const Control& control)
    : import_(import), control_(control) {
  for (std::size_t i = 0; i < import.robot.links.size(); ++i) {
    const Link& link = import.robot.links[i];
    if (!link.added_mass.empty()) added_mass_[static_cast<int>(i)] = link.added_mass;
  }
  for (const Element* plugin : all_plugins(import.robot)) {
    if (is_airfoil(*plugin)) add_airfoil(*plugin);
    if (is_thruster(*plugin)) add_thruster(*plugin);
    if (is_rotor(*plugin)) add_rotor(*plugin);
    if (is_water(*plugin)) add_water(*plugin);
  }
  for (auto& [link, mass] : added_mass_) {
    const Element* element = import.robot.links[static_cast<std::size_t>(link)].element;
    nodes_.emplace_back(link, NodeMaker("Hydrodynamics", {element->place, nullptr})
                                  .numbers("addedMass", std::move(mass))
                                  .take());
  }
  added_mass_.clear();
}

std::vector<wbt::NodePtr> LinkForces::of(int link) const {
  std::vector<wbt::NodePtr> out;
  for (const auto& [where, node] : nodes_)
    if (where == link) out.push_back(node);
  return out;
}

int LinkForces::link_named(const Element& plugin, const char* tag) const {
  const std::string name = child_text(plugin, tag);
  const auto& links = import_.robot.links;
  const auto found = std::ranges::find(links, name, &Link::name);
  if (found != links.end()) return static_cast<int>(found - links.begin());
  std::vector<std::string> known;
  for (const Link& link : links) known.push_back(link.name);
  import_.diagnostics.warning(
      plugin.place, fmt::format("there is no link '{}' at which this <plugin> could push", name),
      did_you_mean(name, known));
  return -1;
}

const Joint* LinkForces::joint_of(const Element& plugin) const {
  const std::string name = rotor_joint(plugin);
  const Joint* joint = joint_named(import_, name, plugin.place, "a rotor", false);
  if (!joint || (turns_or_slides(*joint) && control_.has_motor(*joint))) return joint;
  import_.diagnostics.warning(plugin.place,
                              fmt::format("joint '{}' has no motor for a rotor", name));
  return nullptr;
}

double LinkForces::number(const Element& plugin, const char* tag, double otherwise) const {
  return child_number(plugin, tag, import_.diagnostics).value_or(otherwise);
}

Vec3 LinkForces::vec3(const Element& plugin, const char* tag, const Vec3& otherwise) const {
  const Element* child = plugin.child(tag);
  if (!child) return otherwise;
  const auto got = numbers_of(child->text, 3, fmt::format("<{}>", tag), import_.diagnostics);
  return got ? Vec3((*got)[0], (*got)[1], (*got)[2]) : otherwise;
}

void LinkForces::note(const Element& plugin, std::initializer_list<const char*> tags) const {
  for (const char* tag : tags) {
    if (const Element* one = plugin.child(tag))
      import_.ignored.add(fmt::format("<{}> of Gazebo's <plugin>s of rotors", tag), one->place);
  }
}

/// Defaults are those of gz-sim's LiftDrag.
void LinkForces::add_airfoil(const Element& plugin) {
  const int link = link_named(plugin, "link_name");
  if (link < 0) return;
  const Vec3 forward = vec3(plugin, "forward", Vec3::UnitX());
  const Vec3 upward = vec3(plugin, "upward", Vec3::UnitZ());
  const bool radial = flag(plugin, "radial_symmetry");
  if (!(forward.norm() > 1e-9) ||
      (!radial && !(forward.normalized().cross(upward).norm() > 1e-6))) {
    import_.diagnostics.warning(plugin.place,
                                "an airfoil needs a <forward> and an <upward> that are not along "
                                "each other; it has no effect");
    return;
  }
  NodeMaker made("LiftDrag", {plugin.place, nullptr});
  made.vec3("forward", forward).vec3("upward", upward);
  made.vec3("centerOfPressure", vec3(plugin, "cp", Vec3::Zero()));
  struct Field {
    const char *name, *tag;
    double otherwise, least;
  };
  for (const auto& [name, tag, otherwise, least] :
       {Field{"area", "area", 1, 0}, Field{"density", "air_density", 1.2041, 0},
        Field{"attackOffset", "a0", 0, -kFast}, Field{"liftSlope", "cla", 1, -kFast},
        Field{"dragSlope", "cda", 0.01, -kFast}, Field{"momentSlope", "cma", 0, -kFast},
        Field{"stallAngle", "alpha_stall", kPi / 2, 0},
        Field{"stalledLiftSlope", "cla_stall", 0, -kFast},
        Field{"stalledDragSlope", "cda_stall", 1, -kFast},
        Field{"stalledMomentSlope", "cma_stall", 0, -kFast}})
    made.number(name, std::max(least, number(plugin, tag, otherwise)));
  if (radial) made.flag("radialSymmetry", true);
  if (flag(plugin, "reversible")) made.flag("reversible", true);
  if (const std::string name = child_text(plugin, "control_joint_name"); !name.empty()) {
    const auto& joints = import_.robot.joints;
    const auto joint = std::ranges::find(joints, name, &Joint::name);
    if (joint != joints.end() && joint->has_one_axis() && turns_or_slides(*joint) &&
        control_.has_motor(*joint)) {
      made.texts("controlMotors", {control_.motor_name(*joint)})
          .number("controlLift", number(plugin, "control_joint_rad_to_cl", 4))
          .number("controlMoment", number(plugin, "cm_delta", 0));
    } else {
      import_.ignored.add("a <control_joint_name> of a joint without a motor",
                          plugin.child("control_joint_name")->place);
    }
  }
  nodes_.emplace_back(link, made.take());
}

void LinkForces::add_topic(const Element& plugin, const std::string& device, const char* message,
                           std::string name) {
  for (auto at = name.find("::"); at != std::string::npos; at = name.find("::"))
    name.replace(at, 2, "/");
  for (auto at = name.find("//"); at != std::string::npos; at = name.find("//"))
    name.replace(at, 2, "/");
  if (!is_topic(name)) {
    import_.diagnostics.warning(plugin.place, fmt::format("'{}' is no name of a topic", name));
    return;
  }
  topics_.push_back(NodeMaker("Topic", {plugin.place, nullptr})
                        .text("device", device)
                        .text("message", message)
                        .text("name", name)
                        .take());
}

/// Thrust is density C D^4 w^2 with C = <thrust_coefficient>, or C = <alpha_1> + <alpha_2> (1 -
/// <wake_fraction>) V / (w D).
void LinkForces::add_thruster(const Element& plugin) {
  const Joint* joint = joint_of(plugin);
  if (!joint) return;
  const double diameter = number(plugin, "propeller_diameter", 0.02);
  const double density = number(plugin, "fluid_density", 1000);
  const double scale = density * diameter * diameter * diameter;
  const bool known = plugin.child("thrust_coefficient");
  const double steady = number(plugin, known ? "thrust_coefficient" : "alpha_1", 1);
  const double by_advance =
      known ? 0 : number(plugin, "alpha_2", 0) * (1 - number(plugin, "wake_fraction", 0.2));
  const bool by_speed = flag(plugin, "use_angvel_cmd");
  if (!(scale > 0) || steady == 0) {
    import_.diagnostics.warning(
        plugin.place, "a thruster needs a density, a diameter and a coefficient; it has no effect");
    return;
  }
  note(plugin, {"power_load", "i_gain", "d_gain"});
  const std::string name = joint->name + " rotor";
  NodeMaker made("Rotor", {plugin.place, nullptr});
  made.pose({along(joint->axis), Vec3::Zero()})
      .text("name", name)
      .texts("motors", {control_.motor_name(*joint)})
      .text("quantity", by_speed ? "velocity" : "thrust")
      .vec2("thrustConstants", {scale * diameter * steady, 0 - scale * by_advance})
      .number("deadband", std::max(0.0, number(plugin, "deadband", 0)));
  const double least = number(plugin, "min_thrust_cmd", -1000),
               greatest = number(plugin, "max_thrust_cmd", 1000);
  made.numbers("commandLimits",
               greatest >= least ? std::vector{least, greatest} : std::vector{-1000.0, 1000.0});
  if (!flag(plugin, "velocity_control"))
    made.number("gain", std::max(0.0, number(plugin, "p_gain", 0.1)));
  nodes_.emplace_back(joint->child, made.take());
  std::string space = child_text(plugin, "namespace");
  if (space.empty()) space = import_.robot.name;
  const std::string topic = child_text(plugin, "topic");
  add_topic(plugin, name, "set_point",
            topic.empty() ? fmt::format("/model/{}/joint/{}/{}", space, joint->name,
                                        by_speed ? "cmd_vel" : "cmd_thrust")
                          : fmt::format("/{}/{}", space, topic));
}

void LinkForces::add_rotor(const Element& plugin) {
  const Joint* joint = joint_of(plugin);
  const int link = joint ? link_named(plugin, "linkName") : -1;
  if (link < 0) return;
  const std::string type = child_text(plugin, "motorType");
  if (!type.empty() && type != "velocity") {
    import_.diagnostics.warning(
        plugin.child("motorType")->place,
        fmt::format("a rotor with the <motorType> '{}' has no effect", type), "velocity is known");
    return;
  }
  note(plugin, {"reversible"});
  const std::string name = joint->name + " rotor";
  const auto& inertial = import_.link(link).inertial;
  NodeMaker made("Rotor", {plugin.place, nullptr});
  made.pose(Pose::translation(inertial ? inertial->com : Vec3::Zero().eval()))
      .text("name", name)
      .texts("motors", {control_.motor_name(*joint)});
  if (child_text(plugin, "turningDirection") == "cw") made.flag("clockwise", true);
  const auto positive = [&](const char* tag, double otherwise) {
    return std::max(0.0, number(plugin, tag, otherwise));
  };
  const double slower = number(plugin, "rotorVelocitySlowdownSim", 10);
  made.vec2("thrustConstants", {number(plugin, "motorConstant", 8.54858e-06), 0})
      .number("torquePerThrust", number(plugin, "momentConstant", 0.016))
      .number("dragConstant", positive("rotorDragCoefficient", 1e-4))
      .number("rollingConstant", number(plugin, "rollingMomentCoefficient", 1e-6))
      .number("speedRatio", slower > 0 ? slower : 1)
      .vec2("timeConstants",
            {positive("timeConstantUp", 1.0 / 80), positive("timeConstantDown", 1.0 / 40)})
      .numbers("commandLimits", {-kFast, positive("maxRotVelocity", 838)})
      .number("actuator",
              positive(plugin.child("actuator_number") ? "actuator_number" : "motorNumber", 0));
  nodes_.emplace_back(link, made.take());
  const std::string space =
      plugin.child("robotNamespace") ? child_text(plugin, "robotNamespace") : import_.robot.name;
  const std::string topic = child_text(plugin, "commandSubTopic");
  add_topic(plugin, name, "actuators",
            fmt::format("/{}/{}", space, topic.empty() ? "command/motor_speed" : topic));
}

/// Coefficients of forces x y z and torques k m n by velocities U V W and angular ones P Q R. Those
/// of gz-sim push and are negative where they resist; those of VRX resist.
void LinkForces::add_water(const Element& plugin) {
  constexpr std::string_view kForces = "xyzkmn", kVelocities = "UVWPQR";
  using Six = std::array<double, 6>;
  constexpr Six kNone{}, kSimpleMass{5, 5, 0.1, 0.1, 0.1, 1}, kSimpleDrag{20, 20, 20, 20, 20, 20};
  const int link = link_named(plugin, "link_name");
  if (link < 0) return;
  const bool simple = is_simple_water(plugin);
  std::set<std::string, std::less<>> known{"link_name", "namespace", "default_current",
                                           "disable_added_mass", "disable_coriolis"};
  std::string driving;
  bool mixed = false;
  // What resists, by rows, of the tags that these patterns make of a force and a velocity.
  const auto read = [&](std::initializer_list<const char*> patterns, const Six& otherwise) {
    std::vector<double> out(36);
    mixed = false;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        if (simple && i != j) continue;
        for (const char* pattern : patterns) {
          const std::string tag = fmt::format(fmt::runtime(pattern), kForces[i], kVelocities[j]);
          known.insert(tag);
          double value = number(plugin, tag.c_str(), i == j ? otherwise[i] : 0);
          if (!simple) value = 0 - value;
          if (i == j && value < 0) {
            driving += fmt::format("{}<{}>", driving.empty() ? "" : ", ", tag);
            value = 0;
          }
          out[6 * i + j] += value;
          mixed = mixed || (i != j && value != 0);
        }
      }
    }
    return out;
  };
  const auto own = [](const std::vector<double>& all) {
    std::vector<double> out;
    for (std::size_t i = 0; i < 36; i += 7) out.push_back(all[i]);
    return out;
  };
  std::vector<double> mass = own(read({"{}Dot{}"}, simple ? kSimpleMass : kNone));
  if (mixed)
    import_.diagnostics.warning(plugin.place,
                                "added mass of one direction by another has no effect");
  if (flag(plugin, "disable_added_mass")) mass.clear();
  bool coriolis = !simple && !flag(plugin, "disable_coriolis");
  if (auto of_link = added_mass_.extract(link)) {
    // As <disable_coriolis> of gz-sim, that is of the plugin's mass only.
    coriolis = true;
    std::vector<double> all = std::move(of_link.mapped());
    for (std::size_t i = 0; i < mass.size(); ++i) all[7 * i] += mass[i];
    mass = std::move(all);
  }
  std::vector<double> linear = read({"{}{}"}, simple ? kSimpleDrag : kNone);
  if (!mixed) linear = own(linear);
  // <xUU> is what <xUabsU> was before gz-sim 8, and what files mean by it.
  std::vector<double> squared =
      simple ? read({"{0}{1}{1}"}, kNone) : read({"{0}{1}abs{1}", "{0}{1}{1}"}, kNone);
  if (!mixed) squared = own(squared);
  if (!driving.empty()) {
    import_.diagnostics.warning(plugin.place,
                                fmt::format("{} would drive what moves: no effect", driving),
                                simple ? "what resists is positive" : "what resists is negative");
  }
  for (const Element& child : plugin.children) {
    if (!known.contains(child.tag))
      import_.ignored.add(fmt::format("<{}> of Gazebo's <plugin>s of water", child.tag),
                          child.place);
  }
  NodeMaker made("Hydrodynamics", {plugin.place, nullptr});
  made.numbers("addedMass", mass)
      .numbers("linearDamping", linear)
      .numbers("quadraticDamping", squared)
      .vec3("current", vec3(plugin, "default_current", Vec3::Zero()));
  if (!coriolis) made.flag("coriolis", false);
  nodes_.emplace_back(link, made.take());
}

}  // namespace protobeam::urdf
