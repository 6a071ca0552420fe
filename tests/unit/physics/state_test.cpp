// A world that was saved goes on in another one, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/state_archive.h"
#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// Boxes that fall on each other and come to rest, one that leans on two others, and bodies of
/// several shapes.
std::unique_ptr<World> heap() {
  auto world = std::make_unique<World>(world_spec(0.016));
  world->set_contact_rule(0, 0, rule(0.6));
  world->add_body(ground());
  for (int i = 0; i < 12; ++i) {
    BodySpec one =
        box("box", 1 + 0.1 * i, {0.4, 0.5, 0.3}, {0.13 * (i % 3), 0.11 * (i % 4), 0.2 + 0.4 * i});
    if (i % 3 == 0) {
      CollisionShape second = one.shapes.front();
      second.X_BS.p += Vec3(0.3, 0, 0.1);
      one.shapes.push_back(second);
    }
    one.w_WB = {0.1 * i, -0.2, 0.05 * i};
    world->add_body(one);
  }
  return world;
}

std::vector<double> numbers(const World& world) {
  std::vector<double> all;
  for (BodyId body = 0; body < world.body_count(); ++body) {
    const Pose X = world.pose(body);
    const Vec3 v = world.velocity(body), w = world.angular_velocity(body);
    for (const double value : {X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w(), v.x(),
                               v.y(), v.z(), w.x(), w.y(), w.z()})
      all.push_back(value);
  }
  for (const Contact& contact : world.contacts()) {
    for (const double value : {contact.point_W.x(), contact.point_W.y(), contact.point_W.z(),
                               contact.depth, contact.impulse, contact.friction_W.norm()})
      all.push_back(value);
  }
  return all;
}

TEST(State, GoesOnWithTheSameBits) {
  for (const int before : {0, 1, 20, 70, 200}) {
    const auto one = heap(), other = heap();
    for (int i = 0; i < before; ++i) one->step();
    StateArchive saved;
    one->visit_state(saved);
    const std::vector<std::byte> bytes = saved.take();
    StateArchive restored(bytes);
    other->visit_state(restored);
    EXPECT_TRUE(restored.at_end());
    ASSERT_EQ(numbers(*one), numbers(*other)) << before;
    for (int i = 0; i < 250; ++i) {
      one->step();
      other->step();
      const auto a = numbers(*one), b = numbers(*other);
      ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0)
          << before << " + " << i << " steps";
    }
  }
}

// In the step of a bounce it has come away from what it touches.
TEST(State, OfWhatBouncesGoesOnAtAnyTime) {
  const auto court = [] {
    auto world = std::make_unique<World>(world_spec(0.016));
    world->set_contact_rule(0, 0, rule(0.6, 0.9));
    world->add_body(ground());
    for (int i = 0; i < 3; ++i) {
      BodySpec one = ball("ball", 1, 0.1, {1.0 * i, 0, 0.15 + 0.1 * i});
      one.v_WB = {0, 0, -1.0 - i};
      if (i == 2) one.shapes.push_back(shape(Sphere{0.1}, Pose::translation({0.1, 0, 0})));
      world->add_body(one);
    }
    return world;
  };
  const auto one = court();
  for (int before = 0; before < 60; ++before) {
    one->step();
    StateArchive saved;
    one->visit_state(saved);
    const std::vector<std::byte> bytes = saved.take();
    const auto there = court();
    StateArchive restored(bytes);
    there->visit_state(restored);
    const auto straight = court();
    for (int i = 0; i <= before; ++i) straight->step();
    for (int i = 0; i < 5; ++i) there->step(), straight->step();
    ASSERT_EQ(numbers(*there), numbers(*straight)) << before;
  }
}

TEST(State, OfAnotherWorldIsRefused) {
  const auto one = heap();
  StateArchive saved;
  one->visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  World other(world_spec(0.016));
  StateArchive restored(bytes);
  EXPECT_THROW(other.visit_state(restored), StateError);
}

// Whoever sends a state may have written any bytes, with their checksum.
TEST(State, OfAnyBytesIsRefusedOrGoesOnAndCanBeFreed) {
  const auto one = heap();
  for (int i = 0; i < 70; ++i) one->step();
  StateArchive saved;
  one->visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  const auto as_bytes = [](auto value) {
    std::vector<std::byte> out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
  };
  const std::vector<std::vector<std::byte>> values = {as_bytes(std::uint8_t{0}),
                                                      as_bytes(std::uint8_t{1}),
                                                      as_bytes(std::uint8_t{2}),
                                                      as_bytes(-1),
                                                      as_bytes(7),
                                                      as_bytes(std::int64_t{-1}),
                                                      as_bytes(std::int64_t{40}),
                                                      as_bytes(std::int64_t{1} << 62)};
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += at < 12000 ? 41 : 331) {
    for (const auto& value : values) {
      std::vector<std::byte> damaged = bytes;
      std::copy_n(value.begin(), std::min(value.size(), damaged.size() - at),
                  damaged.begin() + static_cast<std::ptrdiff_t>(at));
      const auto other = heap();
      StateArchive restored(damaged);
      try {
        other->visit_state(restored);
        for (int i = 0; i < 3; ++i) other->step();
      } catch (const StateError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(State, ThatEndsAnywhereIsRefusedAndTheWorldCanBeFreed) {
  const auto one = heap();
  for (int i = 0; i < 70; ++i) one->step();
  StateArchive saved;
  one->visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  for (std::size_t size = 0; size < bytes.size(); size += 37) {
    const auto other = heap();
    const std::span<const std::byte> begin(bytes.data(), size);
    StateArchive restored(begin);
    EXPECT_THROW(other->visit_state(restored), StateError) << size;
  }
}

}  // namespace
}  // namespace protobeam::physics
