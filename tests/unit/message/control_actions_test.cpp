// The actions of control_msgs: names and hashes of the parts that rosidl derives.
#include "message/control_actions.h"

#include <gmock/gmock.h>

#include "message/any_message.h"

namespace protobeam::message {
namespace {

TEST(ControlActions, HaveTheNamesOfRosidl) {
  EXPECT_EQ(FollowJointTrajectory::SendGoal::kType,
            "control_msgs/action/FollowJointTrajectory_SendGoal");
  EXPECT_EQ(FollowJointTrajectory::GetResult::kType,
            "control_msgs/action/FollowJointTrajectory_GetResult");
  EXPECT_EQ(type_of<FollowJointTrajectory::Feedback>().dds_name,
            "control_msgs::action::dds_::FollowJointTrajectory_FeedbackMessage_");
  EXPECT_EQ(type_of<GripperCommand::SendGoal::Request>().ros2_name,
            "control_msgs/action/GripperCommand_SendGoal_Request");
  EXPECT_EQ(type_of<GripperCommandParts::Command>().ros2_name, "control_msgs/msg/GripperCommand");
}

// From public code that rosidl has generated of control_msgs for ROS 2 Jazzy: get_type_hash() in
// follow_joint_trajectory__description.c and gripper_command__description.c.
TEST(ControlActions, HaveTheHashesOfRos2) {
  EXPECT_EQ(type_of<MultiDOFJointTrajectoryPoint>().ros2_hash,
            "RIHS01_6ada1085b5ee64eaa069b074968e69f0e27c8c5e6f5bb0586dd1c834ef0e32b8");
  EXPECT_EQ(type_of<MultiDOFJointTrajectory>().ros2_hash,
            "RIHS01_3a18fd095292a65cfde8833c72985a30af981f3ec44494655c6267262b443a4a");
  EXPECT_EQ(type_of<FollowJointTrajectory::Goal>().ros2_hash,
            "RIHS01_8a9060704b269608f5a340934cc26e66869dd14bdac29e2e7fd9ec8b9882d205");
  EXPECT_EQ(type_of<FollowJointTrajectory::SendGoal::Request>().ros2_hash,
            "RIHS01_179c93691f1f6d1d115881ff88c3917b7cc6eac2ba4bf56766cc7c4389e19ef1");
  EXPECT_EQ(type_of<FollowJointTrajectory::SendGoal::Response>().ros2_hash,
            "RIHS01_e6a48ba740ae254500129a877f0b071be8663a115da1a539b74599cc97921fbf");
  EXPECT_EQ(type_of<FollowJointTrajectory::GetResult::Request>().ros2_hash,
            "RIHS01_ecf7ea8463d3beec7084bca75216d0b01b87b6e1e4e09679bb26093041efcbe9");
  EXPECT_EQ(type_of<FollowJointTrajectory::GetResult::Response>().ros2_hash,
            "RIHS01_08eefbaa146ce02ba45898d5e99160afd6c4c54a30d159aee0f2ca6035b1580f");
  EXPECT_EQ(type_of<FollowJointTrajectory::Feedback>().ros2_hash,
            "RIHS01_80398fcb9674a79081a9906e2ccf0c804dd7cb15e22e362e606ee87186beab71");
  EXPECT_EQ(type_of<GripperCommand::SendGoal::Request>().ros2_hash,
            "RIHS01_1b869b7b4042272dc0f8ed65468c4e57c9e532ea5e53ce74fda0767eefbfa983");
  EXPECT_EQ(type_of<GripperCommand::GetResult::Response>().ros2_hash,
            "RIHS01_32ed5e1b5906767a3e9914dca4c4aed22529918f6c2360e6fb382363d4df4b45");
  EXPECT_EQ(type_of<GripperCommand::Feedback>().ros2_hash,
            "RIHS01_392ff03fcd872f9dc2405cbeb2897fcf011ad9998458b6aa85c603b8a49e431d");
}

}  // namespace
}  // namespace protobeam::message
