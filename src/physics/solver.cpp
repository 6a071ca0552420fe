#include "physics/solver.h"

#include <algorithm>
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
// A link that weighs less than the whole mechanism by this does not carry it by sweeps: what it
// stands on is solved directly, too.
constexpr double kLight = 1000;
// How soft rows are in the direct solution, relative to what moves along them, so that there is
// one: loops of joints lock the same motion twice, and the corners of a face press and rub with one
// too many. Contacts must be softer, or rounding decides which of them carry the load.
constexpr double kSoftJoints = 1e-12, kSoftContacts = 1e-6;
// Which of many corners slip is found in a few exchanges, or by making them softer still.
constexpr int kFrictionExchanges = 10;
constexpr double kSofterContacts = 1e-4;

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
  // Now that the bodies have last substep's contact impulses.
  mechanisms_ = mechanisms();
  for (Mechanism& mechanism : mechanisms_) solve(mechanism);
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
  std::vector<btSolverConstraint*> contacts;
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    const int a = contact.m_solverBodyIdA, b = contact.m_solverBodyIdB;
    const bool on_ground = (pushed[a] && !moves(b)) || (pushed[b] && !moves(a));
    if (pushes(a, b) || on_ground || light(a) || light(b)) contacts.push_back(&contact);
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
  std::vector<LimitedRow> rows;
  for (const auto& [body, of_joints] : mechanism.joints)
    rows.insert(rows.end(), of_joints.begin(), of_joints.end());
  for (btSolverConstraint* contact : mechanism.contacts)
    rows.push_back({contact, 0, kUnlimited, kSoftContacts});
  const std::size_t count = mechanism.contacts.size();
  const bool few = count <= kMostContacts && rows.size() + 2 * count <= kMostWithContacts;
  mechanism.with_contacts = count > 0 && few && solve_directly(rows);
  if (!mechanism.with_contacts) {
    for (const auto& [body, of_joints] : mechanism.joints) solve_joints(of_joints);
    return;
  }
  // Friction when it is known how hard they press.
  for (const btSolverConstraint* contact : mechanism.contacts) {
    for (int i = 0; i < 2; ++i) {
      btSolverConstraint& row =
          m_tmpSolverContactFrictionConstraintPool[contact->m_frictionIndex + i];
      const double most = row.m_friction * contact->m_appliedImpulse;
      rows.push_back({&row, -most, most, kSoftContacts});
    }
  }
  if (solve_directly(rows, kFrictionExchanges)) return;
  for (LimitedRow& row : rows)
    if (row.softness == kSoftContacts) row.softness = kSofterContacts;
  solve_directly(rows, kFrictionExchanges);
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

bool Solver::solve_directly(const std::vector<LimitedRow>& rows, int most_exchanges) {
  const std::optional<Eigen::VectorXd> changes = system_of(rows).solve(most_exchanges);
  if (changes) apply(rows, *changes);
  return changes.has_value();
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
  return system;
}

btScalar Solver::solveGroupCacheFriendlyIterations(btCollisionObject**, int, btPersistentManifold**,
                                                   int, btTypedConstraint**, int,
                                                   const btContactSolverInfo& info, btIDebugDraw*) {
  sweeps_.begin(m_tmpSolverBodyPool);
  sweeps_.add_joints(m_tmpSolverNonContactConstraintPool);
  sweeps_.add_contacts(m_tmpSolverContactConstraintPool);
  sweeps_.add_friction(m_tmpSolverContactFrictionConstraintPool);
  sweeps_.add_rolling_friction(m_tmpSolverContactRollingFrictionConstraintPool);
  for (int i = 0; i < info.m_numIterations; ++i) {
    if (sweeps_.sweep() <= info.m_leastSquaresResidualThreshold) break;
  }
  sweeps_.end(m_tmpSolverBodyPool);
  // A light link that pushes a heavy body is where the sweeps leave their errors: the joints have
  // the last word, and a contact, which gives way a little, waits for the next substep.
  for (const Mechanism& mechanism : mechanisms_) {
    if (!mechanism.with_contacts) continue;
    for (const auto& [body, rows] : mechanism.joints) solve_joints(rows);
  }
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
