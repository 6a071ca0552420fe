// Track: a belt that a linear motor runs over the Solid's boundingObject.
//
// The belt runs about the y axis of the Track: with the speed v of the motor the surface moves by
// v y x n, n its outward normal, so that it runs to +x on top and to -x below, and a tank whose
// tracks run forward drives to +x (Webots reference, Track, since R2022a). What the surface touches
// is taken along by friction, or pushes the body; the belt has no mass. TrackWheels among the
// children are seen turning, and `animatedGeometry` is seen `geometriesCount` times along the belt
// around them.
//
// A motor that is told a force F gives the belt the speed F step / mass, with the mass of the body
// that carries the Track. A Brake takes its damping times the speed from F, and nothing from a
// motor that is told a speed (Webots, WbTrack::prePhysicsStep).
#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Track",
               "Solid",
               "A belt that runs over a body, as of a tank or a conveyor.",
               {{"name", FieldType::kString, "\"track\"", "", {}, "name among its siblings"},
                {"device",
                 FieldType::kMFNode,
                 "[ ]",
                 "",
                 {},
                 "motor, position sensor and brake of the belt",
                 "JointDevice|LinearDevice"},
                without_effect({"textureAnimation",
                                FieldType::kVec2f,
                                "0 0",
                                "1/m",
                                {},
                                "how the texture moves with the belt"}),
                {"animatedGeometry",
                 FieldType::kNode,
                 "NULL",
                 "",
                 {},
                 "a link of the belt, as it is seen: x along the belt",
                 "Shape|CadShape|Group|Slot"},
                {"geometriesCount", FieldType::kInt32, "10", "", Range::between(0, 10000),
                 "how many of them are seen"}}},
      .forces = true,
      .anywhere = true,
      .hidden = true,
      .own_axis = OwnAxis::kLinear,
  };
}

class Track final : public DeviceModel, public Stateless {
 public:
  explicit Track(const Fields&) {}

  void attach(const DeviceContext& context) override {
    body_ = context.body;
    belt_ = context.joint;
  }
  void before_substep(double, double) override {
    if (body_ && belt_) body_->set_belt(belt_->velocity() * Vec3::UnitY());
  }
  double head_angle() const override { return belt_ ? belt_->position() : 0; }
  void append_state(std::vector<double>& state) const override {
    if (belt_) state.insert(state.end(), {belt_->position(), belt_->velocity()});
  }

 private:
  BodyPort* body_ = nullptr;
  JointPort* belt_ = nullptr;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Track)
