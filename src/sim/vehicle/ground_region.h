// Places whose ground is not like the rest: ice, mud, a carpet.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/math.h"

namespace protobeam {

/// What a place says about tyres on it; nothing: as the tyre itself says.
struct GroundProperties {
  std::optional<double> friction;            ///< coefficient, >= 0
  std::optional<double> rolling_resistance;  ///< torque per normal load and wheel radius, >= 0
};

/// A part of the world with ground of its own. Whoever adds a node type for one derives from it and
/// puts it into WorldModel::ground_regions, in the order of the world's text.
class GroundRegion {
 public:
  explicit GroundRegion(const GroundProperties& properties) : properties_(properties) {}
  virtual ~GroundRegion() = default;

  /// `p_W` is where a wheel touches the ground.
  virtual bool contains(const Vec3& p_W) const = 0;
  const GroundProperties& properties() const { return properties_; }

 private:
  GroundProperties properties_;
};

/// Of each property what the first region says that holds the point and has one.
GroundProperties ground_at(std::span<const std::unique_ptr<GroundRegion>> regions, const Vec3& p_W);

}  // namespace protobeam
