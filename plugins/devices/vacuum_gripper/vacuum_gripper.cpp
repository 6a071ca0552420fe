// VacuumGripper: holds the Solid that its own boundingObject touches while it is on.
//
// Frame: the device's own; x points towards what it grips. While it is on and holds nothing, it
// locks to the first body that touches its boundingObject in at least `contactPoints` points, as
// the two are then. The link breaks when it is pulled with more than tensileStrength (along x) or
// sheared with more than shearStrength (across), the mean over a step; after that it may grip
// again. Presence is 1 while it holds something. (Webots reference, VacuumGripper.)
#include <cmath>
#include <map>

#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

enum Command { kOn, kOff };

DeviceType declaration() {
  using enum FieldType;
  const Range strength = Range::at_least(0).or_special(-1);
  return {
      .node =
          {"VacuumGripper",
           "Device",
           "Holds what touches it by suction.",
           {{"name", kString, "\"vacuum gripper\"", "", {}, "name for the controller"},
            {"isOn", kBool, "FALSE", "", {}, "on at the start"},
            {"tensileStrength", kFloat, "-1", "N", strength, "pull that breaks it; -1: none does"},
            {"shearStrength", kFloat, "-1", "N", strength, "shear that breaks it; -1: none does"},
            {"contactPoints", kInt32, "3", "", Range::at_least(1),
             "it grips what touches it in at least so many points"}}},
      .channels = {{"presence", ElementType::kInt32, {}, "", "", "", "1: it holds something"},
                   {"force",
                    ElementType::kFloat64,
                    {3},
                    "N",
                    "device",
                    "",
                    "of the link on the gripper's body in the last step"}},
      .commands = {{"on", {}, "grips what touches it"}, {"off", {}, "lets go"}},
      .properties = {{"isOn", "", "1: on at the start"}},
      .inputs = {Input::kBodyContacts},
      .forces = true,
      .webots_node = 61,
  };
}

class VacuumGripper final : public DeviceModel, public KeepsState {
 public:
  explicit VacuumGripper(const Fields& fields)
      : starts_on_(fields.boolean("isOn")),
        on_(starts_on_),
        tensile_(fields.number("tensileStrength")),
        shear_(fields.number("shearStrength")),
        points_needed_(fields.integer("contactPoints")) {}

  void attach(const DeviceContext& context) override { body_ = context.body; }
  Properties properties() const override { return {{"isOn", starts_on_ ? 1.0 : 0.0}}; }

  std::string command(std::size_t index, std::span<const double>, std::string_view) override {
    on_ = index == kOn;
    if (!on_) let_go();
    return "";
  }

  void before_step(double) override { touched_.clear(); }
  void body_contact(const BodyContact& contact) override {
    if (contact.own_solid) ++touched_[contact.other_body];
  }
  void after_step(double, double, const NoiseKey&) override {
    if (link_ >= 0) return check_strength();
    if (!on_ || !body_) return;
    for (const auto& [other, points] : touched_) {
      if (points < points_needed_) continue;
      link_ = body_->link(other);
      if (link_ >= 0) return;
    }
  }

  void sample(const SampleInput& in, Sample& out) override {
    out.channel<std::int32_t>(0)[0] = link_ >= 0 ? 1 : 0;
    const Vec3 force_S =
        link_ < 0 ? Vec3(Vec3::Zero()) : Vec3(in.X_WS.R.conjugate() * body_->link_force_W(link_));
    std::copy_n(force_S.data(), 3, out.channel<double>(1).begin());
  }
  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(), {on_ ? 1.0 : 0.0, link_ >= 0 ? 1.0 : 0.0});
  }

  void visit_state(StateArchive& archive) override { archive(on_, touched_); }

 private:
  void check_strength() {
    const Vec3 force_W = body_->link_force_W(link_);
    const Vec3 x_W = body_->X_WS().R * Vec3::UnitX();
    const double pull = force_W.dot(x_W), across = (force_W - pull * x_W).norm();
    if ((tensile_ >= 0 && pull > tensile_) || (shear_ >= 0 && across > shear_)) let_go();
  }
  void let_go() {
    if (link_ >= 0) body_->unlink(link_);
    link_ = -1;
  }

  bool starts_on_, on_;
  double tensile_, shear_;
  int points_needed_;
  BodyPort* body_ = nullptr;
  std::map<int, int> touched_;  ///< points of the last step, by body
  int link_ = -1;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::VacuumGripper)
