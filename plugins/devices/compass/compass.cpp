// Compass: the direction to north.
//
// Frame: the device's own. x, y, z of a unit vector. North is horizontal: +y of the world where
// WorldInfo.coordinateSystem is "ENU", +x in "NUE", -z in "EUN", turned by gpsRotation. Neither the
// inclination nor the declination of the earth's field is modelled (Webots reference, Compass).
// There is always a value; an axis that is switched off reads NaN.
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/three_axis.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Compass", "Device", "Direction to north, along three axes.",
               three_axis_fields("\"compass\"", "", "1/sqrt(s)")},
      .channels = {{"north",
                    ElementType::kFloat64,
                    {3},
                    "",
                    "device",
                    "nan",
                    "unit vector, through the lookup table"}},
      .properties = three_axis_properties(),
      .webots_node = 39,
  };
}

class Compass final : public DeviceModel, public KeepsState {
 public:
  explicit Compass(const Fields& fields) : axes_(fields) {}

  void attach(const DeviceContext& context) override { north_W_ = context.north_W; }
  Properties properties() const override { return axes_.properties(); }
  void reset() override { axes_.reset(); }

  /// The direction as a field of 50 uT: that of the Earth has 25 to 65.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::MagneticField>("magnetic_field", "", [this](const TopicInput& in) {
      constexpr double kStrength = 50e-6;
      const Vec3 north_S = axes_.before_table(channel<double>(in.data, 0));
      message::MagneticField field;
      field.header = in.header;
      field.magnetic_field = {kStrength * north_S.x(), kStrength * north_S.y(),
                              kStrength * north_S.z()};
      return field;
    })};
  }

  void sample(const SampleInput& in, Sample& out) override {
    const Vec3 north_S = in.X_WS.R.conjugate() * north_W_;
    write_values(out.channel<double>(0), axes_.measure(north_S, in.time, in.noise));
  }

  void visit_state(StateArchive& archive) override { archive(axes_); }

 private:
  ThreeAxis axes_;
  Vec3 north_W_ = Vec3::UnitY();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Compass)
