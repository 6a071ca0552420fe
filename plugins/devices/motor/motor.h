// Motors: set-points for the motor of a joint's axis.
//
// The law itself (P(ID) from position to velocity, limits of velocity, acceleration and effort) is
// the joint's, in src/physics: it runs in every substep. Position and velocity are the axis's own:
// rad and rad/s of a hinge, m and m/s of a slider; effort is N m or N.
//
// As in Webots, minPosition and maxPosition give way to the position that the joint has at the
// start, and motors that are coupled by name have the limits of position and velocity of the first
// of them, times the ratio of their multipliers.
#pragma once

#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {

/// `effort_field` is maxTorque or maxForce.
struct MotorKind {
  const char* node;
  const char* meaning;
  const char* name;  ///< default of the field, as written in a world
  const char* effort_field;
  const char* effort_unit;
  const char* base;  ///< RotationalDevice or LinearDevice
  int webots_node;
};

DeviceType motor_type(const MotorKind& kind);

class Motor : public DeviceModel, public KeepsState {
 public:
  Motor(const Fields& fields, const char* effort_field);

  void attach(const DeviceContext& context) override;
  Properties properties() const override;
  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view bytes) override;
  bool change(const Fields& fields, std::string_view name) override;
  void release() override;
  void set_power(bool on) override;
  bool keeps_commands() const override { return true; }
  void sample(const SampleInput& in, Sample& out) override;
  double power() const override;

  void visit_state(StateArchive& archive) override {
    archive(told_effort_, said_too_fast_, said_outside_, said_too_strong_, start_, powered_,
            velocity_, effort_, available_effort_);
  }

 private:
  double feedback() const;
  std::string set_velocity(double velocity);
  std::string outside_limits(double target);
  std::string beyond_effort(double effort);
  void apply();
  void follow(const DeviceModel& leader);
  void include(double position);

  std::string effort_field_;
  MotorSpec spec_;
  double multiplier_, consumption_;
  bool coupled_;
  bool told_effort_ = false;  ///< by the last command that says how it moves
  bool powered_ = true;       ///< otherwise the joint is told to stand still
  double velocity_;           ///< as commanded last, or at the start
  double effort_ = 0;         ///< as commanded last
  double available_effort_;   ///< as commanded last, or at the start
  bool said_too_fast_ = false, said_outside_ = false, said_too_strong_ = false;
  JointPort* joint_ = nullptr;
  double start_ = 0;  ///< position of the axis when the world was made
};

}  // namespace protobeam
