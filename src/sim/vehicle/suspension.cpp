#include "sim/vehicle/suspension.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/linear_solve.h"

namespace protobeam {
namespace {

// How far a stiff spring gives under its share of the weight, and what weight means to it.
constexpr double kStiffSag = 0.002;  // m
constexpr double kGravity = 9.81;    // m/s^2

double stiff(double mass) { return mass * kGravity / kStiffSag; }
double critical(double spring, double mass) { return 2 * std::sqrt(spring * mass); }

/// The line through all wheels on the map; nothing when they span an area.
struct Line {
  Vec2 middle, direction;
  double length;
};
std::optional<Line> common_line(const VehicleLayout& layout) {
  const auto& wheels = layout.wheels;
  Vec2 from = wheels[0].planar(), to = from;
  for (const Wheel& wheel : wheels) {
    if ((wheel.planar() - from).norm() > (to - from).norm()) to = wheel.planar();
  }
  const double length = (to - from).norm();
  if (!(length > 0)) return std::nullopt;
  const Vec2 direction = (to - from) / length;
  for (const Wheel& wheel : wheels) {
    const Vec2 d = wheel.planar() - from;
    if (std::abs(d.x() * direction.y() - d.y() * direction.x()) > 1e-3 * length) {
      return std::nullopt;
    }
  }
  return Line{0.5 * (from + to), direction, length};
}

/// `centre` lies over the area between the points: seen from it, each has others on both sides.
bool carried_between(std::span<const Vec2> points, const Vec2& centre) {
  return std::all_of(points.begin(), points.end(), [&](const Vec2& p) {
    bool left = false, right = false;
    for (const Vec2& q : points) {
      const Vec2 a = p - centre, b = q - centre;
      const double side = a.x() * b.y() - a.y() * b.x();
      left = left || side > 0;
      right = right || side < 0;
    }
    return left && right;
  });
}

/// Where one more support holds what stands on these points; nothing when they do themselves.
std::optional<Vec2> counterpoint(const VehicleLayout& layout, std::span<const Vec3> supports_V,
                                 const Vec2& centre) {
  std::vector<Vec2> points;
  for (const Wheel& wheel : layout.wheels) points.push_back(wheel.planar());
  for (const Vec3& p_V : supports_V) points.emplace_back(p_V.head<2>());
  if (carried_between(points, centre)) return std::nullopt;
  Vec2 middle = Vec2::Zero();
  for (const Vec2& p : points) middle += p / static_cast<double>(points.size());
  return 2 * centre - middle;
}

/// The smallest forces that carry the weight without turning the body.
void share_weight(std::vector<Strut>& struts, const Vec3& centre_V, double weight) {
  const auto count = static_cast<Eigen::Index>(struts.size());
  Eigen::MatrixXd balance(3, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vec3 arm = struts[static_cast<std::size_t>(i)].position_V - centre_V;
    balance.col(i) = Vec3(1, arm.x(), arm.y());
  }
  const Eigen::VectorXd force = solve_least_norm(balance, Vec3(weight, 0, 0));
  for (std::size_t i = 0; i < struts.size(); ++i) {
    struts[i].preload = std::max(0.0, force[static_cast<Eigen::Index>(i)]);
  }
}

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostStruts, kMostStruts>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostStruts, 1>;

/// Makes the right side b of A f = b into f by Cholesky's method, A = L D L': for a positive
/// definite A of few rows, of which the lower half is read. Most vehicles have no more struts, and
/// what it takes to serve matrices of any size takes longer than they do.
template <int kSize>
void solve_few(double (&a)[kSize][kSize], double (&x)[kSize]) {
  double inverse[kSize];  // of D
  for (int k = 0; k < kSize; ++k) {
    inverse[k] = 1 / a[k][k];
    for (int i = k + 1; i < kSize; ++i) {
      const double l = a[i][k] * inverse[k];
      for (int j = k + 1; j <= i; ++j) a[i][j] -= l * a[j][k];
      x[i] -= l * x[k];
    }
  }
  for (int k = kSize - 1; k >= 0; --k) {
    for (int i = k + 1; i < kSize; ++i) x[k] -= a[i][k] * x[i];
    x[k] *= inverse[k];
  }
}

/// Turns the solution of A f = b into that of f >= 0, A f - b >= 0, one of both 0 in each row, by
/// projected Gauss-Seidel: A is positive definite.
void push_only(const Square& a, const Column& b, Column& f) {
  constexpr int kSweeps = 100;
  constexpr double kDone = 1e-9;  // of the greatest force
  f = f.cwiseMax(0);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0;
    for (Eigen::Index i = 0; i < f.size(); ++i) {
      const double next = std::max(0.0, f[i] + (b[i] - a.row(i).dot(f)) / a(i, i));
      change = std::max(change, std::abs(next - f[i]));
      f[i] = next;
    }
    if (!(change > kDone * f.maxCoeff())) return;
  }
}

/// What the forces f of `count` struts have to meet, A f = b. With f = p + k (s + dt r) + c r and
/// r = rate - dt A f at the end of the step:
///   (1 / (k dt + c) + dt A) f = (p + k s) / (k dt + c) + rate
/// The lower half of the matrix is written.
template <int kMost, typename Matrix, typename Vector>
void balance(const StrutContact* contacts, int count, const BodyMobility& body, double dt,
             Matrix&& a, Vector&& b) {
  std::array<Vec3, kMost> turn_W;  // of a push
  for (int i = 0; i < count; ++i) turn_W[i] = contacts[i].arm_W.cross(contacts[i].push_W);
  for (int i = 0; i < count; ++i) {
    const StrutContact& c = contacts[i];
    const Vec3 spin_W = body.inverse_inertia_W * turn_W[i];
    for (int j = i; j < count; ++j) {
      a(j, i) = dt * (body.inverse_mass * c.push_W.dot(contacts[j].push_W) + spin_W.dot(turn_W[j]));
    }
    const Strut& s = *c.strut;
    double spring = s.spring, preload = s.preload;
    if (c.compression > s.travel) {
      spring += s.stop;
      preload -= s.stop * s.travel;
    }
    const double yield = 1 / (spring * dt + s.damper);
    a(i, i) += yield;
    b(i) = (preload + spring * c.compression) * yield + c.rate;
  }
}

/// Whether that was all: no strut pulls.
template <int kCount>
bool push_few(std::span<StrutContact> contacts, const BodyMobility& body, double dt) {
  double a[kCount][kCount], force[kCount];
  balance<kCount>(
      contacts.data(), kCount, body, dt, [&](int i, int j) -> double& { return a[i][j]; },
      [&](int i) -> double& { return force[i]; });
  solve_few(a, force);
  for (int i = 0; i < kCount; ++i) {
    if (!(force[i] >= 0)) return false;
    contacts[static_cast<std::size_t>(i)].force = force[i];
  }
  return true;
}

bool push_few(std::span<StrutContact> contacts, const BodyMobility& body, double dt) {
  switch (contacts.size()) {
    case 1:
      return push_few<1>(contacts, body, dt);
    case 2:
      return push_few<2>(contacts, body, dt);
    case 3:
      return push_few<3>(contacts, body, dt);
    case 4:
      return push_few<4>(contacts, body, dt);
    default:
      return contacts.empty();
  }
}

}  // namespace

double Strut::droop() const { return std::min(travel, preload / spring); }

std::vector<Strut> make_struts(const VehicleLayout& layout, std::span<const Vec3> supports_V,
                               const Vec3& centre_V, double weight, bool tilts) {
  std::vector<Strut> struts;
  for (std::size_t i = 0; i < layout.wheels.size(); ++i) {
    const Wheel& wheel = layout.wheels[i];
    const double mass = layout.carried_mass(i);
    Strut strut{wheel.position_V, wheel.radius(), 0, wheel.spring, wheel.damper, wheel.travel, 0};
    if (strut.spring < 0) strut.spring = stiff(mass);
    if (strut.damper < 0) strut.damper = critical(strut.spring, mass);
    strut.stop = stiff(mass);
    struts.push_back(strut);
  }
  std::vector<Vec3> supports(supports_V.begin(), supports_V.end());
  const double ground = layout.wheels[0].position_V.z() - layout.wheels[0].radius();
  if (supports.empty()) {
    if (const auto line = common_line(layout)) {
      const Vec2 across(-line->direction.y(), line->direction.x());
      for (const double side : {1.0, -1.0}) {
        const Vec2 p = line->middle + side * 0.5 * line->length * across;
        supports.emplace_back(p.x(), p.y(), ground);
      }
    }
  }
  if (!tilts && struts.size() + supports.size() < kMostStruts) {
    if (const auto p = counterpoint(layout, supports, centre_V.head<2>())) {
      supports.emplace_back(p->x(), p->y(), ground);
    }
  }
  const double mass = layout.total_mass() / static_cast<double>(struts.size() + supports.size());
  for (const Vec3& p_V : supports) {
    const double spring = stiff(mass);
    struts.push_back({p_V, 0, 0, spring, critical(spring, mass), layout.wheels[0].travel, spring});
  }
  share_weight(struts, centre_V, weight);
  return struts;
}

void solve_struts(std::span<StrutContact> contacts, const BodyMobility& body, double dt) {
  if (push_few(contacts, body, dt)) return;
  const auto count = static_cast<int>(contacts.size());
  Square mobility(count, count);
  Column wanted(count);
  balance<kMostStruts>(contacts.data(), count, body, dt, mobility, wanted);
  mobility.triangularView<Eigen::StrictlyUpper>() = mobility.transpose();
  Column force = mobility.ldlt().solve(wanted);
  if (!(force.minCoeff() >= 0)) push_only(mobility, wanted, force);
  for (int i = 0; i < count; ++i) contacts[static_cast<std::size_t>(i)].force = force[i];
}

}  // namespace protobeam
