// What the type check changes in a tree that is right.
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using CheckTest = WbtTest;

TEST_F(CheckTest, every_field_table_is_sound) {
  for (const auto& name : schemas_.names()) {
    const NodeSchema& schema = *schemas_.find(name);
    EXPECT_TRUE(schema.base[0] == '\0' || schemas_.find(schema.base)) << name;
    // Each default is a value of its own field, inside its range and among its words.
    std::string text = name + " {\n";
    for (const auto* spec : schemas_.fields(schema)) {
      if (!spec->alias_of) text += std::string(spec->name) + " " + spec->default_text + "\n";
    }
    text += "}\n";
    const auto file = write("protos/Test" + name + ".proto",
                            "#VRML_SIM R2025a utf8\nPROTO Test" + name + " [ ] {\n" + text + "}\n");
    Diagnostics diagnostics;
    check_file(file, options_, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_string();
  }
}

TEST_F(CheckTest, old_spellings_become_those_of_today) {
  const auto world = load("Robot { children [ Lidar { spherical FALSE type \"ROTATING\" } ] }");
  const auto lidar = view(view(world.nodes.at(0)).nodes("children").at(0));
  EXPECT_EQ(lidar.string("projection"), "planar");
  EXPECT_FALSE(lidar.is_set("spherical"));
  EXPECT_EQ(lidar.string("type"), "rotating");
  const auto info = load("WorldInfo { gravity 0 0 -3.7 }");
  EXPECT_EQ(view(info.nodes.at(0)).number("gravity"), 3.7);
}

TEST_F(CheckTest, a_body_s_scale_of_one_is_dropped) {
  const auto world = load("Solid { scale 1 1 1 } Transform { scale 2 2 2 }");
  EXPECT_EQ(world.nodes.at(0)->find("scale"), nullptr);
  EXPECT_EQ(view(world.nodes.at(1)).vec3("scale"), Vec3(2, 2, 2));
  load("Solid { scale 2 1 1 }");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("is skipped: since R2023b bodies have no scale")));
}

TEST_F(CheckTest, what_cannot_stand_where_it_is_is_left_out_when_lenient) {
  const std::string text = R"(
ContactProperties { bounce 0 }
Solid { children [ Box { } Pose { } ] physics Damping { } boundingObject Group { children [ Fog { } ] } }
)";
  load(text);
  EXPECT_EQ(diagnostics_.error_count(), 4);
  take_messages();
  options_.lenient = true;
  const auto world = load(text);
  EXPECT_FALSE(diagnostics_.has_errors());
  EXPECT_THAT(
      take_messages(),
      ElementsAre(HasSubstr("3:1: warning: a ContactProperties cannot stand at the top level"),
                  HasSubstr("4:20: warning: a Box cannot stand in field 'children'"),
                  HasSubstr("4:47: warning: a Damping cannot stand in field 'physics'"),
                  HasSubstr("4:93: warning: a Fog cannot stand in field 'children'")));
  ASSERT_THAT(world.nodes, SizeIs(1));
  const auto solid = view(world.nodes[0]);
  EXPECT_THAT(solid.nodes("children"), SizeIs(1));
  EXPECT_EQ(solid.node("physics"), nullptr);
  EXPECT_THAT(view(solid.node("boundingObject")).nodes("children"), IsEmpty());
}

TEST_F(CheckTest, axes_get_unit_length) {
  const auto world = load("Solid { rotation 0 3 4 1 } Solid { rotation 0 0 1 2 }");
  EXPECT_THAT(view(world.nodes.at(0)).numbers("rotation"),
              ElementsAre(0, testing::DoubleEq(0.6), testing::DoubleEq(0.8), 1));
  EXPECT_THAT(view(world.nodes.at(1)).numbers("rotation"), ElementsAre(0, 0, 1, 2));
}

TEST_F(CheckTest, single_values_stand_for_lists) {
  const auto world = load("Robot { controllerArgs \"x\" children Solid { } }");
  EXPECT_THAT(view(world.nodes.at(0)).strings("controllerArgs"), ElementsAre("x"));
  EXPECT_THAT(view(world.nodes.at(0)).nodes("children"), SizeIs(1));
}

TEST_F(CheckTest, devices_that_are_not_simulated_stay_as_bodies) {
  const auto world = load(R"(
Robot {
  children [
    Radar { translation 1 2 3 maxRange 40 children [ Shape { } ] }
    Muscle { }
    HingeJoint { endPoint Compass { name "north" } }
  ]
}
)");
  EXPECT_THAT(take_messages(), SizeIs(3));
  const auto children = view(world.nodes.at(0)).nodes("children");
  ASSERT_THAT(children, SizeIs(2));
  const auto radar = view(children[0]);
  EXPECT_EQ(radar.node_type(), "Solid");
  EXPECT_EQ(radar.string("name"), "radar");
  EXPECT_EQ(radar.vec3("translation"), Vec3(1, 2, 3));
  EXPECT_EQ(radar.get().find("maxRange"), nullptr);
  EXPECT_THAT(radar.nodes("children"), SizeIs(1));
  EXPECT_EQ(view(view(children[1]).node("endPoint")).string("name"), "north");
}

TEST_F(CheckTest, devices_of_plugins_stay_also_when_they_are_not_simulated) {
  schemas_.add({"Ear", "Device", "", {{"reach", FieldType::kFloat, "1", "m", {}, ""}}, true});
  const auto world = load("Robot { children [ Ear { name \"left\" reach 2 } ] }");
  EXPECT_THAT(take_messages(), ElementsAre("2:20: warning: 1 Ear node is not simulated"));
  const auto ear = view(view(world.nodes.at(0)).nodes("children").at(0));
  EXPECT_EQ(ear.node_type(), "Ear");
  EXPECT_EQ(ear.string("name"), "left");
  EXPECT_EQ(ear.number("reach"), 2);
}

TEST_F(CheckTest, cameras_keep_the_fields_that_say_what_they_would_see) {
  const auto world = load("Robot { children [ Camera { width 640 children [ Shape { } ] } ] }");
  EXPECT_THAT(take_messages(), ElementsAre("2:20: warning: 1 Camera node is not simulated"));
  const auto camera = view(view(world.nodes.at(0)).nodes("children").at(0));
  EXPECT_EQ(camera.node_type(), "Camera");
  EXPECT_EQ(camera.string("name"), "camera");
  EXPECT_EQ(camera.number("width"), 640);
  EXPECT_THAT(camera.nodes("children"), SizeIs(1));
}

TEST_F(CheckTest, fields_without_effect_are_told_only_when_set) {
  load("Robot { showWindow FALSE remoteControl \"<none>\" }");
  EXPECT_THAT(take_messages(), IsEmpty());
  load("Robot { showWindow TRUE } Robot { name \"b\" showWindow TRUE }");
  EXPECT_THAT(take_messages(),
              ElementsAre("2:9: warning: field 'showWindow' of Robot is not simulated"
                          " (written 2 times)"));
}

TEST_F(CheckTest, geometry_may_stand_in_the_groups_of_a_bounding_object_only) {
  load(R"(
Solid {
  boundingObject Group { children [ Box { } Pose { children [ Sphere { } ] } Shape { } ] }
}
)");
  EXPECT_THAT(take_messages(), IsEmpty());
  load("Group { children [ Box { } ] }");
  EXPECT_THAT(take_messages(), SizeIs(1));
}

TEST_F(CheckTest, a_robot_s_devices_are_not_those_of_another) {
  load("Robot { children [ Lidar { } ] } Robot { name \"b\" children [ Lidar { } ] }");
  EXPECT_THAT(take_messages(), IsEmpty());
}

}  // namespace
}  // namespace protobeam::wbt
