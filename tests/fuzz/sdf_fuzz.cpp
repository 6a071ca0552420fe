// libFuzzer, as in parse_fuzz.cpp:
// build/fuzz/tests/sdf_fuzz -dict=tests/fuzz/sdf.dict NEW_CORPUS tests/fuzz/corpus/sdf
#include "tests/fuzz/sdf_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::sdf::read_bytes(data, size);
  return 0;
}
