#include "lidar_topics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "constants.h"
#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"
#include "output/point_cloud.h"

namespace protobeam {
namespace {

/// The layout that the driver of the product publishes.
std::string default_format(const std::string& product) {
  if (product.starts_with("Ouster")) return "ouster";
  if (product.starts_with("Livox")) return "livox-xyzrtl";
  return "velodyne";
}

double number(const Properties& properties, const char* name) {
  const auto it = properties.find(name);
  const double* value = it == properties.end() ? nullptr : std::get_if<double>(&it->second);
  return value ? *value : 0;
}

/// One lidar and what its messages have in common.
struct LidarStream {
  const BeamSensor& lidar;
  SweepSource source;
  std::function<double()> scan_period;
  const PointLayout* layout = nullptr;
  CloudShape shape;
  TimedSweep last;  ///< kept for its memory, ten megabytes that sweeps need again and again

  const TimedSweep& sweep(const TopicInput& in) {
    std::vector<BeamReturn> beams = std::move(last.beams);
    lidar.write_beams(in.data, beams);
    source.columns = lidar.columns();  // fewer when the head turns faster
    return last = timed_sweep(std::move(beams), in.X_WS);
  }
};

message::Header at(const TopicInput& in, std::int64_t ns) {
  message::Header header = in.header;
  header.stamp = message::time_of(std::max<std::int64_t>(ns, 0));
  return header;
}

message::PointCloud2 points_message(LidarStream& stream, const TopicInput& in) {
  const TimedSweep& sweep = stream.sweep(in);
  PointCloud cloud = fill_points(*stream.layout, stream.shape, sweep, stream.source);
  message::PointCloud2 out;
  out.header = at(in, cloud.header_ns);
  out.width = cloud.width;
  out.height = cloud.height;
  for (const PointField& field : stream.layout->fields) {
    out.fields.push_back({std::string(field.name), field.offset,
                          static_cast<std::uint8_t>(field.datatype), field.count});
  }
  out.point_step = stream.layout->point_step;
  out.row_step = out.point_step * out.width;
  out.data = std::move(cloud.data);
  out.is_dense = cloud.is_dense;
  return out;
}

/// The driver's message, from points that have its layout already.
message::CustomMsg custom_message(LidarStream& stream, const TopicInput& in) {
  const TimedSweep& sweep = stream.sweep(in);
  const PointCloud cloud = fill_points(*stream.layout, stream.shape, sweep, stream.source);
  message::CustomMsg out;
  out.header = at(in, cloud.header_ns);
  out.timebase = static_cast<std::uint64_t>(std::max<std::int64_t>(cloud.start_ns, 0));
  // The driver joins packets of 96 points, as many as fit into a sweep: 9984 of 10000 of a Mid-70
  // (livox_ros_driver, lds.cpp and lddc.cpp).
  constexpr std::uint32_t kPacket = 96;
  out.point_num = cloud.width * cloud.height / kPacket * kPacket;
  out.points.resize(out.point_num);
  const std::uint8_t* from = cloud.data.data();
  for (message::CustomPoint& point : out.points) {
    std::memcpy(&point.offset_time, from, 4);
    std::memcpy(&point.x, from + 4, 4);
    std::memcpy(&point.y, from + 8, 4);
    std::memcpy(&point.z, from + 12, 4);
    point.reflectivity = from[16];
    point.tag = from[17];
    point.line = from[18];
    from += stream.layout->point_step;
  }
  return out;
}

/// Angles of a LaserScan grow counter-clockwise; columns of a range image from left to right.
message::LaserScan scan_message(LidarStream& stream, const TopicInput& in) {
  const TimedSweep& sweep = stream.sweep(in);
  const auto count = static_cast<std::size_t>(stream.source.columns);
  message::LaserScan out;
  out.header = at(in, message::nanoseconds(sweep.start_time));
  out.range_min = static_cast<float>(stream.source.min_range);
  out.range_max = static_cast<float>(stream.source.max_range);
  out.ranges.assign(count, kInfinity);
  const bool intensities = stream.source.properties.contains("beamModel");
  if (intensities) out.intensities.assign(count, 0);
  if (count == 0 || sweep.beams.size() < count) return out;
  // First returns stand layer by layer before second ones.
  const double left = sweep.beams.front().azimuth, right = sweep.beams[count - 1].azimuth;
  double span = left - right;  // > 0, also where the scan goes over the back
  if (span < 0) span += 2 * kPi;
  const double step = count > 1 ? span / static_cast<double>(count - 1) : 0;
  out.angle_max = static_cast<float>(left);
  out.angle_min = static_cast<float>(left - span);
  out.angle_increment = static_cast<float>(step);
  const double time = sweep.end_time - sweep.start_time;
  out.time_increment = count > 1 ? static_cast<float>(time / static_cast<double>(count - 1)) : 0;
  out.scan_time = static_cast<float>(stream.scan_period());
  for (std::size_t i = 0; i < count; ++i) {
    const BeamReturn& beam = sweep.beams[i];
    out.ranges[count - 1 - i] = static_cast<float>(beam.range);
    if (intensities) out.intensities[count - 1 - i] = static_cast<float>(beam.intensity);
  }
  return out;
}

/// The nearest of all beams, as gazebo_ros_ray_sensor has it.
message::Range range_message(LidarStream& stream, const TopicInput& in) {
  constexpr std::uint8_t kInfrared = 1;
  const TimedSweep& sweep = stream.sweep(in);
  message::Range out;
  out.header = at(in, message::nanoseconds(sweep.start_time));
  out.radiation_type = kInfrared;
  out.min_range = static_cast<float>(stream.source.min_range);
  out.max_range = static_cast<float>(stream.source.max_range);
  out.range = kInfinity;
  if (sweep.beams.empty()) return out;
  double left = -kPi, right = kPi, low = kPi, high = -kPi;
  for (const BeamReturn& beam : sweep.beams) {
    out.range = std::min(out.range, beam.range);
    left = std::max<double>(left, beam.azimuth), right = std::min<double>(right, beam.azimuth);
    low = std::min<double>(low, beam.elevation), high = std::max<double>(high, beam.elevation);
  }
  out.field_of_view = static_cast<float>(std::max(left - right, high - low));
  return out;
}

/// At equal angles in the plane z = 0, as those of a LaserScan are. Beams that two prisms steer
/// leave it, though they are one layer; tilted ones are a cone; those of a planar picture are at
/// equal steps of the angle's tangent.
bool is_a_fan(const BeamSensor& lidar) {
  const Properties& facts = lidar.facts();
  const auto is = [&facts](const char* name, const char* value) {
    const auto fact = facts.find(name);
    return fact != facts.end() && fact->second == Property(std::string(value));
  };
  if (lidar.layers() != 1 || is("scanLaw", "risley") || is("projection", "planar")) return false;
  constexpr double kLevel = 1e-6;  // degrees
  const auto elevations = facts.find("beamElevations_deg");
  const auto* list =
      elevations == facts.end() ? nullptr : std::get_if<std::vector<double>>(&elevations->second);
  return !list || list->empty() || std::abs(list->front()) < kLevel;
}

SweepSource source_of(const BeamSensor& lidar, const TopicRequest& request) {
  SweepSource source;
  source.robot = request.robot;
  source.device = request.device;
  source.product = request.product;
  source.layers = lidar.layers();
  source.columns = lidar.columns();
  source.properties = lidar.facts();
  source.min_range = number(source.properties, "minRange");
  source.max_range = lidar.max_range();
  source.resolution = std::max(0.0, number(source.properties, "resolution"));
  return source;
}

std::vector<DeviceTopic> sweep_topics(const BeamSensor& lidar, const TopicRequest& request,
                                      std::function<double()> scan_period) {
  auto stream = std::make_shared<LidarStream>(
      LidarStream{lidar, source_of(lidar, request), std::move(scan_period)});
  const TopicWish wish = request.wish("points", true), scan = request.wish("scan", true);
  const bool wants_points = !wish.format.empty() || wish.type == "sensor_msgs/PointCloud2";
  if (is_a_fan(lidar) && !wants_points && wish.type != "livox_ros_driver/CustomMsg") {
    return {topic_of<message::LaserScan>(
        "scan", "", [stream](const TopicInput& in) { return scan_message(*stream, in); })};
  }
  const bool custom =
      wish.type == "livox_ros_driver/CustomMsg" || wish.type == "livox_ros_driver2/CustomMsg";
  if (!wish.type.empty() && !custom && wish.type != "sensor_msgs/PointCloud2") {
    throw std::invalid_argument("a lidar has no messages of type '" + wish.type +
                                "'; it has sensor_msgs/PointCloud2 and livox_ros_driver/CustomMsg");
  }
  const std::string format = custom                ? "livox"
                             : wish.format.empty() ? default_format(request.product)
                                                   : wish.format;
  stream->layout = &point_layout(format);
  stream->shape = shape_of(*stream->layout);
  if (!wish.stamp.empty()) stream->source.properties["headerTime"] = wish.stamp;
  if (custom || format == "livox") {
    return {topic_of<message::CustomMsg>("points", "_points", [stream](const TopicInput& in) {
      return custom_message(*stream, in);
    })};
  }
  return {topic_of<message::PointCloud2>(
      "points", "_points", [stream](const TopicInput& in) { return points_message(*stream, in); })};
}

}  // namespace

std::vector<DeviceTopic> lidar_topics(const BeamSensor& lidar, const TopicRequest& request,
                                      std::function<double()> scan_period) {
  std::vector<DeviceTopic> out = sweep_topics(lidar, request, scan_period);
  if (request.wish("range").message.empty()) return out;
  auto stream = std::make_shared<LidarStream>(
      LidarStream{lidar, source_of(lidar, request), std::move(scan_period)});
  out.push_back(topic_of<message::Range>(
      "range", "_range", [stream](const TopicInput& in) { return range_message(*stream, in); }));
  return out;
}

}  // namespace protobeam
