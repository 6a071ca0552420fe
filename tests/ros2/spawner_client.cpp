// spawner_client DOMAIN [CONTROLLER | --inactive CONTROLLER | --unload CONTROLLER]...: does what
// spawner of ros2_control does (ros-controls/ros2_control, controller_manager/spawner.py) through
// rmw_cyclonedds, with Cyclone DDS and its own code for the messages of one version of ROS 2
// (spawner_jazzy.idl, spawner_humble.idl). Prints the steps that it makes, and at the end the
// controllers with their states and what they claim.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "dds_client.h"
#ifdef OF_HUMBLE
#include "spawner_humble.h"
#else
#include "spawner_jazzy.h"
#endif

namespace {

#define PARTS(name)                                   \
  controller_manager_msgs_srv_dds__##name##_Request_, \
      controller_manager_msgs_srv_dds__##name##_Response_
#define DESCRIPTIONS(name)                                 \
  controller_manager_msgs_srv_dds__##name##_Request__desc, \
      controller_manager_msgs_srv_dds__##name##_Response__desc

using ListResponse = controller_manager_msgs_srv_dds__ListControllers_Response_;
using SwitchRequest = controller_manager_msgs_srv_dds__SwitchController_Request_;
using State = controller_manager_msgs_msg_dds__ControllerState_;

#ifdef OF_HUMBLE
const std::string kUserData;
constexpr int kStrictness = 1;  // its spawner says True
#else
// Any hash: what counts is that there is one, as since ROS 2 Iron.
const std::string kUserData = "typehash=RIHS01_" + std::string(64, '0') + ";";
constexpr int kStrictness = 2;
#endif

class Spawner {
 public:
  explicit Spawner(dds_entity_t participant)
      : participant_(participant),
        list_(participant, kManager, "list_controllers", DESCRIPTIONS(ListControllers), kUserData),
        load_(participant, kManager, "load_controller", DESCRIPTIONS(LoadController), kUserData),
        configure_(participant, kManager, "configure_controller", DESCRIPTIONS(ConfigureController),
                   kUserData),
        unload_(participant, kManager, "unload_controller", DESCRIPTIONS(UnloadController),
                kUserData),
        switch_(participant, kManager, "switch_controller", DESCRIPTIONS(SwitchController),
                kUserData) {}
  ~Spawner() { dds_delete(participant_); }
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  void spawn(std::string name, bool active) {
    bool loaded = false;
    for_each([&](const State& one) { loaded = loaded || name == one.name; });
    if (loaded)
      say("%s: already loaded\n", name);
    else if (!of_controller(load_, name))
      return say("%s: failed loading\n", name);
    if (!of_controller(configure_, name)) return say("%s: failed to configure\n", name);
    if (!active) return say("%s: configured\n", name);
    const bool ok = switch_over(&name, nullptr);
    say(ok ? "%s: configured and activated\n" : "%s: failed to activate\n", name);
  }

  void unload(std::string name) {
    if (!switch_over(nullptr, &name)) say("%s: failed to deactivate\n", name);
    say(of_controller(unload_, name) ? "%s: unloaded\n" : "%s: failed to unload\n", name);
  }

  void tell() {
    for_each([&](const State& one) {
      std::string text = std::string(one.name) + " " + one.state + " " + one.type;
      for (std::uint32_t i = 0; i < one.claimed_interfaces._length; ++i)
        text += std::string(" ") + one.claimed_interfaces._buffer[i];
      say("%s\n", text);
    });
  }

 private:
  static constexpr const char* kManager = "/controller_manager/";

  static void say(const char* format, const std::string& name) {
    std::printf(format, name.c_str());
    std::fflush(stdout);
  }
  void for_each(const std::function<void(const State&)>& use) {
    list_.ask({});
    list_.wait_for_answer([&](const ListResponse& response) {
      for (std::uint32_t i = 0; i < response.controller._length; ++i)
        use(response.controller._buffer[i]);
    });
  }
  template <class Request, class Response>
  static bool of_controller(Service<Request, Response>& service, std::string& name) {
    Request request{};
    request.name = name.data();
    service.ask(request);
    bool ok = false;
    service.wait_for_answer([&](const Response& response) { ok = response.ok; });
    return ok;
  }
  bool switch_over(std::string* start, std::string* stop) {
    char* starts[] = {start ? start->data() : nullptr};
    char* stops[] = {stop ? stop->data() : nullptr};
    SwitchRequest request{};
    if (start) request.activate_controllers = {1, 1, starts, false};
    if (stop) request.deactivate_controllers = {1, 1, stops, false};
    request.strictness = kStrictness;
    request.activate_asap = true;
    request.sec = 5;
    switch_.ask(request);
    bool ok = false;
    switch_.wait_for_answer([&](const auto& response) { ok = response.ok; });
    return ok;
  }

  dds_entity_t participant_;
  Service<PARTS(ListControllers)> list_;
  Service<PARTS(LoadController)> load_;
  Service<PARTS(ConfigureController)> configure_;
  Service<PARTS(UnloadController)> unload_;
  Service<PARTS(SwitchController)> switch_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw std::runtime_error("usage: spawner_client DOMAIN [CONTROLLER...]");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    make_domain(domain);
    Spawner spawner(require(dds_create_participant(domain, nullptr, nullptr), "participant"));
    std::string option;
    for (int i = 2; i < argc; ++i) {
      if (argv[i][0] == '-') {
        option = argv[i];
        continue;
      }
      if (option == "--unload")
        spawner.unload(argv[i]);
      else
        spawner.spawn(argv[i], option != "--inactive");
      option.clear();
    }
    spawner.tell();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "spawner_client: %s\n", error.what());
    return 1;
  }
}
