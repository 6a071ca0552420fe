// Every file of the corpus, and every beginning of it, loads without a crash.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/load_bytes.h"

namespace protobeam::wbt {
namespace {

TEST(FuzzCorpus, files_and_their_beginnings_do_no_harm) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PROTOBEAM_SOURCE_DIR "/tests/fuzz/corpus")) {
    SCOPED_TRACE(entry.path());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (std::size_t size = 0; size <= text.size(); size += size < 64 ? 1 : 7) {
      load_bytes(reinterpret_cast<const std::uint8_t*>(text.data()), size);
    }
    load_bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    ++files;
  }
  EXPECT_GE(files, 8);
}

}  // namespace
}  // namespace protobeam::wbt
