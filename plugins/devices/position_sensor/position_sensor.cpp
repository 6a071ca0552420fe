// PositionSensor: position of the joint's axis, rad or m, at the end of the step.
// There is always a value: the true one, plus noise, then to the nearest step of `resolution`.
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"PositionSensor",
               "JointDevice",
               "Measures the position of a joint.",
               {{"name", kString, "\"position sensor\"", "", {}, "Name for the controller"},
                {"noise", kFloat, "0", "rad or m", Range::at_least(0), "Standard deviation"},
                {"resolution", kFloat, "-1", "rad or m", Range::positive().or_special(-1),
                 "Step of the values; -1: none"}}},
      .channels = {{"position", ElementType::kFloat64, {}, "rad or m", "", "", "of the axis"}},
      .properties = {{"linear", "", "1: in a SliderJoint, metres; 0: radians"}},
      .webots_node = 52,
  };
}

class PositionSensor final : public DeviceModel, public Stateless {
 public:
  explicit PositionSensor(const Fields& fields)
      : noise_(fields.number("noise")), resolution_(fields.number("resolution")) {}

  void attach(const DeviceContext& context) override { joint_ = context.joint; }
  Properties properties() const override {
    return {{"linear", joint_ && joint_->linear() ? 1.0 : 0.0}};
  }
  void sample(const SampleInput& in, Sample& out) override {
    double value = joint_ ? joint_->position() : 0;
    if (noise_ > 0) value += noise_ * double{gaussian(in.noise, 0)};
    write_values<1>(out.channel<double>(0), {quantised(value, resolution_)});
  }

 private:
  double noise_, resolution_;
  JointPort* joint_ = nullptr;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::PositionSensor)
