// action_client DOMAIN COMMAND...: a client of the action /simulate_steps that does what one of ROS
// 2 with rmw_cyclonedds does, with Cyclone DDS and its own code for the messages (action.idl). It
// asks for the result when the goal is accepted, as rclcpp does. Commands, one after another:
//   N        a goal of N steps
//   cancel   a goal of very many steps, canceled after its first feedback
//   second   a goal of very many steps, another one meanwhile, then both are canceled
//   gone     a goal of very many steps by a client that goes away; another one finds it by its
//   status, cancels
//            it and asks for the result afterwards
//   late     asks again for the result of the first goal
//   stay     a goal of very many steps that is left alone
// Prints a line for each: what was accepted, the feedback, the numbers of status and result, and
// the text.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "action.h"
#include "dds_client.h"

namespace {

using SendGoal = simulation_interfaces_action_dds__SimulateSteps_SendGoal_Request_;
using Accepted = simulation_interfaces_action_dds__SimulateSteps_SendGoal_Response_;
using GetResult = simulation_interfaces_action_dds__SimulateSteps_GetResult_Request_;
using Result = simulation_interfaces_action_dds__SimulateSteps_GetResult_Response_;
using Cancel = action_msgs_srv_dds__CancelGoal_Request_;
using Canceling = action_msgs_srv_dds__CancelGoal_Response_;
using Feedback = simulation_interfaces_action_dds__SimulateSteps_FeedbackMessage_;
using Status = action_msgs_msg_dds__GoalStatusArray_;

constexpr std::uint64_t kVeryMany = 1'000'000'000;
const std::string kAction = "/simulate_steps/_action/";

class Client {
 public:
  explicit Client(dds_domainid_t domain)
      : participant_(require(dds_create_participant(domain, nullptr, nullptr), "participant")),
        goals_(participant_, kAction, "send_goal",
               simulation_interfaces_action_dds__SimulateSteps_SendGoal_Request__desc,
               simulation_interfaces_action_dds__SimulateSteps_SendGoal_Response__desc),
        results_(participant_, kAction, "get_result",
                 simulation_interfaces_action_dds__SimulateSteps_GetResult_Request__desc,
                 simulation_interfaces_action_dds__SimulateSteps_GetResult_Response__desc),
        cancels_(participant_, kAction, "cancel_goal",
                 action_msgs_srv_dds__CancelGoal_Request__desc,
                 action_msgs_srv_dds__CancelGoal_Response__desc),
        feedback_(make_reader(
            participant_,
            make_topic(participant_,
                       simulation_interfaces_action_dds__SimulateSteps_FeedbackMessage__desc,
                       "rt" + kAction + "feedback"),
            false)),
        status_(make_reader(participant_,
                            make_topic(participant_, action_msgs_msg_dds__GoalStatusArray__desc,
                                       "rt" + kAction + "status"),
                            true)) {
    wait_until("topics", [this] {
      return dds_get_matched_publications(feedback_, nullptr, 0) > 0 &&
             dds_get_matched_publications(status_, nullptr, 0) > 0;
    });
    // The other side may not have found this one yet, and feedback is for those who are there.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  ~Client() { dds_delete(participant_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool send_goal(const Uuid& id, std::uint64_t steps) {
    SendGoal goal{};
    std::ranges::copy(id, goal.goal_id);
    goal.steps = steps;
    goals_.ask(goal);
    bool accepted = false;
    goals_.wait_for_answer([&](const Accepted& response) { accepted = response.accepted; });
    return accepted;
  }
  void ask_for_result(const Uuid& id) {
    GetResult request{};
    std::ranges::copy(id, request.goal_id);
    results_.ask(request);
  }
  std::string wait_for_result() {
    std::string text;
    results_.wait_for_answer([&](const Result& result) {
      text = "status " + std::to_string(result.status) + " result " +
             std::to_string(result.result) + " '" + result.error_message + "'";
    });
    return text;
  }
  std::string cancel(const Uuid& id) {
    Cancel request{};
    std::ranges::copy(id, request.goal_info.goal_id);
    cancels_.ask(request);
    std::string text;
    cancels_.wait_for_answer([&](const Canceling& response) {
      text = "return code " + std::to_string(response.return_code) + ", " +
             std::to_string(response.goals_canceling._length) + " goals";
    });
    return text;
  }
  /// Of `id`: the steps that were completed, as they came.
  std::vector<std::uint64_t>& feedback(const Uuid& id, std::uint64_t steps) {
    take<Feedback>(feedback_, [&](const Feedback& one) {
      if (!std::ranges::equal(id, one.goal_id)) return;
      if (one.completed_steps + one.remaining_steps != steps)
        throw std::runtime_error("wrong feedback");
      completed_.push_back(one.completed_steps);
    });
    return completed_;
  }
  void forget_feedback() { completed_.clear(); }
  /// The identifier and the status of the newest goal.
  std::optional<std::pair<Uuid, int>> newest() {
    take<Status>(status_, [&](const Status& all) {
      if (all.status_list._length == 0) return;
      const auto& last = all.status_list._buffer[all.status_list._length - 1];
      newest_.emplace(Uuid{}, last.status);
      std::ranges::copy(last.goal_info.goal_id, newest_->first.begin());
    });
    return newest_;
  }
  void wait_for_status(const Uuid& id, int status) {
    wait_until("status " + std::to_string(status),
               [&] { return newest() == std::make_pair(id, status); });
  }

 private:
  dds_entity_t participant_;
  Service<SendGoal, Accepted> goals_;
  Service<GetResult, Result> results_;
  Service<Cancel, Canceling> cancels_;
  dds_entity_t feedback_, status_;
  std::vector<std::uint64_t> completed_;
  std::optional<std::pair<Uuid, int>> newest_;
};

Uuid number(std::uint8_t n) {
  Uuid id;
  id.fill(n);
  return id;
}

void make_steps(Client& client, const Uuid& id, std::uint64_t steps) {
  client.forget_feedback();
  const bool accepted = client.send_goal(id, steps);
  client.ask_for_result(id);
  const std::string result = client.wait_for_result();
  // Topics and services go side by side: the last of the feedback may come later than the result.
  wait_until("feedback", [&] {
    const auto& completed = client.feedback(id, steps);
    return !completed.empty() && completed.back() == steps;
  });
  client.wait_for_status(id, 4);
  const auto& completed = client.feedback(id, steps);
  const bool rises = std::ranges::is_sorted(completed, std::less_equal<>());
  std::printf("%s, feedback %s to %llu, %s\n", accepted ? "accepted" : "rejected",
              rises ? "rises" : "falls", static_cast<unsigned long long>(completed.back()),
              result.c_str());
}

/// Begins very many steps; the first of them have been made.
void begin_very_many(Client& client, const Uuid& id) {
  client.forget_feedback();
  if (!client.send_goal(id, kVeryMany)) throw std::runtime_error("rejected");
  wait_until("feedback", [&] { return !client.feedback(id, kVeryMany).empty(); });
  client.wait_for_status(id, 2);
}

/// "status 5 result 4 'canceled after 17 of 20 steps'" with the text as it is for any numbers of
/// steps.
std::string without_steps(const std::string& result) {
  const std::size_t at = result.find('\'');
  std::string text = result.substr(at);
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return result.substr(0, at) + text;
}

void cancel(Client& client, const Uuid& id) {
  begin_very_many(client, id);
  client.ask_for_result(id);
  const std::string canceling = client.cancel(id);
  const std::string result = client.wait_for_result();
  client.wait_for_status(id, 5);
  std::printf("%s, %s\n", canceling.c_str(), without_steps(result).c_str());
}

void second(Client& client, const Uuid& id, const Uuid& other) {
  begin_very_many(client, id);
  const bool accepted = client.send_goal(other, 1);
  const std::string unknown = client.cancel(other), known = client.cancel({});
  std::printf("%s, %s, all: %s\n", accepted ? "accepted" : "rejected", unknown.c_str(),
              known.c_str());
}

void gone(dds_domainid_t domain, const Uuid& id) {
  {
    Client client(domain);
    begin_very_many(client, id);
    client.ask_for_result(id);
  }
  Client client(domain);
  client.wait_for_status(id, 2);
  const std::string canceling = client.cancel(id);
  client.wait_for_status(id, 5);
  client.ask_for_result(id);
  std::printf("%s, %s\n", canceling.c_str(), without_steps(client.wait_for_result()).c_str());
}

void run(dds_domainid_t domain, const std::vector<std::string>& commands) {
  Client client(domain);
  std::uint8_t next = 1;
  for (const std::string& command : commands) {
    const Uuid id = number(next++);
    if (command == "cancel") {
      cancel(client, id);
    } else if (command == "second") {
      second(client, id, number(next++));
    } else if (command == "gone") {
      gone(domain, id);
    } else if (command == "late") {
      client.ask_for_result(number(1));
      std::printf("%s\n", client.wait_for_result().c_str());
    } else if (command == "stay") {
      begin_very_many(client, id);
      client.ask_for_result(id);
      // What is answered after it has come after it.
      client.send_goal(number(next++), 1);
      std::printf("begun\n");
      std::fflush(stdout);
      const std::string result = client.wait_for_result();
      std::printf("%s\n", without_steps(result).c_str());
    } else {
      make_steps(client, id, std::stoull(command));
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw std::runtime_error("usage: action_client DOMAIN COMMAND...");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    make_domain(domain);
    run(domain, {argv + 2, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "action_client: %s\n", error.what());
    return 1;
  }
}
