#include "detection.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "../constants.h"
#include "glass.h"
#include "reflection.h"

namespace protobeam {
namespace {

/// What is found out about the hits of a run.
struct Hits {
  float reflectance[Returns::kMost], diffuse[Returns::kMost];
  std::uint32_t number[Returns::kMost];
};

/// Reflectances in, what the device makes of them out.
struct Detections {
  float range[Returns::kMost], reflectance[Returns::kMost], photons[Returns::kMost];
};

/// What sends nothing back, or is nearer than `min` (m), has no echo that noise could make a return
/// of.
PROTOBEAM_CLONES void detect_all(const LinkBudget& budget, float min, const float* range,
                                 const float* reflectance, const float* range_noise,
                                 const float* signal_noise, std::size_t n, Detections& out) {
  float* const sent_back = out.reflectance;
  for (std::size_t i = 0; i < n; ++i) sent_back[i] = range[i] >= min ? reflectance[i] : 0.0f;
  for (std::size_t i = 0; i < n; ++i) {
    const float signal = sent_back[i] > 0 ? budget.white(range[i]) * sent_back[i] : -kInfinity;
    const Return r = detect_echo(budget, range[i], signal, range_noise[i], signal_noise[i]);
    const bool detected = r.amplitude > kThreshold && range[i] < kInfinity;
    out.range[i] = detected ? r.range : kInfinity;
    out.reflectance[i] = detected ? r.reflectance : 0.0f;
    out.photons[i] = detected ? kPhotons * r.amplitude : 0.0f;
  }
}

void clear_misses(const float* range, std::size_t n, float* value) {
  for (std::size_t i = 0; i < n; ++i) value[i] = range[i] < kInfinity ? value[i] : 0.0f;
}

/// Second returns of beams that have none.
const Detections kNoSecond = [] {
  Detections none{};
  std::fill_n(none.range, Returns::kMost, kInfinity);
  return none;
}();
constexpr std::uint32_t kNoLabels[Returns::kMost] = {};

/// What is said about a run of beams.
struct Run {
  Run(const SignalModel& model, bool labels) {
    returns.range = detected.range;
    returns.signal = &signal;
    signal.intensity = detected.reflectance;
    signal.signal = detected.photons;
    if (model.code.photons) signal.ambient = light;
    if (labels) returns.label = label;
    if (model.mode != ReturnMode::kDual) return;
    point_second(kNoSecond);
    if (labels) returns.second_label = kNoLabels;
  }
  void point_second(const Detections& to) {
    signal.second_range = to.range;
    signal.second_intensity = to.reflectance;
    signal.second_signal = to.photons;
  }
  Run(const Run&) = delete;  // it points to itself
  Run& operator=(const Run&) = delete;

  Returns returns;
  SignalReturns signal;
  Detections detected;
  float light[Returns::kMost];
  std::uint32_t label[Returns::kMost];
};

/// A beam whose light goes on through the glass that it meets first.
struct GlassBeam {
  std::size_t beam;
  Echo first;
  float left;
};

/// A run that waits for what is behind glass.
struct HeldRun {
  HeldRun(const SignalModel& model, bool labels) : run(model, labels), second(kNoSecond) {
    if (model.mode != ReturnMode::kDual) return;
    run.point_second(second);
    if (labels) run.returns.second_label = second_label;
  }
  Run run;
  Detections second;
  std::uint32_t second_label[Returns::kMost] = {};
  std::vector<GlassBeam> glass;
};

PROTOBEAM_CLONES bool lets_light_through(const float* transmission, const std::uint32_t* number,
                                         std::size_t n) {
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    any |= transmission[static_cast<std::int32_t>(number[i])] > 0 ? 1u : 0u;
  }
  return any != 0;
}

/// Beams of one ray in clear air: whole runs at once, and those behind glass again.
class SingleEchoes {
 public:
  SingleEchoes(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
               const RangeModel& ranges, const ReceiverCallback& callback)
      : in_(in),
        pulses_(pulses),
        model_(model),
        ranges_(ranges),
        callback_(callback),
        echoes_(in, model, {}),
        glass_(in.surfaces && in.surfaces->has_transmission()) {}

  void detect() {
    in_.visible->cast(pulses_.batch, [this](const RayBlock& block) {
      for (std::size_t done = 0; done < block.count; done += Returns::kMost) {
        take(block, done, std::min(Returns::kMost, block.count - done));
      }
    });
    if (!held_.empty()) look_behind_glass();
  }

 private:
  void take(const RayBlock& block, std::size_t first, std::size_t n) {
    Hits hits;
    const bool photons = model_.code.photons;
    reflect(block, first, n, in_.surfaces,
            {hits.reflectance, glass_ ? hits.number : nullptr, photons ? hits.diffuse : nullptr});
    const bool labels = in_.labels != nullptr;
    if (glass_ && lets_light_through(in_.surfaces->transmission(), hits.number, n)) {
      auto held = std::make_unique<HeldRun>(model_, labels);
      for (std::size_t i = 0; i < n; ++i) {
        float left;
        const Echo echo =
            echoes_.echo(block, first + i, hits.reflectance[i], hits.number[i], 1, left);
        if (left > 0) held->glass.push_back({block.first + first + i, echo, left});
      }
      fill(block, first, n, hits, held->run);
      const std::lock_guard lock(mutex_);
      held_.push_back(std::move(held));
      return;
    }
    Run run(model_, labels);
    fill(block, first, n, hits, run);
    run.returns.returned = finish(run.detected, run.returns);
    callback_(run.returns);
  }

  void fill(const RayBlock& block, std::size_t first, std::size_t n, const Hits& hits,
            Run& run) const {
    run.returns.first = block.first + first;
    run.returns.count = n;
    std::uint32_t places[Returns::kMost];
    for (std::size_t i = 0; i < n; ++i) {
      places[i] = static_cast<std::uint32_t>(pulses_.place(run.returns.first + i));
    }
    float range_noise[Returns::kMost], signal_noise[Returns::kMost];
    fill_gaussian_pairs(pulse_noise(pulses_.noise, 0), {places, n}, range_noise, signal_noise);
    detect_all(model_.budget, model_.min, block.range + first, hits.reflectance, range_noise,
               signal_noise, n, run.detected);
    if (model_.code.photons) {
      ambient(block, first, n, hits.diffuse, in_.sun, run.light);
      for (std::size_t i = 0; i < n; ++i) run.light[i] *= kSunlight;
    }
    if (in_.labels) read_labels(*in_.labels, block, first, n, run.label);
  }

  /// What the device reports of it; gives back how many returns there are.
  std::size_t finish(Detections& detected, const Returns& returns) const {
    const std::size_t returned = ranges_.finish(detected.range, returns.count);
    encode(model_.code, detected.reflectance, returns.count, detected.reflectance);
    clear_misses(detected.range, returns.count, detected.reflectance);
    clear_misses(detected.range, returns.count, detected.photons);
    return returned;
  }

  void look_behind_glass() {
    std::vector<Onward> onward;
    for (const auto& held : held_) {
      for (const GlassBeam& one : held->glass) {
        onward.push_back({static_cast<std::uint32_t>(one.beam), one.first.range, one.left});
      }
    }
    const std::vector<Behind> behind =
        look_through_glass(echoes_, pulses_.batch, std::move(onward));
    for (const auto& held : held_) {
      Run& run = held->run;
      for (const GlassBeam& one : held->glass) detect_behind_glass(one, behind, *held);
      run.returns.returned = finish(run.detected, run.returns);
      if (model_.mode == ReturnMode::kDual) finish(held->second, run.returns);
      callback_(run.returns);
    }
  }

  void detect_behind_glass(const GlassBeam& glass, const std::vector<Behind>& behind,
                           HeldRun& held) const {
    Run& run = held.run;
    Echo echoes[kMostEchoes];
    std::size_t n = 0;
    if (glass.first.signal > 0) echoes[n++] = glass.first;
    const auto before = [](const Behind& b, std::size_t beam) { return b.ray < beam; };
    for (auto b = std::lower_bound(behind.begin(), behind.end(), glass.beam, before);
         b != behind.end() && b->ray == glass.beam; ++b) {
      if (b->echo.signal > 0) echoes[n++] = b->echo;
    }
    Return chosen[2];
    returns_of(model_, pulses_.noise, pulses_.place(glass.beam), {echoes, n}, chosen);
    const std::size_t i = glass.beam - run.returns.first;
    const auto keep = [i](const Return& from, Detections& to) {
      to.range[i] = from.range;
      to.reflectance[i] = from.reflectance;
      to.photons[i] = kPhotons * from.amplitude;
    };
    keep(chosen[0], run.detected);
    run.label[i] = chosen[0].label;
    if (model_.mode != ReturnMode::kDual) return;
    keep(chosen[1], held.second);
    held.second_label[i] = chosen[1].label;
  }

  const SampleInput& in_;
  const PulseBatch& pulses_;
  const SignalModel& model_;
  const RangeModel& ranges_;
  const ReceiverCallback& callback_;
  EchoModel echoes_;
  const bool glass_;  ///< somewhere in the world
  std::mutex mutex_;
  std::vector<std::unique_ptr<HeldRun>> held_;
};

}  // namespace

void detect_signals(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                    const RangeModel& ranges, const ReceiverCallback& callback) {
  const bool clear = !in.atmosphere || in.atmosphere->clear();
  if (model.divergence <= 0 && clear) {
    SingleEchoes(in, pulses, model, ranges, callback).detect();
  } else {
    detect_waveforms(in, pulses, model, ranges, callback);
  }
}

}  // namespace protobeam
