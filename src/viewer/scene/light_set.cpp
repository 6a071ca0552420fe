#include "viewer/scene/light_set.h"

#include <algorithm>
#include <cmath>
#include <osg/Uniform>

#include "render/color.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

/// Of the sun of a world without lights.
const Eigen::Vector3f kSun = Eigen::Vector3f::Constant(2.1f);
/// White light of the sun beside the blue light of the sky.
const Eigen::Vector3f kWarm(1.08f, 1.0f, 0.88f);
constexpr int kVectors = 5;  // a light, as shaders/lighting.cpp reads them

osg::Vec4f vector(const Vec3& v, double w) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()),
          static_cast<float>(w)};
}

Vec3 turned(const osg::Matrixd& eye_from_world, const Vec3& v_W) {
  const osg::Vec3d v = osg::Matrixd::transform3x3(osg_vector(v_W), eye_from_world);
  return {v.x(), v.y(), v.z()};
}

}  // namespace

LightSet::LightSet(const SceneDescription& description) {
  const auto directional = [](const Light& light) {
    return light.kind == Light::Kind::kDirectional && light.direction_B.norm() > 0;
  };
  auto sun =
      std::find_if(description.lights.begin(), description.lights.end(),
                   [&](const Light& light) { return directional(light) && light.casts_shadows; });
  if (sun == description.lights.end()) {
    sun = std::find_if(description.lights.begin(), description.lights.end(), directional);
  }
  for (auto light = description.lights.begin(); light != description.lights.end(); ++light) {
    const Eigen::Vector3f color = render::linear_from_srgb(light->color);
    if (directional(*light)) ambient_ += light->ambient * color;
    if (light == sun) {
      to_sun_ = -light->direction_B.normalized();
      sun_ = light->intensity * color.cwiseProduct(kWarm);
    } else if (light->kind != Light::Kind::kDirectional || directional(*light)) {
      lamps_.push_back({*light, light->location_B, light->direction_B});
      const auto index = static_cast<std::size_t>(light - description.lights.begin());
      for (std::size_t e = 0; e < description.emitters.size(); ++e) {
        const auto& lights = description.emitters[e].lights;
        const bool its = std::find(lights.begin(), lights.end(), index) != lights.end();
        if (its) lamps_.back().emitter = static_cast<int>(e);
      }
    }
  }
  if (description.lights.empty()) sun_ = kSun.cwiseProduct(kWarm);
  has_sun_ = description.lights.empty() || sun != description.lights.end();
  to_sun_.normalize();
}

void LightSet::update(const SceneState& state) {
  for (Lamp& lamp : lamps_) {
    if (const Eigen::Vector3f* color = find(state.emissions, lamp.emitter))
      lamp.light.color = *color;
    const auto body = static_cast<std::size_t>(lamp.light.body);
    if (lamp.light.body == physics::kWorldBody || body >= state.bodies.size()) continue;
    lamp.location_W = state.bodies[body] * lamp.light.location_B;
    lamp.direction_W = state.bodies[body].R * lamp.light.direction_B;
  }
}

int LightSet::count() const {
  return static_cast<int>(std::min<std::size_t>(lamps_.size(), kMaxLights));
}

void LightSet::set_uniforms(osg::StateSet& state, const osg::Matrixd& eye_from_world,
                            const Vec3& camera_W) const {
  std::vector<const Lamp*> nearest;
  for (const Lamp& lamp : lamps_) nearest.push_back(&lamp);
  const auto distance = [&](const Lamp* lamp) {
    return lamp->light.kind == Light::Kind::kDirectional ? 0 : (lamp->location_W - camera_W).norm();
  };
  std::stable_sort(nearest.begin(), nearest.end(),
                   [&](const Lamp* a, const Lamp* b) { return distance(a) < distance(b); });
  nearest.resize(static_cast<std::size_t>(count()));
  if (nearest.empty()) return;

  osg::ref_ptr<osg::Uniform> lights =
      new osg::Uniform(osg::Uniform::FLOAT_VEC4, "lights", kVectors * count());
  unsigned next = 0;
  const auto put = [&](const Vec3& v, double w) { lights->setElement(next++, vector(v, w)); };
  for (const Lamp* lamp : nearest) {
    const Light& light = lamp->light;
    const Vec3 color = render::linear_from_srgb(light.color).cast<double>();
    const bool from_afar = light.kind == Light::Kind::kDirectional;
    const Vec3 direction = turned(eye_from_world, lamp->direction_W).normalized();
    const osg::Vec3d p = osg_vector(lamp->location_W) * eye_from_world;
    put(from_afar ? -direction : Vec3(p.x(), p.y(), p.z()), from_afar ? 0 : 1);
    // Full light inside of beamWidth, none outside of cutOffAngle, linear in the angle between
    // (Webots Reference Manual, SpotLight). Others shine to all sides: slope 0.
    double slope = 0, at_axis = 1;
    if (light.kind == Light::Kind::kSpot) {
      const double inner = std::min(light.beam_width, light.cut_off_angle);
      slope = 1 / std::max(light.cut_off_angle - inner, 1e-3);
      at_axis = light.cut_off_angle * slope;
    }
    put(direction, slope);
    put(light.intensity * color, from_afar ? 1e30 : light.radius);
    Vec3 attenuation = from_afar || light.attenuation.isZero() ? Vec3(1, 0, 0) : light.attenuation;
    put(attenuation, at_axis);
    // What directional lights bring from all sides is part of the sky.
    put(from_afar ? Vec3(0, 0, 0) : Vec3(light.ambient * color), 0);
  }
  state.addUniform(lights);
}

}  // namespace protobeam::viewer
