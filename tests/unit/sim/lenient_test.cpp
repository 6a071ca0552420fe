// What a world goes on without when one asks for it, and what messages say about nodes that are
// imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

SimulationOptions lenient() {
  SimulationOptions options;
  options.lenient = true;
  return options;
}

std::string why_not(WorldText& world, const std::string& text) {
  try {
    world.load(text);
  } catch (const std::runtime_error& refused) {
    return refused.what();
  }
  return "";
}

TEST(Lenient, APlaneThatMovesCollidesWithNothing) {
  const std::string table =
      "Solid { name \"table\" boundingObject Group { children [\n"
      "Plane { size 2 2 } Box { size 1 1 0.1 } ] }\nphysics Physics { density -1 mass 2 } }";
  WorldText strict;
  EXPECT_THAT(why_not(strict, table),
              AllOf(HasSubstr("test.wbt:4:1: error: a Plane collides as a half space and cannot "
                              "move; give what moves a thin Box; --lenient goes on without the "
                              "Plane"),
                    HasSubstr("^~~~~")));
  WorldText world;
  const auto& model = world.load(table, "gravity 0", lenient()).model();
  EXPECT_THAT(world.diagnostics().to_string(), HasSubstr("test.wbt:4:1: warning: a Plane"));
  ASSERT_EQ(model.collisions.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Box>(*model.collisions[0].geometry));
}

TEST(Lenient, AnEmptyNameOfAFileShowsNothingAndIsToldAsInWebots) {
  WorldText world;
  const auto& model =
      world
          .load(
              "Shape { appearance Appearance { texture ImageTexture { url \"\" } }\n"
              "geometry Box { } }\n"
              "Shape { geometry Mesh { url [ \"\" ] } }\nCadShape { url \"\" }")
          .model();
  const std::string told = world.diagnostics().to_string();
  EXPECT_THAT(told, HasSubstr("warning: field 'url' of ImageTexture begins with an empty text: it "
                              "names no file"));
  EXPECT_THAT(told, HasSubstr("warning: field 'url' of Mesh begins with an empty text"));
  EXPECT_THAT(told, HasSubstr("warning: field 'url' of CadShape begins with an empty text"));
  EXPECT_EQ(model.visuals.size(), 1u);
}

TEST(Lenient, APlaneThatStandsCollides) {
  WorldText world;
  const auto& model = world.load("Solid { boundingObject Plane { size 2 2 } }").model();
  EXPECT_EQ(world.diagnostics().to_string(), "");
  ASSERT_EQ(model.collisions.size(), 1u);
}

TEST(Lenient, AnInertiaThatNoBodyHasGivesWayToThatOfTheShapes) {
  const auto text = [](const std::string& matrix) {
    return R"(Solid { angularVelocity 1 2 3 boundingObject Box { size 0.1 0.2 0.3 } physics Physics {
      density -1 mass 2 centerOfMass [ 0 0 0 ] )" +
           matrix + "} }";
  };
  const std::string wrong = "inertiaMatrix [ 1 1 1, 1 1 1 ]";
  WorldText strict;
  EXPECT_THAT(
      why_not(strict, text(wrong)),
      HasSubstr("test.wbt:4:62: error: inertiaMatrix is not positive definite: no body has it; "
                "--lenient takes the inertia of the boundingObject"));
  const auto spin_after_a_tenth = [&](const std::string& matrix) {
    WorldText world;
    Simulation& simulation = world.load(text(matrix), "gravity 0", lenient());
    while (simulation.time() < 0.1) simulation.step();
    const bool warned =
        world.diagnostics().to_string().find("test.wbt:4:62: warning: ") != std::string::npos;
    EXPECT_EQ(warned, matrix == wrong);
    return Vec3(simulation.model().physics->angular_velocity(simulation.model().solids.at(0).body));
  };
  EXPECT_EQ(spin_after_a_tenth(wrong), spin_after_a_tenth(""));
  EXPECT_NE(spin_after_a_tenth("inertiaMatrix [ 1 2 3, 0 0 0 ]"), spin_after_a_tenth(""));
}

// As Webots' reader does (WbNodeReader::readNode), though its reference forbids it.
TEST(Lenient, ABodyThatIsUsedAgainIsASecondBody) {
  const std::string text =
      "DEF A Solid { translation 1 0 0 name \"a\" boundingObject Sphere { } physics Physics { }\n"
      "children [ DEF S Shape { geometry Sphere { } } ] }\n"
      "Pose { translation 3 0 0 children [ USE A ] }";
  WorldText strict;
  EXPECT_THAT(why_not(strict, text), HasSubstr("--lenient puts a copy here"));
  WorldText world;
  Simulation& simulation = world.load(text, "gravity 0", lenient());
  const auto& model = simulation.model();
  ASSERT_EQ(model.solids.size(), 2u);
  EXPECT_NE(model.solids[0].body, model.solids[1].body);
  simulation.step();
  EXPECT_NEAR(model.physics->pose(model.solids[0].body).p.x(), 1, 1e-9);
  EXPECT_NEAR(model.physics->pose(model.solids[1].body).p.x(), 4, 1e-9);
}

// A robot and its Shape are named alike.
TEST(Lenient, ABodyThatIsUsedAgainHasWhatItsNameMeantInIt) {
  WorldText world;
  const auto& model =
      world
          .load(
              "Solid { name \"first\" children [ DEF A Shape { geometry Box { } } ] }\n"
              "DEF A Solid { name \"second\" children [ USE A ] }\n"
              "Pose { translation 3 0 0 children [ USE A ] }",
              "", lenient())
          .model();
  EXPECT_EQ(model.solids.size(), 3u);
  EXPECT_EQ(model.visuals.size(), 3u);
}

TEST(Lenient, AMeshThatCannotBeReadIsLeftOut) {
  const std::string text =
      "Solid { children [\nShape { geometry Mesh { url \"bad.stl\" } }\n"
      "CadShape { url \"bad.dae\" }\nShape { geometry Box { size 1 1 1 } } ] }";
  const auto spoil = [](WorldText& world) {
    world.folder().write("worlds/bad.stl", "solid nothing");
    world.folder().write("worlds/bad.dae", "<COLLADA");
  };
  WorldText strict;
  spoil(strict);
  EXPECT_THAT(why_not(strict, text),
              AllOf(HasSubstr("test.wbt:4:29: error: "), HasSubstr("test.wbt:5:16: error: "),
                    HasSubstr("; --lenient goes on without it")));
  WorldText world;
  spoil(world);
  const auto& model = world.load(text, "gravity 0", lenient()).model();
  EXPECT_THAT(world.diagnostics().to_string(),
              AllOf(HasSubstr("test.wbt:4:29: warning: "), HasSubstr("test.wbt:5:16: warning: ")));
  ASSERT_EQ(model.visuals.size(), 1u);
  EXPECT_EQ(model.visuals[0].geometries.size(), 1u);
}

TEST(ImportedNodes, MessagesCountTheLinesOfTheTextThatWasGiven) {
  WorldText world;
  Simulation& simulation = world.load("");
  Diagnostics diagnostics;
  simulation.add_solid("Solid {\n  nmae \"a\"\n}", "a", {}, diagnostics);
  EXPECT_THAT(diagnostics.to_string(),
              StartsWith("imported nodes:2:3: error: unknown field 'nmae' in Solid; did you mean "
                         "'name'?\n      nmae \"a\"\n      ^~~~\n"));
}

}  // namespace
}  // namespace protobeam
