#include "physics/solver.h"

#include <algorithm>

namespace protobeam::physics {
namespace {

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
  if (m_tmpSolverContactConstraintPool.size() == 0) return;
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

btScalar Solver::solveGroupCacheFriendlyIterations(btCollisionObject**, int, btPersistentManifold**,
                                                   int, btTypedConstraint**, int,
                                                   const btContactSolverInfo& info, btIDebugDraw*) {
  if (nothing_else()) {
    for (Mechanism& mechanism : mechanisms_) settle(mechanism);
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
