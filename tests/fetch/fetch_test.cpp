// `protobeam fetch` against a real web server: what a world names is got, locked, and loaded
// without the network.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/fetch/web.h"

namespace protobeam::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* kCube = R"(mtllib cube.mtl
usemtl red
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 1
f 1 2 3
f 1 3 4
)";

std::string picture() { return read_bytes(fs::path(source_dir()) / "meshes/puck.png"); }

/// A PROTO with a mesh and a picture beside it, and another PROTO above it.
void publish_tree(const Web& web) {
  web.publish("a/protos/Sapling.proto", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "../../b/Leaf.proto"
PROTO Sapling [ field SFVec3f translation 3 0 0 ]
{ Solid { translation IS translation children [
  Shape { appearance PBRAppearance { baseColorMap ImageTexture { url "textures/bark.png" } }
          geometry Mesh { url "meshes/cube.obj" } }
  CadShape { url "../cad/cube.obj" }
  Leaf { }
] } }
)");
  web.publish("b/Leaf.proto", R"(#VRML_SIM R2025a utf8
# template language: javascript
PROTO Leaf [ field SFString name "leaf" ]
{ Shape { appearance PBRAppearance { baseColorMap ImageTexture {
  url %<= '"' + fields.name.value + '.png"' >% } } geometry Box { } } }
)");
  web.publish("b/leaf.png", picture());
  web.publish("a/protos/textures/bark.png", picture());
  web.publish("a/protos/meshes/cube.obj", kCube);
  web.publish("a/cad/cube.obj", kCube);
  web.publish("a/cad/cube.mtl", "newmtl red\nKd 1 0 0\nmap_Kd red.png\n");
  web.publish("a/cad/red.png", picture());
}

std::string tree_world(const Web& web, const std::string& path = "a/protos/Sapling.proto") {
  return "EXTERNPROTO \"" + web.address(path) + "\"\nWorldInfo { }\nSapling { }\n";
}

std::string state_hash(const Web& web) {
  const Outcome run = web.run({"run", web.world_file(), "--duration", "0.1", "--json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  return run.exit == 0 ? nlohmann::json::parse(run.out)["state_hash"].dump() : "";
}

TEST(Fetch, GetsAllThatAWorldNamesAndLoadingNeedsNoNetwork) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web));
  const Outcome before = web.check();
  EXPECT_EQ(before.exit, 1);
  EXPECT_THAT(before.err,
              AllOf(HasSubstr(":2:13: error: "), HasSubstr("protobeam fetch " + web.world_file())));
  EXPECT_EQ(web.requests(), 0);

  const Outcome fetch = web.fetch();
  EXPECT_EQ(fetch.exit, 0) << fetch.err;
  EXPECT_EQ(fetch.err, "");
  const auto lock = web.lock();
  for (const char* path :
       {"a/protos/Sapling.proto", "b/Leaf.proto", "b/leaf.png", "a/protos/textures/bark.png",
        "a/protos/meshes/cube.obj", "a/cad/cube.obj", "a/cad/cube.mtl", "a/cad/red.png"}) {
    EXPECT_TRUE(lock.contains(web.address(path))) << path << lock.dump(1);
  }
  EXPECT_EQ(lock.size(), 8u) << lock.dump(1);
  const Outcome sum = execute({"sha256sum", (web.folder / "web/b/leaf.png").string()});
  EXPECT_EQ(lock[web.address("b/leaf.png")]["sha256"], sum.out.substr(0, 64));

  const long requests = web.requests();
  EXPECT_EQ(requests, 8);
  const Outcome check = web.check();
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_EQ(check.err, "");
  const std::string hash = state_hash(web);
  EXPECT_EQ(state_hash(web), hash);
  EXPECT_EQ(web.requests(), requests);
  const std::string text = web.lock_text();
  EXPECT_EQ(web.fetch().exit, 0);  // nothing to do
  EXPECT_EQ(web.requests(), requests);
  EXPECT_EQ(web.lock_text(), text);
}

TEST(Fetch, MessagesInAFetchedPrototypeNameItsAddress) {
  const Web web;
  web.publish("Bad.proto", "#VRML_SIM R2025a utf8\nPROTO Bad [ ] { Solid { nmae \"x\" } }\n");
  web.world("EXTERNPROTO \"" + web.address("Bad.proto") + "\"\nWorldInfo { }\nBad { }\n");
  EXPECT_EQ(web.fetch().exit, 0);
  EXPECT_THAT(web.check().err, HasSubstr(web.address("Bad.proto") + ":2:25: error: "));
}

TEST(Fetch, TheFetchedOriginalComesBeforeTheCatalogue) {
  const Web web;
  web.publish("SolidBox.proto",
              "#VRML_SIM R2025a utf8\nPROTO SolidBox [ ] { Solid { name \"original\" } }\n");
  web.world("EXTERNPROTO \"" + web.address("SolidBox.proto") + "\"\nWorldInfo { }\nSolidBox { }\n");
  EXPECT_EQ(web.fetch().exit, 0);
  EXPECT_THAT(web.run({"show", web.world_file()}).out, HasSubstr("original"));
}

TEST(Fetch, TriesAgainAfterAnErrorOfTheServer) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web, "moved/flaky/a/protos/Sapling.proto"));
  web.publish("moved/b/Leaf.proto", "");
  const Outcome fetch = web.fetch({"--json"});
  const auto lock = web.lock();
  const auto& tree = lock[web.address("moved/flaky/a/protos/Sapling.proto")];
  EXPECT_EQ(tree["final_address"], web.address("flaky/a/protos/Sapling.proto")) << fetch.err;
}

struct BadAnswer {
  const char* path;
  const char* why;
  std::vector<std::string> options;
};

TEST(Fetch, SaysWhatIsWrongWithAnAnswerAndGetsTheRest) {
  const Web web;
  web.publish("Good.proto", "#VRML_SIM R2025a utf8\nPROTO Good [ ] { Solid { } }\n");
  for (const BadAnswer& bad : std::vector<BadAnswer>{
           {"missing/P.proto", "the server answers 404", {}},
           {"broken/P.proto", "the server answers 503 (4 tries)", {}},
           {"short/P.proto", "the connection ended before the end of the file (4 tries)", {}},
           {"loop/P.proto", "redirected more than 8 times", {}},
           {"passwd/P.proto", "redirected to 'file:///etc/passwd'", {}},
           {"user/P.proto", "holds a user's name or password", {}},
           {"drip/P.proto", "(4 tries)", {"--timeout", "2"}},
           {"silent/P.proto", "(4 tries)", {"--timeout", "2"}},
           {"huge/P.proto", "larger than 2 MB", {"--max-file", "2"}},
           {"huge/Q.proto", "together are larger than 3 MB", {"--max-total", "3"}}}) {
    web.world("EXTERNPROTO \"" + web.address(bad.path) + "\"\nEXTERNPROTO \"" +
              web.address("Good.proto") + "\"\nWorldInfo { }\nGood { }\n");
    const Outcome fetch = web.fetch(bad.options);
    EXPECT_EQ(fetch.exit, 1) << bad.path;
    EXPECT_THAT(fetch.err, AllOf(HasSubstr("a.wbt:2:13: error: cannot get"), HasSubstr(bad.why)));
    EXPECT_LT(fetch.seconds, 30) << bad.path;
    const auto lock = web.lock();
    EXPECT_TRUE(lock.contains(web.address("Good.proto"))) << bad.path;
    EXPECT_EQ(lock.size(), 1u) << bad.path;
  }
}

TEST(Fetch, RefusesAddressesThatAreNoneOfTheWeb) {
  const Web web;
  for (const std::string& address :
       {std::string("file:///etc/passwd/P.proto"), std::string("ftp://127.0.0.1/P.proto"),
        std::string("https://user:word@127.0.0.1/P.proto"), std::string("https:///P.proto")}) {
    web.world("EXTERNPROTO \"" + address + "\"\nWorldInfo { }\n");
    const Outcome fetch = web.fetch();
    EXPECT_EQ(fetch.exit, 1) << address;
    EXPECT_THAT(fetch.err, HasSubstr(":2:13: error: cannot get")) << address;
  }
  web.world("EXTERNPROTO \"" + web.address("P.proto") + "\"\nWorldInfo { }\n");
  EXPECT_THAT(web.run({"fetch", web.world_file()}).err, HasSubstr("--allow-http"));
  EXPECT_EQ(web.requests(), 0);
}

TEST(Fetch, AFetchedPrototypeNamesNoLocalFile) {
  const Web web;
  const auto secret = web.folder.write("project/secret.png", picture());
  web.publish("P.proto",
              "#VRML_SIM R2025a utf8\nEXTERNPROTO \"/etc/Passwd.proto\"\nPROTO P [ ] { Solid { "
              "children Shape { "
              "appearance PBRAppearance { baseColorMap ImageTexture { url \"" +
                  secret.string() + "\" } } geometry Box { } } } }\n");
  web.world("EXTERNPROTO \"" + web.address("P.proto") + "\"\nWorldInfo { }\nP { }\n");
  const Outcome fetch = web.fetch();
  EXPECT_EQ(fetch.exit, 1);
  EXPECT_THAT(fetch.err, AllOf(HasSubstr(web.address("etc/Passwd.proto")), HasSubstr("404"),
                               HasSubstr(web.address(secret.string().substr(1)))));
}

TEST(Fetch, ChangedContentIsAnErrorUntilUpdate) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web));
  ASSERT_EQ(web.fetch().exit, 0);
  const std::string text = web.lock_text();
  const std::string old = web.lock()[web.address("b/Leaf.proto")]["sha256"];
  web.publish("b/Leaf.proto", "#VRML_SIM R2025a utf8\nPROTO Leaf [ ] { Solid { } }\n");
  EXPECT_EQ(web.fetch().exit, 0);  // what is here is not asked for again
  fs::remove_all(web.folder / "cache");
  const Outcome changed = web.fetch();
  EXPECT_EQ(changed.exit, 1);
  EXPECT_THAT(changed.err, AllOf(HasSubstr("has changed"), HasSubstr(old), HasSubstr("--update")));
  EXPECT_EQ(web.lock_text(), text);
  const Outcome update = web.fetch({"--update"});
  EXPECT_EQ(update.exit, 0) << update.err;
  EXPECT_NE(web.lock()[web.address("b/Leaf.proto")]["sha256"], old);
  EXPECT_FALSE(web.lock().contains(web.address("b/leaf.png")));  // nobody names it any more
  EXPECT_EQ(web.check().exit, 0);
}

TEST(Fetch, DamagedFilesOfTheCacheAreErrorsAndAreGotAgain) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web));
  ASSERT_EQ(web.fetch().exit, 0);
  for (const char* path : {"a/protos/Sapling.proto", "b/leaf.png", "a/protos/meshes/cube.obj"}) {
    const std::string sha256 = web.lock()[web.address(path)]["sha256"];
    const fs::path file = web.folder / "cache" / "sha256" / sha256.substr(0, 2) / sha256.substr(2);
    std::string bytes = read_bytes(file);
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
    const Outcome check = web.check();
    EXPECT_EQ(check.exit, 1) << path;
    EXPECT_THAT(check.err, AllOf(HasSubstr("damaged"), HasSubstr("protobeam fetch"))) << path;
    const long requests = web.requests();
    EXPECT_EQ(web.fetch().exit, 0) << path;
    // Equal files are one in the cache, missed by each address that the world itself names.
    const long names = std::string(path).ends_with(".proto") ? 1 : 2;
    EXPECT_EQ(web.requests(), requests + names) << path;
    EXPECT_EQ(web.check().exit, 0) << path;
  }
}

TEST(Fetch, TwoAtOnceEndWell) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web));
  Outcome first, second;
  std::thread other([&] { first = web.fetch(); });
  second = web.fetch();
  other.join();
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(second.exit, 0) << second.err;
  EXPECT_EQ(web.lock().size(), 8u);
  EXPECT_EQ(web.check().exit, 0);
}

TEST(Fetch, StopsOnCtrlC) {
  const Web web;
  web.world("EXTERNPROTO \"" + web.address("silent/P.proto") + "\"\nWorldInfo { }\n");
  Surroundings around;
  around.environment = {"PROTOBEAM_CACHE=" + (web.folder / "cache").string(), "no_proxy=*"};
  around.meanwhile = [&](pid_t child) {
    while (web.requests() == 0) usleep(10'000);
    kill(child, SIGINT);
  };
  const Outcome fetch = protobeam({"fetch", web.world_file(), "--allow-http"}, around);
  EXPECT_EQ(fetch.exit, 130);
  EXPECT_LT(fetch.seconds, 10);
}

/// Files below the cache.
std::size_t cached(const Web& web) {
  std::error_code none;
  std::size_t files = 0;
  for (fs::recursive_directory_iterator it(web.folder / "cache", none), end; it != end; ++it)
    files += it->is_regular_file() && it->path().string().find("/sha256/") != std::string::npos;
  return files;
}

/// While a file that is large and slow comes, another one is here already.
TEST(Fetch, NoPartOfAFileIsLeftByWhatEndsIt) {
  struct End {
    int signal, exit;
    std::size_t locked;
  };
  for (const End& end : {End{SIGINT, 130, 1}, End{SIGTERM, 130, 1}, End{SIGHUP, 130, 1},
                         End{SIGKILL, 128 + SIGKILL, 0}}) {
    const Web web;
    web.publish("Quick.proto", "#VRML_SIM R2025a utf8\nPROTO Quick [ ] { Solid { } }\n");
    web.publish("slowly/Large.proto", "#VRML_SIM R2025a utf8\nPROTO Large [ ] { Solid { } }\n");
    web.world("EXTERNPROTO \"" + web.address("Quick.proto") + "\"\nEXTERNPROTO \"" +
              web.address("slowly/Large.proto") + "\"\nWorldInfo { }\nQuick { }\nLarge { }\n");
    Surroundings around;
    around.environment = {"PROTOBEAM_CACHE=" + (web.folder / "cache").string(), "no_proxy=*"};
    around.meanwhile = [&](pid_t child) {
      while (web.requests() < 2 || cached(web) == 0) usleep(10'000);
      usleep(200'000);  // some of the other one has come
      kill(child, end.signal);
    };
    const Outcome ended = protobeam({"fetch", web.world_file(), "--allow-http"}, around);
    EXPECT_EQ(ended.exit, end.exit) << ended.err;
    EXPECT_LT(ended.seconds, 30);
    EXPECT_EQ(cached(web), 1u) << end.signal;
    const std::string text = fs::exists(web.world_file() + ".lock.json") ? web.lock_text() : "";
    EXPECT_EQ(text.find("Quick.proto") != std::string::npos, end.locked == 1) << text;
    EXPECT_EQ(text.find("Large.proto"), std::string::npos) << text;
    const Outcome again = web.fetch();
    EXPECT_EQ(again.exit, 0) << again.err;
    EXPECT_EQ(web.lock().size(), 2u);
    EXPECT_EQ(cached(web), 2u);
    EXPECT_EQ(web.check().exit, 0);
  }
}

/// A folder as Webots is installed.
fs::path webots(const Web& web) {
  web.folder.write("webots/resources/version.txt", "R2025a\n");
  web.folder.write(
      "webots/projects/protos/Menhir.proto",
      "#VRML_SIM R2025a utf8\nPROTO Menhir [ ] { Solid { name \"rock\" children Shape { appearance "
      "PBRAppearance { baseColorMap ImageTexture { url \"webots://projects/rock.png\" } } "
      "geometry Box { } } } }\n");
  web.folder.write("webots/projects/rock.png", picture());
  web.folder.write("secret.png", picture());
  return web.folder / "webots";
}

const std::string kGitHub = "https://raw.githubusercontent.com/cyberbotics/webots/";

TEST(Fetch, FromAFolderNeedsNoNetwork) {
  const Web web;
  const fs::path folder = webots(web);
  for (const std::string& address : {std::string("webots://projects/protos/Menhir.proto"),
                                     kGitHub + "R2023b/projects/protos/Menhir.proto"}) {
    web.world("EXTERNPROTO \"" + address + "\"\nWorldInfo { }\nMenhir { }\n");
    const Outcome fetch = web.fetch({"--from", folder.string()});
    EXPECT_EQ(fetch.exit, 0) << fetch.err;
    EXPECT_EQ(web.lock().size(), 2u);
    EXPECT_TRUE(web.lock().contains(address));
    EXPECT_EQ(web.check().exit, 0);
  }
  EXPECT_TRUE(web.lock().contains(kGitHub + "R2023b/projects/rock.png"));
}

TEST(Load, ReadsAnInstalledWebotsInPlace) {
  const Web web;
  const std::string home = "WEBOTS_HOME=" + webots(web).string();
  web.world("EXTERNPROTO \"" + kGitHub +
            "R2025a/projects/protos/Menhir.proto\"\nWorldInfo { }\nMenhir { }\n");
  EXPECT_EQ(web.check().exit, 1);
  const Outcome check = web.check({home});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_EQ(check.err, "");
  // Another release is another thing.
  web.world("EXTERNPROTO \"" + kGitHub +
            "R2023b/projects/protos/Menhir.proto\"\nWorldInfo { }\nMenhir { }\n");
  EXPECT_EQ(web.check({home}).exit, 1);
  // Not out of the folder.
  web.world(
      "EXTERNPROTO \"webots://projects/../../secret.proto\"\nWorldInfo { }\n"
      "Solid { children Shape { appearance PBRAppearance { baseColorMap ImageTexture { url "
      "\"webots://../secret.png\" } } geometry Box { } } }\n");
  EXPECT_THAT(web.check({home}).err, HasSubstr("there is no 'webots://secret.png' here"));
}

TEST(Load, SaysWhereALockFileIsWrong) {
  const Web web;
  publish_tree(web);
  web.world(tree_world(web));
  ASSERT_EQ(web.fetch().exit, 0);
  std::string text = web.lock_text();
  const auto digit = text.find("\"sha256\": \"") + 11;
  text[digit] = 'X';
  std::ofstream(web.world_file() + ".lock.json") << text;
  const Outcome check = web.check();
  EXPECT_EQ(check.exit, 1);
  EXPECT_THAT(check.err, HasSubstr("a.wbt.lock.json:4:7: error: 'sha256' must be 64 digits"));
}

}  // namespace
}  // namespace protobeam::test
