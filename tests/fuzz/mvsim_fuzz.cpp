// libFuzzer, as in parse_fuzz.cpp:
// build/fuzz/tests/mvsim_fuzz -dict=tests/fuzz/mvsim.dict NEW_CORPUS tests/fuzz/corpus/mvsim
#include "tests/fuzz/mvsim_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::mvsim::load_bytes(data, size);
  return 0;
}
