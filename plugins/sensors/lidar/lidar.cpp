// Lidar: a grid of beams, layers by columns, from one point.
//
// Frame: the device's own, x forward, y left, z up. Layer 0 is the top one, column 0 the leftmost.
//   fixed       azimuth of column j: fieldOfView / 2 - (j + 1/2) fieldOfView /
//   horizontalResolution.
//               The whole image is taken at the instant of the sample.
//   rotating    the columns span a full turn: azimuth pi - 2 pi j / horizontalResolution, so that
//               column 0 looks to the rear and the middle one to the front. The head starts there
//               when the device is enabled and turns clockwise seen from above. Each physics step
//               takes the columns that the head has passed, from the pose at the end of the step;
//               the others keep their older values (+inf until they are passed for the first time).
//   elevation   of layer i: verticalFieldOfView / 2 - i verticalFieldOfView / (numberOfLayers - 1),
//               0 for a single layer, or layerAngles[i]; plus tiltAngle, so that each layer is a
//               cone about z.
//   planar      columns are at equal steps of tan(azimuth), rows at equal elevations in the middle
//               column; rows are straight lines on a wall, and the tilt turns the picture about y.
// Ranges are distances along the beam for both projections. In this order: a surface nearer than
// `near` does not exist; noise, normal with sigma = noise * maxRange (Webots reference, Lidar);
// then floor(r / resolution + 1/2) * resolution; then what is outside [minRange, maxRange] does not
// return, but hides what is behind it.
// No return is +inf in the image and infinite x, y and z in the point cloud. The time of a point is
// that of the pose it was taken from. The noise of a beam is a function of seed, device, frame and
// the beam's place in the casting order (beam_grid.h) only.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "beam_grid.h"
#include "returns.h"
#include "sensor/plugin.h"
#include "sensor/sensor.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
// As people round them.
constexpr double kFullTurn = 6.2832, kHalfTurn = 3.1416, kQuarterTurn = 1.5708;
constexpr std::int64_t kMaxBeams = 1 << 24;
/// Normal values beyond this are never drawn (see gaussian()).
constexpr double kMaxSigmas = 6.7;

NodeSchema schema() {
  const Range fraction_of_turn = [] {
    Range r = Range::between(0, kFullTurn);
    r.min_open = true;
    return r;
  }();
  return {
      "Lidar",
      "Solid",
      "Ranges along a grid of laser beams.",
      {
          {"name", FieldType::kString, "\"lidar\"", "", Range::any(), "name for the controller"},
          {"tiltAngle", FieldType::kFloat, "0", "rad", Range::between(-kQuarterTurn, kQuarterTurn),
           "raises all beams"},
          {"horizontalResolution", FieldType::kInt32, "512", "", Range::between(1, 1 << 20),
           "columns: beams in a layer"},
          {"fieldOfView", FieldType::kFloat, "1.5708", "rad", fraction_of_turn,
           "horizontal angle of a fixed head; a rotating one always sees the full turn"},
          {"verticalFieldOfView", FieldType::kFloat, "0.2", "rad", Range::between(0, kHalfTurn),
           "angle between the top and the bottom layer"},
          {"numberOfLayers", FieldType::kInt32, "4", "", Range::between(1, 1 << 14), "layers"},
          {"layerAngles", FieldType::kMFFloat, "[ ]", "rad",
           Range::between(-kQuarterTurn, kQuarterTurn),
           "elevation of each layer, top first, instead of verticalFieldOfView"},
          {"near", FieldType::kFloat, "0.01", "m", Range::positive(),
           "what is nearer does not exist for this lidar (its own housing)"},
          {"minRange", FieldType::kFloat, "0.01", "m", Range::positive(),
           "what is nearer gives no return but hides what is behind"},
          {"maxRange", FieldType::kFloat, "1", "m", Range::positive(), "longest range"},
          {"type", FieldType::kString, "\"fixed\"", "", Range::any(),
           "whole image at once, or a turning head", "fixed|rotating"},
          {"projection", FieldType::kString, "\"cylindrical\"", "", Range::any(),
           "beams at equal angles, or at equal steps on a plane", "cylindrical|planar"},
          {"spherical", FieldType::kBool, "TRUE", "", Range::any(),
           "old spelling of projection: TRUE is cylindrical, FALSE planar"},
          {"noise", FieldType::kFloat, "0", "", Range::at_least(0),
           "standard deviation of a range / maxRange"},
          {"resolution", FieldType::kFloat, "-1", "m", Range::positive().or_special(-1),
           "ranges are multiples of it; -1: exact"},
          {"defaultFrequency", FieldType::kFloat, "10", "Hz", Range::positive(),
           "turns a second of a rotating head"},
          {"minFrequency", FieldType::kFloat, "1", "Hz", Range::positive(),
           "lowest frequency that a controller can set"},
          {"maxFrequency", FieldType::kFloat, "25", "Hz", Range::positive(),
           "highest frequency that a controller can set"},
          {"rotatingHead", FieldType::kNode, "NULL", "", Range::any(),
           "what is seen to turn with the head", "Solid"},
      }};
}

template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <typename... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  throw std::invalid_argument(joined(parts...));
}

BeamPattern pattern_of(const Fields& fields) {
  BeamPattern p;
  p.layers = fields.integer("numberOfLayers");
  p.columns = fields.integer("horizontalResolution");
  p.field_of_view = std::min(fields.number("fieldOfView"), 2 * kPi);
  p.tilt = fields.number("tiltAngle");
  p.rotating = fields.string("type") == "rotating";
  p.planar = fields.is_set("projection") ? fields.string("projection") == "planar"
                                         : !fields.boolean("spherical");
  if (std::int64_t{p.layers} * p.columns > kMaxBeams) {
    refuse("numberOfLayers ", p.layers, " times horizontalResolution ", p.columns,
           " of Lidar is more than ", kMaxBeams, " beams");
  }
  const double span = fields.number("verticalFieldOfView");
  if (p.planar && p.rotating) {
    refuse("a Lidar of type \"rotating\" has no projection \"planar\"; use \"cylindrical\"");
  }
  if (p.planar && !(p.field_of_view < kPi)) {
    refuse("field 'fieldOfView' of a planar Lidar must be less than pi, got ", p.field_of_view);
  }
  if (p.planar && !(span < kPi)) {
    refuse("field 'verticalFieldOfView' of a planar Lidar must be less than pi, got ", span);
  }
  p.elevations = fields.numbers("layerAngles");
  if (p.elevations.empty()) {
    for (int i = 0; i < p.layers; ++i) {
      p.elevations.push_back(p.layers == 1 ? 0 : span / 2 - i * span / (p.layers - 1));
    }
  } else if (static_cast<int>(p.elevations.size()) != p.layers) {
    refuse("field 'layerAngles' of Lidar has ", p.elevations.size(), " angles for ", p.layers,
           " layers (numberOfLayers)");
  } else if (p.planar) {
    refuse("field 'layerAngles' of Lidar needs projection \"cylindrical\"");
  }
  return p;
}

/// A `near` that was not written follows a smaller minRange.
double near_of(const Fields& fields) {
  const double near = fields.number("near"), min = fields.number("minRange");
  if (near > min && fields.is_set("near") && fields.is_set("minRange")) {
    refuse("field 'near' of Lidar must not be greater than minRange (", min, "), got ", near);
  }
  return fields.is_set("near") ? near : std::min(near, min);
}

RangeModel ranges_of(const Fields& fields) {
  const double max = fields.number("maxRange");
  const RangeModel model{fields.number("noise") * max, fields.number("resolution"),
                         fields.number("minRange"), max};
  if (!(model.max > model.min)) {
    refuse("field 'maxRange' of Lidar must be greater than minRange (", model.min, "), got ",
           model.max);
  }
  return model;
}

/// Where the head of a rotating lidar is, in columns since the device was enabled.
class Sweep {
 public:
  explicit Sweep(int columns) : columns_(columns) { reset(); }

  void reset() {
    turns_ = 0;
    next_ = front();
  }
  struct Sector {
    int first, count;  ///< columns passed; may run over the last column into the first
    bool whole_turn;   ///< a turn was completed
  };
  Sector advance(double turns) {
    turns_ += turns;
    // A column belongs to the step in which the head passes it, whatever the last bits say.
    const double head = columns_ / 2.0 + turns_ * columns_;
    const auto end = static_cast<std::int64_t>(std::ceil(head - 1e-6));
    const std::int64_t turns_before = (next_ - front()) / columns_;
    const bool whole_turn = (end - front()) / columns_ > turns_before;
    const std::int64_t begin = std::max(next_, end - columns_);
    next_ = end;
    return {static_cast<int>(begin % columns_), static_cast<int>(end - begin), whole_turn};
  }
  double angle() const { return -2 * kPi * (turns_ - std::floor(turns_)); }

 private:
  std::int64_t front() const { return (columns_ + 1) / 2; }

  int columns_;
  double turns_ = 0;
  std::int64_t next_ = 0;  ///< first column that was not passed yet, counted over all turns
};

class Lidar final : public BeamSensor {
 public:
  explicit Lidar(const Fields& fields)
      : pattern_(pattern_of(fields)),
        ranges_(ranges_of(fields)),
        grid_(pattern_),
        near_(near_of(fields)),
        frequency_(fields.number("defaultFrequency")),
        min_frequency_(fields.number("minFrequency")),
        max_frequency_(fields.number("maxFrequency")),
        field_of_view_(fields.number("fieldOfView")),
        vertical_field_of_view_(fields.number("verticalFieldOfView")),
        noise_(fields.number("noise")),
        sweep_(pattern_.columns) {
    if (pattern_.rotating) check_frequencies();
    column_time_.assign(static_cast<std::size_t>(pattern_.columns), 0.0f);
    reset();
  }

  DeviceKind kind() const override { return DeviceKind::kLidar; }
  Properties properties() const override {
    return {{"horizontalResolution", double(pattern_.columns)},
            {"numberOfLayers", double(pattern_.layers)},
            {"fieldOfView", field_of_view_},
            {"verticalFieldOfView", vertical_field_of_view_},
            {"tiltAngle", pattern_.tilt},
            {"near", near_},
            {"minRange", ranges_.min},
            {"maxRange", ranges_.max},
            {"noise", noise_},
            {"resolution", ranges_.resolution},
            {"type", std::string(pattern_.rotating ? "rotating" : "fixed")},
            {"projection", std::string(pattern_.planar ? "planar" : "cylindrical")},
            {"defaultFrequency", frequency_},
            {"minFrequency", min_frequency_},
            {"maxFrequency", max_frequency_}};
  }
  std::size_t data_size() const override {
    return lidar_data_size(std::size_t(pattern_.layers), std::size_t(pattern_.columns));
  }
  bool every_step() const override { return pattern_.rotating; }
  int layers() const override { return pattern_.layers; }
  int columns() const override { return pattern_.columns; }
  double max_range() const override { return ranges_.max; }
  bool frame_complete() const override { return frame_complete_; }
  std::size_t points() const override { return returns_in_frame_; }
  double head_angle() const override { return pattern_.rotating ? sweep_.angle() : 0; }

  std::string command(const DeviceCommand& command) override;
  void reset() override;
  void sample(const SensorInput& in, std::span<std::byte> out) override;
  std::vector<BeamReturn> beams(std::span<const std::byte> data) const override;

 private:
  void check_frequencies() const;
  void sample_rotating(const SensorInput& in, float* range, LidarPoint* points);
  /// Casts columns [first, first + count), all of them within the image.
  std::size_t cast(const SensorInput& in, int first, int count, float* range, LidarPoint* points);

  BeamPattern pattern_;
  RangeModel ranges_;
  BeamGrid grid_;
  double near_, frequency_, min_frequency_, max_frequency_;
  double field_of_view_, vertical_field_of_view_, noise_;
  bool point_cloud_ = false;
  bool frame_complete_ = true;
  std::size_t returns_in_frame_ = 0;
  std::vector<float> column_time_;  ///< s, of the pose that each column was taken from

  Sweep sweep_;
  std::vector<float> ring_;  ///< image of a rotating head
  std::vector<LidarPoint> ring_points_;
};

void Lidar::check_frequencies() const {
  if (min_frequency_ > max_frequency_) {
    refuse("field 'maxFrequency' of Lidar must not be less than minFrequency (", min_frequency_,
           "), got ", max_frequency_);
  }
  if (frequency_ < min_frequency_ || frequency_ > max_frequency_) {
    refuse("field 'defaultFrequency' of Lidar must be in [", min_frequency_, ", ", max_frequency_,
           "] (minFrequency, maxFrequency), got ", frequency_);
  }
}

std::string Lidar::command(const DeviceCommand& command) {
  const double number = command.numbers.empty() ? 0 : command.numbers[0];
  switch (command.op) {
    case DeviceOp::kLidarPointCloud:
      point_cloud_ = number != 0;
      return "";
    case DeviceOp::kLidarFrequency:
      if (!(number >= min_frequency_ && number <= max_frequency_)) {
        return joined("frequency ", number, " Hz is outside [", min_frequency_, ", ",
                      max_frequency_, "]");
      }
      frequency_ = number;
      return "";
    default:
      return BeamSensor::command(command);
  }
}

void Lidar::reset() {
  sweep_.reset();
  returns_in_frame_ = 0;
  frame_complete_ = !pattern_.rotating;
  if (!pattern_.rotating) return;
  ring_.assign(grid_.size(), kInfinity);
  ring_points_.assign(grid_.size(), {kInfinity, kInfinity, kInfinity, 0, 0});
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    ring_points_[grid_.cell()[i]].layer_id = grid_.layer()[i];
  }
}

void Lidar::sample(const SensorInput& in, std::span<std::byte> out) {
  auto* range = reinterpret_cast<float*>(out.data());
  auto* points = point_cloud_ ? reinterpret_cast<LidarPoint*>(range + grid_.size()) : nullptr;
  if (pattern_.rotating) {
    sample_rotating(in, range, points);
  } else {
    returns_in_frame_ = cast(in, 0, pattern_.columns, range, points);
  }
}

void Lidar::sample_rotating(const SensorInput& in, float* range, LidarPoint* points) {
  const Sweep::Sector sector = sweep_.advance(frequency_ * in.step);
  LidarPoint* ring_points = point_cloud_ ? ring_points_.data() : nullptr;
  const int before_wrap = std::min(sector.count, pattern_.columns - sector.first);
  cast(in, sector.first, before_wrap, ring_.data(), ring_points);
  cast(in, 0, sector.count - before_wrap, ring_.data(), ring_points);
  frame_complete_ = sector.whole_turn;
  if (frame_complete_) {
    returns_in_frame_ = static_cast<std::size_t>(
        std::count_if(ring_.begin(), ring_.end(), [](float r) { return r < kInfinity; }));
  }
  std::memcpy(range, ring_.data(), grid_.size() * sizeof(float));
  if (points) std::memcpy(points, ring_points_.data(), grid_.size() * sizeof(LidarPoint));
}

std::size_t Lidar::cast(const SensorInput& in, int first, int count, float* range,
                        LidarPoint* points) {
  if (count == 0) return 0;
  const BeamGrid::Run run = grid_.bands(first, first + count);
  Returns returns;
  returns.grid = &grid_;
  returns.model = &ranges_;
  returns.noise = in.noise;
  returns.time = static_cast<float>(in.time);
  returns.first_beam = run.first;
  returns.range = range;
  returns.points = points;
  returns.first_column = static_cast<std::uint32_t>(first);
  returns.columns = static_cast<std::uint32_t>(count);
  RayBatch batch;
  batch.X_WS = in.X_WS;
  batch.dx = grid_.dx() + run.first;
  batch.dy = grid_.dy() + run.first;
  batch.dz = grid_.dz() + run.first;
  batch.count = run.count;
  batch.packet = grid_.packet();
  batch.t_near = static_cast<float>(near_);
  // Noise and rounding may bring back what is a little too far.
  batch.t_far = static_cast<float>(ranges_.max + kMaxSigmas * ranges_.sigma +
                                   std::max(ranges_.resolution, 0.0));
  in.visible->cast(batch, [&returns](const RayBlock& block) { returns.take(block); });
  std::fill_n(column_time_.begin() + first, count, returns.time);
  return returns.returned;
}

std::vector<BeamReturn> Lidar::beams(std::span<const std::byte> data) const {
  std::vector<BeamReturn> out;
  out.reserve(grid_.size());
  const auto* range = reinterpret_cast<const float*>(data.data());
  for (int layer = 0; layer < pattern_.layers; ++layer) {
    for (int column = 0; column < pattern_.columns; ++column) {
      const Vec3 d = pattern_.direction(layer, column);
      const float r = *range++;
      const Vec3 p = r < kInfinity ? Vec3(r * d) : Vec3::Constant(kInfinity);
      out.push_back({layer, column, static_cast<float>(std::atan2(d.y(), d.x())),
                     static_cast<float>(std::asin(d.z())), r, static_cast<float>(p.x()),
                     static_cast<float>(p.y()), static_cast<float>(p.z()),
                     column_time_[static_cast<std::size_t>(column)], 0});
    }
  }
  return out;
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_SENSOR_PLUGIN(protobeam::schema(), protobeam::Lidar)
