#include "viewer/scene/depth_map.h"

#include <algorithm>
#include <cmath>
#include <osg/Depth>
#include <osg/FrameBufferObject>
#include <osg/GLExtensions>
#include <osg/PolygonOffset>
#include <osg/Program>

#include "viewer/offscreen/osg_util.h"
#include "viewer/scene/drawables.h"

namespace protobeam::viewer {
namespace {

/// Copies the depths of a texture into the framebuffer that is drawn to.
class DepthCopy : public osg::Drawable {
 public:
  DepthCopy(osg::Texture2D* from, int size) : size_(size) {
    from_->setAttachment(osg::Camera::DEPTH_BUFFER, osg::FrameBufferAttachment(from));
    setUseDisplayList(false);
    setCullingActive(false);
    getOrCreateStateSet()->setRenderBinDetails(-1, "RenderBin",
                                               osg::StateSet::PROTECTED_RENDERBIN_DETAILS);
  }
  void drawImplementation(osg::RenderInfo& info) const override {
    osg::State& state = *info.getState();
    const auto* gl = state.get<osg::GLExtensions>();
    GLint target = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING_EXT, &target);
    from_->apply(state, osg::FrameBufferObject::READ_FRAMEBUFFER);
    glReadBuffer(GL_NONE);
    gl->glBlitFramebuffer(0, 0, size_, size_, 0, 0, size_, size_, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER_EXT, static_cast<GLuint>(target));
  }
  void releaseGLObjects(osg::State* state) const override {
    osg::Drawable::releaseGLObjects(state);
    from_->releaseGLObjects(state);
  }

 private:
  osg::ref_ptr<osg::FrameBufferObject> from_ = new osg::FrameBufferObject;
  int size_;
};

}  // namespace

Mat3 frame_with_z(const Vec3& up) {
  const Vec3 z = up.normalized();
  // Shadows of walls along the world's axes are sharpest when the map's rows lie along them.
  const Vec3 helper = std::abs(z.y()) < 0.9 ? Vec3::UnitY() : Vec3::UnitX();
  const Vec3 x = helper.cross(z).normalized();
  Mat3 R_LW;
  R_LW << x.transpose(), z.cross(x).transpose(), z.transpose();
  return R_LW;
}

DepthMap::DepthMap(int size, const Vec3& to_light, osg::Node* objects, osg::Program* depth_program)
    : size_(size), R_LW_(frame_with_z(to_light)) {
  prepare(static_, objects, depth_program, kStillCaster);
  prepare(all_, objects, depth_program, kMovingCaster);
  all_.camera->setClearMask(0);
  copy_ = new DepthCopy(static_.texture, size);
  all_.camera->addChild(copy_);
}

void DepthMap::prepare(Layer& layer, osg::Node* objects, osg::Program* depth_program,
                       unsigned mask) const {
  osg::Texture2D& texture = *layer.texture;
  texture.setTextureSize(size_, size_);
  texture.setInternalFormat(GL_DEPTH_COMPONENT24);
  texture.setSourceFormat(GL_DEPTH_COMPONENT);
  texture.setSourceType(GL_UNSIGNED_INT);
  texture.setShadowComparison(true);
  texture.setShadowCompareFunc(osg::Texture::LEQUAL);
  texture.setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR);
  texture.setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  texture.setWrap(osg::Texture::WRAP_S, osg::Texture::CLAMP_TO_BORDER);
  texture.setWrap(osg::Texture::WRAP_T, osg::Texture::CLAMP_TO_BORDER);
  texture.setBorderColor({1, 1, 1, 1});

  osg::Camera& camera = *layer.camera;
  camera.setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera.setRenderOrder(osg::Camera::PRE_RENDER);
  camera.setRenderTargetImplementation(osg::Camera::FRAME_BUFFER_OBJECT);
  camera.attach(osg::Camera::DEPTH_BUFFER, layer.texture);
  camera.setImplicitBufferAttachmentMask(0, 0);
  camera.setViewport(0, 0, size_, size_);
  camera.setClearMask(GL_DEPTH_BUFFER_BIT);
  camera.setDrawBuffer(GL_NONE);
  camera.setReadBuffer(GL_NONE);
  camera.setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
  camera.setCullingMode(osg::CullSettings::VIEW_FRUSTUM_SIDES_CULLING);
  // Everything else of the view's settings would not fit a light.
  camera.setInheritanceMask(0);
  camera.setCullMask(mask);
  camera.addChild(objects);

  constexpr auto kForced = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
  osg::StateSet* state = camera.getOrCreateStateSet();
  state->setAttributeAndModes(depth_program, kForced);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LESS), kForced);
  state->setAttributeAndModes(new osg::PolygonOffset(1.5f, 2.0f), kForced);
  state->setMode(GL_BLEND, osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE);
  state->setRenderBinDetails(0, "RenderBin", osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
}

DepthMap::Interval DepthMap::covered(const Interval& old, const Interval& box, double focus,
                                     double half) {
  if (box.size() <= 2 * half) {
    const bool fits = old.size() > 0 && old.low <= box.low && box.high <= old.high;
    if (fits && old.size() <= 1.3 * box.size()) return old;
    const double margin = 0.05 * box.size() + 0.01;
    return {box.low - margin, box.high + margin};
  }
  const bool near = std::abs(focus - (old.low + old.high) / 2) <= 0.2 * half;
  if (near && std::abs(old.size() - 2 * half) < 1e-9 * half) return old;
  const double step = half / 16;
  const double middle = std::round(focus / step) * step;
  return {middle - half, middle + half};
}

void DepthMap::aim(const Bounds& casters, const Vec3& focus_W, double half_width) {
  Bounds box = casters;
  if (box.empty()) box.min = box.max = focus_W;
  const Vec3 focus_L = R_LW_ * focus_W;
  const Vec3 middle_L = R_LW_ * ((box.min + box.max) / 2);
  const Vec3 reach_L = R_LW_.cwiseAbs() * ((box.max - box.min) / 2);
  // Steps of the square root of two.
  const double half = std::exp2(std::ceil(2 * std::log2(half_width)) / 2);
  constexpr double kDepth = 1000;  // m before and behind the focus
  bool has_changed = false;
  for (int i = 0; i < 3; ++i) {
    const Interval old = range_[i];
    range_[i] = covered(old, {middle_L[i] - reach_L[i], middle_L[i] + reach_L[i]}, focus_L[i],
                        i == 2 ? kDepth : half);
    has_changed |= !(range_[i] == old);
  }
  if (!has_changed) return;
  ++static_.version;
  ++all_.version;
  texel_ = std::max(range_[0].size(), range_[1].size()) / size_;

  const Vec3 origin_L((range_[0].low + range_[0].high) / 2, (range_[1].low + range_[1].high) / 2,
                      range_[2].high);
  const Pose X_WL{Quat(Mat3(R_LW_.transpose())), R_LW_.transpose() * origin_L};
  const osg::Matrixd view = osg_matrix(X_WL.inverse());
  const osg::Matrixd projection =
      osg::Matrixd::ortho(-range_[0].size() / 2, range_[0].size() / 2, -range_[1].size() / 2,
                          range_[1].size() / 2, 0, range_[2].size());
  for (const Layer* layer : {&static_, &all_}) {
    layer->camera->setViewMatrix(view);
    layer->camera->setProjectionMatrix(projection);
  }
  map_from_world_ =
      view * projection * osg::Matrixd::translate(1, 1, 1) * osg::Matrixd::scale(0.5, 0.5, 0.5);
}

void DepthMap::draw_if_stale(osgUtil::CullVisitor& visitor) {
  draw_if_stale(static_, visitor);
  draw_if_stale(all_, visitor);
}

void DepthMap::draw_if_stale(Layer& layer, osgUtil::CullVisitor& visitor) {
  unsigned& drawn = layer.drawn[visitor.getRenderInfo().getContextID()];
  if (drawn == layer.version) return;
  drawn = layer.version;
  layer.camera->accept(visitor);
}

void DepthMap::release(osg::State* state) {
  for (Layer* layer : {&static_, &all_}) {
    layer->camera->releaseGLObjects(state);
    if (state) {
      layer->drawn.erase(state->getContextID());
    } else {
      layer->drawn.clear();
    }
  }
}

}  // namespace protobeam::viewer
