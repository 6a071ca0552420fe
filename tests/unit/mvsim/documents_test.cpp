// Every XML block of MVSim's documentation (tests/data/mvsim_docs) loads.
#include <algorithm>

#include "mvsim/values.h"
#include "mvsim/world/to_webots.h"
#include "tests/unit/mvsim/mvsim_fixture.h"
#include "tests/unit/support/paths.h"

namespace protobeam::mvsim {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const fs::path kDocs = source_dir() + "/tests/data/mvsim_docs";

class DocumentsTest : public MvsimTest {
 protected:
  DocumentsTest() {
    // As installed, and as in a project.
    const fs::path installed = folder_ / "ros/share/mvsim";
    fs::create_directories(installed);
    fs::copy(kDocs / "definitions", installed / "definitions");
    fs::copy(kDocs / "definitions", folder_ / "definitions");
    folder_.write("cache/turtlebot3.zip.out/turtlebot3/lds.dae", "");
    options_.packages["mvsim"] = folder_ / "ros";
  }

  /// The block where its first tag belongs.
  std::string world_of(const std::string& block) {
    std::string text = block;
    while (text.find("<!--") < text.find_first_of("<", text.find("<!--") + 1)) {
      const auto begin = text.find("<!--");
      if (text.find_first_not_of(" \n") != begin) break;
      text = text.substr(text.find("-->") + 3);
    }
    const auto begin = text.find('<') + 1;
    const std::string tag = text.substr(begin, text.find_first_of(" \n>/", begin) - begin);
    const auto is = [&](std::initializer_list<const char*> tags) {
      return std::find(tags.begin(), tags.end(), tag) != tags.end();
    };
    if (tag == "mvsim_world") return block;
    std::string inside = block;
    if (is({"chassis", "controller", "fl_wheel"})) {
      inside = "<dynamics class='ackermann'>" + inside + "</dynamics>";
    }
    if (!is({"vehicle", "vehicle:class"})) inside = "<vehicle name='v'>" + inside + "</vehicle>";
    const bool own_class = block.find("<vehicle:class") != std::string::npos;
    const std::string include =
        own_class ? "" : "<include file='definitions/my_custom_robot.vehicle.xml'/>";
    return "<mvsim_world>" + include + inside + "</mvsim_world>";
  }

  LoadedFile load_block(const fs::path& file) {
    folder_.write("a.world.xml", world_of(read_bytes(file)));
    return load_file("a.world.xml");
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const auto& d : diagnostics_.all()) {
      if (d.message.find("<I_MAX>") == std::string::npos) out.push_back(d.message);
    }
    return out;
  }
};

TEST_F(DocumentsTest, every_block_loads) {
  // All other blocks bring no message at all, but that MVSim does not read I_MAX.
  std::map<std::string, std::vector<std::string>> expected = {
      {"sensors-01.xml", {"the text in <visual> has no effect"}},
      {"sensors-08.xml",
       {"there is no '" + (folder_ / "ros").string() +
        "/share/mvsim/definitions/ouster-os1.sensor', but '" + (folder_ / "ros").string() +
        "/share/mvsim/definitions/ouster-os1.sensor.xml'"}},
      {"sensors-10.xml",
       {"there is no '" + (folder_ / "ros").string() +
        "/share/mvsim/definitions/velodyne-vlp16.sensor', but '" + (folder_ / "ros").string() +
        "/share/mvsim/definitions/velodyne-vlp16.sensor.xml'"}},
      {"sensors-17.xml", {"<include> is not closed"}},
      {"sensors-19.xml", {"<include> is not closed"}}};
  int blocks = 0;
  for (const auto& entry : fs::directory_iterator(kDocs / "blocks")) {
    SCOPED_TRACE(entry.path());
    const auto loaded = load_block(entry.path());
    EXPECT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
    EXPECT_THAT(warnings(), testing::ElementsAreArray(expected[entry.path().filename()]));
    EXPECT_FALSE(loaded.root.children.empty());
    ++blocks;
  }
  EXPECT_EQ(blocks, 32);
}

TEST_F(DocumentsTest, every_block_becomes_nodes_of_a_world) {
  std::filesystem::remove_all(folder_ / "cache");
  for (const auto& entry : fs::directory_iterator(kDocs / "blocks")) {
    SCOPED_TRACE(entry.path());
    std::string text = world_of(read_bytes(entry.path()));
    if (text.find("<controller class=\"twist_pid\">") != std::string::npos) {
      replace_all(text, "<dynamics class='ackermann'>", "<dynamics class='differential'>");
    }
    // A place to stand, and wheels for what is only a part of a vehicle.
    replace_all(text, "<vehicle name='v'>",
                text.find("my_custom_robot.vehicle.xml") == std::string::npos
                    ? "<vehicle name='v'><init_pose>0 0 0</init_pose>"
                    : "<vehicle name='v' class='my_custom_robot'><init_pose>0 0 0</init_pose>");
    folder_.write("a.world.xml", text);
    const LoadedFile loaded = load_file("a.world.xml");
    const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
    EXPECT_GE(webots.document.nodes.size(), 4u);
  }
}

TEST_F(DocumentsTest, every_definition_loads_by_itself) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(kDocs / "definitions")) {
    SCOPED_TRACE(entry.path());
    diagnostics_ = {};
    const auto loaded =
        load_definitions(folder_ / "definitions" / entry.path().filename(), options_, diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
    EXPECT_EQ(loaded.definitions.size() + loaded.classes.size(), 1u);
    EXPECT_THAT(warnings(), IsEmpty());
    ++files;
  }
  EXPECT_EQ(files, 12);
}

TEST_F(DocumentsTest, arguments_of_a_lidar_reach_its_definition) {
  const auto loaded = load_block(kDocs / "blocks/sensors-02.xml");  // Helios 26, 10 Hz
  const Element* lidar = loaded.root.child("vehicle")->child("sensor");
  ASSERT_TRUE(lidar);
  EXPECT_EQ(lidar->attribute("name")->value, "lidar1");
  const ValueReader reader("value", nullptr, diagnostics_);
  EXPECT_EQ(reader.number(lidar->child("sensor_period")->text), 0.1);
  // 0.1 s at one firing each 55.296 us, without the fraction.
  EXPECT_EQ(reader.integer(lidar->child("horz_nrays")->text), 1808);
  const auto pose = reader.pose3d(lidar->child("pose_3d")->text);
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->x, 0.1);
  EXPECT_EQ(pose->z, 0.3);
  const auto angles = reader.numbers(lidar->child("vertical_ray_angles")->text);
  ASSERT_TRUE(angles);
  EXPECT_EQ(angles->size(), 32u);
  EXPECT_EQ(angles->front(), -16);
  EXPECT_EQ(lidar->child("publish")->child("publish_topic")->text.value, "/v/lidar1");
  EXPECT_EQ(
      lidar->child("visual")->child("model_uri")->text.value,
      (fs::canonical(folder_.path()) / "ros/share/mvsim/definitions/../models/velodyne-vlp16.dae")
          .string());
}

TEST_F(DocumentsTest, the_example_robot_is_of_its_class) {
  const auto loaded = load_block(kDocs / "blocks/vehicles-15.xml");
  const Element* robot = loaded.root.child("vehicle");
  ASSERT_TRUE(robot);
  EXPECT_TRUE(robot->child("dynamics"));
  EXPECT_TRUE(robot->child("init_pose"));
  EXPECT_EQ(robot->child("dynamics")->child("chassis")->child("shape")->all("pt").size(), 4u);
}

TEST_F(DocumentsTest, the_example_robot_has_the_two_sensors_of_its_includes) {
  const auto loaded = load_block(kDocs / "blocks/vehicles-16.xml");
  const auto sensors = loaded.root.child("vehicle")->all("sensor");
  ASSERT_EQ(sensors.size(), 2u);
  EXPECT_EQ(sensors[0]->attribute("class")->value, "laser");
  EXPECT_EQ(sensors[0]->attribute("name")->value, "lidar1");
  EXPECT_EQ(sensors[0]->child("pose_3d")->text.value, "0.2  0.0  0.3  0.0 0.0 0.0");
  EXPECT_EQ(sensors[1]->attribute("name")->value, "cam1");
}

}  // namespace
}  // namespace protobeam::mvsim
