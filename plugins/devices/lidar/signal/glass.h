// Light that goes on behind glass.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device_model.h"
#include "medium.h"
#include "signal_model.h"
#include "waveform.h"

namespace protobeam {

/// From what a ray hits to its echo.
class EchoModel {
 public:
  EchoModel(const SampleInput& in, const SignalModel& model, const Medium& medium)
      : in_(in), budget_(model.budget), medium_(medium) {}

  /// Of hit i of a block, for a `share` of the beam's light. `number` is its surface and
  /// `reflectance` what that sends back; `out_left` gets the share that goes on and comes back: 0
  /// where that is not worth following.
  Echo echo(const RayBlock& block, std::size_t i, float reflectance, std::uint32_t number,
            float share, float& out_left) const;
  /// What is left of light on its way to a range (m) and back.
  float through_air(float range) const {
    return medium_.clear() ? 1.0f : exp_f(static_cast<float>(-2 * medium_.extinction) * range);
  }
  const SampleInput& input() const { return in_; }

 private:
  const SampleInput& in_;
  const LinkBudget& budget_;
  Medium medium_;
};

/// Light that goes on through a face that it has met at `range`.
struct Onward {
  std::uint32_t ray;
  float range, left;  ///< m; share of the beam's light
};

/// An echo of something that is behind such a face.
struct Behind {
  std::uint32_t ray;
  Echo echo;
};

/// Follows the light through the rays of a batch, face after face, to kMostFaces of them. What it
/// has met, ordered by ray, and of the same ray from near to far.
std::vector<Behind> look_through_glass(const EchoModel& model, const RayBatch& batch,
                                       std::vector<Onward> onward);

}  // namespace protobeam
