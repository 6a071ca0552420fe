// Shapes that Webots has not.
#include <gmock/gmock.h>

#include <map>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string polyline(const std::string& points, const std::string& height = "2") {
  std::string out = "<polyline>";
  for (std::size_t at = 0; at < points.size();) {
    const std::size_t end = std::min(points.find(", ", at), points.size());
    out += "<point>" + points.substr(at, end - at) + "</point>";
    at = end + 2;
  }
  return out + "<height>" + height + "</height></polyline>";
}

std::string collision(const std::string& geometry) {
  return "<collision name=\"c\"><geometry>" + geometry + "</geometry></collision>";
}

std::string standing(const std::string& geometry) {
  return world(model("m", "<static>1</static><link name=\"l\">" + collision(geometry) + "</link>"));
}

struct Surface {
  double volume = 0;
  bool closed = true;  ///< each edge is there once in each direction
};

Surface surface_of(const wbt::Node& set) {
  const auto& p = set.find("coord")->value.nodes.at(0)->find("point")->value.numbers;
  const auto point = [&](double i) {
    const auto k = 3 * static_cast<std::size_t>(i);
    return Vec3(p[k], p[k + 1], p[k + 2]);
  };
  const auto key = [](const Vec3& v) { return std::tuple(v.x(), v.y(), v.z()); };
  std::map<std::pair<std::tuple<double, double, double>, std::tuple<double, double, double>>, int>
      edges;
  Surface out;
  std::vector<Vec3> face;
  for (const double index : set.find("coordIndex")->value.numbers) {
    if (index >= 0) {
      face.push_back(point(index));
      continue;
    }
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vec3 &a = face[i], &b = face[(i + 1) % face.size()];
      out.volume += face[0].dot(a.cross(b)) / 6;
      ++edges[{key(a), key(b)}];
      --edges[{key(b), key(a)}];
    }
    face.clear();
  }
  for (const auto& [edge, balance] : edges) out.closed = out.closed && balance == 0;
  return out;
}

const std::string kSquare = "0 0, 4 0, 4 4, 0 4";

// Areas by hand.
TEST_F(WorldTest, APolylineIsRaisedFromItsOutline) {
  const auto raised = [&](const std::string& polylines) {
    world_ = read(standing(polylines));
    EXPECT_EQ(diagnostics_.to_string(), "");
    return surface_of(node(*world_, "IndexedFaceSet"));
  };
  const auto expect = [&](const std::string& polylines, double volume) {
    const Surface got = raised(polylines);
    EXPECT_NEAR(got.volume, volume, 1e-9) << polylines;
    EXPECT_TRUE(got.closed) << polylines;
  };
  expect(polyline(kSquare), 32);
  expect(polyline("0 4, 4 4, 4 0, 0 0"), 32);  // clockwise
  expect(polyline("0 0, 4 0, 4 4, 0 4, 0 0"), 32);
  expect(polyline("0 0, 4 0, 4 4, 2 1, 0 4"), 2 * (16 - 6));  // a dent
  expect(polyline(kSquare) + polyline("6 0, 7 0, 7 1"), 32 + 1);
  expect(polyline(kSquare) + polyline("1 1, 3 1, 2 2.5"), 2 * (16 - 1.5));
  expect(polyline(kSquare) + polyline("1 1, 1 3, 3 3, 3 1") + polyline("1.5 1.7, 2.5 1.7, 2 2.3"),
         2 * (16 - 4 + 0.3));
  // An A, as in gz-sim, examples/worlds/polylines.sdf.
  expect(polyline("0 0, 1 0, 3 6, 2 6, 1.5 4.5, -0.5 4.5, -1 6, -2 6") +
             polyline("0.5 1, -0.25 3.5, 1.25 3.5"),
         2 * (14.25 - 1.875));
}

TEST_F(WorldTest, APolylineCollides) {
  const auto ball = [](const std::string& name, const std::string& place) {
    return model(
        name, "<pose>" + place + " 2.2 0 0 0</pose>" +
                  heavy("b", 1, "0 0 0 0 0 0", collision("<sphere><radius>0.1</radius></sphere>")));
  };
  load(world(model("floor", "<static>1</static><link name=\"l\">" +
                                collision("<plane><size>50 50</size></plane>") + "</link>") +
             model("frame", "<static>1</static><link name=\"l\">" +
                                collision(polyline(kSquare) + polyline("1 1, 3 1, 3 3, 1 3")) +
                                "</link>") +
             ball("on", "0.5 2") + ball("through", "2 2")));
  run(1.5);
  EXPECT_NEAR(pose("on").p.z(), 2.1, 2e-3);
  EXPECT_NEAR(pose("through").p.z(), 0.1, 2e-3);
  EXPECT_EQ(diagnostics_.to_string(), "");
}

TEST_F(WorldTest, MistakesInAPolylineAreSaid) {
  EXPECT_THAT(messages(standing(polyline("0 0, 1 1, 2 2"))),
              HasSubstr("warning: a <polyline> without an area has no effect"));
  EXPECT_THAT(messages(standing(polyline(kSquare, "-1"))),
              HasSubstr("error: <height> of <polyline> must be greater than 0 m, got -1"));
  EXPECT_THAT(messages(standing(polyline("0 0, 1 zero, 2 2"))), HasSubstr("<point>"));
  EXPECT_THAT(messages(standing(polyline(kSquare) + "<box/>")),
              HasSubstr("warning: a second shape in a <geometry> has no effect"));
}

TEST_F(WorldTest, AnEllipsoidCollides) {
  load(world(
      model("floor", "<static>1</static><link name=\"l\">" +
                         collision("<plane><size>50 50</size></plane>") + "</link>") +
      model("egg",
            "<pose>0 0 0.12 0 0 0</pose><link name=\"l\"><inertial auto=\"true\"><mass>1</mass>"
            "</inertial>" +
                collision("<ellipsoid><radii>0.3 0.2 0.1</radii></ellipsoid>") + "</link>")));
  run(1);
  EXPECT_NEAR(pose("egg").p.z(), 0.1, 2e-3);
  EXPECT_EQ(diagnostics_.to_string(), "");
}

// sdformat, src/Ellipsoid.cc: that of a solid of uniform density.
TEST_F(WorldTest, AnAutomaticInertialWeighsAnEllipsoid) {
  const auto document = *read(world(
      model("m", "<link name=\"l\"><inertial auto=\"true\"/>" +
                     collision("<ellipsoid><radii>0.3 0.2 0.1</radii></ellipsoid>") + "</link>")));
  const wbt::Node& physics = node(document, "Physics");
  const double mass = 1000 * 4 * kPi / 3 * 0.006;
  EXPECT_THAT(numbers(physics, "mass"), ElementsAre(testing::DoubleNear(mass, 1e-9)));
  EXPECT_NEAR(numbers(physics, "inertiaMatrix").at(0), mass / 5 * (0.04 + 0.01), 1e-9);
  EXPECT_NEAR(numbers(physics, "inertiaMatrix").at(1), mass / 5 * (0.09 + 0.01), 1e-9);
  EXPECT_NEAR(numbers(physics, "inertiaMatrix").at(2), mass / 5 * (0.09 + 0.04), 1e-9);
}

// A cube of 2 m, scaled to 1 m; a cone's centre is a quarter of its height above its base, its
// moment about its axis 3/10 m r^2.
TEST_F(WorldTest, AnAutomaticInertialWeighsMeshesAndCones) {
  folder_.write("cube.obj",
                "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\n"
                "v -1 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  const auto physics = [&](const std::string& geometry) -> const wbt::Node& {
    world_ = read(world(model(
        "m", "<link name=\"l\"><inertial auto=\"true\"/>" + collision(geometry) + "</link>")));
    EXPECT_EQ(diagnostics_.to_string(), "");
    return node(*world_, "Physics");
  };
  const wbt::Node& cube = physics("<mesh><uri>cube.obj</uri><scale>0.5 0.5 0.5</scale></mesh>");
  EXPECT_NEAR(numbers(cube, "mass").at(0), 1000, 1e-6);
  EXPECT_NEAR(numbers(cube, "inertiaMatrix").at(1), 1000.0 / 6, 1e-6);
  const wbt::Node& cone = physics("<cone><radius>0.3</radius><length>0.8</length></cone>");
  const double mass = 1000 * kPi / 3 * 0.09 * 0.8;
  EXPECT_NEAR(numbers(cone, "mass").at(0), mass, 1e-9);
  EXPECT_NEAR(numbers(cone, "centerOfMass").at(2), -0.2, 1e-12);
  EXPECT_NEAR(numbers(cone, "inertiaMatrix").at(2), 0.3 * mass * 0.09, 1e-9);
  EXPECT_THAT(messages(world(model("m", "<link name=\"l\"><inertial auto=\"true\"/>" +
                                            collision(polyline(kSquare)) + "</link>"))),
              HasSubstr("warning: 'auto' of an <inertial> of a link with a <collision> without a "
                        "volume has no effect"));
}

// gazebo-classic, rendering/Road2d.cc
TEST_F(WorldTest, ARoadIsAStripAlongItsPoints) {
  const auto road = [](const std::string& text) {
    return world("<road name=\"r\"><width>2</width>" + text + "</road>");
  };
  const std::string bent =
      "<point>0 0 0.5</point><point>10 0 0.5</point><point>10 0 0.5</point><point>10 5 1</point>";
  const auto document = *read(road(bent));
  EXPECT_EQ(diagnostics_.to_string(), "");
  const wbt::Node& shape = node(document, "Shape");
  EXPECT_THAT(numbers(node(document, "Coordinate"), "point"),
              ElementsAre(0, 1, 0.5, 0, -1, 0.5, 9, 1, 0.5, 11, -1, 0.5, 9, 5, 1, 11, 5, 1));
  // Its faces look up.
  EXPECT_THAT(numbers(node(document, "IndexedFaceSet"), "coordIndex"),
              ElementsAre(0, 1, 3, -1, 0, 3, 2, -1, 2, 3, 5, -1, 2, 5, 4, -1));
  EXPECT_THAT(numbers(*shape.find("appearance")->value.nodes.at(0), "baseColor"),
              ElementsAre(0.25, 0.25, 0.25));
  // There and back again.
  const auto back =
      *read(road("<point>0 0 0</point><point>4 0 0</point><point>1 0 0</point>"
                 "<material><diffuse>1 0 0 1</diffuse></material>"));
  EXPECT_THAT(numbers(node(back, "Coordinate"), "point"),
              ElementsAre(0, 1, 0, 0, -1, 0, 4, 1, 0, 4, -1, 0, 1, -1, 0, 1, 1, 0));
  EXPECT_THAT(numbers(node(back, "PBRAppearance"), "baseColor"), ElementsAre(1, 0, 0));
  EXPECT_THAT(messages(road("<point>1 1 1</point><point>1 1 2</point>")),
              HasSubstr("warning: a <road> without two <point>s that are apart has no effect"));
  EXPECT_THAT(messages(road("<point>0 0 0</point><point>1e10 0 0</point>")),
              HasSubstr("error: a <point> must be nearer than 1e9 m"));
  EXPECT_THAT(messages(road("<point>0 0</point>")), HasSubstr("error: <point>"));
}

}  // namespace
}  // namespace protobeam::sdf
