#include "viewer/overlay/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace protobeam::viewer {
namespace {

TEST(Keys, EachKeyDoesOneThing) {
  std::set<int> seen;
  for (const Key& key : key_table()) {
    EXPECT_TRUE(seen.insert(key.symbol).second) << key.name;
  }
}

TEST(Keys, LettersAreFoundInEitherCase) {
  ASSERT_NE(find_key('c'), nullptr);
  EXPECT_EQ(find_key('c'), find_key('C'));
  EXPECT_EQ(find_key('c')->action, Action::kColor);
}

TEST(Keys, NumberPadZoomsLikeTheSigns) {
  constexpr int kPadPlus = 0xffab, kPadMinus = 0xffad;  // X11's XK_KP_Add, XK_KP_Subtract
  EXPECT_EQ(find_key(kPadPlus), find_key('+'));
  EXPECT_EQ(find_key(kPadMinus), find_key('-'));
}

TEST(Keys, LeavesKeysToControllers) {
  constexpr int kLeft = 0xff51, kUp = 0xff52, kPageDown = 0xff56, kEnd = 0xff57;
  for (const int symbol : {kLeft, kUp, kPageDown, kEnd, int{'a'}, int{'s'}, int{'d'}, int{'q'}}) {
    EXPECT_EQ(find_key(symbol), nullptr) << symbol;
  }
}

TEST(Keys, HelpNamesEveryKeyOnceAndJoinsThoseThatDoTheSame) {
  std::multiset<std::string> named;
  for (const HelpRow& row : help_rows()) {
    EXPECT_FALSE(row.group.empty() || row.keys.empty() || row.help.empty());
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t end = row.keys.find("  ", at);
      named.insert(row.keys.substr(at, end - at));
      at = end == std::string::npos ? end : end + 2;
    }
  }
  for (const Key& key : key_table()) EXPECT_EQ(named.count(key.name), 1u) << key.name;
  EXPECT_THAT(help_rows(), ::testing::Contains(::testing::Field(&HelpRow::keys, "1  2  5")));
}

}  // namespace
}  // namespace protobeam::viewer
