// Bullet's world, cut open where Bullet decides for us: one substep at a time, our rules for pairs,
// contacts and sleep.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "physics/bullet.h"
#include "physics/plane_contact.h"
#include "physics/solver.h"
#include "physics/world.h"

namespace protobeam::physics {

/// Who may touch whom; asked for every pair in every substep.
using PairFilter = std::function<bool(const btCollisionObject&, const btCollisionObject&)>;

class Dispatcher : public btCollisionDispatcher {
 public:
  Dispatcher(btCollisionConfiguration* configuration, PairFilter filter)
      : btCollisionDispatcher(configuration), filter_(std::move(filter)) {
    setNearCallback(look_at);
  }

  bool needsCollision(const btCollisionObject* a, const btCollisionObject* b) override {
    return btCollisionDispatcher::needsCollision(a, b) && (all_pairs || filter_(*a, *b));
  }

  bool all_pairs = false;  ///< who may touch whom does not count now
  bool far_pairs = false;  ///< what is far above a half space is looked at, too

  /// Keeps apart what two corners of something slender touch: Bullet takes points for one that are
  /// nearer than 2 % of the whole shape's radius.
  btPersistentManifold* getNewManifold(const btCollisionObject* a,
                                       const btCollisionObject* b) override;

  /// All manifolds, in another order.
  void set_order(const std::vector<btPersistentManifold*>& manifolds) {
    for (std::size_t i = 0; i < manifolds.size(); ++i) {
      m_manifoldsPtr[static_cast<int>(i)] = manifolds[i];
      manifolds[i]->m_index1a = static_cast<int>(i);
    }
  }

 private:
  static void look_at(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                      const btDispatcherInfo& info);

  PairFilter filter_;
};

/// Bullet's components in the order of their dependencies.
struct Engine {
  explicit Engine(PairFilter filter) : dispatcher(&configuration, std::move(filter)) {}

  CollisionConfiguration configuration;
  Dispatcher dispatcher;
  btDbvtBroadphase broadphase;
  Solver solver;
};

class Stepper : private Engine, public btDiscreteDynamicsWorld {
 public:
  /// `prepare_contacts(h)` runs between finding contacts and solving them.
  Stepper(const WorldSpec& spec, PairFilter filter, std::function<void(double)> prepare_contacts);

  /// One step of `h` under the forces that the bodies hold.
  void substep(double h) { internalSingleStepSimulation(h); }

  /// Whether two shapes overlap, whatever the rules for pairs. Leaves no trace in the world.
  bool overlap(btCollisionShape& a, const btTransform& X_WA, btCollisionShape& b,
               const btTransform& X_WB);

  void updateAabbs() override;
  /// Gives an object that was put somewhere its box there.
  void place(btCollisionObject& object);

  /// m, how far boxes have grown at most, added up over all times that they were made anew: who
  /// has looked at a box larger by more than that since then knows what may be in it.
  double crept() const { return crept_; }
  /// Goes up with note_change(): objects have come, gone or got other shapes. From 1 on.
  std::uint64_t changes() const { return changes_; }
  void note_change() { ++changes_; }

  /// Forgets what `object` has touched, after a rule about its pairs has changed.
  void forget_pairs(btCollisionObject& object);

 protected:
  void solveConstraints(btContactSolverInfo& info) override;
  void updateActivationState(btScalar h) override;
  /// Bullet moves all bodies ahead, for boxes that hold where they are and where they go. Here
  /// updateAabbs() makes the boxes longer by their way.
  void predictUnconstraintMotion(btScalar h) override;
  /// For bodies with continuous collision detection, which none has: Bullet moves all of them ahead
  /// only to see that.
  void createPredictiveContacts(btScalar) override {}

 private:
  std::function<void(double)> prepare_contacts_;
  double sleep_time_, sleep_linear_, sleep_angular_;
  double ahead_ = 0;  ///< s, that boxes hold bodies' ways for
  double crept_ = 0;
  std::uint64_t changes_ = 1;
};

}  // namespace protobeam::physics
