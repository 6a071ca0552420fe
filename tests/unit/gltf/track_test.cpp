#include "gltf/track.h"

#include <gmock/gmock.h>

#include <cmath>

namespace protobeam::gltf {
namespace {

std::vector<float> times_of(const Track& track) {
  std::vector<float> out;
  for (const Track::Key& key : track.keys()) out.push_back(key.time);
  return out;
}

TEST(Track, HasNoKeysForWhatStandsStill) {
  Track track;
  track.add(0, {});
  EXPECT_FALSE(track.moves());
  for (const double time : {0.5, 1.0, 1.5}) track.add(time, {});
  EXPECT_FALSE(track.moves());
  // It stood until 1.5 s, and does not drift to its next place from 0 s on.
  track.add(2, Pose::translation({1, 0, 0}));
  EXPECT_TRUE(track.moves());
  EXPECT_THAT(times_of(track), testing::ElementsAre(0, 1.5F, 2));
  EXPECT_EQ(track.keys()[1].p, Eigen::Vector3f::Zero());
  track.add(2.5, Pose::translation({2, 0, 0}));
  EXPECT_THAT(times_of(track), testing::ElementsAre(0, 1.5F, 2, 2.5F));
}

TEST(Track, StaysWhereItWasWhenItIsAtNoPlaceAnyMore) {
  Track track;
  const double nan = std::nan("");
  track.add(0, Pose::translation({1, 0, 0}));
  track.add(1, Pose::translation({nan, 0, 0}));
  track.add(2, Pose::translation({1e300, 0, 0}));
  track.add(3, Pose::rotation(Quat(nan, 0, 0, 0)));
  EXPECT_FALSE(track.moves());
  ASSERT_EQ(track.keys().size(), 1u);
}

TEST(Track, IsThereUntilItGoes) {
  Track goes, comes;
  goes.show(2, false);
  comes.show(0, false);
  comes.show(1, true);
  const auto presences = [](const Track& track) {
    std::vector<std::pair<float, bool>> out;
    for (const Track::Presence& one : track.presences()) out.emplace_back(one.time, one.there);
    return out;
  };
  // Section 3.11 of glTF's specification: before the first key its value counts.
  using Times = std::vector<std::pair<float, bool>>;
  EXPECT_EQ(presences(goes), (Times{{0, true}, {2, false}}));
  EXPECT_EQ(presences(comes), (Times{{0, false}, {1, true}}));
}

TEST(Track, TurnsTheShortWay) {
  Track track;
  const Quat R = axis_angle(Vec3::UnitZ(), 0.1), next = axis_angle(Vec3::UnitZ(), 0.2);
  track.add(0, Pose::rotation(R));
  track.add(1, Pose::rotation(Quat(-next.w(), -next.x(), -next.y(), -next.z())));
  ASSERT_EQ(track.keys().size(), 2u);
  EXPECT_GT(track.keys()[0].R.dot(track.keys()[1].R), 0.9F);
}

}  // namespace
}  // namespace protobeam::gltf
