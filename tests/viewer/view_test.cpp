// A person at the window: keys and a mouse, and what the screen shows afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/unit/support/paths.h"
#include "tests/viewer/desktop.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Session;
using test::Shot;
using testing::HasSubstr;

class View : public testing::Test {
 protected:
  View() {
    fs::create_directory(folder_.path() / "worlds");
    fs::copy_file(fs::path(source_dir()) / "worlds/yard.wbt", yard());
    fs::create_directory_symlink(fs::path(source_dir()) / "protos", folder_.path() / "protos");
  }
  fs::path yard() const { return folder_.path() / "worlds/yard.wbt"; }
  test::Outcome view(const std::vector<std::string>& options,
                     const std::function<void(Session&)>& person) {
    std::vector<std::string> words = {"view", yard().string()};
    words.insert(words.end(), options.begin(), options.end());
    return test::run_with_person(desktop_, folder_.path() / "shots", words, person);
  }
  /// Rewrites the world's text.
  void edit(const std::string& from, const std::string& to) {
    std::ifstream in(yard());
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(yard()) << text;
  }
  /// Selects the thing at a place of the world by a click on it.
  static void select(Session& session, const std::array<double, 3>& p_W) {
    const auto at = session.shot().pixel(p_W);
    session.click(at[0], at[1]);
  }

  TemporaryFolder folder_;
  test::Desktop desktop_;
};

// Where worlds/yard.wbt has them.
constexpr std::array<double, 3> kRedBarrel = {-7.3, -3.4, 0.45}, kRover = {-13, -5, 0.3};

TEST_F(View, SpaceStopsTimeAndADotIsOneStep) {
  const auto done = view({}, [](Session& session) {
    const Shot running = session.shot_when([](const Shot& shot) { return shot.time() > 0.2; });
    EXPECT_FALSE(running.facts.at("paused"));
    EXPECT_GT(running.time(), 0.2);
    EXPECT_TRUE(running.says("rover: running")) << running.text();
    session.desktop().key("space");
    const Shot paused = session.shot_when([](const Shot& shot) { return shot.facts.at("paused"); });
    EXPECT_TRUE(paused.says("paused")) << paused.text();
    std::this_thread::sleep_for(300ms);
    const Shot still = session.shot();
    EXPECT_DOUBLE_EQ(still.time(), paused.time());
    // Nothing moved: the pictures differ by nothing but the numbers in the status line.
    auto world = test::whole(still.picture);
    world[1] = 60;
    world[3] -= 60;
    EXPECT_EQ(test::changed_pixels(paused.picture, still.picture, world), 0);
    session.desktop().key("period");
    const Shot stepped =
        session.shot_when([&](const Shot& shot) { return shot.time() > paused.time(); });
    EXPECT_NEAR(stepped.time(), paused.time() + 0.01, 1e-9);
    session.desktop().key("5");
    session.desktop().key("space");
    const Shot faster =
        session.shot_when([&](const Shot& shot) { return shot.time() > stepped.time() + 3; });
    EXPECT_GT(faster.time(), stepped.time() + 3);
    EXPECT_EQ(faster.facts.at("speed"), 5);
    EXPECT_FALSE(faster.facts.at("paused"));
  });
  EXPECT_EQ(done.exit, 130) << done.err;  // Ctrl-C at the end
}

void wait_past_a_second(Session& session) {
  const Shot late = session.shot_when([](const Shot& shot) { return shot.time() > 1.2; });
  EXPECT_GT(late.time(), 1.2);
}

TEST_F(View, SaysOnceWhenNoLidarIsEnabled) {
  edit("Rover {\n", "Rover {\n  controller \"<none>\"\n");
  const auto done = view({"--speed", "0"}, wait_past_a_second);
  const auto at = done.err.find("no lidar is enabled, so there are no points to show: 'rover/");
  ASSERT_NE(at, std::string::npos) << done.err;
  EXPECT_EQ(done.err.find("no lidar is enabled", at + 1), std::string::npos) << done.err;
}

TEST_F(View, SaysNothingOfLidarsThatAreEnabled) {
  const auto done = view({"--speed", "0"}, wait_past_a_second);
  EXPECT_EQ(done.err.find("no lidar is enabled"), std::string::npos) << done.err;
}

TEST_F(View, AClickSelectsWhatIsUnderItAndOnlyThatLightsUp) {
  view({"--paused"}, [](Session& session) {
    session.desktop().key("l");  // the cloud would lie over it
    const Shot before = session.shot();
    EXPECT_TRUE(before.facts.at("selection").is_null());
    const auto at = before.pixel(kRedBarrel);
    session.click(at[0], at[1]);
    const Shot after =
        session.shot_when([](const Shot& shot) { return !shot.facts.at("selection").is_null(); });
    ASSERT_EQ(after.facts.at("selection"), "barrel 2") << after.text();
    EXPECT_TRUE(after.says("barrel 2")) << after.text();
    EXPECT_TRUE(after.says("Barrel")) << after.text();       // its PROTO
    EXPECT_TRUE(after.says("never moves")) << after.text();  // it has no Physics
    EXPECT_TRUE(after.says("yard.wbt:")) << after.text();
    const auto box = after.facts.at("selection_pixels_box").get<std::array<double, 4>>();
    EXPECT_LT(box[0], at[0]);
    EXPECT_GT(box[2], at[0]);
    EXPECT_LT(box[1], at[1]);
    EXPECT_GT(box[3], at[1]);
    const std::array<double, 4> inside = {box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3};
    const int lit = test::changed_pixels(before.picture, after.picture, inside);
    EXPECT_GT(lit, 60);
    // Around it, in a frame twice as large, nothing changed.
    const double w = box[2] - box[0], h = box[3] - box[1];
    EXPECT_EQ(test::changed_pixels(before.picture, after.picture,
                                   {box[0] - w, box[1] - h, box[2] + w, box[3] + h}),
              lit);
    session.desktop().key("Escape");
    const Shot none =
        session.shot_when([](const Shot& shot) { return shot.facts.at("selection").is_null(); });
    EXPECT_FALSE(none.says("barrel 2")) << none.text();
    EXPECT_EQ(test::changed_pixels(before.picture, none.picture, inside), 0);
  });
}

TEST_F(View, FollowKeepsTheSelectionWhereItIsInThePicture) {
  view({"--paused"}, [](Session& session) {
    select(session, kRover);
    const Shot chosen =
        session.shot_when([](const Shot& shot) { return !shot.facts.at("selection").is_null(); });
    ASSERT_EQ(chosen.facts.at("selection"), "rover") << chosen.text();
    session.desktop().key("f");
    session.desktop().key("5");
    session.desktop().key("space");
    const Shot later = session.shot_when([](const Shot& shot) { return shot.time() > 4; });
    const auto middle = [](const Shot& shot) {
      const auto box = shot.facts.at("selection_pixels_box").get<std::array<double, 4>>();
      return std::array<double, 2>{(box[0] + box[2]) / 2, (box[1] + box[3]) / 2};
    };
    const auto camera = [](const Shot& shot) {
      const auto& v = shot.facts.at("camera").at("position");
      return Vec3(v.at(0), v.at(1), v.at(2));
    };
    EXPECT_GT((camera(later) - camera(chosen)).norm(), 1);  // the rover has driven metres
    EXPECT_NEAR(middle(later)[0], middle(chosen)[0], 25);
    EXPECT_NEAR(middle(later)[1], middle(chosen)[1], 25);
    EXPECT_TRUE(later.says("following")) << later.text();
  });
}

TEST_F(View, TheKeyCCyclesWhatColoursTheCloud) {
  view({}, [](Session& session) {
    session.shot_when([](const Shot& shot) { return shot.facts.at("points") > 1000; });
    session.desktop().key("space");
    Shot before = session.shot_when([](const Shot& shot) { return shot.facts.at("paused"); });
    EXPECT_GT(before.facts.at("points"), 1000);
    EXPECT_EQ(before.facts.at("colour"), "height");
    EXPECT_TRUE(before.says("height")) << before.text();
    for (const char* next : {"ring", "intensity", "return", "range"}) {
      session.desktop().key("c");
      const Shot after =
          session.shot_when([&](const Shot& shot) { return shot.facts.at("colour") == next; });
      ASSERT_EQ(after.facts.at("colour"), next);
      EXPECT_TRUE(after.says(next)) << after.text();  // the legend's title
      if (std::string(next) != "return") {  // one colour for all, as with intensity: none has any
        EXPECT_GT(test::changed_pixels(before.picture, after.picture, test::whole(after.picture)),
                  500)
            << next;
      }
      before = after;
    }
    EXPECT_TRUE(before.says("m")) << before.text();  // the legend's unit
  });
}

TEST_F(View, AMistakeInTheTextIsShownWhileTheOldWorldRunsOn) {
  view({}, [this](Session& session) {
    session.shot_when([](const Shot& shot) { return shot.time() > 0.3; });
    edit("Barrel { name \"barrel 1\"", "Barrel { nam \"barrel 1\"");
    session.desktop().key("r");
    const Shot wrong = session.shot_when([](const Shot& shot) { return shot.says("error:"); });
    EXPECT_TRUE(wrong.says("yard.wbt:")) << wrong.text();
    EXPECT_TRUE(wrong.says("nam")) << wrong.text();
    EXPECT_TRUE(wrong.says("did you mean 'name'?")) << wrong.text();
    const Shot later =
        session.shot_when([&](const Shot& shot) { return shot.time() > wrong.time() + 0.3; });
    EXPECT_GT(later.time(), wrong.time() + 0.3);
    EXPECT_TRUE(later.says("error:"));
    // Corrected, and with another colour, so that the reload shows.
    edit("Barrel { nam \"barrel 1\"", "Barrel { name \"barrel one\"");
    session.desktop().key("r");
    const Shot right = session.shot_when(
        [&](const Shot& shot) { return !shot.says("error:") && shot.time() < later.time(); });
    EXPECT_FALSE(right.says("error:")) << right.text();
    EXPECT_LT(right.time(), later.time());
    EXPECT_EQ(right.facts.at("camera").at("position"), wrong.facts.at("camera").at("position"));
    select(session, {-8, -3, 0.45});
    const Shot chosen =
        session.shot_when([](const Shot& shot) { return !shot.facts.at("selection").is_null(); });
    EXPECT_EQ(chosen.facts.at("selection"), "barrel one") << chosen.text();
  });
}

TEST_F(View, HelpListsTheKeysAndTheMouseMovesTheCamera) {
  view({"--paused"}, [](Session& session) {
    const Shot before = session.shot();
    session.desktop().key("h");
    const Shot help = session.shot_when([](const Shot& shot) { return shot.says("Space"); });
    for (const char* word : {"pause", "load the world again", "follow", "colour"}) {
      EXPECT_TRUE(help.says(word)) << word << "\n" << help.text();
    }
    session.desktop().key("h");
    session.shot_when([](const Shot& shot) { return !shot.says("load the world again"); });
    const auto distance = [](const Shot& shot) {
      const auto& c = shot.facts.at("camera");
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double d = double(c.at("position").at(i)) - double(c.at("target").at(i));
        sum += d * d;
      }
      return std::sqrt(sum);
    };
    session.drag(1, 640, 400, 120, 0);  // orbit: as far away as before
    const Shot turned = session.shot();
    EXPECT_NE(turned.facts.at("camera").at("position"), before.facts.at("camera").at("position"));
    EXPECT_NEAR(distance(turned), distance(before), 0.01 * distance(before));
    EXPECT_EQ(turned.facts.at("selection"), before.facts.at("selection"));  // no click
    session.desktop().xdotool({"click", "4"});                              // wheel: nearer
    const Shot nearer = session.shot();
    EXPECT_LT(distance(nearer), distance(turned));
    session.drag(3, 640, 400, 80, 0);  // pan: the target moves along
    const Shot panned = session.shot();
    EXPECT_NE(panned.facts.at("camera").at("target"), nearer.facts.at("camera").at("target"));
    EXPECT_NEAR(distance(panned), distance(nearer), 0.01 * distance(nearer));
  });
}

TEST_F(View, ArrowKeysDriveTheTeleopController) {
  edit("Rover {\n", "Rover {\n  controller \"teleop\"\n");
  view({}, [](Session& session) {
    select(session, kRover);
    const Shot before =
        session.shot_when([](const Shot& shot) { return !shot.facts.at("selection").is_null(); });
    ASSERT_EQ(before.facts.at("selection"), "rover") << before.text();
    std::this_thread::sleep_for(500ms);
    const auto box = [](const Shot& shot) {
      return shot.facts.at("selection_pixels_box").get<std::array<double, 4>>();
    };
    EXPECT_NEAR(box(session.shot())[0], box(before)[0], 2);  // it stands still
    const auto way = [&](const Shot& shot) {
      return std::hypot(box(shot)[0] - box(before)[0], box(shot)[1] - box(before)[1]);
    };
    session.desktop().xdotool({"keydown", "Up"});
    const Shot after = session.shot_when([&](const Shot& shot) { return way(shot) > 15; });
    session.desktop().xdotool({"keyup", "Up"});
    EXPECT_GT(way(after), 15);
  });
}

TEST_F(View, AWindowThatIsShrunkToNothingComesBack) {
  view({}, [](Session& session) {
    const std::string window = session.window();
    session.shot();
    session.desktop().xdotool({"windowsize", window, "1", "1"});
    std::this_thread::sleep_for(300ms);
    session.desktop().xdotool({"windowsize", window, "800", "500"});
    session.desktop().xdotool({"mousemove", "300", "300"});
    std::this_thread::sleep_for(300ms);
    const Shot back = session.shot();
    EXPECT_EQ(back.picture.width, 800);
    EXPECT_EQ(back.picture.height, 500);
    EXPECT_TRUE(back.says("rover: running")) << back.text();
  });
}

/// A run shown in a window that goes away in the middle.
test::Outcome run_and_lose(const test::Desktop& desktop, const fs::path& shots,
                           std::vector<std::string> options,
                           const std::function<void(Session&)>& lose) {
  std::vector<std::string> words = {"run", "worlds/yard.wbt", "--view", "--json"};
  words.insert(words.end(), options.begin(), options.end());
  return test::run_with_person(desktop, shots, words, [&](Session& session) {
    session.shot();
    lose(session);
    session.await_end();  // Ctrl-C comes when this returns
  });
}

TEST_F(View, ClosingTheWindowEndsTheRunWithItsSummary) {
  const auto done =
      run_and_lose(desktop_, folder_.path() / "shots", {"--duration", "1000", "--realtime"},
                   [](Session& session) { session.desktop().key("ctrl+q"); });
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("closed at"));
  EXPECT_LT(nlohmann::json::parse(done.out).at("sim_time_s"), 100);
}

TEST_F(View, WithKeepRunningTheRunGoesOnWithoutItsWindow) {
  const auto done = run_and_lose(desktop_, folder_.path() / "shots",
                                 {"--duration", "8", "--realtime", "--keep-running"},
                                 [](Session& session) { session.desktop().key("ctrl+q"); });
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(done.out).at("sim_time_s"), 8);
  const auto plain = test::protobeam({"run", "worlds/yard.wbt", "--duration", "8", "--json"});
  EXPECT_EQ(nlohmann::json::parse(done.out).at("state_hash"),
            nlohmann::json::parse(plain.out).at("state_hash"));
}

TEST_F(View, ResultsAreTheSameWithAndWithoutAWindow) {
  const auto shown =
      test::run_with_person(desktop_, folder_.path() / "shots",
                            {"run", "worlds/yard.wbt", "--view", "--duration", "3", "--json"},
                            [](Session& session) { session.await_end(); });
  ASSERT_EQ(shown.exit, 0) << shown.err;
  const auto plain = test::protobeam({"run", "worlds/yard.wbt", "--duration", "3", "--json"});
  EXPECT_EQ(nlohmann::json::parse(shown.out).at("state_hash"),
            nlohmann::json::parse(plain.out).at("state_hash"));
}

TEST(ViewWithoutADisplay, SaysSoInOneSentenceAndRunsOnWithoutTheOption) {
  for (const char* display : {"DISPLAY=", "DISPLAY=:98765"}) {
    const auto done = test::protobeam({"view", "worlds/yard.wbt"},
                                      {.environment = {display, "XAUTHORITY=/nonexistent"}});
    EXPECT_EQ(done.exit, 1);
    EXPECT_THAT(done.err, HasSubstr("display"));
    EXPECT_THAT(done.err, HasSubstr("snapshot"));
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  const auto nothing =
      test::protobeam({"run", "worlds/yard.wbt", "--view"},
                      {.environment = {"DISPLAY=", "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent"}});
  EXPECT_EQ(nothing.exit, 1);
  EXPECT_THAT(nothing.err, HasSubstr("DISPLAY"));
  EXPECT_THAT(nothing.err, HasSubstr("EGL"));
  EXPECT_EQ(std::count(nothing.err.begin(), nothing.err.end(), '\n'), 1) << nothing.err;
  const auto headless =
      test::protobeam({"run", "worlds/yard.wbt", "--duration", "0.1"},
                      {.environment = {"DISPLAY=", "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent"}});
  EXPECT_EQ(headless.exit, 0) << headless.err;
}

}  // namespace
}  // namespace protobeam
