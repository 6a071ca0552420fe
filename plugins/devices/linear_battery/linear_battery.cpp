// LinearBattery: voltage, current and charge of a battery whose voltage falls linearly.
//
// A load of powerLoad W draws P / U, smoothed with the time constant currentTime; in each step of
// dt s
//
//   I' = I + dt / tau (P / U - I),  Q' = Q - I' dt / 3600,  U' = E0 + E1 (1 - Q' / C) - R I'
//
// (gz-sim, LinearBatteryPlugin). Empty or without voltage it gives no more current. It moves
// nothing and stops nothing: the energy of a robot's motors is the field `battery` of Robot. The
// current is negative while it discharges, as ROS has it in sensor_msgs/BatteryState.
#include <algorithm>
#include <cmath>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/topics.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  using enum FieldType;
  constexpr double kSeconds = 1e-9;
  return {
      .node = {"LinearBattery",
               "Device",
               "Voltage, current and charge of a battery.",
               {{"name", kString, "\"battery\"", "", {}, "name for the controller"},
                {"voltage", kFloat, "12", "V", Range::at_least(0), "at the start"},
                {"openCircuitVoltage", kFloat, "12", "V", Range::at_least(0),
                 "E0: of the full battery without a load"},
                {"openCircuitVoltageSlope",
                 kFloat,
                 "0",
                 "V",
                 {},
                 "E1: how much the empty one has more; negative: less"},
                {"capacity", kFloat, "1", "Ah", Range::positive(), "C: what it holds"},
                {"initialCharge", kFloat, "-1", "Ah", Range::at_least(0).or_special(-1),
                 "Q at the start, at most the capacity; -1: full"},
                {"resistance", kFloat, "0", "Ohm", Range::at_least(0), "R: within it"},
                {"currentTime", kFloat, "1", "s", Range::at_least(kSeconds),
                 "tau: of the smoothed current, at least a step"},
                {"powerLoad", kFloat, "0", "W", Range::at_least(0), "P: what is drawn"}}},
      .channels = {{"voltage", ElementType::kFloat64, {}, "V", "", "", "with the load"},
                   {"current", ElementType::kFloat64, {}, "A", "", "", "negative: it discharges"},
                   {"charge", ElementType::kFloat64, {}, "Ah", "", "", "what is left"}},
      .forces = true,
  };
}

class LinearBattery final : public DeviceModel, public KeepsState {
 public:
  explicit LinearBattery(const Fields& fields)
      : full_voltage_(fields.number("openCircuitVoltage")),
        slope_(fields.number("openCircuitVoltageSlope")),
        capacity_(fields.number("capacity")),
        resistance_(fields.number("resistance")),
        current_time_(fields.number("currentTime")),
        load_(fields.number("powerLoad")),
        voltage_(fields.number("voltage")) {
    const double initial = fields.number("initialCharge");
    charge_ = initial < 0 ? capacity_ : std::min(initial, capacity_);
  }

  void after_step(double, double dt, const NoiseKey&) override {
    constexpr double kNone = 1e-3;  // V
    if (std::abs(voltage_) < kNone || charge_ <= 0) {
      drawn_ = 0;
      return;
    }
    drawn_ += dt / std::max(current_time_, dt) * (load_ / voltage_ - drawn_);
    charge_ = std::max(0.0, charge_ - drawn_ * dt / 3600);
    voltage_ = full_voltage_ + slope_ * (1 - charge_ / capacity_) - resistance_ * drawn_;
  }

  void sample(const SampleInput&, Sample& out) override {
    out.channel<double>(0)[0] = voltage_;
    out.channel<double>(1)[0] = drawn_ > 0 ? -drawn_ : 0;
    out.channel<double>(2)[0] = charge_;
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::BatteryState>("state", "", [this](const TopicInput& in) {
      message::BatteryState out;
      out.header = in.header;
      const auto number = [&](std::size_t i) { return channel<double>(in.data, i)[0]; };
      out.voltage = static_cast<float>(number(0));
      out.current = static_cast<float>(number(1));
      out.charge = static_cast<float>(number(2));
      out.capacity = out.design_capacity = static_cast<float>(capacity_);
      out.percentage = static_cast<float>(number(2) / capacity_);
      out.power_supply_status =
          number(1) < 0 ? message::BatteryState::kDischarging : message::BatteryState::kNotCharging;
      out.present = true;
      return out;
    })};
  }

  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(), {voltage_, drawn_, charge_});
  }
  void visit_state(StateArchive& archive) override { archive(voltage_, drawn_, charge_); }

 private:
  double full_voltage_, slope_, capacity_, resistance_, current_time_, load_;
  double voltage_;
  double drawn_ = 0;   ///< A
  double charge_ = 0;  ///< Ah
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::LinearBattery)
