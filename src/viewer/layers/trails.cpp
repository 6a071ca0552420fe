#include "viewer/layers/trails.h"

#include "viewer/layers/lookup.h"

namespace protobeam::viewer {
namespace {

// M. Okabe and K. Ito, "Color Universal Design", 2008, https://jfly.uni-koeln.de/color/: hues that
// everybody can tell apart.
const osg::Vec4ub kColours[] = {{230, 159, 0, 255},  {86, 180, 233, 255}, {0, 158, 115, 255},
                                {240, 228, 66, 255}, {0, 114, 178, 255},  {213, 94, 0, 255},
                                {204, 121, 167, 255}};

}  // namespace

bool Trail::record(const Vec3& p) {
  if (!p.allFinite()) return false;
  if (!points_.empty() && (p - points_.back()).norm() < spacing_) return false;
  if (points_.size() == kMost) {
    for (std::size_t i = 0; i < kMost / 2; ++i) points_[i] = points_[2 * i];
    points_.resize(kMost / 2);
    spacing_ *= 2;
  }
  points_.push_back(p);
  return true;
}

Trails::Trails(std::shared_ptr<const WorldLook> look, const Shaders& shaders) {
  osg::ref_ptr<osg::Group> content = new osg::Group;
  for (const int solid : look->robot_solids) {
    Robot& robot = robots_.emplace_back();
    robot.solid = solid;
    content->addChild(robot.node.root());
  }
  root_ = shaders.seen_through(content, 2);
}

void Trails::record(const WorldFrame& frame) {
  for (Robot& robot : robots_) {
    const SolidState* state = find(frame.solids, robot.solid);
    if (state && robot.trail.record(state->X_WS.p)) robot.changed = true;
  }
}

void Trails::update() {
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    Robot& robot = robots_[i];
    if (!robot.changed) continue;
    robot.changed = false;
    const osg::Vec4ub& colour = kColours[i % std::size(kColours)];
    const std::vector<Vec3>& points = robot.trail.points();
    Strokes strokes;
    for (std::size_t k = 1; k < points.size(); ++k) strokes.line(points[k - 1], points[k], colour);
    robot.node.show(strokes);
  }
}

}  // namespace protobeam::viewer
