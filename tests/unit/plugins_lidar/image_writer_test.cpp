// Where ranges and points go in the image, whatever the order of cells, and beam by beam.
#include "plugins/devices/lidar/image_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace protobeam {
namespace {

constexpr float kNothing = std::numeric_limits<float>::infinity();
constexpr float kUntouched = -7;

struct Case {
  std::size_t beams;
  bool origins, times;
  enum Order { kForward, kBackward, kSector } order;
};

class ImageWriter : public testing::TestWithParam<Case> {};

TEST_P(ImageWriter, PutsEachBeamWhereItsCellIs) {
  const auto [n, origins, times, order] = GetParam();
  constexpr std::size_t kFirst = 3;  // of the pattern: nothing has to be aligned
  SweepPattern pattern;
  pattern.resize(kFirst + n, origins, false);
  if (!times) pattern.time.clear();
  std::vector<float> range(n);
  std::vector<std::uint32_t> cell(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t place = kFirst + i;
    const float at = static_cast<float>(i);
    pattern.dx[place] = i % 3 == 0 ? 0.0f : 0.25f + at;
    pattern.dy[place] = -0.5f - at;
    pattern.dz[place] = 0.125f * at;
    if (origins) pattern.ox[place] = 1 + at, pattern.oy[place] = 2 - at, pattern.oz[place] = 3;
    if (times) pattern.time[place] = 0.001f * at;
    pattern.layer[place] = static_cast<std::int32_t>(i % 5);
    range[i] = i % 4 == 1 ? kNothing : 10.0f + 0.1f * at;
    cell[i] = static_cast<std::uint32_t>(order == Case::kBackward ? n - 1 - i : i);
    if (order == Case::kSector && i % 6 < 3) cell[i] = kNoCell;
  }
  std::vector<float> ranges(n, kUntouched);
  std::vector<LidarPoint> points(n, LidarPoint{kUntouched, 0, 0, 0, 0});
  write({&pattern, kFirst, n, range.data(), cell.data(), 2.5}, {ranges.data(), points.data()});
  for (std::size_t i = 0; i < n; ++i) {
    SCOPED_TRACE(i);
    if (cell[i] == kNoCell) {
      EXPECT_EQ(ranges[i], kUntouched);
      EXPECT_EQ(points[i].x, kUntouched);
      continue;
    }
    const std::size_t place = kFirst + i;
    const LidarPoint& point = points[cell[i]];
    EXPECT_EQ(ranges[cell[i]], range[i]);
    EXPECT_EQ(point.layer_id, static_cast<std::int32_t>(i % 5));
    EXPECT_EQ(point.time, times ? static_cast<float>(2.5 + double{pattern.time[place]}) : 2.5f);
    if (std::isinf(range[i])) {
      EXPECT_EQ(point.x, kNothing);
      EXPECT_EQ(point.y, kNothing);
      EXPECT_EQ(point.z, kNothing);
    } else {
      EXPECT_EQ(point.x, (origins ? pattern.ox[place] : 0) + range[i] * pattern.dx[place]);
      EXPECT_EQ(point.y, (origins ? pattern.oy[place] : 0) + range[i] * pattern.dy[place]);
      EXPECT_EQ(point.z, (origins ? pattern.oz[place] : 0) + range[i] * pattern.dz[place]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ImageWriter,
                         testing::Values(Case{64, false, false, Case::kForward},
                                         Case{67, true, true, Case::kForward},
                                         Case{67, false, true, Case::kBackward},
                                         Case{66, true, false, Case::kSector},
                                         Case{3, false, false, Case::kForward}));

TEST(ImageOfRanges, LeavesOutABeamBeforeTheFirstCell) {
  SweepPattern pattern;
  pattern.resize(4, false, false);
  const float range[] = {1, 2, 3, 4};
  const std::uint32_t cell[] = {kNoCell, 0, 1, 2};  // four numbers that follow each other
  float ranges[4] = {kUntouched, kUntouched, kUntouched, kUntouched};
  write({&pattern, 0, 4, range, cell, 0}, {ranges, nullptr});
  EXPECT_EQ(ranges[0], 2);
  EXPECT_EQ(ranges[2], 4);
  EXPECT_EQ(ranges[3], kUntouched);
}

TEST(ImageOfRanges, NeedsNoPoints) {
  SweepPattern pattern;
  pattern.resize(5, false, false);
  const float range[] = {1, 2, kNothing, 4, 5};
  const std::uint32_t cell[] = {0, 1, 2, 3, 4};
  float ranges[5] = {};
  write({&pattern, 0, 5, range, cell, 0}, {ranges, nullptr});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ranges[i], range[i]);
}

}  // namespace
}  // namespace protobeam
