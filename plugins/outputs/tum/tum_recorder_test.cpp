#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "message/sensor_msgs.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/output_plugin.h"

namespace protobeam {
namespace {

message::Odometry odometry(std::int64_t ns, double x) {
  message::Odometry odometry;
  odometry.header.stamp = message::time_of(ns);
  odometry.pose.pose.position = {x, -0.1, 1e-20};
  odometry.pose.pose.orientation = {0.1, 0.2, 0.3, std::sqrt(1 - 0.14)};
  return odometry;
}

std::unique_ptr<MessageSink> trajectory_recorder(const std::filesystem::path& folder) {
  return make_sink("TumRecorder", {{"folder", quoted(folder)}});
}

/// Rows as evo reads them (evo, file_interface.read_tum_trajectory_file): parts between single spaces,
/// eight numbers, lines with # left out.
std::vector<std::vector<double>> rows_of(const std::filesystem::path& path) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(read_bytes(path));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    auto& row = rows.emplace_back();
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, ' ');) {
      std::size_t used = 0;
      row.push_back(std::stod(part, &used));
      EXPECT_EQ(used, part.size()) << line;
    }
    EXPECT_EQ(row.size(), 8u) << line;
  }
  return rows;
}

TEST(TumRecorder, WritesTimePositionAndQuaternion) {
  const TemporaryFolder folder;
  const auto sink = trajectory_recorder(folder / "out");
  Feeder feed(*sink);
  feed.write("/car/odom", 0, odometry(12'345'678'900, 1.0 / 3));
  sink->finish();
  EXPECT_EQ(read_bytes(folder / "out/car_odom.txt"),
            "# time x y z qx qy qz qw\n"
            "12.3456789 0.3333333333333333 -0.1 1e-20 0.1 0.2 0.3 0.9273618495495703\n");
}

TEST(TumRecorder, TakesEachTypeOfPoseAndLeavesOutTheRest) {
  const TemporaryFolder folder;
  const auto sink = trajectory_recorder(folder.path());
  Feeder feed(*sink);
  message::PoseStamped pose;
  pose.pose.position.x = 7;
  message::PoseWithCovarianceStamped with_covariance;
  with_covariance.pose.pose.position.x = 8;
  for (int i = 0; i < 1000; ++i) feed.write("/odom", 0, odometry(i * 1'000'000, 0.001 * i));
  feed.write("/pose", 0, pose);
  feed.write("/amcl_pose", 0, with_covariance);
  feed.write("/imu", 0, message::Imu{});
  sink->finish();
  EXPECT_EQ(sink->text(), "wrote " + folder.path().string() + ": 3 files, 1002 poses");
  const auto rows = rows_of(folder / "odom.txt");
  ASSERT_EQ(rows.size(), 1000u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], static_cast<double>(i) / 1000);
    EXPECT_EQ(rows[i][1], 0.001 * static_cast<int>(i));
  }
  EXPECT_EQ(rows_of(folder / "pose.txt").at(0).at(1), 7);
  EXPECT_EQ(rows_of(folder / "amcl_pose.txt").at(0).at(1), 8);
  EXPECT_FALSE(std::filesystem::exists(folder / "imu.txt"));
}

TEST(TumRecorder, SaysWhatCannotBeWritten) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "odom.txt");
  const auto sink = trajectory_recorder(folder.path());
  Feeder feed(*sink);
  feed.write("/odom", 0, odometry(0, 0));
  EXPECT_EQ(message_of<std::runtime_error>([&] { sink->finish(); }),
            "cannot write " + (folder / "odom.txt").string() + ": No space left on device");
}

}  // namespace
}  // namespace protobeam
