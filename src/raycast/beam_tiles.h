// Where the rays of a sensor point, by angle: what the beam caster asks to find the rays that a
// triangle may cover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clones.h"
#include "base/math.h"

namespace protobeam {

/// Angles are counted without trigonometry. `bearing` goes from 0 to 4 round the z axis,
/// counterclockwise from x, and grows by 1 a quarter turn; opposite directions are 2 apart.
PROTOBEAM_INLINE float bearing_of(float x, float y) {
  const float sum = (x < 0 ? -x : x) + (y < 0 ? -y : y);
  const float part = x / (sum > 1e-30f ? sum : 1e-30f);
  return y >= 0 ? 1 - part : 3 + part;
}

/// The shorter way round, of a difference between two bearings.
PROTOBEAM_INLINE float shorter_turn(float turn) {
  turn = turn > 2 ? turn - 4 : turn;
  return turn < -2 ? turn + 4 : turn;
}

/// `climb` goes from -1 (straight down) to 1 (straight up); `across` is the length of (x, y).
PROTOBEAM_INLINE float climb_of(float across, float z) {
  const float sum = across + (z < 0 ? -z : z);
  return z / (sum > 1e-30f ? sum : 1e-30f);
}

/// Intervals of an angle that follow each other, and those among them that another one may touch.
class AngleTable {
 public:
  struct Interval {
    float low, high;
  };
  AngleTable() = default;
  AngleTable(const Interval* of, std::size_t count, int steps);

  /// Numbers of a step; ascending with the angle.
  struct Scale {
    float base, per_angle, last;
  };
  const Scale& scale() const { return scale_; }
  PROTOBEAM_INLINE static int step(const Scale& scale, float angle) {
    const float at = (angle - scale.base) * scale.per_angle + 1;
    return static_cast<int>(at > 0 ? at < scale.last ? at : scale.last : 0);
  }
  int step(float angle) const { return step(scale_, angle); }
  /// What touches the angles from one in step `low` to one in step `high`: intervals
  /// [first()[low], end()[high]), none when that is empty.
  const std::uint16_t* first() const { return first_.data(); }
  const std::uint16_t* end() const { return end_.data(); }

 private:
  Scale scale_{};
  std::vector<std::uint16_t> first_, end_;
};

/// How far rays are from lines through their frame's origin that point where their tiles say.
struct Deviation {
  float parallax = 0;  ///< m; all lines pass the origin as near
  float reach = 0;     ///< m; all begin as near
  float turn = 0;      ///< rad
};

/// The rays of a RayBatch in tiles of 16 neighbours, as they lie in its arrays. `rows` tiles, each
/// above or below the one before, make a band, a narrow upright strip; the next band is its
/// neighbour. Some hundred bands make a sector, the piece of work of one thread; their number is even,
/// and they are alike.
class BeamTiles {
 public:
  static constexpr int kTile = 16;
  static constexpr std::size_t kSectorRays = 24576;  ///< at most

  struct Sector {
    std::size_t first_ray = 0;
    int bands = 0;
    float bearing = 0;  ///< where the bearings of `table` are counted from
    AngleTable table;   ///< bands by sense() * (bearing - this->bearing), 0 to 1
  };

  BeamTiles() = default;
  /// The rays that are left over at the end, too few for a band, are in no sector. Directions need
  /// not be unit vectors.
  BeamTiles(const float* dx, const float* dy, const float* dz, std::size_t count, int rows);
  /// Of rays that have origins of their own, near that of the frame.
  void set_origins(const float* const origin[3], const float* const direction[3]);

  int rows() const { return rows_; }
  std::size_t band_rays() const { return static_cast<std::size_t>(rows_) * kTile; }
  /// The bands of a sector that lie within rays [first, end).
  struct Part {
    std::size_t sector;
    int first_band, end_band;
  };
  std::size_t first_ray(const Part& part) const {
    return sectors_[part.sector].first_ray +
           static_cast<std::size_t>(part.first_band) * band_rays();
  }
  std::size_t ray_count(const Part& part) const {
    return static_cast<std::size_t>(part.end_band - part.first_band) * band_rays();
  }
  /// Cut into at least so many where there are as many bands: each is the work of one thread.
  std::vector<Part> parts(std::size_t first, std::size_t end, std::size_t least = 1) const;
  const std::vector<Sector>& sectors() const { return sectors_; }
  /// By tile: a unit vector through its middle, and the greatest distance of its rays' ends from
  /// that of it.
  struct Middles {
    std::vector<float> x, y, z, radius;
  };
  const Middles& middles() const { return middles_; }
  /// Lines of rays that do not pass through the frame's origin.
  struct Lines {
    std::vector<float> mx, my, mz;  ///< one a ray: moment of the line, origin x direction
    Deviation deviation;            ///< their directions are those of the tiles
  };
  const Lines* lines() const { return lines_.mx.empty() ? nullptr : &lines_; }
  std::size_t covered() const { return covered_; }        ///< rays [0, covered()) are in sectors
  float bearing_sense() const { return bearing_sense_; }  ///< -1: bands follow each other clockwise
  float climb_sense() const { return climb_sense_; }      ///< -1: rows go down
  /// Bearings that an angle of 1 rad makes where the steepest ray points.
  float bearings_per_angle() const { return bearings_per_angle_; }
  /// Between rows, in the mean; climb.
  float row_step() const { return row_step_; }
  const AngleTable& row_table() const { return row_table_; }  ///< by climb_sense() * climb

 private:
  int rows_ = 0;
  std::size_t covered_ = 0;
  float bearing_sense_ = 1, climb_sense_ = 1, bearings_per_angle_ = 1, row_step_ = 0;
  std::vector<Sector> sectors_;
  Middles middles_;
  Lines lines_;
  AngleTable row_table_;
};

/// Rays to draw over: consecutive ones of tiles, and the frame S that their vectors have, which of
/// a sensor that moves is that of a moment.
struct BeamRays {
  const BeamTiles* tiles = nullptr;
  std::size_t first = 0, count = 0;  ///< of the tiles; arrays begin with ray `first`
  const float *dx = nullptr, *dy = nullptr, *dz = nullptr;
  /// m, and m^2; null: all begin in S's origin.
  const float *ox = nullptr, *oy = nullptr, *oz = nullptr;
  const float *mx = nullptr, *my = nullptr, *mz = nullptr;  ///< origin x direction
  Deviation deviation;
  float blur = 1;  ///< times as many tiles a triangle is looked for in, roughly, by motion
  Mat3 R_WS = Mat3::Identity();
  Vec3 p_WS = Vec3::Zero();
};

/// The bit of a lane in a mask of those of a tile.
inline constexpr std::uint32_t kLaneBit[BeamTiles::kTile] = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

}  // namespace protobeam
