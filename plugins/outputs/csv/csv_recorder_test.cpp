// That other programs read the tables: tests/interop/read_tables.py.
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

using testing::EndsWith;
using testing::StartsWith;

std::unique_ptr<MessageSink> table_recorder(const std::filesystem::path& folder) {
  return make_sink("CsvRecorder", {{"folder", quoted(folder)}});
}

message::TwistStamped twist(std::int64_t ns, double speed) {
  message::TwistStamped made;
  made.header.stamp = message::time_of(ns);
  made.header.frame_id = "base_link";
  made.twist.linear.x = speed;
  return made;
}

message::JointState joints(std::vector<std::string> names) {
  message::JointState made;
  for (std::size_t i = 0; i < names.size(); ++i) made.position.push_back(0.5 * static_cast<double>(i));
  made.name = std::move(names);
  return made;
}

TEST(CsvRecorder, NamesColumnsAfterFields) {
  const TemporaryFolder folder;
  const auto sink = table_recorder(folder / "out");
  Feeder feed(*sink);
  feed.write("/car/twist", 12'350'000'000, twist(12'345'678'900, 1.0 / 3));
  feed.write("/car/twist", 13'000'000'000, twist(13'000'000'000, -2));
  sink->finish();
  EXPECT_EQ(read_bytes(folder / "out/car_twist.csv"),
            "time,header.stamp,header.frame_id,twist.linear.x,twist.linear.y,twist.linear.z,"
            "twist.angular.x,twist.angular.y,twist.angular.z\n"
            "12.35,12.3456789,base_link,0.3333333333333333,0,0,0,0,0\n"
            "13,13,base_link,-2,0,0,0,0,0\n");
  EXPECT_EQ(sink->text(), "wrote " + (folder / "out").string() + ": 1 files, 2 rows");
}

TEST(CsvRecorder, AddsColumnsForSequencesThatGrow) {
  const TemporaryFolder folder;
  const auto sink = table_recorder(folder.path());
  Feeder feed(*sink);
  feed.write("/joints", 0, joints({"a \"b\",\nc"}));
  feed.write("/joints", 1'000'000'000, joints({}));
  feed.write("/joints", 2'000'000'000, joints({"d", "e"}));
  feed.write("/joints", 3'000'000'000, joints({"f"}));
  sink->finish();
  EXPECT_EQ(read_bytes(folder / "joints.csv"),
            "time,header.stamp,header.frame_id,name[0],position[0],name[1],position[1]\n"
            "0,0,,\"a \"\"b\"\",\nc\",0,,\n"
            "1,0,,,,,\n"
            "2,0,,d,0,e,0.5\n"
            "3,0,,f,0,,\n");
}

TEST(CsvRecorder, AddsColumnsToATableOfManyBlocks) {
  const TemporaryFolder folder;
  const auto sink = table_recorder(folder.path());
  Feeder feed(*sink);
  const std::string name(1000, '"');  // doubled, and across the ends of blocks
  constexpr int kRows = 2000;
  for (int i = 0; i < kRows; ++i) feed.write("/joints", i, joints({name}));
  feed.write("/joints", kRows, joints({"x", "y"}));
  sink->finish();
  const std::string table = read_bytes(folder / "joints.csv");
  EXPECT_EQ(std::ranges::count(table, '\n'), kRows + 2);
  const std::string row = ",0,,\"" + std::string(2000, '"') + "\",0,,\n";
  std::size_t rows = 0;
  for (std::size_t at = table.find(row); at != std::string::npos; at = table.find(row, at + 1)) ++rows;
  EXPECT_EQ(rows, static_cast<std::size_t>(kRows));
}

TEST(CsvRecorder, LeavesOutWhatIsTooLargeForARow) {
  const TemporaryFolder folder;
  const auto sink = table_recorder(folder.path());
  Feeder feed(*sink);
  message::LaserScan scan;
  scan.ranges.resize(64);
  feed.write("/scan64", 0, scan);
  scan.ranges.resize(65);
  feed.write("/scan65", 0, scan);
  message::Image image;
  image.data.resize(640 * 480 * 3);
  feed.write("/image", 0, image);
  feed.write("/odom", 0, message::Odometry{});  // 72 numbers, but always as many
  sink->finish();
  EXPECT_THAT(read_bytes(folder / "scan64.csv"), StartsWith("time,"));
  EXPECT_THAT(read_bytes(folder / "odom.csv"), StartsWith("time,"));
  EXPECT_FALSE(std::filesystem::exists(folder / "scan65.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "image.csv"));
  EXPECT_EQ(sink->text(), "wrote " + folder.path().string() +
                              ": 2 files, 2 rows; too large for a table: /image, /scan65");
}

TEST(CsvRecorder, AFullDiskLeavesRowsThatAreWhole) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'003, 100'003};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto sink = table_recorder(folder.path());
    Feeder feed(*sink);
    const std::string message = message_of<std::runtime_error>([&] {
      for (int i = 0; i < 10'000; ++i) feed.write("/twist", i, twist(i, 0.1 * i));
    });
    sink->finish();
    ::_exit(message == "cannot write " + (folder / "twist.csv").string() + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const std::string table = read_bytes(folder / "twist.csv");
  EXPECT_GT(table.size(), 99'900u);
  EXPECT_THAT(table, EndsWith(",0,0,0,0,0\n"));
}

}  // namespace
}  // namespace protobeam
