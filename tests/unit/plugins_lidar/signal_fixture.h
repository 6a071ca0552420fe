// A lidar with a signal model that looks along x at flat targets, and statistics of what it says.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lidar_fixture.h"
#include "device/surroundings.h"

namespace protobeam::test {

using FieldTexts = std::map<std::string, std::string>;

/// 400 x 250 beams within half a degree, so that a wall is at the same distance for all of them.
inline FieldTexts narrow(FieldTexts more = {}) {
  more.insert({{"beamModel", "\"datasheet\""},
               {"horizontalResolution", "400"},
               {"numberOfLayers", "250"},
               {"fieldOfView", "0.008"},
               {"verticalFieldOfView", "0.008"},
               {"maxRange", "300"},
               {"minRange", "0.5"},
               {"detectionRange", "100"}});
  return more;
}

class SignalLidar : public LidarInScene {
 public:
  explicit SignalLidar(FieldTexts fields, int threads = 1) : LidarInScene(fields, threads) {}

  /// A square plate across the beams, 4 mm thick and `side` m wide, the middle of its front at
  /// (x, y, 0), tilted about z.
  void add_plate(const Surface& surface, double x, double y = 0, double side = 1000,
                 double tilt = 0) {
    const Pose pose{axis_angle({0, 0, 1}, tilt), {x, y, 0}};
    const auto instance = scene->add(
        {{std::make_shared<Geometry>(Box{{4e-3, side, side}}), Pose::translation({2e-3, 0, 0})}},
        pose);
    surfaces.set(instance, std::vector<Surface>{surface});
    in.surfaces = &surfaces;
  }
  std::vector<BeamReturn> beams() { return sensor().beams(bytes()); }

  SurfaceTable surfaces;
};

inline Surface grey(float reflectance) {
  Surface out;
  out.diffuse = reflectance;
  return out;
}

struct Statistics {
  std::size_t beams = 0, returns = 0;
  double mean = 0, sigma = 0;  ///< of the ranges, m
  double share() const { return double(returns) / double(beams); }
};

inline Statistics statistics(const std::vector<BeamReturn>& beams, int return_number = 1) {
  Statistics s;
  double sum = 0, squares = 0;
  for (const BeamReturn& beam : beams) {
    if (beam.return_number != return_number) continue;
    ++s.beams;
    if (!std::isfinite(beam.range)) continue;
    ++s.returns;
    sum += beam.range;
  }
  s.mean = sum / double(s.returns);
  for (const BeamReturn& beam : beams) {
    if (beam.return_number == return_number && std::isfinite(beam.range)) {
      squares += (beam.range - s.mean) * (beam.range - s.mean);
    }
  }
  s.sigma = std::sqrt(squares / double(s.returns));
  return s;
}

/// Share of n tries may differ from p by five standard deviations.
inline double tolerance(double p, double n) { return 5 * std::sqrt(p * (1 - p) / n) + 1e-9; }

}  // namespace protobeam::test
