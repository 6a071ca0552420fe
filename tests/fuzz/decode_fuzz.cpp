// libFuzzer, as in parse_fuzz.cpp: build/fuzz/tests/decode_fuzz NEW_CORPUS tests/fuzz/corpus/messages
#include "tests/fuzz/decode_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::link::decode_bytes(data, size);
  return 0;
}
