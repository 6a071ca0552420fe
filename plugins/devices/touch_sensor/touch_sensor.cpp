// TouchSensor: contacts of the device's own boundingObject.
//
// Frame: the device's own. Three values:
//   bumper    1 if anything has touched the device since the last sample, else 0; the lookup table is
//             not used (Webots, src/webots/nodes/WbTouchSensor.cpp)
//   force     the push against the device's face, N: what presses along its -x axis; a pull is 0
//   force-3d  the total contact force on the device, N, as a vector
// Unused values are 0. A force goes through the lookup table; a vector keeps its direction and its
// length goes through. No contact reads what the table has for 0.
#include <algorithm>
#include <string>
#include <utility>

#include "base/state_archive.h"
#include "device/lookup_table.h"
#include "device/plugin.h"
#include "device/values.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {
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
      }},
      .channels = {{"values", ElementType::kFloat64, {3}, "of the lookup table", "device", "",
                    "a bumper's 0 or 1, or a force; unused ones are 0"}},
      .properties = {{"type", "", "bumper, force or force-3d"},
                     {"lookupTable", "", "triples force, output, relative noise"},
                     {"resolution", "", "smallest step of the output; -1: none"}},
      .inputs = {Input::kContacts, Input::kBodyContacts},
      .webots_node = 60,
  };
}

class TouchSensor final : public DeviceModel, public KeepsState {
 public:
  explicit TouchSensor(const Fields& fields)
      : type_(fields.string("type")),
        table_(fields.numbers("lookupTable")),
        resolution_(fields.number("resolution")) {}

  Properties properties() const override {
    return {{"type", type_}, {"lookupTable", table_.numbers()}, {"resolution", resolution_}};
  }

  Inputs inputs(Inputs) const override {
    return type_ == "bumper" ? Input::kBodyContacts : Input::kContacts;
  }

  void body_contact(const BodyContact& contact) override {
    if (contact.own_solid) touched_ = true;
  }

  void sample(const SampleInput& in, Sample& out) override {
    write_values(out.channel<double>(0), measure(in));
  }

  void visit_state(StateArchive& archive) override { archive(touched_); }

 private:
  std::array<double, 3> measure(const SampleInput& in) {
    if (type_ == "bumper") return {std::exchange(touched_, false) ? 1.0 : 0.0, 0, 0};

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
  bool touched_ = false;  // of a bumper, since it was sampled last
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::TouchSensor)
