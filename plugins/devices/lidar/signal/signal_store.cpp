#include "signal_store.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace protobeam {

void SignalStore::fit(std::size_t beams, const SignalModel& model) {
  if (intensity_.size() == beams) return;
  intensity_.assign(beams, 0);
  const bool photons = model.code.photons;
  signal_.assign(photons ? beams : 0, 0);
  ambient_.assign(photons ? beams : 0, 0);
  const bool dual = model.mode == ReturnMode::kDual;
  second_range_.assign(dual ? beams : 0, std::numeric_limits<float>::infinity());
  second_intensity_.assign(dual ? beams : 0, 0);
  second_signal_.assign(dual && photons ? beams : 0, 0);
}

void SignalStore::keep_run(std::size_t place, const SignalReturns& returns, std::size_t n) {
  const auto copy = [place, n](const float* from, std::vector<float>& to) {
    if (from && !to.empty()) std::copy_n(from, n, to.data() + place);
  };
  copy(returns.intensity, intensity_);
  copy(returns.signal, signal_);
  copy(returns.ambient, ambient_);
  copy(returns.second_range, second_range_);
  copy(returns.second_intensity, second_intensity_);
  copy(returns.second_signal, second_signal_);
}

void SignalStore::visit_state(StateArchive& archive, const SignalModel* model, std::size_t most) {
  std::uint64_t beams = size();
  archive(beams);
  archive.expect(beams <= (model ? most : 0), "signals of more beams than its lidar has");
  if (archive.restores()) *this = {};
  if (beams == 0) return;
  fit(beams, *model);
  archive.fixed(intensity_, signal_, ambient_, second_range_, second_intensity_, second_signal_);
}

void SignalStore::report(std::size_t place, BeamReturn& beam) const {
  if (intensity_.empty()) return;
  beam.intensity = intensity_[place];
  if (signal_.empty()) return;
  beam.signal = signal_[place];
  beam.ambient = ambient_[place];
}

void SignalStore::report_second(std::size_t place, BeamReturn beam, const Vec3& origin,
                                const Vec3& direction, std::vector<BeamReturn>& out) const {
  if (!std::isfinite(second_range_[place])) return;
  const Eigen::Vector3f p = (origin + double{second_range_[place]} * direction).cast<float>();
  beam.range = second_range_[place];
  beam.x = p.x();
  beam.y = p.y();
  beam.z = p.z();
  beam.intensity = second_intensity_[place];
  if (!second_signal_.empty()) beam.signal = second_signal_[place];
  beam.return_number = 2;
  out.push_back(beam);
}

}  // namespace protobeam
