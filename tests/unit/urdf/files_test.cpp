// Meshes of packages.
#include <gmock/gmock.h>

#include "tests/unit/urdf/robot_text.h"
#include "urdf/resources.h"

namespace protobeam::urdf {
namespace {

using testing::HasSubstr;

class FilesTest : public RobotTest {
 protected:
  std::string found(const std::string& address,
                    const std::string& file = "ws/src/arm/urdf/arm.urdf") {
    diagnostics_ = {};
    Resources resources(folder_ / file, options_);
    const auto path = resources.find({address, {}}, diagnostics_);
    return path ? path->lexically_relative(std::filesystem::canonical(folder_.path())).string()
                : "";
  }
  void mesh(const std::string& path) { folder_.write(path, "solid a\nendsolid a\n"); }
  void manifest(const std::string& folder, const std::string& name) {
    folder_.write(folder + "/package.xml",
                  "<package format=\"3\">\n  <name>" + name + "</name></package>");
  }
  std::string here(const std::string& path) {
    return (std::filesystem::canonical(folder_.path()) / path).string();
  }
};

TEST_F(FilesTest, APackageIsAFolderAboveThatSaysSo) {
  manifest("ws/src/arm", "arm_description");
  mesh("ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("package://arm_description/meshes/a.stl"), "ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("model://arm_description/meshes/a.stl"), "ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("package:///arm_description/meshes/a.stl"), "ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("package://arm_descriptions/meshes/a.stl"), "");
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("error: there is no package 'arm_descriptions'"));
}

TEST_F(FilesTest, APackageIsBesideAFolderAbove) {
  manifest("ws/src/hand", "hand");
  mesh("ws/src/hand/a.stl");
  EXPECT_EQ(found("package://hand/a.stl"), "ws/src/hand/a.stl");
}

TEST_F(FilesTest, APackageMayBeTheFolderOfThatNameAlone) {
  mesh("ws/src/arm/meshes/a.stl");
  mesh("ws/src/a.stl");
  EXPECT_EQ(found("package://arm/meshes/a.stl"), "ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("package://arm/meshes/a.stl", "ws/src/arm/arm.urdf"), "ws/src/arm/meshes/a.stl");
  // Folders further up hold what the robot has nothing to do with.
  EXPECT_EQ(found("package://src/a.stl"), "");
}

TEST_F(FilesTest, APackageMayBeAFolderOfThatNameInAnother) {
  manifest("ws/src", "robots");
  mesh("ws/src/arm/meshes/a.stl");
  mesh("ws/src/hand/b.stl");
  mesh("ws/leg/c.stl");
  EXPECT_EQ(found("package://arm/meshes/a.stl"), "ws/src/arm/meshes/a.stl");
  EXPECT_EQ(found("package://hand/b.stl"), "ws/src/hand/b.stl");
  EXPECT_EQ(found("package://leg/c.stl"), "");
}

TEST_F(FilesTest, APackageIsInThePathsOfRos) {
  manifest("one/x", "hand");
  mesh("one/x/a.stl");
  mesh("two/share/foot/b.stl");
  options_.environment = [&](const std::string& name) -> std::optional<std::string> {
    if (name == "ROS_PACKAGE_PATH") return "/nonexistent:" + here("one");
    if (name == "AMENT_PREFIX_PATH") return here("two") + ":";
    return std::nullopt;
  };
  EXPECT_EQ(found("package://hand/a.stl"), "one/x/a.stl");
  EXPECT_EQ(found("package://foot/b.stl"), "two/share/foot/b.stl");
}

TEST_F(FilesTest, APackageThatTheUserNamesComesFirst) {
  manifest("ws/src/arm", "arm");
  mesh("ws/src/arm/a.stl");
  mesh("mine/a.stl");
  options_.packages["arm"] = here("mine");
  EXPECT_EQ(found("package://arm/a.stl"), "mine/a.stl");
}

TEST_F(FilesTest, OtherAddressesAreFiles) {
  mesh("ws/src/arm/urdf/a.stl");
  EXPECT_EQ(found("a.stl"), "ws/src/arm/urdf/a.stl");
  EXPECT_EQ(found("../urdf/a.stl"), "ws/src/arm/urdf/a.stl");
  EXPECT_EQ(found("file://" + here("ws/src/arm/urdf/a.stl")), "ws/src/arm/urdf/a.stl");
  EXPECT_EQ(found("https://example.org/a.stl"), "");
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("is on the web and was not fetched"));
  EXPECT_EQ(found("package://arm"), "");
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("'package://arm' names no file of a package"));
}

TEST_F(FilesTest, ModelsMayBeThoseThatGazeboClassicHasGot) {
  mesh("home/.gazebo/models/dumpster/meshes/a.stl");
  mesh("home/.gazebo/models/hand/meshes/a.stl");
  manifest("ws/src/hand", "hand");
  mesh("ws/src/hand/meshes/a.stl");
  options_.environment = [&](const std::string& name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional(here("home")) : std::nullopt;
  };
  EXPECT_EQ(found("model://dumpster/meshes/a.stl"), "home/.gazebo/models/dumpster/meshes/a.stl");
  EXPECT_EQ(found("model://hand/meshes/a.stl"), "ws/src/hand/meshes/a.stl");
  EXPECT_EQ(found("model://skip/meshes/a.stl"), "");
}

TEST_F(FilesTest, ModelsOfFuelAreWhereGazeboKeepsThem) {
  mesh("home/.gz/fuel/fuel.gazebosim.org/own er/models/red arm/2/meshes/a.stl");
  mesh("home/.gz/fuel/fuel.gazebosim.org/own er/models/red arm/10/meshes/a.stl");
  options_.environment = [&](const std::string& name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional(here("home")) : std::nullopt;
  };
  const std::string model = "https://fuel.gazebosim.org/1.0/Own Er/models/Red Arm";
  const std::string kept = "home/.gz/fuel/fuel.gazebosim.org/own er/models/red arm/";
  EXPECT_EQ(found(model + "/tip/files/meshes/a.stl"), kept + "10/meshes/a.stl");
  EXPECT_EQ(found(model + "/2/files/meshes/a.stl"), kept + "2/meshes/a.stl");
  EXPECT_EQ(found(model + "/3/files/meshes/a.stl"), "");
  EXPECT_EQ(found("https://example.org/1.0/Own Er/models/Red Arm/2/files/meshes/a.stl"), "");
}

TEST_F(FilesTest, AMissingMeshIsAWarningWhenLenient) {
  options_.lenient = true;
  EXPECT_THAT(messages(robot("<link name=\"a\"><visual><geometry><mesh "
                             "filename=\"x.stl\"/></geometry></visual></link>")),
              HasSubstr("warning: there is no file 'x.stl'"));
  EXPECT_EQ(diagnostics_.error_count(), 0);
}

}  // namespace
}  // namespace protobeam::urdf
