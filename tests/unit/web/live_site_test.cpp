// What a page is told of a world that changes, and when.
#include "web/live_site.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/web/read_bytes.h"
#include "web/messages.h"

namespace protobeam::web {
namespace {

class ChangingSite : public testing::Test {
 protected:
  void SetUp() override {
    site_.emplace(bridge_);
    guest_ = site_->welcome("/live");
  }
  void show(int load) {
    const auto description = describe_scene(*simulation_, load);
    auto state = SceneObserver(*simulation_, *description).state(*simulation_);
    site_->show({std::make_shared<const WorldFile>(make_world_file(description, *state)),
                 std::move(state),
                 {}});
  }
  /// The worlds that the page is told of until there is nothing more, and how often where things
  /// are.
  std::vector<int> told() {
    std::vector<int> loads;
    moments_ = 0;
    while (const auto frame = guest_->next()) {
      if (!frame->text) {
        ++moments_;
        continue;
      }
      const auto message = nlohmann::json::parse(*frame->bytes);
      if (message["op"] == "world") loads.push_back(message["load"]);
    }
    return loads;
  }

  ViewerBridge bridge_{{}};
  WorldText world_;
  void load(const std::string& text) { simulation_ = &world_.load(text); }
  Simulation* simulation_ = &world_.load("Solid { children [ Shape { geometry Box { } } ] }");
  std::optional<LiveSite> site_;
  std::unique_ptr<Guest> guest_;
  int moments_ = 0;
};

TEST_F(ChangingSite, WaitsUntilThePageHasShownTheWorldBefore) {
  show(1);
  EXPECT_EQ(told(), std::vector{1});
  EXPECT_EQ(moments_, 1);
  show(2);
  show(3);
  EXPECT_TRUE(told().empty());
  EXPECT_EQ(moments_, 0) << "those are of another world";
  EXPECT_TRUE(site_->file("/world/1.glb")) << "it is being loaded";
  EXPECT_FALSE(site_->file("/world/2.glb"));
  guest_->receive(R"({"op": "shown", "value": 2})");
  EXPECT_TRUE(told().empty());
  guest_->receive(R"({"op": "shown", "value": 1})");
  EXPECT_EQ(told(), std::vector{3});
  EXPECT_EQ(moments_, 1);
  EXPECT_FALSE(site_->file("/world/1.glb"));
  EXPECT_TRUE(site_->file("/world/3.glb"));
}

TEST_F(ChangingSite, HasTimeForWhereThingsAreOnASlowLink) {
  load("Robot { name \"r\" controller \"<none>\" children [ Lidar { } ] }");
  const auto description = describe_scene(*simulation_, 1);
  SceneObserver observer(*simulation_, *description);
  const auto file = std::make_shared<const WorldFile>(
      make_world_file(description, *observer.state(*simulation_)));
  std::uint64_t number = 0;
  const auto show_next = [&] {
    simulation_->step();
    auto state = std::make_shared<SceneState>(*observer.state(*simulation_));
    auto sweep = std::make_shared<Sweep>();
    sweep->number = ++number;
    state->sweeps = {sweep};
    site_->show({file, state, {}});
  };
  /// Kinds of messages until there is nothing more, each of which takes so long to send.
  const auto sent = [&](std::chrono::milliseconds each) {
    std::vector<Kind> kinds;
    while (const auto frame = guest_->next()) {
      if (frame->text) continue;
      std::this_thread::sleep_for(each);
      kinds.push_back(static_cast<Kind>(read<std::uint32_t>(*frame->bytes, 0)));
    }
    return kinds;
  };
  using testing::Contains;
  using testing::Not;
  for (int i = 0; i < 3; ++i) {
    show_next();
    EXPECT_THAT(sent(std::chrono::milliseconds(20)), Contains(Kind::kSweep)) << "it is fast";
  }
  show_next();
  EXPECT_THAT(sent(std::chrono::milliseconds(300)), Contains(Kind::kSweep));
  const auto begin = std::chrono::steady_clock::now();
  show_next();
  const auto next = sent({});
  EXPECT_THAT(next, Contains(Kind::kMoment));
  EXPECT_THAT(next, Not(Contains(Kind::kSweep)));
  std::chrono::duration<double> waited{};
  for (bool came = false; !came && waited.count() < 10;) {
    show_next();
    came = std::ranges::count(sent({}), Kind::kSweep) > 0;
    waited = std::chrono::steady_clock::now() - begin;
  }
  EXPECT_GT(waited.count(), 0.7);
  EXPECT_LT(waited.count(), 8);
}

class SelectingSite : public ChangingSite {
 protected:
  /// The last panel that the page is told of until there is nothing more; null: none.
  nlohmann::json panel() {
    nlohmann::json last;
    while (const auto frame = guest_->next()) {
      if (!frame->text) continue;
      const auto message = nlohmann::json::parse(*frame->bytes);
      if (message["op"] == "panel") last = message;
    }
    return last;
  }
};

TEST_F(SelectingSite, SaysWhatAShapeIsAndFindsItAgain) {
  load(R"(
Solid { name "wall" children [ Shape { geometry Box { } } ] }
Solid { name "box" children [ Shape { geometry Box { } } Solid { name "lid" children [ Shape { geometry Box { } } ] } ] })");
  show(1);
  EXPECT_TRUE(panel()["name"].is_null());
  guest_->receive(R"({"op": "select", "value": 1})");
  const auto box = panel();
  EXPECT_EQ(box["name"], "box");
  EXPECT_EQ(box["rows"][0], (nlohmann::json{"type", "Solid"}));
  EXPECT_EQ(box["shapes"], (nlohmann::json{1, 2})) << "the lid, too";
  EXPECT_TRUE(panel().is_null()) << "nothing is new";
  for (const char* none : {"99", "-1", "null", "1.5", "\"box\"", "18446744073709551615"}) {
    guest_->receive(R"({"op": "select", "value": 1})");
    panel();
    guest_->receive(std::string(R"({"op": "select", "value": )") + none + "}");
    EXPECT_TRUE(panel()["name"].is_null()) << none;
  }
  guest_->receive(R"({"op": "select", "value": 1})");
  EXPECT_EQ(panel()["name"], "box");
  guest_->receive(R"({"op": "shown", "value": 1})");
  show(2);
  EXPECT_EQ(panel()["name"], "box") << "of the new world";
}

}  // namespace
}  // namespace protobeam::web
