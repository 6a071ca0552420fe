#include "physics/boxed_system.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace protobeam::physics {
namespace {

using At = BoxedSystem::Place;

// Exchanges of all that are wrong at once end quickly; if they go round in circles, one at a time
// does end (Murty).
constexpr int kPatience = 3;
// What an x at its limit may want beyond it: rounding, relative to what is wanted by all, and to
// the sums that cancel where rows that say the same twice push against each other.
constexpr double kRounding = 1e-10, kRoundingOfSums = 1e-14;

void solve_free(const BoxedSystem& system, const std::vector<At>& at, Eigen::VectorXd& x) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (at[i] == At::kFree)
      free.push_back(i);
    else
      x[i] = at[i] == At::kLower ? system.lower[i] : system.upper[i];
  }
  const auto count = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd matrix(count, count);
  Eigen::VectorXd wanted(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    wanted[i] = system.wanted[free[i]];
    for (Eigen::Index j = 0; j < x.size(); ++j)
      if (at[j] != At::kFree) wanted[i] -= system.matrix(free[i], j) * x[j];
    for (Eigen::Index j = 0; j < count; ++j) matrix(i, j) = system.matrix(free[i], free[j]);
  }
  const Eigen::VectorXd solved = matrix.ldlt().solve(wanted);
  for (Eigen::Index i = 0; i < count; ++i) x[free[i]] = solved[i];
}

/// From where `at` puts them; where they belong then, if it is found.
std::optional<Eigen::VectorXd> exchange(const BoxedSystem& system, std::vector<At>& at,
                                        int most_exchanges) {
  const Eigen::Index n = system.wanted.size();
  Eigen::VectorXd x(n);
  const double smallest = kRounding * (n > 0 ? system.wanted.cwiseAbs().maxCoeff() : 0);
  auto fewest = n + 1;
  int patience = kPatience;
  for (int k = 0; k < most_exchanges; ++k) {
    solve_free(system, at, x);
    if (!x.allFinite()) return {};
    std::vector<std::pair<Eigen::Index, At>> wrong;  // and where it belongs
    for (Eigen::Index i = 0; i < n; ++i) {
      if (at[i] == At::kFree) {
        if (x[i] < system.lower[i]) wrong.emplace_back(i, At::kLower);
        if (x[i] > system.upper[i]) wrong.emplace_back(i, At::kUpper);
      } else if (system.lower[i] < system.upper[i]) {
        const double missing = system.wanted[i] - system.matrix.row(i).dot(x);
        const double sums = system.matrix.col(i).cwiseAbs().dot(x.cwiseAbs());
        const double rounding = std::max(smallest, kRoundingOfSums * sums);
        if (at[i] == At::kLower ? missing > rounding : missing < -rounding)
          wrong.emplace_back(i, At::kFree);
      }
    }
    const auto count = static_cast<Eigen::Index>(wrong.size());
    if (count == 0) return x;
    if (count < fewest) {
      fewest = count;
      patience = kPatience;
    } else if (patience > 0) {
      --patience;
    } else {
      wrong.erase(wrong.begin(), wrong.end() - 1);
    }
    for (const auto& [i, place] : wrong) at[i] = place;
  }
  return {};
}

std::vector<At> all_free(Eigen::Index count) {
  return std::vector<At>(static_cast<std::size_t>(count), At::kFree);
}

}  // namespace

BoxedSystem::BoxedSystem(int size) : matrix(size, size), wanted(size), lower(size), upper(size) {}

std::optional<Eigen::VectorXd> BoxedSystem::solve(int most_exchanges) const {
  std::vector<At> at = all_free(wanted.size());
  return exchange(*this, at, most_exchanges);
}

std::optional<Eigen::VectorXd> BoxedSystem::solve_from(std::vector<Place>& places,
                                                       int most_exchanges) const {
  std::vector<At> at = places;
  std::optional<Eigen::VectorXd> x = exchange(*this, at, most_exchanges);
  if (x) places = std::move(at);
  return x;
}

double BoxedSystem::energy(const Eigen::VectorXd& x) const {
  return 0.5 * x.dot(matrix * x) - wanted.dot(x);
}

Eigen::VectorXd BoxedSystem::solve_cutting() const {
  Eigen::VectorXd x(wanted.size());
  std::vector<At> at(static_cast<std::size_t>(x.size()), At::kFree);
  for (bool cut = true; cut;) {
    solve_free(*this, at, x);
    cut = false;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (at[i] != At::kFree || (x[i] >= lower[i] && x[i] <= upper[i]) || !std::isfinite(x[i]))
        continue;
      at[i] = x[i] < lower[i] ? At::kLower : At::kUpper;
      cut = true;
    }
  }
  return x;
}

}  // namespace protobeam::physics
