// Linear equations of which only some unknowns have limits: the others are eliminated once.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/boxed_system.h"

namespace protobeam::physics {

/// Of the unknowns without limits in a system like BoxedSystem's: whatever the limited ones are,
/// the others follow from them. The factors serve for all that is wanted later.
class SchurComplement {
 public:
  /// The lower triangle of a symmetric matrix that is positive definite, or nearly so: an unknown
  /// that only says again what those before it say stays 0. `limited` has rising indices.
  SchurComplement(Eigen::MatrixXd matrix, const std::vector<Eigen::Index>& limited);

  /// Of all unknowns. Changes what `rest` wants.
  void want(const Eigen::VectorXd& wanted);
  /// All unknowns, from those of `rest`.
  Eigen::VectorXd all(const Eigen::VectorXd& limited) const;
  /// BoxedSystem::energy() of all unknowns where `rest` has none: of those without limits alone.
  double energy_of_others() const;

  /// For those that have limits, in their order; its limits are the caller's.
  BoxedSystem rest;

 private:
  Eigen::Index others_ = 0;
  std::vector<Eigen::Index> order_;  ///< first the others, then the limited ones
  Eigen::MatrixXd factors_;          ///< columns of L D, below the diagonal
  Eigen::VectorXd inverse_;          ///< of D, or 0
  Eigen::VectorXd wanted_;           ///< of the others, in terms of those before them
};

}  // namespace protobeam::physics
