// Altimeter: the height of the device's origin, m.
//
// What a GPS at the same place reports as the third number of its position: altitude above the
// WGS84 ellipsoid in a world with geodetic coordinates, height above 0 along the world's up axis,
// plus that of gpsReference, in others. The field names and the order, noise before resolution, are
// those of Webots R2025a's Altimeter, which adds the height in the tangent plane to the altitude of
// gpsReference instead: 8 cm less at 1 km from it. With fromStart it is the height above where the
// device was at the start, as of Gazebo's altimeters. There is always a value.
#include <optional>

#include "base/rng.h"
#include "base/state_archive.h"
#include "device/altitude.h"
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
                   {"fromStart", FieldType::kBool, "FALSE", "", Range::any(),
                    "the height is that above where the device was at the start"},
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

class Altimeter final : public DeviceModel, public KeepsState {
 public:
  explicit Altimeter(const Fields& fields)
      : accuracy_(fields.number("accuracy")),
        resolution_(fields.number("resolution")),
        from_start_(fields.boolean("fromStart")) {}

  void attach(const DeviceContext& context) override {
    geodetic_ = context.geodetic;
    if (context.body) start_W_ = context.body->X_WS().p;
  }
  Properties properties() const override {
    return {{"accuracy", accuracy_}, {"resolution", resolution_}};
  }

  void sample(const SampleInput& in, Sample& out) override {
    double altitude = altitude_of(in.X_WS.p, in, geodetic_);
    if (from_start_) {
      if (!start_W_) start_W_ = in.X_WS.p;
      altitude -= altitude_of(*start_W_, in, geodetic_);
    }
    if (accuracy_ > 0) altitude += accuracy_ * double{gaussian(in.noise, 0)};
    write_values<1>(out.channel<double>(0), {quantised(altitude, resolution_)});
  }

  void visit_state(StateArchive& archive) override { archive(start_W_); }

 private:
  double accuracy_, resolution_;
  bool from_start_;
  std::optional<Vec3> start_W_;
  bool geodetic_ = true;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Altimeter)
