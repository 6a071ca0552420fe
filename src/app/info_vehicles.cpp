#include "app/info_vehicles.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/catalogue.h"
#include "app/commands.h"
#include "app/diagnostics_json.h"
#include "app/log.h"
#include "app/standard_streams.h"

namespace protobeam {
namespace {

/// The drive among the children of a robot; null for a robot that is no vehicle.
wbt::NodePtr drive_of(const wbt::NodeView& robot, const SchemaRegistry& schemas) {
  for (const wbt::NodePtr& child : robot.nodes("children")) {
    if (child && schemas.is_a(child->type, "VehicleDrive")) return child;
  }
  return nullptr;
}

nlohmann::json vehicle_json(const wbt::NodeView& robot, const wbt::Node& drive_node,
                            const SchemaRegistry& schemas) {
  const wbt::NodeView drive(drive_node, schemas);
  const wbt::NodePtr physics = robot.node("physics"), controller = drive.node("controller");
  nlohmann::json wheels = nlohmann::json::array();
  for (const wbt::NodePtr& node : drive.nodes("wheels")) {
    const wbt::NodeView wheel(*node, schemas);
    const Vec3 position = wheel.vec3("position");
    wheels.push_back({{"position", {position.x(), position.y(), position.z()}},
                      {"mass", wheel.number("mass")},
                      {"diameter", wheel.number("diameter")},
                      {"width", wheel.number("width")}});
  }
  const double steering = drive.has("maxSteeringAngle") ? drive.number("maxSteeringAngle") : 0;
  return {{"drive", drive_node.type},
          {"controller", controller ? controller->type : "RawControl"},
          {"chassis_mass", physics ? wbt::NodeView(*physics, schemas).number("mass") : 0.0},
          {"max_steering_deg", steering * 180 / kPi},
          {"wheels", std::move(wheels)}};
}

}  // namespace

int show_vehicles(const std::string& name, const std::vector<std::string>& proto_path, bool json) {
  Known known;
  auto products = catalogue_products(name, known);
  if (!products) return kExitData;
  const std::size_t in_catalogue = products->size();
  for (Product& product : project_products(name, proto_path, known)) {
    products->push_back(std::move(product));
  }
  nlohmann::json out = nlohmann::json::array();
  for (std::size_t i = 0; i < products->size(); ++i) {
    const Product& product = (*products)[i];
    if (!known.schemas.is_a(product.root->type, "Robot")) continue;
    const wbt::NodeView robot(*product.root, known.schemas);
    const wbt::NodePtr drive = drive_of(robot, known.schemas);
    if (!drive) continue;
    nlohmann::json row = vehicle_json(robot, *drive, known.schemas);
    row["name"] = product.name;
    row["source"] = product.header.source;
    row["file"] = product.file.string();
    row["catalogue"] = i < in_catalogue;
    out.push_back(std::move(row));
  }
  if (out.empty() && !name.empty()) {
    log_error(
        fmt::format("no vehicle '{}' in the catalogue, in {} or in the folders of --proto-path: a "
                    "vehicle is a PROTO of a Robot with a drive among its children",
                    name, (current_project() / "protos").string()));
    return kExitData;
  }
  if (json) {
    print_out("{}\n", json_text(out));
    return kExitGood;
  }
  print_out("{:<18} {:>9} {:>6} {:>9} {:>9}  {:<20} {}\n", "vehicle", "chassis", "wheels",
            "diameter", "steering", "drive", "controller");
  for (const auto& v : out) {
    const double diameter = v["wheels"].empty() ? 0.0 : v["wheels"][0]["diameter"].get<double>();
    print_out("{:<18} {:>6.4g} kg {:>6} {:>7.3g} m {:>5.1f} deg  {:<20} {}{}\n",
              v["name"].get<std::string>(), v["chassis_mass"].get<double>(), v["wheels"].size(),
              diameter, v["max_steering_deg"].get<double>(), v["drive"].get<std::string>(),
              v["controller"].get<std::string>(),
              v["catalogue"].get<bool>() ? "" : "  " + v["file"].get<std::string>());
  }
  return kExitGood;
}

}  // namespace protobeam
