#include "output/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace protobeam {

TimedSweep timed_sweep(std::vector<BeamReturn> beams, const Pose& X_WS) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double first = kNever, last = -kNever;
  for (const BeamReturn& beam : beams) {
    if (!std::isfinite(beam.time)) continue;
    first = std::min(first, beam.time);
    last = std::max(last, beam.time);
  }
  if (first > last) first = last = 0;
  return {first, last, X_WS, X_WS, std::move(beams)};
}

double header_time(const TimedSweep& sweep, const SweepSource& source) {
  const auto it = source.properties.find("headerTime");
  const auto* text =
      it == source.properties.end() ? nullptr : std::get_if<std::string>(&it->second);
  return text && *text == "start" ? sweep.start_time : sweep.end_time;
}

std::string name_of(const SweepSource& source) {
  return fmt::format("lidar '{}' of robot '{}'", source.device, source.robot);
}

}  // namespace protobeam
