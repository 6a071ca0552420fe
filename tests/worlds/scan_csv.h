// The table that `scan --out FILE.csv` writes.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace protobeam::test {

struct Beam {
  int layer, column;
  double azimuth, elevation, range, x, y, z;
};

inline std::vector<Beam> read_csv(const std::filesystem::path& file) {
  std::istringstream in(read_bytes(file));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "layer,column,azimuth,elevation,range,x,y,z,time,intensity");
  std::vector<Beam> beams;
  while (std::getline(in, line)) {
    double v[10];
    const char* at = line.c_str();
    for (double& value : v) {
      char* end = nullptr;
      value = std::strtod(at, &end);
      at = *end == ',' ? end + 1 : end;
    }
    beams.push_back({int(v[0]), int(v[1]), v[2], v[3], v[4], v[5], v[6], v[7]});
  }
  return beams;
}

}  // namespace protobeam::test
