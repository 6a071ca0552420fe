#include "wbt/field_settings.h"

#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class FieldSettingsTest : public WbtTest {
 protected:
  void SetUp() override {
    WbtTest::SetUp();
    write("protos/Car.proto", R"(#VRML_SIM R2025a utf8
PROTO Car [
  field SFString name "red car"
  field SFFloat  size 1
  field MFString controllerArgs []
]
{
  Robot {
    name IS name
    controllerArgs IS controllerArgs
    children [
      %< for (let i = 0; i < fields.size.value; ++i) { >%
      Lidar { name "lidar %<= i >%" maxRange 10 }
      %< } >%
    ]
  }
}
)");
  }

  LoadedWorld load_with(const std::vector<std::string>& settings) {
    options_.settings.clear();
    for (const auto& one : settings) options_.settings.push_back(parse_setting(one, "--set"));
    return load(R"(
EXTERNPROTO "../protos/Car.proto"
WorldInfo { basicTimeStep 16 }
Car { }
DEF ARM Solid { children [ DEF HAND Solid { name "hand" } ] name "arm" }
DEF HAND Solid { name "other hand" }
)");
  }
};

TEST_F(FieldSettingsTest, names_nodes_by_DEF_name_and_type) {
  const auto world = load_with({"WorldInfo.basicTimeStep=8", "arm.translation=1 2 3",
                                "ARM.HAND.name=\"left = hand\"", "other hand.name=right"});
  ASSERT_THAT(take_messages(), IsEmpty());
  EXPECT_EQ(view(world.nodes[0]).number("basicTimeStep"), 8);
  EXPECT_EQ(view(world.nodes[2]).vec3("translation"), Vec3(1, 2, 3));
  EXPECT_EQ(view(view(world.nodes[2]).nodes("children")[0]).string("name"), "left = hand");
  EXPECT_EQ(view(world.nodes[3]).string("name"), "right");
}

TEST_F(FieldSettingsTest, templates_see_what_is_set_and_the_last_setting_counts) {
  const auto world =
      load_with({"red car.size=5", "Car.size=3", "Car.controllerArgs=\"a\" \"b c\""});
  ASSERT_THAT(take_messages(), IsEmpty());
  EXPECT_THAT(view(world.nodes[1]).nodes("children"), SizeIs(3));
  EXPECT_THAT(view(world.nodes[1]).strings("controllerArgs"), ElementsAre("a", "b c"));
}

TEST_F(FieldSettingsTest, devices_that_a_PROTO_made_are_set_after_it) {
  const auto world =
      load_with({"Car.size=2", "red car/lidar 1.maxRange=20", "lidar 0.type=rotating"});
  ASSERT_THAT(take_messages(), IsEmpty());
  const auto devices = view(world.nodes[1]).nodes("children");
  ASSERT_THAT(devices, SizeIs(2));
  EXPECT_EQ(view(devices[0]).number("maxRange"), 10);
  EXPECT_EQ(view(devices[1]).number("maxRange"), 20);
  EXPECT_EQ(view(devices[0]).string("type"), "rotating");
}

TEST_F(FieldSettingsTest, mistakes_point_into_the_setting) {
  const auto message = [&](const std::string& setting) {
    EXPECT_THAT(load_with({setting}).nodes, IsEmpty()) << setting;
    const auto messages = take_messages();
    EXPECT_THAT(messages, Not(IsEmpty())) << setting;
    return messages.empty() ? "" : messages.front();
  };
  EXPECT_EQ(
      message("CRA.size=1"),
      "1:1: nothing in this world is called 'CRA': no DEF, name, type or device; did you mean "
      "'Car'?");
  EXPECT_EQ(message("Car.siz=1"), "1:5: Car has no field 'siz'; did you mean 'size'?");
  EXPECT_EQ(message("Car.size=big"),
            "1:10: field 'size' of Car must be SFFloat (a number), got \"big\"");
  EXPECT_EQ(message("Car.size=1 2"),
            "1:10: field 'size' of Car must be SFFloat (a number), got 2 numbers");
  EXPECT_EQ(message("Car.size="), "1:5: field 'size' of Car gets no value");
  EXPECT_EQ(message("ARM.translation=1 2 3 }"), "1:23: expected the end of the value, found '}'");
  EXPECT_EQ(message("lidar 0.maxRange=-1"), "1:18: field 'maxRange' of Lidar must be > 0, got -1");
  EXPECT_EQ(
      message("lidar 0.rotatingHead=NULL"),
      "1:9: field 'rotatingHead' of Lidar holds nodes: it can be set in the world's text only");
  EXPECT_THAT(message("HAND.name=x"), HasSubstr("2 nodes are called 'HAND', at "));
}

TEST_F(FieldSettingsTest, what_is_no_setting_is_refused) {
  for (const char* text : {"", "=", "size", "size=1", ".size=1", "Car.=1", "Car"}) {
    EXPECT_THROW(parse_setting(text, "--set"), std::invalid_argument) << text;
  }
  const FieldSetting good = parse_setting(" A.b = x=y ", "here");
  EXPECT_EQ(good.path, "A.b");
  EXPECT_EQ(good.value, "x=y");
}

}  // namespace
}  // namespace protobeam::wbt
