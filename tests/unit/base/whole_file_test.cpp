#include "base/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

int files_in(const TemporaryFolder& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder.path()), {}));
}

TEST(WholeFile, TheOldOneStaysUntilTheNewOneIsFinished) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.txt", "old");
  {
    WholeFile file(path);
    file.add("ne");
    file.add("w");
    EXPECT_EQ(read_bytes(path), "old");
    file.finish();
    EXPECT_EQ(read_bytes(path), "new");
  }
  EXPECT_EQ(files_in(folder), 1);
}

TEST(WholeFile, NothingIsLeftOfOneThatIsNotFinished) {
  const TemporaryFolder folder;
  { WholeFile(folder / "a.txt").add(std::string(3 << 20, 'x')); }
  EXPECT_TRUE(folder.empty());
}

TEST(WholeFile, LargeAndSmallPiecesStayInOrder) {
  const TemporaryFolder folder;
  const std::string large(3 << 20, 'x');
  WholeFile file(folder / "a.txt");
  file.add("begin");
  file.add(large);
  file.add("end");
  file.finish();
  EXPECT_EQ(read_bytes(folder / "a.txt"), "begin" + large + "end");
}

TEST(WholeFile, ALinkGoesOnPointingWhereItDid) {
  const TemporaryFolder folder;
  const auto target = folder.write("deep/target.txt", "old");
  fs::create_symlink(target, folder / "link.txt");
  write_whole_file(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_bytes(target), "new");
}

TEST(WholeFile, PipesAreWrittenDirectly) {
  const TemporaryFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_bytes(path); });
  write_whole_file(path, "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST(WholeFile, WhatIsWrongIsSaid) {
  const TemporaryFolder folder;
  const auto error = [](const fs::path& path) {
    return message_of<std::runtime_error>([&] { write_whole_file(path, "x"); });
  };
  EXPECT_EQ(error("/no/such/folder/a"),
            "cannot write /no/such/folder/a: No such file or directory");
  EXPECT_THAT(error(folder.path()), EndsWith("Is a directory"));
  EXPECT_EQ(error("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(folder.empty());
}

TEST(PartFile, HasNoNameUntilItIsFinished) {
  const TemporaryFolder folder;
  const auto target = folder / "a.mp4";
  {
    const PartFile part(target);
    std::ofstream(part.path()) << "x";  // as a program does that gets the path
  }
  EXPECT_TRUE(folder.empty());
  PartFile part(target);
  std::ofstream(part.path()) << "x";
  EXPECT_FALSE(fs::exists(target));
  EXPECT_EQ(part.finish(), 0);
  EXPECT_EQ(read_bytes(target), "x");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(PartFile, OfAKilledProgramNothingIsLeft) {
  const TemporaryFolder folder;
  const auto target = folder.write("a", "old");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    WholeFile file(target);
    file.add(std::string(3 << 20, 'x'));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files_in(folder), 1);
  EXPECT_EQ(read_bytes(target), "old");
}

TEST(ReadWholeFile, ReadsRegularFilesOfItsSizeOnly) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "12345");
  EXPECT_EQ(read_whole_file(path, 5), "12345");
  const auto error = [](const fs::path& file) {
    return message_of<std::runtime_error>([&] { read_whole_file(file, 4); });
  };
  EXPECT_THAT(error(path), HasSubstr("larger than 0 MiB"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error(folder / "pipe"), EndsWith("not a regular file"));
}

}  // namespace
}  // namespace protobeam
