// McdAtv and McdHhs on a recorded walk: what their devices are, where, and how often they are
// sampled, against the figures of the dataset's manual and calibrations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "sim/simulation.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;

/// Rows of R and t of T_B_S, as published.
using Rows = std::array<double, 12>;

constexpr char kStep[] = "basicTimeStep 0.8333333333333334";
const Mat3 kOptical = (Mat3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();  // in B
const Mat3 kFlipped = Vec3(1, -1, -1).asDiagonal();

class McdTest : public testing::Test {
 protected:
  McdTest() {
    // A straight line at 1.5 m/s with axes forward, right, down.
    std::string rows = "num,t,x,y,z,qx,qy,qz,qw\n";
    for (int i = 0; i < 40; ++i) {
      rows += std::to_string(i) + "," + std::to_string(1e9 + 0.1 * i) + "," +
              std::to_string(0.15 * i) + ",0,1.5,1,0,0,0\n";
    }
    folder_.write("worlds/pose_inW.csv", rows);
  }

  /// A world with the suite and a wall around it.
  std::filesystem::path world(const std::string& suite, const std::string& fields = "",
                              const std::string& info = kStep) {
    const std::string file =
        "#VRML_SIM R2025a utf8\nEXTERNPROTO \"webots://protos/suites/" + suite +
        ".proto\"\nWorldInfo { " + info + " }\n" + "Background { skyColor [ 0.6 0.7 0.8 ] }\n" +
        "Shape { appearance PBRAppearance { roughness 1 metalness 0 } geometry Box { size 30 30 8 "
        "} }\n" +
        suite + " { bodySlot [ Trajectory { url \"pose_inW.csv\" } ] " + fields + " }\n";
    return folder_.write("worlds/mcd.wbt", file);
  }
  Simulation& load(const std::string& suite, const std::string& fields = "",
                   const std::string& info = kStep) {
    Diagnostics diagnostics;
    simulation_ = Simulation::load(world(suite, fields, info), {}, diagnostics);
    if (!simulation_) throw std::runtime_error(diagnostics.to_string());
    EXPECT_EQ(diagnostics.to_string(), "");
    return *simulation_;
  }
  const Device& device(const std::string& name) const {
    const Device* found = simulation_->find_device(name);
    if (!found) throw std::runtime_error("no device " + name);
    return *found;
  }
  std::vector<std::size_t> shape(const std::string& name) const {
    return device(name).model->layout().channels.at(0).shape;
  }
  /// Of the data of a device, in the body B of the recording.
  Pose T_B_S(const std::string& name) const {
    const Pose X_WB = simulation_->pose_of(device("trajectory"));
    return X_WB.inverse() * simulation_->pose_of(device(name)) * device(name).model->data_frame();
  }
  void expect_at(const std::string& name, const Rows& rows) const {
    const Pose X = T_B_S(name);
    const Mat3 R = X.R.toRotationMatrix();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(R(i, j), rows[static_cast<std::size_t>(4 * i + j)], 3e-9) << name;
      }
      EXPECT_NEAR(X.p[i], rows[static_cast<std::size_t>(4 * i + 3)], 1e-9) << name;
    }
  }
  void expect_at(const std::string& name, const Mat3& R, const Vec3& p, double metres) const {
    const Pose X = T_B_S(name);
    EXPECT_LT((X.R.toRotationMatrix() - R).norm(), 1e-9) << name;
    EXPECT_LT((X.p - p).norm(), metres) << name;
  }
  /// Samples a second of each device, with the suite's own controller.
  std::map<std::string, std::uint64_t> counts(double seconds) {
    std::mutex mutex;
    simulation_->start_controllers([&](const std::string&, bool, std::string_view line) {
      const std::lock_guard lock(mutex);
      said_ += std::string(line) + "\n";
    });
    while (simulation_->time() < seconds - 1e-9) simulation_->step();
    simulation_->finish();
    std::map<std::string, std::uint64_t> out;
    for (const Device& device : simulation_->model().robots.at(0).devices) {
      if (device.frames > 0) out[device.name] = device.frames;
    }
    return out;
  }
  Vec3 vector(const std::string& name, const std::string& channel) const {
    Vec3 out;
    std::memcpy(out.data(),
                device(name).data.data() + device(name).model->layout().find(channel)->offset,
                sizeof out);
    return out;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Simulation> simulation_;
  std::string said_;
};

TEST_F(McdTest, AtvHasTheSensorsOfTheManualAtTheirRates) {
  load("McdAtv", "noise FALSE anchors [ 10 10 3, -10 10 3 ]");
  EXPECT_THAT(shape("os1"), testing::ElementsAre(128, 1024));
  EXPECT_EQ(shape("mid70").back() * shape("mid70").front(), 10000u);
  for (const char* camera : {"d435i", "d455b"}) {
    for (const char* part : {"_infra1", "_infra2", "_color"}) {
      EXPECT_THAT(shape(std::string(camera) + part), testing::ElementsAre(480, 640, part == std::string("_color") ? 4 : 1));
    }
  }
  EXPECT_EQ(simulation_->find_device("d455t_infra1"), nullptr);
  // Messages of the Ouster carry the end of their sweep, those of the Livox its start.
  EXPECT_EQ(std::get<std::string>(device("os1").model->facts().at("headerTime")), "end");
  EXPECT_EQ(std::get<std::string>(device("mid70").model->facts().at("headerTime")), "start");

  // In 0.3 s: 400 Hz, 100 Hz, 30 Hz, 20 Hz and 10 Hz exactly.
  const std::map<std::string, std::uint64_t> expected = {
      {"trajectory", 120}, {"vn100", 120},      {"vn200", 120},      {"d435i_imu", 120},
      {"d455b_imu", 120},  {"os1_imu", 30},     {"d435i_infra1", 9}, {"d435i_infra2", 9},
      {"d435i_color", 9},  {"d455b_infra1", 9}, {"d455b_infra2", 9}, {"d455b_color", 9},
      {"ltp_tag0", 6},     {"ltp_tag1", 6},     {"os1", 3},          {"mid70", 3}};
  EXPECT_EQ(counts(0.3), expected);
  EXPECT_EQ(said_, "");
  // Straight and even, with z down: gravity only.
  for (const char* imu : {"vn100", "vn200"}) {
    EXPECT_LT((vector(imu, "acceleration") - Vec3(0, 0, -9.81)).norm(), 1e-6) << imu;
  }
  const Mat3 R = T_B_S("d455b_imu").R.toRotationMatrix();
  EXPECT_LT((R * vector("d455b_imu", "acceleration") - Vec3(0, 0, -9.81)).norm(), 1e-6);
  EXPECT_GT(device("os1").points, 3u * 120000);  // walls all around
  EXPECT_GT(device("mid70").points, 3u * 9900);
}

TEST_F(McdTest, AtvHasThePublishedExtrinsics) {
  load("McdAtv");
  expect_at("vn100", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
  expect_at("os1",
            {0.999934655, 0.003477625, -0.010889970, -0.060649229, 0.003587143, -0.999943028,
             0.010053516, -0.012837544, -0.010854387, -0.010091923, -0.999890162, -0.020492607});
  expect_at("mid70",
            {0.999858132, -0.000225820, -0.016842377, -0.010514839, -0.000171114, -0.999994706,
             0.003249460, -0.008989785, -0.016843022, -0.003246117, -0.999852877, 0.037356469});
  expect_at("d455b_infra1",
            {-0.014350131, 0.005148515, 0.999883777, 0.056148657, 0.999884338, -0.004964792,
             0.014375704, -0.048647494, 0.005038229, 0.999974421, -0.005076674, 0.115211276});
  expect_at("d455b_infra2",
            {-0.013083100, 0.004828311, 0.999902755, 0.055052773, 0.999902170, -0.004885194,
             0.013106681, 0.045904560, 0.004948002, 0.999976411, -0.004763925, 0.115661151});
  // The Ouster SDK's metadata of a unit: the IMU in the sensor's frame.
  EXPECT_LT(
      (T_B_S("os1").inverse() * T_B_S("os1_imu").p - Vec3(-2.441e-3, -9.725e-3, 7.533e-3)).norm(),
      1e-9);
  // Baselines: 94.56 mm as calibrated, 50 mm as sold; tags 0.8 m apart as measured.
  EXPECT_NEAR((T_B_S("d455b_infra1").p - T_B_S("d455b_infra2").p).norm(), 0.09456, 5e-6);
  EXPECT_NEAR((T_B_S("d435i_infra1").p - T_B_S("d435i_infra2").p).norm(), 0.05, 1e-9);
  EXPECT_NEAR((T_B_S("ltp_tag0").p - T_B_S("ltp_tag1").p).norm(), 0.8, 1e-9);
  EXPECT_LT((T_B_S("d435i_infra1").R.toRotationMatrix() - kOptical).norm(), 1e-9);
  // Intel's drawings: the IMU is 5.5 mm right of the left imager, 5.1 mm above, 11.7 mm behind.
  const Pose X_infra1_imu = T_B_S("d435i_infra1").inverse() * T_B_S("d435i_imu");
  EXPECT_LT((X_infra1_imu.p - Vec3(0.00552, -0.0051, -0.01174)).norm(), 1e-9);
  EXPECT_LT(X_infra1_imu.R.vec().norm(), 1e-9);
  // fx of the calibration, of square pixels.
  EXPECT_NEAR(320 / std::tan(std::get<double>(device("d455b_infra1").model->facts().at("fov")) / 2),
              383.2618, 1e-9);
  // A camera without a calibration: 79.7 deg across.
  EXPECT_NEAR(std::get<double>(device("d435i_infra1").model->facts().at("fov")) * 180 / kPi, 79.7,
              0.1);
  EXPECT_NEAR(std::get<double>(device("d435i_color").model->facts().at("fov")) * 180 / kPi, 54.2,
              0.1);
}

TEST_F(McdTest, HhsHasItsOwnSensorsRatesAndExtrinsics) {
  load("McdHhs", "noise FALSE anchors [ 10 10 3 ]");
  EXPECT_THAT(shape("os1"), testing::ElementsAre(64, 1024));
  EXPECT_EQ(simulation_->find_device("vn100"), nullptr);
  EXPECT_EQ(simulation_->find_device("d435i_infra1"), nullptr);
  expect_at("vn200", Mat3::Identity(), Vec3::Zero(), 1e-9);
  expect_at("os1",
            {0.999913504, -0.011166366, -0.006949579, -0.048945211, -0.011356390, -0.999545301,
             -0.027932495, -0.031269291, -0.006634515, 0.028009001, -0.999585654, -0.017555158});
  expect_at("mid70", kFlipped, {0.020, 0, 0.037}, 1e-9);
  expect_at("d455t_infra1",
            {-0.005082084, -0.001824796, 0.999985421, 0.065729008, 0.999908506, -0.012545425,
             0.005058800, -0.051482906, 0.012536011, 0.999919638, 0.001888386, -0.000984468});
  EXPECT_LT((T_B_S("d455t_infra2").p - Vec3(0.065254530, 0.044075068, 0.000233943)).norm(), 1e-9);
  EXPECT_NEAR((T_B_S("d455t_infra1").p - T_B_S("d455t_infra2").p).norm(), 0.09557, 5e-6);
  const auto frames = counts(0.1);
  const std::map<std::string, std::uint64_t> expected = {
      {"trajectory", 40},  {"vn200", 40},       {"d455t_imu", 40},   {"d455b_imu", 40},
      {"os1_imu", 10},     {"d455t_infra1", 3}, {"d455t_infra2", 3}, {"d455t_color", 3},
      {"d455b_infra1", 3}, {"d455b_infra2", 3}, {"d455b_color", 3},  {"ltp_tag0", 2},
      {"ltp_tag1", 2},     {"os1", 1},          {"mid70", 1}};
  EXPECT_EQ(frames, expected);
}

TEST_F(McdTest, SuitesHaveDepthAndSatellitesWhenAsked) {
  load("McdAtv", "depth TRUE gnss TRUE",
       std::string(kStep) + " gpsCoordinateSystem \"WGS84\" gpsReference 1.34 103.68 0");
  EXPECT_THAT(shape("d455b_depth"), testing::ElementsAre(480, 640));
  expect_at("d455b_depth", T_B_S("d455b_infra1").R.toRotationMatrix(), T_B_S("d455b_infra1").p,
            1e-12);
  expect_at("vn200_gps", kFlipped, T_B_S("vn200").p, 1e-9);
}

TEST_F(McdTest, RecorderSaysWhichRatesTheStepDoesNotAllow) {
  load("McdHhs", "controllerArgs [ \"os1=0\" \"mid70=0\" \"vn200=200\" ] noise FALSE",
       "basicTimeStep 2.5");
  const auto frames = counts(0.1);
  EXPECT_EQ(frames.at("vn200"), 20u);
  EXPECT_FALSE(frames.contains("os1"));
  EXPECT_THAT(
      said_, HasSubstr("d455t_infra1: 30.7692 Hz instead of 30 Hz, since basicTimeStep is 2.5 ms"));
  EXPECT_THAT(said_, testing::Not(HasSubstr("vn200:")));
}

TEST_F(McdTest, CalibrationIsWrittenAndReadBack) {
  const auto first = world("McdAtv").string();
  const std::string yaml = (folder_ / "calib.yaml").string();
  const auto written = protobeam({"calibration", first, "--body", "vn100", "--out", yaml});
  ASSERT_EQ(written.exit, 0) << written.err;
  EXPECT_THAT(read_bytes(yaml), HasSubstr("  os1:\n    T:\n    - [0.9999346"));
  EXPECT_THAT(read_bytes(yaml), HasSubstr("    resolution: [640, 480]\n"));
  EXPECT_THAT(read_bytes(yaml), testing::Not(HasSubstr("trajectory")));

  // Another calibration: the Mid-70 is 1 cm lower.
  std::string moved = read_bytes(yaml);
  const auto at = moved.find("0.037356469");
  ASSERT_NE(at, moved.npos);
  moved.replace(at, 11, "0.047356469");
  folder_.write("calib.yaml", moved);
  const auto fields = protobeam({"calibration", first, "--read", yaml});
  ASSERT_EQ(fields.exit, 0) << fields.err;
  load("McdAtv");
  std::map<std::string, Pose> before;
  for (const Device& device : simulation_->model().robots.at(0).devices) {
    if (device.name != "trajectory") before[device.name] = T_B_S(device.name);
  }
  load("McdAtv", fields.out);
  for (const auto& [name, X] : before) {
    const Vec3 down = name == "mid70" ? Vec3(0, 0, 0.01) : Vec3(Vec3::Zero());
    expect_at(name, X.R.toRotationMatrix(), X.p + down, 1e-8);
  }

  const auto wrong = protobeam({"calibration", first, "--body", "vn10"});
  EXPECT_EQ(wrong.exit, 1);
  EXPECT_THAT(wrong.err, HasSubstr("no sensor 'vn10' on 'mcd_atv'; did you mean 'vn100'?"));
}

TEST_F(McdTest, SuitesSayWhichSensorACalibrationDoesNotMean) {
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { load("McdAtv", "calibration [ \"os2 1 0 0 0 0 1 0 0 0 0 1 0\" ]"); }),
              HasSubstr("no sensor 'os2'; there are vn100, vn200, os1"));
  EXPECT_THAT(
      message_of<std::runtime_error>([&] { load("McdAtv", "calibration [ \"os1 1 0 0\" ]"); }),
      HasSubstr("'os1' needs 12 or 16 numbers"));
}

TEST(McdWorld, RidesAlongItsWalk) {
  Diagnostics diagnostics;
  const auto simulation =
      Simulation::load(std::filesystem::path(source_dir()) / "worlds/mcd.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  EXPECT_EQ(diagnostics.to_string(), "");
  simulation->enable(*simulation->find_device("vn100"), 0.0025);
  for (int i = 0; i < 1200; ++i) simulation->step();
  // The ellipse of worlds/recordings: from (12, 0) towards +y, 2.3 m/s there.
  const Vec3 p = simulation->pose_of(*simulation->find_device("vn100")).p;
  EXPECT_NEAR(p.x(), 12, 0.4);
  EXPECT_NEAR(p.y(), 2.3 * 1.2, 0.2);
}

}  // namespace
}  // namespace protobeam::test
