// What the template worker gives up before it runs foreign code.
#pragma once

namespace protobeam::wbt {

/// Ends the process with its parent, limits it to the descriptors that it has, to no files and no
/// core dumps. Call first.
void limit_resources();

/// From here on the process can compute, use memory, start threads, and read and write what is
/// open; every other system call fails with EPERM. False when the kernel refuses the filter.
bool forbid_system_calls();

}  // namespace protobeam::wbt
