// How exact the ranges of the products are when their noise is off: against a closed form in rooms,
// and against a caster that tries every triangle of a city in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/bench/city.h"
#include "app/bench/recording_scene.h"
#include "catalogue_fixture.h"

namespace protobeam {
namespace {

using namespace catalogue;

const char* const kProducts[] = {
    "VelodyneVLP-16", "VelodynePuck",  "VelodyneHDL-32E", "VelodyneHDL-64E", "VelodyneVLP-32C",
    "Helios32Fov26",  "Helios32Fov31", "Helios32Fov70",   "OusterOS0",       "OusterOS1",
    "OusterOS2",      "LivoxMid40",    "LivoxMid70",      "IbeoLux",         "SickLdMrs",
    "SickLms291",     "SickS300",      "HokuyoUtm30lx",   "HokuyoUrg04lx",   "RpLidarA2",
    "RobotisLds01",   "Lidar2D"};

void set(const NodePtr& node, const char* field, double value) {
  for (auto& each : node->fields) {
    if (each.name == field) each.value.numbers = {value};
  }
}

/// The product without noise and steps of ranges; its own laser tables if it has some.
std::unique_ptr<DeviceModel> exact(const std::string& proto) {
  Loaded loaded = load(proto + " { beamModel \"datasheet\" }");
  if (!loaded.messages.empty()) loaded = load(proto + " { }");
  EXPECT_EQ(loaded.messages, "");
  const NodePtr lidar = find(loaded.world, "Lidar");
  set(lidar, "noise", 0);
  set(lidar, "detectionNoise", 0);
  set(lidar, "resolution", -1);
  return make_device(load_sensor_plugin("Lidar"), NodeView(*lidar, schemas()));
}

SampleInput whole_sweep(RayScene& scene) {
  SampleInput in;
  in.visible = &scene;
  in.step = in.period = in.time = 1;
  in.noise = {7, 3, 0, 0};
  return in;
}

/// Largest error of a range in a room of that size around the sensor's place in it.
double worst_in_room(const char* product, const Vec3& size, const Vec3& place) {
  const auto sensor = exact(product);
  const auto scene = make_embree_scene({});
  scene->add({{std::make_shared<Geometry>(Box{size}), {}}}, Pose::translation(-place));
  std::vector<std::byte> bytes(sensor->layout().size);
  take_sample(*sensor, whole_sweep(*scene), bytes);
  const Vec3 high = size / 2 - place, low = -size / 2 - place;
  double worst = 0;
  std::size_t returns = 0;
  for (const BeamReturn& beam : dynamic_cast<BeamSensor&>(*sensor).beams(bytes)) {
    if (!std::isfinite(beam.range)) continue;
    ++returns;
    // The wall that the point lies on, and how far behind it, along the beam.
    const Vec3 p(beam.x, beam.y, beam.z), direction = p.normalized();
    double error = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      for (const double wall : {low[axis], high[axis]}) {
        error = std::min(error, std::abs((p[axis] - wall) / direction[axis]));
      }
    }
    worst = std::max(worst, error);
  }
  EXPECT_GE(returns, 90u);
  return worst;
}

class Accuracy : public testing::TestWithParam<const char*> {};

TEST_P(Accuracy, IsATenthOfAMillimetreInARoom) {
  const std::string name = GetParam();
  const bool near = name == "HokuyoUrg04lx" || name == "RobotisLds01";
  const double worst = near ? worst_in_room(GetParam(), {5, 4, 3}, {0.4, -0.5, -0.5})
                            : worst_in_room(GetParam(), {30, 20, 6}, {1, -0.5, -2});
  RecordProperty("worst_m", std::to_string(worst));
  EXPECT_LT(worst, 1e-4);
}

/// A product that sees farther than a few metres, and half of the length of a hall for it.
struct FarProduct {
  const char* proto;
  double half;
};
class FarAccuracy : public testing::TestWithParam<FarProduct> {};

TEST_P(FarAccuracy, IsBelowAMillimetreAtAHundredMetres) {
  const double half = GetParam().half;
  const double worst = worst_in_room(GetParam().proto, {2 * half, 2 * half, 40}, {0.3, 0.2, 0.1});
  RecordProperty("worst_m", std::to_string(worst));
  EXPECT_LT(worst, 1e-3);
}

const FarProduct kFarProducts[] = {
    {"VelodyneVLP-16", 70},  {"VelodynePuck", 70},    {"VelodyneHDL-32E", 60},
    {"VelodyneHDL-64E", 70}, {"VelodyneVLP-32C", 70}, {"Helios32Fov26", 70},
    {"Helios32Fov31", 70},   {"Helios32Fov70", 70},   {"OusterOS0", 30},
    {"OusterOS1", 70},       {"OusterOS2", 70},       {"LivoxMid40", 70},
    {"LivoxMid70", 70},      {"IbeoLux", 70},         {"SickLdMrs", 70},
    {"SickLms291", 70},      {"SickS300", 25},        {"HokuyoUtm30lx", 25},
    {"Lidar2D", 25}};

INSTANTIATE_TEST_SUITE_P(Catalogue, FarAccuracy, testing::ValuesIn(kFarProducts),
                         [](const auto& info) {
                           std::string name = info.param.proto;
                           std::erase(name, '-');
                           return name;
                         });

/// Keeps the triangles of what is added, in W.
class Triangles final : public RayScene {
 public:
  Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) override {
    for (const VisibleShape& shape : shapes) {
      const auto& mesh = std::get<Mesh>(*shape.geometry);
      const Pose X_WS = X_WB * shape.X_BS;
      for (const auto& triangle : mesh.triangles) {
        const Vec3 a = X_WS * mesh.vertices[triangle[0]], b = X_WS * mesh.vertices[triangle[1]],
                   c = X_WS * mesh.vertices[triangle[2]];
        triangles_.push_back({a, b - a, c - a});
      }
    }
    return instances_++;
  }
  void set_motion(Instance, const Pose&, const Pose&) override {}
  void set_visible(Instance, bool) override {}
  void cast(const RayBatch&, const BlockSink&) override {}
  std::size_t triangle_count() const override { return triangles_.size(); }

  /// T. Moeller, B. Trumbore, Journal of Graphics Tools 2 (1997), 21, for each triangle. `slack`
  /// widens (or, negative, narrows) the triangles, in barycentric coordinates.
  double nearest(const Vec3& o, const Vec3& d, double t_near, double slack) const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [a, u_edge, v_edge] : triangles_) {
      const Vec3 p = d.cross(v_edge);
      const double det = u_edge.dot(p);
      if (det == 0) continue;
      const Vec3 s = o - a, q = s.cross(u_edge);
      const double u = s.dot(p) / det, v = d.dot(q) / det, t = v_edge.dot(q) / det;
      if (u >= -slack && v >= -slack && u + v <= 1 + slack && t >= t_near && t < best) best = t;
    }
    return best;
  }

 private:
  struct Triangle {
    Vec3 a, u_edge, v_edge;
  };
  std::vector<Triangle> triangles_;
  Instance instances_ = 0;
};

TEST_P(Accuracy, EqualsThatOfTryingEveryTriangleOfACity) {
  static const Triangles* city = [] {
    auto* triangles = new Triangles;
    bench::add_city(*triangles);
    return triangles;
  }();
  const auto sensor = exact(GetParam());
  const auto scene = make_embree_scene({});
  bench::add_city(*scene);
  bench::RecordingScene recorder(*scene);
  SampleInput in = whole_sweep(recorder);
  in.X_WS = bench::City::viewpoint();
  std::vector<std::byte> bytes(sensor->layout().size);
  take_sample(*sensor, in, bytes);
  std::size_t compared = 0;
  for (const auto& rays : recorder.take()) {
    const RayBatch& batch = rays->batch;
    std::vector<float> range(batch.count);
    scene->cast(batch, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count, range.begin() + std::ptrdiff_t(block.first));
    });
    for (std::size_t i = 0; i < batch.count; i += std::max<std::size_t>(1, batch.count / 97)) {
      const Vec3 d = rays->direction_W(i);
      Vec3 o = batch.X_WS.p;
      if (batch.ox) o = batch.X_WS * Vec3(rays->ox[i], rays->oy[i], rays->oz[i]);
      // A ray that meets an edge within single precision may pass on either side of it.
      const double wide = city->nearest(o, d, batch.t_near, 1e-4),
                   narrow = city->nearest(o, d, batch.t_near, -1e-4);
      if (std::isfinite(wide) != std::isfinite(narrow) || std::abs(wide - narrow) > 1e-9) continue;
      ++compared;
      if (wide > batch.t_far) {
        EXPECT_EQ(range[i], std::numeric_limits<float>::infinity());
      } else {
        EXPECT_NEAR(range[i], wide, 1e-4) << "ray " << i;
      }
    }
  }
  EXPECT_GE(compared, 80u);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Accuracy, testing::ValuesIn(kProducts), [](const auto& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace protobeam
