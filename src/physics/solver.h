// Bullet's sequential impulse solver with two things that it lacks for joints: exact softness
// (springs as rows) and a direct solution of each mechanism, with what it pushes, to begin with;
// and faster sweeps.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "physics/joint_constraint.h"
#include "physics/schur_complement.h"
#include "physics/sweeps.h"

namespace protobeam::physics {

/// Below this slip, m/s, a contact keeps its friction directions, so that they do not follow noise,
/// and may stick.
constexpr double kSlips = 1e-3;

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
  /// Of what must be added to the impulses of rows.
  struct RowSystem {
    SchurComplement system;
    std::vector<Eigen::Index> limited;       ///< the rows of `system.rest`
    std::vector<BoxedSystem::Place> places;  ///< of these
  };
  /// Bodies that joints connect, and what touches them and moves, or all that they touch where
  /// light links carry them.
  struct Mechanism {
    std::map<int, std::vector<LimitedRow>> joints;  ///< in groups that joints alone connect
    std::vector<btSolverConstraint*> contacts;
    /// Of all joints, then the contacts, then two of friction for each of them.
    std::vector<LimitedRow> rows;
    std::optional<RowSystem> system;  ///< of the rows, if they are solved at once
    bool rubs = false;  ///< friction was found with all others
  };

  /// Of bodies that were pressed and are no longer: what presses the other way then would throw
  /// them, and sweeps need many rounds to undo impulses that are too large by orders of magnitude.
  void forget_lost_loads();
  std::vector<Mechanism> mechanisms();
  /// The impulses that satisfy all rows at once, as if all others kept theirs. The sweeps only have
  /// to fit the rest to it; by themselves they fall behind in a chain, and where a light link
  /// pushes a heavy body.
  void solve(Mechanism& mechanism);
  /// Of the masses of bodies that joints hold.
  double greatest_ratio(const std::vector<LimitedRow>& rows) const;
  /// The same after all others have changed theirs.
  void solve_again(Mechanism& mechanism);
  /// The same where there are no others, until friction and load agree.
  void settle(Mechanism& mechanism);
  void solve_joints(const std::vector<LimitedRow>& rows);
  void solve_joints(const Mechanism& mechanism);
  /// False, and nothing is changed: rounding decides what is at its limit, or it takes too long, or
  /// it would throw a body.
  bool solve_at_once(Mechanism& mechanism, int most_exchanges);
  /// Of the velocity of a body's centre, m/s.
  double greatest_change(const std::vector<LimitedRow>& rows, const Eigen::VectorXd& changes);
  /// Limits of friction by how hard the contacts press now. The greatest change, as a part of the
  /// greatest limit.
  static double limit_friction(Mechanism& mechanism);
  /// m/s, across the normal, as the substep begins.
  btVector3 slip(const btSolverConstraint& contact) const;
  /// Friction acts against the slip, and turns with it: what pushes a contact across its slip meets
  /// the same part of the friction as it adds to the slip. Otherwise both rows have the whole
  /// friction, and wheels that slip sideways would stick ahead.
  ///
  /// The points of a shape stand for all between them. Where it turns about one of them, that
  /// one does not stick: on a line, friction grows with the slip in its middle until all of it
  /// slips one way, which is at half the difference of the ends.
  void turn_friction();
  /// All rows are those of mechanisms that are solved at once.
  bool nothing_else() const;
  RowSystem system_of(const std::vector<LimitedRow>& rows) const;
  /// What they want now, and their limits. The greatest of what they want, m/s or rad/s.
  double update(RowSystem& system, const std::vector<LimitedRow>& rows) const;
  /// Velocity along `row` that a unit impulse along `other` makes.
  double coupling(const btSolverConstraint& row, const btSolverConstraint& other) const;
  void apply(const std::vector<LimitedRow>& rows, const Eigen::VectorXd& changes);
  void apply(btSolverConstraint& row, double impulse);

  std::vector<Rows> joints_;
  std::vector<Mechanism> mechanisms_;
  std::vector<btVector3> slips_;     ///< of the contacts
  std::vector<btVector3> momentum_;  ///< of the bodies
  Sweeps sweeps_;
};

}  // namespace protobeam::physics
