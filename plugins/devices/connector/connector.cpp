// Connector: docks to another Connector by a rigid link that its controller makes and breaks.
//
// Frame: the device's own; x points out of the docking surface. Two connectors can dock when their
// `model` is the same, both are "symmetric" or one "active" and the other "passive", and they are
// in position for the one that locks: origins within distanceTolerance, x axes opposite within
// axisTolerance, and the angle of the other's z axis about x within rotationTolerance of one of
// numberOfRotations in a full turn (0: any). The nearest one counts. With `snap` the one that locks
// is moved so that the frames fit exactly; when it cannot, the other one is.
//
// The link breaks when it pulls the two apart with more than tensileStrength (along x) or shears
// them with more than shearStrength (across), the mean over a step; of two locked connectors the
// strengths add up. With `autoLock` it docks again, but not in the step after that. Presence is 1,
// 0 or, of a passive connector, -1. (Webots reference, Connector.)
//
// Messages std_msgs/Empty on DEVICE/lock and DEVICE/unlock do what the controller's commands do.
// Who names the message "state" in a Topic gets it instead of the channels: std_msgs/String,
// "attached" or "detached", each time that this changes (gz-sim, DetachableJoint).
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "message/empty.h"
#include "message/std_msgs.h"

namespace protobeam {
namespace {

enum Command { kLock, kUnlock };

DeviceType declaration() {
  using enum FieldType;
  const Range tolerance = Range::at_least(0), angle = Range::between(0, 3.141593);
  const Range strength = Range::at_least(0).or_special(-1);
  return {
      .node =
          {"Connector",
           "Device",
           "Docks to another Connector by a rigid link.",
           {{"name", kString, "\"connector\"", "", {}, "name for the controller"},
            {"type",
             kString,
             "\"symmetric\"",
             "",
             {},
             "symmetric ones dock to each other, active ones to passive ones",
             "symmetric|active|passive"},
            {"isLocked",
             kBool,
             "FALSE",
             "",
             {},
             "locked at the start; one that is in position then begins docked"},
            {"autoLock", kBool, "FALSE", "", {}, "docks by itself while it is locked"},
            {"unilateralLock", kBool, "TRUE", "", {}, "FALSE: both have to be locked to dock"},
            {"unilateralUnlock", kBool, "TRUE", "", {}, "FALSE: both have to be unlocked to part"},
            {"distanceTolerance", kFloat, "0.01", "m", tolerance, "between the origins"},
            {"axisTolerance", kFloat, "0.2", "rad", angle, "between the opposite x axes"},
            {"rotationTolerance", kFloat, "0.5", "rad", angle, "about the x axis"},
            {"numberOfRotations", kInt32, "4", "", Range::at_least(0),
             "rotations about x at which it docks; 0: any"},
            {"snap", kBool, "TRUE", "", {}, "docking makes the frames fit"},
            {"tensileStrength", kFloat, "-1", "N", strength, "pull that breaks it; -1: none does"},
            {"shearStrength", kFloat, "-1", "N", strength, "shear that breaks it; -1: none does"}}},
      .channels =
          {{"presence",
            ElementType::kInt32,
            {},
            "",
            "",
            "",
            "1: a connector that it can dock to is in position; 0: none is; -1: it is passive"},
           {"docked", ElementType::kInt32, {}, "", "", "", "1: a link holds it; 0: none does"},
           {"force",
            ElementType::kFloat64,
            {3},
            "N",
            "device",
            "",
            "of the link on this connector's body in the last step"}},
      .commands = {{"lock", {}, "docks to what is in position"}, {"unlock", {}, "parts"}},
      .properties = {{"type", "", "symmetric, active or passive"},
                     {"isLocked", "", "1: locked at the start"}},
      .forces = true,
      .anywhere = true,
      .webots_node = 40,
  };
}

/// From the z axis of the one to that of the other, about the x axis of the one; rad, -pi to pi.
double rotation_about_x(const Pose& X_WS, const Pose& X_WO) {
  const Vec3 z_S = X_WS.R.conjugate() * (X_WO.R * Vec3::UnitZ());
  return libm::atan2(-z_S.y(), z_S.z());
}

class Connector final : public DeviceModel, public KeepsState {
 public:
  explicit Connector(const Fields& fields)
      : type_(fields.string("type")),
        model_(fields.string("model")),
        locked_(fields.boolean("isLocked")),
        starts_locked_(locked_) {
    read(fields);
  }

  void attach(const DeviceContext& context) override { body_ = context.body; }
  void meet(std::span<DeviceModel* const> all) override {
    others_.clear();
    for (DeviceModel* one : all) {
      if (one != this) others_.push_back(static_cast<Connector*>(one));
    }
  }
  Properties properties() const override {
    return {{"type", type_}, {"isLocked", starts_locked_ ? 1.0 : 0.0}};
  }

  std::string command(std::size_t index, std::span<const double>, std::string_view) override {
    if (passive()) return "a passive Connector neither locks nor unlocks";
    locked_ = index == kLock;
    if (locked_) {
      dock();
    } else if (peer_ && (unilateral_unlock_ || !peer_->locked_)) {
      part();
    }
    return "";
  }

  /// As in Webots, the state alone: a link comes with the command or with autoLock.
  bool change(const Fields& fields, std::string_view name) override {
    if (name == "type" || name == "model") return false;
    if (name != "isLocked") {
      read(fields);
      return true;
    }
    const bool locked = fields.boolean(name);
    if (locked && passive()) {
      throw std::invalid_argument(
          "field 'isLocked': a passive Connector neither locks nor unlocks");
    }
    locked_ = locked;
    return true;
  }

  void before_step(double) override {
    const bool torn = std::exchange(torn_, false);
    if (!peer_ && locked_ && !passive() && (auto_lock_ || !started_) && !torn) dock();
    started_ = true;
  }

  void after_step(double, double, const NoiseKey&) override {
    if (!peer_ || link_ < 0) return;
    const Vec3 force_W = body_->link_force_W(link_);
    const Vec3 x_W = body_->X_WS().R * Vec3::UnitX();
    const double pull = force_W.dot(x_W), across = (force_W - pull * x_W).norm();
    const auto most_pull = strength(&Connector::tensile_),
               most_shear = strength(&Connector::shear_);
    if (!(most_pull && pull > *most_pull) && !(most_shear && across > *most_shear)) return;
    torn_ = peer_->torn_ = true;
    part();
  }

  void sample(const SampleInput& in, Sample& out) override {
    out.channel<std::int32_t>(0)[0] = passive() ? -1 : peer_ || find() ? 1 : 0;
    out.channel<std::int32_t>(1)[0] = peer_ ? 1 : 0;
    Vec3 force_W = Vec3::Zero();
    if (peer_)
      force_W = link_ >= 0 ? body_->link_force_W(link_) : -peer_->body_->link_force_W(peer_->link_);
    const Vec3 force_S = in.X_WS.R.conjugate() * force_W;
    std::copy_n(force_S.data(), 3, out.channel<double>(2).begin());
  }

  std::vector<DeviceTopic> topics(const TopicRequest& request) const override {
    if (request.wish("state").message.empty()) return channel_topics(*this);
    return {{"state", "/state", &message::type_of<message::String>(),
             [this, last = std::optional<bool>()](const TopicInput& in) mutable {
               const bool docked = channel<std::int32_t>(in.data, 1)[0] != 0;
               std::vector<message::AnyMessage> out;
               if (last != docked)
                 out.emplace_back(message::String{docked ? "attached" : "detached"});
               last = docked;
               return out;
             },
             true}};
  }
  std::vector<DeviceSubscription> subscriptions(const TopicRequest& request) override {
    std::vector<DeviceSubscription> out;
    if (passive()) return out;
    for (const char* name : {"lock", "unlock"}) {
      out.push_back(subscription_of<message::Empty>(
          name, [this, name](const message::Empty&) { send_command(name); }));
      out.back().name = request.device + "/" + name;
    }
    return out;
  }

  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(), {locked_ ? 1.0 : 0.0, peer_ ? 1.0 : 0.0});
  }

  void visit_state(StateArchive& archive) override {
    archive(locked_, started_, torn_);
    archive(auto_lock_, unilateral_lock_, unilateral_unlock_, distance_, axis_, rotation_,
            rotations_, snap_, tensile_, shear_);
  }

 private:
  /// What may change while the world runs.
  void read(const Fields& fields) {
    auto_lock_ = fields.boolean("autoLock");
    unilateral_lock_ = fields.boolean("unilateralLock");
    unilateral_unlock_ = fields.boolean("unilateralUnlock");
    distance_ = fields.number("distanceTolerance");
    axis_ = fields.number("axisTolerance");
    rotation_ = fields.number("rotationTolerance");
    rotations_ = fields.integer("numberOfRotations");
    snap_ = fields.boolean("snap");
    tensile_ = fields.number("tensileStrength");
    shear_ = fields.number("shearStrength");
  }
  bool passive() const { return type_ == "passive"; }

  bool fits(const Connector& other) const {
    const bool pair = type_ == "symmetric" ? other.type_ == "symmetric"
                      : type_ == "active"  ? other.type_ == "passive"
                                           : other.type_ == "active";
    return pair && model_ == other.model_;
  }

  bool in_position(const Pose& X_WS, const Pose& X_WO) const {
    if (!((X_WS.p - X_WO.p).norm() <= distance_)) return false;
    const double cosine = -(X_WS.R * Vec3::UnitX()).dot(X_WO.R * Vec3::UnitX());
    if (!(libm::acos(std::clamp(cosine, -1.0, 1.0)) <= axis_)) return false;
    if (rotations_ == 0) return true;
    const double angle = rotation_about_x(X_WS, X_WO);
    return std::abs(angle - nearest_rotation(angle)) <= rotation_;
  }

  double nearest_rotation(double angle) const {
    if (rotations_ == 0) return angle;
    const double step = 2 * kPi / rotations_;
    return std::round(angle / step) * step;
  }

  /// The nearest one that it can dock to now; null when there is none.
  Connector* find() const {
    if (!body_) return nullptr;
    const Pose X_WS = body_->X_WS();
    Connector* nearest = nullptr;
    double least = 0;
    for (Connector* other : others_) {
      if (other->peer_ || !other->body_ || !fits(*other)) continue;
      const Pose X_WO = other->body_->X_WS();
      const double distance = (X_WS.p - X_WO.p).norm();
      if (!in_position(X_WS, X_WO) || (nearest && distance >= least)) continue;
      nearest = other;
      least = distance;
    }
    return nearest;
  }

  void dock() {
    if (peer_) return;
    Connector* other = find();
    if (!other || !(unilateral_lock_ || other->locked_)) return;
    if (snap_) fit(*other);
    const int link = body_->link(other->body_->body());
    if (link < 0) return;
    link_ = link;
    peer_ = other;
    other->peer_ = this;
  }

  /// Where one has to be whose frame fits on that of the other, which stays; `about_x` is the angle
  /// of the other's z axis about its own x axis.
  static Pose fitting(const Pose& X_WO, double about_x) {
    const Vec3 x_W = -(X_WO.R * Vec3::UnitX());
    const Vec3 z_W = axis_angle(x_W, -about_x) * (X_WO.R * Vec3::UnitZ());
    Mat3 R;
    R << x_W, z_W.cross(x_W), z_W;
    return {Quat(R).normalized(), X_WO.p};
  }

  void fit(Connector& other) {
    const Pose X_WS = body_->X_WS(), X_WO = other.body_->X_WS();
    const double angle = nearest_rotation(rotation_about_x(X_WS, X_WO));
    if (body_->move_to(fitting(X_WO, angle))) return;
    // Seen from the other one, the same rotation has the same sign: its x axis is the opposite one,
    // and so is the way from z to z.
    other.body_->move_to(fitting(X_WS, angle));
  }

  void part() {
    Connector* holder = link_ >= 0 ? this : peer_;
    holder->body_->unlink(holder->link_);
    holder->link_ = -1;
    peer_->peer_ = nullptr;
    peer_ = nullptr;
  }

  /// N; nothing when none breaks it.
  std::optional<double> strength(double Connector::*field) const {
    double sum = 0;
    for (const Connector* one : {this, static_cast<const Connector*>(peer_)}) {
      if (!one->locked_) continue;
      if (one->*field < 0) return std::nullopt;
      sum += one->*field;
    }
    return sum;
  }

  std::string type_, model_;
  bool locked_, starts_locked_, started_ = false;
  bool auto_lock_ = false, unilateral_lock_ = true, unilateral_unlock_ = true, snap_ = true;
  double distance_ = 0, axis_ = 0, rotation_ = 0;
  int rotations_ = 0;
  double tensile_ = -1, shear_ = -1;
  bool torn_ = false;  ///< its link broke in the last step
  BodyPort* body_ = nullptr;
  std::vector<Connector*> others_;
  Connector* peer_ = nullptr;  ///< docked to it
  int link_ = -1;              ///< of the one of the two that has made it
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Connector)
