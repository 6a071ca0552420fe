// Archives that somebody on the web has made.
#include "assets/unpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "assets/asset_cache.h"
#include "assets/asset_store.h"
#include "base/archived_file.h"
#include "base/whole_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip.h"

namespace protobeam {
namespace {

using test::zip_of;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Unpack : public testing::Test {
 protected:
  std::string problem(const std::string& bytes, const UnpackLimits& limits = {}) {
    try {
      unpack_zip(bytes, folder_ / "out", limits);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  std::string text(const std::string& file) { return read_whole_file(folder_ / file, 1 << 20); }

  TemporaryFolder folder_;
};

TEST_F(Unpack, WritesTheFilesOfAnArchive) {
  EXPECT_EQ(problem(zip_of({{"model.sdf", "<sdf/>"},
                            {"meshes/", "", 0040755},
                            {"meshes/deep/a b.stl", std::string(100'000, 'x')},
                            {"empty", ""}})),
            "");
  EXPECT_EQ(text("out/model.sdf"), "<sdf/>");
  EXPECT_EQ(text("out/meshes/deep/a b.stl"), std::string(100'000, 'x'));
  EXPECT_EQ(text("out/empty"), "");
}

TEST_F(Unpack, WritesNothingOutsideOfItsFolder) {
  for (const char* name : {"../evil", "a/../../evil", "/tmp/evil", "..\\evil", "a/..\\..\\evil"}) {
    EXPECT_THAT(problem(zip_of({{name, "x"}})), HasSubstr("which is not in it")) << name;
    EXPECT_FALSE(fs::exists(folder_ / "evil")) << name;
  }
  EXPECT_THAT(problem(zip_of({{"link", "/etc", 0120777}, {"link/evil", "x"}})),
              HasSubstr("has a link or a device: 'link'"));
}

TEST_F(Unpack, UnpacksAllOrNothing) {
  const fs::path folder = folder_ / "deep/all";
  const auto bad = [](const fs::path& unpacked) {
    EXPECT_TRUE(fs::exists(unpacked / "a.txt"));
    throw std::runtime_error("not these");
  };
  EXPECT_THROW(unpack_zip_whole(zip_of({{"a.txt", "x"}}), folder, bad), std::runtime_error);
  EXPECT_THROW(unpack_zip_whole(zip_of({{"a.txt", "x"}, {"../evil", "x"}}), folder),
               std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder_ / "deep"));
  unpack_zip_whole(zip_of({{"a.txt", "x"}}), folder);
  EXPECT_EQ(text("deep/all/a.txt"), "x");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "deep"), {}), 1);
}

TEST_F(Unpack, HasLimits) {
  const std::string zip = zip_of({{"a", std::string(600, 'x')}, {"b", std::string(500, 'x')}});
  EXPECT_THAT(problem(zip, {1000, 10}), HasSubstr("too many bytes"));
  EXPECT_THAT(problem(zip, {10'000, 1}), HasSubstr("more than 1 files"));
  EXPECT_EQ(problem(zip, {1100, 2}), "");
}

TEST_F(Unpack, SaysWhatIsNoArchive) {
  for (const std::string& bytes :
       {std::string(), std::string("<html>404</html>"), std::string(1000, '\0')})
    EXPECT_THAT(problem(bytes), HasSubstr("no archive that can be unpacked")) << bytes;
  std::string damaged = zip_of({{"a", std::string(600, 'x')}});
  damaged[100] = 'y';
  EXPECT_THAT(problem(damaged), HasSubstr("no archive that can be unpacked"));
  damaged.resize(300);
  EXPECT_NE(problem(damaged), "");
}

TEST_F(Unpack, OfTheCacheIsDoneOnceAndAgainWhenItIsGone) {
  const AssetCache cache(folder_ / "cache");
  const std::string zip = zip_of({{"a/b.txt", "hello"}});
  const std::string hash = cache.store(zip);
  const fs::path where = cache.unpacked(hash, zip.size());
  EXPECT_EQ(read_whole_file(where / "a/b.txt", 100), "hello");
  fs::remove(cache.path(hash));
  EXPECT_EQ(cache.unpacked(hash, zip.size()), where);
  fs::remove_all(where);
  EXPECT_THROW(cache.unpacked(hash, zip.size()), std::runtime_error);
  cache.store(zip);
  EXPECT_EQ(cache.unpacked(hash, zip.size()), where);
  // One that cannot be unpacked leaves nothing.
  const std::string evil = zip_of({{"ok", "x"}, {"../evil", "x"}});
  EXPECT_THROW(cache.unpacked(cache.store(evil), evil.size()), std::runtime_error);
  for (const auto& entry : fs::recursive_directory_iterator(cache.folder() / "unpacked"))
    EXPECT_NE(entry.path().filename(), "ok");
}

TEST_F(Unpack, OfTheCacheIsVerified) {
  const AssetCache cache(folder_ / "cache");
  const std::string zip = zip_of({{"a/b.txt", "hello"}, {"c\nd", "x"}});
  const std::string hash = cache.store(zip);
  const fs::path where = cache.unpacked(hash, zip.size());
  const auto damage = [&] {
    try {
      cache.unpacked(hash, zip.size());
      return std::string();
    } catch (const std::runtime_error& problem) {
      return std::string(problem.what());
    }
  };
  const auto in = [&](const std::string& what) {
    return "its content in the cache is damaged: in " + where.string() + " " + what;
  };
  const auto mended = [&] {
    EXPECT_EQ(cache.unpacked_again(hash, zip.size()), where);
    EXPECT_EQ(read_whole_file(where / "a/b.txt", 100), "hello");
    return damage();
  };
  EXPECT_EQ(damage(), "");
  write_whole_file(where / "a/b.txt", "hullo");
  EXPECT_EQ(damage(), in("a/b.txt has been changed"));
  EXPECT_EQ(mended(), "");
  write_whole_file(where / "a/b.txt", "hello");
  EXPECT_EQ(damage(), "") << "as it was, with another time";
  write_whole_file(where / "a/b.txt", "hell");
  EXPECT_EQ(damage(), in("a/b.txt has been changed"));
  EXPECT_EQ(mended(), "");
  fs::remove(where / "c\nd");
  EXPECT_EQ(damage(), in("c\nd is gone"));
  EXPECT_EQ(mended(), "");
  write_whole_file(where / "a/e", "");
  EXPECT_EQ(damage(), in("a/e is new"));
  EXPECT_EQ(mended(), "");
  fs::create_symlink("/etc/hostname", where / "f");
  EXPECT_EQ(damage(), in("f is no file"));
  EXPECT_EQ(mended(), "");
  write_whole_file(where / ".protobeam_files", "x");
  EXPECT_EQ(damage(), in("the list of its files is damaged"));
  EXPECT_EQ(mended(), "");
}

TEST_F(Unpack, OfTheCacheMayBeDoneByManyAtOnce) {
  const AssetCache cache(folder_ / "cache");
  std::vector<test::ZipEntry> entries;
  for (int i = 0; i < 200; ++i)
    entries.push_back({"d/" + std::to_string(i), std::string(5000, 'x')});
  const std::string zip = zip_of(entries), hash = cache.store(zip);
  std::atomic<int> whole = 0;
  std::vector<std::jthread> threads;
  for (int k = 0; k < 8; ++k) {
    threads.emplace_back([&] {
      const fs::path where = cache.unpacked(hash, zip.size());
      int files = 0;
      for (const auto& file : fs::directory_iterator(where / "d"))
        files += file.file_size() == 5000;
      whole += files == 200;
    });
  }
  threads.clear();
  EXPECT_EQ(whole, 8);
  const fs::path parent = cache.unpacked(hash, zip.size()).parent_path();
  EXPECT_EQ(std::distance(fs::directory_iterator(parent), fs::directory_iterator()), 1)
      << "nothing is left beside it";
}

struct Address {
  const char *text, *archive, *inner;
};

TEST(ArchivedFile, IsAPartOfAZipOrOfAModelOfFuel) {
  const Address all[] = {
      {"https://a.org/m/x.zip/in/a b.dae", "https://a.org/m/x.zip", "in/a b.dae"},
      {"https://a.org/m/x.zip/../y.dae", nullptr, ""},
      {"https://a.org/m/x.zip", nullptr, ""},
      {"file:///m/x.zip/y.dae", nullptr, ""},
      {"https://a.org/x.zip/y.dae?v=1", nullptr, ""},
      {"https://fuel.gazebosim.org/1.0/Own Er/models/Red Chair",
       "https://fuel.gazebosim.org/1.0/Own%20Er/models/Red%20Chair/tip/Red%20Chair.zip", ""},
      {"https://fuel.ignitionrobotics.org/openrobotics/models/Cave/3/",
       "https://fuel.ignitionrobotics.org/1.0/openrobotics/models/Cave/3/Cave.zip", ""},
      {"https://fuel.gazebosim.org/1.0/o/models/Cave/tip/files/meshes/a%20b.dae",
       "https://fuel.gazebosim.org/1.0/o/models/Cave/tip/Cave.zip", "meshes/a b.dae"},
      {"http://127.0.0.1:80/1.0/o/models/Cave",
       "http://127.0.0.1:80/1.0/o/models/Cave/tip/Cave.zip", ""},
      {"https://a.org/o/models/Cave", nullptr, ""},
      {"https://a.org/1.2/assets/models/tote.dae", nullptr, ""},
      {"https://fuel.gazebosim.org/1.0/o/worlds/Cave", nullptr, ""},
      {"https://fuel.gazebosim.org/1.0/o/models", nullptr, ""},
      {"https://fuel.gazebosim.org/1.0/o/models/Cave/old/meshes/a.dae", nullptr, ""},
      {"models/Cave", nullptr, ""},
  };
  for (const Address& one : all) {
    const auto found = archived_file(one.text);
    EXPECT_EQ(found.has_value(), one.archive != nullptr) << one.text;
    if (!found || !one.archive) continue;
    EXPECT_EQ(found->archive, one.archive);
    EXPECT_EQ(found->inner, one.inner) << one.text;
  }
}

// gz-fuel-tools, src/FuelClient.cc: regular expressions of addresses, and DownloadWorld.
TEST(ArchivedFile, IsAWorldOfFuel) {
  const std::string fuel = "https://fuel.gazebosim.org/";
  EXPECT_EQ(archive_of_world(fuel + "1.0/Open Robotics/worlds/Shape s"),
            fuel + "1.0/Open%20Robotics/worlds/Shape%20s/tip/Shape%20s.zip");
  EXPECT_EQ(archive_of_world(fuel + "o/worlds/Empty/3/"), fuel + "1.0/o/worlds/Empty/3/Empty.zip");
  for (const char* other : {"1.0/o/models/Cave", "1.0/o/worlds", "1.0/o/worlds/Empty/3/files/a.sdf",
                            "1.0/o/worlds/Empty/3/thumbnails/1.png", "1.0/o/worlds/Empty?v=1"})
    EXPECT_EQ(archive_of_world(fuel + other), "") << other;
  EXPECT_EQ(archive_of_world("worlds/empty.sdf"), "");
}

TEST(FetchedFile, IsBelowTheArchiveThatTheLockFileNames) {
  const TemporaryFolder folder;
  const AllowedFilesScope scope;
  const AssetCache cache(folder / "cache");
  const std::string zip = zip_of({{"model.sdf", "<sdf/>"}});
  LockFile lock;
  const std::string archive = "https://fuel.gazebosim.org/1.0/o/models/Cave/tip/Cave.zip";
  lock.assets[archive] = {cache.store(zip), zip.size(), archive};
  set_addressed_files(std::make_shared<AssetStore>("w.sdf", lock, cache, std::nullopt));
  const std::string model = "https://fuel.gazebosim.org/1.0/o/models/Cave";
  EXPECT_EQ(read_whole_file(fetched_file(model) / "model.sdf", 100), "<sdf/>");
  EXPECT_EQ(read_whole_file(fetched_file(model + "/tip/files/model.sdf"), 100), "<sdf/>");
  EXPECT_THROW(fetched_file(model + "/tip/files/a.dae"), AddressError);
  EXPECT_EQ(fetched_file("https://fuel.gazebosim.org/1.0/o/models/Hill"), "");
  EXPECT_EQ(fetched_file("https://a.org/a.dae"), "");
  set_addressed_files(nullptr);
  EXPECT_EQ(fetched_file(model), "");
}

}  // namespace
}  // namespace protobeam
