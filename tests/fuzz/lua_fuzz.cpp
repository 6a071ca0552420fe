// libFuzzer: cmake --preset fuzz && cmake --build --preset fuzz, then
// build/fuzz/tests/lua_fuzz -dict=tests/fuzz/lua.dict NEW_CORPUS tests/fuzz/corpus/lua
#include "tests/fuzz/lua_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protobeam::wbt::render_lua_bytes(data, size);
  return 0;
}
