#include "viewer/scene/scene_root.h"

#include <algorithm>
#include <cmath>
#include <osg/Uniform>

#include "viewer/offscreen/osg_util.h"
#include "viewer/scene/drawables.h"

namespace protobeam::viewer {
namespace {

Vec3 eigen_vector(const osg::Vec3d& v) { return {v.x(), v.y(), v.z()}; }

/// GLSL multiplies from the other side than OSG, and stores them transposed: the same numbers.
osg::Matrix3 rotation(const osg::Matrixd& m) {
  osg::Matrix3 result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result(row, column) = static_cast<float>(m(row, column));
    }
  }
  return result;
}

osg::Vec3f in_eye_space(const Vec3& direction_W, const osg::Matrixd& eye_from_world) {
  osg::Vec3d v = osg::Matrixd::transform3x3(osg_vector(direction_W), eye_from_world);
  v.normalize();
  return v;
}

/// Where the middle of the view meets the height of the casters' feet, for the shadows' sharpness.
struct Focus {
  Vec3 p_W;
  double distance;
};
Focus focus(const Vec3& camera_W, const Vec3& forward_W, const Bounds& casters) {
  const double ground = casters.empty() ? 0 : casters.min.z();
  double distance = 40;  // m
  if (forward_W.z() < -0.01 && camera_W.z() > ground) {
    distance = (camera_W.z() - ground) / -forward_W.z();
  }
  distance = std::clamp(distance, 5.0, std::max(40.0, 3 * std::abs(camera_W.z() - ground)));
  return {camera_W + distance * forward_W, distance};
}

}  // namespace

SceneRoot::SceneRoot(Content content) : content_(std::move(content)) {
  addChild(content_.objects);
  if (content_.ground) addChild(content_.ground);
  if (content_.sky) addChild(content_.sky);
}

void SceneRoot::moved(const Bounds& casters) {
  casters_ = casters;
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (map) map->invalidate();
  }
}

void SceneRoot::traverse(osg::NodeVisitor& visitor) {
  if (auto* culling = visitor.asCullVisitor()) {
    cull(*culling);
  } else {
    content_.objects->accept(visitor);  // the sky cannot be picked
  }
}

void SceneRoot::cull(osgUtil::CullVisitor& visitor) {
  const osg::Matrixd eye_from_world = *visitor.getModelViewMatrix();
  const osg::Matrixd world_from_eye = osg::Matrixd::inverse(eye_from_world);
  const Vec3 camera_W = eigen_vector(world_from_eye.getTrans());
  const Vec3 forward_W =
      eigen_vector(osg::Matrixd::transform3x3(osg::Vec3d(0, 0, -1), world_from_eye)).normalized();

  const Focus near = focus(camera_W, forward_W, casters_);
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (!map) continue;
    map->aim(casters_, near.p_W, std::clamp(near.distance, 15.0, 250.0));
    map->draw_if_stale(visitor);
  }

  // A state of its own for each view and frame: nothing that is still being drawn changes.
  const auto state = view_state(eye_from_world, world_from_eye, *visitor.getProjectionMatrix());
  visitor.pushStateSet(state);
  content_.objects->accept(visitor);
  if (content_.sky) content_.sky->accept(visitor);
  if (content_.ground && camera_W.z() > 0) {
    state->addUniform(new osg::Uniform(
        "grid_origin", osg::Vec2f(static_cast<float>(std::remainder(camera_W.x(), 10.0)),
                                  static_cast<float>(std::remainder(camera_W.y(), 10.0)))));
    osg::ref_ptr<osg::RefMatrix> below_eye =
        new osg::RefMatrix(osg::Matrixd::translate(camera_W.x(), camera_W.y(), 0) * eye_from_world);
    visitor.pushModelViewMatrix(below_eye, osg::Transform::RELATIVE_RF);
    content_.ground->accept(visitor);
    visitor.popModelViewMatrix();
  }
  visitor.popStateSet();
}

osg::ref_ptr<osg::StateSet> SceneRoot::view_state(const osg::Matrixd& eye_from_world,
                                                  const osg::Matrixd& world_from_eye,
                                                  const osg::Matrixd& projection) const {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  const auto add = [&state](const char* name, const auto& value) {
    state->addUniform(new osg::Uniform(name, value));
  };
  add("world_from_eye", rotation(world_from_eye));
  add("up", in_eye_space(Vec3::UnitZ(), eye_from_world));
  add("to_sun", in_eye_space(content_.lights->to_sun(), eye_from_world));
  content_.lights->set_uniforms(*state, eye_from_world, eigen_vector(world_from_eye.getTrans()));
  // Pictures that are the mean of several have another offset within the pixel each time.
  const double seed = std::abs(projection(2, 0) * 7919 + projection(2, 1) * 104729);
  add("pass_seed", static_cast<float>(seed - std::floor(seed)));
  if (const DepthMap* map = content_.sun_map.get()) {
    add("sun_map_from_eye", osg::Matrixf(world_from_eye * map->map_from_world()));
    add("sun_map_scale",
        osg::Vec3f(static_cast<float>(map->texel()), 1 / map->width().x(), 1 / map->width().y()));
  }
  if (const DepthMap* map = content_.sky_map.get()) {
    add("sky_map_from_eye", osg::Matrixf(world_from_eye * map->map_from_world()));
    add("sky_map_scale", osg::Vec4f(static_cast<float>(map->texel()), 1 / map->width().x(),
                                    1 / map->width().y(), static_cast<float>(1 / map->depth())));
  }
  return state;
}

void SceneRoot::releaseGLObjects(osg::State* state) const {
  osg::Group::releaseGLObjects(state);
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (map) map->release(state);
  }
}

osg::BoundingSphere SceneRoot::computeBound() const { return content_.objects->getBound(); }

}  // namespace protobeam::viewer
