#include "mvsim/world/to_webots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mvsim/expression.h"
#include "mvsim/world/animations.h"
#include "mvsim/world/blocks.h"
#include "mvsim/world/elements.h"
#include "mvsim/world/scenery.h"
#include "mvsim/world/sensors.h"
#include "mvsim/world/sky.h"
#include "mvsim/world/vehicles.h"

namespace protobeam::mvsim {
namespace {

constexpr double kGreatestStep = 0.005;       ///< s, of MVSim's automatic choice
constexpr double kGreatestVehicleStep = 100;  ///< ms, that WorldInfo.vehicleTimeStep takes
/// m/s; Box2D moves bodies apart that begin in each other and leaves them at rest, and vehicles of
/// MVSim's own worlds begin in walls.
constexpr double kSeparationSpeed = 0.5;

class World {
 public:
  World(const LoadedFile& world, const LoadOptions& options, const std::filesystem::path& folder,
        Diagnostics& diagnostics)
      : root_(world.root), import_{options, folder, diagnostics} {}

  std::vector<wbt::NodePtr> nodes(Recordings& recordings) {
    const Given<double> time_step = step();
    import_.time_step = time_step;
    // What begins on the ground comes after the ground: blocks on elements, vehicles on both.
    std::vector<wbt::NodePtr> things(root_.children.size());
    const auto make = [&](bool (*wanted)(const std::string&)) {
      for (std::size_t i = 0; i < things.size(); ++i) {
        if (wanted(root_.children[i].tag)) things[i] = thing(root_.children[i]);
      }
    };
    make([](const std::string& tag) { return tag == "element"; });
    make([](const std::string& tag) { return tag != "element" && tag != "vehicle"; });
    make([](const std::string& tag) { return tag == "vehicle"; });
    for (const Element* vehicle : root_.all("vehicle")) wishes_of(*vehicle, recordings);
    world_wishes(recordings);
    std::vector<wbt::NodePtr> out{world_info(time_step)};
    if (const Element* gui = root_.child("gui")) out.push_back(viewpoint_node(import_, *gui));
    out.push_back(background_node(import_, root_));
    out.push_back(light_node(import_, root_));
    if (!import_.terrain.has_maps()) out.push_back(ground());
    // Of regions that overlap the first one counts in MVSim, and the last one here.
    std::move(regions_.rbegin(), regions_.rend(), std::back_inserter(out));
    std::move(things.begin(), things.end(), std::back_inserter(out));
    std::erase(out, nullptr);
    globals();
    import_.unsimulated.report();
    return out;
  }

 private:
  wbt::NodePtr thing(const Element& element) {
    if (element.tag == "vehicle") return vehicle_node(import_, element);
    if (element.tag == "block") {
      return animated(import_, element, block_node(import_, element));
    }
    if (element.tag == "sensor") return lone_sensor_node(import_, element);
    if (element.tag == "walls") return walls_node(import_, element, ++walls_);
    if (element.tag == "marker") return marker_node(import_, element);
    if (element.tag == "element") {
      wbt::NodePtr node = element_node(import_, element, regions_);
      // Only these two are asked for poses.
      const bool moves = node && (node->type == "HorizontalPlane" || node->type == "VerticalPlane");
      if (moves) return animated(import_, element, std::move(node));
      import_.unsimulated.children(element, {"animation"});
      return node;
    }
    if (element.tag == "actor") return actor_node(import_, element);
    if (element.tag == "joint") return joint_node(import_, element);
    return nullptr;
  }

  void wishes_of(const Element& vehicle, Recordings& recordings) {
    const Text* name = vehicle.attribute("name");
    const Element* log = vehicle.child("log_path");
    const Element* record = vehicle.child("auto_start_recording");
    if (!log && record && import_.children(vehicle).boolean("auto_start_recording", false)) {
      log = record;
    }
    if (!log || !name) return;
    recordings.logged_vehicles.push_back(name->value);
    if (!recordings.asked_at.valid()) recordings.asked_at = log->place;
  }

  void world_wishes(Recordings& recordings) {
    const Reader reader = import_.children(root_);
    const auto file = reader.text("save_ground_truth_trajectory");
    recordings.trajectories = file.written && !file.value.empty();
    if (recordings.trajectories && !recordings.asked_at.valid()) recordings.asked_at = file.place;
    recordings.trajectory_rate = reader.positive("ground_truth_rate", 50);
  }

  /// s
  Given<double> step() {
    const Reader reader = import_.children(root_);
    auto step = reader.at_least("simul_timestep", 0, 0);
    if (step > 0 && step < 0.001) {
      reader.error(step.place,
                   "<simul_timestep> of <mvsim_world> must be 0 or at least 0.001 s, "
                   "got " +
                       to_text(step));
    }
    if (step > 0) return step;
    step.value = kGreatestStep;
    for (const Element* vehicle : root_.all("vehicle")) {
      for (const Element* sensor : vehicle->all("sensor")) {
        step.value = std::min(step.value, sensor_period(import_, *sensor));
      }
    }
    if (step.value < 0.001) {
      reader.error(step.place,
                   "the smallest <sensor_period> " + to_text(step.value) +
                       " s is the time step, and that must be at least 0.001 s",
                   "set <simul_timestep>");
      step.value = 0.001;
    }
    return step;
  }

  wbt::NodePtr world_info(const Given<double>& time_step) {
    const Reader reader = import_.children(root_);
    const auto gravity = reader.number("gravity", 9.81);
    NodeMaker info("WorldInfo", root_);
    info.number("gravity", gravity, gravity.place)
        .number("basicTimeStep", time_step * 1000, time_step.place);
    // The motion depends on the step: MVSim moves its vehicles by the whole of it.
    if (time_step > kGreatestStep) {
      info.number("vehicleTimeStep", std::min(time_step * 1000, kGreatestVehicleStep),
                  time_step.place);
    }
    info.number("maxSeparationSpeed", kSeparationSpeed, root_.place);
    if (const Element* place = root_.child("georeference")) georeference(*place, info);
    info.nodes("contactProperties", import_.surfaces.contact_rules(root_));
    return info.take();
  }

  void georeference(const Element& element, NodeMaker& info) {
    const Reader reader = import_.children(element);
    const auto latitude = reader.between("latitude", -90, 90, 0);
    const auto longitude = reader.between("longitude", -180, 360, 0);
    const auto utm = reader.boolean("world_is_utm", false);
    info.text("gpsCoordinateSystem", utm ? "UTM" : "WGS84", utm ? utm.place : element.place)
        .vec3("gpsReference", {latitude, longitude, reader.number("height", 0)}, latitude.place);
    const auto rotation = reader.degrees("world_to_enu_rotation_deg", 0);
    if (rotation.written) info.number("gpsRotation", rotation, rotation.place);
    if (utm && rotation != 0) {  // World_load_xml.cpp, parse_tag_georeference
      reader.error(rotation.place, "a world in UTM coordinates has no <world_to_enu_rotation_deg>",
                   "its y axis is the north of the grid");
    }
    if (utm && !(latitude.written && longitude.written)) {
      reader.error(utm.place, "<world_is_utm> wants the <latitude> and <longitude> of a place",
                   "its UTM zone is that of the world");
    }
  }

  /// MVSim's world has a ground where nothing else is; nobody sees it. Below floors that are lower
  /// than 0 it would be in the way.
  wbt::NodePtr ground() {
    NodeMaker made("Solid", root_);
    if (import_.terrain.bottom() < 0) made.vec3("translation", {0, 0, import_.terrain.bottom()});
    return made.text("name", "ground")
        .text("contactMaterial", kGroundMaterial)
        .node("boundingObject", NodeMaker("Plane", root_).vec2("size", {1000, 1000}).take())
        .take();
  }

  void globals() {
    const Reader reader = import_.children(root_);
    import_.unsimulated.children(root_, {"collision_threshold"}, "bodies collide when they touch");
    if (!reader.text("save_to_rawlog").value.empty()) {
      import_.unsimulated.children(root_, {"save_to_rawlog"}, "use --record, --out and --log");
    }
    import_.unsimulated.children(root_, {"server_address"}, "use --publish");
    if (reader.boolean("joystick_enabled", false)) {
      import_.unsimulated.children(root_, {"joystick_enabled"},
                                   "use --schedule, a controller, or commands by --publish");
    }
  }

  const Element& root_;
  Import import_;
  std::vector<wbt::NodePtr> regions_;
  int walls_ = 0;
};

/// PROTOs of the catalogue that the nodes name.
std::vector<wbt::ExternProto> externs_of(const std::vector<wbt::NodePtr>& nodes) {
  std::map<std::string, Place> used;
  for (const wbt::NodePtr& top : nodes) {
    const wbt::Field* moved = top->type == "KeyframeAnimation" ? top->find("endPoint") : nullptr;
    const wbt::Node& node = moved ? *moved->value.nodes.at(0) : *top;
    for (const char* proto : kElementProtos) {
      if (node.type == proto) used.try_emplace(proto, node.place);
    }
  }
  std::vector<wbt::ExternProto> out;
  for (const auto& [name, place] : used) {
    out.push_back({"protobeam://protos/elements/" + name + ".proto", name, false, place});
  }
  return out;
}

}  // namespace

WebotsWorld to_webots(const LoadedFile& world, const LoadOptions& options,
                      const std::filesystem::path& folder, Diagnostics& diagnostics) {
  WebotsWorld out;
  out.document.file = world.file;
  out.document.source = world.root.place.source;
  out.document.has_header = true;
  out.document.version = wbt::kR2025a;
  out.document.version_text = "R2025a";
  check_definitions({world.file, world.project, {}, {}, world.classes}, options, diagnostics);
  out.document.nodes = World(world, options, folder, diagnostics).nodes(out.recordings);
  out.document.externs = externs_of(out.document.nodes);
  return out;
}

void check_definitions(const LoadedFile& file, const LoadOptions& options,
                       Diagnostics& diagnostics) {
  Import import{options, {}, diagnostics};
  const auto check = [&](const Element& one) {
    if (one.tag == "sensor") sensor_nodes(import, one);
    if (one.tag != "vehicle" && one.tag != "vehicle:class") return;
    if (const Element* dynamics = one.child("dynamics"))
      drive_node(import, one, *dynamics, nullptr);
    for (const Element* sensor : one.all("sensor")) sensor_nodes(import, *sensor);
  };
  for (const Element& one : file.definitions) check(one);
  for (const Element& one : file.classes) check(one);
}

}  // namespace protobeam::mvsim
