// A simulation whose services are asked by requests that an output has received.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "message/simulation_entity_services.h"
#include "message/simulation_services.h"
#include "publish/simulation_control.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {

namespace sim = message::simulation;

struct Served {
  std::vector<std::string> services;
  std::deque<ServiceRequest> requests;
  std::map<std::uint64_t, message::Bytes> answers;
};

class ServingSink final : public MessageSink {
 public:
  explicit ServingSink(Served& served) : served_(served) {}
  void add(const Topic&) override {}
  void write(const Publication&) override {}
  void finish() override {}
  std::string text() const override { return ""; }
  void serve(const Service& service) override { served_.services.push_back(service.name); }
  std::vector<ServiceRequest> take_requests() override {
    std::vector<ServiceRequest> out(served_.requests.begin(), served_.requests.end());
    served_.requests.clear();
    return out;
  }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    served_.answers[request.id] = response.cdr();
  }

 private:
  Served& served_;
};

class SimulationControlTest : public testing::Test {
 protected:
  static inline const std::string kWorld = R"(
Solid { name "floor" boundingObject Plane { size 50 50 } children [ Shape { geometry Plane { size 50 50 } } ] }
Solid { name "ball" translation 0 0 5 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 }
  children [ Shape { geometry Sphere { radius 0.1 } } ] }
Robot { name "rover" controller "<none>" children [ Lidar { maxRange 20 numberOfLayers 1 horizontalResolution 8 fieldOfView 0.1 } ] })";

  SimulationControlTest() : simulation_(&world_.load(kWorld, "")), table_(outputs()) {
    control_.emplace(*simulation_, table_, true);
  }
  /// With another world, or another host.
  void begin(const std::string& world, ControlHost host = {}) {
    control_.reset();
    simulation_ = &world_.load(world, "");
    control_.emplace(*simulation_, table_, true, std::move(host));
  }
  std::vector<OutputChoice> outputs() {
    std::vector<OutputChoice> out;
    out.push_back(
        {std::make_unique<ServingSink>(served_), [](const std::string&) { return true; }});
    return out;
  }

  std::uint64_t ask(const std::string& service, const auto& request) {
    served_.requests.push_back({service, ++id_, message::to_cdr(request)});
    return id_;
  }
  template <class S>
  typename S::Response answer(std::uint64_t id) const {
    return message::from_cdr<typename S::Response>(served_.answers.at(id));
  }
  /// One that is answered at once. A request to quit ends the wait of a simulation that pauses.
  template <class S>
  typename S::Response call(const std::string& service, const typename S::Request& request = {}) {
    const auto id = ask(service, request);
    sim::SetSimulationState::Request play;
    play.state.state = sim::SimulationState::kPlaying;
    ask("/set_simulation_state", play);
    control_->before_step();
    sim::SetSimulationState::Request pause;
    pause.state.state = sim::SimulationState::kPaused;
    ask("/set_simulation_state", pause);
    sim::StepSimulation::Request step;
    ask("/step_simulation", step);
    control_->before_step();  // the step is not made: it is the next one's
    return answer<S>(id);
  }
  void make_steps(int most) {
    for (int i = 0; i < most; ++i) {
      if (control_->before_step() != SimulationControl::Next::kStep) return;
      simulation_->step();
      control_->after_step();
    }
  }

  WorldText world_;
  Simulation* simulation_;
  Served served_;
  StreamTable table_;
  std::optional<SimulationControl> control_;
  std::uint64_t id_ = 0;
};

}  // namespace protobeam
