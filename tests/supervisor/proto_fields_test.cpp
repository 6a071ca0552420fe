// A supervisor and what is inside of PROTOs, bodies and nodes (proto_fields.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

TEST(ProtoFields, FollowTheFieldsOfTheWorldsText) {
  TemporaryFolder folder;
  folder.write("protos/InnerLamp.proto", R"(#VRML_SIM R2025a utf8
PROTO InnerLamp [
  field SFFloat intensity 1
  field SFFloat reach 5
  unconnectedField SFFloat unused 0
] {
  PointLight { intensity IS intensity radius IS reach }
}
)");
  folder.write("protos/OuterLamp.proto", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "InnerLamp.proto"
PROTO OuterLamp [
  field SFFloat power 2
  field SFFloat spare 0
] {
  InnerLamp { intensity IS power unused IS spare }
}
)");
  folder.write("protos/OuterTent.proto", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "InnerTent.proto"
PROTO OuterTent [
  field SFFloat height 1
  field MFNode inside []
] {
  InnerTent { height IS height inside IS inside }
}
)");
  folder.write("protos/InnerTent.proto", R"(#VRML_SIM R2025a utf8
# template language: javascript
PROTO InnerTent [
  field SFFloat height 1
  field MFNode inside []
] {
  Pose { translation 0 0 %<= fields.height.value >% children IS inside }
}
)");
  folder.write("protos/Pair.proto", R"(#VRML_SIM R2025a utf8
PROTO Pair [ field MFNode things [ ] ] {
  Group { children [ Pose { children IS things } Pose { translation 9 0 0 children IS things } ] }
}
)");
  const auto file = folder.write("worlds/w.wbt", R"(#VRML_SIM R2025a utf8
EXTERNPROTO "../protos/OuterLamp.proto"
EXTERNPROTO "../protos/OuterTent.proto"
EXTERNPROTO "../protos/InnerTent.proto"
EXTERNPROTO "../protos/Pair.proto"
WorldInfo { basicTimeStep 8 gravity 0 }
DEF LAMP OuterLamp { }
DEF ROD Solid {
  name "rod"
  boundingObject DEF BALL Sphere { radius 0.1 }
  physics DEF ONE_KILO Physics { density -1 mass 1 }
  children [
    DEF END Solid { translation 1 0 0 name "end" boundingObject USE BALL physics USE ONE_KILO }
  ]
}
DEF TENT OuterTent {
  inside DEF BAG Pose { children Shape { geometry DEF BAG_BOX Box { } } }
}
DEF PAIR Pair { things [ DEF TWIN InnerTent { } ] }
DEF HOLDER Group { children [ DEF SHAPE Shape { } ] }
Robot { name "boss" controller "proto_fields" supervisor TRUE }
)");
  const Outcome outcome = protobeam({"run", file.string(), "--duration", "1"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("field 'color' is inside of a PROTO"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("the field 'supervisor' of the Robot is not TRUE"));
}

}  // namespace
}  // namespace protobeam::test
