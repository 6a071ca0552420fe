#include "sim/vehicle/wheel_probe.h"

#include <array>
#include <cmath>

namespace protobeam {
namespace {

using physics::NearShape;

// Faces that lean more than this are walls.
constexpr double kLeastUp = 0.17;  // cosine, 80 degrees
// Two rays see the same face when each lies on the other's this closely.
constexpr double kFlat = 1e-4;  // radii
// Along forward_W, in radii. The first three decide whether there is more than one face.
constexpr std::array<double, 9> kColumns = {-0.96, -0.8, -0.55, -0.3, 0, 0.3, 0.55, 0.8, 0.96};
constexpr std::array<std::size_t, 3> kFirst = {1, 4, 7};
constexpr int kBisections = 10;  // of an edge between two columns

/// Ground below one column, seen in the disc's plane: x forward, z up from the centre.
struct Sample {
  const NearShape* shape = nullptr;  ///< null: no ground within reach
  double x = 0, z = 0;
  double slope = 0;  ///< dz/dx of the face
  Vec3 normal_W = Vec3::UnitZ();

  double at(double other) const { return z + slope * (other - x); }
};

class Probe {
 public:
  Probe(const physics::World& world, std::span<const NearShape> shapes, const ProbeDisc& disc)
      : world_(world), shapes_(shapes), disc_(disc) {}

  std::optional<ProbeContact> run() {
    bool rays = false;
    for (const NearShape& shape : shapes_) {
      if (!shape.half_space) {
        rays = true;
      } else {
        on_face(shape.normal_W, shape.offset, shape);
      }
    }
    if (rays) look();
    if (best_ && best_->lift < -disc_.reach) best_.reset();
    return best_;
  }

 private:
  void look() {
    if (disc_.radius == 0) {
      const Sample below = sample(0);
      if (below.shape) on_face(below.normal_W, below.normal_W.dot(point(below)), *below.shape);
      return;
    }
    std::array<Sample, kColumns.size()> ground;
    for (const std::size_t i : kFirst) ground[i] = sample(kColumns[i] * disc_.radius);
    const Sample &back = ground[kFirst[0]], &middle = ground[kFirst[1]], &front = ground[kFirst[2]];
    if (!back.shape && !middle.shape && !front.shape) return;
    if (same_face(back, middle) && same_face(middle, front)) {
      on_face(middle.normal_W, middle.normal_W.dot(point(middle)), *middle.shape);
      return;
    }
    for (std::size_t i = 0; i < ground.size(); ++i) {
      if (i == kFirst[0] || i == kFirst[1] || i == kFirst[2]) continue;
      ground[i] = sample(kColumns[i] * disc_.radius);
    }
    const bool sunk = middle.shape && middle.z > 0;
    profile(ground, sunk);
  }

  /// The pieces of the profile between the places where the face changes.
  void profile(const std::array<Sample, kColumns.size()>& ground, bool sunk) {
    double begin = -disc_.radius;
    for (std::size_t i = 0; i < ground.size(); ++i) {
      double end = disc_.radius, next = disc_.radius;
      if (i + 1 < ground.size()) {
        const Sample &a = ground[i], &b = ground[i + 1];
        end = next = 0.5 * (a.x + b.x);
        if (a.shape && b.shape && !same_face(a, b) && a.slope != b.slope) {
          const double crossing = (b.z - b.slope * b.x - a.z + a.slope * a.x) / (a.slope - b.slope);
          if (crossing > a.x && crossing < b.x)
            end = next = crossing;
          else
            edge(a, b, end, next);
        } else if (static_cast<bool>(a.shape) != static_cast<bool>(b.shape) ||
                   (a.shape && !same_face(a, b))) {
          edge(a, b, end, next);
        }
      }
      piece(ground[i], begin, end, sunk);
      begin = next;
    }
  }

  /// Where the ground jumps between two columns: the last x of the face of `a`, the first of `b`.
  void edge(const Sample& a, const Sample& b, double& end, double& next) {
    end = a.x;
    next = b.x;
    for (int i = 0; i < kBisections; ++i) {
      const double x = 0.5 * (end + next);
      const Sample here = sample(x);
      const bool like_a = static_cast<bool>(here.shape) == static_cast<bool>(a.shape) &&
                          (!a.shape || same_face(a, here));
      (like_a ? end : next) = x;
    }
  }

  /// The disc on the face of `s` between x = begin and end; on its edge where the face ends before
  /// the disc touches it flat.
  void piece(const Sample& s, double begin, double end, bool sunk) {
    if (!s.shape || !(begin <= end)) return;
    const double R = disc_.radius;
    const double flat = R * s.slope / std::sqrt(1 + s.slope * s.slope);
    const double x = std::clamp(flat, begin, end);
    const double z = s.at(x), half = std::sqrt(std::max(0.0, R * R - x * x));
    if (z > 0 && !sunk) return;
    const double lift = z + half;
    if (best_ && lift <= best_->lift) return;
    const Vec3 point_W = disc_.centre_W + x * disc_.forward_W + z * disc_.up_W;
    const Vec3 round_W = (half * disc_.up_W - x * disc_.forward_W) / R;
    best_ = {lift, point_W, x == flat ? s.normal_W : round_W, s.shape};
  }

  /// The disc on a whole plane.
  void on_face(const Vec3& normal_W, double offset, const NearShape& shape) {
    const double up = normal_W.dot(disc_.up_W);
    if (up < kLeastUp) return;
    Vec3 lowest_W = disc_.centre_W;
    if (disc_.radius > 0) {
      const double forward = normal_W.dot(disc_.forward_W);
      lowest_W -=
          disc_.radius / std::hypot(forward, up) * (forward * disc_.forward_W + up * disc_.up_W);
    }
    const double lift = (offset - normal_W.dot(lowest_W)) / up;
    if (best_ && lift <= best_->lift) return;
    best_ = {lift, lowest_W + lift * disc_.up_W, normal_W, &shape};
  }

  bool same_face(const Sample& a, const Sample& b) const {
    if (!a.shape || !b.shape) return false;
    const double near = kFlat * disc_.radius;
    return std::abs(a.at(b.x) - b.z) < near && std::abs(b.at(a.x) - a.z) < near;
  }

  Vec3 point(const Sample& s) const {
    return disc_.centre_W + s.x * disc_.forward_W + s.z * disc_.up_W;
  }

  Sample sample(double x) const {
    Sample out;
    out.x = x;
    const double top = disc_.clearance - disc_.radius;
    const Vec3 from_W = disc_.centre_W + x * disc_.forward_W + top * disc_.up_W;
    double length = disc_.clearance + disc_.reach;
    for (const NearShape& shape : shapes_) {
      if (shape.half_space) continue;
      const auto hit = world_.cast_ray(shape, from_W, -disc_.up_W, length);
      if (!hit) continue;
      const double up = hit->normal_W.dot(disc_.up_W);
      if (up < kLeastUp) continue;
      length = hit->distance;
      out.shape = &shape;
      out.z = top - hit->distance;
      out.slope = -hit->normal_W.dot(disc_.forward_W) / up;
      out.normal_W = hit->normal_W;
    }
    return out;
  }

  const physics::World& world_;
  std::span<const NearShape> shapes_;
  const ProbeDisc& disc_;
  std::optional<ProbeContact> best_;
};

}  // namespace

std::optional<ProbeContact> probe(const physics::World& world, std::span<const NearShape> shapes,
                                  const ProbeDisc& disc) {
  return Probe(world, shapes, disc).run();
}

}  // namespace protobeam
