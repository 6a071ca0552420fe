// VelocityDrive: bodies that move by twists, against closed forms.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

class VelocityDriveWorld : public testing::Test {
 protected:
  void load(const std::string& fields, const std::string& info = "gravity 0",
            const std::string& more = "") {
    simulation_ = &world_.load(R"(Robot { name "raft" controller "<none>" children [
        VelocityDrive { )" + fields +
                                   R"( } ]
        boundingObject Box { size 0.4 0.4 0.1 } physics Physics { density -1 mass 3 } })" +
                                   more,
                               info + " basicTimeStep 4");
  }
  void twist(const std::vector<double>& numbers) {
    EXPECT_EQ(device_named(*simulation_, "drive").model->send_command("twist", numbers), "");
  }
  void run(double seconds) {
    const double until = simulation_->time() + seconds;
    while (simulation_->time() < until - 1e-9) simulation_->step();
  }
  Pose pose() { return simulation_->model().physics->pose(0); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(VelocityDriveWorld, FliesAHelixInItsOwnFrame) {
  load("commandTimeout 0");
  const double v = 0.8, w = 0.5, up = 0.3, t = 3;
  twist({v, 0, up, 0, 0, w});
  run(t);
  EXPECT_NEAR(pose().p.x(), v / w * std::sin(w * t), 5e-3);
  EXPECT_NEAR(pose().p.y(), v / w * (1 - std::cos(w * t)), 5e-3);
  EXPECT_NEAR(pose().p.z(), up * t, 5e-3);
  // About its own y axis, which points along -x and y by now.
  twist({0, 0, 0, 0, 0.4, 0});
  run(1);
  const Mat3 R = pose().R.toRotationMatrix();
  EXPECT_NEAR(R(2, 2), std::cos(0.4), 1e-3);
  EXPECT_NEAR(std::atan2(R(1, 1), R(0, 1)), w * t + kPi / 2, 5e-3);
}

TEST_F(VelocityDriveWorld, BeginsAsItsFieldsSayAndStops) {
  load("linear 0 0.5 0 angular 0 0 0 commandTimeout 0.5");
  run(2);
  EXPECT_NEAR(pose().p.y(), 1, 5e-3);
  twist({0, -0.5, 0, 0, 0, 0});
  run(2);
  EXPECT_NEAR(pose().p.y(), 1 - 0.25, 0.01);
}

TEST_F(VelocityDriveWorld, SinksByWhatGravityGivesASubstep) {
  load("", "gravity 10");
  run(1);
  const double substep = 0.002;  // s, two of a step
  EXPECT_NEAR(pose().p.z(), -10 * substep, 1e-3);
}

TEST_F(VelocityDriveWorld, SlidesOverTheFloorWithoutSlowingDown) {
  load("linear 0.5 0 0", "gravity 9.81",
       R"(Solid { translation 0 0 -0.05 boundingObject Plane { size 100 100 } })");
  run(2);
  EXPECT_NEAR(pose().p.x(), 1, 0.05);
  EXPECT_NEAR(pose().p.z(), 0, 0.005);
}

}  // namespace
}  // namespace protobeam
