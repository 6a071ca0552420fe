#include "publish/controller_manager.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "publish/robot_topics.h"

namespace protobeam {

namespace control = message::control;

namespace {

void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& one : from) {
    if (std::ranges::find(to, one) == to.end()) to.push_back(one);
  }
}

bool share(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&](const std::string& one) { return std::ranges::find(b, one) != b.end(); });
}

/// In the namespace of the controller's manager.
std::string beside_manager(const ControllerSettings& controller, const std::string& name) {
  const auto slash = controller.manager.rfind('/');
  return controller.manager.substr(0, slash == std::string::npos ? 0 : slash + 1) + name;
}

const control::LifecycleState kActiveHardware{control::LifecycleState::kActive, "active"};

}  // namespace

std::string state_topic(const ControllerSettings& controller) {
  return beside_manager(controller, controller.name + "/controller_state");
}

ControllerManager::ControllerManager(std::string node, std::vector<ControllerSettings> controllers,
                                     std::vector<HardwareSettings> hardware, States& states,
                                     ServiceTable& services, Host host)
    : node_(std::move(node)),
      controllers_(std::move(controllers)),
      hardware_(std::move(hardware)),
      states_(states),
      services_(services),
      host_(std::move(host)) {
  offer_lists();
  offer_changes();
  offer_parameters();
}

template <class S, class Handle>
void ControllerManager::offer(const char* name, Handle handle) {
  services_.offer<S>(
      fmt::format("{}/{}", node_, name), this,
      [handle](const auto& request, const Asker&) { return std::optional(handle(request)); },
      nullptr, node_);
}

void ControllerManager::offer_lists() {
  offer<control::ListControllers>("list_controllers", [this](const auto&) {
    control::ListControllers::Response out;
    for (const ControllerSettings& one : controllers_)
      if (loaded(one)) out.controller.push_back(told(one));
    return out;
  });
  offer<control::ListControllerTypes>("list_controller_types", [this](const auto&) {
    control::ListControllerTypes::Response out;
    for (const ControllerSettings& one : controllers_) add_new(out.types, {one.type});
    out.base_classes.assign(out.types.size(), "controller_interface::ControllerInterface");
    return out;
  });
  offer<control::ListHardwareInterfaces>("list_hardware_interfaces", [this](const auto&) {
    std::vector<std::string> commands, states;
    const auto add = [&](const auto& all) {
      for (const auto& one : all) add_new(commands, one.commands), add_new(states, one.states);
    };
    add(hardware_);
    if (hardware_.empty()) add(controllers_);
    return control::ListHardwareInterfaces::Response{commands_of(commands), states_of(states)};
  });
  offer<control::ListHardwareComponents>("list_hardware_components", [this](const auto&) {
    control::ListHardwareComponents::Response out;
    for (const HardwareSettings& one : hardware_) {
      control::HardwareComponentState& made = out.component.emplace_back();
      made.name = one.name;
      made.type = one.type;
      made.rw_rate = static_cast<std::uint16_t>(host_.update_rate);
      made.class_type = made.plugin_name = one.plugin;
      made.state = kActiveHardware;
      made.command_interfaces = commands_of(one.commands);
      made.state_interfaces = states_of(one.states);
    }
    return out;
  });
}

void ControllerManager::offer_changes() {
  const auto by_name = [this]<class S>(const char* name,
                                       bool (ControllerManager::*change)(const std::string&)) {
    offer<S>(name, [this, change](const auto& request) {
      const bool ok = (this->*change)(request.name);
      apply();
      return typename S::Response{ok};
    });
  };
  by_name.template operator()<control::LoadController>("load_controller", &ControllerManager::load);
  by_name.template operator()<control::ConfigureController>("configure_controller",
                                                            &ControllerManager::configure);
  by_name.template operator()<control::CleanupController>("cleanup_controller",
                                                          &ControllerManager::clean_up);
  by_name.template operator()<control::UnloadController>("unload_controller",
                                                         &ControllerManager::unload);
  offer<control::SwitchController>("switch_controller", [this](const auto& request) {
    control::SwitchController::Response out = switch_over(request);
    apply();
    return out;
  });
  offer<control::SetHardwareComponentState>("set_hardware_component_state", [this](const auto& it) {
    control::SetHardwareComponentState::Response out;
    const auto found = std::ranges::find(hardware_, it.name, &HardwareSettings::name);
    std::vector<std::string> all;
    for (const HardwareSettings& one : hardware_) all.push_back(one.name);
    if (found == hardware_.end()) {
      refuse(fmt::format("there is no hardware component '{}'{}", it.name, hint(it.name, all)));
      return out;
    }
    out.state = kActiveHardware;
    out.ok = it.target_state.id == kActiveHardware.id ||
             it.target_state.label == kActiveHardware.label ||
             refuse(fmt::format("the hardware component '{}' is always active", it.name));
    return out;
  });
}

/// Those of the manager, and of the node that each controller is in ros2_control.
void ControllerManager::offer_parameters() {
  const auto time = [] {
    return ParameterServer::flag("use_sim_time", true, "Time is that of /clock");
  };
  const auto rate = [this] {
    return ParameterServer::integer("update_rate", std::llround(host_.update_rate),
                                    "Steps of the simulation, Hz");
  };
  std::vector<ParameterServer::Value> all = {time(), rate()};
  for (const ControllerSettings& one : controllers_)
    all.push_back(ParameterServer::text(one.name + ".type", one.type, "Class of the controller"));
  parameters_.push_back(std::make_unique<ParameterServer>(
      services_, node_, false, std::move(all),
      [this](const message::Parameter& one) { return set_parameter(one); }));
  for (const ControllerSettings& one : controllers_) {
    std::vector<std::string> joints, commands, states;
    const auto sort = [&](const std::vector<std::string>& interfaces,
                          std::vector<std::string>& kinds) {
      for (const std::string& interface : interfaces) {
        const auto slash = interface.rfind('/');
        if (slash == std::string::npos) continue;
        add_new(joints, {interface.substr(0, slash)});
        add_new(kinds, {interface.substr(slash + 1)});
      }
    };
    sort(one.commands, commands);
    sort(one.states, states);
    parameters_.push_back(std::make_unique<ParameterServer>(
        services_, beside_manager(one, one.name), false,
        std::vector{ParameterServer::texts("command_interfaces", commands, "That it claims"),
                    ParameterServer::texts("joints", joints, "Of its interfaces"),
                    ParameterServer::texts("state_interfaces", states, "That it reads"),
                    ParameterServer::text("type", one.type, "Class of the controller"), rate(),
                    time()}));
  }
}

// --- What there is.

ControllerManager::State& ControllerManager::state(const ControllerSettings& one) {
  return states_.try_emplace(node_ + "/" + one.name, State::kGiven).first->second;
}

std::vector<std::string> ControllerManager::names(bool only_loaded) {
  std::vector<std::string> out;
  for (const ControllerSettings& one : controllers_)
    if (!only_loaded || loaded(one)) out.push_back(one.name);
  return out;
}

std::string ControllerManager::no_controller(const std::string& name, bool only_loaded) {
  if (only_loaded &&
      std::ranges::find(controllers_, name, &ControllerSettings::name) != controllers_.end())
    return fmt::format("the controller '{}' is not loaded", name);
  return fmt::format("this robot has no controller '{}'{}", name, hint(name, names(false)));
}

bool ControllerManager::refuse(const std::string& why) {
  constexpr std::size_t kMost = 20;
  if (host_.note && noted_.size() < kMost && noted_.insert(why).second)
    host_.note(fmt::format("{}: {} (said once)", node_, why));
  return false;
}

const ControllerSettings* ControllerManager::find(const std::string& name, const std::string& to_do,
                                                  bool only_loaded) {
  const auto found = std::ranges::find(controllers_, name, &ControllerSettings::name);
  if (found != controllers_.end() && (!only_loaded || loaded(*found))) return &*found;
  refuse(fmt::format("cannot {}: {}", to_do, no_controller(name, only_loaded)));
  return nullptr;
}

control::ControllerState ControllerManager::told(const ControllerSettings& one) {
  control::ControllerState out;
  out.name = one.name;
  out.type = one.type;
  out.update_rate = static_cast<std::uint16_t>(std::min(host_.update_rate, 65535.0));
  const bool is_active = active(one), configured = is_active || state(one) == State::kInactive;
  out.state = is_active ? "active" : configured ? "inactive" : "unconfigured";
  if (is_active) out.claimed_interfaces = one.commands;
  if (configured) {
    out.required_command_interfaces = one.commands;
    out.required_state_interfaces = one.states;
  }
  return out;
}

std::vector<control::HardwareInterface> ControllerManager::commands_of(
    const std::vector<std::string>& names) {
  std::vector<control::HardwareInterface> out;
  for (const std::string& name : names) {
    const bool claimed = std::ranges::any_of(controllers_, [&](const ControllerSettings& one) {
      return active(one) && std::ranges::find(one.commands, name) != one.commands.end();
    });
    out.push_back({name, "double", true, claimed});
  }
  return out;
}

std::vector<control::HardwareInterface> ControllerManager::states_of(
    const std::vector<std::string>& names) {
  std::vector<control::HardwareInterface> out;
  for (const std::string& name : names) out.push_back({name, "double", true, false});
  return out;
}

// --- What changes it.

void ControllerManager::apply() {
  std::set<std::string> dead, alive;
  for (const ControllerSettings& one : controllers_) {
    std::set<std::string>& topics = active(one) ? alive : dead;
    topics.insert(one.topics.begin(), one.topics.end());
    topics.insert(state_topic(one));
  }
  for (const std::string& topic : alive) dead.erase(topic);
  const std::set<std::string> before = std::exchange(dead_, dead);
  for (const std::string& topic : dead)
    if (!before.contains(topic)) host_.set_alive(topic, false);
  for (const std::string& topic : before)
    if (!dead.contains(topic)) host_.set_alive(topic, true);
}

bool ControllerManager::load(const std::string& name) {
  const ControllerSettings* one = find(name, "load", false);
  if (!one) return false;
  if (state(*one) == State::kGiven || state(*one) == State::kUnloaded)
    state(*one) = State::kUnconfigured;
  return true;
}

bool ControllerManager::configure(const std::string& name) {
  const ControllerSettings* one = find(name, "configure", true);
  if (!one) return false;
  if (state(*one) != State::kActive) state(*one) = State::kInactive;
  return true;
}

bool ControllerManager::clean_up(const std::string& name) {
  const ControllerSettings* one = find(name, "clean up", true);
  if (!one) return false;
  if (active(*one)) return refuse(fmt::format("cannot clean up '{}': it is active", name));
  state(*one) = State::kUnconfigured;
  return true;
}

bool ControllerManager::unload(const std::string& name) {
  const ControllerSettings* one = find(name, "unload", true);
  if (!one) return false;
  if (active(*one)) return refuse(fmt::format("cannot unload '{}': it is active", name));
  state(*one) = State::kUnloaded;
  return true;
}

control::SwitchController::Response ControllerManager::switch_over(
    const control::SwitchController::Request& request) {
  using Chosen = std::vector<const ControllerSettings*>;
  Chosen stops, starts;
  std::vector<std::string> problems;
  const auto choose = [&](const std::vector<std::string>& names, const char* to_do, Chosen& out,
                          const auto& obstacle) {
    std::size_t found = 0;
    for (const std::string& name : names) {
      const auto one = std::ranges::find(controllers_, name, &ControllerSettings::name);
      const bool there = one != controllers_.end() && loaded(*one);
      const std::string why = there ? obstacle(*one) : no_controller(name, true);
      found += there;
      if (why.empty())
        out.push_back(&*one);
      else
        problems.push_back(fmt::format("cannot {} '{}': {}", to_do, name, why));
    }
    return names.empty() || found > 0;
  };
  const auto fail = [&] {
    const std::string all = fmt::format("{}", fmt::join(problems, "; "));
    refuse(all);
    return control::SwitchController::Response{false, all};
  };
  const auto stopped = [&](const ControllerSettings& one) {
    return std::ranges::find(stops, &one) != stops.end();
  };
  const bool any_to_stop =
      choose(request.deactivate_controllers, "deactivate", stops,
             [&](const auto& one) { return active(one) ? std::string() : "it is not active"; });
  const bool any_to_start =
      choose(request.activate_controllers, "activate", starts, [&](const auto& one) {
        return state(one) == State::kUnconfigured ? "it is not configured" : std::string();
      });
  if (!any_to_stop || !any_to_start ||
      (request.strictness == control::SwitchController::kStrict && !problems.empty()))
    return fail();
  // Who would have what they claim afterwards.
  problems.clear();
  Chosen yield;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (const ControllerSettings& other : controllers_) {
      const auto at = std::ranges::find(starts, &other) - starts.begin();
      const bool also_starts = static_cast<std::size_t>(at) < starts.size();
      if (&other == starts[i] || !share(other.commands, starts[i]->commands)) continue;
      if (also_starts ? static_cast<std::size_t>(at) < i
                      : state(other) == State::kActive && !stopped(other))
        problems.push_back(fmt::format("cannot activate '{}': '{}' has interfaces that it claims",
                                       starts[i]->name, other.name));
      else if (!also_starts && state(other) == State::kGiven)
        yield.push_back(&other);
    }
  }
  if (!problems.empty()) return fail();
  for (const Chosen* all : {&stops, &yield})
    for (const ControllerSettings* one : *all) state(*one) = State::kInactive;
  apply();
  for (const ControllerSettings* one : starts) state(*one) = State::kActive;
  return {true, ""};
}

/// Of `CONTROLLER.PARAMETER`: what spawners say before they load. The run has its controllers with
/// their parameters already.
message::SetParametersResult ControllerManager::set_parameter(const message::Parameter& parameter) {
  const auto dot = parameter.name.rfind('.');
  if (dot == std::string::npos) return {true, ""};  // of the manager itself, as use_sim_time
  const std::string controller = parameter.name.substr(0, dot);
  const std::string what = parameter.name.substr(dot + 1);
  const std::string& text = parameter.value.string_value;
  const auto failed = [&](const std::string& why) -> message::SetParametersResult {
    refuse(fmt::format("cannot set '{}': {}", parameter.name, why));
    return {false, why};
  };
  const auto one = std::ranges::find(controllers_, controller, &ControllerSettings::name);
  if (one == controllers_.end()) return failed(no_controller(controller, false));
  if (what == "type" && text != one->type)
    return failed(fmt::format("'{}' is a {} in this run, not a {}", controller, one->type, text));
  if (what != "type")
    refuse(
        fmt::format("the parameter '{}' has no effect: controllers have those with which the "
                    "robot was loaded",
                    parameter.name));
  return {true, ""};
}

}  // namespace protobeam
