#include "physics/solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <map>
#include <numeric>

namespace protobeam::physics {
namespace {

// A mechanism with more rows than this is left to the sweeps.
constexpr std::size_t kMostRows = 200;

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
  for (const std::vector<int>& rows : mechanisms()) solve_directly(rows);
}

std::vector<std::vector<int>> Solver::mechanisms() {
  std::vector<int> parent(m_tmpSolverBodyPool.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  const auto moves = [&](int body) {
    return m_tmpSolverBodyPool[body].internalGetInvMass().x() > 0;
  };
  for (const Rows& rows : joints_) {
    const btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[rows.first];
    if (moves(row.m_solverBodyIdA) && moves(row.m_solverBodyIdB))
      parent[root(row.m_solverBodyIdA)] = root(row.m_solverBodyIdB);
  }
  std::map<int, std::vector<int>> groups;
  for (const Rows& rows : joints_) {
    const btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[rows.first];
    // The child moves, or there would be no constraint.
    auto& group = groups[root(row.m_solverBodyIdB)];
    for (int i = 0; i < rows.count; ++i) group.push_back(rows.first + i);
  }
  std::vector<std::vector<int>> result;
  for (auto& [body, group] : groups) result.push_back(std::move(group));
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

void Solver::solve_directly(std::vector<int> rows) {
  const auto at = [&](int i) -> btSolverConstraint& {
    return m_tmpSolverNonContactConstraintPool[rows[i]];
  };
  while (!rows.empty() && rows.size() <= kMostRows) {
    const int n = static_cast<int>(rows.size());
    Eigen::MatrixXd mobility(n, n);
    Eigen::VectorXd wanted(n);
    for (int i = 0; i < n; ++i) {
      const btSolverConstraint& row = at(i);
      for (int j = 0; j <= i; ++j) mobility(i, j) = mobility(j, i) = coupling(row, at(j));
      // Slightly soft, for loops of joints that lock the same motion twice.
      mobility(i, i) += row.m_cfm / row.m_jacDiagABInv + 1e-12 / row.m_jacDiagABInv;
      const btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
      const btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
      wanted[i] = row.m_rhs / row.m_jacDiagABInv -
                  row.m_contactNormal1.dot(a.getDeltaLinearVelocity()) -
                  row.m_relpos1CrossNormal.dot(a.getDeltaAngularVelocity()) -
                  row.m_contactNormal2.dot(b.getDeltaLinearVelocity()) -
                  row.m_relpos2CrossNormal.dot(b.getDeltaAngularVelocity());
    }
    const Eigen::VectorXd impulses = mobility.ldlt().solve(wanted);
    if (!impulses.allFinite()) return;
    // Rows at their limit push with just that; the others are asked again.
    std::vector<int> free;
    for (int i = 0; i < n; ++i) {
      const double limited = std::clamp(impulses[i], at(i).m_lowerLimit, at(i).m_upperLimit);
      if (limited == impulses[i])
        free.push_back(rows[i]);
      else
        apply(at(i), limited);
    }
    if (free.size() == rows.size()) {
      for (int i = 0; i < n; ++i) apply(at(i), impulses[i]);
      return;
    }
    rows = std::move(free);
  }
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
  return 0;
}

btScalar Solver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                               const btContactSolverInfo& info) {
  for (const Rows& rows : joints_)
    rows.joint->keep_impulses(&m_tmpSolverNonContactConstraintPool[rows.first]);
  joints_.clear();
  return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, count, info);
}

}  // namespace protobeam::physics
