// Which files are read, which commands run, and where models are looked for.
#include "mvsim/resources.h"
#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FilesTest : public MvsimTest {
 protected:
  std::string text_of(const std::string& value) {
    const auto loaded = load("<server_address>" + value + "</server_address>");
    const Element* element = loaded.root.child("server_address");
    return element ? element->text.value : "";
  }
};

TEST_F(FilesTest, a_command_runs_when_it_is_allowed) {
  options_.allow_shell = true;
  EXPECT_EQ(text_of("$(echo ' a b '; echo c)"), "a b c");
  EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilesTest, a_command_that_fails_is_an_error) {
  options_.allow_shell = true;
  text_of("$(exit 3)");
  EXPECT_THAT(messages(),
              ElementsAre("1:30: error: the command 'exit 3' failed: it exited with status 3"));
  text_of("$(kill -9 $$)");
  EXPECT_THAT(
      messages(),
      ElementsAre("1:30: error: the command 'kill -9 $$' failed: it was killed by signal 9"));
}

TEST_F(FilesTest, a_command_that_takes_too_long_is_killed) {
  options_.allow_shell = true;
  options_.shell_seconds = 0.1;
  text_of("$(sleep 60)");
  EXPECT_THAT(messages(), ElementsAre("1:30: error: the command 'sleep 60' failed: it takes longer "
                                      "than 0.1 s"));
  text_of("$(exec >&-; sleep 60)");
  EXPECT_THAT(messages(), ElementsAre(testing::HasSubstr("it takes longer than 0.1 s")));
  text_of("$(yes)");
  EXPECT_THAT(messages(), ElementsAre(testing::HasSubstr("it writes more than 64 KiB")));
}

TEST_F(FilesTest, a_package_is_found_without_a_command) {
  folder_.write("ros/share/ament_index/resource_index/packages/mvsim", "");
  environment_["AMENT_PREFIX_PATH"] = "/nowhere:" + (folder_ / "ros").string();
  EXPECT_EQ(text_of("$(ros2 pkg prefix mvsim)/share"), (folder_ / "ros/share").string());
  options_.packages["mvsim"] = folder_ / "ours";
  EXPECT_EQ(text_of("$( ros2  pkg prefix mvsim )/share"), (folder_ / "ours/share").string());
  EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilesTest, installed_folders_may_be_included_from) {
  const TemporaryFolder elsewhere;
  elsewhere.write("g.xml", "<gravity>1</gravity>");
  const std::string file = elsewhere / "g.xml";
  const std::string include = "<include file=\"" + file + "\"/>";
  load(include);
  EXPECT_TRUE(diagnostics_.has_errors());
  options_.installed = {elsewhere.path()};
  EXPECT_TRUE(load(include).root.child("gravity"));
  options_.installed = {};
  options_.packages["p"] = elsewhere.path();
  EXPECT_TRUE(load("<include file=\"$(ros2 pkg prefix p)/g.xml\"/>").root.child("gravity"));
  EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilesTest, a_link_does_not_lead_out_of_the_project) {
  const TemporaryFolder elsewhere;
  elsewhere.write("g.xml", "<gravity>1</gravity>");
  std::filesystem::create_symlink(elsewhere / "g.xml", folder_ / "g.xml");
  load("<include file=\"g.xml\"/>");
  EXPECT_THAT(messages(), ElementsAre(testing::HasSubstr("lies outside of the project folder")));
}

TEST_F(FilesTest, the_project_is_the_uppermost_folder_that_looks_like_one) {
  folder_.write("p/definitions/x.xml", "");
  folder_.write("p/tutorial/a.world.xml", "");
  folder_.write("p/tutorial/worlds/b.world.xml", "");
  folder_.write("q/c.world.xml", "");
  const auto root = std::filesystem::canonical(folder_.path());
  EXPECT_EQ(project_folder(folder_ / "p/tutorial/a.world.xml"), root / "p");
  EXPECT_EQ(project_folder(folder_ / "p/tutorial/worlds/b.world.xml"), root / "p");
  EXPECT_EQ(project_folder(folder_ / "q/c.world.xml"), root / "q");
}

TEST_F(FilesTest, what_cannot_be_read_says_why) {
  std::filesystem::create_directory(folder_ / "parts");
  load("<include file=\"parts\"/>");
  EXPECT_THAT(messages(), ElementsAre("1:29: error: cannot read parts: Is a directory"));
  load_file("none.world.xml");
  EXPECT_THAT(messages(""), ElementsAre("error: cannot read none.world.xml: No such file or "
                                        "directory"));
}

TEST_F(FilesTest, models_of_the_web_are_taken_from_a_cache) {
  folder_.write("cache/rock.zip.out/rock/rock.dae", "");
  folder_.write("cache/dirt.png", "");
  load(R"(<block><init_pose>0 0 0</init_pose>
      <visual><model_uri>https://example.org/rock.zip/rock/rock.dae</model_uri></visual></block>
      <element class="horizontal_plane"><texture>http://example.org/dirt.png</texture></element>)");
  EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilesTest, caches_are_ours_and_mvsims) {
  environment_ = {{"HOME", "/home/u"}};
  EXPECT_THAT(default_model_caches(options_),
              ElementsAre("/home/u/.cache/protobeam/mvsim", "/home/u/.cache/mvsim-storage"));
  environment_["XDG_CACHE_HOME"] = "/c";
  EXPECT_THAT(default_model_caches(options_),
              ElementsAre("/c/protobeam/mvsim", "/home/u/.cache/mvsim-storage"));
}

TEST_F(FilesTest, addresses_are_relative_to_their_file) {
  folder_.write("models/a.dae", "");
  const auto found = [&](const std::string& uri) {
    return find_resource(Text{uri, {}, false, false}, folder_ / "worlds", options_, nullptr,
                         diagnostics_);
  };
  EXPECT_EQ(found("../models/a.dae"), folder_ / "models/a.dae");
  EXPECT_EQ(found("file://" + (folder_ / "models/a.dae").string()), folder_ / "models/a.dae");
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_FALSE(found("b.dae"));
  EXPECT_FALSE(found("https://example.org/a.zip/../../b.dae"));
  EXPECT_THAT(messages(),
              ElementsAre("error: there is no file 'b.dae'; looked for worlds/b.dae",
                          "error: 'https://example.org/a.zip/../../b.dae' names no file"));
}

TEST_F(FilesTest, definition_files_are_read_by_themselves) {
  folder_.write("d/robot.vehicle.xml", R"(
      <vehicle:class name="robot"><sensor class="imu" name="${sensor_name|i1}"/></vehicle:class>
      <sensor class="gnss"><sensor_period>$f{1/4}</sensor_period></sensor>)");
  const auto loaded = load_definitions(folder_ / "d/robot.vehicle.xml", options_, diagnostics_);
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_EQ(dumped(loaded.definitions) + dumped(loaded.classes),
            "sensor class='gnss' name='gnss1'\n"
            "  sensor_period: 0.25\n"
            "vehicle:class name='robot'\n"
            "  sensor class='imu' name='i1'\n");
}

TEST_F(FilesTest, an_element_knows_how_it_came_there) {
  folder_.write("b.xml", "<block><init_pose>0 0 0</init_pose></block>");
  const auto loaded = load("\n<for var=\"i\" from=\"4\" to=\"4\"><include file=\"b.xml\"/></for>");
  const Element* block = loaded.root.child("block");
  ASSERT_TRUE(block && block->chain && block->chain->parent);
  EXPECT_EQ(block->place.to_string(), (folder_ / "b.xml").string() + ":1:2");
  EXPECT_EQ(block->chain->proto, "b.xml");
  EXPECT_EQ(block->chain->place.to_string(), (folder_ / "a.world.xml").string() + ":2:31");
  EXPECT_EQ(block->chain->parent->proto, "<for> with i = 4");
  EXPECT_EQ(*block->folder, std::filesystem::canonical(folder_.path()));
}

TEST_F(FilesTest, a_message_shows_its_line_and_how_its_text_came_there) {
  folder_.write("parts/b.xml", "<block class=\"c\"><mass>${q|heavy}</mass></block>");
  load(
      "<block:class name=\"c\"><zmax>high</zmax></block:class>\n"
      "<for var=\"i\" from=\"4\" to=\"4\"><include file=\"parts/b.xml\"/></for>");
  std::string text = diagnostics_.to_string();
  replace_all(text, folder_.path().string() + "/", "");
  EXPECT_EQ(text,
            "parts/b.xml:1:24: error: <mass> of <block> wants a number, got 'heavy'\n"
            "    <block class=\"c\"><mass>${q|heavy}</mass></block>\n"
            "                           ^~~~~~~~~~\n"
            "    expanded from parts/b.xml at a.world.xml:2:31\n"
            "    expanded from <for> with i = 4 at a.world.xml:2:2\n"
            "a.world.xml:1:42: error: <zmax> of <block> wants a number, got 'high'\n"
            "    <mvsim_world><block:class name=\"c\"><zmax>high</zmax></block:class>\n"
            "                                             ^~~~\n"
            "    expanded from block:class c at parts/b.xml:1:2\n"
            "    expanded from parts/b.xml at a.world.xml:2:31\n"
            "    expanded from <for> with i = 4 at a.world.xml:2:2\n");
}

TEST_F(FilesTest, the_same_seed_gives_the_same_world) {
  const std::string inside = R"(<block:class name="c"><mass>$f{10+rand()}</mass></block:class>
      <block:class name="unused"><mass>$f{rand()}</mass></block:class>
      <for var="i" from="1" to="3">
        <block class="c"><init_pose>$f{randn()} 0 0</init_pose></block>
      </for>)";
  const std::string first = dumped(load(inside).root);
  EXPECT_EQ(dumped(load(inside).root), first);
  std::string without = inside;
  replace_all(without, "<mass>$f{rand()}</mass>", "");
  EXPECT_EQ(dumped(load(without).root), first) << "a class without instance draws nothing";
  options_.seed = 1;
  EXPECT_NE(dumped(load(inside).root), first);
}

}  // namespace
}  // namespace protobeam::mvsim
