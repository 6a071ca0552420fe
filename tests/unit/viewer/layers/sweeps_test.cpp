#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <osg/Geometry>
#include <osg/NodeVisitor>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/PolytopeIntersector>
#include <vector>

#include "tests/unit/viewer/layers/layer_picture.h"
#include "viewer/layers/color_scale.h"
#include "viewer/layers/layers.h"

namespace protobeam::viewer {
namespace {

/// The geometries that draw points.
class PointClouds : public osg::NodeVisitor {
 public:
  explicit PointClouds(Layers& layers) : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {
    layers.root()->accept(*this);
  }
  void apply(osg::Geometry& geometry) override {
    if (geometry.getNumPrimitiveSets() == 1 &&
        geometry.getPrimitiveSet(0)->getMode() == GL_POINTS) {
      found.push_back(&geometry);
    }
  }
  std::vector<osg::Geometry*> found;
};

// A sensor that is turned and not at the origin, a camera somewhere else, four returns.
const Pose kSensor{axis_angle({0.2, -0.1, 1}, 0.7), Vec3(2, -1, 0.5)};
const Pose kCamera{axis_angle({0, 0, 1}, 0.3) * axis_angle({0, 1, 0}, 0.15), Vec3(-4, -3, 2)};
const std::vector<BeamReturn> kReturns = {hit({3, -1, 0}, 0, 0.1, 1), hit({4, -2, 1}, 5, 0.35, 2),
                                          hit({5.5, -3, -0.5}, 10, 0.7, 3),
                                          hit({2, -2.2, 0.3}, 15, 0.5, 1)};

Vec3 place(const BeamReturn& beam) { return {beam.x, beam.y, beam.z}; }

double value(const BeamReturn& beam, CloudColor color) {
  switch (color) {
    case CloudColor::kRange:
      return place(beam).norm();
    case CloudColor::kHeight:
      return (kSensor * place(beam)).z();
    case CloudColor::kRing:
      return beam.layer;
    case CloudColor::kIntensity:
      return beam.intensity;
    case CloudColor::kReturn:
      return beam.return_number;
  }
  return 0;
}

TEST(Clouds, PointsAreWhereTheyWereMeasuredInTheColorOfTheirValue) {
  LayerPicture canvas(kCamera);
  DrawSettings settings;
  settings.point_size = 5;
  Layers layers(look_with_lidars(), settings);
  layers.update(frame_with({sweep(1, kSensor, kReturns)}));
  EXPECT_EQ(layers.points(), 4u);
  for (const CloudColor color : kCloudColors) {
    settings.color = color;
    layers.set(settings);
    canvas.draw(layers);
    const Legend legend = layers.legend();
    EXPECT_EQ(legend.title, name_of(color));
    std::vector<Rgb> colors;
    for (const BeamReturn& beam : kReturns) {
      const double t = (value(beam, color) - legend.low) / (legend.high - legend.low);
      const Rgb wanted = bytes(point_color(t));
      const Rgb drawn = canvas.at(kSensor * place(beam));
      EXPECT_LE(difference(drawn, wanted), 1)
          << name_of(color) << " of " << place(beam).transpose();
      colors.push_back(drawn);
    }
    EXPECT_GT(difference(colors[0], colors[1]), 20) << name_of(color);
    EXPECT_EQ(canvas.lit_pixels(), 4 * 5 * 5) << name_of(color);
  }
}

TEST(Clouds, AnotherMeaningOfTheColorsUploadsNothing) {
  DrawSettings settings;
  Layers layers(look_with_lidars(), settings);
  layers.update(frame_with({sweep(1, kSensor, kReturns)}));
  PointClouds clouds(layers);
  ASSERT_EQ(clouds.found.size(), 1u);
  const auto revisions = [&] {
    std::vector<unsigned> all;
    osg::Geometry::ArrayList arrays;
    clouds.found[0]->getArrayList(arrays);
    for (const auto& array : arrays) all.push_back(array->getModifiedCount());
    return all;
  };
  const std::vector<unsigned> before = revisions();
  ASSERT_EQ(before.size(), 2u);
  for (const CloudColor color : kCloudColors) {
    settings.color = color;
    layers.set(settings);
    layers.update(frame_with({sweep(1, kSensor, kReturns)}));
  }
  EXPECT_EQ(revisions(), before);
  layers.update(frame_with({sweep(2, kSensor, kReturns)}));
  EXPECT_NE(revisions(), before);
}

TEST(Clouds, BuffersAreUsedAgainForLaterSweeps) {
  DrawSettings settings;
  settings.past_sweeps = 2;
  Layers layers(look_with_lidars(), settings);
  for (std::uint64_t i = 1; i <= 3; ++i) layers.update(frame_with({sweep(i, {}, kReturns)}));
  const auto buffers = [&layers] {
    std::vector<const void*> all;
    for (osg::Geometry* geometry : PointClouds(layers).found) {
      all.push_back(geometry->getVertexArray()->getDataPointer());
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto before = buffers();
  EXPECT_EQ(before.size(), 3u);
  for (std::uint64_t i = 4; i <= 9; ++i) layers.update(frame_with({sweep(i, {}, kReturns)}));
  EXPECT_EQ(buffers(), before);
}

TEST(Clouds, PastSweepsStayWhereTheyWereTakenAndFade) {
  LayerPicture canvas;
  DrawSettings settings;
  settings.point_size = 5;
  settings.past_sweeps = 2;
  settings.color = CloudColor::kRing;
  Layers layers(look_with_lidars(), settings);
  // The sensor moves to the right; each time it sees the same point in its own frame.
  const Vec3 p_S(10, 2.5, 0);
  const auto sensor = [](int i) { return Pose::translation({0, -1.5 * i, 0}); };
  for (int i = 0; i < 4; ++i) {
    layers.update(
        frame_with({sweep(static_cast<std::uint64_t>(i + 1), sensor(i), {hit(p_S, 15)})}));
    EXPECT_EQ(layers.points(), static_cast<std::size_t>(std::min(i + 1, 3)));
  }
  canvas.draw(layers);
  const Rgb full = bytes(point_color(1));
  EXPECT_EQ(canvas.at(sensor(0) * p_S), (Rgb{0, 0, 0}));  // one too old
  const int older = canvas.at(sensor(1) * p_S)[0], old = canvas.at(sensor(2) * p_S)[0];
  EXPECT_LE(difference(canvas.at(sensor(3) * p_S), full), 1);
  EXPECT_GT(older, 20);
  EXPECT_GT(old, older + 20);
  EXPECT_GT(full[0], old + 20);

  settings.past_sweeps = 0;
  layers.set(settings);
  EXPECT_EQ(layers.points(), 1u);
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 25);
}

TEST(Clouds, LidarsHaveSweepsOfTheirOwn) {
  DrawSettings settings;
  Layers layers(look_with_lidars(), settings);
  const auto first = sweep(1, {}, {hit({5, 0, 0})}, 0);
  layers.update(frame_with({first, sweep(1, {}, {hit({6, 0, 0}), hit({7, 0, 0})}, 1)}));
  EXPECT_EQ(layers.points(), 3u);
  layers.update(frame_with({first, sweep(2, {}, {hit({6, 0, 0})}, 1)}));
  EXPECT_EQ(layers.points(), 2u);
}

TEST(Clouds, ASmallerSweepLeavesNothingOfTheLargerOne) {
  LayerPicture canvas;
  DrawSettings settings;
  settings.point_size = 3;
  Layers layers(look_with_lidars(), settings);
  layers.update(frame_with({sweep(1, {}, {hit({9, 0, 0}), hit({9, 1, 0}), hit({9, -1, 1})})}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 27);
  layers.update(frame_with({sweep(2, {}, {hit({9, 0, 1})})}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 9);
  layers.update(frame_with({sweep(3, {}, {})}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 0);
  layers.update(frame_with({sweep(4, {}, std::vector<BeamReturn>(50, hit({9, 1, 1})))}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 9);
  EXPECT_EQ(layers.points(), 50u);
}

TEST(Clouds, PointSizeIsInPixels) {
  LayerPicture canvas;
  DrawSettings settings;
  Layers layers(look_with_lidars(), settings);
  layers.update(frame_with({sweep(1, {}, {hit({9, 0.1, 0.1})})}));
  for (const int size : {1, 2, 4, 7}) {
    settings.point_size = size;
    layers.set(settings);
    canvas.draw(layers);
    EXPECT_EQ(canvas.lit_pixels(), size * size);
  }
}

TEST(Clouds, PointsAreExactFarFromTheOrigin) {
  const Vec3 far(4.1e6, -2.3e6, 300);
  LayerPicture canvas({axis_angle({0, 0, 1}, -0.4), far});
  DrawSettings settings;
  settings.point_size = 1;
  Layers layers(look_with_lidars(), settings);
  const Pose X_WS{axis_angle({0, 0, 1}, 0.25), far + Vec3(2, 1, 0.5)};
  // In the middles of pixels, told from the camera.
  std::vector<Vec3> points;
  std::vector<BeamReturn> returns;
  const double pixel = 2 * std::tan(canvas.camera.vertical_fov / 2) / LayerPicture::kHeight;
  for (const int column : {-90, -33, 4, 77}) {
    const Vec3 p_C = 12 * Vec3(1, (column + 0.5) * pixel, (column / 2 + 0.5) * pixel);
    points.push_back(canvas.camera.X_WC * p_C);
    returns.push_back(hit(X_WS.inverse() * points.back()));
  }
  layers.update(frame_with({sweep(1, X_WS, returns)}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 4);
  for (const Vec3& p : points) EXPECT_NE(canvas.at(p), (Rgb{0, 0, 0}));
}

TEST(Clouds, PointsLieOnSurfacesAndBehindThem) {
  LayerPicture canvas;
  DrawSettings settings;
  settings.point_size = 3;
  Layers layers(look_with_lidars(), settings);
  layers.update(frame_with({sweep(1, {}, {hit({8, 0, 0})})}));
  const auto color_with = [&](double wall_distance) {
    osg::ref_ptr<osg::Group> world = new osg::Group;
    world->addChild(layers.root());
    world->addChild(wall(wall_distance, {0.5f, 0.5f, 0.5f, 1}));
    canvas.draw(world);
    return canvas.at({8, 0, 0});
  };
  const Rgb grey{128, 128, 128};
  EXPECT_GT(difference(color_with(9), grey), 30);
  EXPECT_GT(difference(color_with(8), grey), 30);  // just where the point is
  EXPECT_LE(difference(color_with(7), grey), 1);
}

TEST(Clouds, AreShownAtOnceWhenSwitchedOn) {
  Layers layers(look_with_lidars(), nothing());
  layers.update(frame_with({sweep(1, kSensor, kReturns)}));
  EXPECT_EQ(layers.points(), 0u);
  EXPECT_EQ(layers.legend().title, "");
  layers.set(DrawSettings{});
  EXPECT_EQ(layers.points(), 4u);
  EXPECT_EQ(layers.legend().title, "height");
  layers.set(nothing());
  EXPECT_EQ(layers.points(), 0u);
  EXPECT_EQ(layers.legend().title, "");
}

TEST(Clouds, LegendStaysWhileASweepIsEmpty) {
  Layers layers(look_with_lidars(), DrawSettings{});
  EXPECT_EQ(layers.legend().title, "");  // no sweep yet
  layers.update(frame_with({sweep(1, {}, kReturns)}));
  const Legend before = layers.legend();
  layers.update(frame_with({sweep(2, {}, {})}));
  EXPECT_EQ(layers.legend().title, before.title);
  EXPECT_EQ(layers.legend().low, before.low);
  EXPECT_EQ(layers.legend().high, before.high);
}

TEST(Clouds, WhatIsNotOfThisWorldIsIgnored) {
  Layers layers(look_with_lidars(), DrawSettings{});
  SceneState other = frame_with({sweep(1, {}, kReturns)});
  other.load = 2;
  layers.update(other);
  EXPECT_EQ(layers.points(), 0u);
  layers.update(frame_with({sweep(1, {}, kReturns, -1), sweep(1, {}, kReturns, 2),
                            sweep(1, {}, kReturns, 2'000'000'000), nullptr}));
  EXPECT_EQ(layers.points(), 0u);
  EXPECT_EQ(layers.legend().title, "");
  layers.update(frame_with({sweep(
      1, {}, {hit({std::numeric_limits<double>::infinity(), 0, 0}), hit({1, std::nan(""), 0})})}));
  EXPECT_EQ(layers.points(), 0u);
}

TEST(Clouds, ArePassedThroughByPicking) {
  Layers layers(look_with_lidars(), DrawSettings{});
  layers.update(frame_with({sweep(1, {}, {hit({8, 0, 0})})}));
  const auto hits = [&layers](unsigned mask) {
    osg::Polytope column;
    for (const osg::Plane& side : {osg::Plane(0, 1, 0, 1), osg::Plane(0, -1, 0, 1),
                                   osg::Plane(0, 0, 1, 1), osg::Plane(0, 0, -1, 1)}) {
      column.add(side);
    }
    osg::ref_ptr<osgUtil::PolytopeIntersector> intersector =
        new osgUtil::PolytopeIntersector(column);
    osgUtil::IntersectionVisitor visitor(intersector);
    visitor.setTraversalMask(mask);
    layers.root()->accept(visitor);
    return intersector->getIntersections().size();
  };
  EXPECT_GT(hits(~0u), 0u);
  EXPECT_EQ(hits(kPickMask), 0u);
}

}  // namespace
}  // namespace protobeam::viewer
