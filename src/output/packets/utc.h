// Simulated time as date and time of day (packets.h).
#pragma once

#include <string>

namespace protobeam {

struct Utc {
  int year, month, day, hour, minute, second;
};

/// Whole seconds of it.
Utc utc(double time);

/// "$GPRMC,000001,A,0000.0000,N,00000.0000,E,000.0,000.0,010100,000.0,E*77\r\n" without an offset
/// of the magnetic north: a receiver at 0 N 0 E that stands still.
std::string gprmc(double time);

}  // namespace protobeam
