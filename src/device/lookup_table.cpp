#include "device/lookup_table.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace protobeam {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream message;
  message << "lookupTable ";
  (message << ... << parts);
  throw std::invalid_argument(message.str());
}

}  // namespace

LookupTable::LookupTable(const std::vector<double>& numbers) {
  if (numbers.size() % 3 != 0) {
    fail("has ", numbers.size(), " numbers; it is made of triples: input, output, relative noise");
  }
  rows_.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const Row row{numbers[i], numbers[i + 1], numbers[i + 2]};
    if (!rows_.empty() && row.input < rows_.back().input) ascending_ = false;
    if (row.noise < 0) fail("noise must be >= 0, not ", row.noise, " (at input ", row.input, ")");
    rows_.push_back(row);
  }
}

std::vector<double> LookupTable::numbers() const {
  std::vector<double> out;
  out.reserve(3 * rows_.size());
  for (const Row& row : rows_) out.insert(out.end(), {row.input, row.output, row.noise});
  return out;
}

double LookupTable::sample(double input, const NoiseKey& key, std::uint64_t index) const {
  const Row row = at(input);
  if (row.noise == 0) return row.output;
  return row.output * (1.0 + row.noise * gaussian(key, index));
}

double LookupTable::max_input() const { return rows_.empty() ? kInfinity : rows_.back().input; }

double LookupTable::input_of(double output) const {
  if (rows_.empty()) return output;
  double nearest = kInfinity, best = rows_.front().input;
  const auto consider = [&](double input, double at) {
    const double off = std::abs(at - output);
    if (!(off < nearest)) return;
    nearest = off;
    best = input;
  };
  for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
    const Row &from = rows_[i], &to = rows_[i + 1];
    const double rise = to.output - from.output;
    const double part = rise == 0 ? 0 : std::clamp((output - from.output) / rise, 0.0, 1.0);
    consider(from.input + part * (to.input - from.input), from.output + part * rise);
  }
  consider(rows_.back().input, rows_.back().output);
  return best;
}

double LookupTable::min_output() const {
  if (rows_.empty()) return 0;
  return std::min_element(rows_.begin(), rows_.end(),
                          [](const Row& a, const Row& b) { return a.output < b.output; })
      ->output;
}

double LookupTable::max_output() const {
  if (rows_.empty()) return kInfinity;
  return std::max_element(rows_.begin(), rows_.end(),
                          [](const Row& a, const Row& b) { return a.output < b.output; })
      ->output;
}

/// The upper one of two neighbours, the input of the lower one being at most `input`, that of the
/// upper one more: the first row has less, the last one has more.
std::size_t LookupTable::bisected(double input) const {
  std::size_t low = 0, high = rows_.size() - 1;
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    (input < rows_[middle].input ? high : low) = middle;
  }
  return high;
}

LookupTable::Row LookupTable::at(double input) const {
  if (rows_.empty()) return {input, input, 0};
  if (!ascending_) {
    if (input <= rows_.front().input) return rows_.front();
    if (input >= rows_.back().input) return rows_.back();
  }
  const auto after = ascending_
                         ? std::upper_bound(rows_.begin(), rows_.end(), input,
                                            [](double x, const Row& row) { return x < row.input; })
                         : rows_.begin() + static_cast<std::ptrdiff_t>(bisected(input));
  if (after == rows_.begin()) return rows_.front();
  if (after == rows_.end()) return rows_.back();
  const Row& low = *(after - 1);
  const double t = (input - low.input) / (after->input - low.input);
  return {input, low.output + t * (after->output - low.output),
          low.noise + t * (after->noise - low.noise)};
}

}  // namespace protobeam
