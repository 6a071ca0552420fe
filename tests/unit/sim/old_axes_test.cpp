// Files older than R2022a mean the same as their conversions to today's axes, written by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/libm.h"
#include "sim/simulation.h"
#include "tests/support/program.h"
#include "tests/unit/sim/device_named.h"

namespace protobeam {
namespace {

class OldAxes : public testing::Test {
 protected:
  std::unique_ptr<Simulation> load(const std::string& version, const std::string& text) {
    const auto file =
        folder_.write("worlds/" + version + ".wbt", "#VRML_SIM " + version + " utf8\n" + text);
    Diagnostics diagnostics;
    auto out = Simulation::load(file, {}, diagnostics);
    if (!out) throw std::runtime_error(diagnostics.to_string());
    return out;
  }
  /// From `from` towards `to`; infinite when nothing is met.
  static double range(Simulation& simulation, const Vec3& from, const Vec3& to) {
    const Eigen::Vector3f d = (to - from).normalized().cast<float>();
    RayBatch batch;
    batch.X_WS = Pose::translation(from);
    batch.dx = &d.x(), batch.dy = &d.y(), batch.dz = &d.z();
    batch.count = 1;
    batch.packet = 1;
    double out = 0;
    simulation.model().visible->cast(batch, [&](const RayBlock& block) { out = block.range[0]; });
    return out;
  }
  /// Ranges from a ring of points around the origin to what is seen of a world.
  std::vector<double> ranges(Simulation& simulation) {
    std::vector<double> out;
    for (int i = 0; i < 400; ++i) {
      const double a = 0.7 * i, h = -4.1 + 0.02 * i;
      const Vec3 from(8 * libm::cos(a), h, 8 * libm::sin(a));
      const Vec3 to(0.2 * libm::sin(3.0 * i), 0.35 * h, 0.3 * libm::cos(2.0 * i));
      out.push_back(range(simulation, from, to));
    }
    return out;
  }
  void expect_equal(const std::string& old_text, const std::string& new_text) {
    const auto old_world = load("R2021b", kInfo + old_text);
    const auto new_world = load("R2025a", kInfo + new_text);
    const auto a = ranges(*old_world), b = ranges(*new_world);
    int hits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      hits += std::isfinite(a[i]) ? 1 : 0;
      if (std::isfinite(a[i]) || std::isfinite(b[i])) {
        EXPECT_NEAR(a[i], b[i], 1e-5) << "ray " << i;
      }
    }
    EXPECT_GT(hits, 20);
  }

  const std::string kInfo = "WorldInfo { coordinateSystem \"NUE\" gravity 0 }\n";
  TemporaryFolder folder_;
};

TEST_F(OldAxes, CylindersConesAndCapsulesStoodAlongY) {
  expect_equal(
      "Solid { rotation 1 0 0 0.2 children [ Shape { geometry Cylinder { height 2 radius 0.5 } } ] "
      "}",
      "Solid { rotation 1 0 0 0.2 children [ Pose { rotation 1 0 0 -1.5707963267948966 children [ "
      "Shape { geometry Cylinder { height 2 radius 0.5 } } ] } ] }");
  expect_equal(
      "Solid { children [ Shape { geometry Cone { height 2 bottomRadius 1 } } ] }",
      "Solid { rotation 1 0 0 -1.5707963267948966 children [ Shape { geometry Cone { height 2 "
      "bottomRadius 1 } } ] }");
  expect_equal(
      "Solid { children [ Shape { geometry Capsule { height 3 radius 0.4 } } ] }",
      "Solid { rotation 1 0 0 -1.5707963267948966 children [ Shape { geometry Capsule { height 3 "
      "radius 0.4 } } ] }");
}

TEST_F(OldAxes, ATransformStretchesThemAlongItsOwnAxes) {
  // Height along y twice, radii along x and z by 1 and 3: the half axes of the ellipse are 0.5
  // and 1.5.
  const auto world =
      load("R2021b", kInfo +
                         "Transform { scale 1 2 3 children [ Shape { geometry Cylinder { height "
                         "1 radius 0.5 subdivision 36 } } ] }");
  const auto to_centre = [&](const Vec3& from) { return range(*world, from, Vec3::Zero()); };
  EXPECT_NEAR(to_centre({0, 10, 0}), 9, 1e-5);
  EXPECT_NEAR(to_centre({10, 0, 0}), 9.5, 0.01);
  EXPECT_NEAR(to_centre({0, 0, 10}), 8.5, 0.02);
}

TEST_F(OldAxes, RowsOfAnElevationGridWentAlongZ) {
  // A roof that rises with the row: heights 0, 1, 4 at z = 0, 2, 4.
  const auto world =
      load("R2021b", kInfo +
                         "Solid { children [ Shape { geometry ElevationGrid { xDimension 2 "
                         "xSpacing 4 zDimension 3 zSpacing 2 height [ 0 0 1 1 4 4 ] } } ] }");
  const auto height = [&](double x, double z) { return 10 - range(*world, {x, 10, z}, {x, 0, z}); };
  EXPECT_NEAR(height(2, 1), 0.5, 1e-5);
  EXPECT_NEAR(height(1, 3), 2.5, 1e-5);
  EXPECT_NEAR(height(3, 3.5), 3.25, 1e-6);
}

TEST_F(OldAxes, PrototypesWithTodaysAxesAreTurnedInOldFiles) {
  const char* const kToday =
      "#VRML_SIM R2025a utf8\nPROTO Stand [\n  field SFVec3f translation 0 0 0\n"
      "  field SFRotation rotation 0 0 1 0\n  field MFNode slot [ ]\n] {\n"
      "  Solid { translation IS translation rotation IS rotation children [\n"
      "    Pose { translation 0.2 0 0.5 children [ Shape { geometry Box { size 1 2 1 } } ] }\n"
      "    Group { children IS slot } ] } }\n";
  const char* const kOld =
      "#VRML_SIM R2021b utf8\nPROTO Both [ ] {\n  Solid { rotation 0 1 0 0.3 children [\n"
      "    Stand { translation 0 1 0 rotation 1 0 0 0.1 } ] } }\n";
  folder_.write("protos/Stand.proto", kToday);
  folder_.write("protos/Both.proto", kOld);
  const std::string extern_stand = "EXTERNPROTO \"../protos/Stand.proto\"\n";
  const auto expect_like = [&](const std::string& old_text, const std::string& new_text) {
    const auto old_world =
        load("R2021b", kInfo + old_text);
    const auto new_world = load("R2025a", extern_stand + kInfo + new_text);
    const auto a = ranges(*old_world), b = ranges(*new_world);
    int hits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      hits += std::isfinite(a[i]) ? 1 : 0;
      if (std::isfinite(a[i]) || std::isfinite(b[i])) {
        EXPECT_NEAR(a[i], b[i], 1e-5) << old_text << " ray " << i;
      }
    }
    EXPECT_GT(hits, 20);
  };
  // The floor of an arena, say, is across y: x was to its right, and looked ahead along -z.
  expect_like("Stand { }", "Stand { rotation -1 1 1 2.0943951023931953 }");
  const Quat turned = axis_angle(Vec3::UnitY(), 0.4) * axis_angle({-1, 1, 1}, 2 * kPi / 3);
  const Eigen::AngleAxisd as_written(turned);
  const Vec3 axis = as_written.axis();
  expect_like("Stand { rotation 0 1 0 0.4 }",
              fmt::format("Stand {{ rotation {} {} {} {} }}", axis.x(), axis.y(), axis.z(),
                          as_written.angle()));
  // In the body of an old one, too; what stands in its parameters is turned with it, once.
  expect_like("Both { }",
              "Solid { rotation 0 1 0 0.3 children [ Pose { translation 0 1 0 rotation 1 0 0 0.1 "
              "children [ Stand { rotation -1 1 1 2.0943951023931953 } ] } ] }");
  expect_like("Stand { slot [ Stand { translation 2 0 0 } Shape { geometry Cylinder { } } ] }",
              "Stand { rotation -1 1 1 2.0943951023931953 slot [ Stand { translation 2 0 0 } Shape "
              "{ geometry Cylinder { } } ] }");
  const char* const kSlots =
      "slot [ Stand { translation 2 0 0 rotation 1 0 0 0.4 slot [ Stand { translation 0 3 0.5 slot "
      "[ "
      "Stand { translation 0 0 2 } ] } Pose { translation 0 0 1.5 children [ Shape { geometry "
      "Cylinder { height 3 radius 0.2 } } ] } ] } ] }";
  expect_like(fmt::format("Stand {{ {}", kSlots),
              fmt::format("Stand {{ rotation -1 1 1 2.0943951023931953 {}", kSlots));
}

TEST_F(OldAxes, BoundingObjectsAreTurnedWithTheShapes) {
  // A disc of 20 cm height falls flat onto a plane whose normal is y, in the old words and in
  // today's.
  const auto height = [&](const std::string& version, const std::string& turn,
                          const std::string& end) {
    const auto world =
        load(version,
             "WorldInfo { coordinateSystem \"NUE\" basicTimeStep 8 }\n"
             "Solid { boundingObject " +
                 turn + " Plane { size 10 10 } " + end +
                 " }\n"
                 "Solid { translation 0 0.5 0 name \"disc\" boundingObject " +
                 turn + " Cylinder { height 0.2 radius 1 } " + end + " physics Physics { } }\n");
    for (int i = 0; i < 250; ++i) world->step();
    return world->model().physics->pose(world->model().solids.back().body).p.y();
  };
  const double old_height = height("R2021b", "", "");
  EXPECT_NEAR(old_height, 0.1, 0.02);
  EXPECT_EQ(old_height,
            height("R2025a", "Pose { rotation 1 0 0 -1.57079632679489662 children [", "] }"));
}

// Before R2023b a body had a scale s. Its mass, centre and inertia were written for the scale 1.
TEST_F(OldAxes, AScaledBodyHadTheMassOfItsSizeAboutAScaledCentre) {
  const auto weights = [&](const std::string& version, const std::string& text) {
    const auto world = load(version, kInfo + text);
    const auto& model = world->model();
    const auto state = [&](const SolidInfo& solid) {
      return std::tuple(model.physics->mass(solid.body), solid.mass,
                        Vec3(solid.X_BS.inverse() * solid.centre_B));
    };
    return std::pair(state(model.solids.at(0)), state(model.solids.at(1)));
  };
  const std::string kHinge =
      "children [ HingeJoint { jointParameters HingeJointParameters { axis "
      "1 0 0 } endPoint Solid { name \"arm\" boundingObject Sphere { radius "
      "0.2 } physics Physics { density -1 mass 8 centerOfMass [ 0 0.4 0 ] "
      "inertiaMatrix [ 32 64 64, 0 0 0 ] } } } ]";
  const auto old_ones = weights(
      "R2021b", "Solid { scale 0.5 0.5 0.5 " + kHinge +
                    " boundingObject Box { size 1 2 3 } physics Physics { density -1 mass 16 "
                    "centerOfMass [ 0.2 0.4 0.6 ] } }");
  const auto& [base, arm] = old_ones;
  EXPECT_DOUBLE_EQ(std::get<0>(base), 2);
  EXPECT_DOUBLE_EQ(std::get<1>(base), 2);
  EXPECT_LT((std::get<2>(base) - Vec3(0.1, 0.2, 0.3)).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(std::get<0>(arm), 1);
  EXPECT_LT((std::get<2>(arm) - Vec3(0, 0.2, 0)).norm(), 1e-12);
}

TEST_F(OldAxes, TheInertiaOfAScaledBodyWasThatOfItsSize) {
  // An eighth of the mass, a 32nd of the inertia: it falls over its edge as the body written so
  // does.
  const auto pose_later = [&](const std::string& version, const std::string& scale,
                              const std::string& physics) {
    const auto world = load(version, "WorldInfo { coordinateSystem \"NUE\" }\nSolid { " + scale +
                                         " angularVelocity 3 2 1 physics Physics { density -1 " +
                                         physics + " } }");
    for (int i = 0; i < 20; ++i) world->step();
    return world->model().physics->pose(world->model().solids.at(0).body);
  };
  const Pose old_pose =
      pose_later("R2021b", "scale 0.5 0.5 0.5",
                 "mass 8 centerOfMass [ 0 0.4 0 ] inertiaMatrix [ 32 64 96, 0 0 0 ]");
  const Pose new_pose =
      pose_later("R2025a", "", "mass 1 centerOfMass [ 0 0.2 0 ] inertiaMatrix [ 1 2 3, 0 0 0 ]");
  EXPECT_LT((old_pose.p - new_pose.p).norm(), 1e-9);
  EXPECT_LT(old_pose.R.angularDistance(new_pose.R), 1e-9);
}

TEST_F(OldAxes, CamerasAndLidarsLookedAlongMinusZ) {
  const auto world = load(
      "R2021b",
      kInfo +
          "Solid { translation 0.5 1.2 -3.5 children [ Shape { geometry Box { size 1 1 1 } } ] }\n"
          "Robot { translation 0 1 0 children [ Lidar { name \"l\" maxRange 20 numberOfLayers 1 "
          "horizontalResolution 5 fieldOfView 1 } Emitter { name \"e\" } ] }");
  Device* lidar = world->find_device("l");
  ASSERT_TRUE(lidar);
  const Pose X_WL = world->pose_of(*lidar);
  EXPECT_LT((X_WL.R * Vec3::UnitX() - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_LT((X_WL.R * Vec3::UnitZ() - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_LT((X_WL.R * Vec3::UnitY() - Vec3(-1, 0, 0)).norm(), 1e-12);
  const Pose X_WE = world->pose_of(device_named(*world, "e"));
  EXPECT_LT((X_WE.R * Vec3::UnitX() - Vec3(0, 0, 1)).norm(), 1e-12);
}

/// m/s^2 along x and z of a floor, of what slides along both.
Vec2 sliding(Simulation& simulation) {
  for (int i = 0; i < 8; ++i) simulation.step();
  const physics::World& world = *simulation.model().physics;
  const physics::BodyId body = simulation.model().solids.at(1).body;
  const Vec3 before = world.velocity(body);
  for (int i = 0; i < 16; ++i) simulation.step();
  const Vec3 a = (world.velocity(body) - before) / (16 * 0.008);
  return {a.x(), a.z()};
}

TEST_F(OldAxes, FrictionOfFloorsAndBoxesGoesFirstAlongZ) {
  // The floor's values come first: 0.02 + 0.1 along z, 0.06 + 0.2 along x. A crate that stands on
  // its side slides on a face whose first direction was y: it is turned by 90 degrees to its z.
  for (const char* const floor :
       {"Plane { size 20 20 }", "Pose { translation 0 -0.5 0 children Box { size 20 1 20 } }"}) {
    for (const char* const turned : {"0 1 0 0", "0.5773503 0.5773503 0.5773503 2.0943951"}) {
      const auto world = load(
          "R2021b",
          fmt::format(
              "WorldInfo {{ coordinateSystem \"NUE\" gravity 9.81 basicTimeStep 8 "
              "contactProperties "
              "ContactProperties {{ material1 \"floor\" bounce 0 coulombFriction [ 0.02 0.06 0.1 "
              "0.2 ] }} }}\n"
              "Solid {{ contactMaterial \"floor\" boundingObject {} }}\n"
              "Solid {{ translation 0 0.2 0 rotation {} boundingObject Box {{ size 0.4 0.4 0.4 }} "
              "physics Physics {{ density 20 }} linearVelocity 2 0 2 }}\n",
              floor, turned));
      const Vec2 a = sliding(*world);
      EXPECT_NEAR(a.x(), -0.26 * 9.81, 0.02) << floor << turned;
      EXPECT_NEAR(a.y(), -0.12 * 9.81, 0.02) << floor << turned;
    }
  }
}

}  // namespace
}  // namespace protobeam
