// The direct solution of the solver: which rows belong together, and what satisfies them at once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "physics/solver.h"

namespace protobeam::physics {
namespace {

// A mechanism with more rows than this is left to the sweeps.
constexpr std::size_t kMostRows = 200;
// And so are contacts, if there are more of them or more rows with them: the cost grows with the
// third power, and who pushes a heap is not delicate.
constexpr std::size_t kMostContacts = 16, kMostWithContacts = 100;
// A link that weighs less than the whole mechanism by this, as a wheel or a foot does, does not
// carry it by sweeps: what it stands on is solved directly, too.
constexpr double kLight = 2;
// Nobody builds that: rounding of the heaviest link moves the lightest one.
constexpr double kTooLight = 1e7;
// How soft rows are in the direct solution, relative to what moves along them, so that there is
// one: loops of joints lock the same motion twice, and the corners of a face press and rub with one
// too many. Contacts must be softer, or rounding decides which of them carry the load.
constexpr double kSoftJoints = 1e-12, kSoftContacts = 1e-6;
// Which of many corners slip is found in a few exchanges, or by making them softer still.
constexpr int kExchanges = 30, kFrictionExchanges = 10;
// Of joints alone, which have no second try.
constexpr int kJointExchanges = 300;
constexpr double kSofterContacts = 1e-4;
// Friction shifts the load of the contacts, and that what friction they have: so many times at
// most, until no limit changes by more than this part of the greatest.
constexpr int kRounds = 4;
constexpr double kSettled = 1e-3;
// A solution that changes the speed of a body by more than so many m/s, and so many times what its
// rows want, is none to trust: they contradict each other with short levers, as the faces of a thin
// plate do that sticks in a robot, or weigh too little to be reckoned with what hangs on them.
constexpr double kMostChange = 10, kMostOfWanted = 1;

/// Of bodies, by their numbers.
class Groups {
 public:
  explicit Groups(int bodies) : parent_(static_cast<std::size_t>(bodies)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// The body that stands for the group.
  int of(int body) {
    while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
    return body;
  }
  void connect(int a, int b) { parent_[of(a)] = of(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

std::vector<Solver::Mechanism> Solver::mechanisms() {
  std::vector<Mechanism> result;
  if (joints_.empty()) return result;
  const auto moves = [&](int body) {
    return m_tmpSolverBodyPool[body].internalGetInvMass().x() > 0;
  };
  Groups jointed(m_tmpSolverBodyPool.size());
  std::vector<char> link(m_tmpSolverBodyPool.size());
  for (const Rows& rows : joints_) {
    const btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[rows.first];
    const int a = row.m_solverBodyIdA, b = row.m_solverBodyIdB;
    link[a] = link[b] = true;
    if (moves(a) && moves(b)) jointed.connect(a, b);
  }
  const auto mass = [&](int body) {
    return 1 / m_tmpSolverBodyPool[body].internalGetInvMass().x();
  };
  std::vector<double> masses(link.size());  // of groups that joints connect, by their roots
  for (int body = 0; body < m_tmpSolverBodyPool.size(); ++body)
    if (link[body] && moves(body)) masses[jointed.of(body)] += mass(body);
  const auto light = [&](int body) {
    return link[body] && moves(body) && kLight * mass(body) < masses[jointed.of(body)];
  };
  // What is pushed against the ground stays there only if the ground takes part.
  Groups touching = jointed;
  std::vector<char> pushed(link.size());
  const auto pushes = [&](int a, int b) { return moves(a) && moves(b) && (link[a] || link[b]); };
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    const btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    const int a = contact.m_solverBodyIdA, b = contact.m_solverBodyIdB;
    if (!pushes(a, b)) continue;
    touching.connect(a, b);
    pushed[a] = !link[a], pushed[b] = !link[b];
  }
  // Where a light link bears, all else that its mechanism touches shares the load.
  std::vector<char> delicate(link.size());
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    const btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    for (const int body : {contact.m_solverBodyIdA, contact.m_solverBodyIdB})
      if (light(body)) delicate[jointed.of(body)] = true;
  }
  std::vector<btSolverConstraint*> contacts;
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    const int a = contact.m_solverBodyIdA, b = contact.m_solverBodyIdB;
    const bool on_ground = (pushed[a] && !moves(b)) || (pushed[b] && !moves(a));
    const auto bears = [&](int body) { return moves(body) && delicate[jointed.of(body)]; };
    if (pushes(a, b) || on_ground || bears(a) || bears(b)) contacts.push_back(&contact);
  }

  std::map<int, std::size_t> places;  // of the root of a group, in the result
  const auto mechanism_of = [&](int body) -> Mechanism& {
    const auto [at, fresh] = places.try_emplace(touching.of(body), result.size());
    if (fresh) result.emplace_back();
    return result[at->second];
  };
  for (const Rows& rows : joints_) {
    // The child moves, or there would be no constraint.
    const int child = m_tmpSolverNonContactConstraintPool[rows.first].m_solverBodyIdB;
    std::vector<LimitedRow>& group = mechanism_of(child).joints[jointed.of(child)];
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
      btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[i];
      group.push_back({&row, row.m_lowerLimit, row.m_upperLimit, kSoftJoints});
    }
  }
  for (btSolverConstraint* contact : contacts) {
    const int a = contact->m_solverBodyIdA, b = contact->m_solverBodyIdB;
    mechanism_of(moves(a) ? a : b).contacts.push_back(contact);
  }
  return result;
}

double Solver::coupling(const btSolverConstraint& row, const btSolverConstraint& other) const {
  const auto along = [&](int body, const btVector3& linear, const btVector3& angular) {
    double sum = 0;
    if (other.m_solverBodyIdA != body && other.m_solverBodyIdB != body) return sum;
    const btVector3& inverse_mass = m_tmpSolverBodyPool[body].internalGetInvMass();
    if (!(inverse_mass.x() > 0)) return sum;
    if (other.m_solverBodyIdA == body)
      sum += (linear * inverse_mass).dot(other.m_contactNormal1) +
             angular.dot(other.m_angularComponentA);
    if (other.m_solverBodyIdB == body)
      sum += (linear * inverse_mass).dot(other.m_contactNormal2) +
             angular.dot(other.m_angularComponentB);
    return sum;
  };
  return along(row.m_solverBodyIdA, row.m_contactNormal1, row.m_relpos1CrossNormal) +
         along(row.m_solverBodyIdB, row.m_contactNormal2, row.m_relpos2CrossNormal);
}

void Solver::apply(btSolverConstraint& row, double impulse) {
  row.m_appliedImpulse += impulse;
  btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
  btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
  a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(), row.m_angularComponentA,
                         impulse);
  b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(), row.m_angularComponentB,
                         impulse);
}

void Solver::solve(Mechanism& mechanism) {
  std::vector<LimitedRow>& rows = mechanism.rows;
  for (const auto& [body, of_joints] : mechanism.joints)
    rows.insert(rows.end(), of_joints.begin(), of_joints.end());
  const std::size_t joints = rows.size(), contacts = mechanism.contacts.size();
  if (contacts == 0 || contacts > kMostContacts || joints + 3 * contacts > kMostWithContacts ||
      greatest_ratio(rows) > kTooLight)
    return solve_joints(mechanism);
  for (btSolverConstraint* contact : mechanism.contacts)
    rows.push_back({contact, 0, kUnlimited, kSoftContacts});
  // At first friction stays as it is: how hard they press is not known yet.
  for (const btSolverConstraint* contact : mechanism.contacts) {
    for (int i = 0; i < 2; ++i) {
      btSolverConstraint& row =
          m_tmpSolverContactFrictionConstraintPool[contact->m_frictionIndex + i];
      rows.push_back({&row, row.m_appliedImpulse, row.m_appliedImpulse, kSoftContacts});
    }
  }
  using Place = BoxedSystem::Place;
  RowSystem& system = mechanism.system.emplace(system_of(rows));
  const auto put_friction = [&](Place place) {
    std::fill(system.places.end() - static_cast<std::ptrdiff_t>(2 * contacts), system.places.end(),
              place);
  };
  put_friction(Place::kLower);
  if (!solve_at_once(mechanism, kExchanges)) {
    mechanism.system.reset();
    return solve_joints(mechanism);
  }
  limit_friction(mechanism);
  put_friction(Place::kFree);
  mechanism.rubs = solve_at_once(mechanism, kFrictionExchanges);
  if (mechanism.rubs) return;
  // All of them have limits.
  Eigen::Index last = system.system.rest.wanted.size();
  for (std::size_t i = rows.size(); i-- > joints;) {
    system.system.rest.matrix.diagonal()[--last] +=
        (kSofterContacts - rows[i].softness) / rows[i].row->m_jacDiagABInv;
    rows[i].softness = kSofterContacts;
  }
  mechanism.rubs = solve_at_once(mechanism, kFrictionExchanges);
}

double Solver::greatest_ratio(const std::vector<LimitedRow>& rows) const {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const LimitedRow& row : rows) {
    for (const int body : {row.row->m_solverBodyIdA, row.row->m_solverBodyIdB}) {
      const double inverse = m_tmpSolverBodyPool[body].internalGetInvMass().x();
      if (!(inverse > 0)) continue;
      least = std::min(least, inverse);
      most = std::max(most, inverse);
    }
  }
  return most / least;
}

void Solver::solve_again(Mechanism& mechanism) {
  if (!mechanism.system) return;
  limit_friction(mechanism);
  if (!mechanism.rubs || !solve_at_once(mechanism, kFrictionExchanges)) solve_joints(mechanism);
}

void Solver::settle(Mechanism& mechanism) {
  for (int i = 0; i < kRounds && limit_friction(mechanism) > kSettled; ++i)
    if (!solve_at_once(mechanism, kFrictionExchanges)) break;
}

double Solver::limit_friction(Mechanism& mechanism) {
  const std::size_t contacts = mechanism.contacts.size();
  LimitedRow* row = mechanism.rows.data() + mechanism.rows.size() - 2 * contacts;
  double change = 0, greatest = 0;
  for (const btSolverConstraint* contact : mechanism.contacts) {
    for (int i = 0; i < 2; ++i, ++row) {
      const double most = row->row->m_friction * contact->m_appliedImpulse;
      change = std::max(change, std::abs(most - row->upper));
      greatest = std::max(greatest, most);
      row->lower = -most, row->upper = most;
    }
  }
  return change > 0 ? change / greatest : 0;
}

bool Solver::solve_at_once(Mechanism& mechanism, int most_exchanges) {
  RowSystem& system = *mechanism.system;
  const double wanted = update(system, mechanism.rows);
  std::vector<BoxedSystem::Place> places = system.places;
  const auto limited = system.system.rest.solve_from(places, most_exchanges);
  if (!limited) return false;
  const Eigen::VectorXd changes = system.system.all(*limited);
  if (!(greatest_change(mechanism.rows, changes) <= kMostChange + kMostOfWanted * wanted))
    return false;
  system.places = std::move(places);
  apply(mechanism.rows, changes);
  return true;
}

double Solver::greatest_change(const std::vector<LimitedRow>& rows,
                               const Eigen::VectorXd& changes) {
  momentum_.assign(m_tmpSolverBodyPool.size(), btVector3(0, 0, 0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const btSolverConstraint& row = *rows[i].row;
    const btScalar impulse = changes[static_cast<Eigen::Index>(i)];
    momentum_[row.m_solverBodyIdA] += impulse * row.m_contactNormal1;
    momentum_[row.m_solverBodyIdB] += impulse * row.m_contactNormal2;
  }
  double greatest = 0;
  for (int i = 0; i < m_tmpSolverBodyPool.size(); ++i) {
    const btVector3 change = momentum_[i] * m_tmpSolverBodyPool[i].internalGetInvMass();
    greatest = std::max<double>(greatest, change.length());
  }
  return greatest;
}

void Solver::solve_joints(const Mechanism& mechanism) {
  for (const auto& [body, rows] : mechanism.joints) solve_joints(rows);
}

void Solver::solve_joints(const std::vector<LimitedRow>& rows) {
  if (rows.size() > kMostRows) return;
  RowSystem system = system_of(rows);
  update(system, rows);
  const SchurComplement& all = system.system;
  if (const std::optional<Eigen::VectorXd> limited = all.rest.solve(kJointExchanges))
    return apply(rows, all.all(*limited));
  // A friction or a motor that is cut to the wrong limit drives what it should hold.
  const Eigen::VectorXd cut = all.rest.solve_cutting();
  if (all.rest.energy(cut) + all.energy_of_others() < 0) apply(rows, all.all(cut));
}

void Solver::apply(const std::vector<LimitedRow>& rows, const Eigen::VectorXd& changes) {
  if (!changes.allFinite()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) apply(*rows[i].row, changes[i]);
}

Solver::RowSystem Solver::system_of(const std::vector<LimitedRow>& rows) const {
  constexpr double kNone = std::numeric_limits<double>::max();  // Bullet's, or infinity
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd matrix(n, n);
  std::vector<Eigen::Index> limited;
  for (Eigen::Index i = 0; i < n; ++i) {
    const btSolverConstraint& row = *rows[i].row;
    for (Eigen::Index j = 0; j <= i; ++j) matrix(i, j) = coupling(row, *rows[j].row);
    matrix(i, i) += row.m_cfm / row.m_jacDiagABInv + rows[i].softness / row.m_jacDiagABInv;
    if (rows[i].lower > -kNone || rows[i].upper < kNone) limited.push_back(i);
  }
  SchurComplement system(std::move(matrix), limited);
  std::vector<BoxedSystem::Place> places(limited.size(), BoxedSystem::Place::kFree);
  return {std::move(system), std::move(limited), std::move(places)};
}

double Solver::update(RowSystem& system, const std::vector<LimitedRow>& rows) const {
  Eigen::VectorXd wanted(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const btSolverConstraint& row = *rows[i].row;
    const btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
    const btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
    wanted[i] = (row.m_rhs - row.m_appliedImpulse * row.m_cfm) / row.m_jacDiagABInv -
                row.m_contactNormal1.dot(a.getDeltaLinearVelocity()) -
                row.m_relpos1CrossNormal.dot(a.getDeltaAngularVelocity()) -
                row.m_contactNormal2.dot(b.getDeltaLinearVelocity()) -
                row.m_relpos2CrossNormal.dot(b.getDeltaAngularVelocity());
  }
  system.system.want(wanted);
  BoxedSystem& rest = system.system.rest;
  for (std::size_t k = 0; k < system.limited.size(); ++k) {
    const LimitedRow& row = rows[system.limited[k]];
    rest.lower[k] = row.lower - row.row->m_appliedImpulse;
    rest.upper[k] = row.upper - row.row->m_appliedImpulse;
  }
  return wanted.cwiseAbs().maxCoeff();
}

bool Solver::nothing_else() const {
  std::size_t rows = 0;
  for (const Mechanism& mechanism : mechanisms_) {
    if (!mechanism.rubs) return false;
    rows += mechanism.rows.size();
  }
  const int all = m_tmpSolverNonContactConstraintPool.size() +
                  m_tmpSolverContactConstraintPool.size() +
                  m_tmpSolverContactFrictionConstraintPool.size() +
                  m_tmpSolverContactRollingFrictionConstraintPool.size();
  return rows == static_cast<std::size_t>(all);
}

}  // namespace protobeam::physics
