// libFuzzer: cmake --preset fuzz && cmake --build --preset fuzz, then
// build/fuzz/tests/parse_fuzz -dict=tests/fuzz/wbt.dict NEW_CORPUS tests/fuzz/corpus/texts
#include "tests/fuzz/load_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::wbt::load_bytes(data, size);
  return 0;
}
