// A sweep with returns, misses and values that are awkward to print.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "base/device_data.h"

namespace protobeam {

inline std::vector<BeamReturn> awkward_sweep(int layers, int columns) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<BeamReturn> beams;
  for (int layer = 0; layer < layers; ++layer) {
    for (int column = 0; column < columns; ++column) {
      const auto i = static_cast<float>(beams.size());
      BeamReturn b{layer,     column,    0.1f * i,        -0.01f / (i + 1), 1 / 3.0f + i,
                   1e-7f * i, -0.1f * i, 123456.789f + i, 1e-3f * i,        i / 97};
      if (beams.size() % 3 == 1) b.range = b.x = b.y = b.z = kInf;
      if (beams.size() % 3 == 1) b.y = -kInf;
      beams.push_back(b);
    }
  }
  return beams;
}

}  // namespace protobeam
