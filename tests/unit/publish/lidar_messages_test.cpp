// What lidars publish where their scans are not those of the start, or no scans of a plane.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "message/sensor_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

/// Everything in front of the plane x = 2 is free.
const char* const kWall =
    "Solid { translation 2.5 0 0 children [ Shape { geometry Box { size 1 40 40 } } ] "
    "boundingObject Box { size 1 40 40 } }\n";

std::string lidar(const std::string& fields) {
  return "Robot { name \"a\" controller \"<none>\" children [ Lidar { maxRange 50 " + fields +
         " } ] }\n" + kWall;
}

void set_frequency(PublishedWorld& world, double hz) {
  EXPECT_EQ(world.simulation().find_device("a/lidar")->model->send_command("frequency", {hz}), "");
}

float float_of(const message::PointCloud2& cloud, std::size_t point, std::uint32_t offset) {
  float value;
  std::memcpy(&value, cloud.data.data() + point * cloud.point_step + offset, sizeof value);
  return value;
}

// sensor_msgs/LaserScan: angle_min to angle_max in steps of angle_increment, scan_time "time
// between scans". A head that fires at a fixed rate has half as many beams when it turns twice as
// fast.
TEST(LidarMessages, FollowTheFrequency) {
  PublishedWorld world(
      lidar("scanLaw \"spinning\" beamElevations_deg [ 0 ] startAzimuth 3.14159265 "
            "firingPeriod 0.001 defaultFrequency 5 minFrequency 5 maxFrequency 20"));
  world.run(0.45);
  set_frequency(world, 10);
  world.run(1.05);
  const auto scans = world.finish().all<message::LaserScan>("/lidar");
  ASSERT_GT(scans.size(), 5u);
  EXPECT_EQ(scans[1]->ranges.size(), 200u);
  EXPECT_FLOAT_EQ(scans[1]->scan_time, 0.2F);
  const message::LaserScan& fast = *scans.back();
  ASSERT_EQ(fast.ranges.size(), 100u);
  EXPECT_FLOAT_EQ(fast.scan_time, 0.1F);
  EXPECT_NEAR(fast.time_increment, 0.001, 1e-6);
  EXPECT_NEAR(fast.angle_increment, 2 * M_PI / 100, 1e-5);
  int seen = 0;
  for (std::size_t i = 0; i < fast.ranges.size(); ++i) {
    const double angle = fast.angle_min + static_cast<double>(i) * fast.angle_increment;
    if (std::cos(angle) < 0.2) continue;
    EXPECT_NEAR(fast.ranges[i], 2 / std::cos(angle), 2e-3) << angle;
    ++seen;
  }
  EXPECT_GT(seen, 40);
}

TEST(LidarMessages, OfRowsFollowTheFrequency) {
  PublishedWorld world(
      lidar("scanLaw \"spinning\" beamElevations_deg [ -1 1 ] firingPeriod 0.001 "
            "defaultFrequency 5 minFrequency 5 maxFrequency 20") +
      "Publishing { topics [ Topic { device \"a/lidar\" format \"ouster\" } ] }\n");
  world.run(0.45);
  set_frequency(world, 10);
  world.run(1.05);
  const auto clouds = world.finish().all<message::PointCloud2>("/lidar_points");
  ASSERT_GT(clouds.size(), 5u);
  EXPECT_EQ(clouds[1]->width, 200u);
  EXPECT_EQ(clouds.back()->width, 100u);
  EXPECT_EQ(clouds.back()->height, 2u);
}

// One that takes its image at once has no frequency: its scans come with its samples, every 8 ms
// here.
TEST(LidarMessages, OfAFixedLidarHaveThePeriodOfItsSamples) {
  PublishedWorld world(lidar("numberOfLayers 1 horizontalResolution 90"));
  world.run(0.1);
  const auto& scan = world.finish().last<message::LaserScan>("/lidar");
  EXPECT_FLOAT_EQ(scan.scan_time, 0.008F);
  EXPECT_EQ(scan.time_increment, 0);
}

// sensor_msgs/LaserScan: "If your device does not provide intensities, please leave the array
// empty."
TEST(LidarMessages, HaveIntensitiesWhereThereAreAny) {
  PublishedWorld plain(lidar("numberOfLayers 1 horizontalResolution 90"));
  plain.run(0.02);
  const auto& none = plain.finish().last<message::LaserScan>("/lidar");
  EXPECT_EQ(none.ranges.size(), 90u);
  EXPECT_TRUE(none.intensities.empty());
  PublishedWorld world(lidar("numberOfLayers 1 horizontalResolution 90 beamModel \"datasheet\""));
  world.run(0.02);
  const auto& some = world.finish().last<message::LaserScan>("/lidar");
  ASSERT_EQ(some.intensities.size(), 90u);
  EXPECT_GT(some.intensities[45], 0);
}

// sensor_msgs/Range: the nearest of all beams, in addition to the scan, where somebody asks for it.
TEST(LidarMessages, TellTheNearestRange) {
  PublishedWorld world(
      lidar("numberOfLayers 3 verticalFieldOfView 0.2 horizontalResolution 91 fieldOfView 0.5 "
            "minRange 0.2") +
      "Publishing { topics [ Topic { device \"a/lidar\" message \"range\" name \"ahead\" } ] }\n");
  world.run(0.1);
  const auto& all = world.finish();
  const auto& range = all.last<message::Range>("/ahead");
  const auto& cloud = all.last<message::PointCloud2>("/lidar_points");
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < cloud.width * cloud.height; ++i) {
    float p[3];
    std::memcpy(p, cloud.data.data() + i * cloud.point_step, sizeof p);
    const float distance = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (std::isfinite(distance)) nearest = std::min(nearest, distance);
  }
  ASSERT_TRUE(std::isfinite(nearest));
  EXPECT_NEAR(range.range, nearest, 1e-4);
  EXPECT_NEAR(range.field_of_view, 0.5 * 90 / 91, 1e-4);
  EXPECT_FLOAT_EQ(range.min_range, 0.2F);
  EXPECT_FLOAT_EQ(range.max_range, 50);
  EXPECT_EQ(range.radiation_type, 1);
}

// A LaserScan has equal angles in the plane z = 0 of its frame.
TEST(LidarMessages, OfOneLayerThatIsNoFanInThePlaneAreClouds) {
  for (const std::string fields :
       {"numberOfLayers 1 horizontalResolution 91 fieldOfView 2 projection \"planar\"",
        "numberOfLayers 1 horizontalResolution 91 tiltAngle 0.3",
        "numberOfLayers 1 horizontalResolution 91 layerAngles [ 0.3 ]",
        "scanLaw \"spinning\" horizontalResolution 360 beamElevations_deg [ 17 ]"}) {
    PublishedWorld world(lidar(fields));
    world.run(0.15);
    const Collected& collected = world.finish();
    EXPECT_FALSE(collected.topics.contains("/lidar")) << fields;
    const auto& cloud = collected.last<message::PointCloud2>("/lidar_points");
    ASSERT_GT(cloud.width, 50u) << fields;
    const bool tilted = fields.find("planar") == std::string::npos;
    for (std::size_t i = 0; i < cloud.width; ++i) {
      EXPECT_NEAR(float_of(cloud, i, 0), 2, 2e-3) << fields;
      const double y = float_of(cloud, i, 4), z = float_of(cloud, i, 8);
      EXPECT_NEAR(
          z, tilted ? std::hypot(2, y) * std::tan(fields[0] == 's' ? 17 * M_PI / 180 : 0.3) : 0,
          2e-2)
          << fields;
    }
  }
}

}  // namespace
}  // namespace protobeam
