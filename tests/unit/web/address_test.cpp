#include <gtest/gtest.h>

#include "web/server.h"

namespace protobeam::web {
namespace {

TEST(OwnPage, MayLookAndDrive) {
  EXPECT_TRUE(is_own_page("127.0.0.1:8090", "http://127.0.0.1:8090", true));
  EXPECT_TRUE(is_own_page("localhost:8090", "http://localhost:8090", true));
  EXPECT_TRUE(is_own_page("[::1]:8090", "http://[::1]:8090", true));
  EXPECT_TRUE(is_own_page("127.8.0.9:80", "http://127.8.0.9:80", true));
  EXPECT_TRUE(is_own_page("localhost", "", true)) << "no browser";
  EXPECT_TRUE(is_own_page("robot.lan:8090", "http://robot.lan:8090", false));
  EXPECT_TRUE(is_own_page("robot.lan", "https://robot.lan", false)) << "behind a proxy";
}

TEST(OwnPage, IsNotThatOfAnotherSite) {
  EXPECT_FALSE(is_own_page("127.0.0.1:8090", "http://evil.example", true));
  EXPECT_FALSE(is_own_page("127.0.0.1:8090", "null", true)) << "a file, or a frame in a sandbox";
  EXPECT_FALSE(is_own_page("robot.lan:8090", "http://127.0.0.1:8090", false));
  // A name of another site that leads here.
  EXPECT_FALSE(is_own_page("evil.example:8090", "http://evil.example:8090", true));
  EXPECT_FALSE(is_own_page("127.evil.example:8090", "http://127.evil.example:8090", true));
  EXPECT_FALSE(is_own_page("127.0.0.1.evil.example", "", true));
  EXPECT_FALSE(is_own_page("", "", true));
}

}  // namespace
}  // namespace protobeam::web
