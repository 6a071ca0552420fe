#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "assets/asset_cache.h"
#include "assets/lock_file.h"
#include "assets/sha256.h"
#include "assets/webots_folder.h"
#include "base/address.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::HasSubstr;

// NIST's examples.
TEST(Sha256, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// RFC 3986, section 5.4.
TEST(Address, IsJoinedAsTheStandardSays) {
  const std::string base = "http://a/b/c/d;p?q";
  const std::pair<const char*, const char*> examples[] = {
      {"g", "http://a/b/c/g"},      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},    {"/g", "http://a/g"},
      {"g?y", "http://a/b/c/g?y"},  {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},  {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},      {"..", "http://a/b/"},
      {"../", "http://a/b/"},       {"../g", "http://a/b/g"},
      {"../..", "http://a/"},       {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"}, {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},       {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},    {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},   {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"}, {"http://x/g", "http://x/g"}};
  for (const auto& [url, expected] : examples)
    EXPECT_EQ(address_beside(base, url), expected) << url;
}

TEST(Address, OfWebotsFollowsTheRevisionOfTheFile) {
  EXPECT_EQ(address_beside(
                "https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/P.proto",
                "webots://projects/y.png"),
            "https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/y.png");
  EXPECT_EQ(address_beside("webots://projects/x/P.proto", "../y.png"), "webots://projects/y.png");
  EXPECT_EQ(normalized_address("webots://../../etc/passwd"), "webots://etc/passwd");
  EXPECT_EQ(web_address("webots://projects/y.png", "R2024a"),
            "https://raw.githubusercontent.com/cyberbotics/webots/R2024a/projects/y.png");
  EXPECT_FALSE(is_address("C:/windows/x.png"));
  EXPECT_FALSE(is_address("meshes/a.obj"));
}

LockFile parse(const std::string& text, std::string* messages = nullptr) {
  Diagnostics diagnostics;
  LockFile lock = LockFile::parse(std::make_shared<SourceText>("a.lock.json", text), diagnostics);
  if (messages) *messages = diagnostics.to_string();
  return lock;
}

LockFile sample() {
  LockFile lock;
  lock.assets["https://example.org/b.png"] = {sha256_hex("b"), 1, "https://example.org/b.png"};
  lock.assets["webots://a.proto"] = {sha256_hex("aa"), 2, "https://example.org/a.proto"};
  return lock;
}

TEST(LockFile, ComesBackAsItWasWritten) {
  std::string messages;
  EXPECT_EQ(parse(sample().to_text(), &messages).assets, sample().assets);
  EXPECT_EQ(messages, "");
}

TEST(LockFile, MistakesAreErrorsAtTheirPlace) {
  const std::string hash = sha256_hex("");
  const std::pair<std::string, const char*> examples[] = {
      {"{", "a.lock.json:1:2: error: this is no JSON"},
      {"[]", "1:1: error: a lock file is an object"},
      {"{\n \"protobeam_lock\": 2}", "2:2: error: 'protobeam_lock' must be 1"},
      {"{\"protobeam_lock\": 1,\n\"assets\": []}", "2:1: error: 'assets' must be an object"},
      {"{\"protobeam_lock\": 1, \"assets\": {\n\"file:///etc/passwd\": {}}}",
       "2:1: error: 'file:///etc/passwd' begins with 'file:'"},
      {"{\"protobeam_lock\": 1, \"assets\": {\n\"https://h/../a\": {}}}",
       "2:1: error: 'https://h/../a' is not written"},
      {"{\"protobeam_lock\": 1, \"assets\": {\n\"https://h/a\": {\n\"size\": -1}}}",
       "3:1: error: 'size' must be"},
      {"{\"protobeam_lock\": 1, \"assets\": {\n\"https://h/a\": {\"size\": 1}}}",
       "2:1: error: 'https://h/a' has no 'sha256'"},
      {"{\"protobeam_lock\": 1, \"assets\": {\n\"https://h/a\": {\"x\": 1}}}",
       "2:17: error: 'x' is unknown"},
      {"{\"protobeam_lock\": 1, \"assets\": {\"https://h/a\": {\"size\": 0, \"sha256\": \"" + hash +
           "\"},\n\"https://h/a\": {\"size\": 0, \"sha256\": \"" + hash + "\"}}}",
       "2:1: error: 'https://h/a' is there twice"}};
  for (const auto& [text, expected] : examples) {
    std::string messages;
    parse(text, &messages);
    EXPECT_THAT(messages, HasSubstr(expected)) << text;
  }
}

TEST(LockFile, AnyBytesAreReadOrRefused) {
  std::mt19937 random(1);  // its values are of the standard
  const std::string good = sample().to_text();
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (unsigned k = 0; k <= random() % 4; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        default:
          text.insert(at, 1, "{}[]\",:\\0-"[random() % 10]);
      }
      if (text.empty()) text = " ";
    }
    std::string messages;
    const LockFile lock = parse(text, &messages);
    for (const auto& [address, asset] : lock.assets) {
      EXPECT_EQ(why_bad_address(address), "");
      EXPECT_TRUE(is_sha256_hex(asset.sha256));
    }
    read += messages.empty();
  }
  EXPECT_GT(read, 10);
  EXPECT_LT(read, 19000);
  std::string messages;
  parse(std::string(200'000, '['), &messages);
  EXPECT_THAT(messages, HasSubstr("this is no JSON"));
}

TEST(AssetCache, TellsDamagedFilesAndWritesThemAgain) {
  const TemporaryFolder folder;
  const AssetCache cache(folder / "cache");
  const std::string hash = cache.store("content");
  EXPECT_EQ(cache.read(hash, 7, 100), "content");
  EXPECT_FALSE(cache.holds(hash, 8));
  std::ofstream(cache.path(hash)) << "c0ntent";
  EXPECT_THAT(message_of<std::runtime_error>([&] { cache.read(hash, 7, 100); }),
              HasSubstr("damaged"));
  EXPECT_EQ(cache.store("content"), hash);
  EXPECT_TRUE(cache.holds(hash, 7));
}

}  // namespace
}  // namespace protobeam
