// How a sweep is and what came of it, for the terminal and for programs: `sweep status`, `sweep
// report`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sweep/manifest.h"

namespace protobeam {

nlohmann::json json_of(const sweep::Counts& counts);
/// "180 of 200 runs done, 3 failed, 17 missing; 2.31 s a run"
std::string text_of(const sweep::Counts& counts);

int show_sweep_status(const std::string& folder, bool json);
int gather_sweep(const std::string& folder);
/// `into`: where the files go; "": FOLDER/report.
int report_sweep(const std::string& folder, const std::string& into, bool json);

}  // namespace protobeam
