// libFuzzer, as in parse_fuzz.cpp:
// build/fuzz/tests/urdf_fuzz -dict=tests/fuzz/urdf.dict NEW_CORPUS tests/fuzz/corpus/urdf
#include "tests/fuzz/urdf_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::urdf::read_bytes(data, size);
  return 0;
}
