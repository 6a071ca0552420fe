#include "physics/schur_complement.h"

#include <algorithm>
#include <array>

namespace protobeam::physics {
namespace {

// What is left of a pivot that rounding alone makes, relative to what it was.
constexpr double kPivotRounding = 1e-14;

std::vector<Eigen::Index> limited_last(Eigen::Index count,
                                       const std::vector<Eigen::Index>& limited) {
  std::vector<Eigen::Index> order;
  auto next = limited.begin();
  for (Eigen::Index i = 0; i < count; ++i) {
    if (next != limited.end() && *next == i)
      ++next;
    else
      order.push_back(i);
  }
  order.insert(order.end(), limited.begin(), limited.end());
  return order;
}

}  // namespace

SchurComplement::SchurComplement(Eigen::MatrixXd matrix, const std::vector<Eigen::Index>& limited)
    : rest(static_cast<int>(limited.size())),
      others_(matrix.rows() - rest.wanted.size()),
      order_(limited_last(matrix.rows(), limited)),
      factors_(matrix.rows(), matrix.rows()),
      inverse_(others_),
      wanted_(others_) {
  const Eigen::Index n = matrix.rows();
  matrix.triangularView<Eigen::StrictlyUpper>() = matrix.transpose();
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j; i < n; ++i) factors_(i, j) = matrix(order_[i], order_[j]);
  // Column by column, each less what those before it explain. Bodies that share no joint make
  // zeros, which most rows of a chain are to each other. Four at a time spare memory traffic; the
  // order of the sums is that of one at a time.
  std::array<Eigen::Index, 4> before;
  std::array<double, 4> by;
  for (Eigen::Index j = 0; j < n; ++j) {
    auto column = factors_.col(j).tail(n - j);
    const double whole = column[0];
    const Eigen::Index last = std::min(j, others_);
    std::size_t held = 0;
    const auto subtract = [&] {
      const auto at = [&](std::size_t k) { return factors_.col(before[k]).tail(n - j); };
      if (held == 4)
        column = (((column - by[0] * at(0)) - by[1] * at(1)) - by[2] * at(2)) - by[3] * at(3);
      else
        for (std::size_t k = 0; k < held; ++k) column -= by[k] * at(k);
      held = 0;
    };
    for (Eigen::Index k = 0; k < last; ++k) {
      const double factor = factors_(j, k) * inverse_[k];
      if (factor == 0) continue;
      before[held] = k, by[held++] = factor;
      if (held == 4) subtract();
    }
    subtract();
    if (j < others_) inverse_[j] = column[0] > kPivotRounding * whole ? 1 / column[0] : 0;
  }
  const Eigen::Index m = n - others_;
  rest.matrix = factors_.bottomRightCorner(m, m);
  rest.matrix.triangularView<Eigen::StrictlyUpper>() = rest.matrix.transpose();
}

void SchurComplement::want(const Eigen::VectorXd& wanted) {
  Eigen::VectorXd left = wanted(order_);
  for (Eigen::Index k = 0; k < others_; ++k) {
    const Eigen::Index after = left.size() - k - 1;
    left.tail(after) -= (left[k] * inverse_[k]) * factors_.col(k).tail(after);
  }
  wanted_ = left.head(others_);
  rest.wanted = left.tail(rest.wanted.size());
}

Eigen::VectorXd SchurComplement::all(const Eigen::VectorXd& limited) const {
  Eigen::VectorXd x(factors_.rows());
  x.tail(limited.size()) = limited;
  for (Eigen::Index k = others_; k-- > 0;) {
    const Eigen::Index after = x.size() - k - 1;
    x[k] = inverse_[k] * (wanted_[k] - factors_.col(k).tail(after).dot(x.tail(after)));
  }
  Eigen::VectorXd result(x.size());
  result(order_) = x;
  return result;
}

double SchurComplement::energy_of_others() const {
  return -0.5 * wanted_.cwiseAbs2().dot(inverse_);
}

}  // namespace protobeam::physics
