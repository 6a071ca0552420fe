// Linear equations whose unknowns have limits: impulses that push no harder than they may.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace protobeam::physics {

/// matrix x = wanted, as far as lower <= x <= upper allows: where x is at its lower limit, matrix x
/// may be more than is wanted, at the upper one less. The matrix is symmetric and positive
/// definite; then there is exactly one x.
struct BoxedSystem {
  /// Where an unknown is.
  enum class Place : char { kFree, kLower, kUpper };

  explicit BoxedSystem(int size);

  /// By block principal pivoting (Judice and Pires, "A block principal pivoting algorithm for
  /// large-scale strictly monotone linear complementarity problems", 1994). All are free at first,
  /// so that without a limit in reach this is the plain solution. Empty: numbers that are not
  /// finite, or a matrix that is nearly singular, so that rounding decides what is at its limit, or
  /// more exchanges than that.
  std::optional<Eigen::VectorXd> solve(int most_exchanges = 30) const;
  /// The same from `places`, which are those of the solution then: one of a system that differs
  /// little saves exchanges. Unchanged where there is none. What has no room between its limits has
  /// to start at one of them.
  std::optional<Eigen::VectorXd> solve_from(std::vector<Place>& places,
                                            int most_exchanges = 30) const;
  /// What the solution makes smallest, and 0 for x = 0: for impulses, the energy of the velocity
  /// that is still missing, but for a part that no x changes.
  double energy(const Eigen::VectorXd& x) const;
  /// Like solve(), but what is beyond a limit is put there and stays, whatever it wants later. This
  /// ends always, but may be worse than x = 0: see energy(). Numbers that are not finite give such.
  Eigen::VectorXd solve_cutting() const;

  Eigen::MatrixXd matrix;
  Eigen::VectorXd wanted, lower, upper;
};

}  // namespace protobeam::physics
