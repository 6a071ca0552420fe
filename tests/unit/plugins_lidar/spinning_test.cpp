// Spinning and oscillating lidars: where each beam of a real device points, and when it is fired.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lidar_fixture.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using test::kInf;
using test::LidarInScene;
using FieldTexts = std::map<std::string, std::string>;

/// Velodyne VLP-16 User Manual (63-9243), table 9-1 and section 9.4.1: lasers in the order of
/// their ids, one every 2.304 us, a sequence every 55.296 us.
FieldTexts vlp16(FieldTexts more = {}) {
  std::string times;
  for (int i = 0; i < 16; ++i) times += std::to_string(2.304 * i) + "e-6 ";
  more.insert({{"scanLaw", "\"spinning\""},
               {"maxRange", "100"},
               {"minRange", "0.5"},
               {"firingPeriod", "55.296e-6"},
               {"beamElevations_deg", "[ -15 1 -13 3 -11 5 -9 7 -7 9 -5 11 -3 13 -1 15 ]"},
               {"beamTimes", "[ " + times + " ]"}});
  return more;
}

/// One whole sweep on the inside of a ball.
std::vector<BeamReturn> sweep(LidarInScene& lidar, double seconds = 0.1) {
  lidar.add(Sphere{20});
  lidar.in.step = seconds;
  lidar.sample();
  EXPECT_TRUE(lidar.sensor().frame_complete());
  return lidar.sensor().beams(lidar.bytes());
}

double degrees(float radians) { return double{radians} / kDegree; }

TEST(SpinningLidar, HasTheAnglesAndTimesOfAVlp16AtTenHertz) {
  LidarInScene lidar(vlp16());
  const auto beams = sweep(lidar);
  ASSERT_EQ(lidar.columns(), 1808);  // 1 / (10 Hz 55.296 us) = 1808.4
  ASSERT_EQ(lidar.layers(), 16);
  ASSERT_EQ(beams.size(), 16u * 1808);
  const auto beam = [&](int layer, int column) {
    return beams[std::size_t(layer * 1808 + column)];
  };
  // Laser 0, -15 degrees, is the lowest layer; sequence 0 starts at the rear.
  EXPECT_EQ(beam(15, 0).beam, 0);
  EXPECT_EQ(beam(15, 0).ring, 0);
  EXPECT_NEAR(std::abs(degrees(beam(15, 0).azimuth)), 180, 1e-5);
  EXPECT_NEAR(degrees(beam(15, 0).elevation), -15, 1e-5);
  // 360 degrees * 10 Hz * 55.296 us = 0.1990656 degrees, clockwise.
  EXPECT_NEAR(degrees(beam(15, 1).azimuth), 180 - 0.1990656, 1e-5);
  // Laser 3, +3 degrees: layer 6. It fires 6.912 us late, while the head turns 0.0248832 degrees.
  EXPECT_EQ(beam(6, 100).beam, 3);
  EXPECT_EQ(beam(6, 100).ring, 9);
  EXPECT_NEAR(degrees(beam(6, 100).elevation), 3, 1e-5);
  EXPECT_NEAR(degrees(beam(6, 100).azimuth), 180 - 19.90656 - 0.0248832, 1e-5);
  EXPECT_NEAR(beam(6, 100).time - beam(15, 0).time, 100 * 55.296e-6 + 6.912e-6, 1e-12);
  // The last one: laser 15 of sequence 1807.
  EXPECT_EQ(beam(0, 1807).beam, 15);
  EXPECT_NEAR(degrees(beam(0, 1807).azimuth), 180 - 0.1990656 * 1807 - 0.124416, 1e-4);
  EXPECT_NEAR(beam(0, 1807).time - beam(15, 0).time, 1807 * 55.296e-6 + 34.56e-6, 1e-12);
  for (const BeamReturn& b : beams) ASSERT_NEAR(b.range, 20, 1e-4);
  EXPECT_EQ(lidar.sensor().points(), 16u * 1808);
}

TEST(SpinningLidar, PointsLieAlongTheBeamsFromTheirOrigins) {
  // Distances of the optical centres as VLP-16 drivers know them; the head is seen from its side.
  LidarInScene lidar({{"scanLaw", "\"spinning\""},
                      {"maxRange", "100"},
                      {"horizontalResolution", "8"},
                      {"beamElevations_deg", "[ 0, -45 ]"},
                      {"beamAzimuths_deg", "[ 0, 90 ]"},
                      {"beamOrigins", "[ 0.5 0.25 0, 0 0 2 ]"}});
  lidar.command("point cloud", 1);
  lidar.add(Box{{20, 20, 40}});  // walls at 10 m
  lidar.add(Plane{{100, 100}}, Pose::translation({0, 0, -3}));
  lidar.in.step = 0.1;
  lidar.sample();
  // Laser 0, sequence 4: the head looks ahead (+x). From (0.5, 0.25, 0) to the wall: 9.5 m.
  EXPECT_NEAR(lidar.range(0, 4), 9.5, 1e-5);
  EXPECT_NEAR(lidar.point(0, 4).x, 10, 1e-5);
  EXPECT_NEAR(lidar.point(0, 4).y, 0.25, 1e-5);
  // Sequence 6, to the right (-y): the origin turned with the head to (0.25, -0.5, 0).
  EXPECT_NEAR(lidar.range(0, 6), 9.5, 1e-5);
  EXPECT_NEAR(lidar.point(0, 6).x, 0.25, 1e-5);
  EXPECT_NEAR(lidar.point(0, 6).y, -10, 1e-5);
  // Laser 1 looks 90 degrees to the left of the head and down at 45 degrees from 5 m: 5 sqrt 2.
  EXPECT_NEAR(lidar.range(1, 4), 5 * std::sqrt(2), 1e-5);
  EXPECT_NEAR(lidar.point(1, 4).x, 0, 1e-5);
  EXPECT_NEAR(lidar.point(1, 4).y, 5, 1e-5);
  EXPECT_NEAR(lidar.point(1, 4).z, -3, 1e-5);
  EXPECT_EQ(lidar.point(1, 4).layer_id, 1);
  for (const BeamReturn& b : lidar.sensor().beams(lidar.bytes())) {
    const LidarPoint p = lidar.point(b.layer, b.column);
    EXPECT_EQ(b.x, p.x);
    EXPECT_EQ(b.z, p.z);
    EXPECT_EQ(b.range, lidar.range(b.layer, b.column));
    EXPECT_NEAR(b.time, p.time, 1e-7);
  }
}

/// The Ouster SDK's way from a range to a point (ouster_client, xyzlut), sensor frame.
Vec3 ouster_point(double range, int column, int columns, double altitude, double azimuth,
                  double n) {
  const double encoder = 2 * kPi * (1 - double(column) / columns), beam = -azimuth;
  const double r = range - n;
  const Vec3 lidar(r * std::cos(encoder + beam) * std::cos(altitude) + n * std::cos(encoder),
                   r * std::sin(encoder + beam) * std::cos(altitude) + n * std::sin(encoder),
                   r * std::sin(altitude));
  return {-lidar.x(), -lidar.y(), lidar.z()};
}

TEST(SpinningLidar, AnOusterFiresWholeColumns) {
  const double altitude[] = {21.4764, 0.1779, -21.1679}, azimuth[] = {4.252, 1.4197, -4.2628};
  const double n = 0.015806;
  LidarInScene lidar({{"scanLaw", "\"spinning\""},
                      {"maxRange", "120"},
                      {"horizontalResolution", "1024"},
                      {"azimuthPerColumn", "TRUE"},
                      {"beamElevations_deg", "[ 21.4764, 0.1779, -21.1679 ]"},
                      {"beamAzimuths_deg", "[ -4.252, -1.4197, 4.2628 ]"},
                      {"beamOrigins", "[ 0.015806 0 0, 0.015806 0 0, 0.015806 0 0 ]"}});
  lidar.add(Box{{31, 17, 12}}, Pose::translation({2, 1, 0}));
  lidar.in.step = 0.1;
  lidar.sample();
  const auto beams = lidar.sensor().beams(lidar.bytes());
  ASSERT_EQ(beams.size(), 3u * 1024);
  for (const BeamReturn& b : beams) {
    const Vec3 p = ouster_point(b.range + n, b.column, 1024, altitude[b.layer] * kDegree,
                                azimuth[b.layer] * kDegree, n);
    ASSERT_NEAR((Vec3(b.x, b.y, b.z) - p).norm(), 0, 1e-5) << b.layer << ' ' << b.column;
    ASSERT_NEAR(b.time - beams[0].time, b.column * 97.65625e-6, 1e-12);
  }
}

TEST(SpinningLidar, CounterClockwiseHeadsHaveTheirFirstFiringAtTheRight) {
  LidarInScene lidar({{"scanLaw", "\"spinning\""},
                      {"maxRange", "100"},
                      {"horizontalResolution", "36"},
                      {"startAzimuth", "0"},
                      {"rotationSense", "\"counter-clockwise\""}});
  const auto beams = sweep(lidar);
  EXPECT_NEAR(degrees(beams[35].azimuth), 0, 1e-5);
  EXPECT_NEAR(degrees(beams[34].azimuth), 10, 1e-5);
  EXPECT_NEAR(degrees(beams[0].azimuth), -10, 1e-5);
  EXPECT_NEAR(beams[34].time - beams[35].time, 0.1 / 36, 1e-12);
}

TEST(SpinningLidar, SlowerOrFasterHeadsHaveOtherColumnsOrOtherPeriods) {
  LidarInScene lidar(vlp16({{"defaultFrequency", "5"}, {"minFrequency", "5"}}));
  EXPECT_EQ(lidar.columns(), 3616);
  EXPECT_EQ(lidar.command("frequency", 20), "");
  lidar.command("point cloud", 1);
  lidar.add(Sphere{20});
  lidar.in.step = 0.2;
  lidar.sample();  // the sweep that was begun at 5 Hz
  EXPECT_EQ(lidar.columns(), 3616);
  lidar.in.step = 0.25;
  lidar.sample();
  ASSERT_EQ(lidar.columns(), 904);
  const auto beams = lidar.sensor().beams(lidar.bytes());
  ASSERT_EQ(beams.size(), 16u * 904);
  EXPECT_NEAR(degrees(beams[15 * 904 + 1].azimuth), 180 - 360 * 20 * 55.296e-6, 1e-5);
  EXPECT_EQ(lidar.sensor().points(), 16u * 904);
  // The image stays as wide as it was told at first; its right part has no beams.
  EXPECT_NEAR(lidar.range(3, 903), 20, 1e-4);
  EXPECT_EQ(lidar.range(3, 904), kInf);

  LidarInScene ten(vlp16({{"minFrequency", "5"}}));
  EXPECT_EQ(ten.command("frequency", 5),
            "a sweep at 5 Hz has 3616 columns and the image only 1808: set defaultFrequency to the "
            "lowest frequency that you need");
  EXPECT_EQ(std::get<double>(ten.sensor().properties().at("minFrequency")), 10);

  LidarInScene fixed(
      {{"scanLaw", "\"spinning\""}, {"maxRange", "100"}, {"horizontalResolution", "512"}});
  EXPECT_EQ(fixed.command("frequency", 20), "");
  fixed.add(Sphere{20});
  fixed.in.step = 0.1;
  fixed.sample();
  fixed.sample();
  const auto fast = fixed.sensor().beams(fixed.bytes());
  ASSERT_EQ(fast.size(), 512u);
  EXPECT_NEAR(fast[1].time - fast[0].time, 0.05 / 512, 1e-12);
  EXPECT_NEAR(degrees(fast[1].azimuth), 180 - 360.0 / 512, 1e-5);
}

TEST(SpinningLidar, RefusesWhatNoHeadCanDo) {
  const auto expect = [](FieldTexts fields, const std::string& message) {
    fields.insert({{"scanLaw", "\"spinning\""}, {"maxRange", "9"}});
    EXPECT_EQ(message_of<std::invalid_argument>([&] { make_sensor("Lidar", fields); }), message);
  };
  expect({}, "a Lidar of scanLaw \"spinning\" needs firingPeriod or horizontalResolution");
  expect({{"firingPeriod", "5e-5"}, {"horizontalResolution", "512"}},
         "fields 'horizontalResolution' and 'firingPeriod' of Lidar: one follows from the other; "
         "leave one out");
  expect({{"firingPeriod", "0.3"}},
         "field 'defaultFrequency' of Lidar: a sweep at 10 Hz is over before a firing sequence of "
         "0.3 s");
  expect({{"firingPeriod", "1e-9"}},
         "1 beams times 100000000 columns of Lidar are more than 16777216 beams a sweep");
  expect({{"horizontalResolution", "100"}, {"fieldOfView", "3"}},
         "field 'fieldOfView' of Lidar does nothing with scanLaw \"spinning\"; leave it out");
  expect({{"horizontalResolution", "100"}, {"prismRates", "[ 1, 2 ]"}},
         "field 'prismRates' of Lidar does nothing with scanLaw \"spinning\"; leave it out");
  expect({{"horizontalResolution", "100"}, {"defaultFrequency", "30"}},
         "field 'defaultFrequency' of Lidar must be in [1, 25] (minFrequency, maxFrequency), got "
         "30");
  expect({{"horizontalResolution", "100"},
          {"azimuthPerColumn", "TRUE"},
          {"beamElevations_deg", "[ 0, 1 ]"},
          {"beamTimes", "[ 0, 1e-6 ]"}},
         "field 'azimuthPerColumn' of Lidar: all beams of a column fire at once, so there are no "
         "beam times");
  const auto lidar = make_sensor("Lidar", {{"scanLaw", "\"spinning\""},
                                           {"maxRange", "9"},
                                           {"horizontalResolution", "1000"},
                                           {"beamElevations_deg", "[ 0, 1 ]"},
                                           {"beamTimes", "[ 0, 8e-5 ]"}});
  EXPECT_EQ(lidar->send_command("frequency", {20}),
            "at 20 Hz a firing sequence lasts 5e-05 s, and beam 1 (counted from 0) of Lidar fires "
            "after 8e-05 s");
}

TEST(SpinningLidar, HeadTurnsWithTheEncoder) {
  LidarInScene lidar(vlp16({{"startAzimuth", "0"}}));
  lidar.in.step = 0.01;
  EXPECT_EQ(lidar.sensor().head_angle(), 0);
  lidar.sample();
  EXPECT_NEAR(lidar.sensor().head_angle() / kDegree, -36, 1e-9);
  for (int i = 0; i < 8; ++i) lidar.sample();
  EXPECT_NEAR(lidar.sensor().head_angle() / kDegree, 36, 1e-9);
}

TEST(OscillatingLidar, FiresInTheMiddleOfItsColumnsAtTheMirrorsSpeed) {
  // A mirror of 25 turns a second that is open over 190 degrees, one beam a degree.
  LidarInScene lidar({{"scanLaw", "\"oscillating\""},
                      {"maxRange", "80"},
                      {"defaultFrequency", "25"},
                      {"fieldOfView", "3.31612557879"},
                      {"horizontalResolution", "190"},
                      {"rotationSense", "\"counter-clockwise\""}});
  const auto beams = sweep(lidar, 0.04);
  ASSERT_EQ(beams.size(), 190u);
  for (int column = 0; column < 190; ++column) {
    const BeamReturn& b = beams[std::size_t(column)];
    ASSERT_NEAR(degrees(b.azimuth), 94.5 - column, 1e-4);
    // 25 turns a second: 9000 degrees a second, from the right to the left.
    ASSERT_NEAR(b.time - beams[189].time, (189 - column) / 9000.0, 1e-9);
  }
  EXPECT_NEAR(std::get<double>(lidar.sensor().properties().at("fieldOfView")), 190 * kDegree, 1e-9);
}

TEST(OscillatingLidar, StartsWhereItIsTold) {
  // From 50 degrees on the left to -60 on the right, as an LD-MRS of two layers.
  LidarInScene lidar({{"scanLaw", "\"oscillating\""},
                      {"maxRange", "80"},
                      {"defaultFrequency", "12.5"},
                      {"fieldOfView", "1.91986217719"},
                      {"startAzimuth", "0.872664625997"},
                      {"firingPeriod", "55.5555555556e-6"},  // a quarter of a degree
                      {"beamElevations_deg", "[ -0.4, 0.4 ]"}});
  const auto beams = sweep(lidar, 0.08);
  ASSERT_EQ(lidar.columns(), 440);
  EXPECT_NEAR(degrees(beams[0].azimuth), 50 - 0.125, 1e-4);
  EXPECT_NEAR(degrees(beams[439].azimuth), -60 + 0.125, 1e-4);
}

}  // namespace
}  // namespace protobeam
