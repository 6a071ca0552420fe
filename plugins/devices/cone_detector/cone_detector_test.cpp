// Cone detections over 1e4 messages against the settings: noise, rate, delay and order; and each
// optional effect against its law.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "cone_rig.h"

namespace protobeam {
namespace {

constexpr int kMessages = 10000;

/// Cones so far apart that noise does not swap them; the order in a message is by distance.
std::string row_of_cones() {
  return write_file("row.csv", "tag,x,y\nblue,5,0\nyellow,10,0\norange,15,0\nbig_orange,20,0\n");
}
std::string one_cone(double x, double y) {
  return write_file("one.csv",
                    "tag,x,y\nblue," + std::to_string(x) + "," + std::to_string(y) + "\n");
}

/// 1e4 messages of both sensors, one a step, and a few more steps until the last one has come.
ConeRig::FieldTexts with(ConeRig::FieldTexts fields) {
  fields.insert({{"camera_hz", "25"}, {"lidar_hz", "25"}});
  return fields;
}
ConeRig many(const std::string& track, ConeRig::FieldTexts fields) {
  ConeRig rig(track, with(std::move(fields)), 0.04);
  rig.run(kMessages + 10);
  rig.camera.resize(kMessages);
  rig.lidar.resize(kMessages);
  return rig;
}

std::vector<double> values(const std::vector<ReadMessage>& messages, std::size_t cone,
                           float ReadCone::*member) {
  std::vector<double> out;
  for (const ReadMessage& message : messages) out.push_back(message.cones.at(cone).*member);
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const Moments ma = moments_of(a), mb = moments_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - ma.mean) * (b[i] - mb.mean);
  return sum / static_cast<double>(a.size() - 1) / ma.deviation / mb.deviation;
}

// Over n values a mean is off by sigma / sqrt(n), a deviation by sigma / sqrt(2 n): 4 of them.
void expect_moments(const std::vector<double>& v, double mean, double deviation) {
  const Moments m = moments_of(v);
  const double n = static_cast<double>(v.size());
  EXPECT_NEAR(m.mean, mean, 4 * deviation / std::sqrt(n) + 1e-6);
  EXPECT_NEAR(m.deviation, deviation, 4 * deviation / std::sqrt(2 * n) + 1e-6);
}

TEST(ConeDetector, NoiseIsIndependentAndOfTheSetDeviation) {
  const ConeRig rig = many(row_of_cones(), {});
  for (std::size_t cone = 0; cone < 4; ++cone) {
    const double x = 5 * static_cast<double>(cone + 1);
    expect_moments(values(rig.camera, cone, &ReadCone::x), x, 0.25);
    expect_moments(values(rig.camera, cone, &ReadCone::y), 0, 0.25);
    expect_moments(values(rig.lidar, cone, &ReadCone::x), x, 0.15);
    expect_moments(values(rig.lidar, cone, &ReadCone::y), 0, 0.15);
  }
  const auto x0 = values(rig.camera, 0, &ReadCone::x), y0 = values(rig.camera, 0, &ReadCone::y);
  const double limit = 4 / std::sqrt(kMessages);
  EXPECT_NEAR(correlation(x0, y0), 0, limit);
  EXPECT_NEAR(correlation(x0, values(rig.camera, 1, &ReadCone::x)), 0, limit);
  EXPECT_NEAR(correlation(x0, values(rig.lidar, 0, &ReadCone::x)), 0, limit);
  // And from one message to the next.
  std::vector<double> later(x0.begin() + 1, x0.end()), earlier(x0.begin(), x0.end() - 1);
  EXPECT_NEAR(correlation(earlier, later), 0, limit);
}

TEST(ConeDetector, HasTheColorsOfFeb) {
  ConeRig rig(row_of_cones());
  rig.run(20);
  const int colors[] = {2, 1, 0, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rig.camera.at(0).cones.at(i).color, colors[i]);
    EXPECT_EQ(rig.lidar.at(0).cones.at(i).color, -1);
    EXPECT_TRUE(std::isnan(rig.camera.at(0).cones.at(i).xx));
  }
}

TEST(ConeDetector, RatesAreExactAlsoBetweenSteps) {
  // 30 and 7 Hz are no multiples of a step of 8 ms.
  ConeRig rig(row_of_cones(), {{"camera_hz", "30"}, {"lidar_hz", "7"}}, 0.008);
  rig.run(125 * 60);  // a minute
  EXPECT_NEAR(static_cast<double>(rig.camera.size()), 30 * 60, 1);
  EXPECT_NEAR(static_cast<double>(rig.lidar.size()), 7 * 60, 1);
  for (std::size_t i = 0; i < rig.camera.size(); ++i) {
    EXPECT_NEAR(rig.camera[i].stamp, static_cast<double>(i + 1) / 30, 1e-9);
    EXPECT_EQ(rig.camera[i].sequence, i + 1);
  }
}

std::vector<double> delays(const std::vector<ReadMessage>& messages) {
  std::vector<double> out;
  for (const ReadMessage& message : messages) out.push_back(message.due - message.stamp);
  return out;
}

TEST(ConeDetector, DelaysOfBothSensorsAreNormal) {
  const ConeRig rig = many(row_of_cones(), {{"camera_delay_mean", "0.1"},
                                            {"camera_delay_std", "0.005"},
                                            {"lidar_delay_mean", "0.2"},
                                            {"lidar_delay_std", "0.02"}});
  expect_moments(delays(rig.camera), 0.1, 0.005);
  expect_moments(delays(rig.lidar), 0.2, 0.02);
  const ConeRig defaults = many(row_of_cones(), {});
  for (const auto* messages : {&defaults.camera, &defaults.lidar}) {
    const Moments m = moments_of(delays(*messages));
    EXPECT_NEAR(m.mean, 0.01, 4e-7);
    EXPECT_NEAR(m.deviation, 1e-5, 4e-7);
  }
}

TEST(ConeDetector, NegativeDelaysBecomeZero) {
  // Of N(0, s): half of them; the mean of the others' share is s / sqrt(2 pi).
  const ConeRig rig =
      many(row_of_cones(), {{"lidar_delay_mean", "0"}, {"lidar_delay_std", "0.01"}});
  const auto all = delays(rig.lidar);
  const double zeros = static_cast<double>(std::count(all.begin(), all.end(), 0.0));
  EXPECT_NEAR(zeros / kMessages, 0.5, 4 * 0.5 / std::sqrt(kMessages));
  EXPECT_NEAR(moments_of(all).mean, 0.01 / std::sqrt(2 * kPi), 4 * 0.0059 / std::sqrt(kMessages));
  EXPECT_GE(*std::min_element(all.begin(), all.end()), 0);
}

TEST(ConeDetector, DelayedMessagesCarryTheTimeAndPlaceOfTheirMeasurement) {
  // The car drives along x at 10 m/s; a cone lies at 100 m. Measured at t, it is 100 - 10 t ahead.
  ConeRig rig(one_cone(100, 0), {{"camera_noise_std", "0"},
                                 {"camera_hz", "30"},
                                 {"camera_delay_mean", "0.25"},
                                 {"camera_delay_std", "0"}});
  rig.run(500, [](SampleInput& in) {
    in.X_WS_before = Pose::translation({10 * (in.time - in.step), 0, 0});
    in.X_WS = Pose::translation({10 * in.time, 0, 0});
  });
  ASSERT_GT(rig.camera.size(), 100u);
  for (const ReadMessage& message : rig.camera) {
    EXPECT_NEAR(message.cones.at(0).x, 100 - 10 * message.stamp, 1e-4);
    EXPECT_NEAR(message.due - message.stamp, 0.25, 1e-12);
    // In the first step that ends then or later.
    EXPECT_GE(message.delivered, message.due - 1e-8);
    EXPECT_LT(message.delivered, message.due + rig.in.step);
  }
}

TEST(ConeDetector, KeepsTheOrderAndLosesNothing) {
  // Delays that vary by far more than the period.
  const ConeRig::FieldTexts fields = {{"camera_delay_mean", "0.2"}, {"camera_delay_std", "0.1"}};
  ConeRig rig(row_of_cones(), with(fields), 0.04);
  rig.run(kMessages + 50);
  ASSERT_GE(rig.camera.size(), static_cast<std::size_t>(kMessages));
  double before = 0;
  int together = 0;
  for (std::size_t i = 0; i < kMessages; ++i) {
    const ReadMessage& message = rig.camera[i];
    ASSERT_EQ(message.sequence, i + 1);
    ASSERT_GE(message.delivered, message.due - 1e-8);
    together += message.delivered == before;
    before = message.delivered;
  }
  EXPECT_GT(together, 100);  // two in one step, both read
}

TEST(ConeDetector, ReordersWhenAsked) {
  ConeRig rig(
      row_of_cones(),
      with({{"camera_delay_mean", "0.2"}, {"camera_delay_std", "0.1"}, {"reordering", "TRUE"}}),
      0.04);
  rig.run(kMessages + 50);
  std::set<std::uint32_t> numbers;
  int overtaken = 0;
  for (std::size_t i = 0; i < rig.camera.size(); ++i) {
    numbers.insert(rig.camera[i].sequence);
    if (i == 0) continue;
    EXPECT_LE(rig.camera[i - 1].due, rig.camera[i].due);
    EXPECT_LT(rig.camera[i].delivered, rig.camera[i].due + rig.in.step);  // nobody waits
    overtaken += rig.camera[i].sequence < rig.camera[i - 1].sequence;
  }
  EXPECT_EQ(numbers.size(), rig.camera.size());
  EXPECT_EQ(*numbers.begin(), 1u);  // and none is missing
  EXPECT_EQ(std::distance(numbers.begin(), numbers.upper_bound(kMessages)), kMessages);
  EXPECT_GT(overtaken, 1000);
}

TEST(ConeDetector, NeverDeliversMoreInAStepThanTheSampleHolds) {
  // Nothing for a second, then all at once: the controller finds each of them.
  ConeRig rig(row_of_cones(), {{"camera_hz", "100"},
                               {"camera_delay_mean", "1"},
                               {"camera_delay_std", "0.5"},
                               {"history", "2"}});
  rig.run(1000);
  for (std::size_t i = 0; i < rig.camera.size(); ++i) ASSERT_EQ(rig.camera[i].sequence, i + 1);
  EXPECT_GT(rig.camera.size(), 700u);
}

TEST(ConeDetector, TellsTheTruthInTheFrameOfTheCar) {
  ConeRig rig(write_file("pair.csv", "tag,x,y,x_variance,y_variance\nblue,3,7,0.04,0.01\n"));
  // At (3, 2), looking along +y, and rolled: the frame stays upright.
  rig.run(1, [](SampleInput& in) {
    in.X_WS.p = {3, 2, 0.5};
    in.X_WS.R = axis_angle(Vec3::UnitZ(), kPi / 2) * axis_angle(Vec3::UnitX(), 0.3);
  });
  const ReadCone cone = rig.channel<ReadCone>("truth")[0];
  EXPECT_NEAR(cone.x, 5, 1e-6);
  EXPECT_NEAR(cone.y, 0, 1e-6);
  EXPECT_NEAR(cone.xx, 0.01, 1e-7);
  EXPECT_NEAR(cone.xy, 0, 1e-7);
  EXPECT_NEAR(cone.yy, 0.04, 1e-7);
}

// It had no power, say.
TEST(ConeDetector, LosesWhatItWasNotSampledFor) {
  ConeRig rig(one_cone(5, 0), {{"camera_hz", "25"}, {"lidar_hz", "20"}});
  rig.run(100);
  const std::size_t before = rig.camera.size();
  EXPECT_NEAR(static_cast<double>(before), 25, 4);
  double later = 7200;
  const auto jump = [&](SampleInput& in) { in.time += later; };
  rig.run(100, jump);
  EXPECT_NEAR(static_cast<double>(rig.camera.size() - before), 25, 4);
  for (std::size_t i = before + 4; i < rig.camera.size(); ++i)
    EXPECT_GT(rig.camera[i].stamp, later);
  EXPECT_GT(rig.lidar.back().stamp, later + 1.7);
}

TEST(ConeDetector, StartsAfreshWhenEnabledAgain) {
  ConeRig rig(row_of_cones());
  rig.run(100);
  const float first = rig.camera.at(0).cones.at(0).x;
  rig.device->reset();
  take_sample(*rig.device, rig.in, rig.bytes);
  EXPECT_EQ(rig.channel<std::uint32_t>("camera_messages")[0], 0u);
  for (int i = 0; i < 6; ++i) {
    rig.in.time += 0.01;
    take_sample(*rig.device, rig.in, rig.bytes);
  }
  EXPECT_EQ(rig.channel<std::uint32_t>("camera_messages")[0], 1u);
  EXPECT_NE(rig.channel<ReadCone>("camera")[0].x, first);  // with other noise
}

TEST(ConeDetector, KeepsTheNearestConesWhenThereIsNoRoom) {
  ConeRig rig(row_of_cones(), {{"maxCones", "2"}, {"camera_noise_std", "0"}});
  rig.run(10);
  ASSERT_EQ(rig.camera.at(0).count, 2);
  EXPECT_EQ(rig.camera[0].cones[1].x, 10);
}

// --- Optional effects.

TEST(ConeDetector, NoiseGrowsAsThatOfEufs) {
  // Figures of the law at 2, 5, 10, 15 and 20 m, rounded, and computed here once more.
  const double known[][2] = {{2, 0.029}, {5, 0.039}, {10, 0.0785}, {15, 0.19}, {20, 0.51}};
  for (const auto& [range, sigma] : known) {
    const ConeRig rig =
        many(one_cone(range, 0), {{"cameraNoise", "\"eufs\""}, {"covariances", "TRUE"}});
    const double camera = 0.0184 * std::exp(0.2106 * range);
    const double x = 0.4 * camera + 0.6 * 0.03, y = 0.4 * camera / 5 + 0.6 * 0.03;
    EXPECT_NEAR(x, sigma, 0.02 * sigma);
    expect_moments(values(rig.camera, 0, &ReadCone::x), range, x);
    expect_moments(values(rig.camera, 0, &ReadCone::y), 0, y);
    EXPECT_NEAR(rig.camera[0].cones[0].xx, x * x, 1e-6);
    EXPECT_NEAR(rig.camera[0].cones[0].yy, y * y, 1e-6);
    EXPECT_EQ(rig.camera[0].cones[0].xy, 0);
  }
}

TEST(ConeDetector, PolarNoiseAndItsFullCovarianceAreThoseOfPacSim) {
  // At 30 m and 30 degrees, with angles that matter.
  const double range = 30, angle = kPi / 6, sigma_r = 0.05, relative = 0.002, sigma_a = 0.01,
               sigma = 0.02;
  const ConeRig rig = many(one_cone(range * std::cos(angle), range * std::sin(angle)),
                           {{"lidarNoise", "\"pacsim\""},
                            {"pacsimRangeNoise", "0.05"},
                            {"pacsimRelativeRangeNoise", "0.002"},
                            {"pacsimAngleNoise", "0.01"},
                            {"pacsimCartesianNoise", "0.02"},
                            {"covariances", "TRUE"}});
  const double rr = sigma_r * sigma_r + relative * relative * range * range;
  const double aa = range * range * sigma_a * sigma_a;
  const double c = std::cos(angle), s = std::sin(angle);
  const double xx = c * c * rr + s * s * aa + sigma * sigma, xy = c * s * (rr - aa),
               yy = s * s * rr + c * c * aa + sigma * sigma;
  const auto x = values(rig.lidar, 0, &ReadCone::x), y = values(rig.lidar, 0, &ReadCone::y);
  const Moments mx = moments_of(x), my = moments_of(y);
  EXPECT_NEAR(mx.deviation, std::sqrt(xx), 0.03 * std::sqrt(xx));
  EXPECT_NEAR(my.deviation, std::sqrt(yy), 0.03 * std::sqrt(yy));
  EXPECT_NEAR(correlation(x, y), xy / std::sqrt(xx * yy), 0.03);
  EXPECT_NEAR(moments_of(values(rig.lidar, 0, &ReadCone::xx)).mean, xx, 0.02 * xx);
  EXPECT_NEAR(moments_of(values(rig.lidar, 0, &ReadCone::xy)).mean, xy, 0.02 * std::abs(xy));
  EXPECT_NEAR(moments_of(values(rig.lidar, 0, &ReadCone::yy)).mean, yy, 0.02 * yy);
}

TEST(ConeDetector, SeesWithinRangeAndFieldOfView) {
  const std::string track = write_file(
      "ring.csv", "tag,x,y\nblue,2,0\nblue,6,0\nblue,12,0\nblue,4,4.1\nblue,4.1,-4\nblue,-6,0\n");
  ConeRig rig(track, {{"cameraMinRange", "3"},
                      {"cameraMaxRange", "10"},
                      {"cameraFieldOfView", "1.5707963267948966"},
                      {"camera_noise_std", "0"},
                      {"lidar_noise_std", "0"},
                      {"lidarPosition", "5 0 1"},
                      {"lidarMaxRange", "4.25"}});
  rig.run(20);
  ASSERT_EQ(rig.camera.at(0).cones.size(), 2u);
  EXPECT_FLOAT_EQ(rig.camera[0].cones[0].y, -4);  // 44 degrees; that at 46 is outside
  EXPECT_FLOAT_EQ(rig.camera[0].cones[1].x, 6);
  // Ranges of the lidar count from its own place; what it reports is in the car's frame.
  std::vector<float> xs;
  for (const ReadCone& cone : rig.lidar.at(0).cones) xs.push_back(cone.x);
  EXPECT_THAT(xs, testing::UnorderedElementsAre(2.f, 6.f, 4.f, 4.1f));
}

TEST(ConeDetector, DropsWhatIsBehindAsTheCameraOfFeb) {
  const ConeRig rig = many(one_cone(0.1, 3), {{"cameraForwardOnly", "TRUE"}});
  double seen = 0;
  for (const ReadMessage& message : rig.camera) {
    seen += message.count;
    for (const ReadCone& cone : message.cones) EXPECT_GT(cone.x, 0.1f);
  }
  EXPECT_NEAR(seen / kMessages, 0.5, 4 * 0.5 / std::sqrt(kMessages));  // noise decides
}

TEST(ConeDetector, ProbabilityOfDetectionFallsAsThatOfPacSim) {
  // p0 - linear d - quadratic d^2, d from the least range of 1 m on, not below 0.1.
  for (const auto& [x, probability] : {std::pair{1.0, 0.99},
                                       {11.0, 0.99 - 0.1 - 0.012},
                                       {41.0, 0.99 - 0.4 - 0.192},
                                       {91.0, 0.1}}) {
    const ConeRig rig = many(one_cone(x, 0), {{"cameraDetection", "[ 0.99 0.01 0.00012 0.1 ]"},
                                              {"cameraMinRange", "1"}});
    double seen = 0;
    for (const ReadMessage& message : rig.camera) seen += message.count;
    EXPECT_NEAR(seen / kMessages, probability,
                4 * std::sqrt(probability * (1 - probability) / kMessages));
  }
}

TEST(ConeDetector, ConfusesColorsAsPacSim) {
  const ConeRig rig = many(
      row_of_cones(), {{"cameraClassification", "[ 0.8 0.01 0 0.2 ]"}, {"cameraColorRange", "17"}});
  std::map<int, double> first;  // share of each colour of the blue cone at 5 m
  for (const ReadMessage& message : rig.camera) {
    first[message.cones.at(0).color] += 1.0 / kMessages;
    EXPECT_EQ(message.cones.at(3).color, -1);  // at 20 m
  }
  const double right = 0.75, other = 0.25 / 4;
  EXPECT_NEAR(first[2], right, 4 * std::sqrt(right * (1 - right) / kMessages));
  for (const int color : {-1, 0, 1, 3}) {
    EXPECT_NEAR(first[color], other, 4 * std::sqrt(other * (1 - other) / kMessages));
  }
}

TEST(ConeDetector, FalsePositivesArePoissonAndEvenOverTheArea) {
  const ConeRig rig = many("", {{"cameraFalsePositives", "2.5"},
                                {"cameraMinRange", "2"},
                                {"cameraMaxRange", "10"},
                                {"cameraFieldOfView", "2"},
                                {"camera_noise_std", "0"}});
  std::vector<double> counts, inner, angles;
  for (const ReadMessage& message : rig.camera) {
    counts.push_back(message.count);
    for (const ReadCone& cone : message.cones) {
      const double range = std::hypot(cone.x, cone.y);
      EXPECT_GE(range, 2 - 1e-5);
      EXPECT_LE(range, 10 + 1e-5);
      inner.push_back(range < 6 ? 1 : 0);
      angles.push_back(std::atan2(cone.y, cone.x));
    }
  }
  const Moments m = moments_of(counts);
  EXPECT_NEAR(m.mean, 2.5, 4 * std::sqrt(2.5 / kMessages));
  EXPECT_NEAR(m.deviation * m.deviation, 2.5, 0.15);  // as Poisson's
  EXPECT_NEAR(moments_of(inner).mean, (36.0 - 4) / (100 - 4), 0.013);
  EXPECT_NEAR(moments_of(angles).deviation, 2 / std::sqrt(12), 0.01);
  for (const ReadMessage& message : rig.lidar) EXPECT_EQ(message.count, 0);
}

TEST(ConeDetector, DoesNotSeeThroughThings) {
  // A wall at x = 8 hides what is beyond; a cone's own surface does not hide it.
  ConeRig rig(row_of_cones(),
              {{"lidarOcclusion", "TRUE"}, {"lidar_noise_std", "0"}, {"lidarPosition", "1 0 0.5"}});
  EXPECT_TRUE(rig.device->inputs(Input::kSolidRays).has(Input::kSolidRays));
  std::vector<double> origins;
  rig.in.solid_ray = [&](const Vec3& from, const Vec3& way, double max) -> std::optional<SolidHit> {
    origins.push_back(from.x());
    EXPECT_NEAR(way.norm(), 1, 1e-12);
    for (const double surface : {4.9, 8.0}) {  // that of the first cone, and the wall
      const double distance = (surface - from.x()) / way.x();
      if (distance > 0 && distance <= max) return SolidHit{distance, -Vec3::UnitX()};
    }
    return {};
  };
  rig.run(20);
  ASSERT_EQ(rig.lidar.at(0).cones.size(), 1u);
  EXPECT_EQ(rig.lidar[0].cones[0].x, 5);
  EXPECT_EQ(rig.camera.at(0).cones.size(), 4u);  // not asked to
  EXPECT_EQ(origins.at(0), 1);
  const ConeRig plain(row_of_cones());
  EXPECT_FALSE(plain.device->inputs(Input::kSolidRays).has(Input::kSolidRays));
}

}  // namespace
}  // namespace protobeam
