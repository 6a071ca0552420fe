#include "sweep/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/libm.h"
#include "base/rng.h"

namespace protobeam::sweep {
namespace {

enum Stream : std::uint32_t { kValue, kOrder };

/// 64 random bits. By the parameter's name: those of one stay when another comes or goes.
std::uint64_t random_bits(std::uint64_t seed, const std::string& name, Stream stream,
                          std::uint32_t index) {
  const auto words =
      philox4x32({index, stream, hash32(name.data(), name.size()), 0x7357eedu},
                 {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return static_cast<std::uint64_t>(words[0]) << 32 | words[1];
}

/// In (0, 1).
double share_of(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// 0 to count - 1 in random order: Fisher and Yates.
std::vector<std::uint32_t> random_order(std::uint64_t seed, const std::string& name,
                                        std::uint32_t count) {
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  for (std::uint32_t i = count; i > 1; --i) {
    const auto high = random_bits(seed, name, kOrder, i) >> 32;
    std::swap(order[i - 1], order[static_cast<std::size_t>(high * i >> 32)]);
  }
  return order;
}

bool is_random(const Parameter& parameter) {
  return parameter.source != Parameter::Source::kGrid &&
         parameter.source != Parameter::Source::kList;
}

}  // namespace

double normal_quantile(double share) {
  // P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function",
  // 2003.
  constexpr std::array a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                         1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array b{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                         6.680131188771972e+01, -1.328068155288572e+01};
  constexpr std::array c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                         -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                         3.754408661907416e+00};
  constexpr double kTail = 0.02425;
  if (share > 1 - kTail) return -normal_quantile(1 - share);
  if (share < kTail) {
    const double q = std::sqrt(-2 * libm::log(share));
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  }
  const double q = share - 0.5, r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

Design::Design(const Description& description) : description_(description) {
  const auto times = [](std::int64_t& runs, std::size_t count) {
    if (count > static_cast<std::size_t>(kMostRuns) ||
        runs > kMostRuns / static_cast<std::int64_t>(count)) {
      throw std::invalid_argument(fmt::format("this sweep has more than {} runs", kMostRuns));
    }
    runs *= static_cast<std::int64_t>(count);
  };
  for (const Parameter& parameter : description.parameters) {
    if (parameter.source == Parameter::Source::kGrid) times(grid_, parameter.values.size());
  }
  runs_ = grid_;
  if (!description.list.empty()) times(runs_, description.list.size());
  const Samples& samples = description.samples;
  if (samples.count > 0) times(runs_, samples.count);
  strata_.resize(description.parameters.size());
  if (!samples.latin_hypercube) return;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    const Parameter& parameter = description.parameters[i];
    if (!is_random(parameter)) continue;
    strata_[i] =
        random_order(samples.seed, parameter.name, static_cast<std::uint32_t>(samples.count));
  }
}

std::vector<std::string> Design::values(std::int64_t run) const {
  if (run < 0 || run >= runs_) throw std::out_of_range(fmt::format("there is no run {}", run));
  std::int64_t point = run % grid_, rest = run / grid_;
  const auto samples =
      static_cast<std::int64_t>(std::max<std::size_t>(1, description_.samples.count));
  const auto sample = static_cast<std::uint32_t>(rest % samples);
  const auto entry = static_cast<std::size_t>(rest / samples);
  const std::size_t count = description_.parameters.size();
  std::vector<std::string> out(count);
  std::size_t listed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = description_.parameters[i];
    if (parameter.source == Parameter::Source::kList) {
      out[i] = description_.list[entry][listed++];
    } else if (is_random(parameter)) {
      out[i] = sampled(i, sample);
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    const Parameter& parameter = description_.parameters[i];
    if (parameter.source != Parameter::Source::kGrid) continue;
    const auto size = static_cast<std::int64_t>(parameter.values.size());
    out[i] = parameter.values[static_cast<std::size_t>(point % size)];
    point /= size;
  }
  return out;
}

std::string Design::sampled(std::size_t index, std::uint32_t sample) const {
  const Parameter& parameter = description_.parameters[index];
  const Samples& samples = description_.samples;
  double share = share_of(random_bits(samples.seed, parameter.name, kValue, sample));
  if (samples.latin_hypercube) {
    share = (strata_[index][sample] + share) / static_cast<double>(samples.count);
  }
  const double low = parameter.first, high = parameter.second;
  double value = 0;
  if (parameter.source == Parameter::Source::kNormal) {
    value = low + high * normal_quantile(std::clamp(share, 0x1p-53, 1 - 0x1p-53));
    if (parameter.whole) value = std::round(value);
  } else if (parameter.source == Parameter::Source::kLogUniform) {
    value = low * libm::exp(share * libm::log(high / low));
    if (parameter.whole) value = std::round(value);
  } else if (parameter.whole) {
    const double first = std::ceil(low), last = std::floor(high);
    value = std::clamp(first + std::floor(share * (last - first + 1)), first, last);
  } else {
    value = low + share * (high - low);
  }
  if (parameter.whole) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{:.12g}", value);
}

}  // namespace protobeam::sweep
