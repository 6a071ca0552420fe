#include "sim/scene/strokes.h"

namespace protobeam::scene {

void Strokes::clear() {
  line_ends_.clear();
  dots_.clear();
}

void Strokes::line(const Vec3& a, const Vec3& b, const Rgba& color) {
  if (!a.allFinite() || !b.allFinite()) return;
  line_ends_.push_back({a, color});
  line_ends_.push_back({b, color});
}

void Strokes::dot(const Vec3& p, const Rgba& color) {
  if (p.allFinite()) dots_.push_back({p, color});
}

}  // namespace protobeam::scene
