// Worlds whose lidars are recorded, and what readers of their packets know.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/worlds/scan_csv.h"

namespace protobeam::test {

inline constexpr const char* kVlp16 =
    "VelodyneVLP-16 { name \"top\" fastModel TRUE beamModel \"datasheet\" }";
inline constexpr const char* kHdl32e =
    "VelodyneHDL-32E { name \"top\" fastModel TRUE beamModel \"datasheet\" }";

/// A lidar among boxes, with the controller that enables lidars.
class PacketWorld {
 public:
  explicit PacketWorld(const std::string& lidars, const std::string& controller = "probe") {
    world_ = folder_.write("world.wbt", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "webots://projects/devices/velodyne/protos/VelodyneVLP-16.proto"
EXTERNPROTO "webots://projects/devices/velodyne/protos/VelodyneHDL-32E.proto"
EXTERNPROTO "webots://projects/devices/sick/protos/SickLms291.proto"
EXTERNPROTO "OusterOS1-64.proto"
WorldInfo { basicTimeStep 10 }
Robot { translation 0 0 1 name "car" controller ")" +
                                            controller + R"(" children [ )" + lidars + R"( ] }
Solid { translation 6 0 1 children [ Shape { geometry Box { size 1 9 5 } } ] }
Solid { translation -3 2 1 name "b" children [ Shape { geometry Box { size 1 2 3 } } ] }
Solid { translation 0 -30 1 name "c" children [ Shape { geometry Box { size 40 1 30 } } ] }
Solid { name "ground" children [ Shape { geometry Box { size 40 60 0.2 } } ] }
)");
    folder_.write("OusterOS1-64.proto", R"(#VRML_SIM R2025a utf8
# template language: javascript
PROTO OusterOS1-64 [ field SFString udpProfile "RNG19_RFL8_SIG16_NIR16" ] {
  %< const rows = Array.from({length: 64}, (_, i) => i); >%
  Lidar {
    name "top"
    udpProfile IS udpProfile
    scanLaw "spinning"
    azimuthPerColumn TRUE
    horizontalResolution 1024
    beamElevations_deg [ %<= rows.map(i => 21.2 - 42.4 * i / 63).join(' ') >% ]
    beamAzimuths_deg [ %<= rows.map(i => [-4.2, -1.4, 1.4, 4.2][i % 4]).join(' ') >% ]
    beamOrigins [ %<= rows.map(() => '0.015806 0 0.03618').join(' ') >% ]
    near 0.3
    minRange 0.3
    maxRange 120
    resolution 0.001
  }
}
)");
  }

  Outcome run(std::vector<std::string> arguments, const Surroundings& around = {}) const {
    arguments.insert(arguments.begin(), {"run", world_.string(), "--json"});
    return protobeam(arguments, around);
  }
  /// By layer and column.
  std::vector<Beam> scan() const {
    const auto file = folder_ / "scan.csv";
    const Outcome outcome = protobeam({"scan", world_.string(), "--out", file.string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_csv(file);
  }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  /// Besides the world and its PROTO.
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 2;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path world_;
};

/// What a driver knows of its device, from the makers' manuals; lasers in the order of their ids.
/// Their heights (envelope drawings 86-0101 and 86-0106) are what it leaves out.
struct Velodyne {
  const char* text;
  std::vector<double> elevations_deg, heights_mm;
  double laser_us, firing_us;
  int firings_of_block;
  int firings;  ///< of a turn at 10 Hz

  /// In the range image, whose first layer is the top one.
  std::size_t layer(int laser) const {
    const double own = elevations_deg[static_cast<std::size_t>(laser)];
    return static_cast<std::size_t>(
        std::ranges::count_if(elevations_deg, [own](double e) { return e > own; }));
  }
};

inline Velodyne vlp16_manual() {
  return {
      kVlp16,
      {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15},
      {11.2, -0.7, 9.7, -2.2, 8.1, -3.7, 6.6, -5.1, 5.1, -6.6, 3.7, -8.1, 2.2, -9.7, 0.7, -11.2},
      2.304,
      55.296,
      2,
      1808};
}

inline Velodyne hdl32e_manual() {
  return {kHdl32e,
          {-30.67, -9.33,  -29.33, -8,     -28,    -6.67, -26.67, -5.33,  -25.33, -4,     -24,
           -2.67,  -22.67, -1.33,  -21.33, 0,      -20,   1.33,   -18.67, 2.67,   -17.33, 4,
           -16,    5.33,   -14.67, 6.67,   -13.33, 8,     -12,    9.33,   -10.67, 10.67},
          {17.17, 4.76,  16.27, 4.07,  15.4, 3.38,  14.54, 2.7,   13.71, 2.02, 12.89,
           1.35,  12.09, 0.67,  11.31, 0,    10.54, -0.67, 9.78,  -1.35, 9.04, -2.02,
           8.3,   -2.7,  7.58,  -3.38, 6.86, -4.07, 6.15,  -4.76, 5.45,  -5.45},
          1.152,
          46.08,
          1,
          2170};
}

}  // namespace protobeam::test
