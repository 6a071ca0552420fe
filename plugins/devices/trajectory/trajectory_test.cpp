// Robots that ride along recordings, in worlds: where they are, what their inertial sensors
// measure, and what the loader says about files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kStep = 0.008, kG = 9.81;
constexpr double kEpoch = 1645069412.5;  // s; a recording of 2022

/// A circle about (10, 20, 3) with the nose along the path, at t s.
struct Circle {
  double radius = 5, rate = 0.7;
  Pose at(double t) const {
    const double angle = rate * t;
    return {axis_angle(Vec3::UnitZ(), angle + kPi / 2),
            Vec3(10 + radius * std::cos(angle), 20 + radius * std::sin(angle), 3)};
  }
};

std::string number(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

std::string rows(const std::function<Pose(double)>& at, double interval, int count,
                 const std::string& between, bool numbered) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const Pose X = at(i * interval);
    if (numbered) out += std::to_string(i + 11) + between;
    for (const double n :
         {kEpoch + i * interval, X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w()}) {
      out += number(n) + between;
    }
    out.resize(out.size() - between.size());
    out += "\n";
  }
  return out;
}

class TrajectoryWorld : public testing::Test {
 protected:
  /// A robot named r whose children the text is; the recording stands beside the world.
  Simulation& load(const std::string& recording, const std::string& fields,
                   const std::string& devices = "", const std::string& robot = "") {
    world_.folder().write("worlds/recording.txt", recording);
    simulation_ = &world_.load(robot +
                                   "Robot { name \"r\" controller \"<none>\" children [ Trajectory "
                                   "{ url \"recording.txt\" " +
                                   fields + " } " + devices + " ] }",
                               "gravity 9.81");
    return *simulation_;
  }
  Simulation& circle(const std::string& fields = "", const std::string& devices = "") {
    return load(rows([](double t) { return Circle().at(t); }, 0.05, 201, " ", false), fields,
                devices);
  }
  std::string error(const std::string& recording, const std::string& fields = "") {
    return message_of<std::runtime_error>([&] { load(recording, fields); });
  }
  Pose robot() const {
    for (const SolidInfo& solid : simulation_->model().solids) {
      if (solid.name == "r") return simulation_->model().physics->pose(solid.body) * solid.X_BS;
    }
    throw std::runtime_error("no robot");
  }
  std::vector<double> channel(const std::string& device, const std::string& name) const {
    Device& found = *simulation_->find_device(device);
    const ChannelLayout& layout = *found.model->layout().find(name);
    std::vector<double> out(layout.count());
    std::memcpy(out.data(), found.data.data() + layout.offset, layout.bytes());
    return out;
  }
  Vec3 vector(const std::string& device, const std::string& name) const {
    const auto n = channel(device, name);
    return {n.at(0), n.at(1), n.at(2)};
  }
  void enable(const std::string& device, double period = kStep) {
    simulation_->enable(*simulation_->find_device(device), period);
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) simulation_->step();
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

void expect_same(const Pose& a, const Pose& b, double metres, double radians) {
  EXPECT_LT((a.p - b.p).norm(), metres);
  EXPECT_LT(2 * (a.R.conjugate() * b.R).vec().norm(), radians);
}

TEST_F(TrajectoryWorld, PutsTheRobotWhereTheRecordingSays) {
  circle();
  expect_same(robot(), Circle().at(0), 1e-12, 1e-12);
  for (int i = 1; i <= 300; ++i) {
    step(1);
    // The recording has a row each 50 ms: its own error is below a micrometre.
    expect_same(robot(), Circle().at(i * kStep), 1e-6, 1e-6);
  }
}

TEST_F(TrajectoryWorld, MovesWithTheDerivativesOfTheCurve) {
  circle("", "GPS { name \"gps\" }");
  enable("gps");
  enable("trajectory");
  step(250);
  const double t = 250 * kStep, w = Circle().rate, r = Circle().radius;
  const Vec3 out(std::cos(w * t), std::sin(w * t), 0), along(-out.y(), out.x(), 0);
  EXPECT_LT((vector("trajectory", "velocity") - r * w * along).norm(), 1e-5);
  EXPECT_LT((vector("trajectory", "acceleration") + r * w * w * out).norm(), 1e-3);
  EXPECT_LT((vector("trajectory", "angular_velocity") - Vec3(0, 0, w)).norm(), 1e-6);
  EXPECT_LT((vector("trajectory", "position") - Circle().at(t).p).norm(), 1e-6);
  EXPECT_NEAR(channel("trajectory", "recorded_time")[0], kEpoch + t, 1e-6);
  EXPECT_LT((simulation_->model().physics->velocity(0) - r * w * along).norm(), 1e-5);
}

TEST_F(TrajectoryWorld, LetsAnImuMeasureCentripetalAccelerationAndGravity) {
  // At the middle, 2 m ahead, and 2 m to the left, where the circle is smaller.
  circle("",
         "Imu { name \"middle\" } Imu { name \"ahead\" translation 2 0 0 } "
         "Imu { name \"left\" translation 0 2 0 } Imu { name \"slow\" }");
  enable("middle");
  enable("ahead");
  enable("left");
  enable("slow", 5 * kStep);
  const double w = Circle().rate, r = Circle().radius;
  // An Imu reports the mean over the last step, along axes of its end: off by half a step's turn.
  // The recording's rows, 50 ms apart, add at most 2.5 mm/s^2 near its ends.
  const auto expect = [&](const char* imu, double ahead, double left, int step) {
    const Vec3 wanted(-ahead * w * w, (r - left) * w * w, kG);
    const double off = (vector(imu, "acceleration") - wanted).norm();
    const double half_step = std::hypot(ahead, r - left) * w * w * w * kStep / 2;
    EXPECT_LT(off, half_step + 2.5e-3) << imu << " in step " << step;
  };
  for (int i = 1; i <= 500; ++i) {
    step(1);
    // From the first sample on: there is no start from rest.
    expect("middle", 0, 0, i);
    expect("ahead", 2, 0, i);
    expect("left", 0, 2, i);
    EXPECT_LT((vector("middle", "angular_velocity") - Vec3(0, 0, w)).norm(), 1e-5) << i;
    if (i % 5 == 0) expect("slow", 0, 0, i);
  }
}

TEST_F(TrajectoryWorld, CarriesABodyWithItsAxesForwardRightDown) {
  // The recording turns about the map's z, which points up, with a body whose z points down.
  const Quat down = axis_angle(Vec3::UnitX(), kPi);
  load(rows(
           [&](double t) {
             return Pose{Circle().at(t).R * down, Circle().at(t).p};
           },
           0.05, 201, " ", false),
       "rotation 1 0 0 3.14159265358979 translation 0.5 0 0.2",
       "Imu { name \"imu\" rotation 1 0 0 3.14159265358979 translation 0.5 0 0.2 }");
  enable("imu");
  step(100);
  const double w = Circle().rate, r = Circle().radius;
  // Left of forward is now negative y, and gravity is felt along negative z.
  EXPECT_LT((vector("imu", "acceleration") - Vec3(0, -r * w * w, -kG)).norm(), 0.01);
  EXPECT_LT((vector("imu", "angular_velocity") - Vec3(0, 0, -w)).norm(), 1e-5);
  const Pose X = robot();
  EXPECT_GT((X.R * Vec3::UnitZ()).z(), 1 - 1e-9);
  EXPECT_LT((X * Vec3(0.5, 0, 0.2) - Circle().at(100 * kStep).p).norm(), 1e-6);
}

TEST_F(TrajectoryWorld, ReadsAllFormats) {
  const auto at = [](double t) { return Circle().at(t); };
  const std::string header = "num,t,x,y,z,qx,qy,qz,qw\n";
  std::string tabs = header;
  for (char& c : tabs) c = c == ',' ? '\t' : c;
  const std::string files[] = {"# t x y z qx qy qz qw\n" + rows(at, 0.05, 60, " ", false),
                               header + rows(at, 0.05, 60, ",", true),
                               tabs + rows(at, 0.05, 60, "\t", true)};
  const char* const formats[] = {"tum", "mcd_pose", "mcd_pose"};
  for (int i = 0; i < 3; ++i) {
    for (const std::string& format : {std::string("auto"), std::string(formats[i])}) {
      load(files[i], "format \"" + format + "\"");
      step(100);
      expect_same(robot(), Circle().at(100 * kStep), 1e-6, 1e-6);
    }
  }
}

TEST_F(TrajectoryWorld, RidesAlongASplineOfControlPoses) {
  // Controls on a line at 2 m/s that turn at 0.7 rad/s: the spline moves so, half of its order
  // later.
  const auto at = [](double t) {
    return Pose{axis_angle(Vec3::UnitZ(), 0.7 * t), Vec3(2 * t, 1, 0)};
  };
  load("Dt: 0.025, Order: 6, Knots: 101, MinTime: 1645069412.5, MaxTime: 1645069414.9\n" +
           rows(at, 0.025, 101, ",", true),
       "");
  enable("trajectory");
  EXPECT_NEAR(
      std::get<double>(simulation_->find_device("trajectory")->model->facts().at("duration")),
      0.025 * 96, 1e-12);
  step(100);
  // A spline of order 6 at its start is 2 intervals past its first control: (6 - 2) / 2.
  expect_same(robot(), at(100 * kStep + 0.05), 1e-9, 1e-9);
  EXPECT_LT((vector("trajectory", "velocity") - Vec3(2, 0, 0)).norm(), 1e-9);
  EXPECT_NEAR(channel("trajectory", "recorded_time")[0], kEpoch + 100 * kStep, 1e-6);
}

TEST_F(TrajectoryWorld, StartsLaterRunsFasterAndLiesElsewhere) {
  circle("startTime 1.5 speed 2 mapTranslation -10 -20 1 mapRotation 0 0 1 0.5");
  enable("trajectory");
  step(100);
  const Pose X_WM{axis_angle(Vec3::UnitZ(), 0.5), Vec3(-10, -20, 1)};
  expect_same(robot(), X_WM * Circle().at(1.5 + 2 * 100 * kStep), 1e-6, 1e-6);
  EXPECT_NEAR(vector("trajectory", "velocity").norm(), 2 * 5 * 0.7, 5e-5);
  EXPECT_NEAR(vector("trajectory", "acceleration").norm(), 4 * 5 * 0.49, 4e-3);
  EXPECT_NEAR(vector("trajectory", "angular_velocity").z(), 2 * 0.7, 1e-5);
}

TEST_F(TrajectoryWorld, StandsStillAfterTheEndUnlessItLoops) {
  circle("startTime 9.6");
  enable("trajectory");
  step(100);
  expect_same(robot(), Circle().at(10), 1e-9, 1e-9);
  EXPECT_EQ(vector("trajectory", "velocity").norm(), 0);
  EXPECT_EQ(simulation_->model().physics->velocity(0).norm(), 0);

  circle("startTime 9.6 loop TRUE");
  step(100);
  expect_same(robot(), Circle().at(9.6 + 0.8 - 10), 1e-6, 1e-6);
}

TEST_F(TrajectoryWorld, IsSeenToJumpWhereALoopDoesNotClose) {
  // A lidar beside the path turns once in each step: nothing is on the way back from 10 m to 0.
  load(rows(
           [](double t) {
             return Pose::translation({10 * t, 0, 0});
           },
           0.1, 11, " ", false),
       "loop TRUE", "Shape { geometry Box { size 0.2 0.2 0.2 } }",
       "Robot { name \"watcher\" controller \"<none>\" translation 5 2 0 children [ Lidar { "
       "scanLaw \"spinning\" beamElevations_deg [ 0 ] horizontalResolution 720 maxRange 20 "
       "defaultFrequency 125 maxFrequency 125 motionDistortion TRUE } ] }");
  Device& lidar = *simulation_->find_device("lidar");
  simulation_->enable(lidar, kStep);
  int far = 0, near = 0;
  for (int i = 1; i <= 132; ++i) {
    step(1);
    if (i < 118) continue;
    for (const BeamReturn& beam : dynamic_cast<BeamSensor&>(*lidar.model).beams(lidar.data)) {
      if (!std::isfinite(beam.range)) continue;
      const double x = 5 + double{beam.x};
      EXPECT_TRUE(x < 1 || x > 9) << x << " m in step " << i;
      ++(x > 5 ? far : near);
    }
  }
  EXPECT_GT(far, 0);
  EXPECT_GT(near, 0);
}

TEST_F(TrajectoryWorld, PushesWhatItTouches) {
  load(rows(
           [](double t) {
             return Pose::translation({2 * t, 0, 0.5});
           },
           0.1, 31, " ", false),
       "", "Solid { name \"bumper\" boundingObject Box { size 1 1 1 } }",
       "Solid { name \"ball\" translation 1.5 0 0.3 boundingObject Sphere { radius 0.3 } "
       "physics Physics { mass 1 density -1 } } "
       "Solid { name \"floor\" boundingObject Plane { size 50 50 } } ");
  step(350);
  const auto& solids = simulation_->model().solids;
  for (const SolidInfo& solid : solids) {
    if (solid.name == "ball") {
      EXPECT_GT(simulation_->model().physics->pose(solid.body).p.x(), 5.5);
    }
  }
  expect_same(robot(), Pose::translation({2 * 350 * kStep, 0, 0.5}), 1e-9, 1e-9);
}

TEST_F(TrajectoryWorld, SaysWhatIsWrongWithAFile) {
  const std::string good = "0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n";
  const std::pair<std::string, std::string> cases[] = {
      {good + "1 0 0 0 0 0 0 1\n", "recording.txt:3: times must rise, got 1 and then 1"},
      {good + "0.5 0 0 0 0 0 0 1\n", "recording.txt:3: times must rise, got 1 and then 0.5"},
      {good + "1e308 0 0 0 0 0 0 1\n", "recording.txt:3: rows must be 1e-12 to 1000000000 s apart"},
      {"-1e308 0 0 0 0 0 0 1\n1e308 0 0 0 0 0 0 1\n", "recording.txt:2: rows must be"},
      {"0 0 0 0 0 0 0 1\n1e-308 1 0 0 0 0 0 1\n", "recording.txt:2: rows must be"},
      {good + "2 nan 0 0 0 0 0 1\n", "recording.txt:3: x must be a finite number, got 'nan'"},
      {good + "2 0 0 0 0 0 inf 1\n", "recording.txt:3: qz must be a finite number, got 'inf'"},
      {good + "2 0 0 0 0 0 0 0.9\n",
       "recording.txt:3: the quaternion qx qy qz qw has the length 0.9, not 1"},
      {good + "2 0 0 0 0 0 0 0\n", "has the length 0, not 1"},
      {good + "2 0 0 0 0 0 1 0\n", "recording.txt:3: turned by 180 deg since the row before"},
      {good + "2 0 0 0 0 0 0\n", "recording.txt:3: 7 values in a row that needs 8"},
      {good + "2 1e9 0 0 0 0 0 1\n", "recording.txt:3: x, y and z must be within"},
      {"0 0 0 0 0 0 0 1\n", "a trajectory needs two rows or more, this file has 1"},
      {"", "a trajectory needs two rows or more, this file has 0"},
      {"timestamp,x,y\n0,1,2\n", "recording.txt:1: unknown header 'timestamp'; a file begins with"},
      {"num,t,x,y,z,qw,qx,qy,qz\n", "recording.txt:1: the columns of poses are num,t,x,y,z,qx"},
      {"Dt: 0.1, Order: 4, Knots: 5, MinTime: 0, MaxTime: 0.2\n0,0,0,0,0,0,0,0,1\n",
       "the header tells of 5 Knots, the file has 1 rows; it may be cut off"},
      {"Dt: 0.1, Order: 4.5, Knots: 5, MinTime: 0\n", "recording.txt:1: a spline needs Order"},
      {"Dt: 0.1, Order: 40, Knots: 50, MinTime: 0\n", "recording.txt:1: a spline needs Order"},
      {"Dt: 0.1, Order: 4, Knots: 3, MinTime: 0\n", "a spline of order 4 needs so many Knots"},
      {"Dt: 0, Order: 4, Knots: 5, MinTime: 0\n", "a spline needs Dt"},
      {"Dt: 0.1, Order: 4, Knots: 5\n", "a spline needs MinTime"},
      {"Dt: 0.1, Order: 2, Knots: 2, MinTime: x\n", "MinTime must be a finite number, got 'x'"},
      {"Dt: 0.1, Order: 2, Knots: 2, MinTime: 0\n0,0,0,0,0,0,0,0,1\n1,0.2,0,0,0,0,0,0,1\n",
       "recording.txt:3: rows of this spline are Dt = 0.1 s apart, got 0.2 s"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(error(text), HasSubstr(message)) << text;
    EXPECT_THAT(error(text), HasSubstr("test.wbt:3:")) << text;  // the field that names it
  }
  EXPECT_THAT(error("num,t,x,y,z,qx,qy,qz,qw\n", "format \"tum\""),
              HasSubstr("write format \"mcd_pose\""));
  EXPECT_THAT(error("Dt: 0.1\n", "format \"tum\""), HasSubstr("write format \"mcd_spline\""));
  EXPECT_THAT(error(good, "format \"mcd_spline\""), HasSubstr("a spline begins with Dt"));
  EXPECT_THAT(error(good, "startTime 1"),
              HasSubstr("field 'startTime' of Trajectory must be less than the 1.000000 s"));
  EXPECT_THAT(error(good, "url \"\""), HasSubstr("url"));
  for (const char* speed : {"1e300", "1001", "0", "-1"})
    EXPECT_THAT(error(good, std::string("speed ") + speed), HasSubstr("field 'speed'")) << speed;
}

TEST_F(TrajectoryWorld, StandsOnceInARobotThatNothingElseMoves) {
  world_.folder().write("worlds/recording.txt", "0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n");
  const auto says = [&](const std::string& text) {
    return message_of<std::runtime_error>([&] { world_.load(text); });
  };
  const std::string one = "Trajectory { url \"recording.txt\" }";
  EXPECT_EQ(says("Robot { children [ Pose { children [ " + one + " ] } ] }"), "");
  EXPECT_THAT(
      says("Robot { name \"r\" children [ " + one + " ] physics Physics { mass 1 density -1 } }"),
      HasSubstr("says where its robot is; remove the Physics of the Robot 'r'"));
  EXPECT_THAT(says("Robot { name \"r\" children [ " + one +
                   " Trajectory { name \"b\" url \"recording.txt\" } ] }"),
              HasSubstr("'r' has one already; remove one of them"));
  EXPECT_THAT(says("Solid { children [ Robot { children [ " + one + " ] } ] }"),
              HasSubstr("it stands in a Robot that is on nothing else"));
  EXPECT_THAT(
      says("Robot { children [ HingeJoint { endPoint Solid { children [ " + one + " ] } } ] }"),
      HasSubstr("not behind a joint"));
}

TEST(TrajectoryFile, IsOneThatTheWorldMayName) {
  const TemporaryFolder project, elsewhere;
  const auto secret = elsewhere.write("secret.txt", "root:x:0\n");
  const auto world = project.write("worlds/w.wbt",
                                   "#VRML_SIM R2025a utf8\nRobot { children [ Trajectory { url \"" +
                                       secret.string() + "\" } ] }\n");
  const auto refused = test::protobeam({"check", world.string()});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.out + refused.err, HasSubstr("--allow-path"));
  EXPECT_THAT(refused.out + refused.err, testing::Not(HasSubstr("root")));
  const auto allowed =
      test::protobeam({"check", world.string(), "--allow-path", elsewhere.path().string()});
  EXPECT_THAT(allowed.out + allowed.err, HasSubstr("unknown header 'root:x:0'"));
}

}  // namespace
}  // namespace protobeam
