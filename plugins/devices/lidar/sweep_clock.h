// When the sweeps of a device begin, in seconds since it was enabled.
#pragma once

#include <cstdint>

#include "base/state_archive.h"
#include "constants.h"

namespace protobeam {

class SweepClock {
 public:
  void restart(double period) {
    anchor_ = 0;
    sweeps_ = 0;
    period_ = period;
  }
  double begin() const { return anchor_ + static_cast<double>(sweeps_) * period_; }
  double period() const { return period_; }
  /// `count` sweeps on; from there on they take `period` each.
  void advance(std::int64_t count, double period) {
    sweeps_ += count;
    if (period == period_) return;
    anchor_ = begin();
    sweeps_ = 0;
    period_ = period;
  }

  void visit_state(StateArchive& archive) {
    archive(anchor_, sweeps_, period_);
    archive.expect(anchor_ >= 0 && sweeps_ >= 0 && sweeps_ < kMostSteps, kWrongTime);
  }

 private:
  // Sums of periods would drift: sweeps are counted from where the period changed last.
  double anchor_ = 0;
  std::int64_t sweeps_ = 0;
  double period_ = 1;
};

}  // namespace protobeam
