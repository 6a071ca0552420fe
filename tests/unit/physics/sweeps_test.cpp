// Our sweeps against Bullet's own loop over the same rows: not one bit may differ.
#include "physics/sweeps.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <vector>

#include "base/rng.h"

namespace protobeam::physics {
namespace {

/// What a group's solution consists of.
struct Solution {
  std::vector<double> numbers;
  int sweeps = 0;

  void add(const btConstraintArray& rows) {
    for (int i = 0; i < rows.size(); ++i) numbers.push_back(rows[i].m_appliedImpulse);
  }
  void add(const btAlignedObjectArray<btSolverBody>& bodies) {
    for (int i = 0; i < bodies.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        numbers.push_back(bodies[i].getDeltaLinearVelocity()[k]);
        numbers.push_back(bodies[i].getDeltaAngularVelocity()[k]);
      }
    }
  }
};

/// Solves each group twice.
class SolvesTwice : public btSequentialImpulseConstraintSolver {
 public:
  int groups = 0, rows = 0, rolling = 0, joints = 0, stopped_early = 0, different = 0;

 protected:
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    const auto bodies_before = m_tmpSolverBodyPool;
    const auto joints_before = m_tmpSolverNonContactConstraintPool;
    const auto contacts_before = m_tmpSolverContactConstraintPool;
    const auto friction_before = m_tmpSolverContactFrictionConstraintPool;
    const auto rolling_before = m_tmpSolverContactRollingFrictionConstraintPool;
    btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
    Solution bullets = solution();
    bullets.sweeps = m_analyticsData.m_numIterationsUsed;

    copy(bodies_before, m_tmpSolverBodyPool);
    copy(joints_before, m_tmpSolverNonContactConstraintPool);
    copy(contacts_before, m_tmpSolverContactConstraintPool);
    copy(friction_before, m_tmpSolverContactFrictionConstraintPool);
    copy(rolling_before, m_tmpSolverContactRollingFrictionConstraintPool);
    sweeps_.begin(m_tmpSolverBodyPool);
    sweeps_.add_joints(m_tmpSolverNonContactConstraintPool);
    sweeps_.add_contacts(m_tmpSolverContactConstraintPool);
    sweeps_.add_friction(m_tmpSolverContactFrictionConstraintPool);
    sweeps_.add_rolling_friction(m_tmpSolverContactRollingFrictionConstraintPool);
    int sweeps = 0;
    while (sweeps < info.m_numIterations) {
      ++sweeps;
      if (sweeps_.sweep() <= info.m_leastSquaresResidualThreshold) break;
    }
    sweeps_.end(m_tmpSolverBodyPool);
    Solution ours = solution();
    ours.sweeps = sweeps;

    ++groups;
    rows += m_tmpSolverContactConstraintPool.size();
    rolling += m_tmpSolverContactRollingFrictionConstraintPool.size();
    joints += m_tmpSolverNonContactConstraintPool.size();
    stopped_early += sweeps < info.m_numIterations;
    bool same = ours.sweeps == bullets.sweeps && ours.numbers.size() == bullets.numbers.size();
    for (std::size_t i = 0; same && i < ours.numbers.size(); ++i)
      same = std::bit_cast<std::uint64_t>(ours.numbers[i]) ==
             std::bit_cast<std::uint64_t>(bullets.numbers[i]);
    different += !same;
    return 0;
  }

 private:
  template <typename T>
  static void copy(const btAlignedObjectArray<T>& from, btAlignedObjectArray<T>& to) {
    for (int i = 0; i < from.size(); ++i) to[i] = from[i];
  }

  Solution solution() const {
    Solution out;
    out.add(m_tmpSolverBodyPool);
    out.add(m_tmpSolverNonContactConstraintPool);
    out.add(m_tmpSolverContactConstraintPool);
    out.add(m_tmpSolverContactFrictionConstraintPool);
    out.add(m_tmpSolverContactRollingFrictionConstraintPool);
    return out;
  }

  Sweeps sweeps_;
};

/// Boxes and balls fall into a heap; two pairs of boxes hang on hinges; a paddle pushes.
TEST(Sweeps, GiveBulletsBits) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  SolvesTwice solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.81));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = 40;
  info.m_leastSquaresResidualThreshold = 1e-12;
  info.m_minimumSolverBatchSize = 1;
  info.m_splitImpulse = false;
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;

  btStaticPlaneShape floor(btVector3(0, 0, 1), 0);
  btBoxShape box(btVector3(0.1, 0.15, 0.2)), paddle_shape(btVector3(0.1, 2, 0.3));
  btSphereShape ball(0.12);
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btCollisionShape& shape, double mass, const btVector3& at) -> btRigidBody& {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo what(mass, nullptr, &shape, inertia);
    what.m_startWorldTransform.setIdentity();
    what.m_startWorldTransform.setOrigin(at);
    what.m_friction = 0.7;
    if (&shape == &ball) what.m_rollingFriction = what.m_spinningFriction = 0.05;
    if (mass == 0) what.m_rollingFriction = what.m_spinningFriction = 0.5;
    bodies.push_back(std::make_unique<btRigidBody>(what));
    world.addRigidBody(bodies.back().get());
    return *bodies.back();
  };
  add(floor, 0, {0, 0, 0});
  const NoiseKey key{.seed = 3, .device = 0, .stream = 0, .frame = 0};
  for (int i = 0; i < 60; ++i) {
    const double x = uniform(key, 2 * i) - 0.5, y = uniform(key, 2 * i + 1) - 0.5;
    add(i % 3 ? static_cast<btCollisionShape&>(box) : ball, 1 + i % 5, {x, y, 0.4 + 0.1 * i});
  }
  btRigidBody& paddle = add(paddle_shape, 0, {-1.5, 0, 0.3});
  paddle.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
  paddle.setActivationState(DISABLE_DEACTIVATION);
  std::vector<std::unique_ptr<btHingeConstraint>> hinges;
  for (const int i : {10, 20}) {
    hinges.push_back(std::make_unique<btHingeConstraint>(*bodies[i], *bodies[i + 1],
                                                         btVector3(0, 0, 0.1), btVector3(0, 0, -0.1),
                                                         btVector3(0, 1, 0), btVector3(0, 1, 0)));
    hinges.back()->enableAngularMotor(true, 2, 0.3);
    world.addConstraint(hinges.back().get(), true);
  }
  for (int step = 0; step < 400; ++step) {
    btTransform at = paddle.getWorldTransform();
    at.setOrigin(at.getOrigin() + btVector3(0.002, 0, 0));
    paddle.setWorldTransform(at);
    world.stepSimulation(1.0 / 200, 0);
  }
  EXPECT_EQ(solver.different, 0) << "of " << solver.groups;
  EXPECT_GT(solver.groups, 1000);
  EXPECT_GT(solver.rows, 20'000);
  EXPECT_GT(solver.rolling, 1000);
  EXPECT_GT(solver.joints, 1000);
  EXPECT_GT(solver.stopped_early, 100);
  for (auto& hinge : hinges) world.removeConstraint(hinge.get());
  for (auto& body : bodies) world.removeRigidBody(body.get());
}

}  // namespace
}  // namespace protobeam::physics
