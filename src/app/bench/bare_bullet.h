// The baseline of the benchmarks of bodies: nothing but Bullet.
#pragma once

#include <memory>
#include <vector>

#include "app/bench/boxes.h"

namespace protobeam::bench {

struct BulletSettings {
  double time_step = 0.01;  ///< s
  int substeps = 1;
  int iterations = 10;
  double residual = 0;  ///< (m/s)^2: done, stop early
  double sleep_time = 1, sleep_linear = 0.01, sleep_angular = 0.01;
};

/// btDiscreteDynamicsWorld with those boxes, and with the softness, friction and bounce of Webots'
/// default contact in Bullet's own terms.
class BareBullet {
 public:
  BareBullet(const std::vector<BenchBox>& boxes, const BulletSettings& settings);
  ~BareBullet();
  void step();
  int contact_points() const;  ///< that Bullet holds now
  int awake() const;           ///< bodies
  double mean_height() const;  ///< m, of those that move

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
  BulletSettings settings_;
};

}  // namespace protobeam::bench
