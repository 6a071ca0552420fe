#include "sim/vehicle/wheel_probe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace protobeam {
namespace {

using physics::NearShape;

// Faces that lean more than this are walls.
constexpr double kLeastUp = 0.17;  // cosine, 80 degrees
// Where rays look at curved shapes, in radii along forward_W.
constexpr std::array<double, 9> kColumns = {-0.96, -0.8, -0.55, -0.3, 0, 0.3, 0.55, 0.8, 0.96};
constexpr int kNarrowings = 12;  // of the place between two columns, each to two thirds
// A disc touches a face flat when it does within this distance, in radii.
constexpr double kFlat = 0.02;

using Face = ProbeFace;
// Beyond what the disc covers faces are looked for, so that rounding loses none.
constexpr double kBeyond = 1e-6;  // m

class Probe {
 public:
  Probe(const physics::World& world, std::span<const NearShape> shapes, const ProbeDisc& disc,
        ProbeMemory& memory)
      : world_(world), shapes_(shapes), disc_(disc), triangles_(memory.triangles), faces_(memory.faces) {}

  std::optional<ProbeContact> run() {
    for (const NearShape& shape : shapes_) {
      if (shape.half_space) {
        on_plane(shape.normal_W, shape.offset, shape);
        continue;
      }
      triangles_.clear();
      const Vec3 around = reach_around();
      const Vec3 low_W = disc_.centre_W - around, high_W = disc_.centre_W + around;
      if (world_.triangles_near(shape, low_W, high_W, triangles_)) {
        cut(shape);
      } else {
        look_at(shape);
      }
    }
    if (best_ && best_->lift < -disc_.reach) best_.reset();
    return best_;
  }

 private:
  /// What the disc covers as it moves down and up, seen from its centre.
  Vec3 reach_around() const {
    const Vec3 along = disc_.radius * disc_.forward_W.cwiseAbs();
    const double up = std::max(disc_.radius + disc_.reach, disc_.clearance);
    return along + up * disc_.up_W.cwiseAbs() + Vec3::Constant(kBeyond);
  }

  /// The disc's plane through the triangles: exact.
  void cut(const NearShape& shape) {
    const Vec3 axle_W = disc_.up_W.cross(disc_.forward_W);
    faces_.clear();
    for (const auto& corners : triangles_) {
      std::array<Vec3, 3> d_W;
      std::array<double, 3> side;
      for (int i = 0; i < 3; ++i) {
        d_W[i] = corners[i] - disc_.centre_W;
        side[i] = axle_W.dot(d_W[i]);
      }
      if ((side[0] < 0) == (side[1] < 0) && (side[0] < 0) == (side[2] < 0)) continue;
      std::array<Vec2, 3> p;
      for (int i = 0; i < 3; ++i) p[i] = {disc_.forward_W.dot(d_W[i]), disc_.up_W.dot(d_W[i])};
      std::array<Vec2, 2> ends;
      int count = 0;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if ((side[i] < 0) == (side[j] < 0)) continue;
        ends[count++] = p[i] + side[i] / (side[i] - side[j]) * (p[j] - p[i]);
      }
      if (ends[0].x() > ends[1].x()) std::swap(ends[0], ends[1]);
      if (ends[0].x() > disc_.radius || ends[1].x() < -disc_.radius) continue;
      Vec3 normal_W = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
      const double up = disc_.up_W.dot(normal_W);
      const double size = normal_W.norm();
      if (!(std::abs(up) > kLeastUp * size)) continue;
      normal_W = (up > 0 ? normal_W : Vec3(-normal_W)) / size;
      faces_.push_back({&shape, ends[0].x(), ends[1].x(), ends[0].x(), ends[0].y(),
                        -normal_W.dot(disc_.forward_W) / normal_W.dot(disc_.up_W), normal_W});
    }
    meet();
  }

  /// The disc on each of faces_.
  void meet() {
    // A disc whose centre the ground has reached may be anywhere in it; else what stands higher
    // than the centre is a wall.
    const bool sunk = disc_.radius == 0 || std::any_of(faces_.begin(), faces_.end(), [&](auto& f) {
                        return f.begin <= 0 && f.end >= 0 && f.at(0) > 0 && f.at(0) <= highest();
                      });
    for (const Face& face : faces_) on_face(face, sunk);
  }

  double highest() const { return disc_.clearance - disc_.radius; }

  /// On the edge of the face where that ends before the disc touches it flat.
  void on_face(const Face& face, bool sunk) {
    const double R = disc_.radius, begin = std::max(face.begin, -R), end = std::min(face.end, R);
    if (!(begin <= end)) return;
    const double flat = R * face.slope / std::sqrt(1 + face.slope * face.slope);
    const double x = std::clamp(flat, begin, end);
    const double z = face.at(x), half = std::sqrt(std::max(0.0, R * R - x * x));
    if (z > (sunk ? highest() : 0)) return;
    const double lift = z + half;
    if (best_ && lift <= best_->lift) return;
    const Vec3 point_W = disc_.centre_W + x * disc_.forward_W + z * disc_.up_W;
    const bool on_edge = std::abs(x - flat) > kFlat * R;
    const Vec3 round_W =
        on_edge ? Vec3((half * disc_.up_W - x * disc_.forward_W) / R) : face.normal_W;
    best_ = {lift, point_W, round_W, face.shape};
  }

  /// On a half space.
  void on_plane(const Vec3& normal_W, double offset, const NearShape& shape) {
    const double up = normal_W.dot(disc_.up_W);
    if (up < kLeastUp) return;
    Vec3 lowest_W = disc_.centre_W;
    if (disc_.radius > 0) {
      const double forward = normal_W.dot(disc_.forward_W);
      lowest_W -= disc_.radius / std::sqrt(forward * forward + up * up) *
                  (forward * disc_.forward_W + up * disc_.up_W);
    }
    const double lift = (offset - normal_W.dot(lowest_W)) / up;
    if (best_ && lift <= best_->lift) return;
    best_ = {lift, lowest_W + lift * disc_.up_W, normal_W, &shape};
  }

  /// A shape without flat faces, by rays: the highest of some columns, then the highest place
  /// between its neighbours.
  void look_at(const NearShape& shape) {
    faces_.clear();
    const double R = disc_.radius;
    if (R == 0) {
      if (const auto face = below(shape, 0)) faces_.push_back(*face);
      return meet();
    }
    const auto lift_at = [&](double x) {
      const auto face = below(shape, x);
      if (!face) return -std::numeric_limits<double>::infinity();
      return face->z + std::sqrt(std::max(0.0, R * R - x * x));
    };
    std::size_t best = 0;
    std::array<double, kColumns.size()> lift;
    for (std::size_t i = 0; i < lift.size(); ++i) {
      lift[i] = lift_at(kColumns[i] * R);
      if (lift[i] > lift[best]) best = i;
    }
    if (!std::isfinite(lift[best])) return;
    double low = R * (best == 0 ? -1 : kColumns[best - 1]);
    double high = R * (best + 1 == lift.size() ? 1 : kColumns[best + 1]);
    for (int i = 0; i < kNarrowings; ++i) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      if (lift_at(a) < lift_at(b)) {
        low = a;
      } else {
        high = b;
      }
    }
    if (auto face = below(shape, 0.5 * (low + high))) faces_.push_back(*face);
    meet();
  }

  std::optional<Face> below(const NearShape& shape, double x) const {
    const Vec3 from_W = disc_.centre_W + x * disc_.forward_W + highest() * disc_.up_W;
    const auto hit = world_.cast_ray(shape, from_W, -disc_.up_W, disc_.clearance + disc_.reach);
    if (!hit) return std::nullopt;
    const double up = hit->normal_W.dot(disc_.up_W);
    if (up < kLeastUp) return std::nullopt;
    return Face{
        &shape,       x, x, x, highest() - hit->distance, -hit->normal_W.dot(disc_.forward_W) / up,
        hit->normal_W};
  }

  const physics::World& world_;
  std::span<const NearShape> shapes_;
  const ProbeDisc& disc_;
  std::vector<std::array<Vec3, 3>>& triangles_;
  std::vector<Face>& faces_;
  std::optional<ProbeContact> best_;
};

}  // namespace

std::optional<ProbeContact> probe(const physics::World& world, std::span<const NearShape> shapes,
                                  const ProbeDisc& disc, ProbeMemory& memory) {
  return Probe(world, shapes, disc, memory).run();
}

}  // namespace protobeam
