#include "sim/line_of_sight.h"

#include "sim/sample_inputs.h"

namespace protobeam {

bool sight_blocked(const WorldModel& model, const Device& from, const Device& to) {
  // A mesh of its own robot may be hit again and again; past so many surfaces nothing is seen.
  constexpr int kMostSurfaces = 1000;
  constexpr double kBehind = 1e-6;  // m, past a surface that was looked through
  const Vec3 start_W = pose_of(model, from).p, way_W = pose_of(model, to).p - start_W;
  const double length = way_W.norm();
  if (!(length > 0)) return false;
  const Vec3 direction_W = way_W / length;
  double done = 0;
  for (int i = 0; i < kMostSurfaces; ++i) {
    const auto hit =
        model.physics->cast_ray(start_W + done * direction_W, direction_W, length - done);
    if (!hit) return false;
    const int robot =
        hit->owner < 0 ? -1 : model.solids[static_cast<std::size_t>(hit->owner)].robot;
    if (robot < 0 || (robot != from.robot && robot != to.robot)) return true;
    done += hit->distance + kBehind;
    if (done >= length) return false;
  }
  return true;
}

}  // namespace protobeam
