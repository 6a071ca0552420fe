// Names, definitions and hashes against those that others have published.
#include "message/message_type.h"

#include <gmock/gmock.h>

#include "message/control_msgs.h"
#include "message/empty.h"
#include "message/sensor_msgs.h"
#include "message/trajectory_msgs.h"
#include "message/vendor_msgs.h"
#include "message/vision_msgs.h"
#include "message/visualization_msgs.h"

namespace protobeam::message {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(MessageType, HasTheNamesOfRos) {
  const MessageType& imu = type_of<Imu>();
  EXPECT_EQ(imu.ros1_name, "sensor_msgs/Imu");
  EXPECT_EQ(imu.ros2_name, "sensor_msgs/msg/Imu");
  EXPECT_EQ(imu.dds_name, "sensor_msgs::msg::dds_::Imu_");
  EXPECT_EQ(type_of<CustomMsg>().ros1_name, "livox_ros_driver/CustomMsg");
  EXPECT_EQ(type_of<CustomMsg>().ros2_name, "livox_ros_driver2/msg/CustomMsg");
}

// From the message packages of ROS 1 Noetic (`rosmsg md5`), livox_ros_driver and eufs_msgs.
TEST(MessageType, HasTheMd5SumsOfRos1) {
  EXPECT_EQ(type_of<Header>().ros1_md5, "2176decaecbce78abc3b96ef049fabed");
  EXPECT_EQ(type_of<Imu>().ros1_md5, "6a62c6daae103f4ff57a132d6f95cec2");
  EXPECT_EQ(type_of<PointCloud2>().ros1_md5, "1158d486dd51d683ce2f1be655c3c181");
  EXPECT_EQ(type_of<LaserScan>().ros1_md5, "90c7ef2dc6895d81024acba2ac42f369");
  EXPECT_EQ(type_of<Image>().ros1_md5, "060021388200f6f0f447d0fcd9c64743");
  EXPECT_EQ(type_of<CompressedImage>().ros1_md5, "8f7a12909da2c9d3332d540a0977563f");
  EXPECT_EQ(type_of<CameraInfo>().ros1_md5, "c9a58c1b0b154e0e6da7578cb991d214");
  EXPECT_EQ(type_of<NavSatFix>().ros1_md5, "2d3a8cd499b9b4a0249fb98fd05cfa48");
  EXPECT_EQ(type_of<MagneticField>().ros1_md5, "2f3b0b43eed0c9501de0fa3ff89a45aa");
  EXPECT_EQ(type_of<BatteryState>().ros1_md5, "4ddae7f048e32fda22cac764685e3974");
  EXPECT_EQ(type_of<FluidPressure>().ros1_md5, "804dc5cea1c5306d6a2eb80b9833befe");
  EXPECT_EQ(type_of<WrenchStamped>().ros1_md5, "d78d3cb249ce23087ade7e7d0c40cfa7");
  EXPECT_EQ(type_of<Range>().ros1_md5, "c005c34273dc426c67a020a87bc24148");
  EXPECT_EQ(type_of<JointState>().ros1_md5, "3066dcd76a6cfaef579bd0f34173e9fd");
  EXPECT_EQ(type_of<JointTrajectory>().ros1_md5, "65b4f94a94d1ed67169da35a02f33d3f");
  EXPECT_EQ(type_of<JointTrajectoryControllerState>().ros1_md5, "10817c60c2486ef6b33e97dcd87f4474");
  EXPECT_EQ(type_of<PointCloud>().ros1_md5, "d8e9c3f5afbdd8a130fd1d2763945fca");
  EXPECT_EQ(type_of<Odometry>().ros1_md5, "cd5e73d190d741a2f92e81eda573aca7");
  EXPECT_EQ(type_of<MapMetaData>().ros1_md5, "10cfc8a2818024d3248802c00c95f11b");
  EXPECT_EQ(type_of<OccupancyGrid>().ros1_md5, "3381f2d731d4076ec5c71b0759edbe4e");
  EXPECT_EQ(type_of<Twist>().ros1_md5, "9f195f881246fdfa2798d1d3eebca84a");
  EXPECT_EQ(type_of<PoseStamped>().ros1_md5, "d3812c3cbc69362b77dc0b19b345f8f5");
  EXPECT_EQ(type_of<PoseWithCovarianceStamped>().ros1_md5, "953b798c0f514ff060a53a3498ce6246");
  EXPECT_EQ(type_of<PoseArray>().ros1_md5, "916c28c5764443f268b296bb671b9d97");
  EXPECT_EQ(type_of<Polygon>().ros1_md5, "cd60a26494a087f577976f0329fa120e");
  EXPECT_EQ(type_of<TFMessage>().ros1_md5, "94810edda583a504dfda3829e70d7eec");
  EXPECT_EQ(type_of<Clock>().ros1_md5, "a9c97c1d230cfc112e270351a944ee47");
  EXPECT_EQ(type_of<Empty>().ros1_md5, "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(type_of<Bool>().ros1_md5, "8b94c1b53db61fb6aed406028ad6332a");
  EXPECT_EQ(type_of<Float64>().ros1_md5, "fdb28210bfa9d7c91146260178d9a584");
  EXPECT_EQ(type_of<Float64MultiArray>().ros1_md5, "4b7d974086d4060e7db4613a7e6c3ba4");
  EXPECT_EQ(type_of<Detection2DArray>().ros1_md5, "402071f61477de256df9f1aa45e6e4c8");
  EXPECT_EQ(type_of<Detection3DArray>().ros1_md5, "05c51d9aea1fb4cfdc8effb94f197b6f");
  EXPECT_EQ(type_of<MarkerArray>().ros1_md5, "d155b9ce5188fbaf89745847fd5882d7");
  EXPECT_EQ(type_of<CustomMsg>().ros1_md5, "e4d6829bdfe657cb6c21a746c86b21a6");
  EXPECT_EQ(type_of<ConeArrayWithCovariance>().ros1_md5, "e5f10da6162fc97ab08945c47837cb2d");
}

// From the generated code of public ROS 2 packages (Jazzy), which names them TYPE_HASH.
TEST(MessageType, HasTheHashesOfRos2) {
  EXPECT_EQ(type_of<LaserScan>().ros2_hash,
            "RIHS01_64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828");
  EXPECT_EQ(type_of<PointCloud2>().ros2_hash,
            "RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5");
  EXPECT_EQ(type_of<Imu>().ros2_hash,
            "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b");
  EXPECT_EQ(type_of<NavSatFix>().ros2_hash,
            "RIHS01_62223ab3fe210a15976021da7afddc9e200dc9ec75231c1b6a557fc598a65404");
  EXPECT_EQ(type_of<Image>().ros2_hash,
            "RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47");
  EXPECT_EQ(type_of<Empty>().ros2_hash,
            "RIHS01_20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312");
}

TEST(MessageType, WritesDefinitionsInTheLanguageOfEach) {
  const std::string line(80, '=');
  EXPECT_EQ(type_of<Clock>().ros1_definition, "time clock\n");
  EXPECT_EQ(type_of<Clock>().ros2_definition, "builtin_interfaces/Time clock\n" + line +
                                                  "\nMSG: builtin_interfaces/Time\nint32 sec\n"
                                                  "uint32 nanosec\n");
  EXPECT_THAT(type_of<CameraInfo>().ros1_definition, HasSubstr("float64[9] K\n"));
  EXPECT_THAT(type_of<CameraInfo>().ros2_definition, HasSubstr("float64[9] k\n"));
  EXPECT_THAT(type_of<NavSatFix>().ros2_definition,
              StartsWith("uint8 COVARIANCE_TYPE_UNKNOWN=0\n"));
  // Each part once, however often it is met.
  const std::string& odometry = type_of<Odometry>().ros2_definition;
  const std::string vector = "MSG: geometry_msgs/Vector3\n";
  EXPECT_EQ(odometry.find(vector), odometry.rfind(vector));
  EXPECT_THAT(odometry, HasSubstr(vector));
}

}  // namespace
}  // namespace protobeam::message
