#include "physics/boxed_system.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"

namespace protobeam::physics {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Rows that differ in size by up to sqrt(ratio), a third of the limits at infinity.
BoxedSystem random_system(std::uint64_t seed, int n, double ratio) {
  std::uint64_t drawn = 0;
  const auto draw = [&](double low, double high) {
    return low + (high - low) * uniform({.seed = seed}, drawn++);
  };
  BoxedSystem system(n);
  Eigen::MatrixXd factor(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) factor(i, j) = std::pow(ratio, 0.5 * i / n) * draw(-1, 1);
    system.wanted[i] = draw(-1, 1);
    system.lower[i] = draw(0, 1) < 0.33 ? -kNone : draw(-0.5, 0);
    system.upper[i] = draw(0, 1) < 0.33 ? kNone : draw(0, 0.5);
  }
  system.matrix = factor * factor.transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n);
  return system;
}

TEST(BoxedSystem, IsThePlainSolutionWithoutLimitsInReach) {
  BoxedSystem system = random_system(1, 12, 100);
  system.lower.setConstant(-kNone);
  system.upper.setConstant(kNone);
  const Eigen::VectorXd plain = system.matrix.fullPivLu().solve(system.wanted);
  EXPECT_LT((*system.solve() - plain).cwiseAbs().maxCoeff(), 1e-10 * plain.cwiseAbs().maxCoeff());
}

/// A force of at most 3 on the first of two blocks of mass 1 that touch, both to have speed 2: x is
/// the force and the push between them.
BoxedSystem two_blocks() {
  BoxedSystem system(2);
  system.matrix << 1, -1, -1, 2;
  system.wanted << 2, 0;
  system.lower << -3, 0;
  system.upper << 3, kNone;
  return system;
}

TEST(BoxedSystem, PushesTwoBlocksInARowNoHarderThanItMay) {
  BoxedSystem system = two_blocks();
  EXPECT_TRUE(system.solve()->isApprox(Eigen::Vector2d(3, 1.5)));
  system.upper[0] = 5;
  EXPECT_TRUE(system.solve()->isApprox(Eigen::Vector2d(4, 2)));
  // Pulled back, it leaves the other alone.
  system.wanted << -2, 0;
  EXPECT_TRUE(system.solve()->isApprox(Eigen::Vector2d(-2, 0)));
}

TEST(BoxedSystem, GivesEachUnknownWhatItWantsOrItsLimit) {
  int at_limits = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const int n = 1 + static_cast<int>(seed % 40);
    const BoxedSystem system = random_system(seed, n, seed % 2 ? 1e6 : 1);
    const auto solved = system.solve();
    ASSERT_TRUE(solved) << seed;
    const Eigen::VectorXd& x = *solved;
    const Eigen::VectorXd missing = system.wanted - system.matrix * x;
    for (int i = 0; i < n; ++i) {
      ASSERT_GE(x[i], system.lower[i]) << seed;
      ASSERT_LE(x[i], system.upper[i]) << seed;
      if (x[i] > system.lower[i]) {
        ASSERT_GT(missing[i], -1e-7) << seed;
      }
      if (x[i] < system.upper[i]) {
        ASSERT_LT(missing[i], 1e-7) << seed;
      }
      at_limits += x[i] == system.lower[i] || x[i] == system.upper[i];
    }
  }
  EXPECT_GT(at_limits, 2000);
}

TEST(BoxedSystem, FindsTheSameFromWhereAnotherSystemsUnknownsWere) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    BoxedSystem system = random_system(seed, 20, seed % 2 ? 1e6 : 1);
    std::vector<BoxedSystem::Place> places(20, BoxedSystem::Place::kFree);
    ASSERT_TRUE(system.solve_from(places)) << seed;
    system.wanted *= -0.5;
    const Eigen::VectorXd x = *system.solve();
    const auto again = system.solve_from(places);
    ASSERT_TRUE(again) << seed;
    EXPECT_LT((*again - x).cwiseAbs().maxCoeff(), 1e-9 * (1 + x.cwiseAbs().maxCoeff())) << seed;
    for (int i = 0; i < 20; ++i) {
      using Place = BoxedSystem::Place;
      if (places[i] == Place::kFree) continue;
      EXPECT_EQ((*again)[i], places[i] == Place::kLower ? system.lower[i] : system.upper[i]);
    }
    // Where they are at once, no exchange is needed.
    EXPECT_TRUE(system.solve_from(places, 1)) << seed;
  }
}

TEST(BoxedSystem, CutsToLimitsAndSolvesTheRest) {
  int cut = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const BoxedSystem system = random_system(seed, 20, seed % 2 ? 1e6 : 1);
    const Eigen::VectorXd x = system.solve_cutting();
    const Eigen::VectorXd missing = system.wanted - system.matrix * x;
    for (int i = 0; i < 20; ++i) {
      ASSERT_GE(x[i], system.lower[i]) << seed;
      ASSERT_LE(x[i], system.upper[i]) << seed;
      if (x[i] > system.lower[i] && x[i] < system.upper[i]) {
        ASSERT_NEAR(missing[i], 0, 1e-7) << seed;
      } else {
        ++cut;
      }
    }
  }
  EXPECT_GT(cut, 200);
  BoxedSystem none = random_system(4, 5, 1);
  none.wanted[1] = std::nan("");
  EXPECT_FALSE(none.solve_cutting().allFinite());
}

TEST(BoxedSystem, HasTheLeastEnergyWithinItsLimits) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const BoxedSystem system = random_system(seed, 20, seed % 2 ? 1e6 : 1);
    const Eigen::VectorXd x = *system.solve();
    EXPECT_LT(system.energy(x), 0) << seed;
    EXPECT_LE(system.energy(x), system.energy(system.solve_cutting()) + 1e-9) << seed;
  }
  EXPECT_EQ(two_blocks().energy(Eigen::Vector2d::Zero()), 0);
  EXPECT_EQ(two_blocks().energy(Eigen::Vector2d(3, 1.5)), 0.5 * (9 - 9 + 4.5) - 6);
}

TEST(BoxedSystem, KeepsWhatItsLimitsFix) {
  BoxedSystem system = random_system(3, 6, 1);
  system.lower[2] = system.upper[2] = 0.7;
  EXPECT_EQ((*system.solve())[2], 0.7);
}

TEST(BoxedSystem, HasNoSolutionOfNumbersThatAreNone) {
  EXPECT_EQ(BoxedSystem(0).solve()->size(), 0);
  BoxedSystem system = random_system(4, 5, 1);
  system.wanted[1] = std::nan("");
  EXPECT_FALSE(system.solve());
}

TEST(BoxedSystem, GivesUpAfterTheExchangesThatItMayMake) {
  BoxedSystem system = two_blocks();
  EXPECT_FALSE(system.solve(1)) << "the force must be found to be at its limit";
  EXPECT_TRUE(system.solve(2));
}

}  // namespace
}  // namespace protobeam::physics
