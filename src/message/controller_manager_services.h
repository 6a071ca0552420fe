// Services of controller_manager_msgs (ros-controls/ros2_control), by which spawners and tools of
// ros2_control talk with a controller manager.
//
// The definitions are those of ROS 2 Jazzy, 4.31 and later. Kilted and Rolling have the same but
// for HardwareComponentState. What Humble has in another way is the Older of a service.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "message/action_msgs.h"
#include "message/description.h"

namespace protobeam::message::control {

/// The name of a request or a response.
constexpr MessageName half(std::string_view name) {
  return {"controller_manager_msgs", name, "controller_manager_msgs", "srv"};
}

/// Of a node with a life cycle (ros2/rcl_interfaces, lifecycle_msgs).
struct LifecycleState {
  static constexpr MessageName kName{"lifecycle_msgs", "State"};
  static constexpr Constant kConstants[] = {{"uint8", "PRIMARY_STATE_UNKNOWN", "0"},
                                            {"uint8", "PRIMARY_STATE_UNCONFIGURED", "1"},
                                            {"uint8", "PRIMARY_STATE_INACTIVE", "2"},
                                            {"uint8", "PRIMARY_STATE_ACTIVE", "3"},
                                            {"uint8", "PRIMARY_STATE_FINALIZED", "4"},
                                            {"uint8", "TRANSITION_STATE_CONFIGURING", "10"},
                                            {"uint8", "TRANSITION_STATE_CLEANINGUP", "11"},
                                            {"uint8", "TRANSITION_STATE_SHUTTINGDOWN", "12"},
                                            {"uint8", "TRANSITION_STATE_ACTIVATING", "13"},
                                            {"uint8", "TRANSITION_STATE_DEACTIVATING", "14"},
                                            {"uint8", "TRANSITION_STATE_ERRORPROCESSING", "15"}};
  enum Code : std::uint8_t { kUnknown, kUnconfigured, kInactive, kActive, kFinalized };
  std::uint8_t id = kUnknown;
  std::string label;
  static void each(auto& m, auto&& f) {
    f("id", m.id);
    f("label", m.label);
  }
};

struct ChainConnection {
  static constexpr MessageName kName{"controller_manager_msgs", "ChainConnection"};
  std::string name;
  std::vector<std::string> reference_interfaces;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("reference_interfaces", m.reference_interfaces);
  }
};

struct ControllerState {
  static constexpr MessageName kName{"controller_manager_msgs", "ControllerState"};
  std::string name;
  std::string state;  ///< unconfigured, inactive, active, finalized
  std::string type;   ///< "joint_trajectory_controller/JointTrajectoryController"
  bool is_async = false;
  std::uint16_t update_rate = 0;                ///< Hz
  std::vector<std::string> claimed_interfaces;  ///< "elbow/position": while it is active
  std::vector<std::string> required_command_interfaces;
  std::vector<std::string> required_state_interfaces;
  bool is_chainable = false;
  bool is_chained = false;
  std::vector<std::string> exported_state_interfaces;
  std::vector<std::string> reference_interfaces;
  std::vector<ChainConnection> chain_connections;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("state", m.state);
    f("type", m.type);
    f("is_async", m.is_async);
    f("update_rate", m.update_rate);
    f("claimed_interfaces", m.claimed_interfaces);
    f("required_command_interfaces", m.required_command_interfaces);
    f("required_state_interfaces", m.required_state_interfaces);
    f("is_chainable", m.is_chainable);
    f("is_chained", m.is_chained);
    f("exported_state_interfaces", m.exported_state_interfaces);
    f("reference_interfaces", m.reference_interfaces);
    f("chain_connections", m.chain_connections);
  }
};

struct HardwareInterface {
  static constexpr MessageName kName{"controller_manager_msgs", "HardwareInterface"};
  std::string name;       ///< "elbow/position"
  std::string data_type;  ///< "double"
  bool is_available = false;
  bool is_claimed = false;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("data_type", m.data_type);
    f("is_available", m.is_available);
    f("is_claimed", m.is_claimed);
  }
};

struct HardwareComponentState {
  static constexpr MessageName kName{"controller_manager_msgs", "HardwareComponentState"};
  std::string name;
  std::string type;  ///< system, actuator, sensor
  bool is_async = false;
  std::uint16_t rw_rate = 0;  ///< Hz
  std::string class_type;     ///< as plugin_name; Kilted and later do not have it
  std::string plugin_name;
  LifecycleState state;
  std::vector<HardwareInterface> command_interfaces;
  std::vector<HardwareInterface> state_interfaces;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("type", m.type);
    f("is_async", m.is_async);
    f("rw_rate", m.rw_rate);
    f("class_type", m.class_type);
    f("plugin_name", m.plugin_name);
    f("state", m.state);
    f("command_interfaces", m.command_interfaces);
    f("state_interfaces", m.state_interfaces);
  }
};

// --- The same in ROS 2 Humble (2.x): each the parts of the other that it has.

namespace humble {

struct ControllerState : control::ControllerState {
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("state", m.state);
    f("type", m.type);
    f("claimed_interfaces", m.claimed_interfaces);
    f("required_command_interfaces", m.required_command_interfaces);
    f("required_state_interfaces", m.required_state_interfaces);
    f("is_chainable", m.is_chainable);
    f("is_chained", m.is_chained);
    f("reference_interfaces", m.reference_interfaces);
    f("chain_connections", m.chain_connections);
  }
};

struct HardwareInterface : control::HardwareInterface {
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("is_available", m.is_available);
    f("is_claimed", m.is_claimed);
  }
};

struct HardwareComponentState : control::HardwareComponentState {
  std::vector<HardwareInterface> commands, states;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("type", m.type);
    f("class_type", m.class_type);
    f("state", m.state);
    f("command_interfaces", m.commands);
    f("state_interfaces", m.states);
  }
};

template <class Older, class Newer>
std::vector<Older> all(const std::vector<Newer>& from) {
  std::vector<Older> out;
  for (const Newer& one : from) out.push_back({one});
  return out;
}

}  // namespace humble

struct ListControllers {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/ListControllers";
  struct Request {
    static constexpr MessageName kName = half("ListControllers_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("ListControllers_Response");
    std::vector<ControllerState> controller;
    static void each(auto& m, auto&& f) { f("controller", m.controller); }
  };
  struct Older {
    using Request = ListControllers::Request;
    struct Response {
      static constexpr MessageName kName = half("ListControllers_Response");
      std::vector<humble::ControllerState> controller;
      static void each(auto& m, auto&& f) { f("controller", m.controller); }
    };
    static Request newer(const Request& request) { return request; }
    static Response older(const ListControllers::Response& response) {
      return {humble::all<humble::ControllerState>(response.controller)};
    }
  };
};

struct ListControllerTypes {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/ListControllerTypes";
  struct Request {
    static constexpr MessageName kName = half("ListControllerTypes_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("ListControllerTypes_Response");
    std::vector<std::string> types;
    std::vector<std::string> base_classes;
    static void each(auto& m, auto&& f) {
      f("types", m.types);
      f("base_classes", m.base_classes);
    }
  };
};

struct ListHardwareInterfaces {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/ListHardwareInterfaces";
  struct Request {
    static constexpr MessageName kName = half("ListHardwareInterfaces_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("ListHardwareInterfaces_Response");
    std::vector<HardwareInterface> command_interfaces;
    std::vector<HardwareInterface> state_interfaces;
    static void each(auto& m, auto&& f) {
      f("command_interfaces", m.command_interfaces);
      f("state_interfaces", m.state_interfaces);
    }
  };
  struct Older {
    using Request = ListHardwareInterfaces::Request;
    struct Response {
      static constexpr MessageName kName = half("ListHardwareInterfaces_Response");
      std::vector<humble::HardwareInterface> command_interfaces;
      std::vector<humble::HardwareInterface> state_interfaces;
      static void each(auto& m, auto&& f) {
        f("command_interfaces", m.command_interfaces);
        f("state_interfaces", m.state_interfaces);
      }
    };
    static Request newer(const Request& request) { return request; }
    static Response older(const ListHardwareInterfaces::Response& response) {
      return {humble::all<humble::HardwareInterface>(response.command_interfaces),
              humble::all<humble::HardwareInterface>(response.state_interfaces)};
    }
  };
};

struct ListHardwareComponents {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/ListHardwareComponents";
  struct Request {
    static constexpr MessageName kName = half("ListHardwareComponents_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("ListHardwareComponents_Response");
    std::vector<HardwareComponentState> component;
    static void each(auto& m, auto&& f) { f("component", m.component); }
  };
  struct Older {
    using Request = ListHardwareComponents::Request;
    struct Response {
      static constexpr MessageName kName = half("ListHardwareComponents_Response");
      std::vector<humble::HardwareComponentState> component;
      static void each(auto& m, auto&& f) { f("component", m.component); }
    };
    static Request newer(const Request& request) { return request; }
    static Response older(const ListHardwareComponents::Response& response) {
      Response out{humble::all<humble::HardwareComponentState>(response.component)};
      for (humble::HardwareComponentState& one : out.component) {
        one.commands = humble::all<humble::HardwareInterface>(one.command_interfaces);
        one.states = humble::all<humble::HardwareInterface>(one.state_interfaces);
      }
      return out;
    }
  };
};

/// Activates some controllers, then deactivates others, or the other way around: all at once.
struct SwitchController {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/SwitchController";
  enum Strictness : std::int32_t { kBestEffort = 1, kStrict = 2 };
  struct Request {
    static constexpr MessageName kName = half("SwitchController_Request");
    static constexpr Constant kConstants[] = {{"int32", "BEST_EFFORT", "1"},
                                              {"int32", "STRICT", "2"},
                                              {"int32", "AUTO", "3"},
                                              {"int32", "FORCE_AUTO", "4"}};
    std::vector<std::string> activate_controllers;
    std::vector<std::string> deactivate_controllers;
    std::int32_t strictness = 0;
    bool activate_asap = false;
    Duration timeout;
    static void each(auto& m, auto&& f) {
      f("activate_controllers", m.activate_controllers);
      f("deactivate_controllers", m.deactivate_controllers);
      f("strictness", m.strictness);
      f("activate_asap", m.activate_asap);
      f("timeout", m.timeout);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SwitchController_Response");
    bool ok = false;
    std::string message;
    static void each(auto& m, auto&& f) {
      f("ok", m.ok);
      f("message", m.message);
    }
  };
  struct Older {
    struct Request : SwitchController::Request {
      std::vector<std::string> start_controllers;  ///< other names for the first two
      std::vector<std::string> stop_controllers;
      bool start_asap = false;
      static void each(auto& m, auto&& f) {
        f("activate_controllers", m.activate_controllers);
        f("deactivate_controllers", m.deactivate_controllers);
        f("start_controllers", m.start_controllers);
        f("stop_controllers", m.stop_controllers);
        f("strictness", m.strictness);
        f("start_asap", m.start_asap);
        f("activate_asap", m.activate_asap);
        f("timeout", m.timeout);
      }
    };
    struct Response : SwitchController::Response {
      static void each(auto& m, auto&& f) { f("ok", m.ok); }
    };
    static SwitchController::Request newer(Request request) {
      const auto add = [](std::vector<std::string>& to, std::vector<std::string>& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      add(request.activate_controllers, request.start_controllers);
      add(request.deactivate_controllers, request.stop_controllers);
      return request;
    }
    static Response older(const SwitchController::Response& response) { return {response}; }
  };
};

/// By the name of a controller.
template <Literal Name>
struct OfController {
  static constexpr std::string_view kType = Joined<"controller_manager_msgs/srv/", Name>::kView;
  struct Request {
    static constexpr MessageName kName = half(Joined<Name, "_Request">::kView);
    std::string name;
    static void each(auto& m, auto&& f) { f("name", m.name); }
  };
  struct Response {
    static constexpr MessageName kName = half(Joined<Name, "_Response">::kView);
    bool ok = false;
    static void each(auto& m, auto&& f) { f("ok", m.ok); }
  };
};
using LoadController = OfController<"LoadController">;
using ConfigureController = OfController<"ConfigureController">;
using CleanupController = OfController<"CleanupController">;
using UnloadController = OfController<"UnloadController">;

struct SetHardwareComponentState {
  static constexpr std::string_view kType = "controller_manager_msgs/srv/SetHardwareComponentState";
  struct Request {
    static constexpr MessageName kName = half("SetHardwareComponentState_Request");
    std::string name;
    LifecycleState target_state;
    static void each(auto& m, auto&& f) {
      f("name", m.name);
      f("target_state", m.target_state);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SetHardwareComponentState_Response");
    bool ok = false;
    LifecycleState state;
    static void each(auto& m, auto&& f) {
      f("ok", m.ok);
      f("state", m.state);
    }
  };
};

}  // namespace protobeam::message::control
