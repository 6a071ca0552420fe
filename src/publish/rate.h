// At most so often in simulated time.
#pragma once

#include <cmath>

namespace protobeam {

class Rate {
 public:
  /// Hz; 0: each time.
  explicit Rate(double hz) : hz_(hz) {}

  /// Whether one is due at `time` (s), which never falls: at the first step that reaches a multiple of
  /// the period, from the first one on, so that there are as many in a second as the rate says.
  bool due(double time) {
    if (hz_ <= 0) return true;
    const double slot = std::floor(time * hz_ + 1e-6);
    if (slot <= last_) return false;
    last_ = slot;
    return true;
  }

 private:
  double hz_;
  double last_ = 0;
};

}  // namespace protobeam
