#include "output/packets/laser_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/libm.h"

namespace protobeam {
namespace {

[[noreturn]] void throw_invalid_table(const SweepSource& source, const std::string& why) {
  throw std::invalid_argument(description_of(source) + why);
}

template <typename T>
const T* find(const SweepSource& source, const std::string& name) {
  const auto it = source.properties.find(name);
  if (it == source.properties.end()) return nullptr;
  const T* value = std::get_if<T>(&it->second);
  if (!value) throw_invalid_table(source, fmt::format("the property {} has another type", name));
  return value;
}

double positive(const SweepSource& source, const std::string& name) {
  const double* value = find<double>(source, name);
  if (!value) throw_invalid_table(source, fmt::format("packets need the property {}", name));
  if (!(*value > 0) || !std::isfinite(*value)) {
    throw_invalid_table(source, fmt::format("{} is {}, must be positive", name, *value));
  }
  return *value;
}

/// `count` 0: any number of them, but at least one.
std::vector<double> list(const SweepSource& source, const std::string& name, std::size_t count) {
  const auto* values = find<std::vector<double>>(source, name);
  if (!values) {
    throw_invalid_table(
        source,
        fmt::format("packets need the property {}, which lidars with a beam table have", name));
  }
  if (values->empty() || (count != 0 && values->size() != count)) {
    throw_invalid_table(source,
                        fmt::format("{} has {} numbers, must have {}", name, values->size(),
                                    count == 0 ? std::string("some") : std::to_string(count)));
  }
  if (!std::ranges::all_of(*values, [](double v) { return std::isfinite(v); })) {
    throw_invalid_table(source, fmt::format("{} has a value that is no number", name));
  }
  return *values;
}

}  // namespace

std::string description_of(const SweepSource& source) {
  return fmt::format("lidar '{}' of robot '{}' ({}): ", source.device, source.robot,
                     source.product.empty() ? "no product" : source.product);
}

std::string text_property(const SweepSource& source, const std::string& name,
                          const std::string& otherwise) {
  const auto* text = find<std::string>(source, name);
  return text ? *text : otherwise;
}

Vec3 LaserTable::direction(int laser) const {
  const auto i = static_cast<std::size_t>(laser);
  const double e = elevations_deg[i] * kPi / 180, a = azimuths_deg[i] * kPi / 180;
  return {libm::cos(e) * libm::cos(a), libm::cos(e) * libm::sin(a), libm::sin(e)};
}

LaserTable laser_table(const SweepSource& source) {
  LaserTable table;
  if (source.columns < 1) throw_invalid_table(source, "it has no columns");
  if (text_property(source, "scanLaw", "spinning") != "spinning") {
    throw_invalid_table(
        source,
        "its packets describe lasers on a spinning head (scanLaw \"spinning\"; where its PROTO "
        "has a field beamModel: beamModel \"datasheet\")");
  }
  table.elevations_deg = list(source, "beamElevations_deg", 0);
  const std::size_t lasers = table.elevations_deg.size();
  table.azimuths_deg = list(source, "beamAzimuths_deg", lasers);
  table.times = list(source, "beamTimes", lasers);
  table.firing_period = positive(source, "firingPeriod");
  table.frequency = positive(source, "defaultFrequency");
  table.origins.assign(lasers, Vec3::Zero());
  if (source.properties.contains("beamOrigins")) {
    const auto origins = list(source, "beamOrigins", 3 * lasers);
    for (std::size_t i = 0; i < lasers; ++i) table.origins[i] = Vec3(&origins[3 * i]);
  }
  for (const double time : table.times) {
    if (time < 0 || time >= table.firing_period) {
      throw_invalid_table(
          source, fmt::format("beamTimes has {} s, outside of the firing period of {} s", time,
                              table.firing_period));
    }
  }
  const std::string mode = text_property(source, "returnMode", "strongest");
  if (mode == "last") {
    table.return_mode = PacketReturnMode::kLast;
  } else if (mode == "dual") {
    table.return_mode = PacketReturnMode::kDual;
  } else if (mode != "strongest") {
    throw_invalid_table(source,
                        fmt::format("returnMode is '{}', must be strongest, last or dual", mode));
  }
  return table;
}

}  // namespace protobeam
