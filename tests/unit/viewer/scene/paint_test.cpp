// What pens drew, in the viewer.
#include <gtest/gtest.h>

#include "tests/unit/viewer/scene/stage.h"

namespace protobeam::viewer {
namespace {

/// A white box with its top 50 m up, seen from above, and ink on that.
struct PaintedBox : testing::Test {
  Stage stage;
  WorldModel model;
  std::shared_ptr<PaintLayer> layer;
  PaintedSides sides;
  Camera camera{200, {-4, 0, 54}, {0, 0, 50}};

  PaintedBox() {
    const Box box{{4, 4, 2}};
    stage.description().lights = {sun({0.3, 0.2, -1})};
    const auto group =
        static_cast<std::size_t>(stage.add(box, colored(1, 1, 1), Pose::translation({0, 0, 49})));
    const auto& shape = stage.description().groups[group].shapes[0];
    layer = std::make_shared<PaintLayer>(bounds(box), PaintLayer::pixel_for(bounds(box), 0.2));
    model.visuals.resize(group + 1);
    model.visuals[group].geometries = {shape.geometry};
    model.visuals[group].paints = {layer};
  }
  void draw(double x, double y, const Ink& ink) {
    layer->add({Vec3(x, y, 1), Vec3::UnitZ(), 0.2, ink});
    stage.state().paint = sides.of(model);
  }
  Vec3 at(const Image& image, double x, double y) const {
    return pixel(image, camera.where({x, y, 50}));
  }
};

TEST_F(PaintedBox, ShowsInkWhereItIs) {
  const Image clean = camera.take(stage);
  draw(0.5, -0.7, {{1, 0, 0}, 1});
  const Image image = camera.take(stage);
  const Vec3 ink = at(image, 0.5, -0.7);
  EXPECT_GT(ink.x(), ink.y() + 60);
  EXPECT_EQ(at(image, 0.5, 0.7), at(clean, 0.5, 0.7));
  EXPECT_EQ(at(image, -0.7, 0.5), at(clean, -0.7, 0.5));
  EXPECT_EQ(at(image, 0.5, -0.95), at(clean, 0.5, -0.95)) << "beside the disc";
  EXPECT_GT(at(image, 0.5, -0.55).x(), at(image, 0.5, -0.55).y() + 60) << "within it";
}

TEST_F(PaintedBox, ChangesWhileItIsShown) {
  const auto scene = stage.scene();
  const Image clean = camera.take(*scene);
  draw(0, 0, {{0, 0, 0}, 0.5f});
  scene->update(stage.state());
  const double half = at(camera.take(*scene), 0, 0).x();
  EXPECT_LT(half, at(clean, 0, 0).x() - 20);
  draw(0, 0, {{0, 0, 0}, 0.5f});
  draw(1, 1, {{0, 0, 0}, 1});
  scene->update(stage.state());
  const Image black = camera.take(*scene);
  EXPECT_LT(at(black, 0, 0).x(), half - 20);
  EXPECT_LT(at(black, 1, 1).x(), half - 20);
  stage.state().paint.clear();
  scene->update(stage.state());
  EXPECT_EQ(at(camera.take(*scene), 0, 0), at(clean, 0, 0));
}

TEST_F(PaintedBox, KeepsPicturesThatHaveNotChanged) {
  draw(0, 0, {{1, 0, 0}, 1});
  const auto picture = stage.state().paint.at(0).picture;
  EXPECT_EQ(sides.of(model).at(0).picture, picture);
  draw(1, 0, {{1, 0, 0}, 1});
  EXPECT_NE(sides.of(model).at(0).picture, picture);
}

}  // namespace
}  // namespace protobeam::viewer
