#include "app/new_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path kSkeletons = source_dir() + "/src/app/skeletons";

class NewCommand : public ::testing::Test {
 protected:
  int make(const std::string& kind, const std::string& name, bool inside_tree = false,
           const SchemaRegistry* schemas = nullptr) {
    return new_command(kind, name, folder_, kSkeletons, inside_tree, message_, schemas);
  }
  std::string text(const std::string& file) const {
    std::ifstream in(folder_ / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string message_;
};

TEST_F(NewCommand, NamesFilesAndTextsAfterTheDevice) {
  ASSERT_EQ(make("device", "Whisker"), 0) << message_;
  EXPECT_THAT(text("Whisker/Whisker.cpp"), HasSubstr("class Whisker final : public DeviceModel"));
  EXPECT_THAT(text("Whisker/CMakeLists.txt"), HasSubstr("protobeam_plugin(Whisker SOURCES"));
  EXPECT_THAT(text("Whisker/worlds/Whisker.wbt"), HasSubstr("controller \"drive_Whisker\""));
  EXPECT_TRUE(fs::exists(folder_ / "Whisker/controllers/drive_Whisker/drive_Whisker.c"));
  EXPECT_THAT(message_, HasSubstr((folder_ / "Whisker/Whisker_test.cpp").string()));
}

TEST_F(NewCommand, LeavesNoPlaceholderInAnyKind) {
  for (const char* kind : {"device", "controller_c", "controller_cpp", "controller_java",
                           "controller_python", "world", "project"}) {
    ASSERT_EQ(make(kind, std::string("My_") + kind), 0) << message_;
    EXPECT_EQ(message_.find("@NAME@"), std::string::npos);
  }
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    EXPECT_EQ(entry.path().string().find('@'), std::string::npos) << entry.path();
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string content = text(fs::relative(entry.path(), folder_));
    EXPECT_EQ(content.find("@NAME@"), std::string::npos) << entry.path();
    EXPECT_FALSE(content.empty()) << entry.path();
  }
  EXPECT_GE(files, 16);
}

TEST_F(NewCommand, PutsEachKindWhereItIsLookedFor) {
  ASSERT_EQ(make("device", "Whisker", true), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "plugins/devices/Whisker/CMakeLists.txt"));
  ASSERT_EQ(make("controller", "wander"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "controllers/wander/wander.c"));
  ASSERT_EQ(make("controller_cpp", "roam"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "controllers/roam/roam.cpp"));
  ASSERT_EQ(make("controller_python", "stroll"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "controllers/stroll/stroll.py"));
  EXPECT_THAT(message_, Not(HasSubstr("build ")));
  ASSERT_EQ(make("controller_java", "amble"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "controllers/amble/amble.java"));
  EXPECT_THAT(message_, HasSubstr("build  javac -cp "));
  ASSERT_EQ(make("world", "yard2"), 0) << message_;
  ASSERT_EQ(make("world", "yard3"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "worlds/yard3.wbt"));
  ASSERT_EQ(make("project", "rover"), 0) << message_;
  EXPECT_TRUE(fs::exists(folder_ / "rover/worlds/rover.wbt"));
}

TEST_F(NewCommand, NeverOverwrites) {
  ASSERT_EQ(make("world", "yard"), 0);
  std::ofstream(folder_ / "worlds/yard.wbt") << "mine";
  EXPECT_EQ(make("world", "yard"), 1);
  EXPECT_THAT(message_, HasSubstr("worlds/yard.wbt exists already"));
  EXPECT_EQ(text("worlds/yard.wbt"), "mine");
  fs::create_symlink("nowhere", folder_ / "dangling");
  EXPECT_EQ(make("project", "dangling"), 1);
}

TEST_F(NewCommand, RefusesNamesThatCannotWork) {
  for (const char* name : {"", "9lives", "a b", "../up", "a/b", "VLP-16", "_x", "naïve"}) {
    EXPECT_EQ(make("device", name), 1) << name;
    EXPECT_THAT(message_, HasSubstr("letters, digits and _"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(NewCommand, RefusesANodeTypeThatExists) {
  SchemaRegistry schemas;
  schemas.add({"GPS", "", "", {}});
  EXPECT_EQ(make("device", "GPS", false, &schemas), 1);
  EXPECT_THAT(message_, HasSubstr("'GPS' already"));
  EXPECT_EQ(make("project", "GPS", false, &schemas), 0);
}

TEST_F(NewCommand, SaysWhichKindsThereAre) {
  EXPECT_EQ(make("spaceship", "x"), 2);
  EXPECT_THAT(message_,
              HasSubstr("device, controller (controller_c, controller_cpp, controller_java, "
                        "controller_python), world or project"));
}

TEST_F(NewCommand, SaysWhatCannotBeWritten) {
  std::ofstream(folder_ / "worlds") << "a file where a folder should be";
  EXPECT_EQ(make("world", "yard"), 1);
  EXPECT_THAT(message_, HasSubstr("worlds"));
}

}  // namespace
}  // namespace protobeam
