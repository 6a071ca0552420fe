// map: a ground truth map of a world, as map_server reads it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "app/commands.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/whole_file.h"
#include "sim/ground_map.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct MapArguments : WorldArguments {
  std::string out;
  double resolution = 0.05;
  std::vector<double> heights = {0.2, 0.5}, area, from;
};

void check(const MapArguments& arguments) {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
  };
  if (!(arguments.resolution >= 1e-4 && arguments.resolution <= 1e3))
    throw std::invalid_argument("--resolution must be from 0.0001 to 1000 m");
  if (!finite(arguments.heights) || !(arguments.heights[0] < arguments.heights[1]))
    throw std::invalid_argument("--heights are the lower one and the upper one, m");
  if (!finite(arguments.area) ||
      (!arguments.area.empty() &&
       !(arguments.area[0] < arguments.area[2] && arguments.area[1] < arguments.area[3])))
    throw std::invalid_argument("--area is the least x and y and the greatest x and y, m");
  if (!finite(arguments.from)) throw std::invalid_argument("--from is an x and a y, m");
}

int make_map(const MapArguments& arguments) {
  check(arguments);
  const auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  GroundMapOptions options;
  options.resolution = arguments.resolution;
  options.low = arguments.heights[0];
  options.high = arguments.heights[1];
  if (!arguments.area.empty()) {
    options.area.emplace();
    std::ranges::copy(arguments.area, options.area->begin());
  }
  for (std::size_t i = 0; i + 1 < arguments.from.size(); i += 2)
    options.inside.emplace_back(arguments.from[i], arguments.from[i + 1]);
  const GroundMap map = ground_map(simulation->model(), options);
  const fs::path out = arguments.out;
  fs::path picture = out;
  picture.replace_extension(".pgm");
  write_whole_file(picture, map_picture(map));
  write_whole_file(out, map_description(map, picture.filename().string()));
  const auto count = [&](MapCell kind) { return std::ranges::count(map.cells, kind); };
  print_out("wrote {} and {}: {} x {} cells of {:g} m, {} occupied, {} free, {} unknown\n",
            out.string(), picture.string(), map.width, map.height, map.resolution,
            count(MapCell::kOccupied), count(MapCell::kFree), count(MapCell::kUnknown));
  return kExitGood;
}

}  // namespace

void add_map(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<MapArguments>();
  CLI::App* command = app.add_subcommand(
      "map", "A map of what stands in the way, for map_server: FILE.yaml and FILE.pgm");
  add_world_arguments(*command, *arguments, false);
  command->add_option("--out", arguments->out, "The .yaml to write, and a .pgm beside it")
      ->required()
      ->check(ending_argument({".yaml"}));
  command->add_option("--resolution", arguments->resolution, "m, of a cell (default 0.05)");
  command
      ->add_option("--heights", arguments->heights,
                   "m: what is seen between them is in the way (default 0.2 0.5)")
      ->expected(2)
      ->type_name("LOW HIGH");
  command
      ->add_option("--area", arguments->area,
                   "m: of the map (default: 1 m around all that is in the way)")
      ->expected(4)
      ->type_name("X Y X Y");
  command
      ->add_option("--from", arguments->from,
                   "m: what cannot be reached from there is unknown (default: from where robots "
                   "are that move)")
      ->expected(2)
      ->type_name("X Y");
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return make_map(*arguments); }; });
}

}  // namespace protobeam
