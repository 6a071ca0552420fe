// The formats themselves: tests/unit/output/point_file_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "message/sensor_msgs.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/output_plugin.h"

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// Rows of xyz; the numbers of the points are their x.
message::PointCloud2 cloud(std::int64_t ns, std::uint32_t width, std::uint32_t height) {
  message::PointCloud2 made;
  made.header.stamp = message::time_of(ns);
  made.width = width;
  made.height = height;
  made.fields = {{"x", 0, 7, 1}, {"y", 4, 7, 1}, {"z", 8, 7, 1}};
  made.point_step = 12;
  made.row_step = 12 * width;
  made.data.resize(std::size_t{12} * width * height);
  for (std::size_t i = 0; i < std::size_t{width} * height; ++i) {
    const auto x = static_cast<float>(i);
    std::memcpy(made.data.data() + 12 * i, &x, sizeof x);
  }
  return made;
}

std::unique_ptr<MessageSink> cloud_recorder(const std::filesystem::path& folder,
                                            const char* format = "pcd") {
  return make_sink("CloudRecorder", {{"folder", quoted(folder)}, {"format", quoted(format)}});
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

TEST(CloudRecorder, NamesFilesAfterTopicAndStamp) {
  const TemporaryFolder folder;
  const auto sink = cloud_recorder(folder / "out");
  Feeder feed(*sink);
  feed.write("/car/points", 0, cloud(12'345'678'900, 4, 3));
  feed.write("/car/points", 1, cloud(1'234'567'000'000'000, 4, 3));
  feed.write("/rear/points", 2, cloud(0, 4, 3));
  feed.write("/rear/points", 3, cloud(0, 4, 3));
  feed.write("/imu", 4, message::Imu{});
  sink->finish();
  EXPECT_THAT(names_in(folder / "out"), ElementsAre("car_points", "rear_points"));
  EXPECT_THAT(names_in(folder / "out/car_points"),
              ElementsAre("000012.345678900.pcd", "1234567.000000000.pcd"));
  EXPECT_THAT(names_in(folder / "out/rear_points"),
              ElementsAre("000000.000000000-2.pcd", "000000.000000000.pcd"));
  EXPECT_EQ(sink->text(), "wrote " + (folder / "out").string() + ": 4 files");
}

TEST(CloudRecorder, KeepsFieldsWidthAndHeight) {
  const TemporaryFolder folder;
  for (const char* format : {"pcd", "pcd-ascii", "ply"}) {
    const auto sink = cloud_recorder(folder.path(), format);
    Feeder feed(*sink);
    feed.write(format, 0, cloud(0, 2, 2));
    feed.write(format, 0, cloud(1, 0, 1));
    sink->finish();
  }
  const std::string head =
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n"
      "COUNT 1 1 1\nWIDTH 2\nHEIGHT 2\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 4\nDATA ";
  EXPECT_EQ(read_bytes(folder / "pcd-ascii/000000.000000000.pcd"),
            head + "ascii\n0 0 0\n1 0 0\n2 0 0\n3 0 0\n");
  const auto data = cloud(0, 2, 2).data;
  EXPECT_EQ(read_bytes(folder / "pcd/000000.000000000.pcd"),
            head + "binary\n" + std::string(data.begin(), data.end()));
  EXPECT_THAT(read_bytes(folder / "ply/000000.000000000.ply"),
              EndsWith("obj_info num_cols 2\nobj_info num_rows 2\nelement vertex 4\nproperty float x\n"
                       "property float y\nproperty float z\nend_header\n" +
                       std::string(data.begin(), data.end())));
  EXPECT_THAT(read_bytes(folder / "pcd/000000.000000001.pcd"), EndsWith("POINTS 0\nDATA binary\n"));
}

TEST(CloudRecorder, AFullDiskLeavesTheFilesThatAreWhole) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto sink = cloud_recorder(folder.path());
    Feeder feed(*sink);
    feed.write("/points", 0, cloud(0, 1000, 1));
    const std::string message =
        message_of<std::runtime_error>([&] { feed.write("/points", 1, cloud(1, 10'000, 1)); });
    sink->finish();
    const std::string path = folder / "points/000000.000000001.pcd";
    ::_exit(message == "cannot write " + path + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_THAT(names_in(folder / "points"), ElementsAre("000000.000000000.pcd"));
}

TEST(CloudRecorder, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_THAT(message_of<std::runtime_error>([&] { cloud_recorder(folder / "file/clouds"); }),
              EndsWith("file/clouds: Not a directory"));
  const auto sink = cloud_recorder(folder.path());
  Feeder feed(*sink);
  auto broken = cloud(0, 4, 3);
  broken.data.resize(5);
  EXPECT_EQ(message_of<std::runtime_error>([&] { feed.write("/points", 0, broken); }),
            "cannot write the cloud of /points: 5 bytes are too few for 3 rows of 4 points");
}

}  // namespace
}  // namespace protobeam
