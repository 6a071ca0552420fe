// PCL's grabbers read our captures of Velodynes: the points of the sweeps that they were made of.
#include <gtest/gtest.h>
#include <pcl/io/hdl_grabber.h>
#include <pcl/io/vlp_grabber.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "output/packets/recorder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/output/packet_room.h"

namespace protobeam {
namespace {

constexpr double kDegree = kPi / 180;
using Cloud = pcl::PointCloud<pcl::PointXYZI>;

/// The first `turns` sweeps of the grabber, from one time that the head passes the front to the
/// next.
std::vector<Cloud> grab(pcl::HDLGrabber& grabber, std::size_t turns) {
  std::vector<Cloud> clouds;
  std::mutex lock;
  std::condition_variable changed;
  const std::function<void(const Cloud::ConstPtr&)> take = [&](const Cloud::ConstPtr& cloud) {
    const std::lock_guard guard(lock);
    clouds.push_back(*cloud);
    changed.notify_one();
  };
  float nearest = 0.1f;  // else misses become points at the origin
  grabber.setMinimumDistanceThreshold(nearest);
  grabber.registerCallback(take);
  grabber.start();
  {
    // It plays a file at the pace at which it was recorded, and does not tell the end.
    std::unique_lock guard(lock);
    changed.wait_for(guard, std::chrono::seconds(20), [&] { return clouds.size() >= turns; });
  }
  grabber.stop();
  return clouds;
}

std::filesystem::path record(const TemporaryFolder& folder, const RoomLidar& lidar,
                             const std::vector<TimedSweep>& sweeps) {
  const auto path = folder / "lidar.pcap";
  PacketRecorder recorder(path);
  for (const TimedSweep& sweep : sweeps) recorder.add(lidar.source(), sweep);
  recorder.finish();
  return path;
}

/// PCL's x is to the right, y to the front. It leaves out what the head turns after the firing has
/// started.
void expect_same(const RoomLidar& lidar, const std::vector<TimedSweep>& sweeps,
                 pcl::HDLGrabber& grabber, double azimuth_error_deg) {
  // Five sweeps from the rear on: half a turn, four whole ones, and one that is not over.
  const std::vector<Cloud> clouds = grab(grabber, 5);
  ASSERT_EQ(clouds.size(), 5u);
  std::vector<pcl::PointXYZI> points;
  for (const Cloud& cloud : clouds) points.insert(points.end(), cloud.begin(), cloud.end());
  std::size_t i = 0;
  for (const TimedSweep& sweep : sweeps) {
    for (const BeamReturn& beam : sweep.beams) {
      if (!std::isfinite(beam.range) || i == points.size()) continue;
      const pcl::PointXYZI& p = points[i++];
      const double turned =
          2 * kPi * lidar.frequency * lidar.times[static_cast<std::size_t>(beam.beam)];
      const Vec3 point = axis_angle(Vec3::UnitZ(), -turned) * Vec3(p.y, -p.x, p.z);
      const double off = (point - Vec3(beam.x, beam.y, beam.z)).norm();
      ASSERT_LT(off, 0.001 + azimuth_error_deg * kDegree * beam.range + 1e-4) << i;
      ASSERT_EQ(p.intensity, std::round(255 * beam.intensity));
    }
  }
  EXPECT_EQ(i, points.size());
  EXPECT_GT(points.size(), 4.4 * sweeps[0].beams.size() * 16 / 17);
}

TEST(PclGrabber, ReadsAVlp16) {
  const TemporaryFolder folder;
  const RoomLidar lidar = vlp16();
  const auto sweeps = room_sweeps(lidar, 5);
  pcl::VLPGrabber grabber(record(folder, lidar, sweeps).string());
  // The second firing of a block: half of a rounded step, cut off to 0.01 deg.
  expect_same(lidar, sweeps, grabber, 0.0301);
}

TEST(PclGrabber, ReadsAnHdl32e) {
  const TemporaryFolder folder;
  const RoomLidar lidar = hdl32e();
  const auto sweeps = room_sweeps(lidar, 5);
  pcl::HDLGrabber grabber("", record(folder, lidar, sweeps).string());
  expect_same(lidar, sweeps, grabber, 0.0051);
}

TEST(PclGrabber, ReadsAnHdl64eWithItsCalibration) {
  const TemporaryFolder folder;
  RoomLidar lidar = hdl64e();
  for (std::size_t i = 0; i < 64; ++i) {
    // Beside the beam: PCL does not put offsets across the beam where Velodyne's manual has them.
    lidar.origins[i] = axis_angle(Vec3::UnitZ(), lidar.azimuths[i] * kDegree) *
                       Vec3(0, i % 2 == 0 ? 0.026 : -0.026, 0);
  }
  const auto sweeps = room_sweeps(lidar, 5);
  const auto path = record(folder, lidar, sweeps);
  pcl::HDLGrabber grabber((folder / "lidar.xml").string(), path.string());
  expect_same(lidar, sweeps, grabber, 0.0051);
}

}  // namespace
}  // namespace protobeam
