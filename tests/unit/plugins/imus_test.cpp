// Allan deviation of the products of protos/imus: three hours at rest, at 100, 400 and 800 Hz.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plugins/devices/imu/imu_schema.h"
#include "tests/unit/support/constants.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/support/plugin.h"
#include "wbt/load.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

constexpr double kSeconds = 3 * 3600;
constexpr double kOneG = 9.80665;  // m/s^2
constexpr double kBlock = 0.25;    // s: the Allan deviation is computed from means over this long

/// Figures of a data sheet in its units, or those that the PROTO's header says were chosen. First
/// that of the accelerometer, then that of the gyro.
struct Figures {
  const char* proto;
  double density_given[2];    // 1e-6 g/sqrt(Hz), deg/s/sqrt(Hz)
  double stability_given[2];  // 1e-6 g, deg/h
  double walk_given[2];       // m/s^2/sqrt(s), rad/s/sqrt(s)
  double range_given[2];      // g, deg/s
  double steps[2];            // in the whole range; 0: not quantised

  friend void PrintTo(const Figures& figures, std::ostream* out) { *out << figures.proto; }
  double density(std::size_t i) const {
    return density_given[i] * (i == 0 ? 1e-6 * kOneG : kDegree);
  }
  double stability(std::size_t i) const {
    return stability_given[i] * (i == 0 ? 1e-6 * kOneG : kDegree / 3600);
  }
  double walk(std::size_t i) const { return walk_given[i]; }
  double range(std::size_t i) const { return range_given[i] * (i == 0 ? kOneG : kDegree); }
};
constexpr Figures kProducts[] = {
    {"VectorNavVN100", {140, 0.0035}, {40, 7}, {5e-5, 9.797e-7}, {16, 2000}, {0, 0}},
    {"VectorNavVN200", {140, 0.0035}, {40, 7}, {5e-5, 9.797e-7}, {16, 2000}, {0, 0}},
    {"BoschBMI055", {150, 0.014}, {40, 10}, {6.3e-5, 2.4e-6}, {4, 1000}, {4096, 65536}},
    {"TdkIAM20680HT", {135, 0.005}, {40, 8}, {1.1324e-5, 1.1196e-6}, {4, 500}, {65536, 65536}},
};

/// Calls `use` with the fields of a product's Imu, as its PROTO describes it.
template <typename Use>
void with_product(const std::string& proto, const Use& use) {
  SchemaRegistry schemas;
  wbt::add_core_schemas(schemas);
  schemas.add(load_sensor_plugin("Imu").schema);
  const fs::path file =
      fs::temp_directory_path() / ("protobeam-imu-" + std::to_string(getpid()) + ".wbt");
  std::ofstream(file) << "#VRML_SIM R2025a utf8\nEXTERNPROTO \"webots://" << proto
                      << ".proto\"\nWorldInfo {\n}\nRobot { children [ " << proto << " { } ] }\n";
  wbt::LoadOptions options;
  options.schemas = &schemas;
  options.proto_path = {fs::path(source_dir()) / "protos"};
  Diagnostics diagnostics;
  const auto world = wbt::load_world(file, options, diagnostics);
  fs::remove(file);
  EXPECT_EQ(diagnostics.to_string(), "");
  for (const auto& root : world.nodes) {
    if (root->type != "Robot") continue;
    for (const auto& field : root->fields) {
      for (const auto& node : field.value.nodes) {
        if (!node || node->type != "Imu") continue;
        return use(wbt::NodeView(*node, schemas));
      }
    }
  }
  ADD_FAILURE() << proto << " holds no Imu";
}

/// Its two triads. {accelerometer, gyro}
std::array<ImuTriad, 2> read_product(const std::string& proto) {
  std::array<ImuTriad, 2> triads;
  with_product(proto, [&](const Fields& fields) {
    triads = {read_triad(fields, "accelerometer"), read_triad(fields, "gyro")};
  });
  return triads;
}

std::unique_ptr<DeviceModel> make_product(const std::string& proto) {
  std::unique_ptr<DeviceModel> device;
  with_product(proto, [&](const Fields& fields) {
    device = make_device(load_sensor_plugin("Imu"), fields);
  });
  return device;
}

/// Means over blocks of kBlock, one series for each of six axes.
class Blocks {
 public:
  explicit Blocks(int samples) : samples_(samples) {}
  void add(const Vec3& accelerometer, const Vec3& gyro) {
    sums_[0] += accelerometer;
    sums_[1] += gyro;
    if (++count_ < samples_) return;
    for (int axis = 0; axis < 6; ++axis) {
      // Integrals at the ends of blocks, as the estimator wants them.
      integrals_[axis].push_back(integrals_[axis].back() +
                                 sums_[axis / 3][axis % 3] / samples_ * kBlock);
    }
    sums_ = {Vec3::Zero(), Vec3::Zero()};
    count_ = 0;
  }
  /// Overlapping Allan variance (IEEE Std 952-1997, annex C; W. Riley, NIST SP 1065, 5.2.4).
  double allan_variance(int axis, double tau) const {
    const auto& theta = integrals_[axis];
    const auto m = static_cast<std::size_t>(std::lround(tau / kBlock));
    double sum = 0;
    for (std::size_t k = 0; k + 2 * m < theta.size(); ++k) {
      const double d = theta[k + 2 * m] - 2 * theta[k + m] + theta[k];
      sum += d * d;
    }
    const double t = static_cast<double>(m) * kBlock;
    return sum / (2 * t * t * static_cast<double>(theta.size() - 2 * m));
  }

 private:
  int samples_, count_ = 0;
  std::array<Vec3, 2> sums_ = {Vec3::Zero(), Vec3::Zero()};
  std::array<std::vector<double>, 6> integrals_ = {{{0}, {0}, {0}, {0}, {0}, {0}}};
};

/// Allan variance of a Gauss-Markov process with stationary deviation 1 (IEEE Std 952-1997,
/// C.1.1.5).
double drift_variance(double tau, double time) {
  const double x = tau / time;
  return 2 / x * (1 - (3 - 4 * std::exp(-x) + std::exp(-2 * x)) / (2 * x));
}

/// Where that has its maximum, in correlation times.
constexpr double kPeak = 1.8926;

/// Allan deviations divided by the figures of the data sheet. B is that of all six axes together.
struct Ratios {
  std::array<double, 2> n{}, k{};  ///< of accelerometer and gyro
  double b = 0;
};

/// Units whose drift is measured. In three hours there are about a hundred independent values of it
/// for each axis: B of six axes has a standard deviation of 2.7 %, that of three units 1.6 %.
constexpr int kUnits = 3;

/// Three hours at rest; each rate has numbers of its own.
Ratios measure(const std::array<ImuTriad, 2>& product, const Figures& figures, int rate) {
  Ratios squares;
  const double dt = 1.0 / rate;
  for (int unit = 0; unit < kUnits; ++unit) {
    TriadNoise accelerometer = product[0].noise, gyro = product[1].noise;
    if (unit > 0) accelerometer.density = gyro.density = accelerometer.walk = gyro.walk = 0;
    ImuNoise noise(accelerometer, gyro);
    const std::uint32_t device = hash32(figures.proto, std::strlen(figures.proto)) +
                                 static_cast<std::uint32_t>(10 * rate + unit);
    const int samples = static_cast<int>(std::lround(kBlock * rate));
    Blocks white(samples), drift(samples), walk(samples);
    const auto count = static_cast<std::uint64_t>(kSeconds * rate);
    for (std::uint64_t i = 0; i < count; ++i) {
      noise.advance(dt, dt, {1, device, 0, i});
      const TriadErrors &a = noise.accelerometer(), &g = noise.gyro();
      drift.add(a.drift, g.drift);
      if (unit > 0) continue;
      white.add(a.white, g.white);
      walk.add(a.walk, g.walk);
    }
    for (int axis = 0; axis < 6; ++axis) {
      const auto triad = static_cast<std::size_t>(axis / 3);
      const double tau = kPeak * product[triad].noise.drift_time;
      const double B = figures.stability(triad), N = figures.density(triad),
                   K = figures.walk(triad);
      squares.b += drift.allan_variance(axis, tau) / (B * B) / (6 * kUnits);
      if (unit > 0) continue;
      // White noise has N / sqrt(tau), a walk K sqrt(tau / 3): read at one and at three seconds.
      squares.n[triad] += white.allan_variance(axis, 1) / (N * N) / 3;
      squares.k[triad] += walk.allan_variance(axis, 3) / (K * K) / 3;
    }
  }
  for (double* square : {&squares.n[0], &squares.n[1], &squares.k[0], &squares.k[1], &squares.b}) {
    *square = std::sqrt(*square);
  }
  return squares;
}

class AllanDeviation : public testing::TestWithParam<Figures> {};

TEST_P(AllanDeviation, OfThreeHoursHasTheFiguresOfTheProductAtAnyRate) {
  const Figures& figures = GetParam();
  const auto product = read_product(figures.proto);
  const auto [low, middle, high] =
      std::tuple(measure(product, figures, 100), measure(product, figures, 400),
                 measure(product, figures, 800));
  for (const Ratios& r : {low, middle, high}) {
    std::printf("%s: N %.3f %.3f  B %.3f  K %.3f %.3f of the figure\n", figures.proto, r.n[0],
                r.n[1], r.b, r.k[0], r.k[1]);
    for (std::size_t triad = 0; triad < 2; ++triad) {
      EXPECT_NEAR(r.n[triad], 1, 0.02);
      EXPECT_NEAR(r.k[triad], 1, 0.03);
    }
    EXPECT_NEAR(r.b, 1, 0.05);
  }
  for (const auto& [one, other] :
       {std::pair(low, middle), std::pair(low, high), std::pair(middle, high)}) {
    EXPECT_NEAR(one.b / other.b, 1, 0.05);
    for (std::size_t triad = 0; triad < 2; ++triad) {
      EXPECT_NEAR(one.n[triad] / other.n[triad], 1, 0.05);
      EXPECT_NEAR(one.k[triad] / other.k[triad], 1, 0.05);
    }
  }
}

// VN-200 has the inertial sensors of VN-100, as the next test makes sure.
INSTANTIATE_TEST_SUITE_P(Of, AllanDeviation,
                         testing::Values(kProducts[0], kProducts[2], kProducts[3]),
                         [](const auto& info) { return std::string(info.param.proto); });

/// What the output of a triad at rest must have, all of its errors together. Its steps add white
/// noise, step^2 / 12 in each sample (B. Widrow, IRE Trans. Circuit Theory 3(4), 1956).
double output_variance(const Figures& figures, std::size_t triad, double tau, int rate) {
  const double N = figures.density(triad), B = figures.stability(triad), K = figures.walk(triad);
  const double step =
      figures.steps[triad] > 0 ? 2 * figures.range(triad) / figures.steps[triad] : 0;
  constexpr double kTime = 50;  // s, the correlation time that the PROTOs name
  return (N * N + step * step / 12 / rate) / tau +
         B * B * drift_variance(tau, kTime) / drift_variance(kPeak * kTime, kTime) +
         K * K * tau / 3;
}

/// Three hours of what the device reports at rest.
Blocks record_output(const char* proto, int rate) {
  const auto device = make_product(proto);
  SampleInput in;
  in.gravity_W = Vec3(0, 0, -9.81);
  in.period = in.step = 1.0 / rate;
  in.noise = {2, hash32(proto, std::strlen(proto)) + static_cast<std::uint32_t>(rate), 0, 0};
  Blocks blocks(static_cast<int>(std::lround(kBlock * rate)));
  std::vector<std::byte> bytes(device->layout().size);
  std::array<double, 6> v;  // acceleration, angular velocity: the first two channels
  const auto count = static_cast<std::uint64_t>(kSeconds * rate);
  for (std::uint64_t i = 0; i < count; ++i) {
    in.time = static_cast<double>(i) / rate;
    in.frame = in.noise.frame = i;
    take_sample(*device, in, bytes);
    std::memcpy(v.data(), bytes.data(), sizeof v);
    // Without gravity, whose sum over three hours would leave few digits for the noise.
    blocks.add({v[0], v[1], std::abs(v[2]) - 9.81}, {v[3], v[4], v[5]});
  }
  return blocks;
}

// The sum of all errors as it leaves the device, after saturation and quantisation. One walk or
// drift of three hours is uncertain: a variance at tau has about as many degrees of freedom as
// there are tau in it, for each axis, and so the tolerance of a single triad at one rate is four
// deviations.
TEST_P(AllanDeviation, OfTheOutputIsTheSumOfThoseOfItsErrors) {
  const Figures& figures = GetParam();
  double at_peak = 0;  // mean of measured / expected variance where the drift is largest
  std::array<std::array<double, 3>, 2> white{};
  for (std::size_t r = 0; const int rate : {100, 400, 800}) {
    const Blocks blocks = record_output(figures.proto, rate);
    for (int triad = 0; triad < 2; ++triad) {
      const auto t = static_cast<std::size_t>(triad);
      for (const double tau : {0.25, 1.0, 4.0, 16.0, 64.0, 94.75, 256.0}) {
        double variance = 0;
        for (int axis = 3 * triad; axis < 3 * triad + 3; ++axis) {
          variance += blocks.allan_variance(axis, tau) / 3;
        }
        const double ratio = variance / output_variance(figures, t, tau, rate);
        EXPECT_NEAR(ratio, 1, 4 * std::sqrt(2 * tau / (3 * kSeconds)))
            << rate << " Hz, triad " << triad << ", " << tau << " s";
        if (tau == 0.25) white[t][r] = std::sqrt(ratio);
        if (tau == 94.75) at_peak += ratio / 6;
      }
    }
    ++r;
  }
  std::printf(
      "%s: deviation / expected, at 0.25 s %.3f %.3f %.3f and %.3f %.3f %.3f, at 95 s %.3f\n",
      figures.proto, white[0][0], white[0][1], white[0][2], white[1][0], white[1][1], white[1][2],
      std::sqrt(at_peak));
  EXPECT_NEAR(std::sqrt(at_peak), 1, 0.05);
  for (const auto& rates : white) {
    for (const double ratio : rates) EXPECT_NEAR(ratio, 1, 0.02);
  }
}

TEST(ImuProducts, HaveTheFiguresOfTheirDataSheets) {
  for (const Figures& figures : kProducts) {
    SCOPED_TRACE(figures.proto);
    const auto product = read_product(figures.proto);
    for (std::size_t triad = 0; triad < 2; ++triad) {
      const TriadNoise& noise = product[triad].noise;
      EXPECT_NEAR(noise.density / figures.density(triad), 1, 1e-9);
      EXPECT_NEAR(noise.walk / figures.walk(triad), 1, 1e-3);
      // The largest Allan deviation of the drift is the in-run bias stability.
      double largest = 0;
      for (double tau = 1; tau < 1000; tau *= 1.001) {
        largest = std::max(largest, drift_variance(tau, noise.drift_time));
      }
      EXPECT_NEAR(noise.drift_deviation * std::sqrt(largest) / figures.stability(triad), 1, 1e-5);
      EXPECT_EQ(noise.turn_on, 0);
      EXPECT_NEAR(product[triad].range / figures.range(triad), 1, 1e-9);
      const double step =
          figures.steps[triad] > 0 ? 2 * figures.range(triad) / figures.steps[triad] : -1;
      EXPECT_NEAR(product[triad].resolution / step, 1, 1e-9);
    }
  }
}

}  // namespace
}  // namespace protobeam
