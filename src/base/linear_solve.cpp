#include "base/linear_solve.h"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace protobeam {

Eigen::VectorXd solve_least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.colPivHouseholderQr().solve(b);
}

SingularValues singular_values(const Eigen::Matrix3d& A) {
  const Eigen::JacobiSVD<Eigen::Matrix3d, Eigen::NoQRPreconditioner> svd(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

}  // namespace protobeam
