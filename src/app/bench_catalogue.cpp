// Each product of the catalogue in several places: what its scan costs beyond the bare trace of its
// rays, and what motion adds to that.
#include <memory>
#include <string>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "app/bench_sensors.h"

namespace protobeam {
namespace {

struct BenchProduct {
  const char* proto;
  bool datasheet;         ///< has that beam model
  bool of_probe = false;  ///< bench_lidars() measures its nominal one in the city
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

/// Where they scan; the others only when their names are asked for.
const char* const kPlaces[] = {"city", "yard", "campus", "statues"};
const char* const kMorePlaces[] = {"arena",  "elements", "jackal_yard", "lidars", "mapping",
                                   "mcd",    "meshes",   "physics",     "python", "randomized",
                                   "teleop", "track",    "vehicles"};

constexpr double kSpeed = 15;  ///< m/s, of a lidar in motion

/// The lidar's own body, which its rays leave.
const auto kHousing = std::make_shared<const Geometry>(Cylinder{0.04, 0.06});

/// With a lidar on it: a box on four wheels, the mast, the lidar's body.
std::vector<VisibleShape> vehicle() {
  std::vector<VisibleShape> shapes;
  const auto add = [&](const Geometry& geometry, const Pose& X_BS) {
    shapes.push_back({std::make_shared<Geometry>(geometry), X_BS});
  };
  add(Box{{4.2, 1.8, 0.9}}, Pose::translation({0, 0, -1}));
  add(Cylinder{0.03, 0.45}, Pose::translation({0, 0, -0.325}));
  shapes.push_back({kHousing, {}});
  for (const double x : {-1.3, 1.3}) {
    for (const double y : {-0.8, 0.8}) {
      add(Cylinder{0.32, 0.2}, {axis_angle(Vec3::UnitX(), kPi / 2), {x, y, -1.3}});
    }
  }
  return shapes;
}

class CatalogueBench {
 public:
  CatalogueBench(BenchReport& report, const std::string& place) : report_(report), place_(place) {}

  void scan(const std::string& proto, bool datasheet) {
    const auto sensor = sensors_.make(proto, datasheet ? kDatasheet : "");
    const SampleInput input = place_.input_for(*sensor, place_.viewpoint(), datasheet);
    const bench::MakeScene make = place_.maker();
    const auto c = bench::compare_with_bare_trace(*sensor, input, make, 1, report_.repetitions());
    report_.add("scan/" + name(proto, datasheet, place_.name()), c, "scan / bare trace");
  }

  void motion(const std::string& proto) {
    const auto sensor = sensors_.make(proto, kDatasheet),
               frozen = sensors_.make(proto, kDatasheet, true);
    const SampleInput at_rest = place_.input_for(*frozen, place_.viewpoint(), true);
    SampleInput moving = at_rest;
    moving.X_WS_before = moving.X_WS * Pose::translation({-kSpeed * moving.step, 0, 0});
    moving.v_WS = {kSpeed, 0, 0};
    const bench::MakeScene still = place_.maker(), traffic = place_.maker(moving.step);
    const bench::ScanSetup ours{*sensor, moving, traffic}, other{*frozen, at_rest, still};
    const auto bare = bench::compare_with_bare_trace(ours, other, report_.repetitions());
    report_.add("motion/" + name(proto, true, place_.name()), bare,
                "scan in motion / bare trace at rest");
    const auto frozen_sweep = bench::compare_scans(ours, other, report_.repetitions());
    report_.add("motion-frozen/" + name(proto, true, place_.name()), frozen_sweep,
                "scan in motion / frozen scan");
  }

  /// What it costs that a vehicle goes with the lidar, as it always does.
  void riding(const std::string& proto) {
    const auto with = sensors_.make(proto, kDatasheet), without = sensors_.make(proto, kDatasheet);
    SampleInput input = place_.input_for(*with, place_.viewpoint(), true);
    input.X_WS_before = input.X_WS * Pose::translation({-kSpeed * input.step, 0, 0});
    input.v_WS = {kSpeed, 0, 0};
    input.fixed_shapes =
        std::make_shared<const std::vector<FixedShape>>(std::vector<FixedShape>{{kHousing, {}}});
    const bench::MakeScene alone = place_.maker(input.step);
    const bench::MakeScene carried = [&](int threads) {
      auto scene = alone(threads);
      scene->set_motion(scene->add(vehicle(), input.X_WS), *input.X_WS_before, input.X_WS);
      return scene;
    };
    const auto c = bench::compare_scans({*with, input, carried}, {*without, input, alone},
                                        report_.repetitions());
    report_.add("riding/" + name(proto, true, place_.name()), c,
                "scan from a moving vehicle / without the vehicle");
  }

  static std::string name(const std::string& proto, bool datasheet, const std::string& place) {
    return proto + (datasheet ? "-datasheet/" : "/") + place;
  }

 private:
  BenchReport& report_;
  BenchPlace place_;
  BenchSensors sensors_;
};

void measure(BenchReport& report, const std::string& place, bool also) {
  std::unique_ptr<CatalogueBench> bench;
  const auto get = [&]() -> CatalogueBench& {
    if (!bench) bench = std::make_unique<CatalogueBench>(report, place);
    return *bench;
  };
  const auto wants = [&](const std::string& name) {
    return also ? report.wants_also(name, "/" + place) : report.wants(name);
  };
  for (const BenchProduct& product : kProducts) {
    for (const bool datasheet : {false, true}) {
      if (datasheet && !product.datasheet) continue;
      const std::string name = CatalogueBench::name(product.proto, datasheet, place);
      if (wants("scan/" + name) && (datasheet || !product.of_probe || place != "city"))
        get().scan(product.proto, datasheet);
      if (datasheet && (wants("motion/" + name) || wants("motion-frozen/" + name))) {
        get().motion(product.proto);
      }
      // Elsewhere bodies beside the viewpoint move otherwise.
      if (datasheet && place == "city" && wants("riding/" + name)) get().riding(product.proto);
    }
  }
}

}  // namespace

void bench_catalogue(BenchReport& report) {
  for (const char* place : kPlaces) measure(report, place, false);
  for (const char* place : kMorePlaces) measure(report, place, true);
}

}  // namespace protobeam
