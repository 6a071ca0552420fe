// What a page is told, read back byte by byte.
#include "web/messages.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/web/read_bytes.h"

namespace protobeam::web {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kWorld = R"(
Solid { children [ Shape { geometry Box { size 9 9 1 } } ] }
Solid {
  name "ball" translation 1 2 3
  children [ Shape { geometry Sphere { } } PointLight { } ]
  boundingObject Sphere { } physics Physics { } linearVelocity 5 0 0
}
Robot { name "r" children [ LED { name "led" children [ Shape { appearance PBRAppearance { } geometry Box { } } ] } ] }
)";

class Messages : public testing::Test {
 protected:
  explicit Messages(const std::string& text = kWorld) : simulation_(world_.load(text)) {
    description_ = describe_scene(simulation_, 7);
    observer_.emplace(simulation_, *description_);
    file_ = make_world_file(description_, *state());
  }
  std::shared_ptr<const SceneState> state() { return observer_->state(simulation_); }

  WorldText world_;
  Simulation& simulation_;
  std::shared_ptr<const SceneDescription> description_;
  std::optional<SceneObserver> observer_;
  WorldFile file_;
};

TEST_F(Messages, SayWhichNodeOfTheFileMoves) {
  const auto message = nlohmann::json::parse(world_message(file_));
  EXPECT_EQ(message["load"], 7);
  EXPECT_THAT(message["names"], ElementsAre("ball"));
  const int ball = message["moving"]["ball"];
  const auto gltf = nlohmann::json::parse(file_.glb.substr(20, read<std::uint32_t>(file_.glb, 12)));
  std::map<std::string, nlohmann::json> nodes;
  for (const auto& node : gltf["nodes"]) {
    if (node.contains("name")) nodes[node["name"]] = node;
  }
  EXPECT_THAT(nodes.at("n" + std::to_string(ball))["translation"], ElementsAre(1, 2, 3));
  ASSERT_EQ(message["lamps"].size(), 1u);
  EXPECT_TRUE(nodes.contains("s" + message["lamps"][0].dump()));
  EXPECT_EQ(file_.items.size(), 4u) << "two Solids, the LED, and the lamp on the ball";
}

TEST_F(Messages, TellWhereThingsAreOnce) {
  Known known(file_);
  const std::string first = known.moment(file_, *state());
  EXPECT_EQ(read<std::uint32_t>(first, 0), 1u);
  EXPECT_EQ(read<std::uint32_t>(first, 4), 7u);
  EXPECT_EQ(read<double>(first, 8), 0);
  EXPECT_EQ(read<std::uint32_t>(first, 16), 4u);
  EXPECT_EQ(first.size(), 24 + 4 * 32u);
  EXPECT_EQ(read<std::uint32_t>(known.moment(file_, *state()), 16), 0u) << "nothing has moved";
  simulation_.step();
  const std::string second = known.moment(file_, *state());
  EXPECT_GT(read<double>(second, 8), 0);
  ASSERT_EQ(read<std::uint32_t>(second, 16), 2u) << "the ball and its lamp";
  const double x = 1 + 5 * simulation_.time();  // without gravity
  for (const std::size_t at : {24u, 56u}) EXPECT_NEAR(read<float>(second, at + 4), x, 1e-6);
  EXPECT_FLOAT_EQ(read<float>(second, 24 + 8), 2);
  EXPECT_FLOAT_EQ(read<float>(second, 24 + 28), 1) << "the quaternion's w";
}

TEST_F(Messages, TellTheLightOfLampsOnce) {
  Known known(file_);
  ASSERT_EQ(file_.lamps.size(), 1u);
  auto now = std::make_shared<SceneState>(*state());
  const auto dark = known.lamps(file_, *now);
  ASSERT_TRUE(dark);
  EXPECT_EQ(dark->size(), 32u);
  EXPECT_EQ(known.lamps(file_, *now), std::nullopt);
  now->emissions[file_.lamps[0].emitter] = {1, 0, 0};
  const auto red = known.lamps(file_, *now);
  ASSERT_TRUE(red);
  EXPECT_EQ(read<std::uint32_t>(*red, 0), 3u);
  EXPECT_EQ(read<std::uint32_t>(*red, 8), 1u);
  EXPECT_GT(read<float>(*red, 20), read<float>(*red, 24)) << "red more than green";
}

TEST_F(Messages, HavePointsOfASweepThatIsNew) {
  auto now = std::make_shared<SceneState>(*state());
  auto sweep = std::make_shared<Sweep>();
  sweep->number = 3;
  sweep->X_WS = Pose::translation({4, 5, 6});
  BeamReturn hit{};
  hit.x = 1.5F;
  hit.y = -2;
  hit.z = 0.25F;
  hit.ring = 9;
  hit.intensity = 0.5F;
  hit.return_number = 2;
  BeamReturn miss{};
  miss.x = miss.y = miss.z = std::numeric_limits<float>::infinity();
  sweep->returns = {hit, miss};
  now->sweeps = {sweep};
  Known known(file_);
  const auto message = known.sweep(file_, *now);
  ASSERT_TRUE(message);
  EXPECT_EQ(read<std::uint32_t>(*message, 0), 2u);
  EXPECT_EQ(read<std::uint32_t>(*message, 12), 1u) << "without the miss";
  EXPECT_EQ(read<float>(*message, 20), 5);
  EXPECT_EQ(read<float>(*message, 48), 1.5F);
  EXPECT_EQ(read<float>(*message, 56), 0.25F);
  EXPECT_EQ((read<std::array<std::uint8_t, 4>>(*message, 60)),
            (std::array<std::uint8_t, 4>{9, 128, 2, 0}));
  EXPECT_EQ(known.sweep(file_, *now), std::nullopt);
}

TEST_F(Messages, KeepWhatIsNowhereWhereItWas) {
  Known known(file_);
  known.moment(file_, *state());
  auto now = std::make_shared<SceneState>(*state());
  for (Pose& pose : now->groups) pose.p.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(read<std::uint32_t>(known.moment(file_, *now), 16), 0u);
}

class Pictures : public Messages {
 protected:
  Pictures()
      : Messages(R"(Robot { name "r" children [ Camera { name "eye" width 32 height 16 } ] }
Solid { translation 2 0 0 children [ Shape {
  appearance PBRAppearance { baseColor 0 0 0 emissiveColor 0 1 0 emissiveIntensity 9 } geometry Box { size 1 9 9 } } ] })") {
  }
};

TEST_F(Pictures, AreThoseOfTheNewestSampleOnce) {
  Known known(file_);
  EXPECT_TRUE(description_->devices[0].has_picture);
  EXPECT_EQ(nlohmann::json::parse(world_message(file_))["imagers"], true);
  observer_->record_pictures();
  EXPECT_EQ(known.picture(file_, *state()), std::nullopt) << "the camera is off";
  const Device& eye = device_named(simulation_, "r/eye");
  simulation_.enable(device_named(simulation_, "r/eye"), simulation_.model().basic_time_step);
  simulation_.step();
  EXPECT_EQ(known.picture(file_, *state()), std::nullopt) << "nobody has copied it";
  observer_->record_pictures();
  const auto shown = state();
  ASSERT_EQ(shown->pictures.size(), 1u);
  const DevicePicture& picture = *shown->pictures[0];
  EXPECT_EQ(picture.width, 32);
  EXPECT_EQ(picture.height, 16);
  const auto image = eye.data.subspan(eye.model->layout().find("image")->offset, 4 * 32 * 16);
  ASSERT_EQ(picture.pixels.size(), image.size());
  EXPECT_EQ(std::memcmp(picture.pixels.data(), image.data(), image.size()), 0);
  EXPECT_GT(picture.pixels[1], 200) << "green";
  const auto message = known.picture(file_, *shown);
  ASSERT_TRUE(message);
  EXPECT_EQ(read<std::uint32_t>(*message, 0), 4u);
  EXPECT_EQ(read<std::uint32_t>(*message, 12), 1u);
  EXPECT_EQ(read<std::uint32_t>(*message, 16) & 0xffffff, 0xffd8ffu) << "a JPEG begins";
  EXPECT_EQ(known.picture(file_, *shown), std::nullopt);
}

class FarAway : public Messages {
 protected:
  FarAway()
      : Messages(
            R"(Solid { name "post" translation 500000.5 0 0 children [ Shape { geometry Box { } } ] })") {
  }
};

TEST_F(FarAway, IsMeasuredFromNearby) {
  Known known(file_);
  EXPECT_NEAR(file_.origin.x(), 500000, 1);
  const std::string moment = known.moment(file_, *state());
  EXPECT_NEAR(read<float>(moment, 28) + file_.origin.x(), 500000.5, 1e-6);
}

}  // namespace
}  // namespace protobeam::web
