// Every file of the corpora, and every beginning of it, is read without a crash.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/decode_bytes.h"
#include "tests/fuzz/load_bytes.h"
#include "tests/fuzz/lua_bytes.h"
#include "tests/fuzz/mvsim_bytes.h"
#include "tests/fuzz/sdf_bytes.h"
#include "tests/fuzz/urdf_bytes.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

int replay(const char* corpus, void (*read)(const std::uint8_t*, std::size_t)) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           source_dir() + "/tests/fuzz/corpus/" + std::string(corpus))) {
    SCOPED_TRACE(entry.path());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t size = 0; size < text.size(); size += size < 64 ? 1 : 7) read(data, size);
    read(data, text.size());
    ++files;
  }
  return files;
}

TEST(FuzzCorpus, TextsAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("texts", wbt::load_bytes), 8);
}

TEST(FuzzCorpus, LuaTemplatesAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("lua", wbt::render_lua_bytes), 9);
}

TEST(FuzzCorpus, MvsimWorldsAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("mvsim", mvsim::load_bytes), 6);
}

TEST(FuzzCorpus, RobotsAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("urdf", urdf::read_bytes), 5);
}

TEST(FuzzCorpus, WorldsOfGazeboAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("sdf", sdf::read_bytes), 3);
}

TEST(FuzzCorpus, MessagesAndTheirBeginningsDoNoHarm) {
  EXPECT_GE(replay("messages", link::decode_bytes), 4);
}

}  // namespace
}  // namespace protobeam
