#include "raycast/value_range.h"

#include <algorithm>
#include <limits>

#include "base/clones.h"

namespace protobeam {

PROTOBEAM_CLONES void find_range(const float* values, std::size_t count, float& low, float& high) {
  constexpr std::size_t W = 16;
  alignas(64) float least[W], most[W];
  PROTOBEAM_LANES
  for (std::size_t l = 0; l < W; ++l) {
    least[l] = std::numeric_limits<float>::infinity();
    most[l] = -std::numeric_limits<float>::infinity();
  }
  std::size_t done = 0;
  for (; done + W <= count; done += W) {
    const float* at = values + done;
    PROTOBEAM_LANES
    for (std::size_t l = 0; l < W; ++l) least[l] = at[l] < least[l] ? at[l] : least[l];
    PROTOBEAM_LANES
    for (std::size_t l = 0; l < W; ++l) most[l] = at[l] > most[l] ? at[l] : most[l];
  }
  for (; done < count; ++done) {
    least[0] = values[done] < least[0] ? values[done] : least[0];
    most[0] = values[done] > most[0] ? values[done] : most[0];
  }
  low = *std::min_element(least, least + W);
  high = *std::max_element(most, most + W);
}

}  // namespace protobeam
