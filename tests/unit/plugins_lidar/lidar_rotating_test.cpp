#include <gtest/gtest.h>

#include "lidar_fixture.h"

namespace protobeam {
namespace {

using test::kInf;
using test::LidarInScene;

constexpr int kColumns = 360;

/// 360 columns at 5 Hz; with 20 ms a step the head passes 36 columns a step.
LidarInScene rotating(std::map<std::string, std::string> more = {}) {
  more.insert({{"type", "\"rotating\""},
               {"maxRange", "30"},
               {"numberOfLayers", "2"},
               {"horizontalResolution", "360"},
               {"defaultFrequency", "5"}});
  LidarInScene lidar(more);
  lidar.in.step = 0.02;
  return lidar;
}

TEST(RotatingLidar, RefreshesOnlyWhatTheHeadHasPassedClockwise) {
  LidarInScene lidar = rotating();
  lidar.add(Sphere{20});
  EXPECT_TRUE(lidar.sensor().every_step());
  for (int step = 1; step <= 10; ++step) {
    lidar.sample();
    // From the front (column 180) to the right (higher columns), then from the rear on.
    for (int passed = 0; passed < kColumns; ++passed) {
      const int column = (180 + passed) % kColumns;
      for (int layer = 0; layer < 2; ++layer) {
        ASSERT_EQ(lidar.range(layer, column) < kInf, passed < 36 * step) << step << ' ' << column;
      }
    }
    EXPECT_EQ(lidar.sensor().frame_complete(), step == 10);
    EXPECT_EQ(lidar.sensor().sample_changed(), step == 10);  // hashed once a turn
    EXPECT_NEAR(std::remainder(lidar.sensor().head_angle() + 2 * kPi * step / 10, 2 * kPi), 0,
                1e-9);
  }
  EXPECT_EQ(lidar.sensor().points(), 720u);
}

TEST(RotatingLidar, WritesNothingButTheColumnsThatItPasses) {
  LidarInScene lidar = rotating();
  lidar.add(Sphere{20});
  for (int step = 0; step < 2; ++step) lidar.sample();
  lidar.set_range(0, 180 + 71, 7);  // passed in the step before
  lidar.set_range(1, 180 + 72, 7);  // the next one
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 180 + 71), 7);
  EXPECT_EQ(lidar.range(1, 180 + 72), 20);
  lidar.sensor().reset();
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 180 + 71), kInf);
}

TEST(RotatingLidar, HasPointsOfWhatItPassesFromThenOnWhenTheyAreWanted) {
  LidarInScene lidar = rotating({{"verticalFieldOfView", "0"}});
  lidar.add(Sphere{20});
  lidar.sample();
  lidar.command("point cloud", 1);
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 180), 20);
  EXPECT_EQ(lidar.point(0, 180).x, kInf);
  EXPECT_EQ(lidar.point(1, 180).layer_id, 1);
  EXPECT_NEAR(lidar.point(1, 180 + 36).x, 20 * std::cos(36 * kPi / 180), 1e-5);
}

TEST(RotatingLidar, HasNoPlaneOfProjection) {
  LidarInScene lidar = rotating({{"projection", "\"planar\""}, {"verticalFieldOfView", "0.2"}});
  lidar.add(Sphere{20});
  for (int step = 0; step < 10; ++step) lidar.sample();
  for (int column = 0; column < kColumns; column += 30)
    EXPECT_EQ(lidar.range(0, column), 20) << column;
}

TEST(RotatingLidar, ColumnsSpanAFullTurnFromTheRearWhateverTheFieldOfView) {
  LidarInScene lidar = rotating({{"fieldOfView", "1.57"}, {"verticalFieldOfView", "0"}});
  lidar.add(Box{{1, 40, 40}}, Pose::translation({10.5, 0, 0}));  // front at 10 m
  lidar.add(Box{{40, 1, 40}}, Pose::translation({0, 6.5, 0}));   // left at 6 m
  lidar.add(Box{{1, 40, 40}}, Pose::translation({-4.5, 0, 0}));  // rear at 4 m
  lidar.add(Box{{40, 1, 40}}, Pose::translation({0, -8.5, 0}));  // right at 8 m
  for (int step = 0; step < 10; ++step) lidar.sample();
  EXPECT_NEAR(lidar.range(0, 0), 4, 1e-5);
  EXPECT_NEAR(lidar.range(0, 90), 6, 1e-5);
  EXPECT_NEAR(lidar.range(0, 180), 10, 1e-5);
  EXPECT_NEAR(lidar.range(0, 270), 8, 1e-5);
  const auto beams = lidar.sensor().beams(lidar.bytes());
  EXPECT_NEAR(beams[90].azimuth, kPi / 2, 1e-6);
  EXPECT_NEAR(beams[180].azimuth, 0, 1e-6);
}

TEST(RotatingLidar, EachColumnKeepsPoseAndTimeOfItsStep) {
  LidarInScene lidar = rotating({{"verticalFieldOfView", "0"}});
  lidar.command("point cloud", 1);
  lidar.add(Box{{400, 1, 40}}, Pose::translation({0, -5.5, 0}));  // a wall on the right
  for (int step = 0; step < 10; ++step) {
    lidar.in.X_WS = Pose::translation({0, 0.1 * step, 0});
    lidar.in.time = 3 + step;
    lidar.sample();
  }
  // Column 270 looks to the right and was passed in the third step.
  EXPECT_NEAR(lidar.range(0, 270), 5.2, 1e-5);
  EXPECT_EQ(lidar.point(0, 270).time, 5.0f);
  EXPECT_NEAR(lidar.point(1, 270).y, -5.2, 1e-5);
  EXPECT_EQ(lidar.point(1, 270).layer_id, 1);
  EXPECT_EQ(lidar.sensor().beams(lidar.bytes())[270].time, 5.0f);
}

TEST(RotatingLidar, TakesSectorsThatDoNotFitTheSteps) {
  // 7 Hz and 13 ms: 32.76 columns a step. After n steps floor(n * 32.76) + 1 columns were passed.
  LidarInScene lidar = rotating({{"defaultFrequency", "7"}});
  lidar.in.step = 0.013;
  lidar.add(Sphere{20});
  int completed = 0;
  for (int step = 1; step <= 100; ++step) {
    lidar.sample();
    int passed = 0;
    for (int column = 0; column < kColumns; ++column) passed += lidar.range(1, column) < kInf;
    ASSERT_EQ(passed, std::min(kColumns, static_cast<int>(std::ceil(step * 32.76 - 1e-9)))) << step;
    completed += lidar.sensor().frame_complete();
  }
  EXPECT_EQ(completed, 9);  // 100 * 7 Hz * 13 ms = 9.1 turns
}

TEST(RotatingLidar, ManyTurnsAStepAreOneWholeImage) {
  LidarInScene lidar = rotating({{"defaultFrequency", "20"}});
  lidar.in.step = 0.064;
  lidar.add(Sphere{20});
  lidar.sample();
  EXPECT_TRUE(lidar.sensor().frame_complete());
  EXPECT_EQ(lidar.sensor().points(), 720u);
}

TEST(RotatingLidar, FrequencyCanBeChangedAndEnablingStartsAfresh) {
  LidarInScene lidar = rotating();
  lidar.add(Sphere{20});
  EXPECT_EQ(lidar.command("frequency", 10), "");
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 180 + 71), 20);
  EXPECT_EQ(lidar.range(0, 180 + 72), kInf);
  lidar.sensor().reset();
  EXPECT_EQ(lidar.sensor().head_angle(), 0);
  lidar.command("frequency", 5);
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 180 + 35), 20);
  EXPECT_EQ(lidar.range(0, 180 + 36), kInf);
}

TEST(RotatingLidar, NoiseIsTheSameOnAnyNumberOfThreads) {
  std::vector<std::byte> first;
  for (const int threads : {1, 2, 4}) {
    LidarInScene lidar({{"type", "\"rotating\""},
                        {"maxRange", "30"},
                        {"noise", "0.01"},
                        {"numberOfLayers", "64"},
                        {"horizontalResolution", "1000"}},
                       threads);
    lidar.add(Box{{9, 10, 11}});
    lidar.command("point cloud", 1);
    for (int step = 0; step < 5; ++step) lidar.sample();
    if (first.empty()) first = lidar.bytes();
    ASSERT_EQ(lidar.bytes(), first) << threads;
  }
}

}  // namespace
}  // namespace protobeam
