// What a bag holds is read by ROS's own programs: tests/interop/rosbag.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "message/std_msgs.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/output_plugin.h"

namespace protobeam {
namespace {

using testing::EndsWith;
using testing::MatchesRegex;
using testing::StartsWith;

message::Float64 number_message(double value) {
  message::Float64 message;
  message.data = value;
  return message;
}

std::string problem_with(const std::string& file) {
  return message_of<std::runtime_error>([&] { make_sink("BagRecorder", {{"file", quoted(file)}}); });
}

TEST(BagRecorder, WritesABagIntoANewFolder) {
  const TemporaryFolder folder;
  const std::string path = folder / "a/b/run.bag";
  const auto sink = make_sink("BagRecorder", {{"file", quoted(path)}});
  Feeder feed(*sink);
  feed.write("/speed", 0, number_message(1));
  feed.write("/speed", 1'000'000, number_message(2));
  sink->finish();
  EXPECT_THAT(sink->text(), MatchesRegex("wrote .*/a/b/run.bag: 2 messages, 0.0 MB"));
  EXPECT_THAT(read_bytes(path), StartsWith("#ROSBAG V2.0\n"));
  EXPECT_NO_THROW(sink->finish());
}

TEST(BagRecorder, GivesBackTheSpaceThatItTookAhead) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.bag";
  const auto sink = make_sink("BagRecorder", {{"file", quoted(path)}});
  const auto on_disk = [&path] {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return 512 * static_cast<std::uint64_t>(info.st_blocks);
  };
  Feeder(*sink).write("/speed", 0, number_message(1));
  EXPECT_GT(on_disk(), 4'000'000u);
  EXPECT_LT(std::filesystem::file_size(path), 10'000u);
  sink->finish();
  EXPECT_LT(on_disk(), 30'000u);
}

TEST(BagRecorder, ReplacesWhatIsThere) {
  const TemporaryFolder folder;
  const std::string path = folder.write("run.bag", std::string(100'000, 'x'));
  const auto sink = make_sink("BagRecorder", {{"file", quoted(path)}});
  sink->finish();
  EXPECT_LT(std::filesystem::file_size(path), 10'000u);
}

TEST(BagRecorder, SaysWhatCannotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_THAT(problem_with(folder / "file/run.bag"), EndsWith("file: Not a directory"));
  EXPECT_THAT(problem_with(folder.path()), EndsWith(": Is a directory"));
  EXPECT_EQ(problem_with("/dev/full"), "cannot write /dev/full: a bag has to be a file");
  EXPECT_EQ(message_of<std::invalid_argument>([] { make_sink("BagRecorder", {{"file", "\"\""}}); }),
            "field 'file' is empty");
}

}  // namespace
}  // namespace protobeam
