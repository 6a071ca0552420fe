#include "viewer/layers/colour_map.h"

#include <algorithm>
#include <locale>
#include <sstream>

#include "viewer/layers/layers.h"

namespace protobeam::viewer {
namespace {

// A least squares fit of the entries 20 to 224 of Turbo's table of 256 sRGB colours, to 0.05 of
// each channel: A. Mikhailov, "Turbo, An Improved Rainbow Colormap for Visualization", 2019,
// https://research.google/blog/turbo-an-improved-rainbow-colormap-for-visualization/
// (Apache-2.0). The nearly black ends of the table are left out: they vanish on dark grounds.
// Row k: the factors of t^k for red, green and blue.
constexpr double kTurbo[][3] = {
    {0.2123, 0.2997, 0.7219},      {4.0262, 1.8910, 3.1014},       {-47.7575, 2.5786, -1.8208},
    {177.3771, -11.2466, -71.878}, {-273.4634, 11.5536, 205.6033}, {190.8724, -8.6034, -209.0382},
    {-50.4471, 3.7118, 73.3403},
};

}  // namespace

Eigen::Vector3f map_colour(double t) {
  // Written so that a NaN is 0.
  const double x = t > 0 ? std::min(t, 1.0) : 0.0;
  Vec3 sum = Vec3::Zero();
  for (auto row = std::rbegin(kTurbo); row != std::rend(kTurbo); ++row) {
    sum = sum * x + Vec3((*row)[0], (*row)[1], (*row)[2]);
  }
  return sum.cwiseMax(0).cwiseMin(1).cast<float>();
}

std::string map_colour_glsl() {
  std::ostringstream text;
  text.imbue(std::locale::classic());  // a decimal point, wherever we run
  text << "vec3 map_colour(float t) {\n  float x = clamp(t, 0.0, 1.0);\n  vec3 sum = vec3(0.0);\n"
       << std::fixed;
  for (auto row = std::rbegin(kTurbo); row != std::rend(kTurbo); ++row) {
    text << "  sum = sum * x + vec3(" << (*row)[0] << ", " << (*row)[1] << ", " << (*row)[2]
         << ");\n";
  }
  text << "  return clamp(sum, 0.0, 1.0);\n}\n";
  return text.str();
}

}  // namespace protobeam::viewer
