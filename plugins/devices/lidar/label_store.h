// What the beams of a sweep have hit, by place in the sweep. Empty, and without effect, unless
// labels are recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/device_data.h"
#include "base/state_archive.h"
#include "returns.h"

namespace protobeam {

class LabelStore {
 public:
  /// Makes room for a sweep, or for nothing; what is there stays if it has the size.
  void fit(std::size_t beams, bool recorded) {
    if (first_.size() == (recorded ? beams : 0)) return;
    first_.assign(recorded ? beams : 0, 0);
    second_.assign(first_.size(), 0);
  }

  void keep(std::size_t place, const Returns& returns, std::size_t i) {
    if (!returns.label || first_.empty()) return;
    first_[place] = returns.label[i];
    if (returns.second_label) second_[place] = returns.second_label[i];
  }
  void write(std::size_t place, BeamReturn& beam) const {
    if (first_.empty() || !(beam.range < std::numeric_limits<float>::infinity())) return;
    beam.label = first_[place];
  }
  std::uint32_t second(std::size_t place) const { return second_.empty() ? 0 : second_[place]; }

  std::size_t size() const { return first_.size(); }
  void visit_state(StateArchive& archive) {
    archive(first_, second_);
    archive.expect(second_.size() == first_.size(), "labels of some returns only");
  }

 private:
  std::vector<std::uint32_t> first_, second_;
};

}  // namespace protobeam
