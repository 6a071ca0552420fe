#include "viewer/scene/paint_sheet.h"

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/PolygonOffset>
#include <osg/Texture2D>

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

osg::ref_ptr<osg::StateSet> sheet_state(const Image& picture,
                                        const osg::ref_ptr<osg::Program>& textured) {
  osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(osg_image(picture, true));
  texture->setResizeNonPowerOfTwoHint(false);
  texture->setInternalFormat(GL_SRGB8_ALPHA8);
  texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
  texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::NEAREST);
  texture->setMaxAnisotropy(8);
  texture->setWrap(osg::Texture::WRAP_S, osg::Texture::CLAMP_TO_BORDER);
  texture->setWrap(osg::Texture::WRAP_T, osg::Texture::CLAMP_TO_BORDER);
  texture->setBorderColor({0, 0, 0, 0});
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setTextureAttribute(kBaseColorUnit, texture);
  state->setAttribute(textured);
  state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false));
  state->setAttributeAndModes(new osg::PolygonOffset(-1, -2));  // it lies on the shape
  state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
  return state;
}

}  // namespace

osg::ref_ptr<SolidNode> paint_sheet(const SceneDescription::Shape& shape, const PaintedSide& side,
                                    const osg::ref_ptr<osg::Program>& textured) {
  const PaintedSheet sheet = painted_sheet(*shape.geometry, side.side);
  const Bounds box = bounds(*shape.geometry);
  const Vec3 origin_S = (box.min + box.max) / 2;
  osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec2Array> uvs = new osg::Vec2Array(osg::Array::BIND_PER_VERTEX);
  for (std::size_t i = 0; i < sheet.corners.size(); ++i) {
    const Eigen::Vector3f from = (sheet.corners[i] - origin_S).cast<float>();
    const Eigen::Vector3f& n = sheet.normals[i];
    const auto [u, v] = side.place_of(sheet.corners[i]);
    positions->push_back({from.x(), from.y(), from.z()});
    normals->push_back({n.x(), n.y(), n.z()});
    uvs->push_back({u, v});
  }
  const auto overall = [](auto array, const auto& value) {
    array->push_back(value);
    return array;
  };
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  geometry->setVertexArray(positions);
  geometry->setNormalArray(normals);
  geometry->setTexCoordArray(0, uvs);
  geometry->setColorArray(
      overall(new osg::Vec4Array(osg::Array::BIND_OVERALL), osg::Vec4f(1, 1, 1, 1)));
  geometry->setVertexAttribArray(
      kEmissiveAttribute, overall(new osg::Vec3Array(osg::Array::BIND_OVERALL), osg::Vec3f()));
  geometry->setVertexAttribArray(
      kSurfaceAttribute, overall(new osg::Vec2Array(osg::Array::BIND_OVERALL), osg::Vec2f(1, 0)));
  geometry->addPrimitiveSet(
      new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(positions->size())));
  geometry->setStateSet(sheet_state(*side.picture, textured));
  osg::ref_ptr<osg::MatrixTransform> turned =
      new osg::MatrixTransform(osg_matrix({shape.X_GS.R, Vec3::Zero()}));
  turned->addChild(geometry);
  osg::ref_ptr<SolidNode> node = new SolidNode(shape.solid, shape.X_GS * origin_S);
  node->setNodeMask(~(kStillCaster | kMovingCaster));
  node->addChild(turned);
  return node;
}

}  // namespace protobeam::viewer
