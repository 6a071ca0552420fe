// Webots' lookup tables: how a sensor turns the physical value into what it reports, and how noisy
// the report is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.h"

namespace protobeam {

/// Triples (input, output, relative noise), linear in between, constant outside. Relative noise is
/// the standard deviation divided by the output. An empty table is the identity without noise.
class LookupTable {
 public:
  LookupTable() = default;
  /// Throws std::invalid_argument when `numbers` are not triples with noise of at least 0. Two
  /// equal inputs make a step; at the step the second output counts. Among inputs that do not
  /// ascend, the two around a value are those that Webots' bisection comes to
  /// (WbLookupTable::lookup).
  explicit LookupTable(const std::vector<double>& numbers);

  bool empty() const { return rows_.empty(); }
  /// The numbers as given.
  std::vector<double> numbers() const;
  /// Output without noise.
  double mean(double input) const { return at(input).output; }
  /// Output with noise number `index` of the key's sequence.
  double sample(double input, const NoiseKey& key, std::uint64_t index) const;
  /// The smallest input whose output is `output`; where none is, that of the nearest output.
  double input_of(double output) const;
  /// Smallest input; 0 when empty.
  double min_input() const { return rows_.empty() ? 0 : rows_.front().input; }
  /// Largest input; +infinity when empty.
  double max_input() const;
  /// Smallest and largest output; 0 and +infinity when empty.
  double min_output() const;
  double max_output() const;

 private:
  struct Row {
    double input, output, noise;
  };
  Row at(double input) const;
  std::size_t bisected(double input) const;

  std::vector<Row> rows_;
  bool ascending_ = true;
};

}  // namespace protobeam
