// Smoothing of terrains.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace protobeam {

/// What a kernel may have along a side.
inline constexpr std::size_t kMostKernelSide = 31;
/// The greatest of its numbers; those that sharpen have 10 or so.
inline constexpr double kMostWeight = 100;
/// Of heights and numbers of a kernel: some seconds.
inline constexpr double kMostProducts = 4e9;

/// "" or why the numbers are no kernel for so many heights, as the end of a sentence that begins
/// with its name: they must be an odd number of rows of as many, three or more, each from -100 to
/// 100, and their sum 1 within 0.005.
std::string why_no_kernel(std::span<const double> kernel, std::size_t heights);

/// Heights row by row; each becomes the sum of those around it, times the numbers of the kernel,
/// whose rows lie as those of the heights do. Beyond the edges there is nothing to add, so that
/// heights near them are nearer to 0.
std::vector<double> filtered(std::span<const double> heights, std::size_t columns,
                             std::span<const double> kernel);

}  // namespace protobeam
