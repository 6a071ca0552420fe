// A receiver outside of a world: the statistics of its errors, its queue and its fixes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::ElementsAre;

using Values = std::map<std::string, std::string>;

/// Takes samples of a receiver that stands still at 0 0 0, and reads them by the names of the
/// channels.
class GnssReceiver {
 public:
  explicit GnssReceiver(Values fields, double period = 0.1) : plugin_(load_sensor_plugin("Gnss")) {
    DeviceContext context;
    context.geodetic = true;
    model_ = make_device(plugin_, TestFields(plugin_.schema, std::move(fields)), context);
    bytes_.resize(model_->layout().size);
    in.step = in.period = period;
    in.gravity_W = Vec3(0, 0, -9.81);
    in.noise.seed = 11;
    // A flat earth of 1e5 m a degree.
    in.to_geodetic = [](const Vec3& p) { return Vec3(p.y() / 1e5, p.x() / 1e5, p.z()); };
    model_->reset();
  }

  /// The sample at the end of step `number`; steps begin with 1, as in the simulation.
  void take(int number) {
    in.time = in.step * number;
    in.frame = in.noise.frame = static_cast<std::uint64_t>(number - 1);
    take_sample(*model_, in, bytes_);
  }
  double number(const std::string& channel, std::size_t element = 0) const {
    return read<double>(channel, element);
  }
  Vec3 vector(const std::string& channel) const {
    return {number(channel, 0), number(channel, 1), number(channel, 2)};
  }
  int integer(const std::string& channel) const { return read<std::int32_t>(channel, 0); }
  bool delivered() const { return model_->frame_complete(); }
  DeviceModel& model() { return *model_; }

  SampleInput in;

 private:
  template <class T>
  T read(const std::string& channel, std::size_t element) const {
    const ChannelLayout* layout = model_->layout().find(channel);
    if (!layout) throw std::runtime_error("no channel " + channel);
    T value;
    std::memcpy(&value, bytes_.data() + layout->offset + element * sizeof(T), sizeof(T));
    return value;
  }

  const DevicePlugin& plugin_;
  std::unique_ptr<DeviceModel> model_;
  std::vector<std::byte> bytes_;
};

double rms(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Of x[i] with x[i + lag]; their mean is known to be 0.
double correlation(const std::vector<double>& x, std::size_t lag) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i + lag < x.size(); ++i) {
    product += x[i] * x[i + lag];
    square += x[i] * x[i];
  }
  return product / square;
}

TEST(Gnss, IsExactUnlessErrorsAreSet) {
  GnssReceiver receiver({});
  receiver.in.X_WS.p = Vec3(30, -20, 5);
  receiver.in.v_WS = Vec3(3, 4, -1);
  receiver.take(1);
  EXPECT_EQ(receiver.vector("position"), Vec3(-20 / 1e5, 30 / 1e5, 5));
  EXPECT_EQ(receiver.vector("enu"), Vec3(30, -20, 5));
  EXPECT_EQ(receiver.vector("velocity"), Vec3(3, 4, -1));
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(receiver.number("covariance", i), 0);
  EXPECT_EQ(receiver.integer("status"), 0);
  EXPECT_EQ(receiver.integer("quality"), 1);
  EXPECT_EQ(receiver.number("stamp"), 0.1);
}

// Seen from above; the device looks north, and its antenna is 2 m ahead of it.
//
//   north    v
//     ^    <-- antenna, moves west: w = +3 rad/s about up
//     |     |
//     |     | 2 m
//     +--- device ---> east
TEST(Gnss, MeasuresAtTheAntenna) {
  GnssReceiver receiver(Values{{"leverArm", "2 0 0.5"}});
  receiver.in.X_WS = {axis_angle(Vec3::UnitZ(), kPi / 2), Vec3(10, 20, 1)};
  receiver.in.v_WS = Vec3(0, 1, 0);
  receiver.in.w_WS = Vec3(0, 0, 3);
  receiver.take(1);
  EXPECT_TRUE(receiver.vector("enu").isApprox(Vec3(10, 22, 1.5), 1e-14));
  EXPECT_TRUE(receiver.vector("velocity").isApprox(Vec3(-6, 1, 0), 1e-14));
}

TEST(Gnss, ReportsEastNorthUpInWorldsWithOtherAxes) {
  DeviceContext context;
  context.geodetic = true;
  context.north_W = Vec3::UnitX();  // x north, y up, z east
  const DevicePlugin& plugin = load_sensor_plugin("Gnss");
  const auto model = make_device(plugin, TestFields(plugin.schema), context);
  SampleInput in;
  in.up_W = Vec3::UnitY();
  in.X_WS.p = Vec3(1, 2, 3);
  in.v_WS = Vec3(4, 5, 6);
  in.to_geodetic = [](const Vec3& p) { return p; };
  const auto values = sample_values(*model, in);  // doubles up to the status
  EXPECT_THAT(std::vector<double>(values.begin() + 3, values.begin() + 9),
              ElementsAre(3, 1, 2, 6, 4, 5));
}

TEST(Gnss, WhiteErrorsHaveTheirDeviations) {
  GnssReceiver receiver({{"horizontalNoise", "2"},
                         {"verticalNoise", "4"},
                         {"horizontalVelocityNoise", "0.05"},
                         {"verticalVelocityNoise", "0.1"}});
  std::array<std::vector<double>, 6> errors;
  for (int i = 1; i <= 20000; ++i) {
    receiver.take(i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      errors[axis].push_back(receiver.number("enu", axis));
      errors[axis + 3].push_back(receiver.number("velocity", axis));
    }
  }
  const std::array<double, 6> expected{2, 2, 4, 0.05, 0.05, 0.1};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(rms(errors[i]) / expected[i], 1, 0.05) << i;
    EXPECT_NEAR(correlation(errors[i], 1), 0, 0.03) << i;
    for (std::size_t k = 0; k < i; ++k) {
      double product = 0;
      for (std::size_t n = 0; n < errors[i].size(); ++n) product += errors[i][n] * errors[k][n];
      EXPECT_NEAR(product / 20000 / expected[i] / expected[k], 0, 0.03) << i << " with " << k;
    }
  }
}

TEST(Gnss, PositionHasTheErrorOfItsLocalCoordinates) {
  GnssReceiver receiver({{"horizontalNoise", "2"}, {"verticalNoise", "4"}});
  for (int i = 1; i <= 10; ++i) {
    receiver.take(i);
    const Vec3 enu = receiver.vector("enu"), position = receiver.vector("position");
    EXPECT_NEAR(position.x() * 1e5, enu.y(), 1e-12);
    EXPECT_NEAR(position.y() * 1e5, enu.x(), 1e-12);
    EXPECT_NEAR(position.z(), enu.z(), 1e-12);
  }
}

// The process is exact for each period: deviation and correlation over time are the same at 0.5 s,
// 2 s and 8 s. After t seconds the correlation is exp(-t / correlation time).
TEST(Gnss, CorrelatedErrorDoesNotDependOnTheSamplingPeriod) {
  for (const double period : {0.5, 2.0, 8.0}) {
    GnssReceiver receiver({{"horizontalCorrelatedNoise", "1.5"},
                           {"verticalCorrelatedNoise", "3"},
                           {"horizontalCorrelationTime", "8"},
                           {"verticalCorrelationTime", "20"}},
                          period);
    std::array<std::vector<double>, 3> errors;
    // 100,000 s hold 6250 independent values of the horizontal error: 0.9 % of its deviation.
    for (int i = 1; i * period <= 100'000; ++i) {
      receiver.take(i);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        errors[axis].push_back(receiver.number("enu", axis));
      }
    }
    const auto lag = static_cast<std::size_t>(8 / period);
    for (const std::size_t axis : {0, 1}) {
      EXPECT_NEAR(rms(errors[axis]) / 1.5, 1, 0.05) << period;
      EXPECT_NEAR(correlation(errors[axis], lag) / std::exp(-1), 1, 0.05) << period;
    }
    EXPECT_NEAR(rms(errors[2]) / 3, 1, 0.05) << period;
    EXPECT_NEAR(correlation(errors[2], lag) / std::exp(-8.0 / 20), 1, 0.05) << period;
  }
}

TEST(Gnss, CorrelatedErrorBeginsWithItsDeviation) {
  std::vector<double> first;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    GnssReceiver receiver(
        {{"horizontalCorrelatedNoise", "5"}, {"horizontalCorrelationTime", "1000"}});
    receiver.in.noise.seed = seed;
    receiver.take(1);
    first.push_back(receiver.number("enu", 0));
  }
  EXPECT_NEAR(rms(first) / 5, 1, 0.05);
}

TEST(Gnss, CovarianceIsThatOfTheErrors) {
  GnssReceiver receiver({{"horizontalNoise", "0.6"},
                         {"verticalNoise", "1"},
                         {"horizontalCorrelatedNoise", "0.8"},
                         {"verticalCorrelatedNoise", "2"},
                         {"horizontalCorrelationTime", "0.2"},
                         {"verticalCorrelationTime", "0.2"}});
  Mat3 measured = Mat3::Zero();
  constexpr int kCount = 40000;
  for (int i = 1; i <= kCount; ++i) {
    receiver.take(i);
    measured += receiver.vector("enu") * receiver.vector("enu").transpose() / kCount;
  }
  for (int i = 0; i < 9; ++i) {
    const double stated = receiver.number("covariance", static_cast<std::size_t>(i));
    EXPECT_NEAR(measured(i / 3, i % 3), stated, i % 4 == 0 ? 0.05 * stated : 0.05) << i;
  }
  EXPECT_DOUBLE_EQ(receiver.number("covariance", 0), 1);
  EXPECT_DOUBLE_EQ(receiver.number("covariance", 4), 1);
  EXPECT_DOUBLE_EQ(receiver.number("covariance", 8), 5);
}

TEST(Gnss, SameSeedSameBytes) {
  const Values fields = {
      {"horizontalNoise", "1"}, {"horizontalCorrelatedNoise", "1"}, {"dropoutProbability", "0.1"}};
  GnssReceiver one(fields), same(fields), other(fields);
  other.in.noise.seed = 12;
  int differences = 0;
  for (int i = 1; i <= 50; ++i) {
    one.take(i);
    same.take(i);
    other.take(i);
    for (std::size_t k = 0; k < 3; ++k) {
      const double value = one.number("enu", k), again = same.number("enu", k);
      EXPECT_EQ(std::memcmp(&value, &again, sizeof value), 0);
    }
    differences += one.number("enu") != other.number("enu") ? 1 : 0;
  }
  EXPECT_GT(differences, 40);
}

// A measurement each 0.2 s from 0.2 s on, delivered 0.07 s later: at the first step of 0.02 s that
// is not earlier, which is 0.08 s after it.
TEST(Gnss, DeliversMeasurementsLaterWithTheirOwnTime) {
  GnssReceiver receiver(Values{{"latency", "0.07"}}, 0.02);
  receiver.in.period = 0.2;
  std::vector<int> deliveries;
  for (int step = 1; step <= 45; ++step) {
    receiver.in.X_WS.p = Vec3(step, 0, 0);  // 50 m/s
    receiver.take(step);
    EXPECT_EQ(receiver.model().sample_changed(), receiver.delivered() || step == 1);
    if (step < 14) {
      EXPECT_EQ(receiver.integer("status"), -1) << "nothing has been delivered yet";
      EXPECT_TRUE(std::isnan(receiver.number("stamp")));
    } else {
      EXPECT_EQ(receiver.integer("status"), 0);
      EXPECT_NEAR(receiver.number("enu"), receiver.number("stamp") * 50, 1e-9);
    }
    if (!receiver.delivered()) continue;
    deliveries.push_back(step);
    EXPECT_NEAR(receiver.in.time - receiver.number("stamp"), 0.08, 1e-9);
  }
  EXPECT_THAT(deliveries, ElementsAre(14, 24, 34, 44));
}

TEST(Gnss, QueuesMeasurementsThatAreOnTheirWay) {
  GnssReceiver receiver(Values{{"latency", "0.5"}}, 0.1);  // five on their way
  for (int step = 1; step <= 40; ++step) {
    receiver.in.X_WS.p = Vec3(step, 0, 0);
    receiver.take(step);
    EXPECT_EQ(receiver.delivered(), step >= 6) << step;
    if (step >= 6) {
      EXPECT_EQ(receiver.number("enu"), step - 5);
    }
  }
  receiver.model().reset();  // what was on its way is gone
  receiver.take(41);
  EXPECT_EQ(receiver.integer("status"), -1);
  EXPECT_FALSE(receiver.delivered());
}

TEST(Gnss, SomeMeasurementsHaveNoFix) {
  GnssReceiver receiver({{"dropoutProbability", "0.2"}, {"horizontalNoise", "1"}});
  int lost = 0;
  constexpr int kCount = 40000;
  for (int i = 1; i <= kCount; ++i) {
    receiver.take(i);
    EXPECT_DOUBLE_EQ(receiver.number("stamp"), 0.1 * i);
    if (receiver.integer("status") != -1) {
      EXPECT_TRUE(std::isfinite(receiver.number("enu")));
      continue;
    }
    ++lost;
    EXPECT_EQ(receiver.integer("quality"), 0);
    EXPECT_TRUE(std::isnan(receiver.number("position")) && std::isnan(receiver.number("enu")) &&
                std::isnan(receiver.number("velocity")) &&
                std::isnan(receiver.number("covariance", 4)));
  }
  // The deviation of this share is 0.002.
  EXPECT_NEAR(lost / double{kCount}, 0.2, 0.01);
}

TEST(Gnss, AnOutageHidesTheSatellitesWhereTheMeasurementIsTaken) {
  GnssReceiver receiver(Values{{"latency", "0.3"}});
  for (int step = 1; step <= 20; ++step) {
    receiver.in.gnss_outage = step >= 8 && step < 12;
    receiver.take(step);
    if (!receiver.delivered()) continue;
    const int measured = step - 3;
    EXPECT_EQ(receiver.integer("status"), measured >= 8 && measured < 12 ? -1 : 0) << step;
    EXPECT_NEAR(receiver.number("stamp"), 0.1 * measured, 1e-9);
  }
}

// After an outage it is what it would have been without one.
TEST(Gnss, CorrelatedErrorGoesOnDuringAnOutage) {
  const Values fields = {{"horizontalCorrelatedNoise", "1"}, {"horizontalCorrelationTime", "100"}};
  GnssReceiver hidden(fields), open(fields);
  for (int step = 1; step <= 30; ++step) {
    hidden.in.gnss_outage = step >= 5 && step < 25;
    hidden.take(step);
    open.take(step);
    if (!hidden.in.gnss_outage) {
      EXPECT_EQ(hidden.number("enu"), open.number("enu"));
    }
  }
}

TEST(Gnss, NamesItsKindOfFix) {
  const std::map<std::string, std::array<int, 2>> expected = {{"autonomous", {0, 1}},
                                                              {"SBAS", {1, 2}},
                                                              {"GBAS", {2, 2}},
                                                              {"RTK float", {2, 5}},
                                                              {"RTK fixed", {2, 4}}};
  for (const auto& [name, numbers] : expected) {
    GnssReceiver receiver(Values{{"fixType", "\"" + name + "\""}});
    receiver.take(1);
    EXPECT_EQ(receiver.integer("status"), numbers[0]) << name;
    EXPECT_EQ(receiver.integer("quality"), numbers[1]) << name;
  }
}

}  // namespace
}  // namespace protobeam
