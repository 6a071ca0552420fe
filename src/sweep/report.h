// What came of a sweep, as files: a table of all runs, one of those that failed, and plots.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/manifest.h"
#include "sweep/statistics.h"

namespace protobeam::sweep {

struct Report {
  Counts counts;
  std::vector<std::string> files;  ///< that were written
  std::vector<Curve> curves;       ///< of each metric over each parameter that is no seed
  std::vector<Row> failures;       ///< the first hundred of them
  std::vector<Difference> differences;
};

/// runs.csv, failures.csv, curves.csv and METRIC-PARAMETER.svg into `out`. Throws
/// std::runtime_error when a file cannot be written.
Report write_report(const Manifest& manifest, const std::filesystem::path& out);

}  // namespace protobeam::sweep
