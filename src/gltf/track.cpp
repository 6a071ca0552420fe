#include "gltf/track.h"

namespace protobeam::gltf {

void Track::add(double time, const Pose& X) {
  Key key{static_cast<float>(time), X.p.cast<float>(), X.R.cast<float>()};
  if (!key.p.allFinite() || !key.R.coeffs().allFinite()) return;
  if (!keys_.empty()) {
    const Key& last = keys_.back();
    // One rotation is two quaternions; viewers turn the short way only between those of one side.
    if (key.R.dot(last.R) < 0) key.R.coeffs() = -key.R.coeffs();
    if (key.p == last.p && key.R.coeffs() == last.R.coeffs()) {
      held_until_ = key.time;
      return;
    }
    if (held_until_ > last.time) keys_.push_back({held_until_, last.p, last.R});
  }
  keys_.push_back(key);
}

void Track::show(double time, bool there) {
  // What holds at the first key holds before it, too.
  if (presences_.empty() && time > 0) presences_.push_back({0, !there});
  presences_.push_back({static_cast<float>(time), there});
}

}  // namespace protobeam::gltf
