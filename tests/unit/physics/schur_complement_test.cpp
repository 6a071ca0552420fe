#include "physics/schur_complement.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/rng.h"

namespace protobeam::physics {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * uniform({.seed = seed_}, drawn_++);
  }

 private:
  std::uint64_t seed_, drawn_ = 0;
};

/// Rows that differ in size by up to sqrt(ratio), half of them without limits.
BoxedSystem half_limited(std::uint64_t seed, int n, double ratio) {
  Draws draw(seed);
  BoxedSystem system(n);
  Eigen::MatrixXd factor(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) factor(i, j) = std::pow(ratio, 0.5 * i / n) * draw(-1, 1);
    system.wanted[i] = draw(-1, 1);
    const bool limited = draw(0, 1) < 0.5;
    system.lower[i] = limited ? draw(-0.5, 0) : -kUnbounded;
    system.upper[i] = limited ? draw(0, 0.5) : kUnbounded;
  }
  system.matrix = factor * factor.transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n);
  return system;
}

std::vector<Eigen::Index> limited_rows(const BoxedSystem& system) {
  std::vector<Eigen::Index> limited;
  for (Eigen::Index i = 0; i < system.wanted.size(); ++i)
    if (system.upper[i] < kUnbounded) limited.push_back(i);
  return limited;
}

SchurComplement complement_of(const BoxedSystem& system) {
  const std::vector<Eigen::Index> limited = limited_rows(system);
  SchurComplement complement(system.matrix, limited);
  complement.want(system.wanted);
  complement.rest.lower = system.lower(limited);
  complement.rest.upper = system.upper(limited);
  return complement;
}

TEST(SchurComplement, HasTheSolutionOfTheWholeSystem) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const int n = 1 + static_cast<int>(seed % 40);
    const BoxedSystem system = half_limited(seed, n, seed % 2 ? 1e6 : 1);
    SchurComplement complement = complement_of(system);
    const std::optional<Eigen::VectorXd> whole = system.solve(1000);
    const std::optional<Eigen::VectorXd> rest = complement.rest.solve(1000);
    ASSERT_TRUE(whole && rest) << seed;
    const double rounding = 1e-8 * (1 + whole->cwiseAbs().maxCoeff());
    EXPECT_LT((complement.all(*rest) - *whole).cwiseAbs().maxCoeff(), rounding) << seed;
  }
}

TEST(SchurComplement, ServesForAllThatIsWantedLater) {
  const BoxedSystem system = half_limited(7, 20, 100);
  SchurComplement complement = complement_of(system);
  const Eigen::VectorXd other = Eigen::VectorXd::LinSpaced(20, -1, 2);
  complement.want(other);
  const Eigen::VectorXd plain = system.matrix.fullPivLu().solve(other);
  const Eigen::VectorXd limited = complement.rest.matrix.fullPivLu().solve(complement.rest.wanted);
  EXPECT_LT((complement.all(limited) - plain).cwiseAbs().maxCoeff(), 1e-9);
  // And the lower triangle alone says it all.
  Eigen::MatrixXd lower = system.matrix;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  SchurComplement of_lower(lower, limited_rows(system));
  EXPECT_EQ(of_lower.rest.matrix, complement.rest.matrix);
}

TEST(SchurComplement, HasAllOrNoneOfTheUnknowns) {
  const BoxedSystem system = half_limited(3, 9, 1);
  const Eigen::VectorXd plain = system.matrix.fullPivLu().solve(system.wanted);
  SchurComplement none(system.matrix, {});
  none.want(system.wanted);
  EXPECT_EQ(none.rest.wanted.size(), 0);
  EXPECT_LT((none.all(Eigen::VectorXd(0)) - plain).cwiseAbs().maxCoeff(), 1e-9);
  SchurComplement all(system.matrix, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  all.want(system.wanted);
  EXPECT_EQ(all.rest.matrix, system.matrix);
  EXPECT_EQ(all.rest.wanted, system.wanted);
  EXPECT_EQ(all.all(plain), plain);
}

TEST(SchurComplement, AddsUpToTheEnergyOfTheWholeSystem) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const BoxedSystem system = half_limited(seed, 15, 100);
    SchurComplement complement = complement_of(system);
    Draws draw(seed + 1000);
    Eigen::VectorXd limited(complement.rest.wanted.size());
    for (double& each : limited) each = draw(-1, 1);
    const double energy = complement.rest.energy(limited) + complement.energy_of_others();
    EXPECT_NEAR(system.energy(complement.all(limited)), energy, 1e-8 * (1 + std::abs(energy)));
  }
}

TEST(SchurComplement, LeavesOutWhatOthersSayAlready) {
  // Two rows that are one, and a third that pushes what they hold.
  Eigen::MatrixXd matrix(3, 3);
  matrix << 4, 4, 2, 4, 4, 2, 2, 2, 3;
  SchurComplement complement(matrix, {2});
  complement.want(Eigen::Vector3d(8, 8, 1));
  EXPECT_DOUBLE_EQ(complement.rest.matrix(0, 0), 2);
  EXPECT_DOUBLE_EQ(complement.rest.wanted[0], -3);
  EXPECT_EQ(complement.all(Eigen::VectorXd::Zero(1)), Eigen::VectorXd(Eigen::Vector3d(2, 0, 0)));
}

/// Eighty rows that lock and rub what moves in six ways, as in loops of joints, and want it to move
/// in ways that differ by 1e-6: they push against each other far harder than at what they move.
TEST(SchurComplement, IsFoundWhereRowsSayTheSameManyTimes) {
  constexpr int kRows = 80, kMotions = 6;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draws draw(seed);
    Eigen::MatrixXd along(kRows, kMotions);
    Eigen::VectorXd motion(kMotions);
    for (int j = 0; j < kMotions; ++j) {
      motion[j] = draw(-0.01, 0.01);
      for (int i = 0; i < kRows; ++i) along(i, j) = draw(-1, 1) * std::pow(10, draw(0, 2));
    }
    BoxedSystem system(kRows);
    system.matrix = along * along.transpose();
    system.matrix.diagonal() *= 1 + 1e-12;
    system.wanted = along * motion;
    for (int i = 0; i < kRows; ++i) {
      system.wanted[i] += draw(-1e-6, 1e-6);
      system.upper[i] = i % 2 ? kUnbounded : i % 4 ? 1e-4 : 20;
      system.lower[i] = -system.upper[i];
    }
    EXPECT_TRUE(complement_of(system).rest.solve(300)) << seed;
  }
}

}  // namespace
}  // namespace protobeam::physics
