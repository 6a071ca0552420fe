// Webots' robots that had z up before R2022a already, in worlds of that time.
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::IsEmpty;

using OldRobotsTest = WbtTest;

/// What makes the robot's axes of those of the world, and where its origin is.
struct Stand {
  Mat3 R;
  Vec3 origin;
};

TEST_F(OldRobotsTest, stand_up_by_their_own_rotation) {
  for (const char* name : {"Youbot", "SummitXlSteel", "UR5e"}) {
    SCOPED_TRACE(name);
    write("protos/" + std::string(name) + ".proto",
          "#VRML_SIM R2025a utf8\nPROTO " + std::string(name) +
              " [\n  field SFVec3f translation 0 0 0.12\n  field SFRotation rotation 0 0 1 0\n"
              "  field MFNode slot [ ]\n] {\n"
              "  Robot { translation IS translation rotation IS rotation children IS slot }\n}");
    const auto stand = [&](const std::string& version, const std::string& fields) {
      const auto world = load_world(
          write("worlds/old.wbt", "#VRML_SIM " + version + " utf8\n" +
                                      (version < "R2022b" ? ""
                                                          : "EXTERNPROTO \"../protos/" +
                                                                std::string(name) + ".proto\"\n") +
                                      name + " { " + fields + " }\n"),
          options_, diagnostics_);
      EXPECT_THAT(take_messages(), IsEmpty());
      const auto robot = view(world.nodes.at(0));
      return Stand{robot.rotation("rotation").toRotationMatrix(), robot.vec3("translation")};
    };
    // With y up: x stays, z is up along y.
    for (const char* fields : {"", "translation 1 0.2 3", "rotation 1 0 0 -1.5707963267948966"}) {
      const Stand old = stand("R2021a", fields);
      EXPECT_LT((old.R * Vec3::UnitX() - Vec3::UnitX()).norm(), 1e-9);
      EXPECT_LT((old.R * Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-9);
    }
    EXPECT_EQ(stand("R2021a", "translation 1 0.2 3").origin, Vec3(1, 0.2, 3));
    // A world of that time with z up gives a rotation.
    const Stand z_up = stand("R2021b", "rotation 0 0 1 0.3");
    EXPECT_LT((z_up.R * Vec3::UnitZ() - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_LT((stand("R2022b", "").R - Mat3::Identity()).norm(), 1e-9);
  }
}

/// A cylinder in a slot is as old as its text: it lies along y of the slot.
TEST_F(OldRobotsTest, hold_in_their_slots_what_has_the_axes_of_the_text) {
  const auto axes_of_a_cylinder_in = [&](const std::string& name) {
    write("protos/" + name + ".proto",
          "#VRML_SIM R2025a utf8\nPROTO " + name +
              " [ field MFNode slot [ ] ] { Robot { children IS slot } }");
    const auto file =
        write("worlds/old.wbt",
              "#VRML_SIM R2021a utf8\n" + name + " { slot [ Shape { geometry Cylinder { } } ] }\n");
    const auto world = load_world(file, options_, diagnostics_);
    EXPECT_THAT(take_messages(), IsEmpty());
    const NodePtr shape = view(world.nodes.at(0)).nodes("children")[0];
    return view(shape).node("geometry")->old_axes;
  };
  EXPECT_NE(axes_of_a_cylinder_in("Youbot"), OldAxes::kNone);
  EXPECT_EQ(axes_of_a_cylinder_in("Pioneer3dx"), OldAxes::kNone);
}

/// What arms hold has the axes that it had, since theirs are the same.
TEST_F(OldRobotsTest, hold_a_gripper_that_was_not_turned) {
  const auto axes_of = [&](const std::string& name) {
    write("protos/" + name + ".proto", "#VRML_SIM R2025a utf8\nPROTO " + name +
                                           " [ field SFRotation rotation 0 0 1 0 ] "
                                           "{ Solid { rotation IS rotation } }");
    const auto file = write("worlds/old.wbt", "#VRML_SIM R2021a utf8\n" + name + " { }\n");
    const auto world = load_world(file, options_, diagnostics_);
    EXPECT_THAT(take_messages(), IsEmpty());
    return Mat3(view(world.nodes.at(0)).rotation("rotation").toRotationMatrix());
  };
  EXPECT_LT((axes_of("Robotiq3fGripper") - Mat3::Identity()).norm(), 1e-9);
  EXPECT_GT((axes_of("OtherGripper") - Mat3::Identity()).norm(), 1);
}

}  // namespace
}  // namespace protobeam::wbt
