#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using LoadTest = WbtTest;

TEST_F(LoadTest, world_of_plain_nodes_has_values_and_defaults) {
  const auto world = load(R"(
WorldInfo { basicTimeStep 16 }
DEF FLOOR Solid {
  translation 1, -2.5e0 .5   # a comment
  rotation 0 0 2 1.5
  children [ Shape { geometry Box { size 1 2 3 } } ]
  name "floor \"x\""
}
)");
  ASSERT_THAT(take_messages(), IsEmpty());
  ASSERT_THAT(world.nodes, SizeIs(2));
  EXPECT_EQ(view(world.nodes[0]).number("basicTimeStep"), 16);
  EXPECT_EQ(view(world.nodes[0]).number("gravity"), 9.81);
  const auto floor = view(world.nodes[1]);
  EXPECT_EQ(world.nodes[1]->def, "FLOOR");
  EXPECT_EQ(floor.vec3("translation"), Vec3(1, -2.5, 0.5));
  EXPECT_EQ(floor.string("name"), "floor \"x\"");
  EXPECT_NEAR(floor.rotation("rotation").z(), std::sin(0.75), 1e-15);
  EXPECT_FALSE(floor.is_set("boundingObject"));
  EXPECT_EQ(floor.node("boundingObject"), nullptr);
  ASSERT_THAT(floor.nodes("children"), SizeIs(1));
  const auto shape = view(floor.nodes("children")[0]);
  EXPECT_EQ(view(shape.node("geometry")).vec3("size"), Vec3(1, 2, 3));
  EXPECT_THAT(floor.place("translation").to_string(), HasSubstr("worlds/test.wbt:5:15"));
}

TEST_F(LoadTest, DifferentialWheels_are_told_what_stands_for_them_today) {
  load("DifferentialWheels { }");
  EXPECT_THAT(take_messages(),
              ElementsAre("2:1: unknown node or PROTO 'DifferentialWheels'; Webots has none since "
                          "R2021b: write a Robot with a HingeJoint and a RotationalMotor for each "
                          "wheel"));
}

TEST_F(LoadTest, USE_shares_the_nearest_node_before_it) {
  const auto world = load(R"(
Shape { geometry DEF G Box { size 1 1 1 } }
Shape { geometry USE G }
Shape { geometry DEF G Box { size 2 2 2 } }
Shape { geometry USE G }
)");
  const auto geometry = [&](int i) { return view(world.nodes.at(i)).node("geometry"); };
  EXPECT_EQ(geometry(1), geometry(0));
  EXPECT_EQ(geometry(3), geometry(2));
  EXPECT_NE(geometry(1), geometry(3));
}

TEST_F(LoadTest, USE_means_the_inner_one_of_nested_nodes_with_one_name) {
  const auto world = load(R"(
DEF WALL Solid { children [ DEF WALL Shape { } ] boundingObject USE WALL }
Solid { name "a" children [ USE WALL ] boundingObject USE WALL }
DEF WALL Solid { name "b" }
)");
  EXPECT_THAT(take_messages(), IsEmpty());
  ASSERT_THAT(world.nodes, SizeIs(3));
  const auto inner = view(world.nodes[0]).nodes("children").at(0);
  EXPECT_EQ(view(world.nodes[0]).node("boundingObject"), inner);
  EXPECT_EQ(view(world.nodes[1]).nodes("children").at(0), inner);
  EXPECT_EQ(view(world.nodes[1]).node("boundingObject"), inner);
  load("DEF A Solid { children [ DEF A Shape { } ] }\nDEF A Solid { name \"b\" }\nUSE A");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("USE A is not allowed")));
}

TEST_F(LoadTest, project_is_the_folder_above_worlds) {
  EXPECT_EQ(load("").project, folder_);
  const auto lone = write("elsewhere/a.wbt", "#VRML_SIM R2025a utf8\n");
  EXPECT_EQ(load_world(lone, options_, diagnostics_).project, folder_ / "elsewhere");
}

TEST_F(LoadTest, project_is_the_folder_above_that_of_a_world_if_it_looks_like_one) {
  const std::string text = "#VRML_SIM R2025a utf8\n";
  const auto other = write("robot/my worlds/a.wbt", text);
  const auto project = [&](const auto& file) {
    return load_world(file, options_, diagnostics_).project;
  };
  EXPECT_EQ(project(other), folder_ / "robot/my worlds");
  std::filesystem::create_directories(folder_ / "robot/controllers");
  EXPECT_EQ(project(other), folder_ / "robot");
  const auto before_that = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "robot/my worlds");
  EXPECT_EQ(project("a.wbt"), "..");
  std::filesystem::current_path(before_that);
  // Nobody's home is a project of all that is in it.
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  ::setenv("HOME", (folder_ / "robot").c_str(), 1);
  EXPECT_EQ(project(other), folder_ / "robot/my worlds");
  ::setenv("HOME", before.c_str(), 1);
  EXPECT_EQ(project(other), folder_ / "robot");
  // Nor is a folder into which anyone may put a controller.
  permissions(folder_ / "robot", std::filesystem::perms::others_write,
              std::filesystem::perm_options::add);
  EXPECT_EQ(project(other), folder_ / "robot/my worlds");
  permissions(folder_ / "robot", std::filesystem::perms::others_write,
              std::filesystem::perm_options::remove);
  // One that has parts of a project itself is its own.
  std::filesystem::create_directories(folder_ / "robot/my worlds/protos");
  EXPECT_EQ(project(other), folder_ / "robot/my worlds");
}

TEST_F(LoadTest, after_errors_there_is_no_tree) {
  EXPECT_THAT(load("Solid { name 3 }").nodes, IsEmpty());
  EXPECT_THAT(take_messages(), SizeIs(1));
}

TEST_F(LoadTest, files_that_cannot_be_read_are_named) {
  load_world(folder_ / "none.wbt", options_, diagnostics_);
  load_world(folder_, options_, diagnostics_);
  load_world(write("binary.wbt", std::string("#VRML_SIM\0\1\2", 12)), options_, diagnostics_);
  options_.max_file_bytes = 1u << 20;
  load_world(write("huge.wbt", std::string((1u << 20) + 1, ' ')), options_, diagnostics_);
  const std::string at = folder_.string();
  EXPECT_THAT(take_messages(), ElementsAre("there is no file '" + at + "/none.wbt'",
                                           "'" + at + "' is a folder, not a file",
                                           "'" + at + "/binary.wbt' is not a text file",
                                           "'" + at + "/huge.wbt' is larger than 1 MB"));
}

TEST_F(LoadTest, a_node_that_is_used_exponentially_often_is_refused) {
  std::string text = "DEF A0 Group { children [ Shape { } ] }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "USE A" + std::to_string(i - 1);
    text += "DEF A" + std::to_string(i) + " Group { children [ " + before + " " + before + " ] }\n";
  }
  load(text);
  const auto messages = take_messages();
  ASSERT_THAT(messages, SizeIs(testing::Ge(1)));
  EXPECT_THAT(messages[0], HasSubstr("the world has more than 2000000 nodes"));
}

TEST_F(LoadTest, a_chain_of_USE_is_as_deep_as_it_unfolds) {
  std::string text = "DEF A0 Group { }\n";
  for (int i = 1; i < 1500; ++i) {
    text += "DEF A" + std::to_string(i) + " Group { children [ USE A" + std::to_string(i - 1) +
            " ] }\n";
  }
  load(text);
  const auto messages = take_messages();
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_THAT(messages[0], HasSubstr("nested deeper than 1000 levels"));
}

TEST_F(LoadTest, a_million_mistakes_do_not_take_forever) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "Box { x 1 y 2 z 3 }\n";
  load(text);
  EXPECT_THAT(take_messages(), SizeIs(testing::Le(1020)));
}

TEST_F(LoadTest, warnings_never_stop_a_world) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "Pose { rotation 0 0 0 1 }\n";
  EXPECT_THAT(load(text).nodes, SizeIs(20000));
  EXPECT_THAT(diagnostics_.to_string(), testing::EndsWith("\n19000 more warnings are not shown\n"));
  EXPECT_THAT(take_messages(), SizeIs(1000));
}

TEST_F(LoadTest, views_of_old_files_are_turned) {
  // Before R2022a a view looked along its -z axis with y up, since then along x with z up.
  write("worlds/old.wbt", "#VRML_SIM R2021b utf8\nViewpoint { orientation 1 0 0 -0.5 }\n");
  const auto world = load_world(folder_ / "worlds/old.wbt", options_, diagnostics_);
  ASSERT_THAT(world.nodes, SizeIs(1));
  const Quat before = axis_angle({1, 0, 0}, -0.5);
  const Quat now = view(world.nodes[0]).rotation("orientation");
  EXPECT_LT((now * Vec3::UnitX() - before * -Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LT((now * Vec3::UnitZ() - before * Vec3::UnitY()).norm(), 1e-12);
}

TEST_F(LoadTest, world_axes_default_to_those_of_the_file_s_release) {
  const auto axes = [&](const std::string& version) {
    const auto file = write("worlds/old.wbt", "#VRML_SIM " + version + " utf8\nWorldInfo { }\n");
    const auto world = load_world(file, options_, diagnostics_);
    return view(world.nodes.at(0)).string("coordinateSystem");
  };
  EXPECT_EQ(axes("R2020a"), "NUE");
  EXPECT_EQ(axes("R2020b"), "ENU");
  EXPECT_EQ(axes("R2025a"), "ENU");
}

}  // namespace
}  // namespace protobeam::wbt
