// Altimeter: the height of the device's origin, m.
//
// What a GPS at the same place reports as the third number of its position: altitude above the
// WGS84 ellipsoid in a world with geodetic coordinates, height above 0 along the world's up axis,
// plus that of gpsReference, in others. The field names and the order, noise before resolution, are
// those of Webots R2025a's Altimeter, which adds the height in the tangent plane to the altitude of
// gpsReference instead: 8 cm less at 1 km from it. There is always a value.
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Altimeter",
               "Device",
               "Height of the device in the world.",
               {
                   {"name", FieldType::kString, "\"altimeter\"", "", Range::any(),
                    "name for the controller"},
                   {"accuracy", FieldType::kFloat, "0", "m", Range::at_least(0),
                    "standard deviation of each sample, white"},
                   {"resolution", FieldType::kFloat, "-1", "m", Range::positive().or_special(-1),
                    "smallest step of the output; -1: none"},
               }},
      .channels =
          {{"altitude",
            ElementType::kFloat64,
            {},
            "m",
            "",
            "",
            "above the WGS84 ellipsoid, or above 0 in a world without geodetic coordinates"}},
      .properties = {{"accuracy", "m", "standard deviation of each sample"},
                     {"resolution", "m", "smallest step of the output; -1: none"}},
      .inputs = {Input::kGeodetic},
      .webots_node = 36,
  };
}

/// The world's y where gravity points along -y ("NUE" and "EUN"), else its z.
double height_of(const Vec3& p_W, const Vec3& gravity_W) {
  return gravity_W.y() < 0 ? p_W.y() : p_W.z();
}

class Altimeter final : public DeviceModel, public Stateless {
 public:
  explicit Altimeter(const Fields& fields)
      : accuracy_(fields.number("accuracy")), resolution_(fields.number("resolution")) {}

  void attach(const DeviceContext& context) override { geodetic_ = context.geodetic; }
  Properties properties() const override {
    return {{"accuracy", accuracy_}, {"resolution", resolution_}};
  }

  void sample(const SampleInput& in, Sample& out) override {
    const Vec3 p = in.to_geodetic ? in.to_geodetic(in.X_WS.p) : in.X_WS.p;
    double altitude = in.to_geodetic && geodetic_ ? p.z() : height_of(p, in.gravity_W);
    if (accuracy_ > 0) altitude += accuracy_ * double{gaussian(in.noise, 0)};
    write_values<1>(out.channel<double>(0), {quantised(altitude, resolution_)});
  }

 private:
  double accuracy_, resolution_;
  bool geodetic_ = true;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Altimeter)
