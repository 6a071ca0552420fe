#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <iostream>

#include "tests/support/temporary_folder.h"
#include "viewer/settings.h"
#include "viewer/window/window.h"
#include "viewer/window/x_window.h"

namespace protobeam::viewer {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(WhyNoWindow, SaysThatNoDisplayIsSetAndWhatWorksWithoutOne) {
  ::unsetenv("DISPLAY");
  const std::string why = why_no_window();
  EXPECT_THAT(why, StartsWith("no window opens: no X display (DISPLAY is not set)"));
  EXPECT_THAT(why, HasSubstr("EGL"));
}

TEST(WhyNoWindow, NamesTheDisplayThatDoesNotAnswer) {
  ::setenv("DISPLAY", ":64321", 1);
  EXPECT_THAT(why_no_window(), HasSubstr("cannot connect to ':64321'"));
}

// OpenGL's drivers are looked for once a process.
TEST(WhyNoWindowDeathTest, SaysSoWhenThereIsNoEglEither) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::unsetenv("DISPLAY");
        ::setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1);
        std::cerr << why_no_window();
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "DISPLAY is not set.*and no EGL either");
}

TEST(Show, ThrowsNoGraphicsWithoutADisplay) {
  ::setenv("DISPLAY", ":64321", 1);
  ViewerBridge bridge({});
  EXPECT_THAT(message_of<NoGraphics>([&] { show(bridge, {}); }),
              HasSubstr("cannot connect to ':64321'"));
}

}  // namespace
}  // namespace protobeam::viewer
