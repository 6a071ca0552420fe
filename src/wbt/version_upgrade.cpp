#include "wbt/version_upgrade.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/math.h"
#include "base/turn.h"

namespace protobeam::wbt {
namespace {

/// Webots' change log of R2022a.
constexpr std::pair<std::string_view, OldAxes> kChangedAxes[] = {
    {"Cylinder", OldAxes::kStandsAlongY},   {"Capsule", OldAxes::kStandsAlongY},
    {"Cone", OldAxes::kStandsAlongY},       {"Plane", OldAxes::kStandsAlongY},
    {"Box", OldAxes::kStandsAlongY},        {"ElevationGrid", OldAxes::kStandsAlongY},
    {"Camera", OldAxes::kLooksAlongMinusZ}, {"Lidar", OldAxes::kLooksAlongMinusZ},
    {"Radar", OldAxes::kLooksAlongMinusZ},  {"RangeFinder", OldAxes::kLooksAlongMinusZ},
    {"Track", OldAxes::kLooksAlongMinusZ},  {"TrackWheel", OldAxes::kStandsAlongY},
    {"Emitter", OldAxes::kLooksAlongZ},     {"Receiver", OldAxes::kLooksAlongZ},
    {"Connector", OldAxes::kLooksAlongZ},   {"TouchSensor", OldAxes::kLooksAlongZ},
    {"Pen", OldAxes::kLooksAlongMinusY},
};

/// What the numbers of a parameter say along the axes of its PROTO.
enum class Along {
  kSize,
  kStepSize,
  kGroundSize,
  kPoints,
  kGroundPoints,
  kHeadings,
  kPointsOfCrossroad
};

struct TurnedParameter {
  std::string_view proto, name;
  Along along;
};

/// Webots' PROTOs whose parameters R2022a turned with what they make (Webots' script
/// convert_nue_to_enu_rub_to_flu.py, and PROTOs before and after).
constexpr TurnedParameter kTurnedParameters[] = {
    {"BiscuitBox", "size", Along::kSize},
    {"Building", "corners", Along::kGroundPoints},
    {"CardboardBox", "size", Along::kSize},
    {"CrashBarrier", "path", Along::kPoints},
    {"Door", "size", Along::kSize},
    {"Door", "frameSize", Along::kSize},
    {"Fence", "path", Along::kPoints},
    {"PlasticCrate", "size", Along::kSize},
    {"RandomBuilding", "corners", Along::kGroundPoints},
    {"SimpleBuilding", "corners", Along::kGroundPoints},
    {"SolidBox", "size", Along::kSize},
    {"SquareManhole", "size", Along::kSize},
    {"Table", "size", Along::kSize},
    {"UnevenTerrain", "size", Along::kSize},
    {"Wall", "size", Along::kSize},
    {"Window", "size", Along::kSize},
    {"Window", "frameSize", Along::kSize},
    {"WoodenBox", "size", Along::kSize},
    {"WoodenPallet", "size", Along::kSize},
    {"WoodenPalletStack", "palletSize", Along::kSize},
    {"Worktop", "size", Along::kSize},
    {"StraightStairs", "stepSize", Along::kStepSize},
    {"Floor", "size", Along::kGroundSize},
    {"Floor", "tileSize", Along::kGroundSize},
    {"RectangleArena", "floorSize", Along::kGroundSize},
    {"RectangleArena", "floorTileSize", Along::kGroundSize},
    {"Table", "feetSize", Along::kGroundSize},
    {"Road", "wayPoints", Along::kPoints},
    {"Road", "startingAngle", Along::kHeadings},
    {"Road", "endingAngle", Along::kHeadings},
    {"Crossroad", "shape", Along::kPointsOfCrossroad},
};

/// Whose default of `translation` lifts them.
constexpr std::string_view kLifted[] = {
    "AckermannVehicle",
    "Apple",
    "Ball",
    "BathroomSink",
    "BmwX5",
    "BmwX5Simple",
    "Bolt",
    "Book",
    "Bus",
    "BusSimple",
    "Can",
    "CapScrew",
    "Car",
    "CardboardBox",
    "Ceiling",
    "CeilingLight",
    "CeilingSpotLight",
    "CitroenCZero",
    "CitroenCZeroSimple",
    "Crazyflie",
    "Create",
    "EmergencyExitSign",
    "EyeScrew",
    "Hammer",
    "HotPlate",
    "LJoint",
    "LandscapePainting",
    "LargeValve",
    "LeverValve",
    "Lid",
    "LincolnMKZ",
    "LincolnMKZSimple",
    "Mavic2Pro",
    "MercedesBenzSprinter",
    "MercedesBenzSprinterSimple",
    "MotorbikeSimple",
    "OilBarrel",
    "Orange",
    "Pedestrian",
    "PingPongBall",
    "Pioneer3dx",
    "PortraitPainting",
    "Radiator",
    "RangeRoverSportSVR",
    "RobocupSoccerBall",
    "RobotisLds01",
    "ScooterSimple",
    "ScrewHole",
    "Screwdriver",
    "Sink",
    "SmallValve",
    "SolidBox",
    "SolidPipe",
    "SolidRoundedBox",
    "SolidTorus",
    "Spot",
    "SummitXlSteel",
    "TJoint",
    "TeslaModel3",
    "TeslaModel3Simple",
    "Tiago",
    "TiagoBase",
    "TiagoLite",
    "ToyotaPrius",
    "ToyotaPriusSimple",
    "TruckSimple",
    "Washer",
    "WoodenBox",
    "Worktop",
    "Youbot",
};

/// Those whose guide of before R2022a gives the default `rotation` 1 0 0 -1.5708.
constexpr std::string_view kUpright[] = {"SummitXlSteel", "UR10e", "UR3e", "UR5e", "Youbot"};

/// Those whose axes are today what they were before R2022a.
constexpr std::string_view kSame[] = {"Robotiq3fGripper"};

/// By how many quarters about z, beyond to_old_axes(), R2022a turned a model in its PROTO: the
/// lists objects_pi, objects_pi_2 and objects_minus_pi_2 of the same script. Those whose numbers it
/// turned instead (Floor, RectangleArena, Crossroad, SimpleBuilding, RandomBuilding) are in
/// kTurnedParameters.
struct TurnedModel {
  std::string_view proto;
  int quarters;
};

constexpr TurnedModel kTurnedModels[] = {
    {"AddLanesRoadSegment", 2},
    {"AdvertisingBoard", 2},
    {"Armchair", -1},
    {"Auditorium", 1},
    {"Barbecue", 2},
    {"Bed", 1},
    {"Bench", 2},
    {"BungalowStyleHouse", 2},
    {"BusStop", 2},
    {"Cabinet", 2},
    {"CardboardBox", 2},
    {"Chair", -1},
    {"CurvedRoadSegment", 2},
    {"DivergentIndicator", -1},
    {"Door", 2},
    {"DoubleFluorescentLamp", -1},
    {"FastFoodRestaurant", -1},
    {"Forest", -1},
    {"Fork", 2},
    {"Fridge", -1},
    {"HighwayPole", -1},
    {"Knife", -1},
    {"LandscapePainting", 2},
    {"LaneSeparation", 2},
    {"Museum", 1},
    {"OfficeChair", 2},
    {"OfficeTelephone", 2},
    {"OilBarrel", -1},
    {"Oven", -1},
    {"PedestrianCrossing", 1},
    {"PlatformCart", 1},
    {"PublicToilet", 1},
    {"Radiator", -1},
    {"RoadPillars", 2},
    {"Roundabout", -1},
    {"Sofa", -1},
    {"SquareManhole", 2},
    {"StraightRoadSegment", 2},
    {"StraightStairs", -1},
    {"SwingCouch", 1},
    {"Television", 2},
    {"Toilet", 2},
    {"TrashBin", 2},
    {"WoodenChair", 2},
    // Vehicles drove along z before and drive along x today. The lists have some of them; the
    // others are built on AckermannVehicle, too.
    {"AckermannVehicle", 2},
    {"BmwX5", 2},
    {"BmwX5Simple", 2},
    {"Bus", 2},
    {"BusSimple", 2},
    {"Car", 2},
    {"CitroenCZero", 2},
    {"CitroenCZeroSimple", 2},
    {"LincolnMKZ", 2},
    {"LincolnMKZSimple", 2},
    {"MercedesBenzSprinter", 2},
    {"MercedesBenzSprinterSimple", 2},
    {"MotorbikeSimple", 2},
    {"RangeRoverSportSVR", 2},
    {"RangeRoverSportSVRSimple", 2},
    {"ScooterSimple", 2},
    {"SimpleVehicle", 2},
    {"TeslaModel3", 2},
    {"TeslaModel3Simple", 2},
    {"ToyotaPrius", 2},
    {"ToyotaPriusSimple", 2},
    {"Tractor", 2},
    {"Truck", 2},
    {"TruckSimple", 2},
};

OldAxes old_axes_of(const std::string& type) {
  for (const auto& [changed, axes] : kChangedAxes) {
    if (type == changed) return axes;
  }
  return OldAxes::kNone;
}

/// Up to R2023a bodies had a `scale`: what stands in them stands in a Transform with it. It was
/// uniform, of three different numbers the first one (Webots' reference of Transform).
void scale_contents(Node& node) {
  const auto written = std::find_if(node.fields.begin(), node.fields.end(),
                                    [](const Field& field) { return field.name == "scale"; });
  if (written == node.fields.end() || written->value.kind != Value::Kind::kNumbers) return;
  const Field scale = *written;
  if (scale.value.numbers == std::vector<double>{1, 1, 1}) return;
  node.fields.erase(written);
  if (scale.value.numbers.size() == 3) node.old_body_scale = scale.value.numbers[0];
  for (Field& field : node.fields) {
    const bool scaled = field.name == "children" || field.name == "boundingObject";
    if (!scaled || field.value.kind != Value::Kind::kNodes) continue;
    auto transform = std::make_shared<Node>();
    transform->type = "Transform";
    transform->place = scale.place;
    transform->expanded_from = node.expanded_from;
    transform->fields = {scale, field};
    transform->fields[1].name = "children";
    transform->fields[1].value.bracketed = true;
    field.value.nodes = {std::move(transform)};
    field.value.offsets = {scale.place.offset};
  }
}

/// A Transform scaled the bodies in it likewise.
void scale_bodies(Node& node) {
  const Field* scale = node.find("scale");
  if (scale && scale->value.numbers.size() == 3) node.old_body_scale = scale->value.numbers[0];
}

/// Before R2020b all arguments of a controller were one text.
void split_arguments(Node& node) {
  Field* field = node.find("controllerArgs");
  if (!field || field->value.strings.size() != 1) return;
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : field->value.strings[0]) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  field->value.offsets = std::vector<std::uint32_t>(words.size(), field->value.place.offset);
  field->value.bracketed = true;
  if (words.empty()) field->value.kind = Value::Kind::kEmpty;
  field->value.strings = std::move(words);
}

/// Writes its rotation times Q.
void turn(Node& node, const std::string& rotation, const Quat& Q) {
  Field* field = node.find(rotation);
  if (!field) {
    node.fields.emplace_back();
    field = &node.fields.back();
    field->name = rotation;
    field->place = field->value.place = node.place;
    field->value.kind = Value::Kind::kNumbers;
    field->value.numbers = {0, 0, 1, 0};
  }
  auto& numbers = field->value.numbers;
  if (numbers.size() != 4) return;
  const Quat old = axis_angle({numbers[0], numbers[1], numbers[2]}, numbers[3]);
  const Eigen::AngleAxisd turned = axis_and_angle(old * Q);
  numbers = {turned.axis().x(), turned.axis().y(), turned.axis().z(), turned.angle()};
}

/// What looked along -z with y up looks along x with z up today: by 120 degrees about -1 1 1
/// (Webots' change log of R2022a).
Quat to_old_axes() { return axis_angle({-1, 1, 1}, 2 * kPi / 3); }

bool is_upright(std::string_view proto) {
  return std::ranges::find(kUpright, proto) != std::end(kUpright);
}

}  // namespace

std::string coordinate_system(const Document& document) {
  for (const auto& node : document.nodes) {
    const Field* field = node->type == "WorldInfo" ? node->find("coordinateSystem") : nullptr;
    if (field && field->value.strings.size() == 1) return field->value.strings[0];
  }
  return document.version < kR2020b ? "NUE" : "ENU";
}

std::string_view renamed_node(std::string_view type) {
  // Webots' change logs of R2019a and R2022b, and its reference of Hinge2Joint.
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"Supervisor", "Robot"},          {"CameraFocus", "Focus"},
      {"CameraLensDistortion", "Lens"}, {"CameraZoom", "Zoom"},
      {"ColladaShapes", "CadShape"},    {"Hinge2JointParameters", "HingeJointParameters"},
  };
  for (const auto& [old, today] : kNames) {
    if (type == old) return today;
  }
  return {};
}

void upgrade_node(const Document& document, const SchemaRegistry& schemas, Node& node,
                  bool in_turned) {
  if (schemas.is_a(node.type, "Solid")) scale_contents(node);
  if (node.type == "Transform") scale_bodies(node);
  if (document.version >= kR2022a) return;
  if (!in_turned) node.old_axes = old_axes_of(node.type);
  if (node.type == "Viewpoint") turn(node, "orientation", to_old_axes());
  if (node.type == "Robot" && document.version < kR2020b) split_arguments(node);
  if (node.type == "WorldInfo" && !node.find("coordinateSystem") && document.version < kR2020b) {
    Field axes;
    axes.name = "coordinateSystem";
    axes.place = node.place;
    axes.value.kind = Value::Kind::kStrings;
    axes.value.strings = {"NUE"};
    axes.value.place = node.place;
    node.fields.push_back(std::move(axes));
  }
}

// As Webots' WbNodeUtilities::fixBackwardCompatibility() does, strategy C.
void turn_instance(const SchemaRegistry& schemas, std::string_view proto, Node& node) {
  if (!schemas.is_a(node.type, "Pose")) return;
  const auto* model = std::find_if(std::begin(kTurnedModels), std::end(kTurnedModels),
                                   [&](const TurnedModel& entry) { return entry.proto == proto; });
  const int quarters = model == std::end(kTurnedModels) ? 0 : model->quarters;
  const Quat turned = to_old_axes() * axis_angle(Vec3::UnitZ(), quarters * kPi / 2);
  turn(node, "rotation", turned);
}

std::string_view turned_name(std::string_view proto, std::string_view parameter) {
  if (proto != "UnevenTerrain") return parameter;
  return parameter == "xDimension"   ? "yDimension"
         : parameter == "zDimension" ? "xDimension"
                                     : parameter;
}

// Today's x, y and z are -z, -x and y of before, see to_old_axes().
void turn_parameter(std::string_view proto, std::string_view parameter, Value& value) {
  const auto* found =
      std::find_if(std::begin(kTurnedParameters), std::end(kTurnedParameters),
                   [&](const auto& p) { return p.proto == proto && p.name == parameter; });
  if (found == std::end(kTurnedParameters) || value.kind != Value::Kind::kNumbers) return;
  std::vector<double> v = value.numbers;
  if (found->along == Along::kGroundSize && v.size() == 2) {
    v = {v[1], v[0]};
  } else if (found->along == Along::kSize && v.size() == 3) {
    v = {v[2], v[0], v[1]};
  } else if (found->along == Along::kStepSize && v.size() == 3) {  // stairs rise along x as before
    v = {v[0], v[2], v[1]};
  } else if (found->along == Along::kPoints) {
    for (std::size_t i = 0; i + 3 <= v.size(); i += 3) {
      const double x = v[i], y = v[i + 1], z = v[i + 2];
      v[i] = -z, v[i + 1] = -x, v[i + 2] = y;
    }
  } else if (found->along == Along::kGroundPoints) {
    for (std::size_t i = 0; i + 2 <= v.size(); i += 2) {
      const double x = v[i], z = v[i + 1];
      v[i] = -z, v[i + 1] = -x;
    }
  } else if (found->along == Along::kHeadings) {  // from z before, from x today
    for (double& angle : v) angle += angle > 0 ? -kPi : kPi;
  } else if (found->along == Along::kPointsOfCrossroad) {
    // Crossroad itself turns x y z to -y -x -z since R2022a.
    for (std::size_t i = 0; i + 3 <= v.size(); i += 3) {
      const double y = v[i + 1], z = v[i + 2];
      v[i + 1] = z, v[i + 2] = -y;
    }
  }
  value.numbers = std::move(v);
}

bool kept_axes(std::string_view proto) {
  return is_upright(proto) || std::ranges::find(kSame, proto) != std::end(kSame);
}

void turn_default(std::string_view proto, std::string_view parameter, Value& value) {
  if (value.kind != Value::Kind::kNumbers) return;
  if (parameter == "rotation" && is_upright(proto)) value.numbers = {1, 0, 0, -kPi / 2};
  if (parameter != "translation" || value.numbers.size() != 3) return;
  if (std::ranges::find(kLifted, proto) == std::end(kLifted)) return;
  std::vector<double> v = value.numbers;
  v = {0 - v[1], v[2], 0 - v[0]};  // no -0
  value.numbers = std::move(v);
}

}  // namespace protobeam::wbt
