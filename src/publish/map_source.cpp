#include "publish/map_source.h"

#include <fmt/format.h>

#include <stdexcept>

#include "message/geometry_msgs.h"
#include "publish/robot_state.h"
#include "sim/ground_map.h"

namespace protobeam {
namespace {

GroundMap map_of(const Simulation& simulation, const PublishSettings& settings) {
  if (!(settings.map_heights.x() < settings.map_heights.y())) {
    throw std::invalid_argument(
        fmt::format("field 'mapHeights' of Publishing: {:g} must be less than {:g}",
                    settings.map_heights.x(), settings.map_heights.y()));
  }
  GroundMapOptions options;
  options.resolution = settings.map_resolution;
  options.low = settings.map_heights.x();
  options.high = settings.map_heights.y();
  try {
    return ground_map(simulation.model(), options);
  } catch (const std::invalid_argument& problem) {
    throw std::invalid_argument(
        fmt::format("field 'mapResolution' of Publishing: there is no map: {}", problem.what()));
  }
}

class MapSource final : public Source {
 public:
  MapSource(const Simulation& simulation, const PublishSettings& settings, StreamTable& table)
      : simulation_(simulation),
        stream_(table.add("/map", message::type_of<message::OccupancyGrid>(), true)) {
    if (stream_.wanted()) map_ = map_of(simulation, settings);
  }

  std::string key() const override { return "map"; }
  void after_step() override {
    if (map_.cells.empty()) return;
    const std::int64_t ns = message::nanoseconds(simulation_.time());
    message::OccupancyGrid out;
    out.header = {stream_.next_sequence(), message::time_of(ns), "map"};
    out.info.map_load_time = out.header.stamp;
    out.info.resolution = static_cast<float>(map_.resolution);
    out.info.width = static_cast<std::uint32_t>(map_.width);
    out.info.height = static_cast<std::uint32_t>(map_.height);
    const Quat R_WM = axes_of_maps(simulation_.model());
    const Vec3 corner_M(map_.origin.x(), map_.origin.y(), 0);
    out.info.origin = pose_message({R_WM, R_WM * corner_M});
    out.data.reserve(map_.cells.size());
    for (const MapCell cell : map_.cells) {
      constexpr std::int8_t kFree = 0, kOccupied = 100, kUnknown = -1;
      out.data.push_back(cell == MapCell::kFree       ? kFree
                         : cell == MapCell::kOccupied ? kOccupied
                                                      : kUnknown);
    }
    map_ = {};
    stream_.send(ns, std::move(out));
  }

 private:
  const Simulation& simulation_;
  Stream& stream_;
  GroundMap map_;  ///< until it is sent
};

}  // namespace

std::unique_ptr<Source> make_map_source(const Simulation& simulation,
                                        const PublishSettings& settings, StreamTable& table) {
  return std::make_unique<MapSource>(simulation, settings, table);
}

void check_map(const Simulation& simulation, const PublishSettings& settings) {
  map_of(simulation, settings);
}

}  // namespace protobeam
