#include "viewer/window/world_view.h"

#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {

WorldView::WorldView(const DrawSettings& settings) : settings_(settings) {}

bool WorldView::update(const std::shared_ptr<const SceneDescription>& description,
                       const std::shared_ptr<const SceneState>& state) {
  // The bridge returns them one after the other: between the two there may have been a reload.
  if (!description || !state || state->load != description->load) return false;
  if (description_ != description) {
    root_->removeChildren(0, root_->getNumChildren());
    description_ = description;
    state_ = nullptr;
    scene_ = std::make_unique<WorldScene>(description, Quality::kWindow);
    layers_ = std::make_unique<Layers>(description, settings_);
    root_->addChild(scene_->root());
    root_->addChild(layers_->root());
  }
  if (state_ == state) return false;
  state_ = state;
  scene_->update(*state);
  layers_->update(*state);
  return true;
}

void WorldView::draw(const DrawSettings& settings) {
  settings_ = settings;
  if (layers_) layers_->set(settings);
}

void WorldView::highlight(int solid) {
  if (scene_) scene_->highlight(solid);
}

std::optional<WorldView::Hit> WorldView::hit(const Ray& ray) const {
  constexpr double kFar = 1e5;  // m
  if (!scene_ || !ray.from.allFinite() || !ray.direction.allFinite()) return std::nullopt;
  const osg::ref_ptr<osgUtil::LineSegmentIntersector> segment = new osgUtil::LineSegmentIntersector(
      osg_vector(ray.from), osg_vector(ray.from + kFar * ray.direction));
  segment->setIntersectionLimit(osgUtil::Intersector::LIMIT_NEAREST);
  // Of the objects alone: clouds and glyphs are drawn over them and cannot be selected.
  osgUtil::IntersectionVisitor visitor(segment);
  scene_->root()->accept(visitor);
  if (!segment->containsIntersections()) return std::nullopt;
  const auto& nearest = segment->getFirstIntersection();
  const osg::Vec3d point = nearest.getWorldIntersectPoint();
  return Hit{Vec3(point.x(), point.y(), point.z()), scene_->solid_of(nearest.nodePath)};
}

}  // namespace protobeam::viewer
