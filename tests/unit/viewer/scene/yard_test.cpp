// A world of ours from its text to a picture.
#include <gtest/gtest.h>

#include <set>

#include "base/named_files.h"
#include "sim/scene/scene_observer.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/viewer/scene/stage.h"

namespace protobeam::viewer {
namespace {

TEST(Yard, IsDrawnFromItsViewpoint) {
  const AllowedFilesScope scope;
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(source_dir() + "/worlds/yard.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation);
  const auto description = describe_scene(*simulation);
  SceneObserver observer(*simulation, *description);
  WorldScene scene(description, Quality::kWindow);
  scene.update(*observer.state(*simulation));

  const Viewpoint& view = description->viewpoint.value();
  Offscreen offscreen(320, 180, 1);
  render::Camera camera;
  camera.X_WC = view.X_WV;
  camera.vertical_fov = 2 * std::atan(std::tan(view.field_of_view / 2) * 180 / 320);
  const Image image = offscreen.draw(scene.root(), nullptr, camera);
  // Ground and sky, trees and barrels, light and shadow: no part is black, white or uniform.
  std::set<std::vector<std::uint8_t>> colors;
  int black = 0, white = 0, green = 0;
  for (int row = 0; row < 180; ++row) {
    for (int column = 0; column < 320; ++column) {
      const Vec3 rgb = pixel(image, column, row);
      black += rgb.maxCoeff() < 4 ? 1 : 0;
      white += rgb.minCoeff() > 253 ? 1 : 0;
      green += rgb.y() > 1.3 * rgb.x() && rgb.y() > 1.3 * rgb.z() ? 1 : 0;
      colors.insert({static_cast<std::uint8_t>(rgb.x()), static_cast<std::uint8_t>(rgb.y()),
                     static_cast<std::uint8_t>(rgb.z())});
    }
  }
  EXPECT_EQ(black, 0);
  EXPECT_EQ(white, 0);
  EXPECT_GT(green, 500) << "trees";
  EXPECT_GT(colors.size(), 500u);

  // The middle of each barrel is picked as the barrel that it belongs to.
  const auto state = observer.state(*simulation);
  int barrels = 0;
  for (std::size_t i = 0; i < description->solids.size(); ++i) {
    if (description->solids[i].proto != "Barrel") continue;
    ++barrels;
    scene.highlight(static_cast<int>(i));
    const Image lit = offscreen.draw(scene.root(), nullptr, camera);
    const Vec3 p = camera.X_WC.inverse() * state->solids[i].X_WS.p;
    const double focal = 90 / std::tan(camera.vertical_fov / 2);
    const int column = static_cast<int>(160 - focal * p.y() / p.x());
    const int row = static_cast<int>(90 - focal * p.z() / p.x());
    if (column < 0 || column >= 320 || row < 0 || row >= 180) continue;
    EXPECT_NE(pixel(lit, column, row), pixel(image, column, row)) << description->solids[i].name;
  }
  EXPECT_GT(barrels, 2);
}

}  // namespace
}  // namespace protobeam::viewer
