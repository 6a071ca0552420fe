// Places where something is not as elsewhere: slippery ground, no satellites.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// A PropertyRegion of the world text: a box or a prism, and what it says.
struct PropertyRegion {
  std::string name;
  Pose X_WR;
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();  ///< in R; x and y do not count with a polygon
  std::vector<Vec2> polygon;                    ///< outline in R's x and y, or empty
  std::optional<double> friction, rolling_resistance;
  std::optional<bool> gnss_outage;

  /// Its faces belong to it (and a nanometre around them, lest rounding decides).
  bool contains(const Vec3& p_W) const;
};

/// All of a world, in the order of its text. Of the regions that hold a point and say something
/// about a property, the last one counts; nullopt: none does.
class PropertyRegions {
 public:
  void add(PropertyRegion region) { regions_.push_back(std::move(region)); }
  const std::vector<PropertyRegion>& all() const { return regions_; }

  std::optional<double> friction_at(const Vec3& p_W) const;
  std::optional<double> rolling_resistance_at(const Vec3& p_W) const;
  bool gnss_outage_at(const Vec3& p_W) const;

 private:
  template <class T>
  std::optional<T> last(std::optional<T> PropertyRegion::*property, const Vec3& p_W) const;

  std::vector<PropertyRegion> regions_;
};

}  // namespace protobeam
