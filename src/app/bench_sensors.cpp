#include "app/bench_sensors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "sim/simulation.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

wbt::NodePtr find_lidar(const std::vector<wbt::NodePtr>& nodes) {
  for (const wbt::NodePtr& node : nodes) {
    if (!node) continue;
    if (node->type == "Lidar") return node;
    for (const auto& field : node->fields) {
      if (auto found = find_lidar(field.value.nodes)) return found;
    }
  }
  return nullptr;
}

}  // namespace

BenchSensors::BenchSensors() { fill_schemas(schemas_, plugins_); }

std::unique_ptr<DeviceModel> BenchSensors::make(const std::string& proto, const std::string& fields,
                                                bool frozen) {
  const fs::path file = fs::temp_directory_path() / fmt::format("protobeam-bench-{}.wbt", getpid());
  {
    std::ofstream out(file);
    out << "#VRML_SIM R2025a utf8\n";
    if (proto != "Lidar") out << fmt::format("EXTERNPROTO \"webots://{}.proto\"\n", proto);
    out << fmt::format("Robot {{ children [ {} {{ {} }} ] }}\n", proto, fields);
  }
  wbt::LoadOptions options;
  options.schemas = &schemas_;
  options.proto_path = proto_folders({});
  Diagnostics diagnostics;
  const wbt::LoadedWorld world = wbt::load_world(file, options, diagnostics);
  fs::remove(file);
  if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.to_string());
  const wbt::NodePtr lidar = find_lidar(world.nodes);
  if (!lidar) throw std::runtime_error("no Lidar in " + proto);
  for (auto& field : lidar->fields) {
    if (frozen && field.name == "motionDistortion") field.value.numbers = {0};
  }
  auto sensor =
      make_device(*plugins_.find_as<DevicePlugin>("Lidar"), wbt::NodeView(*lidar, schemas_));
  sensor->reset();
  sensor->send_command("point cloud", {1});  // end to end: points, too
  return sensor;
}

}  // namespace protobeam
