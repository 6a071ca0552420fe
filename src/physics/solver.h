// Bullet's sequential impulse solver with two things that it lacks for joints: exact softness
// (springs as rows) and a direct solution of each mechanism, with what it pushes, to begin with;
// and faster sweeps.
#pragma once

#include <map>
#include <vector>

#include "physics/boxed_system.h"
#include "physics/joint_constraint.h"
#include "physics/sweeps.h"

namespace protobeam::physics {

/// Of a contact whose friction differs along and across: a point's m_userPersistentData.
struct SecondDirection {
  double friction, slip;
};

class Solver : public btSequentialImpulseConstraintSolver {
 public:
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** constraints, int constraint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override;

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
  /// A row and what its whole impulse may be, N s or N m s.
  struct LimitedRow {
    btSolverConstraint* row;
    double lower, upper;
    double softness;  ///< of its own mobility
  };
  /// Bodies that joints connect, and what touches them and moves, or carries them on light links.
  struct Mechanism {
    std::map<int, std::vector<LimitedRow>> joints;  ///< in groups that joints alone connect
    std::vector<btSolverConstraint*> contacts;
    bool with_contacts = false;  ///< solved with them
  };

  std::vector<Mechanism> mechanisms();
  /// The impulses that satisfy all rows at once, as if all others kept theirs. The sweeps only have
  /// to fit the rest to it; by themselves they fall behind in a chain, and where a light link
  /// pushes a heavy body.
  void solve(Mechanism& mechanism);
  void solve_joints(const std::vector<LimitedRow>& rows);
  /// False, and nothing is changed: rounding decides what is at its limit, or it takes too long.
  bool solve_directly(const std::vector<LimitedRow>& rows, int most_exchanges = 30);
  /// For what must be added to the rows' impulses.
  BoxedSystem system_of(const std::vector<LimitedRow>& rows) const;
  /// Velocity along `row` that a unit impulse along `other` makes.
  double coupling(const btSolverConstraint& row, const btSolverConstraint& other) const;
  void apply(const std::vector<LimitedRow>& rows, const Eigen::VectorXd& changes);
  void apply(btSolverConstraint& row, double impulse);

  std::vector<Rows> joints_;
  std::vector<Mechanism> mechanisms_;
  Sweeps sweeps_;
};

}  // namespace protobeam::physics
