#include "app/bench/bare_bullet.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

namespace protobeam::bench {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

struct BareBullet::Engine {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  ~Engine() {
    for (auto& body : bodies) world.removeRigidBody(body.get());
  }
};

BareBullet::BareBullet(const std::vector<BenchBox>& boxes, const BulletSettings& settings)
    : engine_(std::make_unique<Engine>()), settings_(settings) {
  btDiscreteDynamicsWorld& world = engine_->world;
  world.setGravity(btVector3(0, 0, -9.81));
  world.setForceUpdateAllAabbs(false);
  world.getDispatchInfo().m_deterministicOverlappingPairs = true;
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = settings.iterations;
  info.m_leastSquaresResidualThreshold = settings.residual;
  info.m_minimumSolverBatchSize = 1;
  info.m_splitImpulse = false;
  info.m_restitutionVelocityThreshold = 0.01;
  info.m_warmstartingFactor = 0.95;
  info.m_erp = info.m_erp2 = 0.2;
  info.m_globalCfm = 0.001;
  info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_SIMD | SOLVER_USE_2_FRICTION_DIRECTIONS;
  for (const BenchBox& box : boxes) {
    engine_->shapes.push_back(std::make_unique<btBoxShape>(to_bullet(box.size / 2)));
    btCollisionShape& shape = *engine_->shapes.back();
    shape.setMargin(0.0005);
    btVector3 inertia(0, 0, 0);
    if (box.mass > 0) shape.calculateLocalInertia(box.mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo body(box.mass, nullptr, &shape, inertia);
    body.m_startWorldTransform =
        btTransform(btQuaternion(box.R_WB.x(), box.R_WB.y(), box.R_WB.z(), box.R_WB.w()),
                    to_bullet(box.p_W));
    body.m_friction = 1;
    body.m_restitution = std::sqrt(0.5);  // Bullet multiplies those of both bodies
    body.m_linearSleepingThreshold = settings.sleep_linear;
    body.m_angularSleepingThreshold = settings.sleep_angular;
    engine_->bodies.push_back(std::make_unique<btRigidBody>(body));
    btRigidBody& rigid = *engine_->bodies.back();
    rigid.setLinearVelocity(to_bullet(box.v_W));
    rigid.setAngularVelocity(to_bullet(box.w_W));
    world.addRigidBody(&rigid);
  }
}

BareBullet::~BareBullet() = default;

void BareBullet::step() {
  const double before = gDeactivationTime;  // a global variable of Bullet's
  gDeactivationTime = settings_.sleep_time;
  const double h = settings_.time_step / settings_.substeps;
  for (int i = 0; i < settings_.substeps; ++i) engine_->world.stepSimulation(h, 0);
  gDeactivationTime = before;
}

int BareBullet::contact_points() const {
  int points = 0;
  for (int i = 0; i < engine_->dispatcher.getNumManifolds(); ++i)
    points += engine_->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  return points;
}

int BareBullet::awake() const {
  return static_cast<int>(std::ranges::count_if(engine_->bodies, [](const auto& body) {
    return !body->isStaticObject() && body->isActive();
  }));
}

double BareBullet::mean_height() const {
  double sum = 0;
  int count = 0;
  for (const auto& body : engine_->bodies) {
    if (body->isStaticObject()) continue;
    sum += body->getWorldTransform().getOrigin().z();
    ++count;
  }
  return sum / std::max(count, 1);
}

}  // namespace protobeam::bench
