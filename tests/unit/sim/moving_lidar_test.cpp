// A spinning lidar on a body that moves, and things that move past one: a whole world, stepped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

constexpr double kPeriod = 0.008;
const Vec3 kRoom(24, 16, 6);  ///< around the world's origin

/// Even motion from time 0 on, as a free body does it.
struct Way {
  Vec3 start, v, w;

  Pose at(double time) const {
    const double angle = w.norm() * time;
    return {angle == 0 ? Quat::Identity() : axis_angle(w.normalized(), angle), start + time * v};
  }
  std::string fields() const {
    const auto text = [](const Vec3& x) {
      return std::to_string(x.x()) + " " + std::to_string(x.y()) + " " + std::to_string(x.z());
    };
    return "translation " + text(start) + " linearVelocity " + text(v) + " angularVelocity " +
           text(w) + " physics Physics { density -1 mass 1 } ";
  }
};

const Pose kX_BS{axis_angle({0.2, 0.1, 1}, 0.7), {0.4, -0.1, 0.25}};

std::string lidar_on(const std::string& robot, bool distorted) {
  return "Robot { name \"r\" controller \"<none>\" " + robot + R"(
    children [ Lidar {
      translation 0.4 -0.1 0.25 rotation 0.2 0.1 1 0.7
      scanLaw "spinning" defaultFrequency 10 horizontalResolution 720 maxRange 100
      beamElevations_deg [ -20, -7, 0, 6, 15 ]
      beamTimes [ 0, 1e-5, 2e-5, 3e-5, 4e-5 ]
      beamOrigins [ 0.03 0 0, 0.03 0.02 0, 0 0 0.04, 0 -0.02 0, 0.03 0 -0.02 ]
      motionDistortion )" +
         (distorted ? "TRUE" : "FALSE") + " } ] }\n";
}
std::string free_robot(const Way& way) {
  return way.fields() + "boundingObject Sphere { radius 0.1 }";
}
std::string room() { return "Shape { geometry Box { size 24 16 6 } }\n"; }

struct TurnedSweep {
  std::vector<BeamReturn> beams;
  double end;  ///< s, the step in which it was published
};

/// The `number`th whole sweep.
TurnedSweep sweep(Simulation& simulation, int number) {
  Device& device = device_named(simulation, "lidar");
  simulation.enable(device, kPeriod);
  for (int step = 0; step < 200; ++step) {
    simulation.step();
    if (device.model->frame_complete() && --number == 0) {
      return {dynamic_cast<BeamSensor&>(*device.model).beams(device.data), simulation.time()};
    }
  }
  throw std::runtime_error("no sweep");
}

Vec3 point(const BeamReturn& beam) { return {beam.x, beam.y, beam.z}; }

/// From the nearest wall; m, positive outside of the room.
double off_the_walls(const Vec3& p_W) { return (p_W.cwiseAbs() - kRoom / 2).maxCoeff(); }

class MovingLidar : public testing::TestWithParam<bool> {
 protected:
  Simulation& load(const std::string& text) {
    SimulationOptions options;
    options.build.bullet_rays = GetParam();
    return world_.load(text, "gravity 0", options);
  }

 private:
  WorldText world_;
};
INSTANTIATE_TEST_SUITE_P(Engines, MovingLidar, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Bullet" : "Embree"; });

TEST_P(MovingLidar, PointsLieOnTheWallsOnceTheTrueMotionIsTakenOut) {
  const Way way{{-3, 2, -0.5}, {6, -2, 0.5}, {0.3, -0.2, 2}};
  Simulation& simulation = load(room() + lidar_on(free_robot(way), true));
  const TurnedSweep s = sweep(simulation, 3);
  ASSERT_EQ(s.beams.size(), 5u * 720);
  const Device& device = device_named(simulation, "lidar");
  EXPECT_LT((simulation.pose_of(device).p - (way.at(s.end) * kX_BS).p).norm(), 1e-6);
  double worst_naive = 0;
  for (const BeamReturn& beam : s.beams) {
    ASSERT_LT(std::abs(off_the_walls(way.at(beam.time) * kX_BS * point(beam))), 1e-3)
        << beam.layer << ' ' << beam.column;
    const double naive = off_the_walls(way.at(s.end) * kX_BS * point(beam));
    worst_naive = std::max(worst_naive, std::abs(naive));
  }
  EXPECT_GT(worst_naive, 0.5);
}

TEST_P(MovingLidar, WithoutDistortionPointsLieOnTheWallsFromThePoseOfTheLastBeamsStep) {
  const Way way{{-3, 2, -0.5}, {6, -2, 0.5}, {0.3, -0.2, 2}};
  const TurnedSweep s = sweep(load(room() + lidar_on(free_robot(way), false)), 3);
  ASSERT_EQ(s.beams.size(), 5u * 720);
  for (const BeamReturn& beam : s.beams) {
    ASSERT_LT(std::abs(off_the_walls(way.at(s.end) * kX_BS * point(beam))), 1e-3);
  }
}

TEST_P(MovingLidar, SpeedLeftInShiftsAWallBySpeedTimesAge) {
  const Way way{{-3, 2, -0.5}, {6, 0, 0}, {0, 0, 0}};
  const TurnedSweep s = sweep(load(room() + lidar_on(free_robot(way), true)), 2);
  int ahead = 0;
  double largest = 0;
  for (const BeamReturn& beam : s.beams) {
    const double shift = way.v.x() * (s.end - beam.time);
    const Vec3 p_W = way.at(s.end) * kX_BS * point(beam);
    const Vec3 side = p_W.cwiseAbs() - kRoom / 2;
    // Clear of the other walls, so that it is the one ahead that was met.
    if (p_W.x() < 0 || side.y() > -0.01 || side.z() > -0.01) continue;
    ++ahead;
    largest = std::max(largest, shift);
    ASSERT_NEAR(p_W.x() - kRoom.x() / 2, shift, 1e-3);
  }
  EXPECT_GT(ahead, 300);
  EXPECT_GT(largest, 0.25);
}

TEST_P(MovingLidar, ATurnLeftInTurnsEachPointByRateTimesAge) {
  // The lidar is off the axis: its place turns, too.
  const Way way{{-3, 2, -0.5}, {0, 0, 0}, {0, 0, 2.5}};
  const TurnedSweep s = sweep(load(room() + lidar_on(free_robot(way), true)), 2);
  double largest = 0;
  for (const BeamReturn& beam : s.beams) {
    const Vec3 naive = way.at(s.end) * kX_BS * point(beam) - way.start;
    const double turn = 2.5 * (s.end - beam.time);
    const Vec3 turned_back = axis_angle(Vec3::UnitZ(), -turn) * naive;
    ASSERT_LT(std::abs(off_the_walls(way.start + turned_back)), 1e-3);
    largest = std::max(largest, (naive - turned_back).norm());
  }
  EXPECT_GT(largest, 2);
}

TEST_P(MovingLidar, BodiesAreMetWhereTheyAreAtEachBeamsInstant) {
  // A ball that crosses the beams and a cube that turns in front of the device.
  const Way ball{{5, 0, 0}, {0, 12, 0}, {0, 0, 0}}, cube{{-4, 0, 0}, {0.5, 0, 0}, {0, 0, 7}};
  const std::string text =
      "Solid { name \"ball\" " + ball.fields() +
      "children [ Shape { geometry Sphere { radius 1 } } ] boundingObject Sphere { radius 1 } }\n"
      "Solid { name \"cube\" " +
      cube.fields() +
      "children [ Shape { geometry Box { size 2 2 2 } } ] boundingObject Box { size 2 2 2 } }\n";
  for (const bool distorted : {true, false}) {
    const TurnedSweep s = sweep(load(text + lidar_on("", distorted)), 2);
    int on_ball = 0, on_cube = 0;
    double worst_frozen = 0;
    for (const BeamReturn& beam : s.beams) {
      if (!std::isfinite(beam.range)) continue;
      const Vec3 p_W = kX_BS * point(beam);
      const auto off = [&](double time) {
        const double from_ball = (p_W - ball.at(time).p).norm() - 1;
        const double from_cube =
            ((cube.at(time).inverse() * p_W).cwiseAbs() - Vec3(1, 1, 1)).maxCoeff();
        return std::min(std::abs(from_ball), std::abs(from_cube));
      };
      ASSERT_LT(off(distorted ? beam.time : s.end), 1e-3) << distorted;
      worst_frozen = std::max(worst_frozen, off(s.end));
      ++(p_W.x() > 0 ? on_ball : on_cube);
    }
    EXPECT_GT(on_ball, 60);
    EXPECT_GT(on_cube, 60);
    EXPECT_EQ(worst_frozen > 0.1, distorted);
  }
}

TEST(MovingLidarRun, HashesTheSameOnAnyNumberOfThreads) {
  const Way way{{-3, 2, -0.5}, {6, -2, 0.5}, {0.3, -0.2, 2}}, ball{{2, 0, 0}, {0, 5, 0}, {0, 0, 0}};
  const std::string text = room() + lidar_on(free_robot(way), true) + "Solid { name \"ball\" " +
                           ball.fields() +
                           "children [ Shape { geometry Sphere { radius 0.5 } } ] boundingObject "
                           "Sphere { radius 0.5 } }";
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    WorldText world;
    SimulationOptions options;
    options.build.threads = threads;
    Simulation& simulation = world.load(text, "gravity 0", options);
    sweep(simulation, 2);
    hashes.push_back(simulation.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace protobeam
