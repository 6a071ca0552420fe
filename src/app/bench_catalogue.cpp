// Each product of the catalogue on the crossing of the city: what its scan costs beyond the bare
// trace of its rays, and what motion adds to that.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/bench_city.h"
#include "app/bench_report.h"
#include "device/plugin.h"
#include "wbt/load.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct BenchProduct {
  const char* proto;
  bool datasheet;         ///< has that beam model
  bool of_probe = false;  ///< bench_lidars() measures its nominal one
};

const BenchProduct kProducts[] = {{"VelodyneVLP-16", true, true},
                                  {"VelodynePuck", true},
                                  {"VelodyneHDL-32E", true},
                                  {"VelodyneHDL-64E", true, true},
                                  {"VelodyneVLP-32C", true},
                                  {"Helios32Fov26", true},
                                  {"Helios32Fov31", true},
                                  {"Helios32Fov70", true},
                                  {"OusterOS0", true},
                                  {"OusterOS1", true},
                                  {"OusterOS2", true},
                                  {"LivoxMid40", true},
                                  {"LivoxMid70", true},
                                  {"IbeoLux", false},
                                  {"SickLdMrs", false},
                                  {"SickLms291", false},
                                  {"SickS300", false},
                                  {"HokuyoUtm30lx", false},
                                  {"HokuyoUrg04lx", false},
                                  {"RpLidarA2", true},
                                  {"RobotisLds01", false},
                                  {"Lidar2D", false}};

constexpr double kSpeed = 15;  ///< m/s, of a lidar in motion

/// Makes sensors out of PROTOs, without a world.
class SensorFactory {
 public:
  SensorFactory() { fill_schemas(schemas_, plugins_); }

  /// With `frozen`, motionDistortion is FALSE whatever the product says.
  std::unique_ptr<DeviceModel> make(const std::string& proto, bool datasheet, bool frozen) {
    const fs::path file =
        fs::temp_directory_path() / ("protobeam-bench-" + std::to_string(getpid()) + ".wbt");
    std::ofstream(file) << "#VRML_SIM R2025a utf8\nEXTERNPROTO \"webots://" << proto
                        << ".proto\"\nRobot { children [ " << proto << " { "
                        << (datasheet ? "beamModel \"datasheet\" " : "") << "} ] }\n";
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

 private:
  static wbt::NodePtr find_lidar(const std::vector<wbt::NodePtr>& nodes) {
    for (const wbt::NodePtr& node : nodes) {
      if (!node) continue;
      if (node->type == "Lidar") return node;
      for (const auto& field : node->fields) {
        if (auto found = find_lidar(field.value.nodes)) return found;
      }
    }
    return nullptr;
  }

  SchemaRegistry schemas_;
  PluginLoader plugins_;
};

class CatalogueBench {
 public:
  explicit CatalogueBench(BenchReport& report)
      : report_(report), X_WS_(Pose::translation({0, 0, 1.9})) {}

  void scan(const std::string& proto, bool datasheet) {
    const auto sensor = factory_.make(proto, datasheet, false);
    const SampleInput input = input_for(*sensor, datasheet);
    const bench::MakeScene make = city_.maker();
    const auto c = bench::compare_with_bare_trace(*sensor, input, make, 1, report_.repetitions());
    report_.add("scan/" + name(proto, datasheet), c, "scan / bare trace");
  }

  void motion(const std::string& proto) {
    const auto sensor = factory_.make(proto, true, false),
               frozen = factory_.make(proto, true, true);
    const SampleInput at_rest = input_for(*frozen, true);
    SampleInput moving = at_rest;
    moving.X_WS_before = moving.X_WS * Pose::translation({-kSpeed * moving.step, 0, 0});
    moving.v_WS = {kSpeed, 0, 0};
    const bench::MakeScene still = city_.maker(), traffic = city_.maker(moving.step);
    const bench::ScanSetup ours{*sensor, moving, traffic}, other{*frozen, at_rest, still};
    const auto bare = bench::compare_with_bare_trace(ours, other, report_.repetitions());
    report_.add("motion/" + name(proto, true), bare,
                "scan in motion / bare trace at rest");
    const auto frozen_sweep = bench::compare_scans(ours, other, report_.repetitions());
    report_.add("motion-frozen/" + name(proto, true), frozen_sweep,
                "scan in motion / frozen scan");
  }

  static std::string name(const std::string& proto, bool datasheet) {
    return proto + (datasheet ? "-datasheet" : "") + "/city";
  }

 private:
  SampleInput input_for(const DeviceModel& sensor, bool datasheet) {
    SampleInput input = city_.input_for(sensor, X_WS_);
    // A sweep of a spinning head takes many steps; here it is one.
    if (datasheet) input.step = input.period;
    input.noise = {1, 1, 0, 0};
    input.time = input.period;
    return input;
  }

  BenchReport& report_;
  BenchCity city_;
  SensorFactory factory_;
  const Pose X_WS_;
};

}  // namespace

void bench_catalogue(BenchReport& report) {
  std::unique_ptr<CatalogueBench> bench;
  const auto get = [&]() -> CatalogueBench& {
    if (!bench) bench = std::make_unique<CatalogueBench>(report);
    return *bench;
  };
  for (const BenchProduct& product : kProducts) {
    for (const bool datasheet : {false, true}) {
      if (datasheet && !product.datasheet) continue;
      const std::string name = CatalogueBench::name(product.proto, datasheet);
      if (report.wants("scan/" + name) && (datasheet || !product.of_probe))
        get().scan(product.proto, datasheet);
      if (datasheet && (report.wants("motion/" + name) || report.wants("motion-frozen/" + name))) {
        get().motion(product.proto);
      }
    }
  }
}

}  // namespace protobeam
