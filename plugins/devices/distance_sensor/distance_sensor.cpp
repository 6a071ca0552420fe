// DistanceSensor: one number out of a few rays, for infra-red, ultrasonic and laser range finders.
//
// Frame: the device's own; it looks along +x. The rays fill the cone of `aperture` (see
// ray_directions); the distance then goes through the lookup table.
//   generic    gaussian-weighted mean of the rays, on boundingObjects
//   infra-red  the same on what is visible
//   sonar      the nearest echo, on boundingObjects; a surface hit at more than 22.5 degrees from
//              its normal sends none back
//   laser      one ray, on boundingObjects; `aperture` is the radius of the visible spot (m)
// A ray that meets nothing counts as the last input of the lookup table, its reach. Without a table
// the value is the distance in metres, the reach is 1 km, and nothing in reach reads +inf.
//
// Weights of n rays at angles t from the axis: exp(-(t / gaussianWidth)^2), normalised to sum 1
// (Webots reference, DistanceSensor).
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/lookup_table.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kReachWithoutTable = 1000;     // m
constexpr double kSonarMaxIncidence = kPi / 8;  // rad, from the surface normal
constexpr double kMaxRays = 1000;

DeviceType declaration() {
  return {
      .node = {
      "DistanceSensor",
      "Device",
      "Distance to what is in front, through a lookup table.",
      {
          {"name", FieldType::kString, "\"distance sensor\"", "", Range::any(),
           "name for the controller"},
          {"lookupTable", FieldType::kMFFloat, "[ 0 0 0, 0.1 1000 0 ]", "m", Range::any(),
           "triples distance, output, relative noise (standard deviation / output); empty: metres"},
          {"type", FieldType::kString, "\"generic\"", "", Range::any(), "how rays make a value",
           "generic|infra-red|sonar|laser"},
          {"numberOfRays", FieldType::kInt32, "1", "", Range::between(1, kMaxRays),
           "rays in the cone; a laser has 1"},
          {"aperture", FieldType::kFloat, "1.5708", "rad", Range::between(0, 2 * kPi),
           "opening angle of the cone; for a laser the radius of its spot in m"},
          {"gaussianWidth", FieldType::kFloat, "1", "rad", Range::positive(),
           "angle at which a ray's weight has fallen to 1/e"},
          {"resolution", FieldType::kFloat, "-1", "", Range::positive().or_special(-1),
           "smallest step of the output; -1: none"},
          {"redColorSensitivity", FieldType::kFloat, "1", "", Range::at_least(0),
           "how much an infra-red sensor's reading depends on colour", "", nullptr, true},
      }},
      .channels = {{"value", ElementType::kFloat64, {}, "of the lookup table", "device", "",
                    "the distance, through the lookup table"}},
      .properties = {{"type", "", "how rays make a value"},
                     {"lookupTable", "", "triples distance, output, relative noise"},
                     {"aperture", "rad", "opening angle of the cone"},
                     {"numberOfRays", "", "rays in the cone"},
                     {"minValue", "", "smallest output of the table"},
                     {"maxValue", "", "largest output of the table"},
                     {"resolution", "", "smallest step of the output; -1: none"}},
      .inputs = {Input::kVisibleRays, Input::kSolidRays},
      .webots_node = 42,
  };
}

/// Unit directions: one ray looks along the axis; two look along the left and right edges of the
/// cone; of more, the first looks along the axis and the others stand on rings at equal angular
/// steps up to the edge, as many on each as its radius deserves, starting at the left (+y).
std::vector<Vec3> ray_directions(int count, double aperture) {
  const auto direction = [](double off_axis, double around) {
    return Vec3(libm::cos(off_axis), libm::sin(off_axis) * libm::cos(around),
                libm::sin(off_axis) * libm::sin(around));
  };
  const double edge = aperture / 2;
  if (count == 1) return {Vec3::UnitX()};
  if (count == 2) return {direction(edge, 0), direction(edge, kPi)};

  // Ring k of a hexagonal pattern holds 6 k.
  int left = count - 1;
  int rings = 1;
  while (3 * rings * (rings + 1) < left) ++rings;
  std::vector<Vec3> out{Vec3::UnitX()};
  for (int ring = rings; ring >= 1; --ring) {
    const int share = static_cast<int>(std::lround(2.0 * left / (ring + 1)));
    for (int i = 0; i < share; ++i)
      out.push_back(direction(edge * ring / rings, 2 * kPi * i / share));
    left -= share;
  }
  return out;
}

std::vector<double> gaussian_weights(const std::vector<Vec3>& directions, double width) {
  std::vector<double> weights;
  double sum = 0;
  for (const Vec3& d : directions) {
    const double off_axis = libm::atan2(libm::hypot(d.y(), d.z()), d.x());
    weights.push_back(libm::exp(-libm::pow(off_axis / width, 2)));
    sum += weights.back();
  }
  // A very narrow weighting leaves nothing of off-axis rays: two edge rays then share equally.
  for (double& w : weights) w = sum > 0 ? w / sum : 1.0 / static_cast<double>(weights.size());
  return weights;
}

class DistanceSensor final : public DeviceModel, public KeepsState {
 public:
  explicit DistanceSensor(const Fields& fields)
      : type_(fields.string("type")),
        table_(fields.numbers("lookupTable")),
        aperture_(fields.number("aperture")),
        resolution_(fields.number("resolution")) {
    const int rays = fields.integer("numberOfRays");
    if (type_ == "laser" && rays != 1) {
      throw std::invalid_argument(
          "a DistanceSensor of type \"laser\" has one ray, not numberOfRays " +
          std::to_string(rays));
    }
    if (!table_.empty() && !(table_.max_input() > 0)) {
      throw std::invalid_argument(
          "lookupTable has no distance above 0; its last input is how far the sensor reaches");
    }
    directions_S_ = ray_directions(rays, aperture_);
    weights_ = gaussian_weights(directions_S_, fields.number("gaussianWidth"));
    reach_ = table_.empty() ? kReachWithoutTable : table_.max_input();
    nothing_ = table_.max_input();
    for (const Vec3& d : directions_S_) {
      dx_.push_back(static_cast<float>(d.x()));
      dy_.push_back(static_cast<float>(d.y()));
      dz_.push_back(static_cast<float>(d.z()));
    }
    distances_.resize(directions_S_.size());
  }

  /// In metres: the output goes back through the lookup table.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Range>("range", "", [this](const TopicInput& in) {
      message::Range range;
      range.header = in.header;
      range.radiation_type = type_ == "sonar" ? 0 : 1;
      range.field_of_view = static_cast<float>(type_ == "laser" ? 0 : aperture_);
      range.min_range = static_cast<float>(table_.min_input());
      range.max_range = static_cast<float>(reach_);
      const double metres = table_.input_of(channel<double>(in.data, 0)[0]);
      range.range = static_cast<float>(metres < reach_ ? metres : kInfinity);
      return range;
    })};
  }
  Properties properties() const override {
    return {{"type", type_},
            {"lookupTable", table_.numbers()},
            {"aperture", aperture_},
            {"numberOfRays", static_cast<double>(directions_S_.size())},
            {"minValue", table_.min_output()},
            {"maxValue", table_.max_output()},
            {"resolution", resolution_}};
  }

  void sample(const SampleInput& in, Sample& out) override {
    if (type_ == "infra-red") {
      look_at_visible(in);
    } else {
      look_at_solids(in);
    }
    const bool mean = type_ == "generic" || type_ == "infra-red";
    const double distance =
        mean ? weighted_mean() : *std::min_element(distances_.begin(), distances_.end());
    write_values<1>(out.channel<double>(0), {quantised(table_.sample(distance, in.noise, 0), resolution_)});
  }

  void visit_state(StateArchive& archive) override { archive(distances_); }

 private:
  void look_at_solids(const SampleInput& in) {
    for (std::size_t i = 0; i < directions_S_.size(); ++i) {
      const Vec3 direction_W = in.X_WS.R * directions_S_[i];
      const auto hit = in.solid_ray(in.X_WS.p, direction_W, reach_);
      const bool echo = hit && (type_ != "sonar" || comes_back(direction_W, hit->normal_W));
      distances_[i] = echo ? hit->distance : nothing_;
    }
  }

  void look_at_visible(const SampleInput& in) {
    RayBatch batch;
    batch.X_WS = in.X_WS;
    batch.dx = dx_.data();
    batch.dy = dy_.data();
    batch.dz = dz_.data();
    batch.count = dx_.size();
    batch.t_far = static_cast<float>(reach_);
    batch.packet = 1;
    in.visible->cast(batch, [this](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const double range = block.range[i];
        distances_[block.first + i] = std::isfinite(range) ? range : nothing_;
      }
    });
  }

  static bool comes_back(const Vec3& direction_W, const Vec3& normal_W) {
    return std::abs(direction_W.dot(normal_W)) >= libm::cos(kSonarMaxIncidence);
  }

  double weighted_mean() const {
    double mean = 0;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
      if (weights_[i] > 0) mean += weights_[i] * distances_[i];  // 0 x inf is not 0
    }
    return mean;
  }

  std::string type_;
  LookupTable table_;
  double aperture_, resolution_;
  double reach_;    // m, how far rays look
  double nothing_;  // what a ray that meets nothing counts as
  std::vector<Vec3> directions_S_;
  std::vector<float> dx_, dy_, dz_;
  std::vector<double> weights_;
  std::vector<double> distances_;  // of the last sample, ray by ray
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::DistanceSensor)
