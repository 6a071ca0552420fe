#include "line_of_sight.h"

#include <algorithm>
#include <cassert>

namespace protobeam {
namespace {

/// A ray goes on so far behind the surface that it met, m: far enough not to meet it again in
/// single precision, less than any wall is thick.
float step_behind(float range) { return 1e-3f + 1e-6f * range; }

}  // namespace

void LineOfSight::count_walls(RayScene& visible, const Vec3& from_W, std::span<const Vec3> to_W,
                              std::span<int> walls) {
  assert(walls.size() == to_W.size());
  line_.clear();
  for (auto* numbers : {&dx_, &dy_, &dz_, &near_, &end_}) numbers->clear();
  crossed_.resize(std::max(crossed_.size(), to_W.size()));
  for (std::size_t i = 0; i < to_W.size(); ++i) {
    crossed_[i].clear();
    const Vec3 way = to_W[i] - from_W;
    const double length = way.norm();
    if (!(length > 2 * clearance_)) continue;
    line_.push_back(i);
    dx_.push_back(static_cast<float>(way.x() / length));
    dy_.push_back(static_cast<float>(way.y() / length));
    dz_.push_back(static_cast<float>(way.z() / length));
    near_.push_back(static_cast<float>(clearance_));
    end_.push_back(static_cast<float>(length - clearance_));
  }

  for (int surfaces = 0; surfaces < kMostSurfaces && !line_.empty(); ++surfaces) {
    range_.assign(line_.size(), 0);
    shape_.assign(line_.size(), 0);
    RayBatch batch;
    batch.X_WS = Pose::translation(from_W);
    batch.dx = dx_.data();
    batch.dy = dy_.data();
    batch.dz = dz_.data();
    batch.near = near_.data();
    batch.count = line_.size();
    batch.t_far = *std::max_element(end_.begin(), end_.end());
    batch.packet = 1;
    batch.hits = true;
    visible.cast(batch, [this](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        range_[block.first + i] = block.range[i];
        shape_[block.first + i] = (std::uint64_t{block.instance[i]} << 32) | block.shape[i];
      }
    });
    // Lines that met nothing before their end are done; the others go on behind the surface.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (!(range_[i] < end_[i])) continue;
      crossed_[line_[i]].push_back(shape_[i]);
      line_[kept] = line_[i];
      dx_[kept] = dx_[i];
      dy_[kept] = dy_[i];
      dz_[kept] = dz_[i];
      end_[kept] = end_[i];
      near_[kept++] = range_[i] + step_behind(range_[i]);
    }
    line_.resize(kept);
    for (auto* numbers : {&dx_, &dy_, &dz_, &near_, &end_}) numbers->resize(kept);
  }

  for (std::size_t i = 0; i < to_W.size(); ++i) {
    auto& shapes = crossed_[i];
    std::stable_sort(shapes.begin(), shapes.end());
    walls[i] = 0;
    for (auto first = shapes.begin(); first != shapes.end();) {
      const auto last = std::upper_bound(first, shapes.end(), *first);
      walls[i] += static_cast<int>((last - first + 1) / 2);
      first = last;
    }
  }
}

}  // namespace protobeam
