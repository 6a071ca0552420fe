// Beams that may have several echoes: wide ones, and those in weather.
#include <algorithm>
#include <limits>
#include <vector>

#include "../constants.h"
#include "base/libm.h"
#include "detection.h"
#include "glass.h"
#include "medium.h"
#include "reflection.h"

namespace protobeam {
namespace {

constexpr std::size_t kBeams = 4096;  ///< cast at a time

struct BeamResult {
  std::vector<float> range, intensity, signal, ambient, second_range, second_intensity,
      second_signal;
  std::vector<std::uint32_t> label, second_label;  ///< empty: nobody records them

  BeamResult(std::size_t beams, const SignalModel& model, bool labels) {
    const bool dual = model.mode == ReturnMode::kDual;
    label.resize(labels ? beams : 0);
    second_label.resize(labels && dual ? beams : 0);
    for (auto* values : {&range, &intensity, &signal}) values->resize(beams);
    ambient.resize(model.code.photons ? beams : 0);
    for (auto* v : {&second_range, &second_intensity, &second_signal}) v->resize(dual ? beams : 0);
  }
};

class WaveformDetector {
 public:
  WaveformDetector(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model)
      : in_(in),
        pulses_(pulses),
        model_(model),
        rays_(model.divergence),
        k_(rays_.rays_per_beam()),
        medium_(in.atmosphere ? medium_of(*in.atmosphere, model.wavelength) : Medium{}),
        echoes_(in, model, medium_),
        result_(std::min(kBeams, pulses.batch.count), model, in.labels != nullptr) {
    const std::size_t rays = k_ * std::min(kBeams, pulses.batch.count);
    for (auto* values : {&range_, &echo_, &left_}) values->resize(rays);
    label_.resize(in.labels ? rays : 0);
    air_noise_ = pulses.noise;
    air_noise_.stream = kAirStream;
    // A slice of air as long as half a pulse, as a reflectance: white surfaces send 1 / pi per sr.
    air_reflectance_ = static_cast<float>(kPi * medium_.backscatter) * model.separation;
  }

  void detect(const RangeModel& ranges, const ReceiverCallback& callback) {
    for (first_ = 0; first_ < pulses_.batch.count; first_ += kBeams) {
      const std::size_t count = std::min(kBeams, pulses_.batch.count - first_);
      RayBatch batch = rays_.expand(pulses_.batch, first_, count);
      begin_outside(batch);
      in_.visible->cast(batch, [this](const RayBlock& block) { take(block); });
      detect_behind_glass(batch);
      report(count, ranges, callback);
    }
  }

 private:
  /// Rays see from where they have left the housing.
  void begin_outside(RayBatch& batch);
  void take(const RayBlock& block);
  /// Follows the light that goes on, and detects the beams that it belongs to.
  void detect_behind_glass(const RayBatch& batch);
  void detect_beam(std::size_t beam, std::span<const Behind> behind);
  void report(std::size_t count, const RangeModel& ranges, const ReceiverCallback& callback);

  const SampleInput& in_;
  const PulseBatch& pulses_;
  const SignalModel& model_;
  SubRays rays_;
  std::size_t k_, first_ = 0;
  Medium medium_;
  EchoModel echoes_;
  float air_reflectance_ = 0;
  NoiseKey air_noise_;
  // By ray: the first hit (m, +inf: none), its signal, and the light that goes on.
  std::vector<float> range_, echo_, left_;
  std::vector<float> near_;           ///< m, by ray; empty: no housing
  std::vector<std::uint32_t> label_;  ///< empty: nobody records them
  BeamResult result_;
};

void WaveformDetector::begin_outside(RayBatch& batch) {
  if (!pulses_.housing) return;
  near_.assign(batch.count, batch.t_near);
  pulses_.housing->leave(batch, near_);
  for (float& near : near_) near += pulses_.drift;
  batch.near = near_.data();
}

void WaveformDetector::take(const RayBlock& block) {
  const float share = 1 / static_cast<float>(k_);
  for (std::size_t done = 0; done < block.count; done += Returns::kMost) {
    const std::size_t n = std::min(Returns::kMost, block.count - done);
    float reflectances[Returns::kMost], diffuse[Returns::kMost], light[Returns::kMost];
    std::uint32_t numbers[Returns::kMost];
    reflect(block, done, n, in_.surfaces, {reflectances, numbers, diffuse});
    if (model_.code.photons) ambient(block, done, n, diffuse, in_.sun, light);
    for (std::size_t i = 0; i < n; i += k_) {
      const std::size_t ray = block.first + done + i, beam = ray / k_;
      bool glass = false;
      for (std::size_t j = 0; j < k_; ++j) {
        float left;
        const Echo e =
            echoes_.echo(block, done + i + j, reflectances[i + j], numbers[i + j], share, left);
        range_[ray + j] = e.range;
        echo_[ray + j] = e.signal;
        left_[ray + j] = left;
        if (!label_.empty()) label_[ray + j] = e.label;
        glass = glass || left > 0;
      }
      if (model_.code.photons) result_.ambient[beam] = kSunlight * light[i];
      if (!glass) detect_beam(beam, {});
    }
  }
}

void WaveformDetector::detect_behind_glass(const RayBatch& batch) {
  std::vector<Onward> onward;
  for (std::uint32_t ray = 0; ray < batch.count; ++ray) {
    if (left_[ray] > 0) onward.push_back({ray, range_[ray], left_[ray]});
  }
  if (onward.empty()) return;
  std::vector<std::uint32_t> beams;
  for (const Onward& o : onward) {
    const auto beam = static_cast<std::uint32_t>(o.ray / k_);
    if (beams.empty() || beams.back() != beam) beams.push_back(beam);
  }
  const std::vector<Behind> behind = look_through_glass(echoes_, batch, std::move(onward));
  auto next = behind.begin();
  for (const std::uint32_t beam : beams) {
    const auto end =
        std::find_if(next, behind.end(), [&](const Behind& b) { return b.ray / k_ != beam; });
    detect_beam(beam, {next, end});
    next = end;
  }
}

void WaveformDetector::detect_beam(std::size_t beam, std::span<const Behind> behind) {
  const std::size_t place = pulses_.place(first_ + beam);
  Echo echoes[kMostEchoes];
  std::size_t n = 0;
  for (std::size_t ray = beam * k_; ray < (beam + 1) * k_; ++ray) {
    if (!(echo_[ray] > 0)) continue;
    echoes[n++] = {range_[ray], echo_[ray], label_.empty() ? 0 : label_[ray]};
  }
  for (const Behind& b : behind) {
    if (b.echo.signal > 0) echoes[n++] = b.echo;
  }
  if (!medium_.clear()) {
    // Where the light of this beam is first scattered: Beer and Lambert's law.
    const double u = double{uniform(air_noise_, place)};
    const auto r = static_cast<float>(-libm::log1p(-u) / medium_.extinction);
    std::size_t free = 0;
    for (std::size_t ray = beam * k_; ray < (beam + 1) * k_; ++ray) {
      free += range_[ray] > r && (near_.empty() || near_[ray] < r);
    }
    if (r > 0 && r < model_.max && free > 0) {
      const float share = static_cast<float>(free) / static_cast<float>(k_);
      echoes[n++] = {r, share * air_reflectance_ * model_.budget.white(r) * echoes_.through_air(r)};
    }
  }
  Return chosen[2];
  returns_of(model_, pulses_.noise, place, {echoes, n}, chosen);
  if (!result_.label.empty()) result_.label[beam] = chosen[0].label;
  if (!result_.second_label.empty()) result_.second_label[beam] = chosen[1].label;
  result_.range[beam] = chosen[0].range;
  result_.intensity[beam] = chosen[0].reflectance;
  result_.signal[beam] = kPhotons * chosen[0].amplitude;
  if (model_.mode != ReturnMode::kDual) return;
  result_.second_range[beam] = chosen[1].range;
  result_.second_intensity[beam] = chosen[1].reflectance;
  result_.second_signal[beam] = kPhotons * chosen[1].amplitude;
}

void WaveformDetector::report(std::size_t count, const RangeModel& ranges,
                              const ReceiverCallback& callback) {
  const auto finish = [&](std::size_t first, std::size_t n, std::vector<float>& range,
                          std::vector<float>& intensity, std::vector<float>& signal) {
    const std::size_t returned = ranges.finish(range.data() + first, n);
    encode(model_.code, intensity.data() + first, n, intensity.data() + first);
    for (std::size_t i = first; i < first + n; ++i) {
      if (!(range[i] < kInfinity)) intensity[i] = signal[i] = 0;
    }
    return returned;
  };
  for (std::size_t done = 0; done < count; done += Returns::kMost) {
    Returns returns{first_ + done, std::min(Returns::kMost, count - done)};
    returns.range = result_.range.data() + done;
    returns.returned =
        finish(done, returns.count, result_.range, result_.intensity, result_.signal);
    SignalReturns signal{result_.intensity.data() + done, result_.signal.data() + done};
    if (!result_.ambient.empty()) signal.ambient = result_.ambient.data() + done;
    if (!result_.second_range.empty()) {
      finish(done, returns.count, result_.second_range, result_.second_intensity,
             result_.second_signal);
      signal.second_range = result_.second_range.data() + done;
      signal.second_intensity = result_.second_intensity.data() + done;
      signal.second_signal = result_.second_signal.data() + done;
    }
    returns.signal = &signal;
    if (!result_.label.empty()) returns.label = result_.label.data() + done;
    if (!result_.second_label.empty()) returns.second_label = result_.second_label.data() + done;
    callback(returns);
  }
}

}  // namespace

void detect_waveforms(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                      const RangeModel& ranges, const ReceiverCallback& callback) {
  WaveformDetector(in, pulses, model).detect(ranges, callback);
}

}  // namespace protobeam
