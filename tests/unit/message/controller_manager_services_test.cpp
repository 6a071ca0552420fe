// The services of controller_manager_msgs: their hashes, and the bytes of ROS 2 Humble's.
#include "message/controller_manager_services.h"

#include <gmock/gmock.h>

#include "message/any_message.h"
#include "message/parameter_services.h"

namespace protobeam::message::control {
namespace {

// From public code that rosidl has generated of controller_manager_msgs for ROS 2 Jazzy:
// get_type_hash() in srv/detail/*__description.c; of rcl_interfaces of Kilted.
TEST(ControllerManagerServices, HaveTheHashesOfRos2) {
  EXPECT_EQ(type_of<ChainConnection>().ros2_hash,
            "RIHS01_2daecd1da4b171f48b291c79747657a651eb1ab8821b68e38b1c88c736bba91c");
  EXPECT_EQ(type_of<ListControllers::Request>().ros2_hash,
            "RIHS01_fb985bc3dcc9b07c7d3af4b46787afa5a09ac79da6465ea42b5696f9355c1f70");
  EXPECT_EQ(type_of<ListControllers::Response>().ros2_hash,
            "RIHS01_445459f6b387bda67942d8bea4dfee82dedf12388317e68d5bc4513993799b86");
  EXPECT_EQ(type_of<ListControllerTypes::Request>().ros2_hash,
            "RIHS01_b6cda89b7e31f5525f7a328119f64f6bf5710db263cecb00f91e59aa9b5d41de");
  EXPECT_EQ(type_of<ListControllerTypes::Response>().ros2_hash,
            "RIHS01_4e924ba35dac47257de06fabd757aaf7bd05f47da99dc878864c9c3f9a3f721e");
  EXPECT_EQ(type_of<LoadController::Request>().ros2_hash,
            "RIHS01_7a6624df1a6c972c13c9c5b71f13eda236226b7c08f118feccbbc60ad1829216");
  EXPECT_EQ(type_of<LoadController::Response>().ros2_hash,
            "RIHS01_8ce86b422a67d8150b4a2885fcce601670c39a7fddb8601df8609ed0b931ad76");
  EXPECT_EQ(type_of<SetParameters::Request>().ros2_hash,
            "RIHS01_130d46386b7e84ea9ecf60608a4d83cbe5e5cb7c6cc5b712b7a4e3a6c254e932");
  EXPECT_EQ(type_of<SetParameters::Response>().ros2_hash,
            "RIHS01_7a0e8140a0b8d98308fa81a5403a766e610af29a239caf54b7553227906fc266");
}

TEST(ControllerManagerServices, HaveTheNamesOfRosidl) {
  EXPECT_EQ(UnloadController::kType, "controller_manager_msgs/srv/UnloadController");
  EXPECT_EQ(type_of<ConfigureController::Response>().dds_name,
            "controller_manager_msgs::srv::dds_::ConfigureController_Response_");
}

}  // namespace
}  // namespace protobeam::message::control
