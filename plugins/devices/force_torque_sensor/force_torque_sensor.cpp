// ForceTorqueSensor: force (N) and torque (N m) between the Solid in which it stands and what
// carries that: the joint at whose end the Solid is, or the part around it where it is fixed.
//
// Frame: the device's own, and the torque is about its origin. With acting "toParent" the wrench is
// that of the Solid on its carrier, with "toChild" that of the carrier on the Solid: +9.81 N
// upwards for each kg that stands on the sensor. (SDFormat's measure_direction child_to_parent, its
// default, and parent_to_child.)
//
// What the carrier gives is, by Newton's and Euler's laws, what contacts and weight leave of the
// change of momentum of the Solid, of all that is fixed to it and of all that hangs on its joints,
// over the last step; the torque of a motor in the joint is a part of it. Damping, fluids,
// Connectors, propellers and loops of joints beyond the sensor are left out. NaN where the Solid
// never moves.
#include <limits>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/reading_errors.h"
#include "message/geometry_msgs.h"

namespace protobeam {
namespace {

constexpr ReadingErrors::Names kForceErrors{"forceNoise", "forceOffset", "forceTurnOnBias",
                                            "forceTurnOnMean", "forceResolution"};
constexpr ReadingErrors::Names kTorqueErrors{"torqueNoise", "torqueOffset", "torqueTurnOnBias",
                                             "torqueTurnOnMean", "torqueResolution"};

enum Channel : std::size_t { kForce, kTorque };

DeviceType declaration() {
  std::vector<FieldSpec> fields = {
      {"name", FieldType::kString, "\"force torque sensor\"", "", Range::any(),
       "name for the controller"},
      {"acting", FieldType::kString, "\"toParent\"", "", Range::any(),
       "on what the wrench acts: on the carrier of the Solid, or on that", "toParent|toChild"},
  };
  for (const auto& errors :
       {ReadingErrors::fields("N", kForceErrors), ReadingErrors::fields("N m", kTorqueErrors)})
    fields.insert(fields.end(), errors.begin(), errors.end());
  return {
      .node = {"ForceTorqueSensor", "Device",
               "Force and torque between the Solid in which it stands and what carries that.",
               std::move(fields)},
      .channels = {{"force", ElementType::kFloat64, {3}, "N", "device", "nan", "along x, y and z"},
                   {"torque",
                    ElementType::kFloat64,
                    {3},
                    "N m",
                    "device",
                    "nan",
                    "about x, y and z through the device's origin"}},
      .inputs = {Input::kCarrierWrench},
  };
}

class ForceTorqueSensor final : public DeviceModel, public Stateless {
 public:
  explicit ForceTorqueSensor(const Fields& fields)
      : sign_(fields.string("acting") == "toChild" ? 1 : -1),
        force_errors_(fields, kForceErrors),
        torque_errors_(fields, kTorqueErrors) {}

  void sample(const SampleInput& in, Sample& out) override {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const CarrierWrench wrench =
        in.carrier_wrench.value_or(CarrierWrench{Vec3::Constant(kNone), Vec3::Constant(kNone)});
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      out.channel<double>(kForce)[i] =
          force_errors_.apply(sign_ * wrench.force_S[axis], in.noise, i);
      out.channel<double>(kTorque)[i] =
          torque_errors_.apply(sign_ * wrench.torque_S[axis], in.noise, 3 + i);
    }
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::WrenchStamped>("wrench", "", [this](const TopicInput& in) {
      const auto force = channel<double>(in.data, kForce);
      const auto torque = channel<double>(in.data, kTorque);
      message::WrenchStamped out;
      out.header = in.header;
      out.wrench.force = {force[0], force[1], force[2]};
      out.wrench.torque = {torque[0], torque[1], torque[2]};
      return out;
    })};
  }

 private:
  double sign_;
  ReadingErrors force_errors_, torque_errors_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::ForceTorqueSensor)
