// How much memory a world may take: a few bytes of text can ask for more than the machine has.
#pragma once

#include <cstddef>
#include <string>

namespace protobeam {

/// Half of the machine's memory, or of the container's where that is less (cgroup v2, memory.max).
double default_memory_budget();

/// Bytes that loading may take from now on; nothing is taken yet. For the whole process.
void set_memory_budget(double bytes);

/// Before `what` is made, which takes about so many bytes. Throws std::runtime_error ("36,000,000
/// points of an ElevationGrid take about 22.0 GB, ...") when the budget does not have them.
void take_memory(double bytes, const std::string& what);
/// What was taken is free again.
void give_memory_back(double bytes);
/// The system gets the pages of the heap that nothing is on: freed pieces stay with the process
/// otherwise, as long as one behind them is used. Takes milliseconds.
void return_free_memory();

/// Of a triangle that rays and bodies meet: the mesh and its trees, as measured (4.5 GB for a grid of
/// 2000 x 2000). Rays alone take about half.
inline constexpr double kBytesPerTriangle = 600;
/// Of a point of a height field: the height itself, and its share of the boxes around tiles.
inline constexpr double kBytesPerHeight = 16;

}  // namespace protobeam
