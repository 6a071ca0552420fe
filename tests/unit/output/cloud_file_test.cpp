#include "output/cloud_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/temporary_folder.h"
#include "tests/unit/output/sweep.h"

namespace protobeam {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr int kLayers = 5, kColumns = 7;

struct Row {
  float x, y, z, intensity;
  unsigned ring;
  float time;
};

/// `start`: time of the first beam.
std::vector<Row> expected_rows(const std::vector<BeamReturn>& beams, double start = 0) {
  std::vector<Row> rows;
  for (const BeamReturn& b : beams) {
    if (std::isinf(b.range)) continue;
    rows.push_back({b.x, b.y, b.z, b.intensity, static_cast<unsigned>(b.layer),
                    static_cast<float>(b.time - start)});
  }
  return rows;
}

void expect_same(const std::vector<Row>& got, const std::vector<Row>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].x, expected[i].x);
    EXPECT_EQ(got[i].y, expected[i].y);
    EXPECT_EQ(got[i].z, expected[i].z);
    EXPECT_EQ(got[i].intensity, expected[i].intensity);
    EXPECT_EQ(got[i].ring, expected[i].ring);
    EXPECT_EQ(got[i].time, expected[i].time);
  }
}

/// Rows of 4 floats, one 16-bit integer, one float.
std::vector<Row> binary_rows(std::string_view bytes) {
  std::vector<Row> rows;
  EXPECT_EQ(bytes.size() % 22, 0u);
  for (; bytes.size() >= 22; bytes.remove_prefix(22)) {
    Row row{};
    std::uint16_t ring = 0;
    std::memcpy(&row, bytes.data(), 16);
    std::memcpy(&ring, bytes.data() + 16, 2);
    std::memcpy(&row.time, bytes.data() + 18, 4);
    row.ring = ring;
    rows.push_back(row);
  }
  return rows;
}

/// Keyword lines of a header up to and with the line that starts with `last`; moves `text` behind.
std::map<std::string, std::string> header(std::string_view& text, std::string_view last) {
  std::map<std::string, std::string> lines;
  while (!text.empty()) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(line.size() + 1);
    lines[line.substr(0, line.find(' '))] = line.substr(std::min(line.size(), line.find(' ') + 1));
    if (line.starts_with(last)) break;
  }
  return lines;
}

void write(const std::filesystem::path& path, CloudFormat format, int layers, int columns,
           const std::vector<BeamReturn>& beams, const Pose& X_WS = {}) {
  write_cloud(path, format, timed_sweep(beams, X_WS),
              {.robot = "car", .device = "top", .layers = layers, .columns = columns});
}

std::string written(CloudFormat format, const std::vector<BeamReturn>& beams, int layers = kLayers,
                    int columns = kColumns) {
  const TemporaryFolder folder;
  write(folder / "cloud", format, layers, columns, beams);
  return read_bytes(folder / "cloud");
}

TEST(CloudFile, PcdBinaryReadsBack) {
  const auto beams = awkward_sweep(kLayers, kColumns);
  const std::string bytes = written(CloudFormat::kPcdBinary, beams);
  std::string_view text = bytes;
  auto lines = header(text, "DATA");
  EXPECT_EQ(lines["VERSION"], "0.7");
  EXPECT_EQ(lines["FIELDS"], "x y z intensity ring time");
  EXPECT_EQ(lines["SIZE"], "4 4 4 4 2 4");
  EXPECT_EQ(lines["TYPE"], "F F F F U F");
  EXPECT_EQ(lines["WIDTH"], "23");  // 35 beams, 12 of them misses
  EXPECT_EQ(lines["POINTS"], "23");
  EXPECT_EQ(lines["DATA"], "binary");
  expect_same(binary_rows(text), expected_rows(beams));
}

TEST(CloudFile, PcdAsciiReadsBackBitForBit) {
  const auto beams = awkward_sweep(kLayers, kColumns);
  const std::string bytes = written(CloudFormat::kPcdAscii, beams);
  std::string_view text = bytes;
  EXPECT_EQ(header(text, "DATA")["DATA"], "ascii");
  std::istringstream in{std::string(text)};
  std::vector<Row> rows;
  for (Row r{}; in >> r.x >> r.y >> r.z >> r.intensity >> r.ring >> r.time;) rows.push_back(r);
  expect_same(rows, expected_rows(beams));
}

TEST(CloudFile, PlyReadsBack) {
  const auto beams = awkward_sweep(kLayers, kColumns);
  const std::string bytes = written(CloudFormat::kPly, beams);
  std::string_view text = bytes;
  ASSERT_TRUE(text.starts_with("ply\nformat binary_little_endian 1.0\ncomment lidar car/top\n"));
  const std::string head(text.substr(0, text.find("end_header\n") + 11));
  EXPECT_THAT(head,
              HasSubstr("property float x\nproperty float y\nproperty float z\nproperty float "
                        "intensity\nproperty ushort ring\nproperty float time\n"));
  text.remove_prefix(head.size());
  expect_same(binary_rows(text), expected_rows(beams));
}

TEST(CloudFile, CsvHasOneRowABeamAndMissesAsInf) {
  const auto beams = awkward_sweep(kLayers, kColumns);
  std::istringstream in(written(CloudFormat::kCsv, beams));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "layer,column,azimuth,elevation,range,x,y,z,time,intensity");
  for (const BeamReturn& b : beams) {
    ASSERT_TRUE(std::getline(in, line));
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 10u);
    EXPECT_EQ(std::stoi(cells[0]), b.layer);
    EXPECT_EQ(std::stoi(cells[1]), b.column);
    EXPECT_EQ(std::strtof(cells[2].c_str(), nullptr), b.azimuth);
    EXPECT_EQ(std::strtof(cells[3].c_str(), nullptr), b.elevation);
    if (std::isinf(b.range)) {
      for (int i = 4; i < 8; ++i) EXPECT_EQ(cells[i], "inf");
    } else {
      EXPECT_EQ(std::strtof(cells[4].c_str(), nullptr), b.range);
      EXPECT_EQ(std::strtof(cells[5].c_str(), nullptr), b.x);
      EXPECT_EQ(std::strtof(cells[6].c_str(), nullptr), b.y);
      EXPECT_EQ(std::strtof(cells[7].c_str(), nullptr), b.z);
    }
    EXPECT_EQ(std::strtof(cells[8].c_str(), nullptr), static_cast<float>(b.time));
    EXPECT_EQ(std::strtof(cells[9].c_str(), nullptr), b.intensity);
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST(CloudFile, NumbersInTextAreAsShortAsTheyCanBe) {
  const BeamReturn b{0, 0, 0.1f, 0, 2.5f, 0.3f, 1e-7f, -1, 0.032, 1};
  EXPECT_THAT(written(CloudFormat::kCsv, {b}, 1, 1),
              EndsWith("\n0,0,0.1,0,2.5,0.3,1e-07,-1,0.032,1\n"));
}

TEST(CloudFile, NpyIsAlignedAndReadsBack) {
  const auto beams = awkward_sweep(kLayers, kColumns);
  const std::string bytes = written(CloudFormat::kNpy, beams);
  ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t start =
      10u + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(bytes[start - 1], '\n');
  EXPECT_THAT(bytes.substr(10, start - 10),
              HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (23, 6), }"));
  ASSERT_EQ(bytes.size(), start + 23 * 24);
  std::vector<Row> rows;
  for (std::size_t at = start; at < bytes.size(); at += 24) {
    float v[6];
    std::memcpy(v, bytes.data() + at, sizeof v);
    rows.push_back({v[0], v[1], v[2], v[3], static_cast<unsigned>(v[4]), v[5]});
  }
  expect_same(rows, expected_rows(beams));
}

/// A sweep of 0.1 s after more than an hour of simulated time, in which float32 has steps of 0.24 ms.
std::vector<BeamReturn> late_sweep() {
  auto beams = awkward_sweep(1, 3000);
  for (std::size_t i = 0; i < beams.size(); ++i) {
    beams[i].time = 4000.05 + 0.1 * static_cast<double>(i) / 3000;
    if (std::isinf(beams[i].range)) beams[i].range = beams[i].x = beams[i].y = beams[i].z = 1;
  }
  return beams;
}

std::size_t distinct_times(const std::vector<Row>& rows) {
  std::set<float> times;
  for (const Row& row : rows) times.insert(row.time);
  return times.size();
}

TEST(CloudFile, TimesStayExactAfterAnHour) {
  const auto beams = late_sweep();
  for (const CloudFormat format : {CloudFormat::kPcdBinary, CloudFormat::kPly}) {
    const std::string bytes = written(format, beams, 1, 3000);
    const std::string last = format == CloudFormat::kPly ? "end_header\n" : "DATA binary\n";
    const auto rows = binary_rows(std::string_view(bytes).substr(bytes.find(last) + last.size()));
    expect_same(rows, expected_rows(beams, 4000.05));
    EXPECT_EQ(distinct_times(rows), 3000u);
    EXPECT_THAT(bytes.substr(0, bytes.find(last)), HasSubstr("sweep_start 4000.05\n"));
  }
  const std::string npy = written(CloudFormat::kNpy, beams, 1, 3000);
  std::vector<Row> rows;
  for (std::size_t at = npy.size() - 3000 * 24; at < npy.size(); at += 24) {
    float v[6];
    std::memcpy(v, npy.data() + at, sizeof v);
    rows.push_back({v[0], v[1], v[2], v[3], static_cast<unsigned>(v[4]), v[5]});
  }
  expect_same(rows, expected_rows(beams, 4000.05));
  // Text has the simulated time itself.
  std::istringstream csv(written(CloudFormat::kCsv, beams, 1, 3000));
  std::string line;
  std::getline(csv, line);
  for (const BeamReturn& beam : beams) {
    ASSERT_TRUE(std::getline(csv, line));
    for (int comma = 0; comma < 8; ++comma) line.erase(0, line.find(',') + 1);
    EXPECT_EQ(std::stod(line), beam.time);
  }
}

TEST(CloudFile, HeadersHaveWhereTheSensorWas) {
  const TemporaryFolder folder;
  const auto beams = late_sweep();
  TimedSweep sweep = timed_sweep(beams, Pose::translation({1.5, -2, 1e6 + 0.125}));
  sweep.X_WS_start = {Quat(0.5, 0.5, -0.5, 0.5), {0.1, 0, 2}};
  const SweepSource source{.robot = "my\ncar", .device = "top", .layers = 1, .columns = 3000};
  write_cloud(folder / "a.pcd", CloudFormat::kPcdBinary, sweep, source);
  const std::string head = read_bytes(folder / "a.pcd").substr(0, 600);
  const std::string half = "0.5 0.5 -0.5 0.5";  // w x y z
  EXPECT_THAT(head, HasSubstr("# lidar my car/top\n# sweep_start 4000.05\n"));
  EXPECT_THAT(head, HasSubstr("\n# pose_start 0.1 0 2 " + half + "\n"));
  EXPECT_THAT(head, HasSubstr("\n# pose_end 1.5 -2 1000000.125 1 0 0 0\n"));
  EXPECT_THAT(head, HasSubstr("\nVIEWPOINT 0.1 0 2 " + half + "\n"));
}

TEST(CloudFile, ASweepWithoutReturnsIsAnEmptyCloud) {
  std::vector<BeamReturn> beams(3);
  for (BeamReturn& b : beams) b.range = std::numeric_limits<float>::infinity();
  EXPECT_THAT(written(CloudFormat::kPcdBinary, beams, 1, 3), EndsWith("POINTS 0\nDATA binary\n"));
  EXPECT_THAT(written(CloudFormat::kNpy, beams, 1, 3), HasSubstr("(0, 6)"));
}

std::string write_error(const std::filesystem::path& path, CloudFormat format, int layers,
                        int columns, const std::vector<BeamReturn>& beams) {
  return message_of<std::runtime_error>([&] { write(path, format, layers, columns, beams); });
}

TEST(CloudFile, WhatCannotBeWrittenLeavesNothing) {
  const TemporaryFolder folder;
  const auto beams = awkward_sweep(kLayers, kColumns);
  const auto error = [&](const std::filesystem::path& path) {
    return write_error(path, CloudFormat::kPly, kLayers, kColumns, beams);
  };
  EXPECT_EQ(error("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_THAT(error(folder / "missing/a.ply"), EndsWith("a.ply: No such file or directory"));
  EXPECT_THAT(error(folder.path()), EndsWith("Is a directory"));
  EXPECT_TRUE(folder.empty());
}

TEST(CloudFile, AFileThatDoesNotFitLeavesTheOldOne) {
  const TemporaryFolder folder;
  const auto old = folder.write("a.csv", "old");
  const auto beams = awkward_sweep(40, 100);
  // The limit would stay with the process, so a child takes it; it answers by its exit status.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{20000, 20000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = write_error(old, CloudFormat::kCsv, 40, 100, beams);
    ::_exit(message == "cannot write " + old.string() + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_bytes(old), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(CloudFile, ALinkGoesOnPointingWhereItDid) {
  const TemporaryFolder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder / "link.csv");
  write(folder / "link.csv", CloudFormat::kCsv, 1, 1, awkward_sweep(1, 1));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_THAT(read_bytes(folder / "real.csv"), HasSubstr("layer,column"));
}

TEST(CloudFile, BeamsThatDoNotFillTheGridAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(write(folder / "a.csv", CloudFormat::kCsv, 2, 3, awkward_sweep(1, 3)),
               std::invalid_argument);
  EXPECT_TRUE(folder.empty());
}

TEST(CloudFormat, FollowsTheEndingOfTheName) {
  EXPECT_EQ(cloud_format("a.pcd", false), CloudFormat::kPcdBinary);
  EXPECT_EQ(cloud_format("a.pcd", true), CloudFormat::kPcdAscii);
  EXPECT_EQ(cloud_format("out.d/A.PLY", false), CloudFormat::kPly);
  EXPECT_EQ(cloud_format("a.csv", true), CloudFormat::kCsv);
  EXPECT_EQ(cloud_format("a.npy", false), CloudFormat::kNpy);
}

TEST(CloudFormat, UnknownEndingsListTheKnownOnes) {
  const auto error = [](const char* path, bool ascii) {
    return message_of<std::invalid_argument>([&] { cloud_format(path, ascii); });
  };
  for (const char* path : {"a.las", "a", "dir.pcd/a", ""}) {
    EXPECT_THAT(error(path, false), HasSubstr(".pcd, .ply, .csv or .npy")) << path;
  }
  EXPECT_THAT(error("a.ply", true), AllOf(HasSubstr("a.ply"), HasSubstr(".pcd or .csv")));
}

}  // namespace
}  // namespace protobeam
