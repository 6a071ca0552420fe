// The beams of a sweep that are fired within one physics step, side by side, ready to be cast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "raycast/ray_scene.h"
#include "sweep_pattern.h"

namespace protobeam {

class StepRays {
 public:
  /// A step in seconds after the start of the sweep; it fires what is due in (after, until].
  struct Window {
    float after, until;
    float begin, length;  ///< of the step
  };
  /// Bands that are fired whole keep the tiles of the sweep, so that they travel as well in packets
  /// as they do there; what the window cuts off other bands would shift them.
  enum class Bands { kWhole, kCut };
  void gather(const SweepPattern& sweep, const Window& window, Bands bands);
  /// Of what was gathered, `drift` farther than the limits `near` of the sweep's beams.
  void gather_near(const std::vector<float>& near, float drift);

  /// Points the batch at the rays; they live until the next gather(), and as long as the sweep.
  void fill(RayBatch& batch) const;
  std::size_t size() const { return count_; }
  /// Whether they are neighbours in the sweep, too, without a gap.
  bool in_one_piece() const { return !listed_; }
  /// In the sweep, ascending; null: in one piece, from first_place() on.
  const std::uint32_t* places() const { return listed_ ? place_.data() : nullptr; }
  std::size_t first_place() const { return first_; }
  const float* near() const { return near_; }  ///< null: it was not gathered

 private:
  void find_whole(const SweepPattern& sweep, const Window& window);
  void list_cut(const SweepPattern& sweep, const Window& window);
  /// The values of the rays: those of the sweep if they lie in one piece, else in `to`.
  const float* pick(const std::vector<float>& from, std::vector<float>& to) const;

  std::size_t first_ = 0, count_ = 0;
  bool listed_ = false;  ///< in place_; else they lie side by side from first_ on
  bool origins_ = false;
  std::array<const float*, 3> d_{}, o_{};  ///< of the sweep, or of what was picked of it
  const float* near_ = nullptr;
  std::vector<float> dx_, dy_, dz_, ox_, oy_, oz_, picked_, time_, own_near_;
  std::vector<std::uint32_t> place_;
};

}  // namespace protobeam
