#include "output/point_cloud.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/temporary_folder.h"
#include "tests/unit/output/points.h"

namespace protobeam {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// sensor_msgs/PointField: UINT8 2, UINT16 4, UINT32 6, FLOAT32 7.
struct Listed {
  std::string_view name;
  unsigned offset, datatype;
  bool operator==(const Listed&) const = default;
};

std::vector<Listed> listed(const char* format) {
  std::vector<Listed> out;
  for (const PointField& field : point_layout(format).fields) {
    EXPECT_EQ(field.count, 1u);
    out.push_back({field.name, field.offset, static_cast<unsigned>(field.datatype)});
  }
  return out;
}

TEST(PointLayout, VelodynePointcloudPacksItsSixFields) {
  EXPECT_EQ(point_layout("velodyne").point_step, 22u);
  EXPECT_THAT(listed("velodyne"), ElementsAre(Listed{"x", 0, 7}, Listed{"y", 4, 7},
                                              Listed{"z", 8, 7}, Listed{"intensity", 12, 7},
                                              Listed{"ring", 16, 4}, Listed{"time", 18, 7}));
}

TEST(PointLayout, OusterPointsHaveTheOffsetsOfTheCompiledStructs) {
  EXPECT_EQ(point_layout("ouster").point_step, 48u);
  EXPECT_THAT(listed("ouster"), ElementsAre(Listed{"x", 0, 7}, Listed{"y", 4, 7}, Listed{"z", 8, 7},
                                            Listed{"intensity", 16, 7}, Listed{"t", 20, 6},
                                            Listed{"reflectivity", 24, 4}, Listed{"ring", 26, 4},
                                            Listed{"ambient", 28, 4}, Listed{"range", 32, 6}));
  EXPECT_EQ(point_layout("ouster-2021").point_step, 48u);
  auto older = listed("ouster");
  older[6].datatype = 2;
  EXPECT_EQ(listed("ouster-2021"), older);
  EXPECT_EQ(point_layout("ouster-legacy").point_step, 48u);
  EXPECT_THAT(
      listed("ouster-legacy"),
      ElementsAre(Listed{"x", 0, 7}, Listed{"y", 4, 7}, Listed{"z", 8, 7},
                  Listed{"intensity", 16, 7}, Listed{"t", 20, 6}, Listed{"reflectivity", 24, 4},
                  Listed{"ambient", 26, 4}, Listed{"range", 28, 6}, Listed{"ring", 32, 2}));
}

TEST(PointLayout, LivoxPointsAreThoseOfItsDriver) {
  EXPECT_EQ(point_layout("livox").point_step, 19u);
  EXPECT_THAT(listed("livox"),
              ElementsAre(Listed{"offset_time", 0, 6}, Listed{"x", 4, 7}, Listed{"y", 8, 7},
                          Listed{"z", 12, 7}, Listed{"reflectivity", 16, 2}, Listed{"tag", 17, 2},
                          Listed{"line", 18, 2}));
  EXPECT_EQ(point_layout("livox-xyzrtl").point_step, 18u);
  EXPECT_THAT(listed("livox-xyzrtl"),
              ElementsAre(Listed{"x", 0, 7}, Listed{"y", 4, 7}, Listed{"z", 8, 7},
                          Listed{"intensity", 12, 7}, Listed{"tag", 16, 2}, Listed{"line", 17, 2}));
}

TEST(PointLayout, FieldsLieInOrderInsideOfThePointAndNamesAreUnique) {
  std::set<std::string_view> names;
  for (const PointLayout& layout : point_layouts()) {
    EXPECT_TRUE(names.insert(layout.name).second) << layout.name;
    std::uint32_t end = 0;
    for (const PointField& field : layout.fields) {
      EXPECT_GE(field.offset, end) << layout.name << ' ' << field.name;
      end = field.offset + field.count * size_of(field.datatype);
    }
    EXPECT_LE(end, layout.point_step) << layout.name;
  }
}

TEST(PointLayout, UnknownNamesSayWhatIsNear) {
  const auto error = [](const char* name) {
    return message_of<std::invalid_argument>([&] { point_layout(name); });
  };
  EXPECT_EQ(error("velodine"), "there is no point format 'velodine'; did you mean 'velodyne'?");
  EXPECT_EQ(error("ouster-legcay"),
            "there is no point format 'ouster-legcay'; did you mean 'ouster-legacy'?");
  EXPECT_THAT(error("hesai"), AllOf(HasSubstr("'hesai'; there are"), HasSubstr("livox-xyzrtl")));
}

/// Two rows of an Ouster at 1024 x 10: a firing every 0.1 s / 1024 = 97 656.25 ns.
struct OusterSweep {
  SweepSource source = source_of(
      2, 1024, {{"beamOrigins", std::vector<double>{0.015806, 0, 0.03618, 0.015806, 0, 0.03618}}});
  std::vector<BeamReturn> beams;
  OusterSweep() {
    for (int layer = 0; layer < 2; ++layer) {
      for (int column = 0; column < 1024; ++column) {
        beams.push_back(beam_at(layer, column, 12.3 + column * 97656.25e-9));
      }
    }
    BeamReturn& last = beams.back() =
        return_at(1, 1023, beams.back().time, 5.4321f, {-5.25, 0.5, -1.125});
    last.intensity = 0.5f;
    last.signal = 321;
    last.ambient = 70.4f;
    last.ring = 7;  // a driver of another make numbers it so
  }
};

TEST(PointCloud, OusterPointsAreAsTheDriversOf2021And2022WroteThem) {
  const OusterSweep sweep;
  for (const char* format : {"ouster", "ouster-2021", "ouster-legacy"}) {
    const PointCloud cloud = cloud_of(format, sweep.beams, sweep.source);
    EXPECT_EQ(cloud.width, 1024u);
    EXPECT_EQ(cloud.height, 2u);
    ASSERT_EQ(cloud.data.size(), 2u * 49152u);  // row_step
    const std::size_t p = 2047 * 48;
    EXPECT_EQ(at<float>(cloud, p), -5.25f);
    EXPECT_EQ(at<float>(cloud, p + 4), 0.5f);
    EXPECT_EQ(at<float>(cloud, p + 8), -1.125f);
    EXPECT_EQ(at<float>(cloud, p + 12), 1.0f);
    EXPECT_EQ(at<float>(cloud, p + 16), 321.0f);
    EXPECT_EQ(at<std::uint32_t>(cloud, p + 20), 99'902'343u);
    EXPECT_EQ(at<std::uint16_t>(cloud, p + 24), 128);
    const bool legacy = std::string_view(format) == "ouster-legacy";
    EXPECT_EQ(at<std::uint16_t>(cloud, p + (legacy ? 26 : 28)), 70);
    // From the axis: 5432.1 mm and 15.806 mm.
    EXPECT_EQ(at<std::uint32_t>(cloud, p + (legacy ? 28 : 32)), 5448u);
    EXPECT_EQ(cloud.data[p + (legacy ? 32 : 26)], 1);
    // The rest is nobody's: the high byte of a 16-bit ring, and padding.
    for (const std::size_t unused : legacy ? std::vector<std::size_t>{33, 40, 47}
                                           : std::vector<std::size_t>{27, 30, 31, 36, 47}) {
      EXPECT_EQ(cloud.data[p + unused], 0) << format << ' ' << unused;
    }
    EXPECT_EQ(at<std::uint32_t>(cloud, 20), 0u);
    EXPECT_EQ(at<std::uint32_t>(cloud, 48 + 20), 97'656u);
  }
}

TEST(PointCloud, VelodyneTimesCountFromTheHeadersStamp) {
  const std::vector<BeamReturn> beams{return_at(0, 0, 10.0, 2), return_at(0, 1, 10.05, 2),
                                      return_at(0, 2, 10.0995, 2)};
  const PointCloud last = cloud_of("velodyne", beams, source_of(1, 3));
  EXPECT_EQ(last.header_ns, 10'099'500'000);
  EXPECT_FLOAT_EQ(at<float>(last, 18), -0.0995f);
  EXPECT_FLOAT_EQ(at<float>(last, 22 + 18), -0.0495f);
  EXPECT_EQ(at<float>(last, 44 + 18), 0);
  const PointCloud first =
      cloud_of("velodyne", beams, source_of(1, 3, {{"headerTime", std::string("start")}}));
  EXPECT_EQ(first.header_ns, 10'000'000'000);
  EXPECT_EQ(at<float>(first, 18), 0);
  EXPECT_FLOAT_EQ(at<float>(first, 44 + 18), 0.0995f);
}

TEST(PointCloud, VelodynePointsComeAsTheyWereFired) {
  // Layers from the top; laser 0 is the lower one and fires first.
  std::vector<BeamReturn> beams{return_at(0, 0, 2.3e-6, 4), return_at(0, 1, 57.6e-6, 5),
                                return_at(1, 0, 0, 6), beam_at(1, 1, 55.3e-6)};
  for (BeamReturn& beam : beams) beam.ring = beam.beam = 1 - beam.layer;
  beams[0].intensity = 1;
  beams[1].intensity = 0.2f;
  beams[2].intensity = 0.1f;
  const PointCloud cloud = cloud_of("velodyne", beams, source_of(2, 2));
  EXPECT_EQ(cloud.width, 3u);
  EXPECT_EQ(cloud.height, 1u);
  EXPECT_TRUE(cloud.is_dense);
  std::vector<int> rings, intensities;
  for (std::size_t p = 0; p < 66; p += 22) {
    rings.push_back(at<std::uint16_t>(cloud, p + 16));
    intensities.push_back(static_cast<int>(at<float>(cloud, p + 12)));
  }
  EXPECT_THAT(rings, ElementsAre(0, 1, 1));
  EXPECT_THAT(intensities, ElementsAre(26, 255, 51));  // 25.5 is rounded away from 0
}

TEST(PointCloud, LivoxSweepsAre9984PointsTenMicrosecondsApart) {
  // 104 packets of 96 points at 100 kHz.
  std::vector<BeamReturn> beams;
  for (int i = 0; i < 9984; ++i) beams.push_back(return_at(0, i, 1234.5 + (i + 1) * 1e-5, 2));
  beams[1] = beam_at(0, 1, beams[1].time);
  const PointCloud cloud =
      cloud_of("livox", beams, source_of(1, 9984, {{"headerTime", std::string("start")}}));
  EXPECT_EQ(cloud.width, 9984u);
  EXPECT_EQ(cloud.data.size(), 189'696u);
  EXPECT_EQ(cloud.start_ns, 1'234'500'010'000);
  EXPECT_EQ(cloud.header_ns, cloud.start_ns);
  for (std::uint32_t i = 0; i < 9984; ++i) {
    ASSERT_EQ(at<std::uint32_t>(cloud, i * 19), i * 10'000) << i;
  }
  // A miss keeps its place.
  EXPECT_EQ(std::count(cloud.data.begin() + 23, cloud.data.begin() + 38, 0), 15);
}

TEST(PointCloud, LivoxCoordinatesAreWholeMillimetres) {
  BeamReturn beam = return_at(0, 0, 0, 12.5f, {12.34567, -0.0004, -1.2346});
  beam.beam = 5;
  beam.intensity = 0.25f;
  const PointCloud custom = cloud_of("livox", {beam}, source_of(1, 1));
  EXPECT_EQ(at<float>(custom, 4), 12.346f);
  EXPECT_EQ(at<std::uint32_t>(custom, 8), 0u);  // not the bits of -0
  EXPECT_EQ(at<float>(custom, 12), -1.235f);
  EXPECT_EQ(custom.data[16], 64);
  EXPECT_EQ(custom.data[18], 5);
  const PointCloud cloud = cloud_of("livox-xyzrtl", {beam}, source_of(1, 1));
  ASSERT_EQ(cloud.data.size(), 18u);
  EXPECT_EQ(at<float>(cloud, 0), 12.346f);
  EXPECT_EQ(at<float>(cloud, 12), 64.0f);
  EXPECT_EQ(cloud.data[16], 0x10);
  EXPECT_EQ(cloud.data[17], 5);
}

TEST(PointCloud, LivoxTagsCountEchoes) {
  std::vector<BeamReturn> beams{return_at(0, 0, 0, 3), return_at(0, 1, 1e-5, 1.2f),
                                return_at(0, 2, 2e-5, 8), beam_at(0, 3, 3e-5)};
  beams[2].return_number = 2;
  const PointCloud cloud = cloud_of("livox", beams, source_of(1, 4));
  EXPECT_EQ(cloud.data[17], 0x10);
  EXPECT_EQ(cloud.data[19 + 17], 0x00);
  EXPECT_EQ(cloud.data[38 + 17], 0x20);
  EXPECT_EQ(cloud.data[57 + 17], 0x00);
}

TEST(PointCloud, MissesAreWhatEachDriverMakesOfThem) {
  struct Case {
    const char* format;
    bool organised;
    int points;  ///< of 2 beams
    bool nan;
  };
  for (const Case& c :
       {Case{"xyz", false, 1, false}, Case{"xyz", true, 2, true}, Case{"xyzi", false, 1, false},
        Case{"velodyne", false, 1, false}, Case{"velodyne", true, 2, true},
        Case{"ouster", false, 1, false}, Case{"ouster", true, 2, true},
        Case{"ouster-2021", true, 2, false}, Case{"ouster-legacy", true, 2, false},
        Case{"livox", false, 2, false}, Case{"livox-xyzrtl", false, 2, false}}) {
    const PointCloud cloud =
        cloud_of(c.format, {beam_at(0, 0, 0), return_at(0, 1, 1, 2, {2, 2, 2})}, source_of(1, 2),
                 c.organised);
    ASSERT_EQ(cloud.width, static_cast<unsigned>(c.points)) << c.format;
    EXPECT_EQ(cloud.is_dense, !c.nan) << c.format;
    if (c.points == 1) continue;
    for (const PointField& field : point_layout(c.format).fields) {
      if (field.name.size() != 1 || field.name == "t") continue;
      const float value = at<float>(cloud, field.offset);
      if (c.nan) {
        EXPECT_TRUE(std::isnan(value)) << c.format << ' ' << field.name;
      } else {
        EXPECT_EQ(value, 0) << c.format << ' ' << field.name;
      }
    }
  }
}

TEST(PointCloud, VelodyneMissesOfAnOrganisedCloudHaveRingAndTimeButNoIntensity) {
  std::vector<BeamReturn> beams{beam_at(0, 0, 0.5), return_at(0, 1, 1, 2)};
  beams[0].ring = 9;
  const PointCloud cloud = cloud_of("velodyne", beams, source_of(1, 2), true);
  EXPECT_TRUE(std::isnan(at<float>(cloud, 12)));
  EXPECT_EQ(at<std::uint16_t>(cloud, 16), 9);
  EXPECT_EQ(at<float>(cloud, 18), -0.5f);
}

TEST(PointCloud, DestaggeringMovesEachRowByItsPixelShift) {
  // An OS1-128 Rev7: beam_azimuth_angles 4.2, 1.42, -1.37, -4.14 degrees (clockwise, ours are
  // counter-clockwise), pixel_shift_by_row 12, 4, -4, -12 at 1024 columns.
  constexpr int kColumns = 1024;
  const int shifts[] = {12, 4, -4, -12};
  const SweepSource source =
      source_of(4, kColumns,
                {{"beamAzimuths_deg", std::vector<double>{-4.2, -1.42, 1.37, 4.14}},
                 {"fieldOfView", 2 * kPi}});
  EXPECT_THAT(pixel_shifts(source), ElementsAre(12, 4, -4, -12));
  std::vector<BeamReturn> beams;
  for (int layer = 0; layer < 4; ++layer) {
    for (int column = 0; column < kColumns; ++column) {
      // x tells where it came from.
      beams.push_back(return_at(layer, column, column * 1e-4, 2, {layer * 5000.0 + column, 0, 0}));
    }
  }
  const PointCloud staggered = cloud_of("ouster", beams, source, true, false);
  const PointCloud destaggered = cloud_of("ouster", beams, source);
  for (int row = 0; row < 4; ++row) {
    for (int v = 0; v < kColumns; ++v) {
      const auto point = [&](int column) {
        return 48 * static_cast<std::size_t>(row * kColumns + column);
      };
      const int from = (v + kColumns - shifts[row]) % kColumns;
      ASSERT_EQ(at<float>(staggered, point(v)), static_cast<float>(row * 5000 + v));
      ASSERT_EQ(at<float>(destaggered, point(v)), static_cast<float>(row * 5000 + from));
      // Its time goes with it.
      ASSERT_EQ(at<std::uint32_t>(destaggered, point(v) + 20),
                100'000u * static_cast<unsigned>(from));
    }
  }
}

TEST(PointCloud, OneAzimuthIsInOneColumnOnceDestaggered) {
  // A clockwise head of 360 columns of a degree; two lasers 3 degrees left and 2 right of it.
  const double offsets[] = {3, -2};
  const SweepSource source = source_of(2, 360, {{"beamAzimuths_deg", std::vector<double>{3, -2}}});
  std::vector<BeamReturn> beams;
  for (int layer = 0; layer < 2; ++layer) {
    for (int column = 0; column < 360; ++column) {
      const double azimuth = std::remainder(180 - column + offsets[layer], 360.0);
      beams.push_back(return_at(layer, column, 0, 2, {azimuth == -180 ? 180 : azimuth, 0, 0}));
    }
  }
  const PointCloud cloud = cloud_of("velodyne", beams, source, true, true);
  for (std::size_t v = 0; v < 360; ++v) {
    ASSERT_EQ(at<float>(cloud, 22 * v), at<float>(cloud, 22 * (360 + v))) << v;
  }
}

TEST(PointCloud, OfSeveralReturnsAGridHasTheFirstAndARowHasAll) {
  std::vector<BeamReturn> beams{return_at(0, 0, 0, 9), return_at(0, 0, 0, 4)};
  beams[0].return_number = 2;
  beams[0].x = 9;
  beams[1].x = 4;
  const PointCloud grid = cloud_of("velodyne", beams, source_of(1, 1), true);
  ASSERT_EQ(grid.data.size(), 22u);
  EXPECT_EQ(at<float>(grid, 0), 4);
  const PointCloud row = cloud_of("velodyne", beams, source_of(1, 1));
  ASSERT_EQ(row.width, 2u);
  EXPECT_EQ(at<float>(row, 0), 4);
  EXPECT_EQ(at<float>(row, 22), 9);
}

TEST(PointCloud, NumbersThatDoNotFitAreRefusedAndCountsStayAtTheirEnds) {
  BeamReturn beam = return_at(0, 0, 0, 2);
  beam.ambient = 1e6f;
  EXPECT_EQ(at<std::uint16_t>(cloud_of("ouster", {beam}, source_of(1, 1)), 28), 65535);
  std::vector<BeamReturn> rows;
  for (int layer = 0; layer < 257; ++layer) rows.push_back(return_at(layer, 0, 0, 2));
  EXPECT_EQ(cloud_of("ouster", rows, source_of(257, 1)).height, 257u);
  EXPECT_EQ(
      message_of<std::invalid_argument>(
          [&] { cloud_of("ouster-legacy", rows, source_of(257, 1)); }),
      "lidar 'top' of robot 'car': 256 does not fit into the 8 bits of 'ring' in point format "
      "'ouster-legacy'");
}

TEST(PointCloud, WhatIsNotAFullGridIsRefused) {
  const auto error = [](std::vector<BeamReturn> beams, const SweepSource& source) {
    return message_of<std::invalid_argument>([&] { cloud_of("ouster", beams, source); });
  };
  EXPECT_THAT(error({beam_at(0, 0, 0)}, source_of(1, 2)), HasSubstr("layer 0, column 1: no beam"));
  EXPECT_THAT(error({beam_at(0, 2, 0)}, source_of(1, 2)), HasSubstr("outside of the image"));
  EXPECT_THAT(error({beam_at(1, 0, 0)}, source_of(1, 2)), HasSubstr("outside of the image"));
  EXPECT_THAT(error({beam_at(0, 0, 0)}, source_of(1, 1,
                                                  {{"beamAzimuths_deg", std::vector<double>{180.0}},
                                                   {"fieldOfView", 2.0}})),
              HasSubstr("(--stagger)"));
  EXPECT_THAT(message_of<std::invalid_argument>(
                  [] { shape_of(point_layout("velodyne"), std::nullopt, true); }),
              HasSubstr("(--organised)"));
}

TEST(PointCloud, TimesThatAreNoNumberDoNotCount) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PointCloud cloud = cloud_of(
      "ouster", {beam_at(0, 0, nan), beam_at(0, 1, 3.0), beam_at(0, 2, 3.5)}, source_of(1, 3));
  EXPECT_EQ(at<std::uint32_t>(cloud, 20), 0u);
  EXPECT_EQ(at<std::uint32_t>(cloud, 96 + 20), 500'000'000u);
  EXPECT_EQ(cloud.start_ns, 3'000'000'000);
}

}  // namespace
}  // namespace protobeam
