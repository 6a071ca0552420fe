#include "physics/solver.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

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
constexpr double kSofterContacts = 1e-4;
// Friction shifts the load of the contacts, and that what friction they have: so many times at
// most, until no limit changes by more than this part of the greatest.
constexpr int kRounds = 4;
constexpr double kSettled = 1e-3;
// A solution that changes the speed of a body by more than so many m/s, and so many times what its
// rows want, is none to trust: they contradict each other with short levers, as the faces of a thin
// plate do that sticks in a robot, or weigh too little to be reckoned with what hangs on them.
constexpr double kMostChange = 10, kMostOfWanted = 1;
// m/s by which the last substep's impulses may move a body that has no joints. In what rests or
// rolls on they do little but balance.
constexpr double kThrows = 10;

/// J v + softness * impulse = wanted. Bullet leaves softness out of the diagonal of rows that are
/// not contacts, which makes its iteration diverge for soft ones.
void soften(btSolverConstraint& row, double softness) {
  if (!(softness > 0) || !(row.m_jacDiagABInv > 0)) {
    row.m_cfm = 0;
    return;
  }
  const double diagonal = 1 / (1 / row.m_jacDiagABInv + softness);
  row.m_rhs *= diagonal / row.m_jacDiagABInv;
  row.m_jacDiagABInv = diagonal;
  row.m_cfm = softness * diagonal;
}

/// By so much more than the row is now.
void soften_further(btSolverConstraint& row, double softness) {
  if (!(row.m_jacDiagABInv > 0)) return;
  const double all = row.m_cfm / row.m_jacDiagABInv + softness;
  const double diagonal = 1 / (1 / row.m_jacDiagABInv + softness);
  row.m_rhs *= diagonal / row.m_jacDiagABInv;
  row.m_jacDiagABInv = diagonal;
  row.m_cfm = all * diagonal;
}

/// Of a row that pushes along a line, unit.
btVector3 direction(const btSolverConstraint& row) {
  return row.m_contactNormal1.isZero() ? -row.m_contactNormal2 : row.m_contactNormal1;
}

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

/// What Bullet does with a body that nothing holds, in its order.
void move_freely(btRigidBody& body, double h) {
  const btVector3 push = body.getTotalForce() * body.getInvMass() * h;
  btVector3 turn = body.getTotalTorque() * body.getInvInertiaTensorWorld() * h;
  turn += body.computeGyroscopicImpulseImplicit_Body(h);
  body.setLinearVelocity(body.getLinearVelocity() + push);
  body.setAngularVelocity(body.getAngularVelocity() + turn);
}

/// Of a kind that move_freely() knows.
bool is_plain(const btCollisionObject& object) {
  const btRigidBody* body = btRigidBody::upcast(&object);
  return body && body->getInvMass() > 0 &&
         body->getFlags() == BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY;
}

}  // namespace

btScalar Solver::solveGroup(btCollisionObject** bodies, int body_count,
                            btPersistentManifold** manifolds, int manifold_count,
                            btTypedConstraint** constraints, int constraint_count,
                            const btContactSolverInfo& info, btIDebugDraw* drawer,
                            btDispatcher* dispatcher) {
  const bool free =
      constraint_count == 0 &&
      std::all_of(manifolds, manifolds + manifold_count,
                  [](auto* manifold) { return manifold->getNumContacts() == 0; }) &&
      std::all_of(bodies, bodies + body_count, [](auto* body) { return is_plain(*body); });
  if (!free)
    return btSequentialImpulseConstraintSolver::solveGroup(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer,
        dispatcher);
  for (int i = 0; i < body_count; ++i)
    move_freely(*btRigidBody::upcast(bodies[i]), info.m_timeStep);
  return 0;
}

void Solver::convertJoints(btTypedConstraint** constraints, int count,
                           const btContactSolverInfo& info) {
  btSequentialImpulseConstraintSolver::convertJoints(constraints, count, info);
  joints_.clear();
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const int rows = m_tmpConstraintSizesPool[i].m_numConstraintRows;
    if (rows > 0) joints_.push_back({static_cast<JointConstraint*>(constraints[i]), first, rows});
    first += rows;
  }
  for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); ++i) {
    btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[i];
    soften(row, row.m_cfm);
  }
}

void Solver::convertContacts(btPersistentManifold** manifolds, int count,
                             const btContactSolverInfo& info) {
  btSequentialImpulseConstraintSolver::convertContacts(manifolds, count, info);
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    const btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    const auto* point = static_cast<const btManifoldPoint*>(contact.m_originalContactPoint);
    const auto* second = static_cast<const SecondDirection*>(point->m_userPersistentData);
    if (!(point->m_frictionCFM > 0) && !second) continue;
    btSolverConstraint* rows = &m_tmpSolverContactFrictionConstraintPool[contact.m_frictionIndex];
    if (second) rows[1].m_friction = second->friction;
    soften(rows[0], point->m_frictionCFM / info.m_timeStep);
    soften(rows[1], (second ? second->slip : point->m_frictionCFM) / info.m_timeStep);
  }
  forget_lost_loads();
  turn_friction();
  // Now that the bodies have last substep's contact impulses.
  mechanisms_ = mechanisms();
  for (Mechanism& mechanism : mechanisms_) solve(mechanism);
}

void Solver::forget_lost_loads() {
  std::vector<char> link(m_tmpSolverBodyPool.size());
  for (const Rows& rows : joints_) {
    const btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[rows.first];
    link[row.m_solverBodyIdA] = link[row.m_solverBodyIdB] = true;
  }
  const auto forget = [&](btSolverConstraint& row) {
    const bool had = row.m_appliedImpulse != 0;
    apply(row, -row.m_appliedImpulse);
    return had;
  };
  std::vector<char> thrown(link.size());
  for (bool found = true; found;) {
    found = false;
    for (int body = 0; body < m_tmpSolverBodyPool.size(); ++body)
      thrown[body] =
          !link[body] && m_tmpSolverBodyPool[body].getDeltaLinearVelocity().length() > kThrows;
    for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
      btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
      if (!thrown[contact.m_solverBodyIdA] && !thrown[contact.m_solverBodyIdB]) continue;
      found |= forget(contact);
      for (int k = 0; k < 2; ++k)
        found |= forget(m_tmpSolverContactFrictionConstraintPool[contact.m_frictionIndex + k]);
    }
  }
}

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
    const btVector3& inverse_mass = m_tmpSolverBodyPool[body].internalGetInvMass();
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
  mechanism.system = system_of(rows);
  mechanism.places.assign(rows.size(), Place::kFree);
  const auto put_friction = [&](Place place) {
    std::fill(mechanism.places.end() - static_cast<std::ptrdiff_t>(2 * contacts),
              mechanism.places.end(), place);
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
  for (std::size_t i = joints; i < rows.size(); ++i) {
    mechanism.system->matrix(i, i) +=
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

btVector3 Solver::slip(const btSolverConstraint& contact) const {
  const btSolverBody& a = m_tmpSolverBodyPool[contact.m_solverBodyIdA];
  const btSolverBody& b = m_tmpSolverBodyPool[contact.m_solverBodyIdB];
  btVector3 sum(0, 0, 0);
  for (int i = 0; i < 2; ++i) {
    const btSolverConstraint& row =
        m_tmpSolverContactFrictionConstraintPool[contact.m_frictionIndex + i];
    const btScalar along = row.m_contactNormal1.dot(a.m_linearVelocity) +
                           row.m_relpos1CrossNormal.dot(a.m_angularVelocity) +
                           row.m_contactNormal2.dot(b.m_linearVelocity) +
                           row.m_relpos2CrossNormal.dot(b.m_angularVelocity);
    sum += along * direction(row);
  }
  return sum;
}

void Solver::turn_friction() {
  const btConstraintArray& contacts = m_tmpSolverContactConstraintPool;
  const auto point = [&](int i) {
    return static_cast<const btManifoldPoint*>(contacts[i].m_originalContactPoint);
  };
  const auto of_one_shape = [&](int i, int j) {
    return contacts[i].m_solverBodyIdA == contacts[j].m_solverBodyIdA &&
           contacts[i].m_solverBodyIdB == contacts[j].m_solverBodyIdB &&
           point(i)->m_index0 == point(j)->m_index0 && point(i)->m_index1 == point(j)->m_index1;
  };
  slips_.clear();
  for (int i = 0; i < contacts.size(); ++i) slips_.push_back(slip(contacts[i]));
  for (int begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && of_one_shape(begin, end)) ++end;
    for (int i = begin; i < end; ++i) {
      if (point(i)->m_contactMotion1 != 0 || point(i)->m_contactMotion2 != 0) continue;
      const bool directed = point(i)->m_userPersistentData != nullptr;
      for (int k = 0; k < 2; ++k) {
        btSolverConstraint& row =
            m_tmpSolverContactFrictionConstraintPool[contacts[i].m_frictionIndex + k];
        double creep = 0;
        for (int j = begin; j < end; ++j) {
          const btVector3 difference = slips_[i] - slips_[j];
          const double apart =
              directed ? std::abs(difference.dot(direction(row))) : difference.length();
          creep = std::max(creep, apart / 2);
        }
        if (!directed && k == 1) creep = std::max<double>(creep, slips_[i].length());
        const double most = row.m_friction * contacts[i].m_appliedImpulse;
        if (creep > kSlips && most > 0) soften_further(row, creep / most);
      }
    }
  }
}

bool Solver::solve_at_once(Mechanism& mechanism, int most_exchanges) {
  BoxedSystem& system = *mechanism.system;
  update(system, mechanism.rows);
  const std::vector<BoxedSystem::Place> places = mechanism.places;
  const auto changes = system.solve_from(mechanism.places, most_exchanges);
  if (!changes) return false;
  const double most = kMostChange + kMostOfWanted * system.wanted.cwiseAbs().maxCoeff();
  if (greatest_change(mechanism.rows, *changes) <= most) {
    apply(mechanism.rows, *changes);
    return true;
  }
  mechanism.places = places;
  return false;
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
  const BoxedSystem system = system_of(rows);
  if (const std::optional<Eigen::VectorXd> changes = system.solve_patiently())
    return apply(rows, *changes);
  // A friction or a motor that is cut to the wrong limit drives what it should hold.
  const Eigen::VectorXd cut = system.solve_cutting();
  if (system.energy(cut) < 0) apply(rows, cut);
}

void Solver::apply(const std::vector<LimitedRow>& rows, const Eigen::VectorXd& changes) {
  if (!changes.allFinite()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) apply(*rows[i].row, changes[i]);
}

BoxedSystem Solver::system_of(const std::vector<LimitedRow>& rows) const {
  const int n = static_cast<int>(rows.size());
  BoxedSystem system(n);
  for (int i = 0; i < n; ++i) {
    const btSolverConstraint& row = *rows[i].row;
    for (int j = 0; j <= i; ++j)
      system.matrix(i, j) = system.matrix(j, i) = coupling(row, *rows[j].row);
    system.matrix(i, i) += row.m_cfm / row.m_jacDiagABInv + rows[i].softness / row.m_jacDiagABInv;
  }
  update(system, rows);
  return system;
}

void Solver::update(BoxedSystem& system, const std::vector<LimitedRow>& rows) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const btSolverConstraint& row = *rows[i].row;
    const btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
    const btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
    system.wanted[i] = (row.m_rhs - row.m_appliedImpulse * row.m_cfm) / row.m_jacDiagABInv -
                       row.m_contactNormal1.dot(a.getDeltaLinearVelocity()) -
                       row.m_relpos1CrossNormal.dot(a.getDeltaAngularVelocity()) -
                       row.m_contactNormal2.dot(b.getDeltaLinearVelocity()) -
                       row.m_relpos2CrossNormal.dot(b.getDeltaAngularVelocity());
    system.lower[i] = rows[i].lower - row.m_appliedImpulse;
    system.upper[i] = rows[i].upper - row.m_appliedImpulse;
  }
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

btScalar Solver::solveGroupCacheFriendlyIterations(btCollisionObject**, int, btPersistentManifold**,
                                                   int, btTypedConstraint**, int,
                                                   const btContactSolverInfo& info, btIDebugDraw*) {
  if (nothing_else()) {
    for (Mechanism& mechanism : mechanisms_) {
      for (int i = 0; i < kRounds && limit_friction(mechanism) > kSettled; ++i)
        if (!solve_at_once(mechanism, kFrictionExchanges)) break;
    }
    return 0;
  }
  sweeps_.begin(m_tmpSolverBodyPool);
  sweeps_.add_joints(m_tmpSolverNonContactConstraintPool);
  sweeps_.add_contacts(m_tmpSolverContactConstraintPool);
  sweeps_.add_friction(m_tmpSolverContactFrictionConstraintPool);
  sweeps_.add_rolling_friction(m_tmpSolverContactRollingFrictionConstraintPool);
  for (int i = 0; i < info.m_numIterations; ++i) {
    if (sweeps_.sweep() <= info.m_leastSquaresResidualThreshold) break;
  }
  sweeps_.end(m_tmpSolverBodyPool);
  // A light link that pushes a heavy body is where the sweeps leave their errors.
  for (Mechanism& mechanism : mechanisms_) solve_again(mechanism);
  return 0;
}

btScalar Solver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                               const btContactSolverInfo& info) {
  for (const Rows& rows : joints_)
    rows.joint->keep_impulses(&m_tmpSolverNonContactConstraintPool[rows.first]);
  joints_.clear();
  mechanisms_.clear();
  return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, count, info);
}

}  // namespace protobeam::physics
