#include "geometry/model_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

/// The user's cache is a folder of the test's, while this lives.
class OwnCache {
 public:
  OwnCache() {
    setenv("PROTOBEAM_CACHE", folder_.path().c_str(), 1);
    setenv("PROTOBEAM_DERIVED_CACHE", "1", 1);
  }
  ~OwnCache() {
    unsetenv("PROTOBEAM_CACHE");
    setenv("PROTOBEAM_DERIVED_CACHE", "0", 1);  // as model_file_test.cpp has it
  }
  const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

using Files = std::map<std::string, std::string>;
FileByName from(const Files& files) {
  return [&files](const std::string& name) -> std::optional<std::string> {
    const auto file = files.find(name);
    if (file == files.end()) return std::nullopt;
    return file->second;
  };
}

const std::string kName = "/models/box.obj", kBytes = "mtllib box.mtl";
const ModelCache::Model kBox{kName, kBytes, true};

TEST(ModelCache, GivesWhatWasMadeOfTheSameFile) {
  const OwnCache own;
  const Files none;
  ModelCache().store(kBox, {}, bytes_of("a box"));
  const ModelCache cache;
  EXPECT_EQ(cache.find(kBox, from(none)), "a box");
  EXPECT_FALSE(cache.find({kName, kBytes, false}, from(none)));
  EXPECT_FALSE(cache.find({kName, "mtllib cat.mtl", true}, from(none)));
  EXPECT_FALSE(cache.find({"/models/cat.obj", kBytes, true}, from(none)));
}

TEST(ModelCache, ForgetsItWhenAnotherFileThatItNamesHasChanged) {
  const OwnCache own;
  Files files{{"/models/box.mtl", "newmtl red"}};
  const std::vector<ModelCache::Other> asked = {{"/models/box.mtl", "newmtl red"},
                                                {"/models/gone", {}}};
  ModelCache().store(kBox, asked, bytes_of("a red box"));
  const ModelCache cache;
  EXPECT_EQ(cache.find(kBox, from(files)), "a red box");
  files["/models/gone"] = "";
  EXPECT_FALSE(cache.find(kBox, from(files))) << "it was not there";
  files.erase("/models/gone");
  files["/models/box.mtl"] = "newmtl blue";
  EXPECT_FALSE(cache.find(kBox, from(files)));
  files.clear();
  EXPECT_FALSE(cache.find(kBox, from(files)));
}

TEST(ModelCache, ForgetsWhatAnotherWorkerHasMade) {
  const OwnCache own;
  const TemporaryFolder folder;
  const Files none;
  const auto worker = folder.write("worker", "#!/bin/sh\n");
  fs::permissions(worker, fs::perms::owner_all);
  setenv("PROTOBEAM_WORKER", worker.c_str(), 1);
  ModelCache().store(kBox, {}, bytes_of("a box"));
  EXPECT_TRUE(ModelCache().find(kBox, from(none)));
  std::ofstream(worker, std::ios::app) << "# another\n";
  EXPECT_FALSE(ModelCache().find(kBox, from(none)));
  unsetenv("PROTOBEAM_WORKER");
}

TEST(ModelCache, DoesNotGiveWhatIsDamaged) {
  const OwnCache own;
  const Files none;
  ModelCache().store(kBox, {}, bytes_of("a box"));
  for (const auto& entry : fs::recursive_directory_iterator(own.path())) {
    if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() - 1);
  }
  EXPECT_FALSE(ModelCache().find(kBox, from(none)));
}

}  // namespace
}  // namespace protobeam
