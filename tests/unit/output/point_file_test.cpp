#include "output/point_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "output/numbers.h"
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
  const PointCloud cloud = cloud_of(format, awkward_sweep(3, 4), source_of(3, 4));
  return pcd_file(table_of(point_layout(format), cloud), ascii);
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
  const std::string bytes = ply_file(table_of(layout, cloud));
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nobj_info num_cols 4\nobj_info num_rows 3\nelement vertex 12\nproperty float x\nproperty float "
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

/// Two rows of two points, with four bytes behind each row; every type that PointField knows, not in
/// the order of their offsets.
message::PointCloud2 message_of_all_types() {
  message::PointCloud2 cloud;
  cloud.height = cloud.width = 2;
  cloud.fields = {{"x", 0, 8, 1},  {"pair", 24, 3, 2}, {"i8", 8, 1, 1},  {"u8", 9, 2, 1},
                  {"u16", 10, 4, 1}, {"i32", 12, 5, 1},  {"u32", 16, 6, 1}, {"f32", 20, 7, 1}};
  cloud.point_step = 30;
  cloud.row_step = 64;
  cloud.data.assign(128, 0xee);
  const auto put = [&cloud]<class T>(std::size_t at, T value) {
    std::memcpy(cloud.data.data() + at, &value, sizeof value);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t at = i / 2 * 64 + i % 2 * 30;
    const auto n = static_cast<int>(i);
    put(at, 0.1 + n);
    put(at + 8, static_cast<std::int8_t>(-128 + n));
    put(at + 9, static_cast<std::uint8_t>(255 - n));
    put(at + 10, static_cast<std::uint16_t>(65535 - n));
    put(at + 12, INT32_MIN + n);
    put(at + 16, UINT32_MAX - static_cast<unsigned>(n));
    put(at + 20, 0.25f * static_cast<float>(n));
    put(at + 24, static_cast<std::int16_t>(-300 - n));
    put(at + 26, static_cast<std::int16_t>(300 + n));
  }
  return cloud;
}

TEST(PointFile, MessagesKeepTheirFields) {
  const message::PointCloud2 cloud = message_of_all_types();
  const std::string pcd = pcd_file(table_of(cloud), true);
  EXPECT_EQ(pcd,
            "# .PCD v0.7 - Point Cloud Data file format\n"
            "VERSION 0.7\n"
            "FIELDS x i8 u8 u16 i32 u32 f32 pair\n"
            "SIZE 8 1 1 2 4 4 4 2\n"
            "TYPE F I U U I U F I\n"
            "COUNT 1 1 1 1 1 1 1 2\n"
            "WIDTH 2\n"
            "HEIGHT 2\n"
            "VIEWPOINT 0 0 0 1 0 0 0\n"
            "POINTS 4\n"
            "DATA ascii\n"
            "0.1 -128 255 65535 -2147483648 4294967295 0 -300 300\n"
            "1.1 -127 254 65534 -2147483647 4294967294 0.25 -301 301\n"
            "2.1 -126 253 65533 -2147483646 4294967293 0.5 -302 302\n"
            "3.1 -125 252 65532 -2147483645 4294967292 0.75 -303 303\n");
  Pcd binary(pcd_file(table_of(cloud), false));
  EXPECT_THAT(binary.head["FIELDS"],
              ElementsAre("x", "i8", "u8", "u16", "i32", "u32", "f32", "pair", "_"));
  EXPECT_THAT(binary.head["COUNT"], ElementsAre("1", "1", "1", "1", "1", "1", "1", "2", "2"));
  EXPECT_THAT(binary.columns["u32"], ElementsAre(4294967295., 4294967294., 4294967293., 4294967292.));
  EXPECT_EQ(binary.left_over, 0u);

  const std::string ply = ply_file(table_of(cloud));
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nobj_info num_cols 2\nobj_info num_rows 2\nelement vertex "
      "4\nproperty double x\nproperty char i8\nproperty uchar u8\nproperty ushort u16\nproperty int "
      "i32\nproperty uint u32\nproperty float f32\nproperty short pair_0\nproperty short "
      "pair_1\nend_header\n";
  ASSERT_THAT(ply, StartsWith(head));
  ASSERT_EQ(ply.size(), head.size() + 4 * 28);
  EXPECT_EQ(Pcd::number(ply.substr(ply.size() - 2), "U"), 303);
}

TEST(PointFile, SaysWhatIsWrongWithAMessage) {
  const auto problem = [](const auto& change) {
    message::PointCloud2 cloud = message_of_all_types();
    change(cloud);
    return message_of<std::invalid_argument>([&] { pcd_file(table_of(cloud), false); });
  };
  EXPECT_EQ(problem([](auto& cloud) {}), "");
  // The last row may end with its last point.
  EXPECT_EQ(problem([](auto& cloud) { cloud.data.resize(124); }), "");
  EXPECT_EQ(problem([](auto& cloud) { cloud.data.resize(123); }),
            "123 bytes are too few for 2 rows of 2 points");
  EXPECT_THAT(problem([](auto& cloud) { cloud.row_step = 59; }), HasSubstr("too few for 2 rows"));
  EXPECT_THAT(problem([](auto& cloud) { cloud.width = UINT32_MAX; }), HasSubstr("too few"));
  EXPECT_THAT(problem([](auto& cloud) { cloud.height = UINT32_MAX; }), HasSubstr("too few"));
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields[1].offset = 27; }), "field 'pair' ends behind its point");
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields[1].count = UINT32_MAX; }),
            "field 'pair' ends behind its point");
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields[1].count = 0; }), "field 'pair' holds nothing");
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields[2].offset = 7; }), "fields 'x' and 'i8' overlap");
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields[0].datatype = 9; }), "field 'x' has the unknown type 9");
  EXPECT_EQ(problem([](auto& cloud) { cloud.is_bigendian = true; }), "its numbers are big-endian");
  EXPECT_THAT(problem([](auto& cloud) { cloud.fields[0].name = "x\nDATA"; }), HasSubstr("a name"));
  EXPECT_EQ(problem([](auto& cloud) { cloud.fields.clear(); }), "its points have no fields");
}

TEST(Seconds, AreExact) {
  const auto text = [](std::int64_t ns) {
    std::string out;
    append_seconds(out, ns);
    return out;
  };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(3'000'000'000), "3");
  EXPECT_EQ(text(12'345'678'900), "12.3456789");
  EXPECT_EQ(text(1), "0.000000001");
  EXPECT_EQ(text(-500'000'000), "-0.5");
  EXPECT_EQ(text(INT64_MIN), "-9223372036.854775808");
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

TEST(PointFile, NpyHasNamedColumnsAndLeavesGapsWithoutNames) {
  const PointCloud cloud = cloud_of("ouster", awkward_sweep(3, 4), source_of(3, 4));
  const std::string bytes = npy_file(table_of(point_layout("ouster"), cloud));
  const std::size_t start =
      10u + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(bytes.size(), start + 12 * 48);
  EXPECT_THAT(bytes.substr(10, start - 10),
              testing::StartsWith(
                  "{'descr': [('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('', '|V4'), ('intensity', "
                  "'<f4'), ('t', '<u4'), ('reflectivity', '<u2'), ('ring', '<u2'), ('ambient', '<u2'), "
                  "('', '|V2'), ('range', '<u4'), ('', '|V12')], 'fortran_order': False, 'shape': (12,), }"));
  EXPECT_EQ(bytes.substr(start),
            std::string(reinterpret_cast<const char*>(cloud.data.data()), cloud.data.size()));
}

TEST(PointFile, LabelsAndTimesAreColumns) {
  auto beams = awkward_sweep(1, 3);
  beams[0].label = 7u << 16 | 3;
  beams[2].label = 65535u << 16 | 65535;
  const PointCloud cloud = cloud_of("labelled", beams, source_of(1, 3));
  ASSERT_EQ(cloud.width, 2u);  // the second beam is a miss
  const auto number = [&](std::size_t at, int size) {
    std::uint32_t value = 0;
    std::memcpy(&value, cloud.data.data() + at, static_cast<std::size_t>(size));
    return value;
  };
  EXPECT_EQ(number(22, 4), 7u);
  EXPECT_EQ(number(26, 2), 3u);
  EXPECT_EQ(number(28 + 22, 4), 65535u);
  EXPECT_EQ(number(28 + 26, 2), 65535u);
}

}  // namespace
}  // namespace protobeam
