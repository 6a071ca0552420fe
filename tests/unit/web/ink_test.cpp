// What a page gets of what pens drew, read back byte by byte.
#include "web/ink.h"

#include <gtest/gtest.h>

#include "geometry/files.h"
#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/web/read_bytes.h"

namespace protobeam::web {
namespace {

/// A pen that moves by 0.4 m/s over a floor that is shape 2 of the world, 1 m above the origin.
constexpr const char* kWriter = R"(
Solid { name "tree" children [ Shape { geometry Sphere { } } Shape { geometry Cylinder { } } ] translation 0 0 9 }
Solid { name "floor" translation 0 0 0.5 children [ Shape { geometry Box { size 6 4 1 } } ] }
Robot {
  name "writer" controller "<none>" translation -1 0.5 1.25
  children [ Pen { leadSize 0.2 inkColor 1 0 0 inkDensity 1 } ]
  boundingObject Sphere { radius 0.1 } physics Physics { } linearVelocity 0.4 0 0
}
)";
constexpr std::uint32_t kUp = 4;  ///< side towards +z

class InkOfAPage : public testing::Test {
 protected:
  InkOfAPage() : simulation_(world_.load(kWriter)) {
    description_ = describe_scene(simulation_, 7);
    observer_.emplace(simulation_, *description_);
    file_ = make_world_file(description_, *state());
    ink_.emplace(file_);
  }
  std::shared_ptr<const SceneState> state() { return observer_->state(simulation_); }
  std::optional<std::string> next() { return ink_->next(*state()); }
  void draw(double seconds) {
    const double end = simulation_.time() + seconds - 1e-9;
    while (simulation_.time() < end) simulation_.step();
  }

  WorldText world_;
  Simulation& simulation_;
  std::shared_ptr<const SceneDescription> description_;
  std::optional<SceneObserver> observer_;
  WorldFile file_;
  std::optional<InkOfPage> ink_;
};

void expect_head(const std::string& bytes, std::uint32_t kind) {
  EXPECT_EQ(read<std::uint32_t>(bytes, 0), kind);
  EXPECT_EQ(read<std::uint32_t>(bytes, 4), 7u) << "the load";
  EXPECT_EQ(read<std::uint32_t>(bytes, 8), 2u) << "the shape";
  EXPECT_EQ(read<std::uint32_t>(bytes, 12), kUp);
}

struct Picture {
  std::array<float, 4> place;
  Image image;

  explicit Picture(const std::string& bytes)
      : place(read<std::array<float, 4>>(bytes, 16)),
        image(decode_image(std::string_view(bytes).substr(32), "ink")) {}
  /// Of the floor, or -1 beside the picture.
  int alpha(double x, double y) const {
    const double u = place[0] * x + place[1], v = place[2] * y + place[3];
    if (u < 0 || u >= 1 || v < 0 || v >= 1) return -1;
    const auto column = static_cast<std::size_t>(u * image.width);
    const auto row = static_cast<std::size_t>((1 - v) * image.height);
    return image.pixels[4 * (row * static_cast<std::size_t>(image.width) + column) + 3];
  }
};

TEST_F(InkOfAPage, IsNothingBeforeAPenHasDrawn) { EXPECT_EQ(next(), std::nullopt); }

TEST_F(InkOfAPage, BeginsWithTheTrianglesThatItIsOn) {
  draw(0.5);
  const auto sheet = next();
  ASSERT_TRUE(sheet);
  expect_head(*sheet, 7);
  const auto corners = read<std::uint32_t>(*sheet, 16);
  ASSERT_EQ(corners, 6u) << "two triangles of the box";
  ASSERT_EQ(sheet->size(), 20 + 24 * corners);
  for (std::uint32_t i = 0; i < corners; ++i) {
    const auto [x, y, z] = read<std::array<float, 3>>(*sheet, 20 + 12 * i);
    EXPECT_EQ(std::abs(x), 3) << i;
    EXPECT_EQ(std::abs(y), 2) << i;
    EXPECT_EQ(z, 0.5f) << i;
    EXPECT_EQ((read<std::array<float, 3>>(*sheet, 20 + 12 * (corners + i))),
              (std::array<float, 3>{0, 0, 1}));
  }
}

TEST_F(InkOfAPage, IsWhereThePenWas) {
  draw(2.5);  // to 0 m
  next();
  const auto bytes = next();
  ASSERT_TRUE(bytes);
  expect_head(*bytes, 8);
  const Picture picture(*bytes);
  for (const double x : {-1.0, -0.5, -0.05}) {
    EXPECT_EQ(picture.alpha(x, 0.5), 255) << x;
    EXPECT_EQ(picture.alpha(x, 0.42), 255) << x;
    EXPECT_LE(picture.alpha(x, 0.38), 0) << x;
    EXPECT_LE(picture.alpha(x, 0.62), 0) << x;
  }
  EXPECT_LE(picture.alpha(-1.15, 0.5), 0);
  EXPECT_LE(picture.alpha(0.15, 0.5), 0);
  EXPECT_EQ(picture.image.pixels[0], 255);
  EXPECT_EQ(picture.image.pixels[1], 0);
}

TEST_F(InkOfAPage, IsSentAgainWhenThereIsMoreOfItOnly) {
  draw(0.5);
  EXPECT_TRUE(next());
  EXPECT_TRUE(next());
  EXPECT_EQ(next(), std::nullopt);
  draw(1);
  const auto more = next();
  ASSERT_TRUE(more);
  expect_head(*more, 8);
  EXPECT_EQ(Picture(*more).alpha(-0.5, 0.5), 255);
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(InkOfAPage, IsTakenAwayWithWhatFades) {
  draw(0.5);
  next(), next();
  SceneState faded = *state();
  faded.paint.clear();
  const auto gone = ink_->next(faded);
  ASSERT_TRUE(gone);
  expect_head(*gone, 8);
  EXPECT_EQ(gone->size(), 16u);
  EXPECT_EQ(ink_->next(faded), std::nullopt);
  const auto again = next();
  ASSERT_TRUE(again);
  expect_head(*again, 8);
}

}  // namespace
}  // namespace protobeam::web
