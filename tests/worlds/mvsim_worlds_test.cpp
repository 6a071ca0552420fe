// MVSim worlds on the command line: what they do is what MVSim recorded of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kData = fs::path(source_dir()) / "tests/data/mvsim";

/// Columns of a table with a header, by name; lines that begin with # are left out.
std::map<std::string, std::vector<double>> columns_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::erase(line, ' ');
    std::istringstream cells(line);
    std::size_t i = 0;
    const bool header = names.empty();
    for (std::string cell; std::getline(cells, cell, ','); ++i) {
      if (header) {
        names.push_back(cell);
      } else {
        out[names.at(i)].push_back(std::stod(cell));
      }
    }
  }
  return out;
}

struct Recording {
  std::string name;
  double duration = 0;
  std::string schedule;
};

std::vector<Recording> runs() {
  std::ifstream in(kData / "runs.txt");
  std::vector<Recording> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Recording run;
    if (words >> run.name >> run.duration >> run.schedule) out.push_back(run);
  }
  return out;
}

/// With nothing but letters, digits and underlines.
std::string test_name(const testing::TestParamInfo<Recording>& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class MvsimTrajectories : public testing::TestWithParam<Recording> {};

TEST_P(MvsimTrajectories, AreThoseOfMvsim) {
  const TemporaryFolder folder;
  const Recording& run = GetParam();
  const Outcome outcome = protobeam({"run", (kData / (run.name + ".xml")).string(), "--duration",
                                     std::to_string(run.duration), "--schedule", run.schedule,
                                     "--log", (folder / "log").string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto ours = columns_of(folder / "log/mvsim_r1_pose.csv");
  const auto theirs = columns_of(kData / (run.name + ".csv"));
  // On a slope MVSim turns a plane; a body that stands on its wheels settles first.
  const bool slope = run.name.find("slope") != std::string::npos;
  const auto& time = ours.at("Timestamp");
  const auto& their_time = theirs.at("t");
  double way = 0, worst = 0, worst_yaw = 0;
  std::size_t row = 0, compared = 0;
  for (std::size_t i = 0; i < their_time.size(); ++i) {
    if (their_time[i] == 0) continue;
    while (row < time.size() && time[row] < their_time[i] - 1e-6) ++row;
    ASSERT_LT(row, time.size());
    ASSERT_NEAR(time[row], their_time[i], 1e-6);
    const double dx = ours.at("q0x")[row] - theirs.at("x")[i];
    const double dy = ours.at("q1y")[row] - theirs.at("y")[i];
    const double yaw = ours.at("q3yaw")[row] - theirs.at("yaw")[i];
    worst = std::max(worst, std::hypot(dx, dy));
    worst_yaw = std::max(worst_yaw, std::abs(std::remainder(yaw, 2 * M_PI)));
    way = std::max(way, std::hypot(theirs.at("x")[i], theirs.at("y")[i]));
    ++compared;
  }
  EXPECT_GT(compared, 150u);
  RecordProperty("worst_mm", std::to_string(worst * 1000));
  RecordProperty("worst_mrad", std::to_string(worst_yaw * 1000));
  EXPECT_LE(worst, slope ? 0.01 * way : 0.002) << "metres, of " << way;
  EXPECT_LE(worst_yaw, slope ? 0.01 : 0.002);
}

INSTANTIATE_TEST_SUITE_P(Recorded, MvsimTrajectories, testing::ValuesIn(runs()), test_name);

class MvsimWorlds : public testing::Test {
 protected:
  /// A room with a rover that carries one of each sensor; its text goes through most tags.
  std::string rover() {
    return folder_.write("rover.world.xml", R"(<mvsim_world version="1.0">
  <georeference> <latitude>36.9</latitude> <longitude>-2.4</longitude> <height>100</height>
  </georeference>
  <element class="horizontal_plane"> <x_min>-8</x_min> <x_max>8</x_max> </element>
  <walls> <shape> <pt>-5 -5</pt> <pt>5 -5</pt> <pt>5 -5</pt> <pt>5 5</pt> </shape> </walls>
  <block name="crate"> <mass>4</mass> <init_pose>2 0.5 30</init_pose> <zmax>0.4</zmax>
    <shape> <pt>-.2 -.2</pt> <pt>.2 -.2</pt> <pt>.2 .2</pt> <pt>-.2 .2</pt> </shape> </block>
  <vehicle name="rover">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential_4_wheels">
      <lf_wheel pos=" .2  .2" mass="1" width=".05" diameter=".2"/>
      <rf_wheel pos=" .2 -.2" mass="1" width=".05" diameter=".2"/>
      <lr_wheel pos="-.2  .2" mass="1" width=".05" diameter=".2"/>
      <rr_wheel pos="-.2 -.2" mass="1" width=".05" diameter=".2"/>
      <chassis mass="9" zmin=".06" zmax=".3">
        <shape> <pt>-.3 -.15</pt> <pt>-.3 .15</pt> <pt>.3 .15</pt> <pt>.3 -.15</pt> </shape>
      </chassis>
      <controller class="twist_pid"> <KP>20</KP> <KI>10</KI> <max_torque>20</max_torque> </controller>
    </dynamics>
    <friction class="default"> <mu>.8</mu> <C_damping>.05</C_damping> </friction>
    <sensor class="laser" name="scanner"> <pose_3d>.1 0 .2 0 0 0</pose_3d>
      <fov_degrees>180</fov_degrees> <nrays>181</nrays> <range_std_noise>0</range_std_noise>
      <sensor_period>.1</sensor_period> </sensor>
    <sensor class="lidar3d" name="lidar"> <pose_3d>0 0 .5 0 0 0</pose_3d>
      <vert_nrays>3</vert_nrays> <vertical_ray_angles>-5 0 5</vertical_ray_angles>
      <horz_nrays>90</horz_nrays> <sensor_period>.05</sensor_period> </sensor>
    <sensor class="imu" name="imu"> <sensor_period>.005</sensor_period> </sensor>
    <sensor class="gnss" name="gps"> <sensor_period>.5</sensor_period> </sensor>
  </vehicle>
</mvsim_world>)");
  }

  nlohmann::json run(const std::string& world, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"run", world, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = protobeam(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }

  TemporaryFolder folder_;
};

TEST_F(MvsimWorlds, SampleTheirSensorsAtTheirPeriods) {
  const auto summary = run(rover(), {"--duration", "2"});
  std::map<std::string, int> frames;
  for (const auto& device : summary["devices"]) frames[device["device"]] = device["frames"];
  EXPECT_EQ(frames["scanner"], 20);
  EXPECT_EQ(frames["lidar"], 40);
  EXPECT_EQ(frames["imu gyro"], 400);
  EXPECT_EQ(frames["imu accelerometer"], 400);
  EXPECT_EQ(frames["gps"], 4);
}

TEST_F(MvsimWorlds, BecomeWebotsTextThatRunsTheSame) {
  const std::string world = rover(), copy = (folder_ / "out/rover.wbt").string();
  fs::create_directories(folder_ / "out");
  const Outcome outcome = protobeam({"import", world, "--out", copy});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::vector<std::string> drive{"--duration", "3", "--schedule", "0:0.6,0.2"};
  const auto original = run(world, drive), imported = run(copy, drive);
  EXPECT_EQ(original["state_hash"], imported["state_hash"]);
  EXPECT_EQ(protobeam({"check", copy}).err, "");
}

TEST_F(MvsimWorlds, HaveOrientationsOfTheirNoise) {
  const std::string world = folder_.write("o.world.xml", R"(<mvsim_world>
  <vehicle name="v"> <init_pose>0 0 0</init_pose> <dynamics class="differential">
    <l_wheel pos="0 .5" mass="4" width=".2" diameter=".4"/>
    <r_wheel pos="0 -.5" mass="4" width=".2" diameter=".4"/>
    <controller class="twist_ideal"/> </dynamics>
    <sensor class="imu" name="imu"> <measure_orientation>true</measure_orientation>
      <orientation_std_noise>.005</orientation_std_noise> </sensor> </vehicle>
</mvsim_world>)");
  const std::string copy = (folder_ / "o.wbt").string();
  const Outcome outcome = protobeam({"import", world, "--out", copy});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::stringstream text;
  text << std::ifstream(copy).rdbuf();
  // 0.005 rad; an InertialUnit counts in half turns.
  EXPECT_THAT(text.str(), testing::HasSubstr("noise 0.00159154943091"));
}

// v^2 / (2 mu g): MVSim holds a block with mu m g whatever floor it is on (Block.cpp).
TEST_F(MvsimWorlds, ABlockSlidesOnAFloorAsFarAsItsOwnFrictionLetsIt) {
  const std::string world = folder_.write("slide.world.xml", R"(<mvsim_world>
  <element class="horizontal_plane"/>
  <block> <init_pose>0 0 0</init_pose> <init_vel>2 0 0</init_vel> <zmax>.3</zmax>
    <ground_friction>.1</ground_friction> <linear_damping>0</linear_damping> </block>
  <sensor class="laser" name="eye"> <pose>-5 0 0</pose> <fov_degrees>2</fov_degrees>
    <nrays>3</nrays> <range_std_noise>0</range_std_noise> </sensor>
</mvsim_world>)");
  const std::string file = (folder_ / "scan.csv").string();
  const Outcome outcome =
      protobeam({"scan", world, "--device", "eye/eye", "--time", "4", "--out", file});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NEAR(columns_of(file).at("range").at(1), 4.5 + 4 / (2 * 0.1 * 9.81), 0.02);
}

TEST_F(MvsimWorlds, WheelsGoUpAnIntangibleRamp) {
  const std::string world = folder_.write("ramp.world.xml", R"(<mvsim_world>
  <block> <init_pose>1.5 0 0</init_pose> <intangible>true</intangible> <static>true</static>
    <shape_from_visual/> <geometry type="ramp" lx="2" ly="2" lz=".25"/> </block>
  <vehicle name="r1"> <init_pose>0 0 0</init_pose> <dynamics class="differential_4_wheels">
    <lr_wheel pos="-.2 .3" mass="4" width=".1" diameter=".4"/>
    <rr_wheel pos="-.2 -.3" mass="4" width=".1" diameter=".4"/>
    <lf_wheel pos=".2 .3" mass="4" width=".1" diameter=".4"/>
    <rf_wheel pos=".2 -.3" mass="4" width=".1" diameter=".4"/>
    <chassis mass="15" zmin=".2" zmax=".5"/> <controller class="twist_ideal"/>
  </dynamics> </vehicle> </mvsim_world>)");
  run(world, {"--duration", "3", "--schedule", "0:0.8,0", "--log", (folder_ / "log").string()});
  const auto pose = columns_of(folder_ / "log/mvsim_r1_pose.csv");
  const double x = pose.at("q0x").back(), slope = 0.25 / 2;
  EXPECT_GT(x, 2.3);
  EXPECT_NEAR(pose.at("q2z").back(), slope * (x - 1.5), 0.02);
  EXPECT_NEAR(pose.at("q4pitch").back(), -std::atan(slope), 0.01);
}

TEST_F(MvsimWorlds, APlatformThatIsAnimatedLiftsAVehicle) {
  const std::string world = folder_.write("lift.world.xml", R"(<mvsim_world>
  <element class="horizontal_plane"> <x_min>-1</x_min> <x_max>1</x_max> <y_min>-1</y_min>
    <y_max>1</y_max> <init_pose>3 0 0</init_pose> <animation type="keyframes">
      <time_pose3d>0 0 0 .02 0 0 0</time_pose3d> <time_pose3d>3 0 0 1.52 0 0 0</time_pose3d>
      <time_pose3d>6 0 0 1.52 0 0 0</time_pose3d> </animation> </element>
  <vehicle name="r1"> <init_pose>3 0 0</init_pose> <dynamics class="differential">
    <l_wheel pos="0 .3" mass="4" width=".1" diameter=".4"/>
    <r_wheel pos="0 -.3" mass="4" width=".1" diameter=".4"/> </dynamics> </vehicle>
</mvsim_world>)");
  run(world, {"--duration", "5", "--log", (folder_ / "log").string()});
  EXPECT_NEAR(columns_of(folder_ / "log/mvsim_r1_pose.csv").at("q2z").back(), 1.52, 1e-3);
}

TEST_F(MvsimWorlds, AScannerSeesTheRoomAndNotItsOwnRobot) {
  const std::string file = (folder_ / "scan.csv").string();
  const Outcome outcome = protobeam({"scan", rover(), "--device", "rover/scanner", "--out", file});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto scan = columns_of(file);
  ASSERT_EQ(scan.at("range").size(), 181u);
  // Column 0 looks to the left edge, the last one to the right: the wall at y = -5.
  EXPECT_NEAR(scan.at("azimuth").front(), M_PI / 2, 1e-6);
  EXPECT_NEAR(scan.at("azimuth").back(), -M_PI / 2, 1e-6);
  EXPECT_NEAR(scan.at("range").back(), 5 - 0.05, 0.01);
  for (const double range : scan.at("range")) EXPECT_GT(range, 1.0);
}

TEST_F(MvsimWorlds, WriteTheLogsThatTheyAskForWhereTheUserSays) {
  const std::string world = folder_.write("a.world.xml", R"(<mvsim_world>
  <save_ground_truth_trajectory>/tmp/elsewhere.txt</save_ground_truth_trajectory>
  <ground_truth_rate>10</ground_truth_rate>
  <vehicle name="r1"> <init_pose>1 2 90</init_pose> <log_path>../../logs</log_path>
    <dynamics class="differential">
      <l_wheel pos="0 .5" mass="4" width=".2" diameter=".4"/>
      <r_wheel pos="0 -.5" mass="4" width=".2" diameter=".4"/>
      <controller class="twist_ideal"/> </dynamics> </vehicle> </mvsim_world>)");
  const std::vector<std::string> words{"run", world, "--duration", "1", "--schedule", "0:1,0"};
  Outcome outcome = protobeam(words);
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.err, HasSubstr("asks for logs of its vehicles; --log DIR or --out DIR"));
  auto with_log = words;
  with_log.insert(with_log.end(), {"--log", (folder_ / "log").string()});
  outcome = protobeam(with_log);
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto pose = columns_of(folder_ / "log/mvsim_r1_pose.csv");
  EXPECT_EQ(pose.at("Timestamp").size(), 200u);
  EXPECT_NEAR(pose.at("q1y").back(), 3, 0.01);
  EXPECT_EQ(columns_of(folder_ / "log/mvsim_r1_wheel_2.csv").at("wheel_pos_y").at(0), -0.5);
  std::ifstream truth(folder_ / "log/r1.txt");
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(truth, line);) {
    std::istringstream words_of(line);
    rows.emplace_back();
    for (double number = 0; words_of >> number;) rows.back().push_back(number);
    ASSERT_EQ(rows.back().size(), 8u) << line;
  }
  ASSERT_EQ(rows.size(), 11u);  // 10 Hz, and the start
  EXPECT_NEAR(rows.back()[2], 3, 0.01);
  EXPECT_NEAR(rows.back()[6], std::sqrt(0.5), 1e-4);  // turned left by 90 degrees
}

TEST_F(MvsimWorlds, ASetPointThatAControllerRefusesIsAnError) {
  const Outcome outcome = protobeam({"run", rover(), "--duration", "1", "--schedule", "raw:0:1,1"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rover refuses the set-point of 0 s"));
  EXPECT_THAT(outcome.err, HasSubstr("TwistPid"));
  EXPECT_THAT(protobeam({"run", rover(), "--schedule", "rower=0:1,0"}).err,
              HasSubstr("no vehicle 'rower' in this world; its vehicles: rover"));
}

TEST_F(MvsimWorlds, ADriverOfACarIsScheduledBySpeedAndSteeringAngle) {
  const std::string world = folder_.write("car.world.xml", R"(<mvsim_world>
  <vehicle name="car"> <init_pose>0 0 0</init_pose> <dynamics class="ackermann">
    <rl_wheel pos="0 .5" mass="6" width=".2" diameter=".6"/>
    <rr_wheel pos="0 -.5" mass="6" width=".2" diameter=".6"/>
    <fl_wheel mass="6" width=".2" diameter=".6"/> <fr_wheel mass="6" width=".2" diameter=".6"/>
    <f_wheels_x>1.2</f_wheels_x> <f_wheels_d>1</f_wheels_d>
    <chassis mass="300" zmin=".2" zmax="1"/>
    <controller class="front_steer_pid"> <KP>300</KP> <KI>100</KI> <max_torque>300</max_torque>
    </controller> </dynamics> </vehicle> </mvsim_world>)");
  const auto drive = [&](const std::string& schedule) {
    return protobeam({"run", world, "--duration", "10", "--schedule", schedule, "--log",
                      (folder_ / "log").string()});
  };
  const Outcome outcome = drive("raw:0:0,-20;1:1.5,20");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto wheel = columns_of(folder_ / "log/mvsim_car_wheel_3.csv").at("steering_yaw");
  EXPECT_LT(wheel.at(100), 0);
  EXPECT_GT(wheel.back(), 0);
  const auto pose = columns_of(folder_ / "log/mvsim_car_pose.csv");
  EXPECT_NEAR(pose.at("dqx").back(), 1.5, 0.02);
  EXPECT_NEAR(pose.at("dqw").back(), 1.5 * std::tan(20 * M_PI / 180) / 1.2, 0.02);

  EXPECT_THAT(drive("0:1,0; 3:1,0.2").err,
              HasSubstr("--schedule, character 3: car refuses the set-point of 0 s: the controller "
                        "FrontSteer takes speed and steering set-points, not a twist; write "
                        "raw:t:speed,steering\n  0:1,0; 3:1,0.2\n    ^"));
  EXPECT_THAT(drive("raw:0:1,0;3:1,2,3").err,
              HasSubstr("character 13: a speed set-point for FrontSteer has 1 number and, if "
                        "wanted, the steering angle in degrees, got 3"));
}

TEST_F(MvsimWorlds, CommandsRunOnlyWhenTheUserAllowsThem) {
  const std::string world = folder_.write("b.world.xml",
                                          "<mvsim_world><variable name='n' value='$(echo 3)'/>"
                                          "<block name='b'><init_pose>${n} 0 0</init_pose></block>"
                                          "</mvsim_world>");
  const Outcome refused = protobeam({"check", world});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("b.world.xml:1:"));
  const Outcome allowed = protobeam({"check", world, "--allow-shell"});
  EXPECT_EQ(allowed.exit, 0) << allowed.err;
}

TEST_F(MvsimWorlds, DefinitionsAreCheckedByThemselves) {
  const std::string good =
      folder_.write("a.sensor.xml", "<sensor class='imu' name='${sensor_name|imu1}'/>");
  EXPECT_EQ(protobeam({"check", good}).exit, 0);
  const std::string bad = folder_.write("b.sensor.xml", "<sensor class='imuu' name='x'/>");
  const Outcome outcome = protobeam({"check", bad});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("unknown class 'imuu' of <sensor>"));
}

TEST(MvsimSample, TheRoverOfTheSquareDrivesItsCircleAndTouchesNothing) {
  const TemporaryFolder folder;
  const Outcome outcome =
      protobeam({"run", "worlds/square.world.xml", "--duration", "20", "--schedule", "0:0.8,0.35",
                 "--log", folder.path().string(), "--json"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(summary["collisions"].empty()) << summary["collisions"].dump();
  std::map<std::string, const nlohmann::json*> devices;
  for (const auto& device : summary["devices"]) devices[device["device"]] = &device;
  ASSERT_TRUE(devices.contains("lidar") && devices.contains("scanner"));
  EXPECT_EQ((*devices["lidar"])["frames"], 200);
  EXPECT_EQ((*devices["scanner"])["frames"], 200);
  // Walls and crates are 2 to 8 m away; the lower half of the lines meets the ground.
  EXPECT_GT((*devices["lidar"])["points"], 200 * 16 * 360 * 3 / 4);
  // v / w = 2.29 m; it starts 2.3 m below the middle, and its first step is not yet at that speed.
  const auto pose = columns_of(folder / "mvsim_rover_pose.csv");
  double nearest = 100, farthest = 0;
  for (std::size_t i = 0; i < pose.at("q0x").size(); ++i) {
    const double r = std::hypot(pose.at("q0x")[i], pose.at("q1y")[i]);
    nearest = std::min(nearest, r);
    farthest = std::max(farthest, r);
  }
  EXPECT_GT(nearest, 2.0);
  EXPECT_LT(farthest, 2.6);
}

// MVSim's page on sensors includes them from an installed MVSim; where there is none, ours are
// taken.
TEST(MvsimSensors, OfTheirPageAreIncludedFromTheStandIn) {
  const auto include = [](const std::string& file, const std::string& arguments) {
    return "<include file=\"$(ros2 pkg prefix mvsim)/share/mvsim/definitions/" + file + "\" " +
           arguments + "/>\n";
  };
  TemporaryFolder folder;
  const auto world = folder.write(
      "sensors.world.xml",
      "<mvsim_world>\n<georeference><latitude>36.9</latitude><longitude>-2.4</longitude>"
      "<height>10</height></georeference>\n"
      "<block name=\"wall\"><init_pose>8 0 0</init_pose><static>true</static><zmax>3</zmax>"
      "<shape><pt>0 -9</pt><pt>0 9</pt><pt>1 9</pt><pt>1 -9</pt></shape></block>\n"
      "<vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">"
      "<l_wheel pos=\"0 .3\" mass=\"1\" diameter=\".2\"/><r_wheel pos=\"0 -.3\" mass=\"1\" "
      "diameter=\".2\"/><controller class=\"twist_pid\"/></dynamics>\n" +
          include("helios-32-FOV-26.sensor.xml", "sensor_name=\"h26\" sensor_rate=\"20\"") +
          include("helios-32-FOV-31.sensor.xml", "sensor_name=\"h31\"") +
          include("helios-32-FOV-70.sensor.xml", "sensor_name=\"h70\"") +
          include("ouster-os1.sensor.xml", "sensor_name=\"os\" sensor_horz_nrays=\"512\"") +
          // This one has a casing, which hides those that stand in the same place.
          include("velodyne-vlp16.sensor",
                  "sensor_name=\"vlp\" sensor_rpm=\"600\" sensor_z=\"2\"") +
          include("lidar2d.sensor.xml", "sensor_name=\"flat\" fov_degrees=\"270\"") +
          include("rplidar-a2.sensor.xml", "sensor_name=\"rp\" sensor_z=\"0.5\"") +
          include("imu.sensor.xml", "sensor_period_sec=\"$f{1/200.0}\"") +
          include("gnss.sensor.xml", "sensor_period_sec=\"0.1\"") +
          include("camera.sensor.xml", "sensor_name=\"eye\" ncols=\"800\"") +
          include("rgbd_camera.sensor.xml", "sensor_name=\"depth\"") +
          "</vehicle></mvsim_world>\n");
  Surroundings no_ros;
  no_ros.environment = {"AMENT_PREFIX_PATH="};
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.5", "--json"}, no_ros);
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::map<std::string, int> frames;
  const auto result = nlohmann::json::parse(outcome.out);
  for (const auto& device : result["devices"]) {
    frames[device["device"]] = device["frames"];
    if (device["type"] == "Lidar") EXPECT_GT(device["points"], 500) << device["device"];
  }
  const std::map<std::string, int> expected{
      {"h26", 10}, {"h31", 5},         {"h70", 5},
      {"os", 5},   {"vlp", 5},         {"flat", 10},
      {"rp", 5},   {"imu1 gyro", 100}, {"imu1 accelerometer", 100},
      {"gps1", 5}, {"eye", 5},         {"depth", 5}};
  EXPECT_EQ(frames, expected);
}

}  // namespace
}  // namespace protobeam::test
