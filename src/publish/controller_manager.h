// The controller manager of ros2_control for the controllers that a robot has: its services tell
// spawners and tools of them, and switch them (ros-controls/ros2_control, controller_manager.cpp).
//
// All controllers are active when a run begins, as if they had been spawned. The first who loads or
// configures one takes it in hand: from then on it goes through the states of ros2_control. Those
// that nobody has in hand yield to one that is activated and claims what they have. Whoever loads,
// configures or activates what is so already is told that it is done, so that spawners can be
// started again while a run goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "message/controller_manager_services.h"
#include "message/parameter_services.h"
#include "output/publish_settings.h"
#include "publish/parameter_server.h"
#include "publish/service_table.h"

namespace protobeam {

class ControllerManager {
 public:
  enum class State : std::uint8_t {
    kGiven,  ///< active since the run began
    kUnloaded,
    kUnconfigured,
    kInactive,
    kActive
  };
  /// By whole names of controllers; what is not there is kGiven. Kept while worlds come and go.
  using States = std::map<std::string, State>;

  struct Host {
    /// A topic or an action goes dead, or is alive again.
    std::function<void(const std::string& topic, bool alive)> set_alive;
    std::function<void(const std::string&)> note;  ///< tells what was refused
    double update_rate = 0;                        ///< Hz
  };

  /// `node` as "/controller_manager". Names of topics are whole. All must outlive this.
  ControllerManager(std::string node, std::vector<ControllerSettings> controllers,
                    std::vector<HardwareSettings> hardware, States& states, ServiceTable& services,
                    Host host);
  ~ControllerManager() { services_.withdraw(this); }
  ControllerManager(const ControllerManager&) = delete;
  ControllerManager& operator=(const ControllerManager&) = delete;

  /// Tells the host which topics are dead, of a world that has just come.
  void apply();

 private:
  template <class S, class Handle>
  void offer(const char* name, Handle handle);
  void offer_lists();
  void offer_changes();
  void offer_parameters();

  State& state(const ControllerSettings& one);
  bool loaded(const ControllerSettings& one) { return state(one) != State::kUnloaded; }
  bool active(const ControllerSettings& one) {
    return state(one) == State::kActive || state(one) == State::kGiven;
  }
  std::vector<std::string> names(bool only_loaded);
  /// Null, and noted, when there is none.
  const ControllerSettings* find(const std::string& name, const std::string& to_do,
                                 bool only_loaded);
  std::string no_controller(const std::string& name, bool only_loaded);
  bool refuse(const std::string& why);

  bool load(const std::string& name);
  bool configure(const std::string& name);
  bool clean_up(const std::string& name);
  bool unload(const std::string& name);
  message::control::SwitchController::Response switch_over(
      const message::control::SwitchController::Request& request);
  message::SetParametersResult set_parameter(const message::Parameter& parameter);

  message::control::ControllerState told(const ControllerSettings& one);
  std::vector<message::control::HardwareInterface> commands_of(
      const std::vector<std::string>& names);
  static std::vector<message::control::HardwareInterface> states_of(
      const std::vector<std::string>& names);

  const std::string node_;
  const std::vector<ControllerSettings> controllers_;
  const std::vector<HardwareSettings> hardware_;
  States& states_;
  ServiceTable& services_;
  Host host_;
  std::set<std::string> dead_;   ///< topics, as the host knows
  std::set<std::string> noted_;  ///< once each
  std::vector<std::unique_ptr<ParameterServer>> parameters_;
};

/// Where a controller tells its state: "/r1/arm/controller_state" of "arm" at the manager
/// "/r1/controller_manager".
std::string state_topic(const ControllerSettings& controller);

}  // namespace protobeam
