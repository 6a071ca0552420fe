#include "physics/solver.h"

#include <algorithm>

namespace protobeam::physics {
namespace {

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

}  // namespace

void Solver::convertJoints(btTypedConstraint** constraints, int count,
                           const btContactSolverInfo& info) {
  btSequentialImpulseConstraintSolver::convertJoints(constraints, count, info);
  joints_.clear();
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const int rows = m_tmpConstraintSizesPool[i].m_numConstraintRows;
    if (rows > 0) {
      auto* joint = static_cast<JointConstraint*>(constraints[i]);
      joints_.push_back({joint, first});
      for (int r = 0; r < rows; ++r) {
        btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[first + r];
        soften(row, row.m_cfm);
        const double impulse =
            std::clamp(joint->last_impulse(r), row.m_lowerLimit, row.m_upperLimit);
        row.m_appliedImpulse = impulse;
        btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
        btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
        a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(),
                               row.m_angularComponentA, impulse);
        b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(),
                               row.m_angularComponentB, impulse);
      }
    }
    first += rows;
  }
}

void Solver::convertContacts(btPersistentManifold** manifolds, int count,
                             const btContactSolverInfo& info) {
  btSequentialImpulseConstraintSolver::convertContacts(manifolds, count, info);
  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    const btSolverConstraint& contact = m_tmpSolverContactConstraintPool[i];
    const auto* point = static_cast<const btManifoldPoint*>(contact.m_originalContactPoint);
    if (!(point->m_frictionCFM > 0)) continue;
    for (int d = 0; d < 2; ++d)
      soften(m_tmpSolverContactFrictionConstraintPool[contact.m_frictionIndex + d],
             point->m_frictionCFM / info.m_timeStep);
  }
}

btScalar Solver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                               const btContactSolverInfo& info) {
  for (const Rows& rows : joints_)
    rows.joint->keep_impulses(&m_tmpSolverNonContactConstraintPool[rows.first]);
  joints_.clear();
  return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, count, info);
}

}  // namespace protobeam::physics
