// PROTO instances: where values, nodes and names go.
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ProtoTest : public WbtTest {
 protected:
  void write_proto(const std::string& name, const std::string& text) {
    write("protos/" + name + ".proto", "#VRML_SIM R2025a utf8\n" + text);
  }
  LoadedWorld load_using(const std::string& name, const std::string& nodes) {
    return load("EXTERNPROTO \"../protos/" + name + ".proto\"\n" + nodes);
  }
};

TEST_F(ProtoTest, values_go_where_IS_says) {
  write_proto("Ball", R"(PROTO Ball [
  field SFVec3f translation 0 0 1
  field SFFloat radius 0.5
  field SFString name "ball"
]
{
  Solid {
    translation IS translation
    name IS name
    children [ Shape { geometry Sphere { radius IS radius } } ]
  }
}
)");
  const auto world = load_using("Ball", "DEF B Ball { radius 2 }\n");
  ASSERT_THAT(world.nodes, SizeIs(1));
  const Node& ball = *world.nodes[0];
  EXPECT_EQ(ball.type, "Solid");
  EXPECT_EQ(ball.proto, "Ball");
  EXPECT_EQ(ball.def, "B");
  EXPECT_THAT(ball.place.to_string(), HasSubstr("Ball.proto:8:3"));
  ASSERT_NE(ball.expanded_from, nullptr);
  EXPECT_EQ(ball.expanded_from->proto, "Ball");
  EXPECT_THAT(ball.expanded_from->place.to_string(), HasSubstr("test.wbt:3:7"));
  EXPECT_EQ(view(world.nodes[0]).vec3("translation"), Vec3(0, 0, 1));
  const auto sphere = view(view(view(world.nodes[0]).nodes("children")[0]).node("geometry"));
  EXPECT_EQ(sphere.number("radius"), 2);
  // A value belongs to the text where it was written: urls are relative to that.
  EXPECT_THAT(sphere.place("radius").to_string(), HasSubstr("test.wbt:3:21"));
  EXPECT_THAT(view(world.nodes[0]).place("name").to_string(), HasSubstr("Ball.proto:5:23"));
}

TEST_F(ProtoTest, a_proto_of_a_proto_is_of_the_innermost_type_and_the_outermost_name) {
  write_proto("Base", R"(PROTO Base [
  field SFString name "base"
  field MFNode slot [ ]
  field SFFloat mass 1
]
{ Robot { name IS name children IS slot physics Physics { mass IS mass } } }
)");
  write_proto("Derived", R"(EXTERNPROTO "Base.proto"
PROTO Derived [
  field SFString name "derived"
  field MFNode sensorSlot [ ]
]
{ Base { name IS name slot [ Pose { children IS sensorSlot } ] mass 7 } }
)");
  const auto world = load_using("Derived", "Derived { sensorSlot [ Lidar { } ] }");
  ASSERT_THAT(world.nodes, SizeIs(1));
  const auto robot = view(world.nodes[0]);
  EXPECT_EQ(robot.node_type(), "Robot");
  EXPECT_EQ(robot.get().proto, "Derived");
  EXPECT_EQ(robot.string("name"), "derived");
  EXPECT_EQ(view(robot.node("physics")).number("mass"), 7);
  const auto pose = view(robot.nodes("children").at(0));
  EXPECT_EQ(pose.nodes("children").at(0)->type, "Lidar");
  // Base's body, used in Derived's body, used in the world.
  const auto* chain = robot.get().expanded_from.get();
  ASSERT_NE(chain, nullptr);
  EXPECT_EQ(chain->proto, "Base");
  ASSERT_NE(chain->parent, nullptr);
  EXPECT_EQ(chain->parent->proto, "Derived");
  EXPECT_EQ(chain->parent->parent, nullptr);
  // The lidar was written in the world.
  EXPECT_EQ(pose.nodes("children").at(0)->expanded_from, nullptr);
}

TEST_F(ProtoTest, a_node_linked_twice_becomes_two_nodes) {
  write_proto("Twice", R"(PROTO Twice [ field MFNode part [ ] ]
{ Group { children [ Pose { children IS part } Pose { children IS part } ] } }
)");
  const auto world = load_using("Twice", "Twice { part [ Solid { name \"x\" } ] }");
  const auto poses = view(world.nodes.at(0)).nodes("children");
  ASSERT_THAT(poses, SizeIs(2));
  const auto a = view(poses[0]).nodes("children").at(0), b = view(poses[1]).nodes("children").at(0);
  EXPECT_NE(a, b);
  EXPECT_EQ(view(b).string("name"), "x");
}

TEST_F(ProtoTest, defaults_may_be_nodes_and_protos) {
  write_proto("Look", R"(PROTO Look [ field SFColor color 1 0 0 ]
{ PBRAppearance { baseColor IS color } }
)");
  write_proto("Thing", R"(EXTERNPROTO "Look.proto"
PROTO Thing [ field SFNode appearance DEF A Look { color 0 1 0 } field SFNode none NULL ]
{ Solid { children [ Shape { appearance IS appearance } ] boundingObject IS none } }
)");
  const auto world = load_using("Thing", "Thing { }");
  const auto solid = view(world.nodes.at(0));
  const auto look = view(view(solid.nodes("children").at(0)).node("appearance"));
  EXPECT_EQ(look.get().proto, "Look");
  EXPECT_EQ(look.vec3("baseColor"), Vec3(0, 1, 0));
  EXPECT_EQ(solid.node("boundingObject"), nullptr);
  EXPECT_TRUE(solid.is_set("boundingObject"));
}

TEST_F(ProtoTest, a_def_in_what_a_parameter_is_given_names_it_after_it) {
  write_proto("Painted", R"(PROTO Painted [ field SFNode look NULL field MFNode more [ ] ]
{ Group { children [ Shape { appearance IS look } Group { children IS more } ] } }
)");
  const auto world = load_using("Painted",
                                "Painted { look DEF RED PBRAppearance { baseColor 1 0 0 } "
                                "more [ Pose { children [ DEF BALL Shape { } ] } ] }\n"
                                "Shape { appearance USE RED }\nPose { children [ USE BALL ] }");
  ASSERT_THAT(world.nodes, SizeIs(3));
  const auto children = view(world.nodes[0]).nodes("children");
  const auto red = view(children.at(0)).node("appearance");
  ASSERT_NE(red, nullptr);
  EXPECT_EQ(view(world.nodes[1]).node("appearance"), red);
  const auto pose = view(children.at(1)).nodes("children").at(0);
  EXPECT_EQ(view(world.nodes[2]).nodes("children").at(0), view(pose).nodes("children").at(0));
}

TEST_F(ProtoTest, a_def_in_the_body_names_only_in_the_body) {
  write_proto("Body", R"(PROTO Body [ ]
{ DEF ROOT Solid { children [ DEF S Shape { geometry Box { } } ] boundingObject USE S } }
)");
  const auto world = load_using("Body", "Body { } DEF X Body { }");
  ASSERT_THAT(world.nodes, SizeIs(2));
  EXPECT_EQ(world.nodes[0]->def, "");
  EXPECT_EQ(world.nodes[1]->def, "X");
  const auto solid = view(world.nodes[0]);
  EXPECT_EQ(solid.node("boundingObject"), solid.nodes("children").at(0));
  EXPECT_NE(solid.node("boundingObject"), view(world.nodes[1]).node("boundingObject"));
}

TEST_F(ProtoTest, values_outside_the_allowed_ones_leave_the_default) {
  write_proto("Choice", R"(PROTO Choice [
  field SFString{"a" "b"} mode "b"
  field MFNode{Lidar{}} slot [ ]
]
{ Robot { name IS mode children IS slot } }
)");
  const auto world = load_using("Choice", "Choice { mode \"c\" slot [ Pose { } Lidar { } ] }");
  EXPECT_THAT(
      take_messages(),
      ElementsAre("3:15: warning: \"c\" is not allowed for parameter 'mode': the default counts",
                  "3:26: warning: Pose is not allowed for parameter 'slot': it is left out"));
  ASSERT_THAT(world.nodes, SizeIs(1));
  EXPECT_EQ(view(world.nodes[0]).string("name"), "b");
  ASSERT_THAT(view(world.nodes[0]).nodes("children"), SizeIs(1));
  EXPECT_EQ(view(world.nodes[0]).nodes("children")[0]->type, "Lidar");
}

TEST_F(ProtoTest, saved_hidden_values_are_dropped) {
  write_proto("Arm", "PROTO Arm [ field SFString name \"arm\" ] { Robot { name IS name } }");
  const auto world = load_using("Arm", R"(
Arm { name "a" hidden position_0_0 1.5 hidden translation_1 1 2 3 }
Solid { hidden linearVelocity_0 1 0 0 }
)");
  ASSERT_THAT(world.nodes, SizeIs(2));
  EXPECT_EQ(view(world.nodes[0]).string("name"), "a");
}

// Webots, tests/physics/worlds/hidden_parameter_single.wbt.
TEST_F(ProtoTest, saved_hidden_values_come_to_the_parts_that_they_number) {
  write_proto("Arm", R"(PROTO Arm [ field SFString name "arm" ] {
  Robot { name IS name children [
    Pose { children [ Solid { name "box" } HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 } endPoint Solid { name "upper" children [
        Slot { endPoint Slot { endPoint BallJoint { endPoint Solid { name "hand" } } } }
      ] }
    } ] }
    HingeJoint { endPoint Solid { name "other" } }
  ] }
})");
  const std::string text = R"(
Arm { name "a" hidden translation_0 1 2 3 hidden linearVelocity_0 0 1 0
  hidden position_0_0 0.1 hidden position_0_1 0.2 hidden rotation_2 0 0 1 0.1
  hidden position_2_0 0.3 hidden position2_2_0 0.4 hidden position3_2_0 0.5 hidden angularVelocity_3 7 8 9
  hidden position2_0_0 5 hidden position_0_7 5 hidden translation_99 1 2 3 hidden rotation_4 1 2
  hidden elsewhere_1 5 }
)";
  const auto world = load_using("Arm", text);
  ASSERT_THAT(world.nodes, SizeIs(1));
  const auto robot = view(world.nodes[0]);
  EXPECT_EQ(robot.vec3("translation"), Vec3(1, 2, 3));
  EXPECT_EQ(robot.vec3("linearVelocity"), Vec3(0, 1, 0));
  const auto first = view(view(robot.nodes("children").at(0)).nodes("children").at(1));
  const auto other = view(robot.nodes("children").at(1));
  EXPECT_EQ(view(first.node("jointParameters")).number("position"), 0.1);
  EXPECT_EQ(view(first.node("jointParameters")).vec3("axis"), Vec3(0, 0, 1));
  EXPECT_EQ(view(other.node("jointParameters")).number("position"), 0.2);
  EXPECT_FALSE(view(other.node("endPoint")).is_set("rotation"));
  const auto upper = view(first.node("endPoint"));
  EXPECT_NEAR(upper.rotation("rotation").z(), std::sin(0.05), 1e-12);
  const auto ball =
      view(view(view(upper.nodes("children").at(0)).node("endPoint")).node("endPoint"));
  EXPECT_EQ(view(ball.node("jointParameters")).number("position"), 0.3);
  EXPECT_EQ(view(ball.node("jointParameters2")).number("position"), 0.4);
  EXPECT_EQ(view(ball.node("jointParameters2")).vec3("axis"), Vec3(1, 0, 0));
  EXPECT_EQ(view(ball.node("jointParameters3")).number("position"), 0.5);
  EXPECT_EQ(view(ball.node("endPoint")).vec3("angularVelocity"), Vec3(7, 8, 9));
}

TEST_F(ProtoTest, slots_stay_and_what_they_hold_is_checked_in_their_place) {
  const auto world = load(R"(
Robot { children [ Slot { type "a+" endPoint Slot { type "a-" endPoint Lidar { } } } ] }
)");
  const auto slot = view(view(world.nodes.at(0)).nodes("children").at(0));
  EXPECT_EQ(slot.node_type(), "Slot");
  EXPECT_EQ(view(slot.node("endPoint")).node("endPoint")->type, "Lidar");
  load("Robot { children [ Slot { endPoint Slot { endPoint Box { } } } ] }");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("a Box cannot stand in field 'children'")));
}

// Webots, WbNode::createProtoInstance; its tests/protos/worlds/proto_default_def_node.wbt.
TEST_F(ProtoTest, a_def_in_a_default_value_counts_where_the_proto_is_used) {
  write_proto("Pair", R"(PROTO Pair [
  field SFNode first DEF CRATE Shape { geometry DEF CUBE Box { size 1 2 3 } }
  field SFNode second NULL
] { Solid { boundingObject IS first children [ Slot { endPoint Slot { endPoint IS second } } ] } })");
  const auto size = [&](const NodePtr& shape) {
    return view(view(shape).node("geometry")).vec3("size");
  };
  const auto second = [&](const NodePtr& pair) {
    return view(view(view(pair).nodes("children").at(0)).node("endPoint")).node("endPoint");
  };
  auto world = load_using(
      "Pair",
      "Pair { second Group { children [ USE CRATE ] } }\nSolid { boundingObject USE CUBE }");
  EXPECT_EQ(size(view(second(world.nodes.at(0))).nodes("children").at(0)), Vec3(1, 2, 3));
  EXPECT_EQ(view(view(world.nodes.at(1)).node("boundingObject")).vec3("size"), Vec3(1, 2, 3));

  load_using(
      "Pair",
      "Pair { first Shape { geometry Sphere { } } second Group { children [ USE CRATE ] } }");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("USE CRATE has no DEF in this file")));
  load_using("Pair", "Solid { boundingObject USE CUBE }\nPair { }");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("USE CUBE has no DEF in this file")));
  world = load_using(
      "Pair", "Pair { first DEF CRATE Shape { geometry Box { size 4 5 6 } } second USE CRATE }");
  EXPECT_EQ(size(second(world.nodes.at(0))), Vec3(4, 5, 6));
}

// Webots, WbNodeUtilities::isSlotTypeMatch.
TEST_F(ProtoTest, a_slot_fits_into_one_of_its_type_and_of_the_other_gender) {
  const auto messages = [&](const std::string& outer, const std::string& inner) {
    load("Robot { children [ Slot { type \"" + outer + "\" endPoint Slot { type \"" + inner +
         "\" endPoint Lidar { } } } ] }");
    return take_messages();
  };
  for (const auto& [outer, inner] : {std::pair("", ""),
                                     {"", "arm+"},
                                     {"arm", ""},
                                     {"arm", "arm"},
                                     {"arm+", "arm-"},
                                     {"arm-", "arm+"}}) {
    EXPECT_THAT(messages(outer, inner), IsEmpty()) << outer << " and " << inner;
  }
  for (const auto& [outer, inner] :
       {std::pair("arm", "leg"), {"arm", "arm+"}, {"arm+", "arm"}, {"arm+", "leg-"}}) {
    EXPECT_THAT(messages(outer, inner),
                ElementsAre(AllOf(HasSubstr("warning: a Slot of the type"),
                                  HasSubstr("does not fit into one of the type"))))
        << outer << " and " << inner;
  }
  EXPECT_THAT(messages("arm+", "arm+"),
              ElementsAre(AllOf(HasSubstr("2:60: "), HasSubstr("has the same gender"),
                                HasSubstr("\"arm-\" would"))));
  EXPECT_THAT(messages("gripper", "griper"), ElementsAre(HasSubstr("did you mean 'gripper'?")));
}

TEST_F(ProtoTest, a_third_slot_in_two_others_is_left_out) {
  const auto world = load(
      "Robot { children [ Slot { endPoint Slot { endPoint Lidar { } } }\n"
      "Slot { endPoint Slot { endPoint Slot { endPoint Lidar { } } } } ] }");
  EXPECT_THAT(take_messages(),
              ElementsAre("3:33: warning: a third Slot stands in two others: nothing stands there, "
                          "as in Webots"));
  const auto slots = view(world.nodes.at(0)).nodes("children");
  EXPECT_TRUE(view(view(slots.at(0)).node("endPoint")).node("endPoint"));
  EXPECT_FALSE(view(view(slots.at(1)).node("endPoint")).node("endPoint"));
}

TEST_F(ProtoTest, network_addresses_mean_a_file_of_that_name) {
  write("cache/deep/down/Net.proto",
        "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"cache\" } }");
  write("catalogue/Net.proto",
        "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"catalogue\" } }");
  const std::string text =
      "EXTERNPROTO "
      "\"https://raw.githubusercontent.com/cyberbotics/webots/R2023b/x/Net.proto\"\nNet { }";
  const auto found = [&] { return view(load(text).nodes.at(0)).string("name"); };
  options_.proto_path = {folder_ / "cache"};
  EXPECT_EQ(found(), "cache");
  options_.proto_path = {folder_ / "catalogue", folder_ / "cache"};
  EXPECT_EQ(found(), "catalogue");
  write_proto("Net", "PROTO Net [ ] { Solid { name \"project\" } }");
  EXPECT_EQ(found(), "project");
}

TEST_F(ProtoTest, stand_ins_come_last_but_before_namesakes_of_the_catalogue_where_webots_is_asked) {
  write("catalogue/webots/objects/Net.proto",
        "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"stand-in\" } }");
  options_.proto_path = {folder_ / "own", folder_ / "catalogue", folder_ / "cache",
                         folder_ / "catalogue/webots"};
  const auto found = [&](const std::string& url) {
    return view(load("EXTERNPROTO \"" + url + "\"\nNet { }").nodes.at(0)).string("name");
  };
  const std::string webots =
      "https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/Net.proto";
  const auto stand_in = ElementsAre(HasSubstr("1 PROTO is a stand-in for Webots' own"));
  EXPECT_EQ(found(webots), "stand-in");
  EXPECT_THAT(take_messages(), stand_in);
  write("catalogue/Net.proto",
        "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"catalogue\" } }");
  EXPECT_EQ(found(webots), "stand-in");
  EXPECT_THAT(take_messages(), stand_in);
  // R2022a had no EXTERNPROTO: a name meant Webots' PROTO.
  const auto named = [&](const std::string& version) {
    const auto file = write("worlds/named.wbt", "#VRML_SIM " + version + " utf8\nNet { }\n");
    return view(load_world(file, options_, diagnostics_).nodes.at(0)).string("name");
  };
  EXPECT_EQ(named("R2022a"), "stand-in");
  EXPECT_THAT(take_messages(), stand_in);
  EXPECT_EQ(named("R2022b"), "catalogue");
  take_messages();
  EXPECT_EQ(found("https://example.org/Net.proto"), "catalogue");
  EXPECT_THAT(take_messages(), ElementsAre(HasSubstr("'https://example.org/Net.proto'")));
  write("cache/Net.proto", "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"cache\" } }");
  EXPECT_EQ(found(webots), "cache");
  write("own/Net.proto", "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { name \"own\" } }");
  EXPECT_EQ(found(webots), "own");
}

TEST_F(ProtoTest, what_stand_ins_are_made_of_is_no_stand_in) {
  write("catalogue/webots/parts/Mesh4.proto",
        "#VRML_SIM R2025a utf8\nPROTO Mesh4 [ ] { Solid { } }");
  write("catalogue/webots/objects/Net.proto",
        "#VRML_SIM R2025a utf8\nEXTERNPROTO \"../parts/Mesh4.proto\"\nPROTO Net [ ] { Mesh4 { } }");
  options_.proto_path = {folder_ / "catalogue", folder_ / "catalogue/webots"};
  load("EXTERNPROTO \"webots://projects/x/Net.proto\"\nNet { }");
  EXPECT_THAT(take_messages(),
              ElementsAre(AllOf(HasSubstr("1 PROTO is a stand-in"), HasSubstr("look: Net;"))));
}

TEST_F(ProtoTest, a_proto_of_the_catalogue_in_place_of_somebody_elses_is_told) {
  const auto catalogue =
      write("catalogue/deep/Net.proto", "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { } }");
  write("catalogue/webots/Tree.proto", "#VRML_SIM R2025a utf8\nPROTO Tree [ ] { Solid { } }");
  options_.proto_path = {folder_ / "own", folder_ / "catalogue", folder_ / "catalogue/webots"};
  const auto messages = [&](const std::string& url, const std::string& name = "Net") {
    load("EXTERNPROTO \"" + url + "\"\n" + name + " { }\n" + name + " { }");
    return take_messages();
  };
  const std::string theirs = "https://raw.githubusercontent.com/someone/course/main/protos/";
  EXPECT_THAT(messages(theirs + "Net.proto"),
              ElementsAre(AllOf(HasSubstr("2:13: warning: '" + theirs +
                                          "Net.proto' was not fetched; PROTO 'Net' is '" +
                                          catalogue.string() + "' instead"),
                                HasSubstr("protobeam fetch "))));
  EXPECT_THAT(messages(theirs + "Tree.proto", "Tree"),
              ElementsAre(HasSubstr("PROTO 'Tree' is '"), HasSubstr("1 PROTO is a stand-in")));
  // Ours is what is meant there, or the user has put a file where it is looked for.
  EXPECT_THAT(messages("webots://protos/Net.proto"), IsEmpty());
  EXPECT_THAT(messages("https://raw.githubusercontent.com/cyberbotics/webots/R2023b/p/Net.proto"),
              IsEmpty());
  write("own/Net.proto", "#VRML_SIM R2025a utf8\nPROTO Net [ ] { Solid { } }");
  EXPECT_THAT(messages(theirs + "Net.proto"), IsEmpty());
  // With a path there is none to take instead.
  EXPECT_THAT(messages("../protos/Net.proto"),
              ElementsAre(HasSubstr("2:13: there is no file '" + (folder_ / "protos").string())));
}

TEST_F(ProtoTest, files_before_R2022b_need_no_EXTERNPROTO) {
  write("protos/sub/Old.proto", "#VRML_SIM R2022a utf8\nPROTO Old [ ] { Solid { } }");
  const auto file = write("worlds/old.wbt", "#VRML_SIM R2022a utf8\nOld { }\n");
  EXPECT_THAT(load_world(file, options_, diagnostics_).nodes, SizeIs(1));
}

TEST_F(ProtoTest, a_PROTO_without_a_header_is_of_the_version_of_the_file_that_uses_it) {
  write("protos/Can.proto",
        "PROTO Can [ ] { Robot { children [ Shape { geometry Cylinder { } } ] } }");
  const auto can = [&](const std::string& version) {
    const auto file = write("worlds/can.wbt", "#VRML_SIM " + version + " utf8\nCan { }\n");
    const auto world = load_world(file, options_, diagnostics_);
    EXPECT_THAT(take_messages(),
                ElementsAre(HasSubstr("the file has no header; write '#VRML_SIM " + version)));
    return world.nodes.at(0);
  };
  const auto axes = [](const NodePtr& robot) {
    return robot->find("children")
        ->value.nodes.at(0)
        ->find("geometry")
        ->value.nodes.at(0)
        ->old_axes;
  };
  const NodePtr old_one = can("R2020a"), new_one = can("R2022a");
  EXPECT_EQ(axes(old_one), OldAxes::kStandsAlongY);
  EXPECT_EQ(old_one->find("rotation"), nullptr);  // and is not turned
  EXPECT_EQ(axes(new_one), OldAxes::kNone);
}

/// Of a world whose files have the axes of before R2022a, by PROTOs of Webots that have today's.
class TurnedProtoTest : public ProtoTest {
 protected:
  /// What `parameter` is where the PROTO has it.
  std::vector<double> given(const std::string& proto, const std::string& type,
                            const std::string& parameter, const std::string& text) {
    write_proto(proto, "PROTO " + proto + " [ unconnectedField " + type + " " + parameter + " " +
                           (type == "SFInt32"   ? "1"
                            : type == "SFVec2f" ? "1 1"
                            : type == "SFVec3f" ? "1 1 1"
                                                : "[ ]") +
                           " ] { Solid { } }");
    const auto file = write("worlds/old.wbt",
                            "#VRML_SIM " + version_ + " utf8\n" + proto + " { " + text + " }\n");
    const auto world = load_world(file, options_, diagnostics_);
    EXPECT_THAT(take_messages(), IsEmpty());
    return world.nodes.at(0)->instance->values.at(0).numbers;
  }

  std::string version_ = "R2021b";
};

TEST_F(TurnedProtoTest, sizes_are_turned_with_what_they_are_of) {
  // x was to the right, y up, z backwards; x is forwards, y to the left, z up.
  EXPECT_THAT(given("WoodenBox", "SFVec3f", "size", "size 1 2 3"), ElementsAre(3, 1, 2));
  EXPECT_THAT(given("Door", "SFVec3f", "frameSize", "frameSize 1 2 3"), ElementsAre(3, 1, 2));
  EXPECT_THAT(given("RectangleArena", "SFVec2f", "floorSize", "floorSize 1 2"), ElementsAre(2, 1));
  EXPECT_THAT(given("Road", "MFVec3f", "wayPoints", "wayPoints [ 1 2 3, 4 5 6 ]"),
              ElementsAre(-3, -1, 2, -6, -4, 5));
  EXPECT_THAT(given("CrashBarrier", "MFVec3f", "path", "path [ 1 2 3, 4 5 6 ]"),
              ElementsAre(-3, -1, 2, -6, -4, 5));
  for (const char* building : {"Building", "SimpleBuilding", "RandomBuilding"}) {
    EXPECT_THAT(given(building, "MFVec2f", "corners", "corners [ 1 2, 3 4, 5 -6 ]"),
                ElementsAre(-2, -1, -4, -3, 6, -5));
  }
  // Of what runs along +z before, x goes backwards today; angles count clockwise, seen from above.
  EXPECT_THAT(given("Road", "MFFloat", "startingAngle", "startingAngle [ 0 ]"),
              ElementsAre(DoubleNear(kPi, 1e-12)));
  EXPECT_THAT(given("Road", "MFFloat", "endingAngle", "endingAngle [ 1 ]"),
              ElementsAre(DoubleNear(1 - kPi, 1e-12)));
  // A Crossroad turns these to -3 -1 2 and -6 -4 5.
  EXPECT_THAT(given("Crossroad", "MFVec3f", "shape", "shape [ 1 2 3, 4 5 6 ]"),
              ElementsAre(1, 3, -2, 4, 6, -5));
  EXPECT_THAT(given("UnevenTerrain", "SFInt32", "xDimension", "zDimension 7"), ElementsAre(7));
  EXPECT_THAT(given("UnevenTerrain", "SFInt32", "yDimension", "xDimension 7"), ElementsAre(7));
  EXPECT_THAT(given("Worktop", "SFVec3f", "size", "size 1 2 3"), ElementsAre(3, 1, 2));
  // Stairs rise along x before and after.
  EXPECT_THAT(given("StraightStairs", "SFVec3f", "stepSize", "stepSize 1 2 3"),
              ElementsAre(1, 3, 2));
  // It is turned by a quarter instead, see below.
  EXPECT_THAT(given("PedestrianCrossing", "SFVec2f", "size", "size 20 8"), ElementsAre(20, 8));
  // A default is today's, and other PROTOs and parameters have what is written.
  EXPECT_THAT(given("WoodenBox", "SFVec3f", "size", ""), ElementsAre(1, 1, 1));
  EXPECT_THAT(given("Shelf", "SFVec3f", "size", "size 1 2 3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(given("WoodenBox", "SFVec3f", "color", "color 1 2 3"), ElementsAre(1, 2, 3));
  version_ = "R2022a";
  EXPECT_THAT(given("WoodenBox", "SFVec3f", "size", "size 1 2 3"), ElementsAre(1, 2, 3));
}

TEST_F(TurnedProtoTest, a_default_place_is_above_the_ground_of_before) {
  for (const char* name : {"Pioneer3dx", "Shelf"}) {
    write_proto(name, std::string("PROTO ") + name +
                          " [ field SFVec3f translation 0 0 0.5 ] {\n"
                          "  Solid { translation IS translation }\n}");
  }
  const auto places = [&](const char* version) {
    const auto file = write("worlds/old.wbt", std::string("#VRML_SIM ") + version +
                                                  " utf8\nPioneer3dx { } Shelf { }\n"
                                                  "Pioneer3dx { translation 1 2 3 }\n");
    const auto world = load_world(file, options_, diagnostics_);
    EXPECT_THAT(take_messages(), IsEmpty());
    std::vector<Vec3> out;
    for (const auto& node : world.nodes) out.push_back(view(node).vec3("translation"));
    return out;
  };
  EXPECT_THAT(places("R2021b"), ElementsAre(Vec3(0, 0.5, 0), Vec3(0, 0, 0.5), Vec3(1, 2, 3)));
  EXPECT_THAT(places("R2022a"), ElementsAre(Vec3(0, 0, 0.5), Vec3(0, 0, 0.5), Vec3(1, 2, 3)));
}

TEST_F(TurnedProtoTest, a_crossing_lies_as_before) {
  write_proto("PedestrianCrossing",
              "PROTO PedestrianCrossing [ field SFRotation rotation 0 0 1 0 ] {\n"
              "  Solid { rotation IS rotation }\n}");
  const auto file = write("worlds/old.wbt",
                          "#VRML_SIM R2021b utf8\nPedestrianCrossing { rotation 0 1 0 1.5708 }\n");
  const auto world = load_world(file, options_, diagnostics_);
  EXPECT_THAT(take_messages(), IsEmpty());
  // As Webots' own worlds were converted: about z by a quarter more. In its 20 m by 8 m it is 20 m
  // across.
  const Mat3 R = view(world.nodes.at(0)).rotation("rotation").toRotationMatrix();
  const Mat3 before = axis_angle(Vec3::UnitY(), 1.5708).toRotationMatrix();
  EXPECT_LT((R * Vec3::UnitX() - before * -Vec3::UnitX()).norm(), 1e-9);
  EXPECT_LT((R * Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-9);
}

TEST_F(TurnedProtoTest, models_look_where_the_converter_of_Webots_turns_them) {
  // objects_pi, objects_pi_2 and objects_minus_pi_2 of convert_nue_to_enu_rub_to_flu.py.
  const std::vector<std::pair<double, std::vector<std::string>>> tables = {
      {kPi,
       {"StraightRoadSegment",
        "WoodenChair",
        "Fork",
        "Door",
        "Television",
        "LandscapePainting",
        "Barbecue",
        "Toilet",
        "SquareManhole",
        "CardboardBox",
        "Cabinet",
        "OfficeTelephone",
        "RoadPillars",
        "LaneSeparation",
        "CurvedRoadSegment",
        "AddLanesRoadSegment",
        "BusStop",
        "BusSimple",
        "AdvertisingBoard",
        "Bench",
        "BmwX5Simple",
        "CitroenCZeroSimple",
        "ToyotaPriusSimple",
        "LincolnMKZ",
        "MotorbikeSimple",
        "TruckSimple",
        "ScooterSimple",
        "LincolnMKZSimple",
        "TrashBin",
        "BungalowStyleHouse",
        "OfficeChair"}},
      {kPi / 2,
       {"Bed", "PedestrianCrossing", "PlatformCart", "Auditorium", "PublicToilet", "Museum",
        "SwingCouch"}},
      {-kPi / 2,
       {"Forest", "HighwayPole", "Knife", "Fridge", "Oven", "Armchair", "FastFoodRestaurant",
        "Sofa", "StraightStairs", "Radiator", "DoubleFluorescentLamp", "Roundabout", "Chair",
        "OilBarrel", "DivergentIndicator"}},
      // In neither: as they were.
      {0, {"Pioneer3dx", "HotPlate", "Worktop", "GenericTrafficLight"}},
      // There, too, but their numbers are turned instead, see above.
      {0, {"Floor", "RectangleArena", "Crossroad", "SimpleBuilding", "RandomBuilding"}},
      // Not there: files of R2020a and R2022b have their wheels along z and along x.
      {kPi, {"AckermannVehicle", "BmwX5", "TeslaModel3", "TeslaModel3Simple"}},
  };
  for (const auto& [angle, protos] : tables) {
    for (const std::string& proto : protos) {
      SCOPED_TRACE(proto);
      write_proto(proto, "PROTO " + proto +
                             " [ field SFRotation rotation 0 0 1 0 ] {\n"
                             "  Solid { rotation IS rotation }\n}");
      const auto file =
          write("worlds/old.wbt", "#VRML_SIM R2021b utf8\n" + proto + " { rotation 0 1 0 0.3 }\n");
      const auto world = load_world(file, options_, diagnostics_);
      EXPECT_THAT(take_messages(), IsEmpty());
      // The script makes 0 0 1 of the axis 0 1 0, turns by `angle` about z, and has -z, -x and y of
      // before as x, y and z.
      const Mat3 R = view(world.nodes.at(0)).rotation("rotation").toRotationMatrix();
      const Vec3 forward(-std::sin(0.3 + angle), 0, -std::cos(0.3 + angle));
      EXPECT_LT((R * Vec3::UnitX() - forward).norm(), 1e-6);
      EXPECT_LT((R * Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-6);
    }
  }
}

TEST_F(TurnedProtoTest, sizes_are_turned_once) {
  write_proto("WoodenBox",
              "PROTO WoodenBox [ field SFVec3f size 1 1 1 ] {\n"
              "  Solid { children [ Shape { geometry Box { size IS size } } ] }\n}");
  write("protos/OldBox.proto",
        "#VRML_SIM R2021b utf8\nPROTO OldBox [ field SFVec3f size 1 1 1 ] {\n"
        "  Group { children [ WoodenBox { size IS size } ] }\n}");
  const auto file = write("worlds/old.wbt", "#VRML_SIM R2021b utf8\nOldBox { size 1 2 3 }\n");
  const auto world = load_world(file, options_, diagnostics_);
  EXPECT_THAT(take_messages(), IsEmpty());
  const auto box = view(view(world.nodes.at(0)).nodes("children")[0]);
  const auto shape = view(box.nodes("children")[0]);
  EXPECT_EQ(view(shape.node("geometry")).vec3("size"), Vec3(3, 1, 2));
  // And as its file is of before R2022a, a PROTO has the axes of the world.
  write("protos/WoodenBox.proto",
        "#VRML_SIM R2021b utf8\nPROTO WoodenBox [ field SFVec3f size 1 1 1 ] {\n"
        "  Solid { children [ Shape { geometry Box { size IS size } } ] }\n}");
  const auto old_one = load_world(file, options_, diagnostics_);
  const auto old_box = view(view(old_one.nodes.at(0)).nodes("children")[0]);
  EXPECT_EQ(view(view(old_box.nodes("children")[0]).node("geometry")).vec3("size"), Vec3(1, 2, 3));
}

TEST_F(ProtoTest, nodes_that_double_in_every_proto_are_refused) {
  // Each level links its parameter twice: 2^30 nodes.
  options_.max_nodes = 20'000;
  const auto name = [](int level) { return std::string(1, 'P').append(std::to_string(level)); };
  for (int i = 0; i < 29; ++i) {
    std::string text("EXTERNPROTO \"");
    text.append(name(i + 1)).append(".proto\"\nPROTO ").append(name(i));
    text.append(" [ field MFNode c [ ] ]\n{ ").append(name(i + 1));
    text.append(" { c [ Pose { children IS c } Pose { children IS c } ] } }\n");
    write_proto(name(i), text);
  }
  write_proto("P29", "PROTO P29 [ field MFNode c [ ] ] { Group { children IS c } }");
  load_using("P0", "P0 { c [ Pose { } ] }");
  const auto messages = take_messages();
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_THAT(messages[0], HasSubstr("the world has more than 20000 nodes"));
}

TEST_F(ProtoTest, a_proto_by_itself_has_its_defaults) {
  write_proto("Ball",
              "PROTO Ball [ field SFFloat r 3 ] { Shape { geometry Sphere { radius IS r } } }");
  const NodePtr ball = load_proto(folder_ / "protos/Ball.proto", options_, diagnostics_);
  ASSERT_NE(ball, nullptr);
  EXPECT_EQ(ball->proto, "Ball");
  EXPECT_EQ(view(view(ball).node("geometry")).number("radius"), 3);
}

}  // namespace
}  // namespace protobeam::wbt
