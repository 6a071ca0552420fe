// `protobeam fetch` of worlds of Gazebo and MVSim, which name archives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fetch/web.h"
#include "tests/support/zip.h"

namespace protobeam::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kTetrahedron = R"(o t
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
)";
constexpr const char* kConfig = "<model><name>m</name><sdf version=\"1.6\">model.sdf</sdf></model>";

std::string model(const std::string& more) {
  return "<sdf version=\"1.6\"><model name=\"m\">" + more + "</model></sdf>";
}

class FetchArchives : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return web_.folder.write("project/worlds/" + name, text);
  }
  Outcome fetch(const std::string& world) const {
    return web_.run({"fetch", world, "--allow-http"});
  }
  nlohmann::json lock(const std::string& world) const {
    return nlohmann::json::parse(read_bytes(world + ".lock.json"))["assets"];
  }
  /// All of it is here.
  void expect_no_network(const std::string& world) const {
    const long requests = web_.requests();
    const Outcome check = web_.run({"check", world});
    EXPECT_EQ(check.exit, 0) << check.err;
    EXPECT_EQ(check.err, "");
    EXPECT_EQ(web_.run({"run", world, "--duration", "0.1"}).exit, 0);
    EXPECT_EQ(web_.requests(), requests);
  }
  /// A chair of Fuel, which stands on a plate of Fuel and names its mesh as another model would be.
  std::string publish_chair(const std::string& owner = "Own Er") const {
    const std::string fuel = "1.0/" + owner + "/models/";
    const std::string encoded = "1.0/Own%20Er/models/";
    web_.publish(
        fuel + "Red Chair/tip/Red Chair.zip",
        zip_of({{"model.config", kConfig},
                {"model.sdf",
                 model("<static>1</static><include><uri>" + web_.address(encoded + "Plate/2") +
                       "</uri></include><link name=\"l\"><collision name=\"c\"><geometry><mesh>"
                       "<uri>model://chair_red/meshes/a.obj</uri></mesh></geometry></collision>"
                       "</link>")},
                {"meshes/a.obj", kTetrahedron}}));
    web_.publish(fuel + "Plate/2/Plate.zip",
                 zip_of({{"model.config", kConfig},
                         {"model.sdf", model("<link name=\"plate\"><visual name=\"v\"><geometry>"
                                             "<mesh><uri>p.obj</uri></mesh></geometry></visual>"
                                             "</link>")},
                         {"p.obj", kTetrahedron}}));
    return write("a.sdf", "<sdf version=\"1.6\"><world name=\"w\"><include>\n<uri>" +
                              web_.address("1.0/Own Er/models/Red Chair") +
                              "</uri></include></world></sdf>");
  }

  Web web_;
};

TEST_F(FetchArchives, GetsModelsOfFuelAndThoseInThem) {
  const std::string world = publish_chair();
  const Outcome before = web_.run({"check", world});
  EXPECT_EQ(before.exit, 1);
  EXPECT_THAT(before.err, AllOf(HasSubstr("a.sdf:2:6: error: "), HasSubstr("was not fetched"),
                                HasSubstr("protobeam fetch " + world)));
  const Outcome got = fetch(world);
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_EQ(got.err, "");
  const auto locked = lock(world);
  EXPECT_EQ(locked.size(), 2u) << locked.dump(1);
  EXPECT_TRUE(locked.contains(web_.address("1.0/Own%20Er/models/Plate/2/Plate.zip")));

  expect_no_network(world);
  // Who has the cache only, gets the files again.
  fs::remove_all(web_.folder / "cache/unpacked");
  EXPECT_EQ(web_.run({"check", world}).exit, 0);
  // Somebody has changed one of them.
  for (const auto& entry : fs::recursive_directory_iterator(web_.folder / "cache/unpacked"))
    if (entry.path().filename() == "p.obj") std::ofstream(entry.path()) << "o t\n";
  const Outcome damaged = web_.run({"check", world});
  EXPECT_EQ(damaged.exit, 1);
  EXPECT_THAT(damaged.err,
              AllOf(HasSubstr("p.obj has been changed"), HasSubstr("protobeam fetch " + world)));
  const long requests = web_.requests();
  EXPECT_EQ(fetch(world).exit, 0);
  EXPECT_EQ(web_.run({"check", world}).exit, 0);
  EXPECT_EQ(web_.requests(), requests) << "the archive is in the cache";
  // Who has the world only, gets the same bytes, or is told.
  fs::remove_all(web_.folder / "cache");
  EXPECT_THAT(web_.run({"check", world}).err,
              AllOf(HasSubstr("not in the cache"), HasSubstr("protobeam fetch " + world)));
  EXPECT_EQ(fetch(world).exit, 0);
  EXPECT_EQ(web_.run({"check", world}).exit, 0);
}

TEST_F(FetchArchives, GetsWorldsOfFuel) {
  const std::string chair = read_bytes(publish_chair());
  const auto publish = [&](const std::vector<ZipEntry>& files) {
    web_.publish("1.0/o/worlds/My Hall/tip/My Hall.zip", zip_of(files));
  };
  publish({{"a/other.sdf", "<sdf version=\"1.6\"/>"},
           {"My Hall.sdf", chair},
           {"thumbnails/1.png", "x"}});
  const std::string address = web_.address("1.0/o/worlds/My Hall");
  const std::string hall = web_.folder / "hall";
  const auto get = [&] { return web_.run({"fetch", address, "--allow-http", "--out", hall}); };
  const Outcome got = get();
  EXPECT_EQ(got.exit, 0) << got.err;
  EXPECT_EQ(got.err, "");
  const std::string world = hall + "/My Hall.sdf";
  EXPECT_THAT(got.out, AllOf(HasSubstr("the world is " + world + "\n"),
                             HasSubstr(world + ".lock.json: 2 files, 2 of them new")));
  expect_no_network(world);
  const Outcome again = get();
  EXPECT_EQ(again.exit, 1);
  EXPECT_THAT(again.err, HasSubstr("there is a '" + hall + "' already; --out DIR is another"));
  fs::remove_all(hall);
  // What unpacking cleans up after a failure is not somebody's file.
  std::ofstream(hall).flush();
  EXPECT_THAT(get().err, HasSubstr("'" + hall + "' is no folder; --out DIR is another"));
  EXPECT_TRUE(fs::exists(hall));
  fs::remove(hall);
  publish({{"readme.txt", "x"}});
  EXPECT_THAT(get().err, HasSubstr("has no world, a file .sdf"));
  EXPECT_FALSE(fs::exists(hall));
  publish({{"My Hall.sdf", chair}, {"../evil.sdf", chair}});
  EXPECT_THAT(get().err, HasSubstr("which is not in it"));
  EXPECT_FALSE(fs::exists(hall));
  const Outcome no_world = web_.run({"fetch", web_.address("1.0/o/models/Cave"), "--allow-http"});
  EXPECT_EQ(no_world.exit, 1);
  EXPECT_THAT(no_world.err, HasSubstr("is no world of Fuel: https://HOST/1.0/OWNER/worlds/NAME"));
  EXPECT_THAT(web_.run({"fetch", world, "--out", hall}).err,
              HasSubstr("--out is for a world of Gazebo Fuel"));
  EXPECT_THAT(web_.run({"fetch", web_.address("1.0/o/worlds/No"), "--allow-http"}).err,
              HasSubstr("the server answers 404"));
}

TEST_F(FetchArchives, LeavesNoPartOfAWorldOfFuel) {
  web_.publish("1.0/o/worlds/slowly/tip/slowly.zip",
               zip_of({{"slowly.sdf", "<sdf version=\"1.6\"><world name=\"w\"/></sdf>"}}));
  const std::string hall = web_.folder / "hall/";
  const std::vector<std::string> words = {
      "fetch", web_.address("1.0/o/worlds/slowly"), "--allow-http", "--out", hall, "--json"};
  Surroundings around;
  around.environment = {"PROTOBEAM_CACHE=" + (web_.folder / "cache").string(), "no_proxy=*"};
  around.meanwhile = [&](pid_t child) {
    while (web_.requests() == 0) usleep(10'000);
    usleep(200'000);
    kill(child, SIGTERM);
  };
  const Outcome ended = protobeam(words, around);
  EXPECT_EQ(ended.exit, 130) << ended.err;
  EXPECT_THAT(nlohmann::json::parse(ended.out)["diagnostics"][0]["message"].get<std::string>(),
              HasSubstr("slowly.zip': it was interrupted"));
  EXPECT_FALSE(fs::exists(web_.folder / "hall"));
  const Outcome again = web_.run(words);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(fs::exists(hall + "slowly.sdf"));
}

TEST_F(FetchArchives, GetsWhatWorldsOfMvsimName) {
  web_.publish("models/rocks.zip", zip_of({{"rocks/rock.obj", kTetrahedron}}));
  web_.publish("models/tote.obj", std::string("mtllib tote.mtl\nusemtl red\n") + kTetrahedron);
  web_.publish("models/tote.mtl", "newmtl red\nKd 1 0 0\n");
  const std::string picture = read_bytes(fs::path(source_dir()) / "meshes/puck.png");
  web_.publish("models/hill.png", picture);
  web_.publish("models/sky.zip", zip_of({{"sky/aUp.png", picture},
                                         {"sky/aDown.png", picture},
                                         {"sky/aFront.png", picture},
                                         {"sky/aBack.png", picture},
                                         {"sky/aLeft.png", picture},
                                         {"sky/aRight.png", picture}}));
  const auto block = [&](const char* name, const std::string& uri, const char* more) {
    return "<block name=\"" + std::string(name) +
           "\"><init_pose>3 0 0</init_pose><visual><model_uri>" + web_.address(uri) +
           "</model_uri></visual>" + more + "</block>\n";
  };
  const std::string world =
      write("a.world.xml",
            "<mvsim_world version=\"1.0\">\n<element class=\"elevation_map\"><elevation_image>" +
                web_.address("models/hill.png") +
                "</elevation_image></element>\n"
                "<element class=\"horizontal_plane\"/>\n"
                "<element class=\"skybox\"><textures>" +
                web_.address("models/sky.zip/sky/a%s.png") + "</textures></element>\n" +
                block("rock", "models/rocks.zip/rocks/rock.obj", "<shape_from_visual/>") +
                block("tote", "models/tote.obj", "") + "</mvsim_world>\n");
  EXPECT_THAT(web_.run({"check", world}).err,
              AllOf(HasSubstr("rock.obj' is on the web and was not fetched"),
                    HasSubstr("protobeam fetch " + world)));
  const Outcome got = fetch(world);
  EXPECT_EQ(got.exit, 0) << got.err;
  const auto locked = lock(world);
  EXPECT_EQ(locked.size(), 5u) << locked.dump(1);
  for (const char* path : {"models/rocks.zip", "models/tote.obj", "models/tote.mtl",
                           "models/hill.png", "models/sky.zip"})
    EXPECT_TRUE(locked.contains(web_.address(path))) << path;
  expect_no_network(world);
}

TEST_F(FetchArchives, SaysWhatIsNoArchiveOrHasNoSuchFile) {
  const std::string world =
      write("b.sdf", "<sdf version=\"1.6\"><world name=\"w\"><include>\n<uri>" +
                         web_.address("1.0/o/models/Cave") + "</uri></include></world></sdf>");
  EXPECT_THAT(fetch(world).err, HasSubstr("b.sdf:2:6: error: cannot get '"));
  web_.publish("1.0/o/models/Cave/tip/Cave.zip", "<html>not today</html>");
  const Outcome text = fetch(world);
  EXPECT_EQ(text.exit, 1);
  EXPECT_THAT(text.err,
              AllOf(HasSubstr("b.sdf:2:6: error: "), HasSubstr("no archive that can be unpacked")));
  web_.publish("1.0/o/models/Cave/tip/Cave.zip", zip_of({{"../../evil", "x"}}));
  EXPECT_THAT(fetch(world).err, HasSubstr("which is not in it"));
  EXPECT_FALSE(fs::exists(web_.folder / "cache/evil"));
  EXPECT_THAT(web_.run({"check", world}).err, HasSubstr("was not fetched"));
  const std::string file =
      write("c.world.xml",
            "<mvsim_world version=\"1.0\"><block name=\"b\"><init_pose>0 0 0</init_pose><visual>\n"
            "<model_uri>" +
                web_.address("x.zip/a.obj") + "</model_uri></visual></block></mvsim_world>\n");
  web_.publish("x.zip", zip_of({{"b.obj", kTetrahedron}}));
  EXPECT_EQ(fetch(file).exit, 0);
  EXPECT_THAT(web_.run({"check", file}).err,
              HasSubstr("there is no 'a.obj' in " + web_.address("x.zip")));
}

TEST_F(FetchArchives, SaysWhichWorldsCannotBeRead) {
  const Outcome broken = fetch(write("d.sdf", "<sdf version=\"1.6\"><world"));
  EXPECT_EQ(broken.exit, 1);
  EXPECT_THAT(broken.out, HasSubstr("as far as it can be read; `protobeam check` says"));
  for (const char* name : {"none.sdf", "none.wbt", "none.world.xml"}) {
    const Outcome none = fetch(web_.folder / name);
    EXPECT_EQ(none.exit, 1) << name;
    EXPECT_THAT(none.err, AllOf(HasSubstr("there is no file '"), HasSubstr(name)));
  }
  const Outcome nothing = fetch(write("e.sdf", "<sdf version=\"1.6\"><world name=\"w\"/></sdf>"));
  EXPECT_EQ(nothing.exit, 0);
  EXPECT_THAT(nothing.out, HasSubstr("names nothing on the web\n"));
}

}  // namespace
}  // namespace protobeam::test
