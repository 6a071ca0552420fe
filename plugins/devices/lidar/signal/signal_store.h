// What a device with a signal model tells about the beams of a sweep besides their ranges.
#pragma once

#include <cstddef>
#include <vector>

#include "../returns.h"
#include "base/device_data.h"
#include "base/math.h"
#include "base/state_archive.h"
#include "signal_model.h"

namespace protobeam {

/// By place in the sweep. Empty, and without effect, for nominal devices.
class SignalStore {
 public:
  /// Makes room for a sweep; what is there stays if it has the size.
  void fit(std::size_t beams, const SignalModel& model);
  std::size_t size() const { return intensity_.size(); }
  bool dual() const { return !second_range_.empty(); }

  void keep(std::size_t place, const SignalReturns& returns, std::size_t i) {
    intensity_[place] = returns.intensity[i];
    if (!signal_.empty()) {
      signal_[place] = returns.signal[i];
      ambient_[place] = returns.ambient[i];
    }
    if (!returns.second_range) return;
    second_range_[place] = returns.second_range[i];
    second_intensity_[place] = returns.second_intensity[i];
    if (!second_signal_.empty()) second_signal_[place] = returns.second_signal[i];
  }
  /// The first n of `returns`, at places that follow each other.
  void keep_run(std::size_t place, const SignalReturns& returns, std::size_t n);
  void report(std::size_t place, BeamReturn& beam) const;
  /// Appends the second return of a beam, if it has one, to `out`; its first is taken by value
  /// since it may lie there.
  void report_second(std::size_t place, BeamReturn first, const Vec3& origin, const Vec3& direction,
                     std::vector<BeamReturn>& out) const;

  /// `model` is null for nominal devices; no sweep has more than `most` beams.
  void visit_state(StateArchive& archive, const SignalModel* model, std::size_t most);

 private:
  std::vector<float> intensity_, signal_, ambient_;
  std::vector<float> second_range_, second_intensity_, second_signal_;
};

}  // namespace protobeam
