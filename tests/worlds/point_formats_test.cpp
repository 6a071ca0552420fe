// --point-format and its companions on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using ::testing::HasSubstr;

class PointFormats : public ::testing::Test {
 protected:
  PointFormats() {
    const std::string protos = source_dir() + "/protos/";
    world_ = folder_.write("wall.wbt", "#VRML_SIM R2025a utf8\nEXTERNPROTO \"" + protos +
                                           "objects/Wall.proto\"\nEXTERNPROTO \"" + protos +
                                           "lidars/VelodyneVLP-32C.proto\"\n"
                                           "WorldInfo { basicTimeStep 20 }\n"
                                           "Wall { translation 5 0 0 }\n"
                                           "Robot { name \"car\" children [ VelodyneVLP-32C {"
                                           " translation 0 0 1 } ] }\n");
  }

  Outcome scan(const char* file, std::vector<std::string> options) {
    options.insert(options.begin(), {"scan", world_, "--out", (folder_ / file).string()});
    return protobeam(options);
  }

  /// The value of a line of the header of a.pcd after such a scan.
  std::string head(std::vector<std::string> options, const std::string& key) {
    const Outcome outcome = scan("a.pcd", std::move(options));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    std::istringstream in(read_bytes(folder_ / "a.pcd"));
    for (std::string line; std::getline(in, line) && !line.starts_with("DATA");) {
      if (line.starts_with(key + " ")) return line.substr(key.size() + 1);
    }
    return "";
  }

  TemporaryFolder folder_;
  std::string world_;
};

TEST_F(PointFormats, AreArrangedAsTheirDriverDoesOrAsAsked) {
  EXPECT_EQ(head({}, "FIELDS"), "x y z intensity ring time");
  EXPECT_EQ(head({"--point-format", "ouster"}, "FIELDS"),
            "x y z _ intensity t reflectivity ring ambient _ range _");
  EXPECT_EQ(head({"--point-format", "ouster"}, "HEIGHT"), "32");
  EXPECT_EQ(head({"--point-format", "ouster", "--unorganised"}, "HEIGHT"), "1");
  EXPECT_EQ(head({"--point-format", "velodyne"}, "HEIGHT"), "1");
  EXPECT_EQ(head({"--point-format", "velodyne", "--organised"}, "HEIGHT"), "32");
}

TEST_F(PointFormats, StaggeredAndDestaggeredRowsDiffer) {
  EXPECT_EQ(scan("driver.pcd", {"--point-format", "ouster"}).exit, 0);
  EXPECT_EQ(scan("destaggered.pcd", {"--point-format", "ouster", "--destagger"}).exit, 0);
  EXPECT_EQ(scan("staggered.pcd", {"--point-format", "ouster", "--stagger"}).exit, 0);
  const std::string driver = read_bytes(folder_ / "driver.pcd");
  EXPECT_TRUE(driver == read_bytes(folder_ / "destaggered.pcd"));
  EXPECT_FALSE(driver == read_bytes(folder_ / "staggered.pcd"));
}

TEST_F(PointFormats, MistakesSayTheCure) {
  Outcome outcome = scan("a.pcd", {"--point-format", "velodine"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no point format 'velodine'; did you mean 'velodyne'?"));
  outcome = scan("a.csv", {"--organised"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("for .pcd and .ply files"));
  outcome = scan("a.pcd", {"--point-format", "livox", "--destagger"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("(--organised)"));
  outcome = protobeam({"run", world_, "--point-format", "livox"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--out"));
}

}  // namespace
}  // namespace protobeam::test
