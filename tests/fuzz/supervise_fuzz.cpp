// libFuzzer: cmake --preset fuzz && cmake --build --preset fuzz, then
// build/fuzz/tests/supervise_fuzz -max_len=600 NEW_CORPUS
#include "tests/fuzz/supervise_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::supervise_bytes(data, size);
  return 0;
}
