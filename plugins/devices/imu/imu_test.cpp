// An Imu against rigid-body kinematics and the definitions of its errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "imu_schema.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kTiny = 1e-12;

struct Reading {
  Vec3 f, w;
  Quat R;
  Vec3 f_bias, w_bias;
};

Reading read(DeviceModel& imu, const SampleInput& in) {
  const auto v = sample_values(imu, in);
  EXPECT_EQ(v.size(), 16u);
  return {{v[0], v[1], v[2]},
          {v[3], v[4], v[5]},
          {v[9], v[6], v[7], v[8]},
          {v[10], v[11], v[12]},
          {v[13], v[14], v[15]}};
}

SampleInput at_rest(const Quat& R = Quat::Identity()) {
  SampleInput in;
  in.X_WS.R = R;
  in.gravity_W = Vec3(0, 0, -9.81);
  in.period = in.step = 0.01;
  return in;
}

void expect_near(const Vec3& value, const Vec3& wanted, double error = kTiny) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(value[i], wanted[i], error) << "axis " << i;
}

/// Calls `visit` for samples 0 ... count - 1 at rest, a hundred in a second.
void at_rest_for(DeviceModel& imu, int count, const std::function<void(const Reading&)>& visit,
                 std::uint64_t seed = 5) {
  SampleInput in = at_rest();
  in.noise.seed = seed;
  for (int i = 0; i < count; ++i) {
    in.time = in.period * i;
    in.frame = in.noise.frame = static_cast<std::uint64_t>(i);
    visit(read(imu, in));
  }
}

// --- Without errors.

TEST(Imu, AtRestFeelsTheGroundPushUp) {
  auto imu = make_sensor("Imu");
  const Reading r = read(*imu, at_rest());
  EXPECT_EQ(r.f, Vec3(0, 0, 9.81));
  EXPECT_EQ(r.w, Vec3::Zero());
  EXPECT_EQ(r.R.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(r.f_bias, Vec3::Zero());
  EXPECT_EQ(r.w_bias, Vec3::Zero());
}

TEST(Imu, InFreeFallFeelsNothing) {
  auto imu = make_sensor("Imu");
  SampleInput in = at_rest();
  in.a_WS = in.gravity_W;
  EXPECT_EQ(read(*imu, in).f, Vec3::Zero());
}

TEST(Imu, MeasuresAlongItsAxes) {
  // Forward, right, down on a node that is pitched 30 degrees nose down.
  auto imu = make_sensor("Imu", {{"sensorRotation", "1 0 0 3.14159265358979323846"}});
  SampleInput in = at_rest(axis_angle(Vec3::UnitY(), kPi / 6));
  in.w_WS = Vec3(0, 0, 2);
  const Reading r = read(*imu, in);
  // The push up has a backward part; the turn to the left is one about an axis that points back.
  expect_near(r.f, {-9.81 / 2, 0, -9.81 * std::sqrt(3) / 2});
  expect_near(r.w, {-1, 0, -std::sqrt(3)});
  // Its z axis in the world, by the rotation that it reports: down and forward.
  expect_near(r.R * Vec3::UnitZ(), {-0.5, 0, -std::sqrt(3) / 2});
  EXPECT_GE(r.R.w(), 0);
}

TEST(Imu, OrientationIsRelativeToEastNorthUp) {
  const DevicePlugin& plugin = load_sensor_plugin("Imu");
  DeviceContext context;
  context.north_W = Vec3::UnitX();  // the world's x axis points north
  const auto imu = make_device(plugin, TestFields(plugin.schema), context);
  // What looks along the world's x axis looks north: in east, north, up that is +y.
  expect_near(read(*imu, at_rest()).R * Vec3::UnitX(), Vec3::UnitY());
  expect_near(read(*imu, at_rest()).R * Vec3::UnitZ(), Vec3::UnitZ());
}

// Of an imu that is turned by half a turn about z: the numbers of gz-sim's test NamedFrames
// (test/integration/imu_system.cc), whose fourth frame is east, north, up rolled by pi/2.
TEST(Imu, OrientationIsToldInTheFrameThatIsWished) {
  const auto told = [](const std::string& reference) {
    const auto imu = make_sensor("Imu", {{"orientationReference", reference}});
    return read(*imu, at_rest(Quat(axis_angle(Vec3::UnitZ(), kPi)))).R;
  };
  const double half = std::sqrt(0.5);
  const auto expect_same = [](const Quat& R, const Quat& wanted) {
    EXPECT_NEAR(std::abs(R.dot(wanted)), 1, 1e-12) << R.coeffs().transpose();
  };
  expect_same(told("0 0 1 0"), Quat(0, 0, 0, 1));
  expect_same(told("1 1 0 3.141592653589793"), Quat(0, -half, half, 0));  // north, east, down
  expect_same(told("0 0 1 1.5707963267948966"), Quat(half, 0, 0, half));  // north, west, up
  expect_same(told("1 0 0 1.5707963267948966"), Quat(0, 0, half, half));
}

TEST(Imu, OrientationMayBeRelativeToTheStart) {
  const auto imu =
      make_sensor("Imu", {{"orientationFromStart", "TRUE"}, {"sensorRotation", "1 0 0 0.7"}});
  const Quat start(axis_angle(Vec3(1, 2, 3).normalized(), 1));
  expect_near(read(*imu, at_rest(start)).R.vec(), Vec3::Zero());
  // The body turns about its x axis, which is the sensor's, too.
  const Reading r = read(*imu, at_rest(start * Quat(axis_angle(Vec3::UnitX(), 0.4))));
  expect_near(r.R.vec(), Vec3(std::sin(0.2), 0, 0));
}

TEST(Imu, OrientationIsNanUnlessMeasured) {
  auto imu = make_sensor("Imu", {{"measureOrientation", "FALSE"}});
  EXPECT_TRUE(std::isnan(read(*imu, at_rest()).R.w()));
}

//   A turntable with angular velocity w(t) = w0 + c t about an axis that is not vertical. The node
//   is off its centre, and the sensor off the node. A point of it at q (from the centre) has the
//   acceleration c x q + w x (w x q): with w and c along the axis k,
//       c (k x q) - w^2 (q - k (k . q)).
TEST(Imu, FeelsItsLeverArmOnATurningBody) {
  const Vec3 k = Vec3(1, -2, 3).normalized(), q_node(0.4, 0.1, -0.3), lever(0.05, -0.12, 0.08);
  const Vec3 q_sensor = q_node + lever;
  const double w0 = 1.7, c = -0.9, dt = 0.01;
  const auto at = [&](const Vec3& q, double w, double rate) -> Vec3 {
    return rate * k.cross(q) - w * w * (q - k * k.dot(q));
  };
  auto imu = make_sensor("Imu", {{"sensorTranslation", "0.05 -0.12 0.08"}});
  for (int i = 0; i < 200; ++i) {
    const double t = i * dt, w = w0 + c * t;
    // What is fixed to the table in its own frame, turned into the world by R.
    const Quat R = axis_angle(k, w0 * t + c * t * t / 2);
    SampleInput in = at_rest(R);
    in.time = t;
    in.w_WS = w * k;
    // No angular acceleration is known at the first sample.
    const double rate = i == 0 ? 0 : c;
    in.a_WS = R * at(q_node, w, c);
    const Vec3 wanted = at(q_node, w, c) + at(lever, w, rate) + R.conjugate() * Vec3(0, 0, 9.81);
    const Reading r = read(*imu, in);
    expect_near(r.f, wanted, 1e-9);
    expect_near(r.w, w * k, 1e-9);
    if (i > 0) {
      expect_near(r.f, at(q_sensor, w, c) + R.conjugate() * Vec3(0, 0, 9.81), 1e-9);
    }
  }
}

// --- With constant errors.

TEST(Imu, ScaleErrorsAndMisalignmentMixTheAxes) {
  auto imu =
      make_sensor("Imu", {{"accelerometerScaleError", "0.01 -0.02 0.03"},
                          {"accelerometerMisalignment", "[ 0.001 0.002 0.003 0.004 0.005 0.006 ]"},
                          {"gyroScaleError", "0.1 0 0"},
                          {"gyroMisalignment", "[ 0 0 0.2 0 0 0 ]"}});
  SampleInput in = at_rest();
  in.a_WS = Vec3(1, 2, 3 - 9.81);  // specific force 1 2 3
  in.w_WS = Vec3(4, 5, 6);
  const Reading r = read(*imu, in);
  expect_near(r.f, {1.01 + 0.001 * 2 + 0.002 * 3, 0.003 * 1 + 0.98 * 2 + 0.004 * 3,
                    0.005 * 1 + 0.006 * 2 + 1.03 * 3});
  expect_near(r.w, {4.4, 0.2 * 4 + 5, 6});
}

TEST(Imu, SpecificForceDisturbsTheGyro) {
  auto one = make_sensor("Imu", {{"gyroGSensitivity", "0.001"}});
  expect_near(read(*one, at_rest()).w, {0, 0, 0.00981});
  auto matrix = make_sensor("Imu", {{"gyroGSensitivity", "[ 0 0 1e-3 0 0 2e-3 0 0 3e-3 ]"}});
  expect_near(read(*matrix, at_rest()).w, {0.00981, 0.01962, 0.02943});
}

TEST(Imu, SaturatesEachAxis) {
  auto imu = make_sensor("Imu", {{"accelerometerRange", "5"}, {"gyroRange", "2"}});
  SampleInput in = at_rest();
  in.a_WS = Vec3(-6, 4, 0);
  in.w_WS = Vec3(1.5, -3, 100);
  const Reading r = read(*imu, in);
  expect_near(r.f, {-5, 4, 5});
  expect_near(r.w, {1.5, -2, 2});
}

TEST(Imu, QuantisesToTheNearestStep) {
  auto imu = make_sensor("Imu", {{"accelerometerResolution", "0.25"}, {"gyroResolution", "0.5"}});
  SampleInput in = at_rest();
  in.a_WS = Vec3(0.2, -0.6, 0);
  in.w_WS = Vec3(0.3, -0.8, 0.1);
  const Reading r = read(*imu, in);
  expect_near(r.f, {0.25, -0.5, 9.75});
  expect_near(r.w, {0.5, -1, 0});
}

// --- Vibration.

/// Amplitude of one frequency in a signal that holds whole periods of it.
double amplitude_at(const std::vector<double>& x, double dt, double frequency) {
  double c = 0, s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double angle = 2 * kPi * frequency * dt * static_cast<double>(i);
    c += x[i] * std::cos(angle);
    s += x[i] * std::sin(angle);
  }
  return 2 * std::hypot(c, s) / static_cast<double>(x.size());
}

TEST(Imu, TonesHaveTheirAmplitudes) {
  auto imu = make_sensor("Imu", {{"accelerometerVibration", "[ 10 0.5 0.25 0  25 0 1 2 ]"},
                                 {"gyroVibration", "[ 5 0.01 0.02 0.03 ]"}});
  std::vector<double> x, y, z, w;
  at_rest_for(*imu, 1000, [&](const Reading& r) {
    x.push_back(r.f.x());
    y.push_back(r.f.y());
    z.push_back(r.f.z() - 9.81);
    w.push_back(r.w.y());
  });
  EXPECT_NEAR(amplitude_at(x, 0.01, 10), 0.5, 1e-9);
  EXPECT_NEAR(amplitude_at(x, 0.01, 25), 0, 1e-9);
  EXPECT_NEAR(amplitude_at(y, 0.01, 10), 0.25, 1e-9);
  EXPECT_NEAR(amplitude_at(y, 0.01, 25), 1, 1e-9);
  EXPECT_NEAR(amplitude_at(z, 0.01, 25), 2, 1e-9);
  EXPECT_NEAR(amplitude_at(w, 0.01, 5), 0.02, 1e-9);
}

TEST(Vibration, OfASpectrumHasItsPowerInEachBand) {
  // Along x: a triangle from 0 at 10 Hz to 0.04 at 20 Hz, then constant up to 40 Hz.
  Vibration vibration({}, {{10, {0, 0, 0}}, {20, {0.04, 0, 0}}, {40, {0.04, 0.01, 0}}});
  constexpr int kCount = 1 << 13;
  const double dt = 0.005;
  std::vector<Vec3> x;
  double power_x = 0, power_y = 0;
  for (int i = 0; i < kCount; ++i) {
    x.push_back(vibration.at(i * dt, {3, 4, 0, static_cast<std::uint64_t>(i)}));
    power_x += x.back().x() * x.back().x() / kCount;
    power_y += x.back().y() * x.back().y() / kCount;
    EXPECT_EQ(x.back().z(), 0);
  }
  // The areas below the densities.
  EXPECT_NEAR(power_x, 0.04 * 10 / 2 + 0.04 * 20, 0.01);
  EXPECT_NEAR(power_y, 0.01 * 20 / 2, 0.003);
  // Half of the power of the flat part lies from 30 Hz on: a sum over the lines of a periodogram.
  double upper = 0;
  const double line = 1 / (kCount * dt);
  for (int k = static_cast<int>(30 / line); k * line < 45; ++k) {
    double c = 0, s = 0;
    for (int i = 0; i < kCount; ++i) {
      const double angle = 2 * kPi * std::fmod(static_cast<double>(k) * i / kCount, 1.0);
      c += x[static_cast<std::size_t>(i)].x() * std::cos(angle);
      s += x[static_cast<std::size_t>(i)].x() * std::sin(angle);
    }
    upper += 2 * (c * c + s * s) / kCount / kCount;
  }
  EXPECT_NEAR(upper, 0.04 * 10, 0.04);
}

// --- Noise.

TEST(Imu, NoiseIsAFunctionOfSeedDeviceAndSample) {
  const std::map<std::string, std::string> fields = {{"accelerometerNoiseDensity", "0.01"},
                                                     {"accelerometerDrift", "0.02"},
                                                     {"gyroBiasWalk", "0.1"},
                                                     {"gyroTurnOnBias", "0.3"},
                                                     {"orientationNoise", "0.1"}};
  const auto run = [&](std::uint64_t seed, std::uint32_t device) {
    auto imu = make_sensor("Imu", fields);
    std::vector<double> all;
    SampleInput in = at_rest();
    in.noise = {seed, device, 0, 0};
    for (int i = 0; i < 20; ++i) {
      in.time = 0.01 * i;
      in.noise.frame = static_cast<std::uint64_t>(i);
      const auto values = sample_values(*imu, in);
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  };
  EXPECT_EQ(run(1, 2), run(1, 2));
  EXPECT_NE(run(1, 2), run(1, 3));
  EXPECT_NE(run(1, 2), run(2, 2));
}

TEST(Imu, OnePartOfTheNoiseDoesNotChangeAnother) {
  auto walk = make_sensor("Imu", {{"gyroBiasWalk", "0.1"}});
  auto all = make_sensor(
      "Imu", {{"gyroBiasWalk", "0.1"}, {"gyroNoise", "0.3"}, {"accelerometerDrift", "1"}});
  std::vector<Vec3> biases;
  at_rest_for(*walk, 50, [&](const Reading& r) { biases.push_back(r.w_bias); });
  std::size_t i = 0;
  at_rest_for(*all, 50, [&](const Reading& r) { EXPECT_EQ(r.w_bias, biases[i++]); });
}

TEST(Imu, ReportsTheBiasThatItAdds) {
  auto imu = make_sensor("Imu", {{"accelerometerTurnOnBias", "0.2"},
                                 {"accelerometerDrift", "0.1"},
                                 {"gyroTurnOnBias", "0.02"},
                                 {"gyroBiasWalk", "0.01"}});
  at_rest_for(*imu, 100, [&](const Reading& r) {
    expect_near(r.f - Vec3(0, 0, 9.81), r.f_bias);
    expect_near(r.w, r.w_bias);
    EXPECT_NE(r.w_bias, Vec3::Zero());
  });
}

TEST(Imu, TurnOnBiasStaysUntilItIsEnabledAgain) {
  auto imu = make_sensor("Imu", {{"gyroTurnOnBias", "0.5"}});
  double squares = 0;
  constexpr int kTimes = 4000;
  SampleInput in = at_rest();
  for (int i = 0; i < kTimes; ++i) {
    imu->reset();
    in.noise.frame = static_cast<std::uint64_t>(2 * i);
    const Vec3 first = read(*imu, in).w_bias;
    in.noise.frame += 1;
    in.time += 0.01;
    EXPECT_EQ(read(*imu, in).w_bias, first);
    squares += first.squaredNorm() / 3 / kTimes;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.5, 0.015);  // 12,000 values: 3 deviations of 0.6 %
}

TEST(Imu, TurnOnBiasLiesAboutItsMeanOnEitherSide) {
  auto imu = make_sensor("Imu", {{"gyroTurnOnBias", "0.01"}, {"gyroTurnOnMean", "0.3"}});
  double amounts = 0, squares = 0, biases = 0;
  constexpr int kTimes = 4000, kAll = 3 * kTimes;
  SampleInput in = at_rest();
  for (int i = 0; i < kTimes; ++i) {
    imu->reset();
    in.noise.frame = static_cast<std::uint64_t>(i);
    const Reading got = read(*imu, in);
    EXPECT_EQ(got.f_bias, Vec3::Zero());
    for (const double bias : got.w_bias) {
      biases += bias / kAll;
      amounts += std::abs(bias) / kAll;
      squares += (std::abs(bias) - 0.3) * (std::abs(bias) - 0.3) / kAll;
    }
  }
  EXPECT_NEAR(biases, 0, 4 * 0.3 / std::sqrt(kAll));
  EXPECT_NEAR(amounts, 0.3, 4 * 0.01 / std::sqrt(kAll));
  EXPECT_NEAR(std::sqrt(squares), 0.01, 0.0003);
}

TEST(Imu, WhiteNoiseOfADensityGrowsWithTheRootOfTheRate) {
  for (const double rate : {100.0, 400.0}) {
    auto imu = make_sensor("Imu", {{"accelerometerNoiseDensity", "0.01"}, {"gyroNoise", "0.2"}});
    SampleInput in = at_rest();
    in.period = 1 / rate;
    double f = 0, w = 0;
    constexpr int kCount = 20000;
    for (int i = 0; i < kCount; ++i) {
      in.time = i / rate;
      in.noise.frame = static_cast<std::uint64_t>(i);
      const Reading r = read(*imu, in);
      f += (r.f - Vec3(0, 0, 9.81)).squaredNorm() / 3 / kCount;
      w += r.w.squaredNorm() / 3 / kCount;
    }
    EXPECT_NEAR(std::sqrt(f), 0.01 * std::sqrt(rate), 0.01 * 0.01 * std::sqrt(rate));
    EXPECT_NEAR(std::sqrt(w), 0.2, 0.002);  // field noise: whatever the rate
  }
}

// An exact discretisation of a Gauss-Markov process has its deviation and its correlation whatever
// the step, also when that is longer than the correlation time.
TEST(Imu, DriftKeepsItsDeviationAndCorrelation) {
  for (const double dt : {0.1, 1.0, 3.0}) {
    TriadNoise figures;
    figures.drift_deviation = 0.7;
    figures.drift_time = 2;
    ImuNoise noise(figures, {});
    double squares = 0, products = 0;
    Vec3 last = Vec3::Zero();
    const int count = static_cast<int>(200000 / std::min(1.0, dt));
    for (int i = 0; i < count; ++i) {
      noise.advance(dt, dt, {8, 1, 0, static_cast<std::uint64_t>(i)});
      const Vec3 d = noise.accelerometer().drift;
      squares += d.squaredNorm() / 3 / count;
      products += d.dot(last) / 3 / count;
      last = d;
    }
    EXPECT_NEAR(squares, 0.49, 0.49 * 0.02) << dt;
    EXPECT_NEAR(products / squares, std::exp(-dt / 2), 0.01) << dt;
  }
}

TEST(Imu, ErrorsOfAxesAreCorrelatedAsToldTo) {
  const std::string matrix = "[ 1 0.6 -0.3  0.6 1 0.2  -0.3 0.2 1 ]";
  auto imu = make_sensor(
      "Imu", {{"gyroNoise", "1"}, {"gyroCorrelation", matrix}, {"accelerometerNoise", "2"}});
  Mat3 gyro = Mat3::Zero(), accelerometer = Mat3::Zero();
  constexpr int kCount = 100000;
  at_rest_for(*imu, kCount, [&](const Reading& r) {
    gyro += r.w * r.w.transpose() / kCount;
    const Vec3 f = r.f - Vec3(0, 0, 9.81);
    accelerometer += f * f.transpose() / kCount;
  });
  Mat3 wanted;
  wanted << 1, 0.6, -0.3, 0.6, 1, 0.2, -0.3, 0.2, 1;
  EXPECT_LT((gyro - wanted).cwiseAbs().maxCoeff(), 0.015) << gyro;
  EXPECT_LT((accelerometer - 4 * Mat3::Identity()).cwiseAbs().maxCoeff(), 0.06) << accelerometer;
}

TEST(Imu, OrientationNoiseIsARotationAboutEachAxis) {
  auto imu = make_sensor("Imu", {{"orientationNoise", "0.02"}});
  Vec3 squares = Vec3::Zero();
  constexpr int kCount = 20000;
  at_rest_for(*imu, kCount, [&](const Reading& r) {
    EXPECT_NEAR(r.R.norm(), 1, kTiny);
    const Vec3 half = r.R.vec();  // of a small angle: sine of half of it
    squares += 4 * half.cwiseProduct(half) / kCount;
  });
  expect_near(squares.cwiseSqrt(), Vec3(0.02, 0.02, 0.02), 0.0004);
}

// --- Fields.

TEST(Imu, RefusesFieldsThatMakeNoSense) {
  const struct {
    const char* field;
    const char* value;
    const char* message;
  } table[] = {
      {"gyroCorrelation", "[ 1 0 0 ]", "field 'gyroCorrelation' needs 9 numbers"},
      {"gyroCorrelation", "[ 1 0 0 0 2 0 0 0 1 ]", "needs 1 on the diagonal"},
      {"gyroCorrelation", "[ 1 0.1 0 0.2 1 0 0 0 1 ]", "must be symmetric"},
      {"accelerometerCorrelation", "[ 1 0.9 -0.9 0.9 1 0.9 -0.9 0.9 1 ]",
       "field 'accelerometerCorrelation' must be positive definite"},
      {"accelerometerCorrelation", "[ 1 1 0 1 1 0 0 0 1 ]", "must be positive definite"},
      {"gyroMisalignment", "[ 1 2 3 ]", "field 'gyroMisalignment' needs 6 numbers"},
      {"gyroGSensitivity", "[ 1 2 3 ]", "field 'gyroGSensitivity' needs 1 number or 9"},
      {"gyroVibration", "[ 10 1 ]", "field 'gyroVibration' needs rows of 4 numbers"},
      {"gyroVibration", "[ -10 1 1 1 ]", "negative frequency in row 1"},
      {"accelerometerVibration", "[ 10 1 1 1 20 1 -1 1 ]", "negative value in row 2"},
      {"accelerometerVibrationSpectrum", "[ 10 1 1 1 ]", "needs two rows or more"},
      {"accelerometerVibrationSpectrum", "[ 10 1 1 1 10 1 1 1 ]", "must have rising frequencies"},
  };
  for (const auto& row : table) {
    SCOPED_TRACE(row.field);
    try {
      make_sensor("Imu", {{row.field, row.value}});
      ADD_FAILURE() << "was taken: " << row.value;
    } catch (const std::invalid_argument& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(row.message));
    }
  }
}

TEST(Imu, DensitiesAndTimesHaveRanges) {
  const NodeSchema& schema = load_sensor_plugin("Imu").schema;
  int seen = 0;
  for (const FieldSpec& field : schema.fields) {
    const std::string name = field.name;
    if (name.ends_with("Density") || name.ends_with("Noise") || name.ends_with("Bias") ||
        name.ends_with("Drift") || name.ends_with("Walk") || name.ends_with("noise")) {
      ++seen;
      EXPECT_TRUE(field.range.contains(0)) << name;
      EXPECT_FALSE(field.range.contains(-1e-9)) << name;
    }
    if (name.ends_with("Time")) {
      EXPECT_FALSE(field.range.contains(0)) << name;
    }
  }
  EXPECT_EQ(seen, 18);  // 11 of ours and 7 of MVSim's
}

}  // namespace
}  // namespace protobeam
