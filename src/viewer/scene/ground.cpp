#include "viewer/scene/ground.h"

#include <algorithm>
#include <cmath>
#include <osg/Depth>
#include <osg/PolygonOffset>

#include "viewer/scene/sky.h"

namespace protobeam::viewer {
namespace {

constexpr unsigned kDepthClamp = 0x864F;  // GL_DEPTH_CLAMP: the far plane does not cut it

bool is_flat(const Vec3& size) { return size.z() <= 0.05 * std::min(size.x(), size.y()); }

}  // namespace

bool is_floor(const PlacedShape& shape, const Bounds& world) {
  if (shape.box_W.empty() || world.empty()) return false;
  const Vec3 size = shape.box_W.max - shape.box_W.min, all = world.max - world.min;
  const bool is_wide = size.x() >= 0.5 * all.x() && size.y() >= 0.5 * all.y();
  return is_wide && (is_flat(size) || std::holds_alternative<Mesh>(*shape.geometry));
}

bool is_flat_floor(const PlacedShape& shape, const Bounds& world) {
  if (!is_floor(shape, world)) return false;
  const double height = world.max.z() - world.min.z();
  return is_flat(shape.box_W.max - shape.box_W.min) &&
         shape.box_W.max.z() <= world.min.z() + 0.1 * height + 0.05;
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
  // Without bounds it has no part in how far the eye must see.
  ground->setComputeBoundingBoxCallback(new osg::Drawable::ComputeBoundingBoxCallback);
  osg::StateSet* state = ground->getOrCreateStateSet();
  state->setAttribute(ground_program(options));
  // Behind what lies on it.
  state->setAttributeAndModes(new osg::PolygonOffset(2, 8));
  state->setMode(kDepthClamp, osg::StateAttribute::ON);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL));
  state->setRenderBinDetails(kGroundBin, "RenderBin");
  return ground;
}

}  // namespace protobeam::viewer
