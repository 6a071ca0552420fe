// The rules of vehicles against trajectories that MVSim recorded (tests/data/mvsim), with the same
// schedules, parameters and integration. MVSim's bodies are single precision, ours double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/unit/vehicle/mvsim_runs.h"
#include "tests/unit/vehicle/planar_body.h"

namespace protobeam {
namespace {

/// The worst of a run.
struct Errors {
  double position = 0;  // m
  double yaw = 0;       // rad
  double odometry = 0;  // m/s
  double spin = 0;      // rad/s
  double distance = 0;  // m, from the start, recorded
};

RecordedVehicle held_for_ever(RecordedVehicle vehicle) {
  vehicle.controller.fields["commandTimeout"] = "0";
  return vehicle;
}

PlanarBody body_of(const RecordedVehicle& what) {
  PlanarBody body(vehicle_mass(what.chassis, what.layout));
  body.slope = what.slope;
  body.set_twist({what.initial_vx, 0, 0});
  return body;
}

void compare(const std::map<std::string, double>& row, const PlanarBody& body,
             const Vehicle& vehicle, Errors& worst) {
  const Vec2 recorded(row.at("x"), row.at("y"));
  const double off = (body.position_W() - recorded).norm();
  worst.distance = std::max(worst.distance, recorded.norm());
  worst.position = std::max(worst.position, off);
  worst.yaw = std::max(worst.yaw, std::abs(body.yaw() - row.at("yaw")));
  worst.odometry = std::max(worst.odometry, std::abs(vehicle.odometry().vx - row.at("odo_est_vx")));
  for (std::size_t i = 0; i < vehicle.wheels().size(); ++i) {
    const double spin = row.at("w" + std::to_string(i));
    worst.spin = std::max(worst.spin, std::abs(vehicle.wheels()[i].spin - spin));
  }
}

Errors replay(const RecordedRun& run) {
  const Recording recording = read_recording(run.name);
  const RecordedVehicle what = held_for_ever(recorded_vehicle(run.name));
  Vehicle vehicle = make_vehicle(what.drive, what.tyre, what.controller, what.layout);
  PlanarBody body = body_of(what);

  const double dt = recording.facts.at("dt");
  const auto steps = std::lround(run.duration / dt);
  Errors worst;
  std::size_t row = 1, point = 0;  // row 0 is the start
  for (long k = 0; k < steps; ++k) {
    const double time = static_cast<double>(k) * dt;
    if (point < run.schedule.size() && time >= run.schedule[point].time - dt / 2) {
      EXPECT_EQ(vehicle.command(command_of(run, run.schedule[point++]), time), "");
    }
    body.step(vehicle, time, dt);
    if (row < recording.rows.size() &&
        std::abs(recording.rows[row].at("t") - (time + dt)) < dt / 2) {
      compare(recording.rows[row++], body, vehicle, worst);
    }
  }
  EXPECT_EQ(row, recording.rows.size()) << "rows that no step met";
  return worst;
}

class MvsimReplay : public testing::TestWithParam<RecordedRun> {};

TEST_P(MvsimReplay, FollowsTheRecording) {
  const RecordedRun& run = GetParam();
  const Errors worst = replay(run);
  const auto record = [](const char* key, double value) {
    testing::Test::RecordProperty(key, std::to_string(value));
    std::printf("  %s %.3g\n", key, value);
  };
  record("position_mm", worst.position * 1e3);
  record("yaw_mrad", worst.yaw * 1e3);
  record("odometry_mm_s", worst.odometry * 1e3);
  record("spin_mrad_s", worst.spin * 1e3);
  EXPECT_GT(worst.distance, 3) << "the recorded vehicle hardly moved";
  EXPECT_LT(worst.position, 1e-3);
  EXPECT_LT(worst.yaw, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Runs, MvsimReplay, testing::ValuesIn(read_runs()),
                         [](const testing::TestParamInfo<RecordedRun>& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Mass, centre and inertia that MVSim's engine made of the same chassis and wheels.
TEST(MvsimMass, IsThatOfChassisPlateAndWheelBoxes) {
  for (const RecordedRun& run : read_runs()) {
    const auto facts = read_recording(run.name).facts;
    const RecordedVehicle what = recorded_vehicle(run.name);
    const PlanarMass mass = vehicle_mass(what.chassis, what.layout);
    const double inertia = facts.at("inertia_about_ref");
    EXPECT_NEAR(mass.mass, facts.at("mass_total"), 1e-7 * mass.mass) << run.name;
    EXPECT_NEAR(mass.inertia_about(Vec2::Zero()), inertia, 1e-6 * inertia) << run.name;
    EXPECT_NEAR(mass.centre.x(), facts.at("com_local.0"), 1e-6) << run.name;
    EXPECT_NEAR(mass.centre.y(), facts.at("com_local.1"), 1e-6) << run.name;
  }
}

}  // namespace
}  // namespace protobeam
