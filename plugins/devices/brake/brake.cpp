// Brake: damping of the joint's axis that a controller sets. It has no sample.
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Brake",
               "JointDevice",
               "Brakes a joint.",
               {{"name", FieldType::kString, "\"brake\"", "", {}, "Name for the controller"}}},
      .commands = {{"damping",
                    {{"damping constant", "N m s/rad or N s/m", Range::at_least(0)}},
                    "torque or force against the velocity of the axis; 0: off"}},
      .properties = {{"linear", "", "1: in a SliderJoint, metres; 0: radians"}},
      .webots_node = 37,
  };
}

class Brake final : public DeviceModel, public Stateless {
 public:
  explicit Brake(const Fields&) {}

  void attach(const DeviceContext& context) override { joint_ = context.joint; }
  Properties properties() const override {
    return {{"linear", joint_ && joint_->linear() ? 1.0 : 0.0}};
  }
  std::string command(std::size_t, std::span<const double> numbers, std::string_view) override {
    if (joint_) joint_->set_brake(numbers[0]);
    return "";
  }

 private:
  JointPort* joint_ = nullptr;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Brake)
