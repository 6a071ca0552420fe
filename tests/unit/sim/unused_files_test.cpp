// Files of meshes and pictures in a world in which things come and go: those of what is gone are
// not kept for ever.
#include <gtest/gtest.h>

#include <string>

#include "base/memory_budget.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

class UnusedFiles : public testing::Test {
 protected:
  void SetUp() override {
    simulation_ = &world_.load("");
    for (const char* name : {"a", "b", "c"}) write(name, 1);
  }
  void write(const std::string& name, double size) {
    world_.folder().write("worlds/" + name + ".obj",
                          fmt::format("v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}.{1}\n"
                                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                                      size, name[0] - 'a' + 1));
  }
  static std::string solid(const std::string& name) {
    return "Solid { boundingObject Mesh { url \"" + name + ".obj\" } }";
  }
  std::shared_ptr<const Geometry> come(const std::string& name) {
    Diagnostics diagnostics;
    added_ = simulation_->add_solid(solid(name), name, {}, diagnostics);
    EXPECT_GE(added_, 0) << diagnostics.to_string();
    return simulation_->model().collisions.back().geometry;
  }
  void go() { EXPECT_EQ(simulation_->remove_solid(added_), ""); }
  /// The first of what came and went, from outside.
  std::weak_ptr<const Geometry> pass(const std::string& name) {
    const std::weak_ptr<const Geometry> shape = come(name);
    go();
    return shape;
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
  int added_ = -1;
};

TEST_F(UnusedFiles, AreForgottenOnceSomethingElseHasLeft) {
  const auto a = pass("a"), b = pass("b"), c = pass("c");
  EXPECT_TRUE(a.expired());
  EXPECT_TRUE(b.expired());
  EXPECT_FALSE(c.expired());  // who comes and goes by itself is not read each time
  EXPECT_EQ(pass("c").lock(), c.lock());
}

TEST_F(UnusedFiles, StayWhileSomethingIsMadeOfThem) {
  const std::weak_ptr<const Geometry> kept = come("a");
  const int first = added_;
  pass("a");
  pass("b");
  pass("b");
  pass("c");
  write("a", 2);  // what has been read is not read again
  EXPECT_EQ(pass("a").lock(), kept.lock());
  added_ = first;
  go();
  pass("b");
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(bounds(*come("a")).max.x(), 2);
}

TEST_F(UnusedFiles, ThatAreNotThereAreToldEachTime) {
  world_.folder().write("worlds/broken.obj", "v 1 2");
  for (const std::string& text :
       {solid("none"), std::string("Solid { children [ CadShape { url \"none.dae\" } ] }"),
        std::string("Solid { children [ CadShape { url \"broken.obj\" } ] }")}) {
    for (int time = 0; time < 3; ++time) {
      Diagnostics diagnostics;
      EXPECT_EQ(simulation_->add_solid(text, "x", {}, diagnostics), -1) << text << time;
      EXPECT_EQ(diagnostics.error_count(), 1) << text << time;
    }
  }
}

/// What a test leaves of the memory for worlds.
class MemoryForWorlds {
 public:
  explicit MemoryForWorlds(double bytes) { set_memory_budget(bytes); }
  ~MemoryForWorlds() { set_memory_budget(default_memory_budget()); }
  MemoryForWorlds(const MemoryForWorlds&) = delete;
  MemoryForWorlds& operator=(const MemoryForWorlds&) = delete;
};

// Four triangles of a mesh are 2400 bytes of it.
TEST_F(UnusedFiles, GiveTheirMemoryBack) {
  const MemoryForWorlds few(4 * 2400);
  for (int time = 0; time < 4; ++time)
    for (const char* name : {"a", "b", "c"}) pass(name);
  Diagnostics diagnostics;
  for (const char* name : {"d", "e", "f"}) write(name, 1);
  for (const char* name : {"a", "b", "c", "d"}) come(name);
  EXPECT_EQ(simulation_->add_solid(solid("e"), "e", {}, diagnostics), -1);
  EXPECT_EQ(diagnostics.error_count(), 1);
}

// A grid of 10 x 10 is 1600 bytes.
TEST_F(UnusedFiles, TerrainTakesItsMemoryOnceHoweverOftenAWorldBeginsAgain) {
  const MemoryForWorlds few(4000);
  Simulation& simulation = world_.load(
      "Solid { boundingObject DEF G ElevationGrid { xDimension 10 yDimension 10 } "
      "children [ Shape { geometry USE G } ] }");
  for (int time = 0; time < 10; ++time) {
    simulation.reset_now(std::nullopt);
    ASSERT_EQ(simulation.model().collisions.size(), 1u) << time;
    ASSERT_EQ(simulation.model().visuals.size(), 1u) << time;
  }
}

}  // namespace
}  // namespace protobeam
