#include "assets/derived_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST(DerivedCache, GivesWhatWasStored) {
  const TemporaryFolder folder;
  const std::string bytes("text with\0a zero", 16);
  DerivedCache(folder.path()).store("key", bytes);
  EXPECT_EQ(DerivedCache(folder.path()).find("key"), bytes);
  EXPECT_FALSE(DerivedCache(folder.path()).find("another key"));
  DerivedCache cache(folder.path());
  cache.store("key", "");
  EXPECT_EQ(cache.find("key"), "");
}

TEST(DerivedCache, DoesNotGiveWhatIsDamaged) {
  const TemporaryFolder folder;
  DerivedCache cache(folder.path());
  cache.store("key", std::string(1000, 'a'));
  const auto files = entries(folder.path());
  ASSERT_EQ(files.size(), 1u);
  const auto size = fs::file_size(files[0]);
  for (std::uintmax_t at = 0; at < size; at += 7) {
    cache.store("key", std::string(1000, 'a'));
    std::fstream file(files[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put('#');
    file.close();
    EXPECT_FALSE(cache.find("key")) << "byte " << at;
  }
  for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{10}, size - 1}) {
    cache.store("key", std::string(1000, 'a'));
    fs::resize_file(files[0], left);
    EXPECT_FALSE(cache.find("key")) << left << " bytes left";
  }
  cache.store("key", "new");
  EXPECT_EQ(cache.find("key"), "new");
}

TEST(DerivedCache, StaysWithinItsLimit) {
  const TemporaryFolder folder;
  using namespace std::chrono_literals;
  for (int i = 0; i < 20; ++i) {
    // A program each: it looks at the folder when it stores for the first time.
    DerivedCache cache(folder.path(), 10'000);
    cache.store(std::to_string(i), std::string(1000, 'a'));
    for (const fs::path& file : entries(folder.path()))
      fs::last_write_time(file, fs::last_write_time(file) - 1s);
  }
  std::uintmax_t total = 0;
  for (const fs::path& file : entries(folder.path())) total += fs::file_size(file);
  EXPECT_LE(total, 10'000u);
  EXPECT_GE(total, 5'000u);
  DerivedCache cache(folder.path(), 10'000);
  EXPECT_TRUE(cache.find("19"));
  EXPECT_FALSE(cache.find("0"));
}

TEST(DerivedCache, CannotBeWrittenAndSaysNothing) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  DerivedCache cache(folder.path() / "file");
  cache.store("key", "bytes");
  EXPECT_FALSE(cache.find("key"));
  DerivedCache none{fs::path()};
  none.store("key", "bytes");
  EXPECT_FALSE(none.find("key"));
}

TEST(DerivedCache, IsSharedByManyAtOnce) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      DerivedCache cache(folder.path(), 20'000);
      for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string(i % 10);
        const std::string bytes(1000 + static_cast<std::size_t>(i % 10), 'x');
        cache.store(key, bytes);
        const auto found = cache.find(key);
        if (found && *found != bytes) ++wrong[static_cast<std::size_t>(t)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace protobeam
