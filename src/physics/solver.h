// Bullet's sequential impulse solver with two things that it lacks for joints: exact softness
// (springs as rows) and a warm start from the last substep.
#pragma once

#include <vector>

#include "physics/joint_constraint.h"

namespace protobeam::physics {

class Solver : public btSequentialImpulseConstraintSolver {
 protected:
  void convertJoints(btTypedConstraint** constraints, int count,
                     const btContactSolverInfo& info) override;
  void convertContacts(btPersistentManifold** manifolds, int count,
                       const btContactSolverInfo& info) override;
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                         const btContactSolverInfo& info) override;

 private:
  struct Rows {
    JointConstraint* joint;
    int first;
  };
  std::vector<Rows> joints_;
};

}  // namespace protobeam::physics
