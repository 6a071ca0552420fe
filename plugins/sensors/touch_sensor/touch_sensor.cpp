// TouchSensor: contacts of the device's own boundingObject.
//
// Frame: the device's own. Three values:
//   bumper    1 while anything touches the device, else 0; the lookup table is not used
//   force     the push against the device's face, N: what presses along its -x axis; a pull is 0
//   force-3d  the total contact force on the device, N, as a vector
// Unused values are 0. A force goes through the lookup table; a vector keeps its direction and its
// length goes through. No contact reads what the table has for 0.
#include <algorithm>
#include <string>

#include "sensor/lookup_table.h"
#include "sensor/plugin.h"
#include "sensor/sensor.h"
#include "sensor/values.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {
      "TouchSensor",
      "Device",
      "Contact or contact force on the device's boundingObject.",
      {
          {"name", FieldType::kString, "\"touch sensor\"", "", Range::any(),
           "name for the controller"},
          {"type", FieldType::kString, "\"bumper\"", "", Range::any(), "what is measured",
           "bumper|force|force-3d"},
          {"lookupTable", FieldType::kMFFloat, "[ 0 0 0, 5000 50000 0 ]", "N", Range::any(),
           "triples force, output, relative noise (standard deviation / output); empty: newtons"},
          {"resolution", FieldType::kFloat, "-1", "", Range::positive().or_special(-1),
           "smallest step of the output; -1: none"},
      }};
}

class TouchSensor final : public Sensor {
 public:
  explicit TouchSensor(const Fields& fields)
      : type_(fields.string("type")),
        table_(fields.numbers("lookupTable")),
        resolution_(fields.number("resolution")) {}

  DeviceKind kind() const override { return DeviceKind::kTouchSensor; }
  Properties properties() const override {
    return {{"type", type_}, {"lookupTable", table_.numbers()}, {"resolution", resolution_}};
  }
  std::size_t data_size() const override { return 3 * sizeof(double); }

  void sample(const SensorInput& in, std::span<std::byte> out) override {
    write_values<3>(out, measure(in));
  }

 private:
  std::array<double, 3> measure(const SensorInput& in) const {
    if (type_ == "bumper") return {in.contacts.empty() ? 0.0 : 1.0, 0, 0};

    Vec3 force_S = Vec3::Zero();
    for (const TouchContact& contact : in.contacts) force_S += contact.force_S;
    if (type_ == "force") {
      const double push = std::max(0.0, -force_S.x());
      return {quantised(table_.sample(push, in.noise, 0), resolution_), 0, 0};
    }
    const double length = force_S.norm();
    if (length == 0) return {0, 0, 0};
    const Vec3 scaled =
        quantised(force_S * (table_.sample(length, in.noise, 0) / length), resolution_);
    return {scaled.x(), scaled.y(), scaled.z()};
  }

  std::string type_;
  LookupTable table_;
  double resolution_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_SENSOR_PLUGIN(protobeam::schema(), protobeam::TouchSensor)
