#include "viewer/layers/bounding_objects.h"

#include <utility>

#include "sim/scene/glyphs.h"
#include "viewer/layers/strokes.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {

Wireframe::Wireframe(std::shared_ptr<const SceneDescription> description, const Shaders& shaders)
    : description_(std::move(description)), root_(shaders.seen_through(content_, 1)) {}

void Wireframe::build() {
  built_ = true;
  for (const auto& [body, lines] : scene::bounding_objects(*description_)) {
    osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform;
    transform->setDataVariance(osg::Object::DYNAMIC);
    StrokesNode node;
    node.show(lines);
    transform->addChild(node.root());
    content_->addChild(transform);
    bodies_[body] = transform;
  }
}

void Wireframe::update(const SceneState& state) {
  if (!built_) build();
  for (auto& [body, transform] : bodies_) {
    if (body == physics::kWorldBody) continue;
    const Pose* X_WB = find(state.bodies, body);
    transform->setNodeMask(X_WB ? ~0u : 0u);
    if (X_WB) transform->setMatrix(osg_matrix(*X_WB));
  }
}

}  // namespace protobeam::viewer
