// What devices publish, against worlds whose answers are known.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using testing::ElementsAre;

std::string robot(const std::string& children) {
  return "Robot { name \"a\" controller \"<none>\" children [ " + children + " ] }\n";
}
/// A face at x = 2 from y1 to y2.
std::string wall(double y1, double y2, const std::string& color = "1 0 0") {
  const std::string middle = std::to_string((y1 + y2) / 2), width = std::to_string(y2 - y1);
  return "Solid { name \"wall " + middle + "\" translation 2.5 " + middle +
         " 0 children [ Shape { appearance PBRAppearance { baseColor " + color +
         " metalness 0 roughness 1 } geometry Box { size 1 " + width + " 20 } } ] boundingObject Box { size 1 " +
         width + " 20 } }\n";
}

float float_at(const message::PointCloud2& cloud, std::size_t point, std::uint32_t offset) {
  float value;
  std::memcpy(&value, cloud.data.data() + point * cloud.point_step + offset, sizeof value);
  return value;
}

TEST(DeviceMessages, OfALidarOfOneLayerAreLaserScans) {
  // Only what is on the left, y > 0, is there.
  PublishedWorld world(robot("Lidar { maxRange 50 numberOfLayers 1 fieldOfView 1.5707963 horizontalResolution 91 }") +
                       wall(0, 20));
  world.run(0.1);
  const auto& scan = world.finish().last<message::LaserScan>("/lidar");
  EXPECT_EQ(scan.header.frame_id, "lidar");
  ASSERT_EQ(scan.ranges.size(), 91u);
  EXPECT_NEAR(scan.angle_max - scan.angle_min, 90 * scan.angle_increment, 1e-5);
  EXPECT_GT(scan.angle_increment, 0);
  int seen = 0;
  for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
    const double angle = scan.angle_min + static_cast<double>(i) * scan.angle_increment;
    if (angle > 1e-3) {
      EXPECT_NEAR(scan.ranges[i], 2 / std::cos(angle), 1e-4) << angle;
      ++seen;
    }
    if (angle < -1e-3) {
      EXPECT_TRUE(std::isinf(scan.ranges[i])) << angle;
    }
  }
  EXPECT_EQ(seen, 45);
}

TEST(DeviceMessages, AreOnEachTopicThatNamesThem) {
  const std::string sensor = "Imu { name \"level\" }";
  const auto topics = [](const std::string& text) {
    PublishedWorld world(text);
    world.run(0.1);
    std::vector<std::string> out;
    const Collected& all = world.finish();
    for (const auto& [name, messages] : all.topics)
      if (!all.all<message::Imu>(name).empty() && all.all<message::Imu>(name).front())
        out.push_back(name);
    return out;
  };
  EXPECT_THAT(topics(robot(sensor)), ElementsAre("/level"));
  EXPECT_THAT(
      topics(robot(sensor + "Topic { device \"level\" name \"imu\" } Topic { device \"level\" "
                            "message \"imu\" name \"tilt/imu\" rate 20 }")),
      ElementsAre("/imu", "/tilt/imu"));
  EXPECT_THAT(
      topics(robot(sensor + "Topic { device \"level\" name \"imu\" } Topic { device \"level\" "
                            "name \"imu\" } Topic { device \"level\" frame \"b\" }")),
      ElementsAre("/imu"));
  // What stands outside of the robot overrides all in it.
  EXPECT_THAT(topics(robot(sensor + "Topic { device \"level\" name \"imu\" }") +
                     "Topic { device \"a/level\" name \"up\" }"),
              ElementsAre("/up"));
}

TEST(DeviceMessages, AreInTheFrameThatATopicSays) {
  PublishedWorld world(
      robot("Camera { name \"eye\" width 4 height 2 } "
            "Topic { device \"eye\" frame \"eye_link\" }"));
  world.run(0.1);
  const Collected& collected = world.finish();
  EXPECT_EQ(collected.last<message::Image>("/eye/image_raw").header.frame_id, "eye_link");
  EXPECT_EQ(collected.last<message::CameraInfo>("/eye/camera_info").header.frame_id, "eye_link");
}

TEST(DeviceMessages, OfALidarOfManyLayersAreClouds) {
  PublishedWorld world(robot("Lidar { maxRange 50 numberOfLayers 4 fieldOfView 1 verticalFieldOfView 0.2 horizontalResolution 32 } "
                             "Lidar { maxRange 50 name \"xyz\" numberOfLayers 4 fieldOfView 1 horizontalResolution 32 } "
                             "Topic { device \"xyz\" format \"xyzi\" name \"points\" }") +
                       wall(-20, 20));
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& cloud = collected.last<message::PointCloud2>("/lidar_points");
  EXPECT_EQ(cloud.width * cloud.height, 128u);
  EXPECT_EQ(cloud.point_step, 22u);
  EXPECT_EQ(cloud.row_step, cloud.width * 22);
  EXPECT_EQ(cloud.data.size(), 128u * 22);
  ASSERT_EQ(cloud.fields.size(), 6u);
  EXPECT_EQ(cloud.fields[5].name, "time");
  EXPECT_EQ(cloud.fields[5].offset, 18u);
  for (std::size_t i = 0; i < 128; ++i) EXPECT_NEAR(float_at(cloud, i, 0), 2, 1e-5);
  EXPECT_EQ(collected.last<message::PointCloud2>("/points").point_step, 16u);
}

TEST(DeviceMessages, OfALidarAreLivoxOnesWhenAsked) {
  PublishedWorld world(robot("Lidar { maxRange 50 numberOfLayers 1 fieldOfView 1 horizontalResolution 200 } "
                             "Topic { device \"lidar\" type \"livox_ros_driver/CustomMsg\" name \"livox/lidar\" }") +
                       wall(-20, 20));
  world.run(0.1);
  const auto& message = world.finish().last<message::CustomMsg>("/livox/lidar");
  // Whole packets of 96 points.
  EXPECT_EQ(message.point_num, 192u);
  ASSERT_EQ(message.points.size(), 192u);
  for (const message::CustomPoint& point : message.points) EXPECT_NEAR(point.x, 2, 5e-4);
}

TEST(DeviceMessages, OfALidarThatLeavesItsPlaneAreClouds) {
  PublishedWorld world(
      robot("Lidar { scanLaw \"risley\" maxRange 50 pointRate 20000 defaultFrequency 20 "
            "prismRates [ 121 -77 ] }") +
      wall(-20, 20));
  world.run(0.1);
  const auto& cloud = world.finish().last<message::PointCloud2>("/lidar_points");
  ASSERT_GT(cloud.width, 100u);
  double highest = 0;
  for (std::size_t i = 0; i < cloud.width; ++i) {
    EXPECT_NEAR(float_at(cloud, i, 0), 2, 2e-3);
    highest = std::max(highest, std::abs(double{float_at(cloud, i, 8)}));
  }
  EXPECT_GT(highest, 0.1);
}

TEST(DeviceMessages, OfACameraAreItsImageAndItsLens) {
  PublishedWorld world("Background { skyColor [ 0 0 1 ] } DirectionalLight { direction 1 0 0 }" +
                       robot("Camera { width 40 height 20 fieldOfView 1 } "
                             "Camera { name \"grey\" pixelFormat \"mono8\" width 8 height 4 }") +
                       wall(0, 20));
  world.run(0.05);
  const Collected& collected = world.finish();
  const auto& image = collected.last<message::Image>("/camera/image_raw");
  EXPECT_EQ(image.encoding, "rgb8");
  EXPECT_EQ(image.width, 40u);
  EXPECT_EQ(image.height, 20u);
  EXPECT_EQ(image.step, 120u);
  ASSERT_EQ(image.data.size(), 2400u);
  const auto pixel = [&](std::size_t column) { return image.data.data() + 10 * 120 + 3 * column; };
  EXPECT_GT(pixel(5)[0], 100);   // red on the left
  EXPECT_LT(pixel(5)[2], 50);
  EXPECT_LT(pixel(35)[0], 50);   // the sky on the right
  EXPECT_GT(pixel(35)[2], 200);
  const auto& info = collected.last<message::CameraInfo>("/camera/camera_info");
  EXPECT_EQ(info.header.stamp, image.header.stamp);
  const double f = 20 / std::tan(0.5);
  EXPECT_NEAR(info.k[0], f, 1e-9);
  EXPECT_NEAR(info.k[4], f, 1e-9);
  EXPECT_NEAR(info.k[2], 19.5, 1e-12);
  EXPECT_NEAR(info.k[5], 9.5, 1e-12);
  EXPECT_NEAR(info.p[0], f, 1e-9);
  EXPECT_EQ(info.distortion_model, "plumb_bob");
  EXPECT_EQ(collected.last<message::Image>("/grey/image_raw").encoding, "mono8");
  EXPECT_EQ(collected.last<message::Image>("/grey/image_raw").step, 8u);
  // Its frame is that of its optics: z forward, x to the right.
  for (const auto& transform : collected.last<message::TFMessage>("/tf_static").transforms) {
    if (transform.child_frame_id != "camera") continue;
    const auto& q = transform.transform.rotation;
    const Vec3 forward = Quat(q.w, q.x, q.y, q.z) * Vec3::UnitZ();
    EXPECT_TRUE(forward.isApprox(Vec3::UnitX(), 1e-12));
  }
}

TEST(DeviceMessages, OfACameraHaveItsCalibration) {
  PublishedWorld world(robot("Camera { width 64 height 48 lensModel \"opencv\" intrinsics [ 40 41 31 23 ] "
                             "distortion [ 0.1 0.01 0.001 0.002 0.0001 0.2 0.3 0.4 ] }"));
  world.run(0.02);
  const auto& info = world.finish().last<message::CameraInfo>("/camera/camera_info");
  EXPECT_EQ(info.distortion_model, "rational_polynomial");
  EXPECT_THAT(info.d, ElementsAre(0.1, 0.01, 0.001, 0.002, 0.0001, 0.2, 0.3, 0.4));
  EXPECT_THAT(info.k, ElementsAre(40, 0, 31, 0, 41, 23, 0, 0, 1));
}

TEST(DeviceMessages, OfACameraAreJpegsWhenAsked) {
  PublishedWorld world("Background { skyColor [ 0 0 1 ] }" +
                       robot("Camera { width 40 height 20 } "
                             "Topic { device \"camera\" type \"sensor_msgs/CompressedImage\" }"));
  world.run(0.02);
  const auto& image = world.finish().last<message::CompressedImage>("/camera/image_raw/compressed");
  EXPECT_EQ(image.format, "jpeg");
  ASSERT_GT(image.data.size(), 100u);
  EXPECT_EQ(image.data[0], 0xff);
  EXPECT_EQ(image.data[1], 0xd8);
  EXPECT_EQ(image.data.back(), 0xd9);
}

// sensor_msgs/CompressedImage: "ORIG_PIXFMT; CODEC compressed [COMPRESSED_PIXFMT]"; without the
// first, one channel is mono8 for compressed_image_transport.
TEST(DeviceMessages, OfABayerPatternSayItInJpegs) {
  PublishedWorld world(
      robot("Camera { width 40 height 20 pixelFormat \"bayer_rggb8\" } "
            "Topic { device \"camera\" type \"sensor_msgs/CompressedImage\" }"));
  world.run(0.02);
  const auto& image = world.finish().last<message::CompressedImage>("/camera/image_raw/compressed");
  EXPECT_EQ(image.format, "bayer_rggb8; jpeg compressed ");
}

TEST(DeviceMessages, OfDepthAreInItsUnits) {
  PublishedWorld world(robot("RangeFinder { width 16 height 8 minRange 0.1 maxRange 10 } "
                             "RgbdCamera { name \"rgbd\" depthNoise 0 } "
                             "Topic { device \"rgbd\" message \"points\" format \"xyzrgb\" }") +
                       wall(-20, 20));
  world.run(0.02);
  const Collected& collected = world.finish();
  const auto& ranges = collected.last<message::Image>("/range_finder/image_raw");
  EXPECT_EQ(ranges.encoding, "32FC1");
  EXPECT_EQ(ranges.step, 64u);
  float depth;
  std::memcpy(&depth, ranges.data.data() + 64, sizeof depth);
  EXPECT_NEAR(depth, 2, 1e-5);
  const auto& image = collected.last<message::Image>("/rgbd_depth");
  EXPECT_EQ(image.encoding, "16UC1");
  std::uint16_t steps;
  std::memcpy(&steps, image.data.data() + 1000, sizeof steps);
  EXPECT_NEAR(steps, 2000, 1);
  EXPECT_EQ(collected.last<message::Image>("/rgbd_image").header.frame_id, "rgbd_color");
  EXPECT_EQ(collected.last<message::CameraInfo>("/rgbd_depth_camera_info").width, image.width);
  EXPECT_EQ(collected.last<message::CameraInfo>("/rgbd_image_camera_info").header.frame_id, "rgbd_color");
  const auto& cloud = collected.last<message::PointCloud2>("/rgbd_points");
  EXPECT_EQ(cloud.width, image.width);
  EXPECT_EQ(cloud.point_step, 16u);
  const std::size_t corner = 0, middle = (cloud.height / 2) * cloud.width + cloud.width / 2;
  for (const std::size_t point : {corner, middle}) EXPECT_NEAR(float_at(cloud, point, 8), 2, 2e-3);
  EXPECT_LT(float_at(cloud, corner, 0), -1);  // to the left, upwards
  EXPECT_LT(float_at(cloud, corner, 4), -0.5);
}

// REP-118: depth images of 16UC1 are in millimetres; 0 is none.
TEST(DeviceMessages, OfFineDepthsAreMillimetres) {
  PublishedWorld world(
      robot("RgbdCamera { name \"fine\" depthResolution 0.0001 maxDepth 5 senseColor FALSE } "
            "RgbdCamera { name \"coarse\" depthResolution 0.05 maxDepth 500 senseColor FALSE }") +
      wall(-20, 20));
  world.run(0.02);
  const auto middle = [](const message::Image& image) {
    std::uint16_t depth;
    std::memcpy(&depth, image.data.data() + (image.height / 2) * image.step + image.step / 4 * 2,
                sizeof depth);
    return depth;
  };
  const Collected& collected = world.finish();
  EXPECT_NEAR(middle(collected.last<message::Image>("/fine_depth")), 2000, 1);
  EXPECT_EQ(middle(collected.last<message::Image>("/coarse_depth")), 2000);
  const auto& cloud = collected.last<message::PointCloud2>("/fine_points");
  EXPECT_NEAR(float_at(cloud, (cloud.height / 2) * cloud.width + cloud.width / 2, 8), 2, 2e-4);
}

TEST(DeviceMessages, OfDepthsBeyondTheirNumbersAreNone) {
  PublishedWorld world(
      robot("RgbdCamera { depthResolution 0.05 maxDepth 500 senseColor FALSE }") +
      "Solid { translation 80.5 0 0 children [ Shape { geometry Box { size 1 500 500 } } ] }");
  world.run(0.02);
  const auto& image = world.finish().last<message::Image>("/rgbd_camera_depth");
  for (const std::uint8_t byte : image.data) ASSERT_EQ(byte, 0);  // 80 m are more than 65535 mm
}

TEST(DeviceMessages, OfInertialSensorsSayWhatIsNotMeasured) {
  PublishedWorld world(robot("Imu { } Imu { name \"blind\" measureOrientation FALSE } Accelerometer { } "
                             "Compass { }"),
                       "");
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& imu = collected.last<message::Imu>("/imu");
  EXPECT_NEAR(imu.linear_acceleration.z, 9.81, 1e-6);
  EXPECT_NEAR(imu.angular_velocity.x, 0, 1e-9);
  EXPECT_NEAR(imu.orientation.w, 1, 1e-9);
  EXPECT_EQ(imu.orientation_covariance[0], 0);
  EXPECT_EQ(collected.last<message::Imu>("/blind").orientation_covariance[0], -1);
  const auto& accelerometer = collected.last<message::Imu>("/accelerometer");
  EXPECT_NEAR(accelerometer.linear_acceleration.z, 9.81, 1e-6);
  EXPECT_EQ(accelerometer.angular_velocity_covariance[0], -1);
  EXPECT_EQ(accelerometer.orientation_covariance[0], -1);
  const auto& field = collected.last<message::MagneticField>("/compass").magnetic_field;
  EXPECT_NEAR(field.y, 50e-6, 1e-12);  // north is +y
  EXPECT_NEAR(field.x, 0, 1e-12);
}

TEST(DeviceMessages, OfInertialSensorsAreBeforeTheLookupTable) {
  PublishedWorld world(robot("Accelerometer { lookupTable [ -20 -2000 0 20 2000 0 ] xAxis FALSE } "
                             "Gyro { lookupTable [ -10 0 0 10 1024 0 ] } "
                             "Compass { lookupTable [ -1 0 0 1 100 0 ] }"),
                       "");
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& felt = collected.last<message::Imu>("/accelerometer").linear_acceleration;
  EXPECT_NEAR(felt.z, 9.81, 1e-9);
  EXPECT_NEAR(felt.y, 0, 1e-9);
  EXPECT_TRUE(std::isnan(felt.x));
  EXPECT_NEAR(collected.last<message::Imu>("/gyro").angular_velocity.z, 0, 1e-9);
  const auto& field = collected.last<message::MagneticField>("/compass").magnetic_field;
  EXPECT_NEAR(field.y, 50e-6, 1e-12);
  EXPECT_NEAR(field.x, 0, 1e-12);
}

TEST(DeviceMessages, OfPositionsAreGeodeticWhereTheWorldIs) {
  PublishedWorld world(robot("GPS { accuracy 2 } Gnss { samplingPeriod 8 horizontalNoise 1.5 verticalNoise 2.5 }"),
                       "gpsCoordinateSystem \"WGS84\" gpsReference 48 11 500");
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& gps = collected.last<message::NavSatFix>("/gps");
  EXPECT_NEAR(gps.latitude, 48, 1e-3);
  EXPECT_NEAR(gps.longitude, 11, 1e-3);
  EXPECT_NEAR(gps.altitude, 500, 30);
  EXPECT_EQ(gps.position_covariance_type, 2);
  EXPECT_EQ(gps.position_covariance[0], 4);
  const auto& gnss = collected.last<message::NavSatFix>("/gnss");
  EXPECT_NEAR(gnss.latitude, 48, 1e-3);
  EXPECT_EQ(gnss.status.status, 0);
  EXPECT_EQ(gnss.position_covariance_type, 3);
  EXPECT_NEAR(gnss.position_covariance[0], 2.25, 1e-9);
  EXPECT_NEAR(gnss.position_covariance[8], 6.25, 1e-9);
}

// sensor_msgs/NavSatFix: frame_id is that of the receiver, "usually the location of the antenna".
TEST(DeviceMessages, OfAnAntennaStandAtIt) {
  PublishedWorld world(
      robot("Gnss { translation 1 2 3 rotation 0 0 1 1.5707963267948966 leverArm 0.3 0 0.9 }"),
      "gpsCoordinateSystem \"WGS84\" gpsReference 0 0 0");
  world.run(0.05);
  const Collected& collected = world.finish();
  const auto& fix = collected.last<message::NavSatFix>("/gnss");
  EXPECT_NEAR(fix.altitude, 3.9, 1e-3);
  int found = 0;
  for (const auto& transform : collected.last<message::TFMessage>("/tf_static").transforms) {
    if (transform.child_frame_id != fix.header.frame_id) continue;
    const auto& p = transform.transform.translation;
    EXPECT_NEAR(p.x, 1, 1e-9);
    EXPECT_NEAR(p.y, 2.3, 1e-9);
    EXPECT_NEAR(p.z, 3.9, 1e-9);
    ++found;
  }
  EXPECT_EQ(found, 1);
}

TEST(DeviceMessages, OfRangesAreInMetres) {
  PublishedWorld world(robot("DistanceSensor { translation 1.5 0 0 aperture 0 lookupTable [ 0 1000 0, 1 0 0 ] } "
                             "DistanceSensor { name \"sonar\" type \"sonar\" aperture 0.1 "
                             "lookupTable [ 0 0 0, 1 100 0 ] }") +
                       wall(-20, 20));
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& range = collected.last<message::Range>("/distance_sensor");
  EXPECT_NEAR(range.range, 0.5, 1e-6);
  EXPECT_EQ(range.radiation_type, 1);
  EXPECT_EQ(range.max_range, 1);
  const auto& sonar = collected.last<message::Range>("/sonar");
  EXPECT_EQ(sonar.radiation_type, 0);
  EXPECT_TRUE(std::isinf(sonar.range));
}

TEST(DeviceMessages, OfATagHaveTheAnchorsThatItHears) {
  PublishedWorld world(robot("Uwb { name \"tag\" anchors [ 3 4 0, 0 0 12, 1000 0 0 ] anchorIds [ 7, 9, 11 ] }"));
  world.run(0.1);
  const auto& frame = world.finish().last<message::LinktrackNodeframe3>("/tag/nlnf3");
  EXPECT_EQ(frame.local_time, 104u);  // ms, of the step that reaches 0.1 s
  ASSERT_EQ(frame.nodes.size(), 2u);
  EXPECT_EQ(frame.nodes[0].id, 7);
  EXPECT_NEAR(frame.nodes[0].dis, 5, 1e-3);
  EXPECT_EQ(frame.nodes[1].id, 9);
  EXPECT_NEAR(frame.nodes[1].dis, 12, 1e-3);
}

TEST(DeviceMessages, OfOthersAreTheirChannels) {
  PublishedWorld world(robot("TouchSensor { name \"bumper\" boundingObject Box { } } HingeJoint { jointParameters "
                             "HingeJointParameters { axis 0 0 1 position 0.5 } device PositionSensor { name \"angle\" } "
                             "endPoint Solid { rotation 0 0 1 0.5 physics Physics { } boundingObject Box { size 0.1 0.1 0.1 } } }"));
  world.run(0.02);
  const Collected& collected = world.finish();
  EXPECT_NEAR(collected.last<message::Float64>("/angle/position").data, 0.5, 1e-3);
  const auto& values = collected.last<message::Float64MultiArray>("/bumper/values");
  ASSERT_EQ(values.layout.dim.size(), 1u);
  EXPECT_EQ(values.layout.dim[0].size, 3u);
  EXPECT_EQ(values.layout.dim[0].stride, 3u);
  EXPECT_EQ(values.data.size(), 3u);
}

TEST(DeviceMessages, OfConesHaveTheNamesOfRacingTeams) {
  WorldText files;
  const auto track = files.folder().write("track.csv",
                                          "tag,x,y,direction,x_variance,y_variance,xy_covariance\n"
                                          "blue,5,2,0,0.01,0.02,0\nyellow,5,-2,0,0.01,0.01,0\n");
  PublishedWorld world(robot("ConeDetector { track \"" + track.string() + "\" }"));
  world.run(0.5);
  const Collected& collected = world.finish();
  const auto& truth = collected.last<message::ConeArrayWithCovariance>("/ground_truth/cones");
  ASSERT_EQ(truth.blue_cones.size(), 1u);
  EXPECT_NEAR(truth.blue_cones[0].point.x, 5, 1e-6);
  EXPECT_NEAR(truth.blue_cones[0].point.y, 2, 1e-6);
  EXPECT_NEAR(truth.blue_cones[0].covariance[0], 0.01, 1e-6);
  EXPECT_NEAR(truth.blue_cones[0].covariance[3], 0.02, 1e-6);
  EXPECT_EQ(truth.yellow_cones.size(), 1u);
  // Each message of the sensors once: 25 and 10 a second.
  const auto camera = collected.all<message::ConesCartesian>("/camera/cones");
  const auto lidar = collected.all<message::ConesCartesian>("/lidar/cones");
  EXPECT_NEAR(camera.size(), 12.5, 1);
  EXPECT_NEAR(lidar.size(), 5, 1);
  ASSERT_EQ(camera.back()->color.size(), 2u);
  EXPECT_THAT(lidar.back()->color, ElementsAre(-1, -1));
  EXPECT_EQ(collected.all<message::PointCloud>("/cones_noise_viz").size(), camera.size());
  for (std::size_t i = 1; i < camera.size(); ++i) {
    EXPECT_GT(message::nanoseconds(camera[i]->header.stamp), message::nanoseconds(camera[i - 1]->header.stamp));
  }
}

}  // namespace
}  // namespace protobeam
