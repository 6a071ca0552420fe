// LightSensor: the irradiance of the world's lights on a small plate, through a lookup table.
//
// Frame: the device's own; the plate looks along +x. With the colour C, intensity I and
// ambientIntensity A of each light, and the filter F:
//
//   E = sum of F . C / 3 attenuation (A + I spot cos), W/m^2
//
// cos is that of the angle between the plate's axis and the light, 0 behind; spot falls evenly from
// beamWidth to cutOffAngle. `occlusion` takes the second part away where a boundingObject stands
// between the plate and the light, which for a DirectionalLight is 1 km away. Light that things
// reflect does not count. (Webots reference, LightSensor, and its behaviour: the division by 3.)
#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/lookup_table.h"
#include "device/plugin.h"
#include "device/values.h"

namespace protobeam {
namespace {

constexpr double kSunDistance = 1000;  // m

DeviceType declaration() {
  return {
      .node = {"LightSensor",
               "Device",
               "Irradiance of the world's lights, through a lookup table.",
               {{"name", FieldType::kString, "\"light sensor\"", "", {}, "name for the controller"},
                {"lookupTable", FieldType::kMFVec3f, "[ 0 0 0, 1 1000 0 ]", "W/m^2", {},
                 "triples irradiance, output, relative noise; empty: W/m^2"},
                {"colorFilter", FieldType::kColor, "1 1 1", "", Range::between(0, 1),
                 "share of red, green and blue that counts"},
                {"occlusion", FieldType::kBool, "FALSE", "", {},
                 "boundingObjects between the sensor and a light hide it"},
                {"resolution", FieldType::kFloat, "-1", "", Range::positive().or_special(-1),
                 "smallest step of the output; -1: none"}}},
      .channels = {{"value", ElementType::kFloat64, {}, "of the lookup table", "device", "",
                    "the irradiance, through the lookup table"},
                   {"irradiance", ElementType::kFloat64, {}, "W/m^2", "device", "",
                    "before the lookup table"}},
      .properties = {{"lookupTable", "", "triples irradiance, output, relative noise"},
                     {"minValue", "", "smallest output of the table"},
                     {"maxValue", "", "largest output of the table"},
                     {"resolution", "", "smallest step of the output; -1: none"}},
      .inputs = {Input::kAppearance, Input::kSolidRays},
      .webots_node = 49,
  };
}

/// Of a spot: full within the beam, falling evenly to the cut-off (VRML97, 6.48).
double spot_share(const LightSource& light, const Vec3& to_light) {
  if (light.kind != LightSource::Kind::kSpot) return 1;
  const double angle = libm::acos(std::clamp(-to_light.dot(light.direction_W), -1.0, 1.0));
  if (angle > light.cut_off_angle) return 0;
  if (angle <= light.beam_width) return 1;
  return (light.cut_off_angle - angle) / (light.cut_off_angle - light.beam_width);
}

double attenuation(const LightSource& light, double distance) {
  if (light.kind == LightSource::Kind::kDirectional) return 1;
  if (distance > light.radius) return 0;
  const Vec3& a = light.attenuation;
  const double fading = a.x() + a.y() * distance + a.z() * distance * distance;
  return fading > 0 ? 1 / fading : 1;
}

class LightSensor final : public DeviceModel, public Stateless {
 public:
  explicit LightSensor(const Fields& fields)
      : table_(fields.numbers("lookupTable")),
        occlusion_(fields.boolean("occlusion")),
        resolution_(fields.number("resolution")) {
    const auto filter = fields.numbers("colorFilter");
    for (int c = 0; c < 3; ++c) filter_[c] = filter[static_cast<std::size_t>(c)];
  }

  Properties properties() const override {
    return {{"lookupTable", table_.numbers()},
            {"minValue", table_.min_output()},
            {"maxValue", table_.max_output()},
            {"resolution", resolution_}};
  }
  Inputs inputs(Inputs declared) const override {
    return occlusion_ ? declared : declared.without(Input::kSolidRays);
  }

  void sample(const SampleInput& in, Sample& out) override {
    double irradiance = 0;
    if (in.appearance) {
      for (const LightSource& light : in.appearance->lights) irradiance += of_light(light, in);
    }
    const double value = quantised(table_.sample(irradiance, in.noise, 0), resolution_);
    write_values<1>(out.channel<double>(0), {value});
    write_values<1>(out.channel<double>(1), {irradiance});
  }

 private:
  double of_light(const LightSource& light, const SampleInput& in) const {
    const bool sun = light.kind == LightSource::Kind::kDirectional;
    const Vec3 way = sun ? Vec3(-kSunDistance * light.direction_W) : Vec3(light.p_W - in.X_WS.p);
    const double distance = way.norm();
    if (!(distance > 0)) return 0;
    const Vec3 to_light = way / distance;
    double direct = 0;
    const double cosine = (in.X_WS.R * Vec3::UnitX()).dot(to_light);
    if (cosine > 0) direct = light.intensity * cosine * spot_share(light, to_light);
    if (direct > 0 && occlusion_ && in.solid_ray && in.solid_ray(in.X_WS.p, to_light, distance)) {
      direct = 0;
    }
    const double color = filter_.dot(light.color.cast<double>()) / 3;
    return color * attenuation(light, distance) * (light.ambient + direct);
  }

  LookupTable table_;
  Vec3 filter_ = Vec3::Ones();
  bool occlusion_;
  double resolution_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::LightSensor)
