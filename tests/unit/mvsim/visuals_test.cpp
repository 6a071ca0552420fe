// Shapes that follow from models.
#include <sstream>

#include "mvsim/world/to_webots.h"
#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A strip of `count` squares along x, 4 m wide and 2 m high at its ends, 7.25 m long.
std::string strip(int count) {
  std::ostringstream out;
  for (int i = 0; i <= count; ++i) {
    const double x = 7.25 * i / count, z = i == 0 || i == count ? 2 : 1;
    out << "v " << x << " -2 " << z << "\nv " << x << " 2 " << z << "\n";
  }
  for (int i = 0; i < count; ++i) {
    out << "f " << 2 * i + 1 << " " << 2 * i + 3 << " " << 2 * i + 4 << " " << 2 * i + 2 << "\n";
  }
  return out.str();
}

// So many vertices that their memory goes back to the system as soon as it is free.
TEST_F(MvsimTest, a_large_model_gives_a_block_its_shape) {
  folder_.write("strip.obj", strip(20'000));
  const LoadedFile loaded = load(
      "<block><shape_from_visual/><visual><model_uri>strip.obj</model_uri></visual>"
      "<init_pose>0 0 0</init_pose></block>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_THAT(wbt::to_text(webots.document), HasSubstr("7.25 -2 2"));
}

/// A trunk of 0.25 m, 3 m high, and a crown of 4 m on it that reaches 5 m.
std::string tree() {
  std::ostringstream out;
  auto box = [&, first = 1](double half, double low, double high) mutable {
    for (const double z : {low, high}) {
      out << "v " << -half << " " << -half << " " << z << "\nv " << half << " " << -half << " " << z
          << "\nv " << half << " " << half << " " << z << "\nv " << -half << " " << half << " " << z
          << "\n";
    }
    for (const auto& face : {"0321", "4567", "0154", "1265", "2376", "3047"}) {
      out << "f";
      for (int i = 0; i < 4; ++i) out << " " << first + face[i] - '0';
      out << "\n";
    }
    first += 8;
  };
  box(0.125, 0, 3);
  box(2, 3, 5);
  return out.str();
}

// VisualObject.cpp, addCustomVisualization: only what lies between zmin and zmax is touched, and
// visual_scale takes the place of model_scale.
TEST_F(MvsimTest, a_block_of_a_model_is_touched_between_its_zmin_and_zmax) {
  folder_.write("tree.obj", tree());
  const LoadedFile loaded = load(
      "<block:class name='tree'><static>true</static><shape_from_visual/><zmin>0.5</zmin>"
      "<zmax>2.5</zmax><visual><model_uri>tree.obj</model_uri><model_scale>7</model_scale></visual>"
      "</block:class><block class='tree'><init_pose>0 0 0</init_pose>"
      "<visual_scale>0.5</visual_scale></block>"
      "<block name='b' class='tree'><init_pose>9 0 0</init_pose><visual_scale>1</visual_scale>"
      "</block><block name='c' class='tree'><init_pose>19 0 0</init_pose><zmin>90</zmin>"
      "<zmax>91</zmax></block>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), testing::ElementsAre(HasSubstr("finds nothing of the model")));
  const std::string text = wbt::to_text(webots.document);
  EXPECT_THAT(text, HasSubstr("scale 0.5 0.5 0.5"));
  EXPECT_THAT(text, testing::Not(HasSubstr("scale 1 1 1")));
  // Of the tree of half the size the crown begins at 1.5 m; of the other one it is left out.
  EXPECT_THAT(text, HasSubstr("1 1 2.5"));
  EXPECT_THAT(text, HasSubstr("0.125 0.125 2.5"));
  EXPECT_THAT(text, HasSubstr("0.125 0.125 0.5"));
  EXPECT_THAT(text, testing::Not(HasSubstr("2 2 ")));
}

}  // namespace
}  // namespace protobeam::mvsim
