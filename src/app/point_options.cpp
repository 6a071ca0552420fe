#include "app/point_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>

#include "base/whole_file.h"
#include "output/point_file.h"

namespace protobeam {
namespace {

std::string objection(const std::string& format) {
  try {
    point_layout(format);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::vector<CLI::Option*> add_point_options(CLI::App& command, PointOptions& options) {
  CLI::Option* format = command.add_option(
      "--point-format", options.format,
      fmt::format("Points of a .pcd or .ply: {} (default protobeam; docs/point-formats.md)",
                  fmt::join(point_layout_names(), ", ")));
  format->check(CLI::Validator(objection, "NAME", "point format"));
  // What is not on the command line stays unset; the negated names count down.
  CLI::Option* organised = command.add_flag_function(
      "--organised,!--unorganised",
      [&options](std::int64_t count) { options.organised = count > 0; },
      "One point a beam, columns by layers, misses too (default: as the driver)");
  CLI::Option* destaggered = command.add_flag_function(
      "--destagger,!--stagger", [&options](std::int64_t count) { options.destaggered = count > 0; },
      "Shift the rows so that a column has one azimuth (default: as the driver)");
  return {format, organised, destaggered};
}

void write_sweep(const std::filesystem::path& path, CloudFormat format, const PointOptions& options,
                 const TimedSweep& sweep, const SweepSource& source) {
  const PointLayout& layout = options.layout();
  const PointCloud cloud = fill_points(layout, options.shape(), sweep, source);
  const CloudOrigin origin = origin_of(sweep, source);
  write_points(path, format, layout, cloud, origin);
  write_whole_file(path.string() + ".json",
                   cloud_json(origin, layout, source, std::uint64_t{cloud.width} * cloud.height));
}

void write_own_sweep(const std::filesystem::path& path, CloudFormat format, const TimedSweep& sweep,
                     const SweepSource& source) {
  write_cloud(path, format, sweep, source);
  const auto returns = std::ranges::count_if(
      sweep.beams, [](const BeamReturn& beam) { return std::isfinite(beam.range); });
  const auto rows = format == CloudFormat::kCsv ? sweep.beams.size() : static_cast<std::size_t>(returns);
  write_whole_file(path.string() + ".json", cloud_json(origin_of(sweep, source),
                                                       point_layout("protobeam"), source, rows));
}

}  // namespace protobeam
