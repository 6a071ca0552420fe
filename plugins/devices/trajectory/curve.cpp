#include "curve.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/turn.h"

namespace protobeam {
namespace {

/// Second derivatives at the rows of the cubic spline through them, by the Thomas algorithm. The
/// two ends follow from their neighbours, since the third derivative is the same on both sides of
/// the second and of the last but one row.
template <class Row>
std::vector<Row> second_derivatives(const std::vector<double>& t, const std::vector<Row>& y) {
  const std::size_t n = t.size();
  std::vector<Row> m(n, Row::Zero());
  if (n == 2) return m;
  const auto h = [&](std::size_t i) { return t[i + 1] - t[i]; };
  const auto slope = [&](std::size_t i) -> Row { return (y[i + 1] - y[i]) / h(i); };
  if (n == 3) {
    std::fill(m.begin(), m.end(), Row(2 * (slope(1) - slope(0)) / (h(0) + h(1))));
    return m;
  }
  const double first = h(0) / h(1), last = h(n - 2) / h(n - 3);
  std::vector<double> above(n);  // of the eliminated matrix
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double left = h(i - 1), middle = 2 * (h(i - 1) + h(i)), right = h(i);
    if (i == 1) {
      middle += left * (1 + first);
      right -= left * first;
      left = 0;
    }
    if (i + 2 == n) {
      const double outside = h(i);
      middle += outside * (1 + last);
      left -= outside * last;
      right = 0;
    }
    const Row rhs = 6 * (slope(i) - slope(i - 1));
    const double pivot = middle - left * above[i - 1];
    above[i] = right / pivot;
    m[i] = (rhs - left * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i-- > 1;) m[i] -= above[i] * m[i + 1];
  m[0] = (1 + first) * m[1] - first * m[2];
  m[n - 1] = (1 + last) * m[n - 2] - last * m[n - 3];
  return m;
}

Quat quaternion(const Eigen::Matrix<double, 7, 1>& row) { return {row[6], row[3], row[4], row[5]}; }

double binomial(int n, int k) {
  double out = 1;
  for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out;
}

double power(double base, int exponent) {
  double out = 1;
  for (int i = 0; i < exponent; ++i) out *= base;
  return out;
}

}  // namespace

PoseSpline::PoseSpline(std::vector<double> times, const std::vector<Pose>& poses)
    : times_(std::move(times)) {
  assert(times_.size() >= 2 && times_.size() == poses.size());
  for (const Pose& X : poses) {
    Row row;
    row << X.p, X.R.coeffs();
    // q and -q are the same rotation: the nearer one.
    if (!values_.empty() && values_.back().tail<4>().dot(row.tail<4>()) < 0) row.tail<4>() *= -1;
    values_.push_back(row);
  }
  bends_ = second_derivatives(times_, values_);
}

CurvePoint PoseSpline::at(double time) const {
  const auto next = std::upper_bound(times_.begin() + 1, times_.end() - 1, time);
  const auto i = static_cast<std::size_t>(next - times_.begin()) - 1;
  const double h = times_[i + 1] - times_[i];
  const double b = (time - times_[i]) / h, a = 1 - b;
  const Row &y0 = values_[i], &y1 = values_[i + 1], &m0 = bends_[i], &m1 = bends_[i + 1];
  const Row y = a * y0 + b * y1 + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
  const Row dy = (y1 - y0) / h + h / 6 * ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1);
  const Row ddy = a * m0 + b * m1;

  CurvePoint out;
  const Quat s = quaternion(y);
  const Quat inverse(s.conjugate().coeffs() / s.squaredNorm());
  const Quat w = quaternion(dy) * inverse, dw = quaternion(ddy) * inverse;
  out.X_MB = {s.normalized(), y.head<3>()};
  out.v_MB = dy.head<3>();
  out.a_MB = ddy.head<3>();
  out.w_MB = 2 * w.vec();
  out.dw_MB = 2 * (dw.vec() - 2 * w.w() * w.vec());
  return out;
}

ControlSpline::ControlSpline(double interval, int order, std::vector<Pose> controls)
    : interval_(interval), order_(order), controls_(std::move(controls)) {
  assert(order >= 2 && order <= kMostOrder && static_cast<int>(controls_.size()) >= order);
  for (std::size_t i = 0; i + 1 < controls_.size(); ++i) {
    const auto turn = axis_and_angle(controls_[i].R.conjugate() * controls_[i + 1].R);
    turns_.push_back(turn.angle() * turn.axis());
  }
  const int k = order, degree = order - 1;
  double factorial = 1;
  for (int i = 2; i <= degree; ++i) factorial *= i;
  // From the last one on, since l_j is the sum of the basis functions j ... k-1.
  for (int j = k - 1; j >= 0; --j) {
    for (int n = 0; n < k; ++n) {
      double sum = 0;
      for (int l = j; l < k; ++l) {
        const double sign = (l - j) % 2 == 0 ? 1 : -1;
        sum += sign * binomial(k, l - j) * power(k - 1 - l, degree - n);
      }
      const auto row = static_cast<std::size_t>(j), column = static_cast<std::size_t>(n);
      const double below = j + 1 < k ? cumulative_[row + 1][column] : 0;
      cumulative_[row][column] = below + binomial(degree, n) / factorial * sum;
    }
  }
}

double ControlSpline::duration() const {
  return interval_ * static_cast<double>(controls_.size() - static_cast<std::size_t>(order_) + 1);
}

CurvePoint ControlSpline::at(double time) const {
  const double last = static_cast<double>(controls_.size()) - order_;
  const double segment = std::clamp(std::floor(time / interval_), 0.0, last);
  const double u = time / interval_ - segment;
  const auto first = static_cast<std::size_t>(segment);

  CurvePoint out;
  out.X_MB = controls_[first];
  Vec3 w = Vec3::Zero(), dw = Vec3::Zero();  // in B
  for (std::size_t j = 1; j < static_cast<std::size_t>(order_); ++j) {
    // Horner's rule for the value and both derivatives.
    double l = 0, dl = 0, ddl = 0;
    for (int n = order_ - 1; n >= 0; --n) {
      ddl = ddl * u + 2 * dl;
      dl = dl * u + l;
      l = l * u + cumulative_[j][static_cast<std::size_t>(n)];
    }
    dl /= interval_;
    ddl /= interval_ * interval_;
    const Vec3 step = controls_[first + j].p - controls_[first + j - 1].p;
    out.X_MB.p += l * step;
    out.v_MB += dl * step;
    out.a_MB += ddl * step;
    const Vec3& turn = turns_[first + j - 1];
    const Quat A = axis_angle(turn, l * turn.norm());
    w = A.conjugate() * w;
    dw = A.conjugate() * dw + w.cross(dl * turn) + ddl * turn;
    w += dl * turn;
    out.X_MB.R = out.X_MB.R * A;
  }
  out.X_MB.R.normalize();
  out.w_MB = out.X_MB.R * w;
  out.dw_MB = out.X_MB.R * dw;
  return out;
}

}  // namespace protobeam
