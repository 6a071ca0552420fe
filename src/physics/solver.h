// Bullet's sequential impulse solver with two things that it lacks for joints: exact softness
// (springs as rows) and a direct solution of each mechanism to begin with; and faster sweeps.
#pragma once

#include <vector>

#include "physics/joint_constraint.h"
#include "physics/sweeps.h"

namespace protobeam::physics {

/// Of a contact whose friction differs along and across: a point's m_userPersistentData.
struct SecondDirection {
  double friction, slip;
};

class Solver : public btSequentialImpulseConstraintSolver {
 protected:
  void convertJoints(btTypedConstraint** constraints, int count,
                     const btContactSolverInfo& info) override;
  void convertContacts(btPersistentManifold** manifolds, int count,
                       const btContactSolverInfo& info) override;
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override;
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                         const btContactSolverInfo& info) override;

 private:
  struct Rows {
    JointConstraint* joint;
    int first, count;
  };

  /// Rows of joints, in groups that joints connect.
  std::vector<std::vector<int>> mechanisms();
  /// Velocity along `row` that a unit impulse along `other` makes.
  double coupling(const btSolverConstraint& row, const btSolverConstraint& other) const;
  void apply(btSolverConstraint& row, double impulse);
  /// The impulses that satisfy all rows at once, as if contacts kept theirs. The sweeps only have
  /// to fit contacts and joints together; by themselves they fall behind in a chain.
  void solve_directly(std::vector<int> rows);

  std::vector<Rows> joints_;
  Sweeps sweeps_;
};

}  // namespace protobeam::physics
