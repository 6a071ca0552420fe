#include "waveform.h"

#include <algorithm>

#include "../constants.h"

namespace protobeam {
namespace {

/// Of the surface that has sent back most of a pulse; of equal ones the nearest.
std::uint32_t label_of(std::span<const Echo> echoes) {
  std::uint32_t best = 0;
  float most = 0;
  for (std::size_t i = 0; i < echoes.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < echoes.size(); ++j) {
      if (echoes[j].label != echoes[i].label) continue;
      if (j < i) break;  // counted already
      sum += echoes[j].signal;
    }
    if (sum > most) {
      most = sum;
      best = echoes[i].label;
    }
  }
  return best;
}

bool is_before(const Echo& a, const Echo& b) {
  if (a.range != b.range) return a.range < b.range;
  return a.signal != b.signal ? a.signal < b.signal : a.label < b.label;
}

}  // namespace

std::size_t add_up(const SignalModel& model, std::span<Echo> echoes) {
  std::sort(echoes.begin(), echoes.end(),
            [](const Echo& a, const Echo& b) { return is_before(a, b); });
  std::size_t pulses = 0, i = 0;
  while (i < echoes.size() && echoes[i].range < model.min) ++i;
  while (i < echoes.size()) {
    const float first = echoes[i].range;
    double signal = 0, moment = 0;
    const std::size_t begin = i;
    bool labelled = false;
    for (; i < echoes.size() && echoes[i].range <= first + model.separation; ++i) {
      signal += double{echoes[i].signal};
      moment += double{echoes[i].signal} * double{echoes[i].range};
      labelled = labelled || echoes[i].label != 0;
    }
    if (signal > 0) {
      const std::uint32_t label = labelled ? label_of(echoes.subspan(begin, i - begin)) : 0;
      echoes[pulses++] = {static_cast<float>(moment / signal), static_cast<float>(signal), label};
    }
  }
  return pulses;
}

NoiseKey pulse_noise(NoiseKey key, std::size_t pulse) {
  key.stream = static_cast<std::uint32_t>(std::min<std::size_t>(pulse, kAirStream - 1));
  return key;
}

std::size_t returns_of(const SignalModel& model, const NoiseKey& noise, std::size_t place,
                       std::span<Echo> echoes, Return (&out)[2]) {
  const std::size_t pulses = add_up(model, echoes);
  Return detected[kMostEchoes];
  std::size_t count = 0;
  for (std::size_t i = 0; i < pulses; ++i) {
    const auto [range_noise, signal_noise] =
        gaussian_pair(pulse_noise(noise, i), static_cast<std::uint32_t>(place));
    detected[count] =
        detect_echo(model.budget, echoes[i].range, echoes[i].signal, range_noise, signal_noise);
    detected[count].label = echoes[i].label;
    if (detected[count].amplitude > kThreshold) ++count;
  }
  const std::size_t kept = choose(model.mode, {detected, count}, out);
  for (std::size_t i = kept; i < 2; ++i) out[i] = {kInfinity, 0, 0};
  return kept;
}

std::size_t choose(ReturnMode mode, std::span<const Return> detected, Return (&out)[2]) {
  if (detected.empty()) return 0;
  const auto weaker = [](const Return& a, const Return& b) { return a.amplitude < b.amplitude; };
  const auto strongest = std::max_element(detected.begin(), detected.end(), weaker);
  switch (mode) {
    case ReturnMode::kFirst:
      out[0] = detected.front();
      return 1;
    case ReturnMode::kLast:
      out[0] = detected.back();
      return 1;
    case ReturnMode::kStrongest:
      out[0] = *strongest;
      return 1;
    case ReturnMode::kDual:
      break;
  }
  out[0] = *strongest;
  if (detected.size() == 1) return 1;
  out[1] = strongest + 1 == detected.end() ? *std::max_element(detected.begin(), strongest, weaker)
                                           : detected.back();
  return 2;
}

}  // namespace protobeam
