// `info vehicles`: the vehicles that there are, with their figures.
#pragma once

#include <string>
#include <vector>

namespace protobeam {

/// Prints those of the catalogue, of the current project and of `proto_path`, or the one of that name. The
/// exit code.
int show_vehicles(const std::string& name, const std::vector<std::string>& proto_path, bool json);

}  // namespace protobeam
