// TouchSensor: whether something touches the device, or how the device pushes on what carries it.
//
// Frame: the device's own. Three values:
//   bumper    1 if anything has touched its boundingObject since the last sample, else 0; a wall, too,
//             where the device has no Physics either. The lookup table is not used
//   force     the push on its mount, N: along -x of the device; a pull is 0
//   force-3d  the force on its mount, N, as a vector
// (Webots, src/webots/nodes/WbTouchSensor.cpp.) Unused values are 0. A force goes through the lookup
// table, each component of a vector by itself: a table that begins at 0 shows no negative ones.
//
// The mount is the part of the body around the device's Solid, which is fixed to it. What it bears
// is, by Newton's law, over the last step: contacts with friction, weight and inertia of the device
// and of all Solids that are fixed to it below, and the joints that stand in these. Damping, fluids,
// Connectors and other devices that push on the part are left out. A device without Physics, or at
// the end of a joint, has no mount: it reads the table at 0.
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
      "Contact with the device's boundingObject, or force on what it is mounted on.",
      {
          {"name", FieldType::kString, "\"touch sensor\"", "", Range::any(),
           "name for the controller"},
          {"type", FieldType::kString, "\"bumper\"", "", Range::any(), "what is measured",
           "bumper|force|force-3d"},
          {"lookupTable", FieldType::kMFVec3f, "[ 0 0 0, 5000 50000 0 ]", "N", Range::any(),
           "triples force, output, relative noise (standard deviation / output); empty: newtons"},
          {"resolution", FieldType::kFloat, "-1", "", Range::positive().or_special(-1),
           "smallest step of the output; -1: none"},
      }},
      .channels = {{"values", ElementType::kFloat64, {3}, "of the lookup table", "device", "",
                    "a bumper's 0 or 1, or a force; unused ones are 0"}},
      .properties = {{"type", "", "bumper, force or force-3d"},
                     {"lookupTable", "", "triples force, output, relative noise"},
                     {"resolution", "", "smallest step of the output; -1: none"}},
      .inputs = {Input::kBodyContacts, Input::kUnyieldingContacts, Input::kMountForce},
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
    if (type_ != "bumper") return Input::kMountForce;
    return {Input::kBodyContacts, Input::kUnyieldingContacts};
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

    const Vec3 force_S = in.mount_force_S.value_or(Vec3::Zero());
    const auto reading = [&](double force, std::uint64_t index) {
      const double value = table_.sample(force, in.noise, index);
      return in.mount_force_S ? quantised(value, resolution_) : value;
    };
    if (type_ == "force") return {reading(std::max(0.0, -force_S.x()), 0), 0, 0};
    return {reading(force_S.x(), 0), reading(force_S.y(), 1), reading(force_S.z(), 2)};
  }

  std::string type_;
  LookupTable table_;
  double resolution_;
  bool touched_ = false;  // of a bumper, since it was sampled last
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::TouchSensor)
