// TCP sockets of the link.
#pragma once

#include <string>

#include "base/descriptor.h"

namespace protobeam::link {

/// A listening socket that does not wait; closed (with errno) when the port is taken. Throws
/// std::runtime_error when the address is none of this machine.
Descriptor listen_tcp(const std::string& address, int port);
/// A connection; closed, with `problem`, when there is none.
Descriptor connect_tcp(const std::string& host, int port, std::string& problem);
/// Small messages at once; a machine that has gone is noticed.
void tune_tcp(int socket);

}  // namespace protobeam::link
