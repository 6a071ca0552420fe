#include "output/record_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "output/topic_folder.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

TEST(RecordFile, ReplacesOrContinues) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.txt", "something longer that was there");
  {
    RecordFile file(path);
    file.add("1\n");
    file.add("2\n");
    file.finish();
  }
  EXPECT_EQ(read_bytes(path), "1\n2\n");
  {
    RecordFile file(path, RecordFile::Existing::kContinue);
    file.add("3\n");
  }
  EXPECT_EQ(read_bytes(path), "1\n2\n3\n");
}

TEST(RecordFile, CanBeReadWhileItGrows) {
  const TemporaryFolder folder;
  RecordFile file(folder / "a.txt");
  std::string all;
  for (int i = 0; i < 20000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    file.add(line);
    all += line;
  }
  const std::string read = read_bytes(folder / "a.txt");
  EXPECT_GT(read.size() + (64 << 10), all.size());
  EXPECT_THAT(all, StartsWith(read));
  EXPECT_THAT(read, EndsWith("\n"));
}

TEST(RecordFile, SaysWhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<std::runtime_error>([&] { RecordFile file(folder / "missing/a.txt"); }),
              EndsWith("missing/a.txt: No such file or directory"));
  RecordFile full("/dev/full");
  full.add("1\n");
  EXPECT_EQ(message_of<std::runtime_error>([&] { full.finish(); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_NO_THROW(full.finish());
}

// A limit of the process stands for the disk: the system writes as much as fits in, and then nothing.
TEST(RecordFile, EndsWithAWholeRecordWhenThereIsNoSpace) {
  const TemporaryFolder folder;
  const std::string record = "a record of 40 bytes, to count them bye\n";
  ASSERT_EQ(record.size(), 40u);
  for (const rlim_t limit : {100'000u, 100'010u, 30u, 0u}) {
    const auto path = folder / std::to_string(limit);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit bytes{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &bytes);
      RecordFile file(path);
      const std::string message = message_of<std::runtime_error>([&] {
        for (int i = 0; i < 3000; ++i) file.add(record);
        file.finish();
      });
      ::_exit(message == "cannot write " + path.string() + ": File too large" ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << limit;
    EXPECT_EQ(std::filesystem::file_size(path), limit / 40 * 40) << limit;
  }
}

TEST(TopicFolder, NamesFilesAfterTopics) {
  const TemporaryFolder folder;
  TopicFolder topics(folder / "a/b");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  EXPECT_EQ(topics.of({.name = "/car/odom"}), folder / "a/b/car_odom");
  EXPECT_EQ(topics.of({.name = "/car:odom"}), folder / "a/b/car_odom-2");
  folder.write("file", "");
  EXPECT_THAT(message_of<std::runtime_error>([&] { TopicFolder inside(folder / "file/a"); }),
              EndsWith("file/a: Not a directory"));
}

}  // namespace
}  // namespace protobeam
