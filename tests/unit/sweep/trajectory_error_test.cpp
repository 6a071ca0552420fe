#include "sweep/trajectory_error.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/temporary_folder.h"

namespace protobeam::sweep {
namespace {

using Alignment = Metric::Alignment;
using testing::HasSubstr;

std::vector<Sighting> curve() {
  std::vector<Sighting> out;
  for (int i = 0; i < 50; ++i) {
    const double t = 0.1 * i;
    out.push_back({t, {3 * std::cos(t), 2 * std::sin(t), 0.3 * t * t}});
  }
  return out;
}

std::vector<Sighting> moved(std::vector<Sighting> all, double scale) {
  const Quat R(Eigen::AngleAxisd(2.1, Vec3(1, 2, -1).normalized()));
  for (Sighting& one : all) one.position = scale * (R * one.position) + Vec3(10, -4, 2);
  return all;
}

TEST(TrajectoryError, IsZeroAfterTheMotionIsTakenOut) {
  const auto truth = curve();
  EXPECT_NEAR(absolute_trajectory_error(truth, truth, Alignment::kNone, 0.01), 0, 1e-15);
  EXPECT_NEAR(absolute_trajectory_error(moved(truth, 1), truth, Alignment::kRigid, 0.01), 0, 1e-12);
  EXPECT_NEAR(absolute_trajectory_error(moved(truth, 0.3), truth, Alignment::kScaled, 0.01), 0,
              1e-12);
  EXPECT_GT(absolute_trajectory_error(moved(truth, 0.3), truth, Alignment::kRigid, 0.01), 0.5);
  EXPECT_GT(absolute_trajectory_error(moved(truth, 1), truth, Alignment::kNone, 0.01), 5);
}

TEST(TrajectoryError, DoesNotMirror) {
  auto mirrored = curve();
  for (Sighting& one : mirrored) one.position.z() = -one.position.z();
  EXPECT_GT(absolute_trajectory_error(mirrored, curve(), Alignment::kRigid, 0.01), 0.1);
}

TEST(TrajectoryError, IsTheRootMeanSquareOfWhatIsLeft) {
  // Every other pose is 0.1 m to one side: no motion makes that better.
  std::vector<Sighting> truth, estimate;
  for (int i = 0; i < 1000; ++i) {
    truth.push_back({0.01 * i, {0.1 * i, 0, 0}});
    estimate.push_back({0.01 * i, {0.1 * i, i % 2 ? 0.1 : -0.1, 0}});
  }
  EXPECT_NEAR(absolute_trajectory_error(estimate, truth, Alignment::kRigid, 0.001), 0.1, 1e-5);
}

TEST(TrajectoryError, PutsPosesTogetherByTime) {
  auto truth = curve();
  std::vector<Sighting> estimate;
  for (std::size_t i = 0; i < truth.size(); i += 5) {
    estimate.push_back({truth[i].time + (i % 2 ? 0.004 : -0.004), truth[i].position});
  }
  estimate.push_back({100, {1, 2, 3}});  // without a true one
  EXPECT_NEAR(absolute_trajectory_error(estimate, truth, Alignment::kNone, 0.01), 0, 1e-15);
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { absolute_trajectory_error(estimate, truth, Alignment::kNone, 0.001); }),
              HasSubstr("three are needed"));
}

TEST(TrajectoryError, ReadsFilesOfTheBenchmark) {
  TemporaryFolder folder;
  const auto all =
      read_tum(folder.write("a.tum", "# time x y z\n2 1 2 3 0 0 0 1\r\n\n1.5 4 5 6e-1 0 0 0 1\n"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].time, 1.5);
  EXPECT_EQ(all[0].position, Vec3(4, 5, 0.6));
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { read_tum(folder.write("b.tum", "1 2 3 4\n1 nan 2 3\n")); }),
              HasSubstr("b.tum:2: a pose is"));
  EXPECT_THAT(message_of<std::runtime_error>([&] { read_tum(folder / "c.tum"); }),
              HasSubstr("cannot read"));
}

}  // namespace
}  // namespace protobeam::sweep
