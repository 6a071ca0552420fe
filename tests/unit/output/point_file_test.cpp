#include "output/point_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/support/temporary_folder.h"
#include "tests/unit/output/points.h"
#include "tests/unit/output/sweep.h"

namespace protobeam {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What a reader that knows nothing but PCD 0.7 makes of a file.
struct Pcd {
  std::map<std::string, std::vector<std::string>> head;
  std::map<std::string, std::vector<double>> columns;
  std::size_t left_over = 0;  ///< bytes behind the last point

  explicit Pcd(const std::string& file) {
    std::istringstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string key;
      words >> key;
      for (std::string word; words >> word;) head[key].push_back(word);
      if (key == "DATA") break;
    }
    const std::size_t points = std::stoul(head["POINTS"][0]);
    EXPECT_EQ(points, std::stoul(head["WIDTH"][0]) * std::stoul(head["HEIGHT"][0]));
    if (head["DATA"][0] == "ascii") {
      for (std::size_t i = 0; i < points; ++i) {
        for (const std::string& name : head["FIELDS"]) {
          std::string word;
          in >> word;
          columns[name].push_back(std::strtod(word.c_str(), nullptr));
        }
      }
      in >> std::ws;
      left_over = file.size() - (in.eof() ? file.size() : static_cast<std::size_t>(in.tellg()));
      return;
    }
    std::size_t byte = static_cast<std::size_t>(in.tellg());
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t f = 0; f < head["FIELDS"].size(); ++f) {
        const std::size_t size = std::stoul(head["SIZE"][f]);
        for (std::size_t n = std::stoul(head["COUNT"][f]); n > 0; --n, byte += size) {
          columns[head["FIELDS"][f]].push_back(number(file.substr(byte, size), head["TYPE"][f]));
        }
      }
    }
    left_over = file.size() - byte;
  }

  static double number(const std::string& bytes, const std::string& type) {
    if (type == "F") {
      float value = 0;
      std::memcpy(&value, bytes.data(), 4);
      return value;
    }
    double value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      value = value * 256 + static_cast<unsigned char>(bytes[i]);
    }
    return value;
  }
};

std::string pcd_of(const char* format, bool ascii = false) {
  return pcd_file(point_layout(format), cloud_of(format, awkward_sweep(3, 4), source_of(3, 4)),
                  ascii);
}

TEST(PointFile, PcdNamesEveryByteOfAPoint) {
  Pcd legacy(pcd_of("ouster-legacy"));
  EXPECT_THAT(legacy.head["FIELDS"], ElementsAre("x", "y", "z", "_", "intensity", "t",
                                                 "reflectivity", "ambient", "range", "ring", "_"));
  EXPECT_THAT(legacy.head["SIZE"],
              ElementsAre("4", "4", "4", "1", "4", "4", "2", "2", "4", "1", "1"));
  EXPECT_THAT(legacy.head["TYPE"],
              ElementsAre("F", "F", "F", "U", "F", "U", "U", "U", "U", "U", "U"));
  EXPECT_THAT(legacy.head["COUNT"],
              ElementsAre("1", "1", "1", "4", "1", "1", "1", "1", "1", "1", "15"));
  Pcd newer(pcd_of("ouster"));
  EXPECT_THAT(newer.head["FIELDS"],
              ElementsAre("x", "y", "z", "_", "intensity", "t", "reflectivity", "ring", "ambient",
                          "_", "range", "_"));
  EXPECT_THAT(newer.head["COUNT"],
              ElementsAre("1", "1", "1", "4", "1", "1", "1", "1", "1", "2", "1", "12"));
  EXPECT_THAT(newer.head["WIDTH"], ElementsAre("4"));
  EXPECT_THAT(newer.head["HEIGHT"], ElementsAre("3"));
  EXPECT_EQ(newer.left_over, 0u);
}

TEST(PointFile, PcdReadsBackInEveryLayout) {
  const auto beams = awkward_sweep(3, 4);
  for (const char* format : {"xyz", "xyzi", "velodyne", "ouster", "ouster-2021", "ouster-legacy"}) {
    for (const bool ascii : {false, true}) {
      Pcd pcd(pcd_of(format, ascii));
      EXPECT_EQ(pcd.left_over, 0u) << format;
      const bool grid = pcd.head["HEIGHT"][0] == "3";
      const bool dropped = !grid;
      // awkward_sweep: every third beam is a miss. Velodyne's order is that of its columns.
      std::map<float, const BeamReturn*> by_x;
      std::size_t expected = 0;
      for (const BeamReturn& beam : beams) {
        if (dropped && std::isinf(beam.range)) continue;
        ++expected;
        if (std::isfinite(beam.range)) by_x[beam.x] = &beam;
      }
      ASSERT_EQ(pcd.columns["x"].size(), expected) << format;
      std::size_t found = 0;
      for (std::size_t i = 0; i < expected; ++i) {
        const auto beam = by_x.find(static_cast<float>(pcd.columns["x"][i]));
        if (std::isnan(pcd.columns["x"][i]) || (pcd.columns["z"][i] == 0 && grid)) continue;
        ASSERT_NE(beam, by_x.end()) << format << ' ' << i;
        ++found;
        EXPECT_EQ(static_cast<float>(pcd.columns["y"][i]), beam->second->y);
        EXPECT_EQ(static_cast<float>(pcd.columns["z"][i]), beam->second->z);
        if (pcd.columns.contains("range")) {
          EXPECT_EQ(pcd.columns["range"][i], std::round(1000.0 * beam->second->range));
          EXPECT_EQ(pcd.columns["ring"][i], beam->second->layer);
        }
      }
      EXPECT_EQ(found, by_x.size()) << format;
      EXPECT_EQ(pcd.columns.contains("_"), !ascii && grid) << format;
    }
  }
}

TEST(PointFile, LivoxPcdHasItsOddOffsets) {
  Pcd pcd(pcd_of("livox"));
  EXPECT_THAT(pcd.head["FIELDS"],
              ElementsAre("offset_time", "x", "y", "z", "reflectivity", "tag", "line"));
  EXPECT_THAT(pcd.head["SIZE"], ElementsAre("4", "4", "4", "4", "1", "1", "1"));
  ASSERT_EQ(pcd.columns["z"].size(), 12u);
  // The last beam of awkward_sweep, 11 ms after the first, at 11 1/3 m; there is but one laser.
  EXPECT_EQ(pcd.columns["offset_time"][11], 11'000'000);
  EXPECT_EQ(static_cast<float>(pcd.columns["y"][11]), -1.1f);
  EXPECT_EQ(pcd.columns["reflectivity"][11], 29);  // 255 * 11 / 97 = 28.9
  EXPECT_EQ(pcd.columns["tag"][11], 0x10);
  EXPECT_EQ(pcd.columns["line"][11], 0);
}

TEST(PointFile, PlyHasTheFieldsWithoutGaps) {
  const PointLayout& layout = point_layout("ouster-legacy");
  const PointCloud cloud = cloud_of("ouster-legacy", awkward_sweep(3, 4), source_of(3, 4));
  const std::string bytes = ply_file(layout, cloud);
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nelement vertex 12\nproperty float x\nproperty float "
      "y\nproperty float z\nproperty float intensity\nproperty uint t\nproperty ushort "
      "reflectivity\nproperty ushort ambient\nproperty uint range\nproperty uchar "
      "ring\nend_header\n";
  ASSERT_THAT(bytes, StartsWith(head));
  ASSERT_EQ(bytes.size(), head.size() + 12 * 29);  // 5 floats and integers, 2 shorts, 1 byte
  const std::size_t last = head.size() + 11 * 29;
  EXPECT_EQ(Pcd::number(bytes.substr(last + 16, 4), "U"), 11'000'000);
  EXPECT_EQ(Pcd::number(bytes.substr(last + 20, 2), "U"), 29);
  EXPECT_EQ(Pcd::number(bytes.substr(last + 24, 4), "U"), 11333);  // 11 1/3 m
  EXPECT_EQ(bytes.back(), 2);
}

TEST(PointFile, CsvAndNpyHaveColumnsOfTheirOwn) {
  const TemporaryFolder folder;
  for (const CloudFormat format : {CloudFormat::kCsv, CloudFormat::kNpy}) {
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { write_points(folder / "a", format, point_layout("xyz"), {}); }),
                HasSubstr(".pcd or .ply"));
  }
  EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace protobeam
