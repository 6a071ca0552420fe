// trajectory_client DOMAIN ACTION JOINT POSITION SECONDS...: a client of the action
// FollowJointTrajectory ("/arm/follow_joint_trajectory") that does what MoveIt's does through
// rmw_cyclonedds, with Cyclone DDS and its own code for the messages (trajectory.idl). For each
// POSITION SECONDS it sends a goal of one point and prints whether it was accepted, how many
// messages of feedback came, whether the last of them is near the goal, and the result.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "dds_client.h"
#include "trajectory.h"

namespace {

using SendGoal = control_msgs_action_dds__FollowJointTrajectory_SendGoal_Request_;
using Accepted = control_msgs_action_dds__FollowJointTrajectory_SendGoal_Response_;
using GetResult = control_msgs_action_dds__FollowJointTrajectory_GetResult_Request_;
using Result = control_msgs_action_dds__FollowJointTrajectory_GetResult_Response_;
using Feedback = control_msgs_action_dds__FollowJointTrajectory_FeedbackMessage_;
using Point = trajectory_msgs_msg_dds__JointTrajectoryPoint_;

class Client {
 public:
  Client(dds_domainid_t domain, const std::string& action)
      : participant_(require(dds_create_participant(domain, nullptr, nullptr), "participant")),
        goals_(participant_, action, "send_goal",
               control_msgs_action_dds__FollowJointTrajectory_SendGoal_Request__desc,
               control_msgs_action_dds__FollowJointTrajectory_SendGoal_Response__desc),
        results_(participant_, action, "get_result",
                 control_msgs_action_dds__FollowJointTrajectory_GetResult_Request__desc,
                 control_msgs_action_dds__FollowJointTrajectory_GetResult_Response__desc),
        feedback_(make_reader(
            participant_,
            make_topic(participant_,
                       control_msgs_action_dds__FollowJointTrajectory_FeedbackMessage__desc,
                       "rt" + action + "feedback"),
            false)) {
    wait_until("topics",
               [this] { return dds_get_matched_publications(feedback_, nullptr, 0) > 0; });
    // The other side may not have found this one yet, and feedback is for those who are there.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  ~Client() { dds_delete(participant_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void move(std::string joint, double position, double seconds, std::uint8_t id) {
    char* names[] = {joint.data()};
    char nothing[] = "";
    Point point{};
    point.positions = {1, 1, &position, false};
    point.sec = static_cast<std::int32_t>(seconds);
    point.nanosec = static_cast<std::uint32_t>(1e9 * (seconds - point.sec));
    SendGoal goal{};
    std::ranges::fill(goal.goal_id, id);
    goal.trajectory.frame_id = goal.multi_dof_trajectory.frame_id = nothing;
    goal.trajectory.joint_names = {1, 1, names, false};
    goal.trajectory.points = {1, 1, &point, false};
    goals_.ask(goal);
    bool accepted = false;
    goals_.wait_for_answer([&](const Accepted& response) { accepted = response.accepted; });
    GetResult request{};
    std::ranges::fill(request.goal_id, id);
    results_.ask(request);
    std::string result;
    results_.wait_for_answer([&](const Result& one) {
      result = "status " + std::to_string(one.status) + " code " + std::to_string(one.error_code) +
               " '" + one.error_string + "'";
    });
    int count = 0;
    double last = NAN;
    take<Feedback>(feedback_, [&](const Feedback& one) {
      if (one.goal_id[0] != id || one.joint_names._length != 1 ||
          joint != one.joint_names._buffer[0] || one.actual.positions._length != 1)
        return;
      ++count;
      last = one.actual.positions._buffer[0];
    });
    std::printf("%s, %d messages of feedback, %s, %s\n", accepted ? "accepted" : "rejected", count,
                std::abs(last - position) < 0.1 ? "near" : "far", result.c_str());
    std::fflush(stdout);
  }

 private:
  dds_entity_t participant_;
  Service<SendGoal, Accepted> goals_;
  Service<GetResult, Result> results_;
  dds_entity_t feedback_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 6)
      throw std::runtime_error("usage: trajectory_client DOMAIN ACTION JOINT POSITION SECONDS...");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    make_domain(domain);
    Client client(domain, std::string(argv[2]) + "/_action/");
    for (int i = 4; i + 1 < argc; i += 2)
      client.move(argv[3], std::stod(argv[i]), std::stod(argv[i + 1]),
                  static_cast<std::uint8_t>(argv[3][0] + i));  // clients do not share identifiers
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trajectory_client: %s\n", error.what());
    return 1;
  }
}
