// Processes that the programs we started have left behind.
#pragma once

#include <string>

namespace protobeam {

/// From now on such processes become our children when their parent ends, also those that have a
/// session of their own (setsid). Linux: PR_SET_CHILD_SUBREAPER.
void adopt_strays();

/// Kills and reaps the processes that we have adopted and whose environment, as it was when their
/// program started, holds `variable` ("NAME=value"); all that we have adopted when it is empty. What
/// they have started goes with them. Children of ours that no ChildProcess knows count as adopted.
void end_strays(const std::string& variable = {});

}  // namespace protobeam
