#include "tests/unit/vehicle/mvsim_runs.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

const std::string kFolder = source_dir() + "/tests/data/mvsim/";

std::ifstream opened(const std::string& file) {
  std::ifstream in(kFolder + file);
  if (!in) throw std::runtime_error("cannot read " + kFolder + file);
  return in;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

/// "# dt=0.005 com_local=0.4,-0.1" to dt, com_local.0, com_local.1.
std::map<std::string, double> facts_of(const std::string& line) {
  std::map<std::string, double> out;
  for (const std::string& word : split(line.substr(2), ' ')) {
    const auto equals = word.find('=');
    const auto values = split(word.substr(equals + 1), ',');
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string name = word.substr(0, equals);
      if (values.size() > 1) name.append(".").append(std::to_string(i));
      out[name] = std::stod(values[i]);
    }
  }
  return out;
}

RecordedVehicle small_robot(const NodeText& controller) {
  return {.drive = {"DifferentialDrive"},
          .tyre = {"DefaultFriction",
                   {{"mu", "0.7"}, {"bearingDamping", "0.1"}, {"rollingResistance", "0.01"}}},
          .controller = controller,
          .layout = {15, {disc(0, 0.5, 4, 0.2, 0.4), disc(0, -0.5, 4, 0.2, 0.4)}},
          .chassis = {{-0.4, -0.5}, {-0.4, 0.5}, {0.4, 0.5}, {0.6, 0.3}, {0.6, -0.3}, {0.4, -0.5}}};
}

RecordedVehicle jackal() {
  return {.drive = {"DifferentialDrive"},
          .tyre = {"DefaultFriction",
                   {{"mu", "0.8"}, {"bearingDamping", "0.05"}, {"rollingResistance", "0.01"}}},
          .controller = {"TwistPid", {{"kp", "20"}, {"ki", "10"}}},
          .layout = {10,
                     {disc(-0.13, 0.16, 1, 0.03, 0.2), disc(-0.13, -0.16, 1, 0.03, 0.2),
                      disc(0.13, 0.16, 1, 0.03, 0.2), disc(0.13, -0.16, 1, 0.03, 0.2)}},
          .chassis = {{-0.208474, -0.215092},
                      {0.208474, -0.215092},
                      {0.228328, -0.195237},
                      {0.241565, -0.162146},
                      {0.254801, -0.00992732},
                      {0.241565, 0.162146},
                      {0.228328, 0.195237},
                      {0.208474, 0.215092},
                      {-0.208474, 0.215092},
                      {-0.228328, 0.195237},
                      {-0.241565, 0.162146},
                      {-0.254801, -0.00992732},
                      {-0.241565, -0.162146},
                      {-0.228328, -0.195237}}};
}

/// Its third wheel does not swivel.
RecordedVehicle tricycle() {
  return {.drive = {"DifferentialDrive"},
          .tyre = {"DefaultFriction",
                   {{"mu", "0.8"}, {"bearingDamping", "0.05"}, {"rollingResistance", "0.01"}}},
          .controller = {"TwistPid", {{"kp", "6"}, {"ki", "3"}, {"maxTorque", "20"}}},
          .layout = {20,
                     {disc(0, 0.3, 2, 0.1, 0.2), disc(0, -0.3, 2, 0.1, 0.2),
                      disc(0.35, 0, 0.5, 0.05, 0.1)}},
          .chassis = {{-0.4, -0.5}, {-0.4, 0.5}, {0.4, 0.5}, {0.6, 0.3}, {0.6, -0.3}, {0.4, -0.5}},
          .tips = true};
}

/// The convex hull of the outline in its world: that is what MVSim weighs.
RecordedVehicle pickup() {
  return {.drive = {"AckermannDrive", {{"maxSteeringAngle", "0.6981317007977318"}}},
          .tyre = {"DefaultFriction",
                   {{"mu", "0.7"}, {"bearingDamping", "0.05"}, {"rollingResistance", "0.01"}}},
          .controller = {"FrontSteerPid", {{"kp", "1500"}, {"ki", "50"}, {"maxTorque", "600"}}},
          .layout = {2000,
                     {disc(-1.8, 0.9, 6, 0.2, 0.8), disc(-1.8, -0.9, 6, 0.2, 0.8),
                      disc(1.7, 0.925, 6, 0.2, 0.8), disc(1.7, -0.925, 6, 0.2, 0.8)}},
          .chassis = {{-2.93594, -1.01985},
                      {-2.62689, -1.08166},
                      {0.896234, -1.26709},
                      {0.958043, -1.14347},
                      {0.958043, 1.20528},
                      {0.896234, 1.26709},
                      {-2.62689, 1.08166},
                      {-2.87413, 1.01985},
                      {-2.93594, 0.958043}}};
}

RecordedVehicle car(const NodeText& drive, const NodeText& tyre, const NodeText& controller) {
  return {.drive = drive,
          .tyre = tyre,
          .controller = controller,
          .layout = {800,
                     {disc(0, 1, 6, 0.3, 0.62), disc(0, -1, 6, 0.3, 0.62),
                      disc(1.3, 1, 6, 0.3, 0.62), disc(1.3, -1, 6, 0.3, 0.62)}},
          .chassis = {{-0.8, -1}, {-0.8, 1}, {1.5, 0.9}, {1.8, 0.8}, {1.8, -0.8}, {1.5, -0.9}}};
}

const NodeText kSmallPid = {"TwistPid",
                            {{"kp", "4.1543"}, {"ki", "1.9118"}, {"maxTorque", "14.44"}}};
const NodeText kCarPid = {"FrontSteerPid",
                          {{"kp", "150.2758"}, {"ki", "59.1637"}, {"maxTorque", "400.94"}}};

}  // namespace

std::vector<RecordedRun> read_runs() {
  std::ifstream in = opened("runs.txt");
  std::vector<RecordedRun> runs;
  for (std::string line; std::getline(in, line);) {
    const auto columns = split(line, '\t');
    RecordedRun run{columns.at(0), std::stod(columns.at(1))};
    std::string schedule = columns.at(2);
    run.raw = schedule.starts_with("raw:");
    if (run.raw) schedule = schedule.substr(4);
    for (const std::string& item : split(schedule, ';')) {
      const auto colon = item.find(':');
      const auto values = split(item.substr(colon + 1), ',');
      run.schedule.push_back(
          {std::stod(item.substr(0, colon)), std::stod(values.at(0)), std::stod(values.at(1))});
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

Recording read_recording(const std::string& run) {
  std::ifstream in = opened(run + ".csv");
  Recording out;
  std::string line;
  std::getline(in, line);
  out.facts = facts_of(line);
  std::getline(in, line);  // "# chassis_poly=... z=[0.05,0.25]"
  const auto height = split(line.substr(line.rfind('[') + 1), ',');
  out.bottom = std::stod(height.at(0));
  out.top = std::stod(height.at(1));
  std::getline(in, line);
  const auto names = split(line, ',');
  while (std::getline(in, line)) {
    const auto values = split(line, ',');
    auto& row = out.rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = std::stod(values.at(i));
  }
  return out;
}

RecordedVehicle recorded_vehicle(const std::string& run) {
  const NodeText ackermann = {"AckermannDrive"};
  if (run == "small_robot-pid-default-straight") return small_robot(kSmallPid);
  if (run == "small_robot-pid-default-curve") return small_robot(kSmallPid);
  if (run == "small_robot-pidopt-antiwindup") {
    return small_robot(
        {"TwistPid", {{"kp", "20"}, {"ki", "40"}, {"maxTorque", "6"}, {"antiWindup", "TRUE"}}});
  }
  if (run == "small_robot-coast-default") {
    RecordedVehicle out = small_robot({"RawControl"});
    out.initial_vx = 2;
    return out;
  }
  if (run == "jackal-pid-default-step") return jackal();
  if (run == "jackal-slope10-uphill") {
    RecordedVehicle out = jackal();
    out.slope = 0.1;
    return out;
  }
  if (run == "diff3-pid-default-curve") return tricycle();
  if (run == "pickup-pid-default-curve") return pickup();
  const std::map<std::string, std::string> loose = {
      {"mu", "0.7"}, {"bearingDamping", "0.5"}, {"rollingResistance", "0.01"}};
  if (run == "car-pid-default-curve") return car(ackermann, {"DefaultFriction", loose}, kCarPid);
  if (run == "car-pid-wardiagnemma-straight") {
    return car(ackermann, {"WardIagnemmaFriction", loose}, kCarPid);
  }
  if (run == "cardt-raw-default-torsen_4wd-slip") {
    return car({"AckermannDrivetrain", {{"drivetrain", "\"torsen_4wd\""}}},
               {"DefaultFriction", {{"mu", "0.15"}, {"bearingDamping", "0.5"}}}, {"RawControl"});
  }
  throw std::runtime_error("no vehicle is typed for the run " + run);
}

DriveCommand command_of(const RecordedRun& run, const SetPoint& point) {
  if (!run.raw) return Twist{point.a, 0, point.b};
  if (run.name.starts_with("cardt")) return TorqueCommand{{-point.a}, point.b * kPi / 180};
  return TorqueCommand{{-point.a, -point.b}};
}

}  // namespace protobeam
