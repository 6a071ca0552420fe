#include "geometry/height_filter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace protobeam {
namespace {

/// 0: there is none.
std::size_t side_of(std::size_t numbers) {
  std::size_t side = 3;
  while (side * side < numbers) side += 2;
  return side * side == numbers ? side : 0;
}

}  // namespace

std::string why_no_kernel(std::span<const double> kernel, std::size_t heights) {
  const std::size_t side = side_of(kernel.size());
  if (side == 0) {
    return "wants an odd number of rows, 3 or more, of as many numbers, got " +
           std::to_string(kernel.size()) + " numbers";
  }
  if (side > kMostKernelSide) {
    return "has at most " + std::to_string(kMostKernelSide) + " rows, got " + std::to_string(side);
  }
  for (const double weight : kernel) {
    if (std::abs(weight) <= kMostWeight) continue;
    std::ostringstream text;
    text << "wants numbers from " << -kMostWeight << " to " << kMostWeight << ", got " << weight;
    return text.str();
  }
  const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.0);
  if (!(std::abs(sum - 1) < 5e-3)) {
    std::ostringstream text;
    text << "must have the sum 1, within 0.005, got " << sum;
    return text.str();
  }
  const double products = static_cast<double>(heights) * static_cast<double>(kernel.size());
  if (products > kMostProducts) {
    return "is too large for " + std::to_string(heights) + " heights: of both there are at most " +
           std::to_string(static_cast<long long>(kMostProducts)) + " products";
  }
  return {};
}

std::vector<double> filtered(std::span<const double> heights, std::size_t columns,
                             std::span<const double> kernel) {
  const auto width = static_cast<std::ptrdiff_t>(columns);
  const auto rows = static_cast<std::ptrdiff_t>(heights.size()) / width;
  const auto side = static_cast<std::ptrdiff_t>(side_of(kernel.size())), reach = side / 2;
  std::vector<double> out;
  out.reserve(heights.size());
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < width; ++j) {
      double sum = 0;
      for (auto row = std::max<std::ptrdiff_t>(0, i - reach); row <= std::min(rows - 1, i + reach);
           ++row) {
        for (auto column = std::max<std::ptrdiff_t>(0, j - reach);
             column <= std::min(width - 1, j + reach); ++column) {
          const auto in_kernel = (row - i + reach) * side + column - j + reach;
          sum += heights[static_cast<std::size_t>(row * width + column)] *
                 kernel[static_cast<std::size_t>(in_kernel)];
        }
      }
      out.push_back(sum);
    }
  }
  return out;
}

}  // namespace protobeam
