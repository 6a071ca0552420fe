#include "base/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protobeam::wire {
namespace {

using ::testing::ElementsAre;

TEST(Wire, WhatIsWrittenIsRead) {
  Writer out;
  out.value(1.5);
  out.text("text");
  out.list<int>(std::vector<int>{1, 2, 3});
  out.count(2);
  out.items<float>(std::vector<float>{4, 5});
  out.value(true);
  const auto bytes = out.take();
  Reader in(bytes);
  EXPECT_EQ(in.value<double>(), 1.5);
  EXPECT_EQ(in.view(), "text");
  EXPECT_THAT(in.list<int>(), ElementsAre(1, 2, 3));
  std::vector<float> items(in.count(sizeof(float)));
  in.items(std::span<float>(items));
  EXPECT_THAT(items, ElementsAre(4, 5));
  EXPECT_TRUE(in.flag());
  EXPECT_TRUE(in.at_end());
  in.expect_end();
}

TEST(Wire, NothingIsReadPastTheEnd) {
  Writer out;
  out.list<double>(std::vector<double>{1, 2});
  const auto bytes = out.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Reader in{std::span(bytes).first(size)};
    EXPECT_THROW(in.list<double>(), BrokenMessage) << size;
  }
  Reader in(bytes);
  in.value<std::uint32_t>();
  EXPECT_THROW(in.expect_end(), BrokenMessage);
}

}  // namespace
}  // namespace protobeam::wire
