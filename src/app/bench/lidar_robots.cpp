#include "app/bench/lidar_robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace protobeam::bench {

std::string lidar_robots_world(int robots, const std::vector<std::string>& lidars) {
  std::string out = "#VRML_SIM R2025a utf8\nEXTERNPROTO \"webots://City.proto\"\n";
  for (const std::string& lidar : std::set<std::string>(lidars.begin(), lidars.end())) {
    out += fmt::format("EXTERNPROTO \"webots://{}.proto\"\n", lidar);
  }
  out += "WorldInfo { basicTimeStep 10 }\nCity { seed 11 }\n";
  for (int i = 0; i < robots; ++i) {
    // Along the two streets through the middle.
    const int pair = i / 2 + 1;
    const double along = 9.0 * pair * (i % 4 < 2 ? 1 : -1);
    out += fmt::format(
        "Robot {{ name \"robot {}\" controller \"<none>\" translation {} {} 0 children [", i,
        i % 2 == 0 ? along : 0, i % 2 == 0 ? 0 : along);
    for (std::size_t k = 0; k < lidars.size(); ++k) {
      out += fmt::format(" {} {{ name \"lidar {}\" translation 0 0 {} }}", lidars[k], k,
                         1.5 + 0.4 * static_cast<double>(k));
    }
    out += " ] }\n";
  }
  return out;
}

}  // namespace protobeam::bench
