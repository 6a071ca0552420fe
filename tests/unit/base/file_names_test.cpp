#include "base/file_names.h"

#include <gtest/gtest.h>

#include <vector>

namespace protobeam {
namespace {

TEST(FileNames, KeepsWhatFilesMayHave) {
  FileNames names;
  EXPECT_EQ(names.of("lidar-2.front"), "lidar-2.front");
  EXPECT_EQ(names.of("car/lidar front:1"), "car_lidar_front_1");
  EXPECT_EQ(names.of("käfer"), "käfer");
  EXPECT_EQ(names.of(".."), "_..");
  EXPECT_EQ(names.of(""), "_");
  EXPECT_EQ(names.of(std::string(1000, 'a')).size(), 200u);
}

TEST(FileNames, NumbersWhatBecomesTheSame) {
  std::vector<std::string> notes;
  FileNames names([&notes](const std::string& note) { notes.push_back(note); });
  EXPECT_EQ(names.of("a/b"), "a_b");
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(names.of("a:b"), "a_b-2");
  EXPECT_EQ(names.of("a b"), "a_b-3");
  EXPECT_EQ(notes, (std::vector<std::string>{"the files of 'a:b' are named 'a_b-2': 'a_b' is taken",
                                             "the files of 'a b' are named 'a_b-3': 'a_b' is taken"}));
}

}  // namespace
}  // namespace protobeam
