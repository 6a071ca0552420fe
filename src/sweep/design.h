// Which values each run of a sweep has: a pure function of the description and the run's number, so
// that whoever works on a part of the runs needs nothing but the description.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/description.h"

namespace protobeam::sweep {

class Design {
 public:
  static constexpr std::int64_t kMostRuns = 100'000'000;

  /// Throws std::invalid_argument when there are more than kMostRuns.
  explicit Design(const Description& description);

  /// Each entry of the list with each sample with each point of the grid. 1 when there is none of
  /// it.
  std::int64_t runs() const { return runs_; }
  /// A value for each parameter, in the description's order; that of the last grid parameter
  /// changes from run to run.
  std::vector<std::string> values(std::int64_t run) const;

 private:
  std::string sampled(std::size_t parameter, std::uint32_t sample) const;

  const Description& description_;
  std::int64_t runs_ = 1, grid_ = 1;
  /// Of a Latin hypercube: which of its strata each sample is in, for each random parameter.
  std::vector<std::vector<std::uint32_t>> strata_;
};

/// The value below which a share of standard normal values lies; 0 < share < 1. |error| < 1.2e-9 of
/// the value.
double normal_quantile(double share);

}  // namespace protobeam::sweep
