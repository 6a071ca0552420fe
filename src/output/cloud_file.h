// One sweep as a file: PCD, PLY, CSV, NPY. Each is written whole or not at all (a temporary file
// that is renamed).
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "output/sweep.h"

namespace protobeam {

enum class CloudFormat { kPcdBinary, kPcdAscii, kPly, kCsv, kNpy };

/// Beams are layer by layer, `layers * columns` of them, and then second returns (return_number 2),
/// if there are any. PCD, PLY and NPY hold the returns only
/// (x y z intensity ring time, float32 and uint16; NPY: float32 [n][6] in that order); their time is
/// in seconds after the sweep's start, which headers of PCD and PLY have with all digits. CSV holds
/// one row a beam or second return, `layer,column,azimuth,elevation,range,x,y,z,time,intensity`,
/// misses as inf, with the simulated time in double.
/// Numbers in text have enough digits to give the same float back.
/// Throws std::runtime_error ("cannot write out/a.pcd: No space left on device"); nothing is left.
void write_cloud(const std::filesystem::path& path, CloudFormat format, const TimedSweep& sweep,
                 const SweepSource& source);

/// By the file name's ending; throws std::invalid_argument that lists the known ones.
CloudFormat cloud_format(const std::filesystem::path& path, bool ascii);

}  // namespace protobeam
