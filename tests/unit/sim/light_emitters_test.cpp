// Devices that colour Shapes and lights, as viewers get them. What cameras and light sensors see:
// plugins/devices/led.
#include "sim/light_emitters.h"

#include <gtest/gtest.h>

#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

constexpr const char* kLitShape = "Shape { appearance USE LOOK geometry Box { size 0.5 0.5 0.5 } }";

struct EmittersWorld : testing::Test {
  WorldText text;

  /// A lamp with these children, its number in the list, and a Shape with the same appearance.
  Simulation& load(const std::string& children) {
    return text.load(std::string("Solid { children [ Shape { appearance DEF LOOK PBRAppearance { "
                                 "emissiveColor 0 0 1 emissiveIntensity 3 } geometry Sphere { } } "
                                 "] } Robot { controller \"<none>\" children [ LED { children [ ") +
                     children + " ] } ] }");
  }
};

TEST_F(EmittersWorld, AreTheShapesAndLightsInTheFirstChild) {
  Simulation& simulation =
      load(std::string("Group { children [ Pose { translation 0 0.5 0 children [ ") + kLitShape +
           " PointLight { on FALSE } ] } SpotLight { } DirectionalLight { } ] } " + kLitShape +
           " PointLight { }");
  const auto description = describe_scene(simulation);
  ASSERT_EQ(description->emitters.size(), 1u);
  const auto& emitter = description->emitters[0];
  EXPECT_EQ(emitter.lights.size(), 2u);
  ASSERT_EQ(emitter.shapes.size(), 1u);
  const auto& shape = description->groups[emitter.shapes[0].group].shapes[emitter.shapes[0].index];
  EXPECT_TRUE(shape.emits);
  EXPECT_NEAR(shape.X_GS.p.y(), 0.5, 1e-12);
}

TEST_F(EmittersWorld, ColorTheirOwnMaterialOnly) {
  Simulation& simulation = load(kLitShape);
  const auto description = describe_scene(simulation);
  const SceneObserver observer(simulation, *description);
  EXPECT_EQ(observer.state(simulation)->emissions.at(0), Eigen::Vector3f(0, 0, 0)) << "off";
  ASSERT_EQ(device_named(simulation, "led").model->send_command("set", {1}), "");
  simulation.step();
  EXPECT_EQ(observer.state(simulation)->emissions.at(0), Eigen::Vector3f(1, 0, 0));
  int red = 0, blue = 0;
  for (const VisualGroup& group : simulation.model().visuals) {
    for (const auto& material : group.materials) {
      red += material->emissive == Eigen::Vector3f(3, 0, 0) ? 1 : 0;
      blue += material->emissive == Eigen::Vector3f(0, 0, 3) ? 1 : 0;
    }
  }
  EXPECT_EQ(red, 1);
  EXPECT_EQ(blue, 1) << "the Shape outside has the same appearance";
}

}  // namespace
}  // namespace protobeam
