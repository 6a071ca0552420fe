// What is kept of a place's surroundings against looking anew at each question.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

using Found = std::vector<std::pair<BodyId, int>>;

/// Asks in two ways about a box around a point of a body that moves.
class Asker {
 public:
  Asker(const World& world, BodyId body) : world_(world), body_(body) {}

  Found known() { return ask(kept_); }
  Found anew() {
    Surroundings nothing;
    return ask(nothing);
  }

 private:
  Found ask(Surroundings& surroundings) {
    const Vec3 p_W = world_.pose(body_).p, half(0.6, 0.4, 0.5);
    std::vector<NearShape> shapes;
    world_.shapes_near(p_W - half, p_W + half, body_, surroundings, shapes);
    Found found;
    for (const NearShape& shape : shapes) found.emplace_back(shape.body, shape.shape);
    return found;
  }

  const World& world_;
  BodyId body_;
  Surroundings kept_;
};

BodySpec kinematic_box(const Vec3& p_W, const Vec3& v_W) {
  BodySpec spec = box("sled", 1, {0.4, 0.4, 0.4}, p_W);
  spec.motion = Motion::kKinematic;
  spec.v_WB = v_W;
  return spec;
}

/// A body that slides through `world` past whatever is there; `between` is called after each step.
void compare(World& world, const Vec3& v_W, int steps,
             const std::function<void(int)>& between = {}) {
  BodySpec spec = box("asker", 5, {0.5, 0.3, 0.3}, {0, 0, 0.15});
  spec.v_WB = v_W;
  const BodyId body = world.add_body(spec);
  Asker asker(world, body);
  std::size_t least = 1000, most = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (between) between(i);
    const Found anew = asker.anew();
    ASSERT_EQ(asker.known(), anew) << "step " << i;
    least = std::min(least, anew.size());
    most = std::max(most, anew.size());
  }
  EXPECT_GT(most, least);  // something came or went
}

struct SlipperyWorld : World {
  SlipperyWorld() : World(world_spec(0.01)) {
    set_contact_rule(0, 0, rule(0));
    add_body(ground());
  }
};

TEST(Surroundings, AreKnownWhileTheAskerMovesPastOthers) {
  SlipperyWorld world;
  for (int i = 1; i < 8; ++i) world.add_body(box("box", 2, {0.3, 0.3, 0.3}, {1.1 * i, 0.5, 0.15}));
  compare(world, {1.5, 0, 0}, 500);
}

TEST(Surroundings, AreKnownWhileOthersComeFast) {
  SlipperyWorld world;
  for (int i = 1; i < 8; ++i) {
    BodySpec spec = ball("ball", 0.1, 0.1, {2.0 * i, 0.45, 0.1});
    spec.v_WB = Vec3(-4, 0, 0);
    world.add_body(spec);
  }
  compare(world, {0, 0, 0}, 400);
}

TEST(Surroundings, AreKnownWhileSomethingKinematicPasses) {
  SlipperyWorld world;
  world.add_body(kinematic_box({-3, 0.5, 0.2}, {0.7, 0, 0}));
  compare(world, {0, 0, 0}, 800);
}

TEST(Surroundings, AreKnownWhenSomethingIsPutComesAndGoes) {
  SlipperyWorld world;
  const BodyId put = world.add_body(box("put", 2, {0.3, 0.3, 0.3}, {9, 9, 0.15}));
  BodySpec wall = ground();
  wall.shapes = {shape(Box{{0.2, 0.2, 0.2}})};
  wall.X_WB.p = {0.5, 0.4, 0.1};
  BodyId standing = kWorldBody;
  compare(world, {0, 0, 0}, 60, [&](int i) {
    if (i == 10) world.set_pose(put, Pose::translation({0.4, -0.3, 0.15}));
    if (i == 20) standing = world.add_body(wall);
    if (i == 30) world.set_pose(standing, Pose::translation({8, 0, 0.1}));
    if (i == 40) world.set_pose(standing, Pose::translation({0.5, 0.4, 0.1}));
    if (i == 50) world.remove(standing);
  });
}

}  // namespace
}  // namespace protobeam::physics
