// Nearest hits without a tree: the triangles of the scene are drawn over the rays of a sensor.
//
// Clusters of triangles go through the sectors of the sensor's BeamTiles from near to far. A
// cluster behind what its tiles have hit already is left out, and so are groups of 16 of its
// triangles. A tile remembers the quadrics before it, which its rays are tested against afterwards,
// exactly; tiles before which there are height fields or bodies that move within the step are
// marked, for Embree to look at these alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "raycast/beam_raster.h"
#include "raycast/lookout.h"
#include "raycast/trace.h"
#include "raycast/view_load.h"

namespace protobeam {

/// Ranges nearer than this share above the nearest that counts may, exactly, be nearer than it.
inline constexpr float kNearDoubt = 1e-3f;
/// m; the same of rays with one origin on triangles near it that are small.
inline constexpr float kExactDoubt = 5e-5f;

/// What was found for the rays of a part of the tiles; memory of one thread.
struct BeamFinds {
  std::vector<float> inverse;        ///< 1/m
  std::vector<std::uint32_t> facet;  ///< kNoFacet: nothing
  /// By tile: what Embree has to look for.
  std::vector<std::uint8_t> traced;
  static constexpr std::uint8_t kFields = 1;        ///< height fields
  static constexpr std::uint8_t kMovingBodies = 2;  ///< what moves within the step
  /// By tile: in `curves`, the last one before it; kNoCurve: none.
  std::vector<std::uint32_t> last_curve;
  struct CurveBefore {
    std::uint32_t curve;   ///< of the caster
    std::uint32_t before;  ///< in this list, the one before it of the same tile
  };
  std::vector<CurveBefore> curves;
  static constexpr std::uint32_t kNoCurve = 0xffffffffu;

  struct Entry {
    float nearest;
    std::uint32_t seen;
    const TriangleCluster* cluster;  ///< or null, and how many triangles it has: as of Seen
    int count;
    TileWindow window;
  };
  std::vector<Entry> entries;
  std::vector<float> tile_inverse;  ///< by tile, of the farthest
  std::vector<float> most, most_of_exact;  ///< as RasterRays
};

/// The box around a curved shape, with its group's axes, or around the way of what moves.
struct BoxAround {
  float R_GS[9];  ///< row by row
  float p_GS[3];  ///< m, from the middle of the box
  float half[3];  ///< m
};

class BeamCaster {
 public:
  /// A cluster of an instance that may be in view, or, without one, a ball.
  struct Seen {
    std::uint32_t instance;
    std::uint32_t pose;  ///< of the cluster; or the number of the ball
    const TriangleCluster* cluster;
    int count;  ///< triangles of the cluster
    Sight sight;
  };

  /// A quadric in view, and the rays' frame A seen from it.
  struct Curve {
    const QuadricPart* part;
    std::uint32_t instance, shape;
    Mat3 R_QA;
    Vec3 p_QA;
  };

  /// False: there is far more to draw than to trace, by a glance at the rays of a whole cast, as of
  /// a sensor that rests.
  static bool may_pay(const TraceJob& job, const BeamRays& rays,
                      std::span<const BeamTiles::Part> parts);
  /// Does work(0) to work(count - 1), in any order, on one thread or on several.
  using Share =
      std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;
  /// Looks through the instances for rays of these parts, whose arrays need not be filled yet; the
  /// same for any number of threads. False: Embree is faster.
  bool prepare(const TraceJob& job, const BeamRays& rays, std::span<const BeamTiles::Part> parts,
               const Share& share);
  /// Finds the hits of one of the parts. Several threads may do so.
  void find(const TraceJob& job, const BeamRays& rays, const BeamTiles::Part& part,
            BeamFinds& finds) const;

  const Seen& seen(std::uint32_t facet) const { return seen_[facet >> kClusterBits]; }
  const Curve& curve(std::uint32_t number) const { return curves_[number]; }
  bool sees_fields() const { return sees_fields_; }
  static unsigned triangle(std::uint32_t facet) { return facet & ((1u << kClusterBits) - 1); }

 private:
  static constexpr std::uint32_t kClusterBits = 6;
  static_assert(TriangleCluster::kMost == 1 << kClusterBits);

  /// Around a curved shape or a part of it, or around what Embree has to look for.
  struct Ball {
    static constexpr std::uint32_t kNoBox = 0xffffffffu;
    float center[3], radius;  ///< in the rays' frame
    std::uint32_t curve = BeamFinds::kNoCurve;
    std::uint32_t box = kNoBox;  ///< around the same
    std::uint8_t traced = 0;     ///< as BeamFinds::traced; of no curve
  };
  static Ball ball_at(const RasterPose& pose, const ClusterBalls& of, std::size_t number);
  /// Some clusters of an instance, or its curved shapes, and where those in view are put.
  struct Stretch {
    static constexpr std::size_t kBlocks = 16;  ///< of clusters, at most
    std::uint32_t instance, pose;
    const TriangleClusters* clusters;  ///< null: the curved shapes
    std::size_t first_block;
    ViewLoad load;
    bool fields = false;             ///< whether height fields are in view
    std::size_t begin = 0, end = 0;  ///< of seen_
    std::size_t ball = 0;            ///< the first of its own in balls_, curves_ and boxes_
  };
  Stretch& add_stretch(const Stretch& stretch, std::size_t most);
  void add_stretches(std::uint32_t instance, const ShapeGroup& group, const ViewLoad& nothing);
  void make_pieces();
  void make_room();
  bool look_at_moving(const TraceJob& job, const BeamRays& rays, Stretch& stretch,
                      Lookout& lookout);
  bool look_through(const TraceJob& job, const BeamRays& rays, const Lookout& lookout,
                    const Share& share);
  void look_at_curved(const TraceJob& job, const BeamRays& rays, Stretch& stretch,
                      Lookout& lookout);
  void look_at_clusters(Stretch& stretch, Lookout& lookout);
  void sort_seen();
  void set_curve(const TraceJob& job, const BeamRays& rays, std::uint32_t instance,
                 std::uint32_t shape, std::size_t number);
  void meet_ball(const Seen& seen, const RasterRays& rays, const TileWindow& window,
                 BeamFinds& finds) const;
  void draw_cluster(std::uint32_t seen, const BeamTiles::Part& part, const RasterRays& rays) const;

  std::vector<Stretch> stretches_;
  std::vector<std::size_t> pieces_;  ///< of stretches_: where they begin, and the end
  struct {
    std::size_t seen = 0, balls = 0;
  } room_;
  /// By stretches; what is in none of them is left of earlier casts. So are curves, balls and
  /// boxes.
  std::vector<Seen> seen_;
  /// Of seen_, from near to far: what is in front hides what is behind before that is looked at.
  struct {
    std::vector<std::uint64_t> keys;           ///< the lower half is the number
    std::vector<std::uint64_t> memory;         ///< to sort in
    std::vector<float> bearing, bearing_half;  ///< filled up to a multiple of 16 by what has none
  } order_;
  std::vector<RasterPose> poses_;
  std::vector<Curve> curves_;
  std::vector<Ball> balls_;
  std::vector<BoxAround> boxes_;
  bool sees_fields_ = false;
};

}  // namespace protobeam
