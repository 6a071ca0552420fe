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

TEST_F(LoadTest, proto_values_go_where_IS_says) {
  write("protos/Ball.proto", R"(#VRML_SIM R2025a utf8
PROTO Ball [
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
  const auto world = load(R"(EXTERNPROTO "../protos/Ball.proto"
DEF B Ball { radius 2 }
)");
  ASSERT_THAT(take_messages(), IsEmpty());
  ASSERT_THAT(world.nodes, SizeIs(1));
  const Node& ball = *world.nodes[0];
  EXPECT_EQ(ball.type, "Solid");
  EXPECT_EQ(ball.proto, "Ball");
  EXPECT_EQ(ball.def, "B");
  ASSERT_NE(ball.expanded_from, nullptr);
  EXPECT_EQ(ball.expanded_from->proto, "Ball");
  EXPECT_THAT(ball.expanded_from->place.to_string(), HasSubstr("test.wbt:3:7"));
  EXPECT_EQ(view(world.nodes[0]).vec3("translation"), Vec3(0, 0, 1));
  const auto sphere = view(view(view(world.nodes[0]).nodes("children")[0]).node("geometry"));
  EXPECT_EQ(sphere.number("radius"), 2);
  EXPECT_THAT(sphere.place("radius").to_string(), HasSubstr("test.wbt:3:21"));
  EXPECT_THAT(view(world.nodes[0]).place("name").to_string(), HasSubstr("Ball.proto:5:23"));
}

}  // namespace
}  // namespace protobeam::wbt
