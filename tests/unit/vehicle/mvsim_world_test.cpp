// The same vehicles as nodes of a world on Bullet, against the same recordings of MVSim: what three
// dimensions add must not change how they drive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/vehicle/mvsim_runs.h"
#include "tests/unit/vehicle/planar_body.h"
#include "vehicle/planar_mass.h"

namespace protobeam {
namespace {

std::string text_of(const NodeText& node, const std::string& more = "") {
  std::string out = node.type + " { " + more;
  for (const auto& [field, value] : node.fields) out += field + " " + value + " ";
  return out + "}";
}

std::string text_of(const std::vector<Wheel>& wheels) {
  std::ostringstream out;
  out.precision(17);
  for (const Wheel& w : wheels) {
    out << "VehicleWheel { position " << w.position_V.transpose() << " mass " << w.mass << " width "
        << w.width << " diameter " << w.diameter << " }\n";
  }
  return out.str();
}

/// A robot whose mass on the map is MVSim's, and which is as high as there.
std::string world_of(const RecordedVehicle& what, double lowest, double height,
                     const std::string& steps = "basicTimeStep 5") {
  const PlanarMass plate = polygon_mass(what.chassis, what.layout.chassis_mass);
  NodeText controller = what.controller;
  controller.fields["commandTimeout"] = "0";
  const double tilt = -std::atan(what.slope);
  const double roll = plate.inertia / 2 + plate.mass * height * height / 12;
  std::ostringstream out;
  out.precision(17);
  out << "#VRML_SIM R2025a utf8\nWorldInfo { " << steps << " }\n"
      << "Solid { name \"ground\" rotation 0 1 0 " << tilt << " boundingObject Plane { } }\n"
      << "Robot { name \"vehicle\" controller \"<none>\" rotation 0 1 0 " << tilt
      << " linearVelocity " << what.initial_vx << " 0 0\n"
      << "boundingObject Pose { translation " << plate.centre.transpose() << " "
      << lowest + height / 2 << " children [ Box { size 0.5 0.5 " << height << " } ] }\n"
      << "physics Physics { density -1 mass " << plate.mass << " centerOfMass [ "
      << plate.centre.transpose() << " " << lowest + height / 2 << " ] inertiaMatrix [ " << roll
      << " " << roll << " " << plate.inertia << " 0 0 0 ] }\n"
      << "children [ "
      << text_of(what.drive, std::string("calm FALSE ") + (what.tips ? "tilts FALSE " : "") + "tyre " +
                                 text_of(what.tyre) + " controller " + text_of(controller) +
                                 " wheels [ " + text_of(what.layout.wheels) + "] ")
      << " ] }\n";
  return out.str();
}

struct Setting {
  double slope = 0;   // rise per metre
  double centre = 0;  // m, height of the centre of mass
};

struct WorldErrors {
  double position = 0;  // m
  double last = 0;      // m, position at the end
  double yaw = 0;       // rad
  double tilt = 0;      // rad
  double distance = 0;  // m, from the start, recorded
};

/// MVSim drives on the map, whatever its slope: its metres are those along the ground. A vehicle that
/// pitches turns about its centre of mass, so that the planar one is the point at that height.
void compare(const std::map<std::string, double>& row, const VehicleHost& vehicle,
             const Setting& setting, WorldErrors& worst) {
  const Pose X_WG = Pose::rotation(axis_angle(Vec3::UnitY(), -std::atan(setting.slope)));
  const Pose X_GV = X_WG.inverse() * vehicle.X_WV();
  const Vec3 recorded(row.at("x"), row.at("y"), 0);
  const Vec3 forward = X_GV.R * Vec3::UnitX();
  const double yaw = std::atan2(forward.y(), forward.x());
  worst.distance = std::max(worst.distance, recorded.norm());
  const Vec3 off = X_GV * Vec3(0, 0, setting.centre) - Vec3(0, 0, setting.centre) - recorded;
  worst.position = std::max(worst.position, off.norm());
  worst.last = off.norm();
  worst.yaw = std::max(worst.yaw, std::abs(std::remainder(yaw - row.at("yaw"), 2 * kPi)));
  worst.tilt = std::max(worst.tilt, std::acos(std::min(1.0, (X_GV.R * Vec3::UnitZ()).z())));
}

WorldErrors replay_in_world(const RecordedRun& run) {
  const Recording recording = read_recording(run.name);
  const RecordedVehicle what = recorded_vehicle(run.name);
  TemporaryFolder folder;
  Diagnostics diagnostics;
  const auto s = Simulation::load(
      folder.write("worlds/run.wbt",
                   world_of(what, recording.bottom, recording.top - recording.bottom)),
      {}, diagnostics);
  if (!s) throw std::runtime_error(diagnostics.to_string());
  VehicleHost& vehicle = *s->find_vehicle("vehicle");
  const double mass = recording.facts.at("mass_total");
  EXPECT_NEAR(s->model().physics->mass(vehicle.body()), mass, 1e-7 * mass);

  const double dt = recording.facts.at("dt");
  const Setting setting{what.slope,
                        s->model().physics->rigid_state(vehicle.body()).centre_W.z()};
  WorldErrors worst;
  std::size_t row = 1, point = 0;  // row 0 is the start
  while (s->time() < run.duration - dt / 2) {
    if (point < run.schedule.size() && s->time() >= run.schedule[point].time - dt / 2) {
      EXPECT_EQ(vehicle.command(command_of(run, run.schedule[point++])), "");
    }
    s->step();
    if (row < recording.rows.size() && std::abs(recording.rows[row].at("t") - s->time()) < dt / 2) {
      compare(recording.rows[row++], vehicle, setting, worst);
    }
  }
  EXPECT_EQ(row, recording.rows.size()) << "rows that no step met";
  return worst;
}

/// How far a world with steps of `dt` strays from the planar rules with that step in 10 s.
double off_the_rules(const std::string& name, const std::string& steps, double dt) {
  RecordedVehicle what = recorded_vehicle(name);
  const auto facts = read_recording(name);
  TemporaryFolder folder;
  Diagnostics diagnostics;
  const auto s = Simulation::load(
      folder.write("worlds/run.wbt", world_of(what, facts.bottom, facts.top - facts.bottom, steps)),
      {}, diagnostics);
  if (!s) throw std::runtime_error(diagnostics.to_string());
  VehicleHost& in_world = *s->find_vehicle("vehicle");
  what.controller.fields["commandTimeout"] = "0";
  Vehicle rules = make_vehicle(what.drive, what.tyre, what.controller, what.layout);
  PlanarBody body(vehicle_mass(what.chassis, what.layout));
  const double height = s->model().physics->rigid_state(in_world.body()).centre_W.z();
  const Twist twist{1, 0, 0.3};
  EXPECT_EQ(in_world.command(twist), "");
  EXPECT_EQ(rules.command(twist, 0), "");
  double worst = 0;
  for (int k = 0; k * dt < 10; ++k) {
    s->step();
    body.step(rules, k * dt, dt);
    const Vec3 p = in_world.X_WV() * Vec3(0, 0, height);
    worst = std::max(worst, (p.head<2>() - body.position_W()).norm());
  }
  EXPECT_GT(body.position_W().norm(), 2);
  return worst;
}

// MVSim steps its vehicles by simul_timestep, whatever it is, and the motion depends on that.
TEST(MvsimStep, OfAWorldIsThatOfTheRulesWhenItIsTold) {
  for (const char* name : {"small_robot-pid-default-curve", "diff3-pid-default-curve"}) {
    EXPECT_LT(off_the_rules(name, "basicTimeStep 10 vehicleTimeStep 10", 0.01), 1e-3) << name;
    EXPECT_LT(off_the_rules(name, "basicTimeStep 20 vehicleTimeStep 20", 0.02), 2e-3) << name;
    EXPECT_LT(off_the_rules(name, "basicTimeStep 7 vehicleTimeStep 7", 0.007), 1e-3) << name;
  }
  // A step of 10 ms is cut in two otherwise.
  EXPECT_GT(off_the_rules("small_robot-pid-default-curve", "basicTimeStep 10", 0.01), 2e-3);
}

class MvsimWorld : public testing::TestWithParam<RecordedRun> {};

TEST_P(MvsimWorld, FollowsTheRecording) {
  const RecordedRun& run = GetParam();
  const WorldErrors worst = replay_in_world(run);
  const auto record = [](const char* key, double value) {
    testing::Test::RecordProperty(key, std::to_string(value));
    std::printf("  %s %.3g\n", key, value);
  };
  record("position_mm", worst.position * 1e3);
  record("end_mm", worst.last * 1e3);
  record("yaw_mrad", worst.yaw * 1e3);
  record("tilt_mrad", worst.tilt * 1e3);
  EXPECT_GT(worst.distance, 3) << "the recorded vehicle hardly moved";
  EXPECT_LT(worst.position, 2e-3);
  EXPECT_LT(worst.yaw, 2e-3);
  EXPECT_LT(worst.tilt, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Runs, MvsimWorld, testing::ValuesIn(read_runs()),
                         [](const testing::TestParamInfo<RecordedRun>& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace protobeam
