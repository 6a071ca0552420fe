// What the worker gives up before it looks at foreign data.
#pragma once

namespace protobeam {

/// Ends the process with its parent, limits it to the descriptors that it has, to no files and no
/// core dumps. Call first.
void limit_resources();

/// From here on every thread of the process can compute, use memory, start threads, send signals to
/// this process, and read and write what is open; every other system call fails with EPERM. False
/// with errno when the kernel refuses the filter.
bool forbid_system_calls();

}  // namespace protobeam
