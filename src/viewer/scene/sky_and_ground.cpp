#include "viewer/scene/sky_and_ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <osg/Depth>
#include <osg/PolygonOffset>
#include <osg/TextureCubeMap>
#include <osg/Uniform>

#include "render/color.h"
#include "viewer/scene/drawables.h"

namespace protobeam::viewer {
namespace {

using render::Color;

/// Of a world that says nothing about its background, as it is shown.
const Color kClearSky(0.55f, 0.72f, 0.92f);

float luminance(const Color& c) { return 0.2126f * c.x() + 0.7152f * c.y() + 0.0722f * c.z(); }

/// Colours of the sky are shown as they are given, past the filmic curve.
Color light_shown_as(const Color& srgb) {
  return render::linear_from_srgb(Color(srgb.cwiseMax(0.0f).cwiseMin(1.0f)));
}

Color mix(const Color& a, const Color& b, float t) { return a + t * (b - a); }

osg::Vec3f osg_color(const Color& c) { return {c.x(), c.y(), c.z()}; }

/// The mean of a side's picture as light.
Color mean_light(const Image& image) {
  const auto pixels = osg_image(image, false);
  if (!pixels) return Color::Zero();
  Color sum = Color::Zero();
  for (int y = 0; y < pixels->t(); ++y) {
    for (int x = 0; x < pixels->s(); ++x) {
      const unsigned char* p = pixels->data(x, y);
      for (int c = 0; c < 3; ++c)
        sum[c] += render::linear_from_srgb(static_cast<float>(p[c]) / 255);
    }
  }
  return sum / static_cast<float>(pixels->s() * pixels->t());
}

osg::ref_ptr<osg::TextureCubeMap> cube(const Background& background) {
  std::array<osg::ref_ptr<osg::Image>, 6> sides;
  int size = 1;
  for (std::size_t i = 0; i < 6; ++i) {
    sides[i] = osg_image(*background.sides[i], false);
    size = std::max({size, sides[i]->s(), sides[i]->t()});
  }
  osg::ref_ptr<osg::TextureCubeMap> result = new osg::TextureCubeMap;
  for (unsigned i = 0; i < 6; ++i) {
    // OpenGL needs six equal squares.
    if (sides[i]->s() != size || sides[i]->t() != size) sides[i]->scaleImage(size, size, 1);
    result->setImage(i, sides[i]);
  }
  result->setInternalFormat(GL_SRGB8);
  result->setResizeNonPowerOfTwoHint(false);
  result->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
  result->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  for (const auto wrap : {osg::Texture::WRAP_S, osg::Texture::WRAP_T, osg::Texture::WRAP_R}) {
    result->setWrap(wrap, osg::Texture::CLAMP_TO_EDGE);
  }
  return result;
}

}  // namespace

bool has_sky_cube(const Background& background) {
  return std::all_of(background.sides.begin(), background.sides.end(),
                     [](const auto& side) { return side && osg_image(*side, false) != nullptr; });
}

osg::ref_ptr<osg::Geometry> make_sky(const ShaderOptions& options) {
  osg::ref_ptr<osg::Geometry> sky = new osg::Geometry;
  sky->setUseDisplayList(false);
  sky->setUseVertexBufferObjects(true);
  osg::ref_ptr<osg::Vec3Array> corners = new osg::Vec3Array;
  for (const osg::Vec3f& corner : {osg::Vec3f(-1, -1, 0), {3, -1, 0}, {-1, 3, 0}}) {
    corners->push_back(corner);
  }
  sky->setVertexArray(corners);
  sky->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
  sky->setCullingActive(false);
  // Without bounds it does not affect the far plane.
  sky->setComputeBoundingBoxCallback(new osg::Drawable::ComputeBoundingBoxCallback);
  osg::StateSet* state = sky->getOrCreateStateSet();
  state->setAttribute(sky_program(options));
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false));
  state->setRenderBinDetails(kSkyBin, "RenderBin");
  return sky;
}

void set_sky_uniforms(osg::StateSet& state, const Background& background, const LightSet& lights,
                      const Vec3& up) {
  const Color shown = background.given ? background.sky : kClearSky;
  // The given colour is that of the middle of the sky; haze is lighter, the zenith darker.
  const float bright = luminance(shown);
  const Color horizon = mix(shown, Color::Ones(), 0.5f * std::min(1.0f, 1.5f * bright));
  const Color zenith = shown.unaryExpr([](float c) { return std::pow(std::max(c, 0.0f), 1.7f); });
  const Color below = mix(horizon, Color(0.8f, 0.79f, 0.77f) * std::sqrt(bright), 0.75f);
  const auto add = [&state](const char* name, const Color& c) {
    state.addUniform(new osg::Uniform(name, osg_color(c)));
  };
  add("sky_horizon", light_shown_as(horizon));
  add("sky_zenith", light_shown_as(zenith));
  add("sky_below", light_shown_as(below));
  const double sun_height = lights.to_sun().dot(up);
  const bool sun_is_up = lights.has_sun() && sun_height > 0;
  add("sky_glow", sun_is_up ? Color(0.1f * lights.sun()) : Color(Color::Zero()));

  // The sky's mean colour lights what it sees; so that nothing is black, a black sky does, too.
  Color light = light_shown_as(shown);
  if (has_sky_cube(background)) {
    light = Color::Zero();
    for (const auto& side : background.sides) light += mean_light(*side) / 6;
    osg::ref_ptr<osg::TextureCubeMap> texture = cube(background);
    state.setTextureAttribute(kSkyCubeUnit, texture);
    constexpr unsigned kSeamless = 0x884F;  // GL_TEXTURE_CUBE_MAP_SEAMLESS
    state.setMode(kSeamless, osg::StateAttribute::ON);
    state.addUniform(new osg::Uniform("sky_cube", static_cast<int>(kSkyCubeUnit)));
    state.addUniform(new osg::Uniform("sky_cube_light", 1.3f * background.luminosity));
  }
  const float level = luminance(light);
  const Color tone = level > 0 ? mix(Color::Ones(), light / level, 0.4f) : Color(Color::Ones());
  const float strength = std::clamp(0.8f * level * background.luminosity, 0.25f, 0.45f);
  const Color from_above = strength * tone + 0.25f * lights.ambient();
  add("ambient_up", from_above);
  // What the ground sends back of it.
  const Color from_sun = 0.08f * std::max(0.0f, static_cast<float>(sun_height)) * lights.sun();
  add("ambient_down", Color(0.5f * from_above.cwiseProduct(Color(1.05f, 1.0f, 0.92f)) + from_sun));
}

namespace {

constexpr unsigned kDepthClamp = 0x864F;  // GL_DEPTH_CLAMP: the far plane does not cut it

bool is_flat(const Vec3& size) { return size.z() <= 0.05 * std::min(size.x(), size.y()); }

}  // namespace

bool is_floor(const PlacedShape& shape, const Bounds& world) {
  if (shape.box.empty() || world.empty()) return false;
  const Vec3 size = shape.box.max - shape.box.min, all = world.max - world.min;
  const bool is_wide = size.x() >= 0.5 * all.x() && size.y() >= 0.5 * all.y();
  const bool may_be_terrain = std::holds_alternative<Mesh>(*shape.geometry) ||
                              std::holds_alternative<HeightField>(*shape.geometry);
  return is_wide && (is_flat(size) || may_be_terrain);
}

bool is_flat_floor(const PlacedShape& shape, const Bounds& world) {
  if (!is_floor(shape, world)) return false;
  const double height = world.max.z() - world.min.z();
  return is_flat(shape.box.max - shape.box.min) &&
         shape.box.max.z() <= world.min.z() + 0.1 * height + 0.05;
}

osg::ref_ptr<osg::Geometry> make_ground(const ShaderOptions& options) {
  constexpr int kSides = 24, kRings = 16;  // to 32 km
  osg::ref_ptr<osg::Vec3Array> corners = new osg::Vec3Array;
  osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
  corners->push_back({0, 0, 0});
  for (int ring = 0; ring < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const double angle = 2 * kPi * side / kSides, radius = std::exp2(ring);
      corners->push_back({static_cast<float>(radius * std::cos(angle)),
                          static_cast<float>(radius * std::sin(angle)), 0});
    }
  }
  const auto add = [&triangles](unsigned a, unsigned b, unsigned c) {
    for (const unsigned i : {a, b, c}) triangles->push_back(i);
  };
  const auto corner = [](int ring, int side) {
    return ring < 0 ? 0u : static_cast<unsigned>(1 + ring * kSides + side % kSides);
  };
  for (int ring = 0; ring < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const unsigned inner = corner(ring - 1, side), next_inner = corner(ring - 1, side + 1);
      const unsigned outer = corner(ring, side), next_outer = corner(ring, side + 1);
      add(inner, outer, next_outer);
      if (ring > 0) add(inner, next_outer, next_inner);
    }
  }

  osg::ref_ptr<osg::Geometry> ground = new osg::Geometry;
  ground->setUseDisplayList(false);
  ground->setUseVertexBufferObjects(true);
  ground->setVertexArray(corners);
  ground->addPrimitiveSet(triangles);
  ground->setCullingActive(false);
  // Without bounds it does not affect the far plane.
  ground->setComputeBoundingBoxCallback(new osg::Drawable::ComputeBoundingBoxCallback);
  osg::StateSet* state = ground->getOrCreateStateSet();
  state->setAttribute(ground_program(options));
  // Behind objects that lie on it.
  state->setAttributeAndModes(new osg::PolygonOffset(2, 8));
  state->setMode(kDepthClamp, osg::StateAttribute::ON);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL));
  state->setRenderBinDetails(kGroundBin, "RenderBin");
  return ground;
}

}  // namespace protobeam::viewer
