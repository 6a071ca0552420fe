#include "raycast/moved_rays.h"

#include <algorithm>

#include "base/clones.h"
#include "raycast/ray_packet.h"

namespace protobeam {
namespace {

/// How far a sensor may move (m) and turn (rad) while the bands of one piece are cast, unless they
/// were so few that to look through the scene for them would take longer than to draw.
constexpr double kMostShift = 0.1, kMostTurn = 0.006;
constexpr std::size_t kFewestInPiece = 1024, kMostInPiece = 16384;

/// As often a cluster is before a piece, in the mean.
constexpr double kCountedAgain = 1.3;

/// Of a multiple of 16 rays.
PROTOBEAM_CLONES void find_times(const float* time, std::size_t count, float& least, float& most) {
  constexpr int W = BeamTiles::kTile;
  alignas(64) float low[W], high[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) low[l] = 1, high[l] = 0;
  for (std::size_t done = 0; done < count; done += W) {
    const float* at = time + done;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const float t = at[l] > 0 ? (at[l] < 1 ? at[l] : 1.0f) : 0.0f;
      low[l] = t < low[l] ? t : low[l];
      high[l] = t > high[l] ? t : high[l];
    }
  }
  least = *std::min_element(low, low + W);
  most = *std::max_element(high, high + W);
}

/// A frame seen from A.
struct Moment {
  double R[9];  ///< row by row
  double o[3];
};

/// Nine arrays of `count` each: directions, origins and moments of lines.
PROTOBEAM_CLONES void move_rays(const TraceJob& job, std::size_t first, std::size_t count,
                                const Moment& moment, float* out) {
  constexpr int W = BeamTiles::kTile;
  const Moment m = moment;
  MovingRays<W> rays;
  for (std::size_t done = 0; done < count; done += W) {
    rays.load(job, first + done, W);
    // To where the vectoriser knows that nothing overlaps.
    alignas(64) float to[9][W];
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const double x = rays.x[l], y = rays.y[l], z = rays.z[l];
      const double ax = rays.ox[l] - m.o[0], ay = rays.oy[l] - m.o[1], az = rays.oz[l] - m.o[2];
      const double dx = m.R[0] * x + m.R[1] * y + m.R[2] * z;
      const double dy = m.R[3] * x + m.R[4] * y + m.R[5] * z;
      const double dz = m.R[6] * x + m.R[7] * y + m.R[8] * z;
      const double ox = m.R[0] * ax + m.R[1] * ay + m.R[2] * az;
      const double oy = m.R[3] * ax + m.R[4] * ay + m.R[5] * az;
      const double oz = m.R[6] * ax + m.R[7] * ay + m.R[8] * az;
      to[0][l] = static_cast<float>(dx);
      to[1][l] = static_cast<float>(dy);
      to[2][l] = static_cast<float>(dz);
      to[3][l] = static_cast<float>(ox);
      to[4][l] = static_cast<float>(oy);
      to[5][l] = static_cast<float>(oz);
      to[6][l] = static_cast<float>(oy * dz - oz * dy);
      to[7][l] = static_cast<float>(oz * dx - ox * dz);
      to[8][l] = static_cast<float>(ox * dy - oy * dx);
    }
    for (std::size_t k = 0; k < 9; ++k) std::copy_n(to[k], W, out + k * count + done);
  }
}

/// Rows in which is looked for what is 10 m away, or nearer where steep rays see the ground,
/// instead of one.
float blur(const TraceJob& job, double half) {
  const BeamTiles& tiles = *job.batch->tiles;
  const double shift = half * job.sensor.translation_W.norm(),
               turn = half * job.sensor.rotation.angle;
  const double steep = tiles.bearings_per_angle(), away = 10 / (steep * steep * steep);
  const double row = std::max(static_cast<double>(tiles.row_step()), 1e-6);
  return static_cast<float>(1 + 2 * (1.6 * shift / away + turn) / row);
}

}  // namespace

std::vector<BandsInMotion> bands_in_motion(const TraceJob& job,
                                           const std::vector<BeamTiles::Part>& parts) {
  const RayBatch& batch = *job.batch;
  const BeamTiles& tiles = *batch.tiles;
  const std::size_t band_rays = tiles.band_rays();
  // Pieces of the step that are short enough.
  const double speed =
      std::max(job.sensor.translation_W.norm() / kMostShift, job.sensor.rotation.angle / kMostTurn);
  std::vector<BandsInMotion> all;
  for (const BeamTiles::Part& part : parts) {
    const std::size_t first = tiles.first_ray(part) - batch.tiles_first;
    float low = 1, high = 0;
    BeamTiles::Part piece{part.sector, part.first_band, part.first_band};
    const auto add = [&] {
      const double middle = 0.5 * (static_cast<double>(low) + high);
      all.push_back({piece, middle - 1, high - middle});
      piece.first_band = piece.end_band;
      low = 1, high = 0;
    };
    for (int band = part.first_band; band < part.end_band; ++band) {
      const std::size_t at = first + static_cast<std::size_t>(band - part.first_band) * band_rays;
      float least, most;
      find_times(batch.time + at, band_rays, least, most);
      const std::size_t rays = tiles.ray_count(piece);
      // Of a band itself, rows may have times far apart: what its neighbours add counts.
      const double added = static_cast<double>(std::max(high, most) - std::min(low, least)) -
                           static_cast<double>(most - least);
      if (rays > 0 &&
          (rays + band_rays > kMostInPiece || (rays >= kFewestInPiece && added * speed > 1))) {
        add();
      }
      low = std::min(low, least), high = std::max(high, most);
      ++piece.end_band;
    }
    add();
  }
  return all;
}

float blur_of(const TraceJob& job, const std::vector<BandsInMotion>& pieces) {
  double sum = 0;
  for (const BandsInMotion& piece : pieces) sum += blur(job, piece.half);
  return static_cast<float>(kCountedAgain * sum / static_cast<double>(pieces.size()));
}

BeamRays rays_at_middle(const TraceJob& job, const BandsInMotion& of, MovedRays& memory) {
  const BeamTiles& tiles = *job.batch->tiles;
  const StepMotion& motion = job.sensor;
  BeamRays rays;
  rays.tiles = &tiles;
  rays.first = tiles.first_ray(of.bands), rays.count = tiles.ray_count(of.bands);
  Mat3 turned;
  for (int k = 0; k < 3; ++k) turned.col(k) = rotated(motion.rotation, of.middle, Vec3::Unit(k));
  rays.R_WS = job.R_WS * turned;
  rays.p_WS = job.p_WS + of.middle * motion.translation_W;

  const double shift = of.half * motion.translation_W.norm(),
               turn = of.half * motion.rotation.angle;
  const Deviation lines = tiles.lines() ? tiles.lines()->deviation : Deviation{};
  rays.deviation.parallax =
      static_cast<float>(1.0001 * (lines.parallax + shift + turn * lines.reach) + 1e-6);
  rays.deviation.reach = static_cast<float>(1.0001 * (lines.reach + shift) + 1e-6);
  rays.deviation.turn = static_cast<float>(1.0001 * turn + 1e-6);
  rays.blur = blur(job, of.half);

  memory.values.resize(9 * rays.count);
  const float** const arrays[] = {&rays.dx, &rays.dy, &rays.dz, &rays.ox, &rays.oy,
                                  &rays.oz, &rays.mx, &rays.my, &rays.mz};
  for (std::size_t k = 0; k < 9; ++k) *arrays[k] = memory.values.data() + k * rays.count;
  return rays;
}

void fill(const TraceJob& job, const BeamRays& rays, MovedRays& memory) {
  Moment moment;
  const Vec3 p_A = rays.p_WS - job.p_WS;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) moment.R[3 * k + j] = rays.R_WS(j, k);
    moment.o[k] = p_A[k];
  }
  move_rays(job, rays.first - job.batch->tiles_first, rays.count, moment, memory.values.data());
}

}  // namespace protobeam
