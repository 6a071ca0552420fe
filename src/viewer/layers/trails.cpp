#include "viewer/layers/trails.h"

#include <iterator>

namespace protobeam::viewer {
namespace {

// M. Okabe and K. Ito, "Color Universal Design", 2008, https://jfly.uni-koeln.de/color/: hues that
// everybody can tell apart.
const scene::Rgba kColors[] = {{230, 159, 0, 255},  {86, 180, 233, 255}, {0, 158, 115, 255},
                               {240, 228, 66, 255}, {0, 114, 178, 255},  {213, 94, 0, 255},
                               {204, 121, 167, 255}};

}  // namespace

Trails::Trails(std::shared_ptr<const SceneDescription> description, const Shaders& shaders) {
  osg::ref_ptr<osg::Group> content = new osg::Group;
  for (const int solid : description->robot_solids) {
    Robot& robot = robots_.emplace_back();
    robot.solid = solid;
    content->addChild(robot.node.root());
  }
  root_ = shaders.seen_through(content, 2);
}

void Trails::record(const SceneState& state) {
  for (Robot& robot : robots_) {
    const SolidState* solid_state = find(state.solids, robot.solid);
    if (solid_state && robot.trail.record(solid_state->X_WS.p)) robot.changed = true;
  }
}

void Trails::update() {
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    Robot& robot = robots_[i];
    if (!robot.changed) continue;
    robot.changed = false;
    const scene::Rgba& color = kColors[i % std::size(kColors)];
    const std::vector<Vec3>& points = robot.trail.points();
    scene::Strokes strokes;
    for (std::size_t k = 1; k < points.size(); ++k) strokes.line(points[k - 1], points[k], color);
    robot.node.show(strokes);
  }
}

}  // namespace protobeam::viewer
