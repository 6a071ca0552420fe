#include "sweep/statistics.h"

#include <array>
#include <cmath>
#include <limits>

namespace protobeam::sweep {

void Sample::add(double value) {
  ++count_;
  const double off = value - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (value - mean_);
}

double Sample::deviation() const {
  return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : 0;
}

double Sample::half_width() const {
  if (count_ < 2) return std::numeric_limits<double>::infinity();
  return student_quantile(count_ - 1) * deviation() / std::sqrt(static_cast<double>(count_));
}

double student_quantile(std::int64_t degrees_of_freedom) {
  // M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", table 26.10; from 11 on by its
  // expansion 26.7.5.
  constexpr std::array kTable{12.706, 4.303, 3.182, 2.776, 2.571,
                              2.447,  2.365, 2.306, 2.262, 2.228};
  if (degrees_of_freedom < 1) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<std::size_t>(degrees_of_freedom);
  if (n <= kTable.size()) return kTable[n - 1];
  constexpr double z = 1.959963984540054, z2 = z * z;
  const double count = static_cast<double>(degrees_of_freedom);
  const double first = (z2 + 1) * z / 4;
  const double second = ((5 * z2 + 16) * z2 + 3) * z / 96;
  const double third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
  return z + (first + (second + third / count) / count) / count;
}

}  // namespace protobeam::sweep
