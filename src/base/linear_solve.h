// Decompositions of Eigen that run rarely, compiled once: their templates take a compiler many seconds.
#pragma once

#include <Eigen/Core>

namespace protobeam {

/// The shortest of all x with the least |A x - b|.
Eigen::VectorXd solve_least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// x with the least |A x - b|; where several have it, one of them.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// A = U diag(s) V^T; s descending.
struct SingularValues {
  Eigen::Matrix3d U, V;
  Eigen::Vector3d s;
};
SingularValues singular_values(const Eigen::Matrix3d& A);

}  // namespace protobeam
