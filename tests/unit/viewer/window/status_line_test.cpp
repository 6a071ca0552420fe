#include "viewer/window/status_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protobeam::viewer {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(StatusLine, SaysHowTheRunGoes) {
  StatusFacts facts;
  facts.time = 12.3456;
  facts.run.real_time_factor = 0.98;
  facts.run.speed = 2;
  facts.points = 1234567;
  facts.fps = 29.7;
  EXPECT_EQ(status_line(facts), "12.346 s   running 0.98x of 2x   1,234,567 points   30 fps");
  facts.points = 1;
  facts.run.speed = 0;
  EXPECT_EQ(status_line(facts), "12.346 s   running 0.98x, as fast as it can   1 point   30 fps");
  facts.run.paused = true;
  EXPECT_THAT(status_line(facts), HasSubstr("   pausing   "));
  facts.run.settled = true;
  EXPECT_THAT(status_line(facts), HasSubstr("   paused   "));
  facts.run.ended = true;
  EXPECT_THAT(status_line(facts), HasSubstr("the run is over"));
}

TEST(StatusLine, GroupsDigitsByThree) {
  StatusFacts facts;
  for (const auto& [points, text] : {std::pair<std::size_t, const char*>{0, " 0 points"},
                                     {999, " 999 points"},
                                     {1000, " 1,000 points"},
                                     {123456, " 123,456 points"}}) {
    facts.points = points;
    EXPECT_THAT(status_line(facts), HasSubstr(text));
  }
}

TEST(StatusLine, SaysWhoIsFollowedAndWhereKeysGo) {
  StatusFacts facts;
  EXPECT_THAT(status_line(facts), Not(HasSubstr("Tab")));
  facts.keys_to_controllers = true;
  facts.following = "rover";
  EXPECT_THAT(status_line(facts), HasSubstr("keys go to controllers (Tab: back)"));
  EXPECT_THAT(status_line(facts), HasSubstr("following rover"));
}

TEST(StatusLine, NamesControllersAndThoseInTroubleFirst) {
  StatusFacts facts;
  for (int i = 1; i <= 6; ++i) {
    ControllerReport report;
    report.robot = "robot " + std::to_string(i);
    report.running = report.started = true;
    facts.controllers.push_back(report);
  }
  facts.controllers[4].running = false;
  facts.controllers[4].failed = true;
  facts.controllers[4].what_happened = "was killed by signal 9 (SIGKILL)";
  EXPECT_THAT(status_line(facts),
              HasSubstr("robot 5: was killed by signal 9 (SIGKILL)   robot 1: running   "
                        "robot 2: running   robot 3: running   and 2 more"));
}

}  // namespace
}  // namespace protobeam::viewer
