// What is wrong with an SDF is said at its place.
#include <gmock/gmock.h>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::HasSubstr;

struct Mistake {
  const char* name;
  std::string text;     ///< what stands in the <world>, from line 2 on
  std::string message;  ///< a part of what is said
};

std::string in_link(const std::string& text) {
  return model("m", "<link name=\"a\">\n" + text + "</link>");
}

class Mistakes : public WorldTest, public testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, AreErrorsAtTheirPlace) {
  EXPECT_THAT(messages(world(GetParam().text)), HasSubstr("w.sdf:" + GetParam().message));
  EXPECT_GT(diagnostics_.error_count(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Sdf, Mistakes,
    testing::Values(
        Mistake{"NoNumber", model("m", "<pose>1 2 abc 0 0 0</pose><link name=\"a\"/>"),
                "2:23: error: <pose> must be 6 finite numbers, got '1 2 abc 0 0 0'"},
        Mistake{"NotANumber", in_link("<inertial><mass>nan</mass></inertial>"),
                "3:17: error: <mass> must be a finite number, got 'nan'"},
        Mistake{"NegativeMass", in_link("<inertial><mass>-1</mass></inertial>"),
                "3:12: error: <mass> must be greater than 0 kg, got -1"},
        Mistake{"NoMass", in_link("<inertial><mass>0</mass></inertial>"),
                "3:12: error: <mass> must be greater than 0 kg, got 0"},
        Mistake{"NegativeSize",
                in_link("<visual name=\"v\"><geometry><box><size>1 -1 1</size></box></geometry>"
                        "</visual>"),
                "3:34: error: <size> of <box> must be greater than 0 m, got -1"},
        Mistake{"NoShape", in_link("<visual name=\"v\"/>"),
                "3:2: error: a <visual> needs a <geometry> with a shape in it"},
        Mistake{"FarPose",
                in_link("<visual name=\"v\"><pose>1e300 0 0 0 0 0</pose><geometry><box/>"
                        "</geometry></visual>"),
                "3:2: error: the <pose> of <visual> must be within 1e9 of zero"},
        Mistake{"TwoLinks", model("m", "<link name=\"a\"/>\n<link name=\"a\"/>"),
                "3:13: error: there are two <link>s 'a'"},
        Mistake{"NoName", model("m", "<link/>"), "2:18: error: a <link> needs a name"},
        Mistake{"NoType", model("m", "<link name=\"a\"/>\n<joint name=\"j\"/>"),
                "3:2: error: a <joint> needs a type"},
        Mistake{"WrongType", model("m", "<link name=\"a\"/>\n<joint name=\"j\" type=\"revolut\"/>"),
                "3:23: error: there is no type 'revolut' of a <joint>; did you mean 'revolute'?"},
        Mistake{"NoParent",
                model("m",
                      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><child>a</child>"
                      "</joint>"),
                "3:2: error: a <joint> needs a <parent>"},
        Mistake{"NoSuchChild",
                model("m",
                      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent>a</parent>"
                      "<child>b</child></joint>"),
                "3:2: error: "},
        Mistake{"NoSuchFrame",
                model("m", "\n<link name=\"a\"><pose relative_to=\"g\">0 0 0 0 0 0</pose></link>"),
                "3:2: error: "},
        Mistake{"FramesInALoop",
                model("m",
                      "<link name=\"l\"/>\n<frame name=\"a\"><pose relative_to=\"b\"/></frame>"
                      "<frame name=\"b\"><pose relative_to=\"a\"/></frame>"),
                "3:"},
        Mistake{"NoAxis",
                model("m", "<link name=\"a\"/>\n" + hinge("j", "world", "a", "<xyz>0 0 0</xyz>")),
                "3:"},
        Mistake{"NoUri", "<include/>", "2:2: error: an <include> needs a <uri>"},
        Mistake{"NoSuchModel", "<include><uri>model://weel</uri></include>",
                "2:15: error: there is no package 'weel'"},
        Mistake{"Web", "<include><uri>https://fuel.gazebosim.org/1.0/x/models/Cave</uri></include>",
                "2:15: error: 'https://fuel.gazebosim.org/1.0/x/models/Cave' is on the web and "
                "was not fetched"},
        Mistake{"NoSuchMesh",
                in_link("<visual name=\"v\"><geometry><mesh><uri>a.stl</uri></mesh></geometry>"
                        "</visual>"),
                "3:"},
        Mistake{"NoLight", "<light name=\"l\" type=\"moon\"/>",
                "2:23: error: there is no type 'moon' of a <light>"},
        Mistake{
            "NegativeRate",
            in_link("<sensor name=\"s\" type=\"imu\"><update_rate>1e300</update_rate></sensor>"),
            "3:"}),
    [](const testing::TestParamInfo<Mistake>& info) { return info.param.name; });

TEST_F(WorldTest, TextsThatAreNoSdfAreErrors) {
  EXPECT_THAT(messages("hello"), HasSubstr("w.sdf:1:1: error:"));
  EXPECT_THAT(messages(""), HasSubstr("error:"));
  EXPECT_THAT(messages("<robot name=\"r\"/>"),
              HasSubstr("w.sdf:1:2: error: an SDF file is an <sdf>, not a <robot>"));
  EXPECT_THAT(messages("<sdf/>"), HasSubstr("w.sdf:1:2: error: an <sdf> needs a version"));
  EXPECT_THAT(messages("<sdf version=\"7\"><world name=\"w\"/></sdf>"),
              HasSubstr("w.sdf:1:15: error: SDF 1.2 to 1.12 is read, not '7'"));
  EXPECT_THAT(messages("<gazebo version=\"1.0\"><world name=\"w\"/></gazebo>"),
              HasSubstr("w.sdf:1:18: error: SDF 1.2 to 1.12 is read, not '1.0'"));
  EXPECT_THAT(messages("<sdf version=\"1.9\"/>"),
              HasSubstr("w.sdf:1:2: error: an <sdf> needs a <world> or a <model>"));
  EXPECT_THAT(messages("<sdf version=\"1.9\"><world name=\"w\">"), HasSubstr("error:"));
}

TEST_F(WorldTest, WhatSurfacesSayInVainIsSaid) {
  const auto surface = [&](const std::string& text) {
    return messages(world(in_link("<collision name=\"c\"><geometry><box/></geometry><surface>" +
                                  text + "</surface></collision>")));
  };
  const auto friction = [&](const std::string& ode) {
    return surface("<friction><ode>" + ode + "</ode></friction>");
  };
  EXPECT_THAT(friction("<mu>0.5</mu><mu2>0.5</mu2><slip1>0.035</slip1><slip2>0</slip2>"),
              HasSubstr("warning: a <slip2> of a <friction> that is not <slip1> has no effect; the "
                        "lower one counts"));
  EXPECT_EQ(friction("<mu>0.5</mu><slip1>0</slip1>").find("slip"), std::string::npos);
  EXPECT_THAT(
      friction("<mu2>50</mu2>"),
      HasSubstr("warning: a <mu2> that is not <mu> has no effect; friction has no direction "
                "without an <fdir1>"));
  EXPECT_EQ(friction("<mu>100</mu><mu2>50</mu2>"), "");
  EXPECT_EQ(surface("<bounce/>"), "");
  const auto retro = [&](const std::string& number) {
    return messages(world(in_link("<collision name=\"c\"><laser_retro>" + number +
                                  "</laser_retro><geometry><box/></geometry></collision>")));
  };
  EXPECT_EQ(retro("0"), "");
  EXPECT_THAT(retro("20"), HasSubstr("warning: a <laser_retro> of a <collision> that is not 0 has "
                                     "no effect"));
  EXPECT_EQ(surface("<bounce><restitution_coefficient>0.5</restitution_coefficient></bounce>"), "");
  EXPECT_EQ(messages(world(in_link("<gravity>1</gravity><kinematic>0</kinematic>"))), "");
  EXPECT_THAT(messages(world(in_link("<kinematic>1</kinematic>"))),
              HasSubstr("warning: a <kinematic> of a <link> that is on has no effect"));
  EXPECT_THAT(messages(world(in_link("<visual name=\"v\"><geometry><box/></geometry><plugin "
                                     "name=\"p\" filename=\"libWaves.so\"/></visual>"))),
              HasSubstr("warning: Gazebo's <plugin> 'libWaves.so' of a <visual> has no effect"));
  const auto masks = [](const std::string& one, const std::string& other) {
    const auto body = [](const std::string& name, const std::string& mask) {
      return "<collision name=\"" + name + "\"><geometry><box/></geometry><surface><contact>" +
             "<collide_bitmask>" + mask + "</collide_bitmask></contact></surface></collision>";
    };
    return world(in_link(body("a", one) + body("b", other)));
  };
  EXPECT_EQ(messages(masks("0x02", "2")), "");
  EXPECT_EQ(messages(masks("0x02", "65535")), "");
  EXPECT_EQ(messages(masks("0x02", "0")), "");
  EXPECT_THAT(messages(masks("0x02", "1")),
              HasSubstr("warning: a <collide_bitmask> without a bit in common with another one has "
                        "no effect (2 times); they touch nevertheless"));
  EXPECT_THAT(surface("<contact><collide_bitmask>two</collide_bitmask></contact>"),
              HasSubstr("error: <collide_bitmask> must be a whole number such as 3 or 0x03, got "
                        "'two'"));
  const auto in_gazebo = [&](const std::string& text) {
    return messages(
        world("<plugin filename=\"gz-sim-physics-system\" name=\"p\"/>" + in_link(text)));
  };
  EXPECT_THAT(in_gazebo("<velocity_decay><linear>0.1</linear></velocity_decay>"),
              HasSubstr("warning: <velocity_decay> of a <link> has no effect; Gazebo Classic alone "
                        "knows it"));
  EXPECT_EQ(in_gazebo("<velocity_decay><linear>0</linear></velocity_decay>"), "");
  EXPECT_THAT(messages(world(in_link("<velocity_decay><linear>1.1</linear></velocity_decay>"))),
              HasSubstr("error: <linear> must be at most 1, got 1.1"));
  EXPECT_THAT(in_gazebo("<collision name=\"c\"><geometry><box/></geometry><surface><contact>"
                        "<collide_without_contact>1</collide_without_contact></contact></surface>"
                        "</collision>"),
              HasSubstr("warning: <collide_without_contact> of a <contact> has no effect; Gazebo "
                        "Classic alone knows it"));
  EXPECT_THAT(messages(world(in_link("<sensor name=\"s\" type=\"wideanglecamera\"><camera><lens>"
                                     "<type>custom</type></lens></camera></sensor>"))),
              HasSubstr("warning: <lens> of a <camera> has no effect; its image is that of a "
                        "pinhole"));
}

// Both are along z where the text says none.
TEST_F(WorldTest, TwoAxesThatAreParallelAreOne) {
  const std::string text = world(
      model("m", heavy("a", 1, "0 0 0 0 0 0") +
                     "<joint name=\"j\" type=\"revolute2\"><parent>world</parent><child>a</child>"
                     "<axis><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"));
  EXPECT_THAT(messages(text), HasSubstr("warning: the second axis of a joint along its first one "
                                        "has no effect; it turns about one"));
  const auto document = *read(text);
  EXPECT_EQ(node(document, "HingeJoint").type, "HingeJoint");
  load(text);
}

TEST_F(WorldTest, TextsThatCostTooMuchAreErrors) {
  std::string deep, ends;
  for (int i = 0; i < 300; ++i) {
    deep += "<model name=\"m\">";
    ends += "</model>";
  }
  EXPECT_THAT(messages(world(deep + ends)), HasSubstr("w.sdf:2:"));
  EXPECT_GT(diagnostics_.error_count(), 0);
  // Entities are not expanded.
  EXPECT_GE(messages("<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c \"&d;&d;\">]>"
                     "<sdf version=\"1.9\"><world name=\"&b;\"/></sdf>")
                .size(),
            0u);
  options_.limits.elements = 100;
  std::string many;
  for (int i = 0; i < 200; ++i) many += "<model name=\"m\"/>";
  EXPECT_THAT(messages(world(many)), HasSubstr("w.sdf:2:"));
  options_.limits = {};
  options_.limits.chain = 10;
  std::string chain = heavy("l0", 1, "0 0 0 0 0 0");
  for (int i = 1; i < 30; ++i) {
    chain += heavy(fmt::format("l{}", i), 1, "0 0 0 0 0 0") +
             hinge(fmt::format("j{}", i), fmt::format("l{}", i - 1), fmt::format("l{}", i),
                   "<xyz>0 0 1</xyz>");
  }
  EXPECT_THAT(messages(world(model("m", chain))), HasSubstr("more than 10 links in a row"));
}

TEST_F(WorldTest, LimitsInTheWrongOrderAreNone) {
  EXPECT_THAT(
      messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0") +
                                    hinge("j", "world", "a",
                                          "<xyz>0 0 1</xyz><limit><lower>1</lower><upper>-1</upper>"
                                          "</limit>")))),
      HasSubstr("warning: <lower> must be at most <upper> (-1), got 1; the joint has no "
                "limits"));
  EXPECT_EQ(diagnostics_.error_count(), 0);
}

}  // namespace
}  // namespace protobeam::sdf
