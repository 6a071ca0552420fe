#include "viewer/layers/wireframe.h"

#include <utility>

#include "viewer/layers/edges.h"
#include "viewer/layers/lookup.h"
#include "viewer/layers/strokes.h"
#include "viewer/offscreen/osg_math.h"

namespace protobeam::viewer {
namespace {

const osg::Vec4ub kStillColour(0, 190, 200, 255), kMovingColour(255, 165, 0, 255);

}  // namespace

Wireframe::Wireframe(std::shared_ptr<const WorldLook> look, const Shaders& shaders)
    : look_(std::move(look)), root_(shaders.seen_through(content_, 1)) {}

void Wireframe::build() {
  built_ = true;
  std::map<physics::BodyId, Strokes> strokes;
  for (const WorldLook::Collision& collision : look_->collisions) {
    if (!collision.geometry) continue;
    const bool still = collision.body == physics::kWorldBody;
    const std::vector<Vec3> ends = edges_of(*collision.geometry);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      strokes[collision.body].line(collision.X_BS * ends[i], collision.X_BS * ends[i + 1],
                                   still ? kStillColour : kMovingColour);
    }
  }
  for (const auto& [body, lines] : strokes) {
    osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform;
    transform->setDataVariance(osg::Object::DYNAMIC);
    StrokesNode node;
    node.show(lines);
    transform->addChild(node.root());
    content_->addChild(transform);
    bodies_[body] = transform;
  }
}

void Wireframe::update(const WorldFrame& frame) {
  if (!built_) build();
  for (auto& [body, transform] : bodies_) {
    if (body == physics::kWorldBody) continue;
    const Pose* X_WB = find(frame.bodies, body);
    transform->setNodeMask(X_WB ? ~0u : 0u);
    if (X_WB) transform->setMatrix(osg_matrix(*X_WB));
  }
}

}  // namespace protobeam::viewer
