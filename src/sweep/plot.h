// A metric over a parameter as a picture: SVG, without a library.
#pragma once

#include <string>

#include "sweep/statistics.h"

namespace protobeam::sweep {

/// Means as a line, with the band in which they lie with 95 % confidence; bars where the parameter
/// is no number.
std::string plot_svg(const Curve& curve);

/// Round numbers from `low` to `high` (at most some eight of them), for an axis.
std::vector<double> ticks(double low, double high);

}  // namespace protobeam::sweep
