// What a run does for programs that control it from outside.
#pragma once

#include "app/run_arguments.h"
#include "publish/control_host.h"

namespace protobeam {

/// All but `changed` and `publisher`. `arguments` must outlive it; `lenient` is that of the world
/// that there is, whenever it is asked for.
ControlHost control_host(const RunArguments& arguments, std::function<bool()> lenient);

/// Of LoadWorld, for a world with these diagnostics.
std::uint8_t load_world_code(const Diagnostics& diagnostics);

}  // namespace protobeam
