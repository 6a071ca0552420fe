// VelocityDrive: gives its body a velocity, in all six directions, whatever it weighs and touches.
//
// Before each substep the body, with all that joints hold on it, gets the acceleration that takes
// it to the twist (vx, vy, vz, wx, wy, wz), which is that of the node's frame, in that frame. Then
// gravity, contacts and joints act for the substep, so that the body climbs what it meets, and one
// that hovers sinks by g dt a second, as in Gazebo (gz-sim, VelocityControl). Joints move on as
// they did.
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"VelocityDrive",
               "Device",
               "Gives its body a velocity, in all six directions.",
               {{"name", kString, "\"drive\"", "", {}, "Name for the controller"},
                {"linear", kVec3f, "0 0 0", "m/s", {}, "Until the first twist comes"},
                {"angular", kVec3f, "0 0 0", "rad/s", {}, "Likewise"},
                {"commandTimeout", kFloat, "1", "s", Range::any(),
                 "A twist that nobody renews for so long stops the body; 0 or less: it holds"}}},
      .channels = {{"twist",
                    ElementType::kFloat64,
                    {6},
                    "m/s, rad/s",
                    "device",
                    "",
                    "velocity and rate of its frame as it moves"}},
      .commands = {{"twist",
                    {{"vx", "m/s"},
                     {"vy", "m/s"},
                     {"vz", "m/s"},
                     {"wx", "rad/s"},
                     {"wy", "rad/s"},
                     {"wz", "rad/s"}},
                    "set-point"}},
      .properties = {{"takes", "", "six-dimensional twist"}},
      .forces = true,
  };
}

class VelocityDrive final : public DeviceModel, public KeepsState {
 public:
  explicit VelocityDrive(const Fields& fields)
      : linear_(fields.vec3("linear")),
        angular_(fields.vec3("angular")),
        timeout_(fields.number("commandTimeout")) {}

  void attach(const DeviceContext& context) override { body_ = context.body; }
  Properties properties() const override {
    return {{"takes", std::string("six-dimensional twist")}};
  }

  std::string command(std::size_t, std::span<const double> n, std::string_view) override {
    linear_ = {n[0], n[1], n[2]};
    angular_ = {n[3], n[4], n[5]};
    given_ = now_;
    told_ = true;
    return "";
  }
  void release() override { linear_ = angular_ = Vec3::Zero(); }

  void before_step(double time) override { now_ = time; }

  void before_substep(double time, double dt) override {
    if (!body_ || !body_->is_dynamic()) return;
    if (told_ && timeout_ > 0 && time - given_ > timeout_) release();
    const Quat R_WS = body_->X_WS().R;
    body_->accelerate_assembly((R_WS * linear_ - body_->v_WS()) / dt,
                               (R_WS * angular_ - body_->w_WS()) / dt);
  }

  void sample(const SampleInput&, Sample& out) override {
    const Quat R_SW = body_->X_WS().R.conjugate();
    const Vec3 v_S = R_SW * body_->v_WS(), w_S = R_SW * body_->w_WS();
    write_values<6>(out.channel<double>(0), {v_S.x(), v_S.y(), v_S.z(), w_S.x(), w_S.y(), w_S.z()});
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override { return {}; }
  std::vector<DeviceSubscription> subscriptions(const TopicRequest& request) override {
    return {twist_subscription(request, [this](const message::Twist& twist) {
      send_command("twist", {twist.linear.x, twist.linear.y, twist.linear.z, twist.angular.x,
                             twist.angular.y, twist.angular.z});
    })};
  }

  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(),
                 {linear_.x(), linear_.y(), linear_.z(), angular_.x(), angular_.y(), angular_.z()});
  }
  void visit_state(StateArchive& archive) override {
    archive(linear_, angular_, now_, given_, told_);
  }

 private:
  Vec3 linear_, angular_;  ///< of the last twist
  double timeout_;
  BodyPort* body_ = nullptr;
  double now_ = 0, given_ = 0;  ///< s
  bool told_ = false;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::VelocityDrive)
