// DistanceSensor: one number out of a few rays, for infra-red, ultrasonic and laser range finders.
//
// Frame: the device's own; it looks along +x. The rays fill the cone of `aperture` in Webots'
// pattern (see ray_directions); the distance then goes through the lookup table.
//   generic    gaussian-weighted mean of the rays, on boundingObjects
//   infra-red  the same on what is visible, from where rays have left the shapes that the sensor
//              sits in; dark, rough and red-less surfaces seem farther away
//   sonar      the nearest echo, on boundingObjects; a surface hit at more than 22.5 degrees from
//              its normal sends none back
//   laser      one ray, on boundingObjects; `aperture` is the radius of the red spot (m) that cameras
//              see where it meets one at less than 80 degrees from its normal (Webots,
//              src/webots/nodes/WbDistanceSensor.cpp)
// BoundingObjects of its own robot are not felt unless that has selfCollision TRUE. Those in which
// a ray begins are felt at their far side, by a sonar not if it is a Cylinder: ODE's normal points
// away from it there. Shapes in front of an infra-red one are seen whosever they are (Webots,
// src/webots/engine/WbSimulationCluster.cpp; WbBox.cpp and others do not see Shapes from inside).
//
// A ray that meets nothing counts as the last input of the lookup table, its reach. Without a table
// the value is the distance in metres, the reach is 1 km, and nothing in reach reads +inf.
//
// Weights of n rays at angles t from the axis: exp(-(t / (aperture gaussianWidth))^2), normalised
// to sum 1. The mean distance d of an infra-red sensor becomes d + (d / f - d) redColorSensitivity,
// where f is the mean by the same weights of how each surface reflects: 1 for none, else
//   0.2 + 0.8 red (1 - roughness / 2) (1 - occlusion / 2)
// (Webots, src/webots/nodes/WbDistanceSensor.cpp and WbShape.cpp). `red` is the colour as written,
// times the nearest pixel of the picture and the opacity, under what a Pen has drawn there;
// pictures of roughness and occlusion count on surfaces that have a baseColorMap, and occlusion as
// their red is: 1 is dark.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/lookup_table.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/sensor_msgs.h"
#include "render/near_limits.h"
#include "render/texture.h"

namespace protobeam {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kReachWithoutTable = 1000;     // m
constexpr double kSonarMaxIncidence = kPi / 8;  // rad, from the surface normal
constexpr double kMaxRays = 1000;
constexpr double kSpotMaxIncidence = 1.3963;  // rad, from the surface normal
constexpr double kSpotLift = 5e-4;  // m towards the sensor: lineScale / 200 of Webots' default

DeviceType declaration() {
  return {
      .node = {
      "DistanceSensor",
      "Device",
      "Distance to what is in front, through a lookup table.",
      {
          {"name", FieldType::kString, "\"distance sensor\"", "", Range::any(),
           "name for the controller"},
          {"lookupTable", FieldType::kMFVec3f, "[ 0 0 0, 0.1 1000 0 ]", "m", Range::any(),
           "triples distance, output, relative noise (standard deviation / output); empty: metres"},
          {"type", FieldType::kString, "\"generic\"", "", Range::any(), "how rays make a value",
           "generic|infra-red|sonar|laser"},
          {"numberOfRays", FieldType::kInt32, "1", "", Range::between(1, kMaxRays),
           "rays in the cone; a laser has 1"},
          {"aperture", FieldType::kFloat, "1.5708", "rad", Range::between(0, 2 * kPi),
           "opening angle of the cone; for a laser the radius of its spot in m"},
          {"gaussianWidth", FieldType::kFloat, "1", "", Range::positive(),
           "angle off the axis, in apertures, at which a ray's weight has fallen to 1/e"},
          {"resolution", FieldType::kFloat, "-1", "", Range::positive().or_special(-1),
           "smallest step of the output; -1: none"},
          {"redColorSensitivity", FieldType::kFloat, "1", "", Range::at_least(0),
           "how much an infra-red sensor's reading depends on surfaces; 0: not at all"},
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
      .inputs = {Input::kVisibleRays, Input::kSolidRays, Input::kAppearance, Input::kHousing},
      .webots_node = 42,
  };
}

/// Rays that share an angle off the axis, at equal steps around it.
struct Ring {
  int count;
  double part;       ///< of the half aperture
  double first = 0;  ///< where the first ray stands, in steps
};

/// Up to 10 rays.
std::vector<Ring> rings_of_few(int count) {
  switch (count) {
    case 1:
      return {{1, 0}};
    case 2:
      return {{2, 1, 0.5}};  // left and right
    case 3:
      return {{3, 1}};
    case 9:
      return {{3, 0.3}, {6, 1}};
    case 10:
      return {{1, 0}, {3, 0.5}, {6, 1}};
    default:
      return {{1, 0}, {count - 1, 1}};
  }
}

/// Room for 1, 4, 7, 10, ... rays, at equal steps from the axis to the edge; the last ring has what
/// is left. Each begins by as many of its steps as there are rays before it.
std::vector<Ring> rings_of_many(int count) {
  std::vector<Ring> rings;
  for (int done = 0, room = 1; done < count; done += room, room += 3) {
    rings.push_back({std::min(room, count - done), static_cast<double>(rings.size()),
                     static_cast<double>(done)});
  }
  for (Ring& ring : rings) ring.part /= static_cast<double>(rings.size() - 1);
  return rings;
}

/// Unit directions of Webots' pattern (setupRayDirs in src/webots/nodes/WbDistanceSensor.cpp).
/// Angles around the axis count from up (+z) over left (+y).
std::vector<Vec3> ray_directions(int count, double aperture) {
  if (!(aperture > 0)) count = 1;
  std::vector<Vec3> out;
  for (const Ring& ring : count <= 10 ? rings_of_few(count) : rings_of_many(count)) {
    const double off_axis = ring.part * aperture / 2;
    const double along = libm::cos(off_axis), across = libm::sin(off_axis);
    for (int i = 0; i < ring.count; ++i) {
      const double around = 2 * kPi * (ring.first + i) / ring.count;
      out.emplace_back(along, across * libm::sin(around), across * libm::cos(around));
    }
  }
  return out;
}

/// `width`: angle at which a weight has fallen to 1/e.
std::vector<double> gaussian_weights(const std::vector<Vec3>& directions, double width) {
  if (directions.size() == 1) return {1};  // without an aperture the width is 0
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

/// Where a ray has met a shape, as RayBlock says it.
struct ShapeHit {
  Vec3 p_W, normal_W;
  std::uint32_t instance, shape, triangle;
  float u, v;
};

/// How much of infra-red light comes back, 0.2 to 1.
double reflection_factor(const Appearance& appearance, const ShapeHit& hit) {
  if (hit.instance >= appearance.instances.size()) return 1;
  const InstanceLook& instance = appearance.instances[hit.instance];
  if (hit.shape >= instance.shapes.size()) return 1;
  const ShapeLook& look = instance.shapes[hit.shape];
  const Material& material = *look.material;
  double red = material.infrared_red * (1.0 - material.transparency);
  double roughness = material.infrared_roughness, occlusion = 0;
  const auto* mesh = std::get_if<Mesh>(look.geometry.get());
  if (material.texture && !(mesh && mesh->uvs.empty())) {
    const Vec3 p_S = (instance.X_WI * look.X_IS).inverse() * hit.p_W;
    const auto at = render::texture_point(*look.geometry, p_S, hit.triangle, hit.u, hit.v).uv;
    const Eigen::Vector2f uv = material.uv_transform * Eigen::Vector3f(at.x(), at.y(), 1);
    const auto take_red = [&](const Image* image, double& to) {
      if (!image || image->pixels.empty()) return;
      to = render::nearest_pixel(*image, uv, material.repeat_s, material.repeat_t).x();
    };
    double pixel = 1;
    take_red(material.texture.get(), pixel);
    red *= pixel;
    if (const MaterialMaps* maps = material.maps.get()) {
      take_red(maps->roughness.get(), roughness);
      take_red(maps->occlusion.get(), occlusion);
    }
  }
  if (look.paint) {
    const Pose X_SW = (instance.X_WI * look.X_IS).inverse();
    const Ink ink = look.paint->at(X_SW * hit.p_W, X_SW.R * hit.normal_W);
    red += ink.density * (ink.color.x() - red);
  }
  return 0.2 + 0.8 * red * (1 - 0.5 * roughness) * (1 - 0.5 * occlusion);
}

class DistanceSensor final : public DeviceModel, public KeepsState {
 public:
  explicit DistanceSensor(const Fields& fields)
      : type_(fields.string("type")),
        table_(fields.numbers("lookupTable")),
        aperture_(fields.number("aperture")),
        resolution_(fields.number("resolution")),
        sensitivity_(fields.number("redColorSensitivity")) {
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
    weights_ = gaussian_weights(directions_S_, aperture_ * fields.number("gaussianWidth"));
    reach_ = table_.empty() ? kReachWithoutTable : table_.max_input();
    nothing_ = table_.max_input();
    for (const Vec3& d : directions_S_) {
      dx_.push_back(static_cast<float>(d.x()));
      dy_.push_back(static_cast<float>(d.y()));
      dz_.push_back(static_cast<float>(d.z()));
    }
    distances_.resize(directions_S_.size());
    factors_.resize(directions_S_.size(), 1);
  }

  Inputs inputs(Inputs) const override {
    if (type_ == "infra-red") return {Input::kVisibleRays, Input::kAppearance, Input::kHousing};
    return Input::kSolidRays;
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
    const double distance = type_ == "infra-red" ? infrared_distance(in) : solid_distance(in);
    write_values<1>(out.channel<double>(0), {quantised(table_.sample(distance, in.noise, 0), resolution_)});
  }

  std::optional<BeamSpot> spot() const override {
    if (!spot_W_ || !(aperture_ > 0)) return std::nullopt;
    return BeamSpot{(*spot_W_)[0], (*spot_W_)[1], aperture_, {1, 0, 0}};
  }

  void visit_state(StateArchive& archive) override {
    archive.fixed(distances_);
    archive(spot_W_);
  }

 private:
  double solid_distance(const SampleInput& in) {
    look_at_solids(in);
    return type_ == "generic" ? weighted_mean(distances_)
                              : *std::min_element(distances_.begin(), distances_.end());
  }

  double infrared_distance(const SampleInput& in) {
    look_at_visible(in);
    const double mean = weighted_mean(distances_);
    if (!std::isfinite(mean)) return mean;
    return mean + (mean / weighted_mean(factors_) - mean) * sensitivity_;
  }

  void look_at_solids(const SampleInput& in) {
    for (std::size_t i = 0; i < directions_S_.size(); ++i) {
      const Vec3 direction_W = in.X_WS.R * directions_S_[i];
      const auto hit = in.solid_ray(in.X_WS.p, direction_W, reach_);
      const bool echo = hit && (type_ != "sonar" || comes_back(direction_W, hit->normal_W));
      distances_[i] = echo ? hit->distance : nothing_;
      if (type_ == "laser") light_spot(in.X_WS.p, direction_W, hit);
    }
  }

  void light_spot(const Vec3& from_W, const Vec3& direction_W, const std::optional<SolidHit>& hit) {
    spot_W_.reset();
    if (!hit) return;
    if (std::abs(direction_W.dot(hit->normal_W)) <= libm::cos(kSpotMaxIncidence)) return;
    spot_W_ = {from_W + (hit->distance - kSpotLift) * direction_W, hit->normal_W};
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
    if (in.fixed_shapes != fixed_shapes_) {
      fixed_shapes_ = in.fixed_shapes;
      const render::Housing housing(fixed_shapes_.get());
      near_.assign(housing.empty() ? 0 : dx_.size(), 0);
      housing.leave(batch, near_);
    }
    if (!near_.empty()) batch.near = near_.data();
    batch.hits = batch.normals = in.appearance != nullptr;
    in.visible->cast(batch, [this, &in](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t ray = block.first + i;
        const double range = block.range[i];
        const bool hit = std::isfinite(range);
        distances_[ray] = hit ? range : nothing_;
        factors_[ray] = hit && in.appearance ? factor_of(in, ray, block, i) : 1;
      }
    });
  }

  double factor_of(const SampleInput& in, std::size_t ray, const RayBlock& block,
                   std::size_t i) const {
    const Vec3 p_W = in.X_WS * Vec3(directions_S_[ray] * block.range[i]);
    const Vec3 normal_W(block.nx[i], block.ny[i], block.nz[i]);
    return reflection_factor(*in.appearance, {p_W, normal_W, block.instance[i], block.shape[i],
                                              block.primitive[i], block.u[i], block.v[i]});
  }

  static bool comes_back(const Vec3& direction_W, const Vec3& normal_W) {
    return -direction_W.dot(normal_W) >= libm::cos(kSonarMaxIncidence);
  }

  double weighted_mean(const std::vector<double>& values) const {
    double mean = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (weights_[i] > 0) mean += weights_[i] * values[i];  // 0 x inf is not 0
    }
    return mean;
  }

  std::string type_;
  LookupTable table_;
  double aperture_, resolution_, sensitivity_;
  double reach_;    // m, how far rays look
  double nothing_;  // what a ray that meets nothing counts as
  std::vector<Vec3> directions_S_;
  std::vector<float> dx_, dy_, dz_;
  std::shared_ptr<const std::vector<FixedShape>> fixed_shapes_;
  std::vector<float> near_;  // m, by ray: where it has left those that it begins in; empty: none
  std::vector<double> weights_;
  std::vector<double> distances_;  // of the last sample, ray by ray
  std::vector<double> factors_;    // by which surfaces reflect there, of an infra-red sensor
  std::optional<std::array<Vec3, 2>> spot_W_;  // a laser's: where, and the normal there
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::DistanceSensor)
