// A vehicle as a device of its robot: set-points in, forces on the body, odometry and truth out.
#pragma once

#include <memory>
#include <string>

#include "base/state_archive.h"
#include "device/device_model.h"
#include "sim/vehicle/vehicle_feedback.h"
#include "sim/vehicle/vehicle_host.h"

namespace protobeam {

class VehicleDevice final : public DeviceModel, public KeepsState {
 public:
  /// `facts` are the device's properties: vehicle_facts().
  VehicleDevice(std::unique_ptr<VehicleHost> host, const OdometryErrors& errors, Properties facts)
      : host_(std::move(host)), feedback_(errors), properties_(std::move(facts)) {}

  VehicleHost& host() { return *host_; }
  const VehicleFeedback& feedback() const { return feedback_; }

  Properties properties() const override { return properties_; }
  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view bytes) override;
  void release() override { host_->release(); }
  void before_step(double) override { host_->before_step(); }
  void before_substep(double time, double dt) override { host_->substep(time, dt); }
  void body_contact(const BodyContact& contact) override {
    host_->touched(contact.other_body, contact.other_solid);
  }
  void after_step(double time, double dt, const NoiseKey& noise) override;
  void append_state(std::vector<double>& state) const override;
  std::string broken() const override { return host_->broken(); }
  void sample(const SampleInput&, Sample& out) override { feedback_.write(*host_, out); }
  std::vector<DeviceSubscription> subscriptions(const TopicRequest& request) override;
  std::optional<WheelOdometry> odometry() const override { return feedback_.odometry(); }

  void visit_state(StateArchive& archive) override {
    archive(*host_, feedback_, refused_);
  }

 private:
  std::unique_ptr<VehicleHost> host_;
  VehicleFeedback feedback_;
  Properties properties_;
  std::string refused_;  ///< what the vehicle said to the last set-point
};

}  // namespace protobeam
