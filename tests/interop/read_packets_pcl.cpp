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
#include "tests/unit/support/constants.h"
#include "tests/worlds/packet_world.h"

namespace protobeam {
namespace {

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
  const auto hits = std::ranges::count_if(
      sweeps[0].beams, [](const BeamReturn& beam) { return std::isfinite(beam.range); });
  EXPECT_GT(points.size(), 4.3 * static_cast<double>(hits));
}

/// Points of a run are those of a scan from the same place, without the lasers' heights, which the
/// driver does not know. Weak echoes are heard in one sweep and not in the next.
void expect_points_of_scan(const test::PacketWorld& world, const test::Velodyne& device,
                           pcl::HDLGrabber& grabber, double azimuth_error_deg) {
  const auto rows = world.scan();
  const double column_rad = 2 * kPi * 10 * device.firing_us * 1e-6;
  const auto columns = static_cast<std::size_t>(device.firings);
  std::size_t points = 0, lost = 0;
  for (const Cloud& cloud : grab(grabber, 5)) {
    for (const pcl::PointXYZI& pcl_point : cloud) {
      const Vec3 seen(pcl_point.y, -pcl_point.x, pcl_point.z);
      const double elevation_deg = std::atan2(seen.z(), seen.head<2>().norm()) / kDegree;
      const auto laser = static_cast<std::size_t>(
          std::ranges::min_element(device.elevations_deg, {},
                                   [&](double e) { return std::abs(e - elevation_deg); }) -
          device.elevations_deg.begin());
      const double turned = 2 * kPi * 10 * static_cast<double>(laser) * device.laser_us * 1e-6;
      const Vec3 point = axis_angle(Vec3::UnitZ(), -turned) * seen;
      const double from_rear = kPi - std::atan2(point.y(), point.x());
      const auto column = static_cast<std::size_t>(
          std::lround((from_rear - turned) / column_rad + device.firings) % device.firings);
      const test::Beam& beam = rows[device.layer(static_cast<int>(laser)) * columns + column];
      ++points;
      if (!std::isfinite(beam.range)) {
        ++lost;
        continue;
      }
      const Vec3 origin(0, 0, device.heights_mm[laser] / 1000);
      const Vec3 ray = Vec3(beam.x, beam.y, beam.z) - origin, d = ray.normalized();
      const double off = (point - ray - origin.dot(d) * d).norm();
      ASSERT_LT(off, 0.001 + azimuth_error_deg * kDegree * beam.range + 1e-4) << points;
    }
  }
  const auto hits =
      std::ranges::count_if(rows, [](const test::Beam& beam) { return std::isfinite(beam.range); });
  EXPECT_GT(points, 4.3 * static_cast<double>(hits));
  EXPECT_LT(lost, points / 100);
}

std::string record_run(const test::PacketWorld& world) {
  const auto run = world.run({"--duration", "0.55", "--record", world.file("a.pcap")});
  EXPECT_EQ(run.exit, 0) << run.err;
  return world.file("a.pcap");
}

TEST(PclGrabber, ReadsARunWithAVlp16) {
  const test::Velodyne device = test::vlp16_manual();
  const test::PacketWorld world(device.text);
  pcl::VLPGrabber grabber(record_run(world));
  // It spreads what is left of a turn over the last block: 25 us.
  expect_points_of_scan(world, device, grabber, 0.08);
}

TEST(PclGrabber, ReadsARunWithAnHdl32e) {
  const test::Velodyne device = test::hdl32e_manual();
  const test::PacketWorld world(device.text);
  pcl::HDLGrabber grabber("", record_run(world));
  expect_points_of_scan(world, device, grabber, 0.0051);
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
