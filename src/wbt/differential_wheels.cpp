#include "wbt/differential_wheels.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "wbt/node_maker.h"

namespace protobeam::wbt {
namespace {

constexpr Version kR2018a{2018, 0};
constexpr double kUnlimited = 1e5;  ///< N m
constexpr const char* kMotors[] = {"left wheel motor", "right wheel motor"};

/// Numbers that a DifferentialWheels has beyond those of a Robot, taken out of it.
class WheelFields {
 public:
  explicit WheelFields(Node& node) {
    for (Field& number : numbers_) {
      const auto found =
          std::find_if(node.fields.begin(), node.fields.end(),
                       [&](const Field& field) { return field.name == number.name; });
      if (found == node.fields.end()) {
        number.place = number.value.place = node.place;
        continue;
      }
      number.place = found->place;
      number.value = std::move(found->value);
      node.fields.erase(found);
    }
  }

  /// The field as one of another node, where it is checked.
  Field as(std::string_view name, std::string_view today) const {
    Field field = find(name);
    field.name = today;
    return field;
  }
  double operator()(std::string_view name) const {
    const auto& numbers = find(name).value.numbers;
    return numbers.size() == 1 ? numbers[0] : 0;
  }

 private:
  static Field usual(const char* name, double value) {
    Field field;
    field.name = name;
    field.value.kind = Value::Kind::kNumbers;
    field.value.numbers = {value};
    return field;
  }
  const Field& find(std::string_view name) const {
    return *std::find_if(numbers_.begin(), numbers_.end(),
                         [&](const Field& field) { return field.name == name; });
  }

  /// With Webots' defaults.
  std::vector<Field> numbers_ = {usual("motorConsumption", 0),   usual("axleLength", 0.1),
                                 usual("wheelRadius", 0.01),     usual("maxSpeed", 10),
                                 usual("maxAcceleration", 10),   usual("speedUnit", 1),
                                 usual("slipNoise", 0.1),        usual("encoderNoise", -1),
                                 usual("encoderResolution", -1), usual("maxForce", 0.3)};
};

std::string name_of(const Node& node) {
  const Field* name = node.find("name");
  std::string out = name && name->value.strings.size() == 1 ? name->value.strings[0] : "";
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool holds_node(const Node& node, std::string_view field) {
  const Field* found = node.find(field);
  return found && !found->value.nodes.empty() && found->value.nodes[0];
}

Vec3 vector_of(const Node& node, std::string_view field, const Vec3& otherwise) {
  const Field* found = node.find(field);
  if (!found || found->value.numbers.size() < 3) return otherwise;
  return {found->value.numbers[0], found->value.numbers[1], found->value.numbers[2]};
}

Value& children_of(Node& node) {
  Field* children = node.find("children");
  if (!children) {
    Field made;
    made.name = "children";
    made.place = made.value.place = node.place;
    node.fields.push_back(std::move(made));
    children = &node.fields.back();
  }
  children->value.kind = Value::Kind::kNodes;
  children->value.bracketed = true;
  return children->value;
}

void add_child(Node& node, NodePtr child) {
  Value& children = children_of(node);
  children.offsets.edit().push_back(child->place.offset);
  children.nodes.push_back(std::move(child));
}

/// The wheel on a joint with a motor: forwards is against the axis of its rotation
/// (Webots, WbSolid::setJoint and WbDifferentialWheels::prePhysicsStep).
NodePtr hinge(const WheelFields& fields, NodePtr wheel, std::size_t side, bool kinematic) {
  const Origin origin(wheel->place, wheel->expanded_from);
  Vec3 axis = vector_of(*wheel, "rotation", Vec3::UnitX());
  if (!(axis.norm() > 0)) axis = Vec3::UnitX();
  Vec3 anchor = vector_of(*wheel, "translation", Vec3::Zero());
  if (kinematic) anchor.x() = (side == 0 ? -0.5 : 0.5) * fields("axleLength");
  NodeMaker maker("RotationalMotor", origin);
  maker.text("name", kMotors[side]);
  if (kinematic) maker.number("maxTorque", kUnlimited);  // maxAcceleration alone holds it back
  NodePtr motor = maker.take();
  motor->fields.push_back(fields.as("maxSpeed", "maxVelocity"));
  motor->fields.push_back(kinematic ? fields.as("maxAcceleration", "acceleration")
                                    : fields.as("maxForce", "maxTorque"));
  NodePtr joint = NodeMaker("HingeJoint", origin)
                      .node("jointParameters", NodeMaker("HingeJointParameters", origin)
                                                   .vec3("axis", -axis)
                                                   .vec3("anchor", anchor)
                                                   .take())
                      .nodes("device", {std::move(motor)})
                      .node("endPoint", std::move(wheel))
                      .take();
  if (kinematic) joint->old_wheel_radius = fields("wheelRadius");
  return joint;
}

}  // namespace

void become_robot(Node& robot, Diagnostics& diagnostics) {
  const WheelFields fields(robot);
  const bool kinematic = !holds_node(robot, "physics");
  const Origin origin(robot.place, robot.expanded_from);
  if (!robot.find("name")) {
    robot.fields.push_back(
        NodeMaker("Robot", origin).text("name", "differential wheels").take()->fields[0]);
  }
  std::vector<std::string> motors;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string name = side == 0 ? "left wheel" : "right wheel";
    auto& nodes = children_of(robot).nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodePtr& child) {
      return child && child->type == "Solid" && name_of(*child) == name;
    });
    NodePtr wheel = found == nodes.end() ? nullptr : *found;
    std::string missing = wheel ? "" : "no Solid \"" + name + "\" among its children";
    if (wheel && !holds_node(*wheel, "boundingObject"))
      missing = "the Solid \"" + name + "\" has no boundingObject";
    else if (wheel && !holds_node(*wheel, "physics"))
      missing = "the Solid \"" + name + "\" has no Physics";
    if (!kinematic && !missing.empty()) {
      diagnostics.warning(robot.place, "DifferentialWheels: " + missing + ": nothing turns it", "",
                          robot.expanded_from);
      continue;
    }
    motors.push_back(kMotors[side]);
    if (wheel) {
      *found = hinge(fields, wheel, side, kinematic);
    } else {
      wheel = NodeMaker("Solid", origin)
                  .vec3("translation", {0, fields("wheelRadius"), 0})
                  .text("name", name)
                  .take();
      add_child(robot, hinge(fields, std::move(wheel), side, kinematic));
    }
  }
  NodePtr pair = NodeMaker("WheelPair", origin).texts("motors", std::move(motors)).take();
  for (const char* same : {"maxSpeed", "speedUnit", "encoderNoise", "encoderResolution"})
    pair->fields.push_back(fields.as(same, same));
  if (kinematic) pair->fields.push_back(fields.as("slipNoise", "slipNoise"));
  add_child(robot, std::move(pair));
}

void add_former_wheels(const Document& outside, const Document& proto, Node& robot) {
  if (outside.version >= kR2018a || proto.version < kR2018a) return;
  if (proto.proto->name != "E-puck" || robot.type != "Robot") return;
  // Webots' E-puck of R8.
  add_child(robot, NodeMaker("WheelPair", Origin(robot.place, robot.expanded_from))
                       .texts("motors", {kMotors[0], kMotors[1]})
                       .number("maxSpeed", 6.28)
                       .number("speedUnit", 0.00628)
                       .number("encoderNoise", 0)
                       .number("encoderResolution", 159.23)
                       .take());
}

std::string_view renamed_proto(const Document& document, std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"EPuck", "E-puck"},
      {"EPuck_DistanceSensor", "E-puckDistanceSensor"},
      {"EPuck_GroundSensorsModule", "E-puckGroundSensors"},
  };
  if (document.version >= kR2018a) return {};
  for (const auto& [old, today] : kNames) {
    if (type == old) return today;
  }
  return {};
}

}  // namespace protobeam::wbt
