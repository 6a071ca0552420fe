#include "beam_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <tuple>

#include "base/named_files.h"
#include "csv_table.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr std::size_t kMostBeams = 1 << 12;

std::filesystem::path file_of(const Fields& fields) {
  const auto urls = fields.strings("beamTable");
  if (urls.size() > 1) {
    throw_invalid("field 'beamTable' of Lidar must be one file, got ", urls.size());
  }
  return file_beside(urls.front(), fields.place("beamTable"));
}

/// The numbers of a companion of beamElevations_deg: none, or `each` for every beam.
std::vector<double> companion(const Fields& fields, const char* name, std::size_t beams,
                              std::size_t each = 1) {
  std::vector<double> numbers = fields.numbers(name);
  if (!numbers.empty() && numbers.size() != each * beams) {
    throw_invalid("field '", name, "' of Lidar has ", numbers.size() / each, " values for ", beams,
                  " beams (beamElevations_deg)");
  }
  numbers.resize(each * beams, 0);
  return numbers;
}

std::vector<Beam> beams_of_fields(const Fields& fields) {
  const std::vector<double> elevation = fields.numbers("beamElevations_deg");
  const std::size_t n = elevation.size();
  const auto azimuth = companion(fields, "beamAzimuths_deg", n);
  const auto origin = companion(fields, "beamOrigins", n, 3);
  const auto time = companion(fields, "beamTimes", n);
  const auto ring = companion(fields, "beamRings", n);
  std::vector<Beam> beams(n);
  for (std::size_t i = 0; i < n; ++i) {
    beams[i] = {elevation[i] * kDegree,
                azimuth[i] * kDegree,
                {origin[3 * i], origin[3 * i + 1], origin[3 * i + 2]},
                time[i],
                static_cast<int>(ring[i])};
  }
  return beams;
}

void check(const BeamTable& table) {
  const std::vector<Beam>& beams = table.beams;
  if (beams.size() > kMostBeams) {
    throw_invalid(table.name(kMostBeams), ": a beam table has at most ", kMostBeams, " beams");
  }
  for (std::size_t i = 0; i < beams.size(); ++i) {
    const Beam& b = beams[i];
    if (!std::isfinite(b.elevation) || !std::isfinite(b.azimuth) || !std::isfinite(b.time) ||
        !b.origin.allFinite()) {
      throw_invalid(table.name(i), ": every value must be a finite number");
    }
    if (std::abs(b.elevation) > kPi / 2 + 1e-12) {
      throw_invalid(table.name(i), ": elevation ", b.elevation / kDegree,
                    " degrees is outside [-90, 90]");
    }
    if (b.time < 0) throw_invalid(table.name(i), ": time ", b.time, " s is negative");
  }
  std::vector<std::size_t> order(beams.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t i) {
    return std::tuple(beams[i].elevation, beams[i].azimuth, beams[i].time);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(key(a), a) < std::tuple(key(b), b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (key(order[i]) == key(order[i - 1])) {
      throw_invalid(table.name(order[i]), ": the same elevation, azimuth and time as ",
                    table.name(order[i - 1]));
    }
  }
}

void rank(BeamTable& table) {
  table.by_layer.resize(table.beams.size());
  std::iota(table.by_layer.begin(), table.by_layer.end(), 0);
  const auto elevation = [&](int beam) {
    return table.beams[static_cast<std::size_t>(beam)].elevation;
  };
  std::stable_sort(table.by_layer.begin(), table.by_layer.end(),
                   [&](int a, int b) { return elevation(a) > elevation(b); });
  table.layer.resize(table.beams.size());
  for (int layer = 0; layer < table.size(); ++layer) {
    table.layer[static_cast<std::size_t>(table.by_layer[static_cast<std::size_t>(layer)])] = layer;
  }
}

}  // namespace

bool BeamTable::has_origins() const {
  return std::any_of(beams.begin(), beams.end(),
                     [](const Beam& b) { return b.origin != Vec3::Zero(); });
}

double BeamTable::last_time() const {
  double last = 0;
  for (const Beam& beam : beams) last = std::max(last, beam.time);
  return last;
}

std::string BeamTable::name(std::size_t beam) const {
  if (lines.empty()) return joined("beam ", beam, " (counted from 0) of Lidar");
  return joined(file, ":", lines[beam]);
}

BeamTable beam_table_of(const Fields& fields) {
  BeamTable table;
  bool has_rings = !fields.numbers("beamRings").empty();
  if (!fields.strings("beamTable").empty()) {
    for (const char* field :
         {"beamElevations_deg", "beamAzimuths_deg", "beamOrigins", "beamTimes", "beamRings"}) {
      if (!fields.numbers(field).empty()) {
        throw_invalid("field '", field,
                      "' of Lidar: the beams are in beamTable already; leave one out");
      }
    }
    const std::filesystem::path file = file_of(fields);
    CsvBeams csv = read_beam_csv(file);
    table.beams = std::move(csv.beams);
    table.file = file.string();
    table.lines = std::move(csv.lines);
    has_rings = csv.has_rings;
  } else if (!fields.numbers("beamElevations_deg").empty()) {
    table.beams = beams_of_fields(fields);
  } else {
    for (const char* field : {"beamAzimuths_deg", "beamOrigins", "beamTimes", "beamRings"}) {
      if (!fields.numbers(field).empty()) {
        throw_invalid("field '", field,
                      "' of Lidar needs beamElevations_deg, one value for each beam");
      }
    }
    table.beams.resize(1);
  }
  check(table);
  rank(table);
  if (!has_rings) {
    for (std::size_t i = 0; i < table.beams.size(); ++i) {
      table.beams[i].ring = table.size() - 1 - table.layer[i];
    }
  }
  return table;
}

}  // namespace protobeam
