// Programs in C and C++ that use lamps, sounds, motions and what is not simulated, in a world.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kRobots = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Robot {
  controller "@"
  children [
    LED { }
    Speaker { }
    Pen { }
    Skin { name "hide" }
    Microphone { }
    HingeJoint {
      device [ RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
      endPoint Solid { physics Physics { mass 1 density -1 } boundingObject Box { size 0.1 0.1 0.1 } }
    }
  ]
}
)";

/// 8 kHz, one byte a sample, 4000 samples; a chunk that players skip before the data.
std::string wav() {
  using namespace std::string_literals;
  const auto number = [](std::uint32_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 255);
    return out;
  };
  const std::string body = "WAVEfmt "s + number(16, 4) + number(1, 2) + number(1, 2) +
                           number(8000, 4) + number(8000, 4) + number(1, 2) + number(8, 2) +
                           "LIST"s + number(3, 4) + "abc\0"s + "data"s + number(4000, 4) +
                           std::string(4000, '\x80');
  return "RIFF"s + number(static_cast<std::uint32_t>(body.size()), 4) + body;
}

class WebotsApiInARobot : public testing::Test {
 protected:
  Outcome run(const std::string& controller, bool files = false) {
    std::string text = kRobots;
    text.replace(text.find('@'), 1, controller);
    const auto world = folder.write("worlds/w.wbt", text);
    // The program itself lies in the build; its folder here holds its files.
    const std::string place = "controllers/" + controller + "/";
    folder.write(place + controller + ".c", "");
    folder.write(place + "half_a_second.wav", wav());
    folder.write(
        place + "wave.motion",
        "#WEBOTS_MOTION,V1.0,motor,tail\r\n00:00:000,a,0,1\r\n1:000,b,1,1\r\n1500,c,*,*\r\n");
    folder.write(place + "broken.motion",
                 "#WEBOTS_MOTION,V1.0,motor\n00:00:000,a,0\n00:01:000,b,north\n");
    std::vector<std::string> arguments = {"run", world.string(), "--duration", "8"};
    if (files) arguments.insert(arguments.end(), {"--out", (folder / "out").string()});
    return protobeam(arguments);
  }
  TemporaryFolder folder;
};

TEST_F(WebotsApiInARobot, WorksInC) {
  const Outcome outcome = run("api_robot");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string all = outcome.out + outcome.err;
  EXPECT_THAT(all, HasSubstr("0 failures"));
  EXPECT_THAT(all, HasSubstr("printed"));
  EXPECT_THAT(all, HasSubstr("5 red"));
  for (const char* what : {"'hide' is a Skin, which is not simulated",
                           "'microphone' is a Microphone, which is not simulated: it hears nothing",
                           "nobody can see a window of robot"}) {
    const std::size_t first = all.find(what);
    EXPECT_NE(first, std::string::npos) << what;
    EXPECT_EQ(all.find(what, first + 1), std::string::npos) << "said twice: " << what;
  }
  // At the text of the world, too.
  EXPECT_THAT(all, HasSubstr("w.wbt:9:5: warning: 1 Skin node is not simulated"));
  for (const char* works : {"LED node", "Pen node", "'pen'"})
    EXPECT_THAT(all, Not(HasSubstr(works)));
  EXPECT_THAT(all, HasSubstr("'broken.motion': line 3: 'north' is no position"));
  EXPECT_THAT(all, HasSubstr("the robot has no motor 'tail' of the motion 'wave.motion'"));
  for (const char* device : {"mouse", "keyboard"}) {
    EXPECT_THAT(all, HasSubstr("wb_robot_wait_for_user_input_event() called for events of the " +
                               std::string(device) + ", which is disabled"));
  }
  EXPECT_THAT(all, HasSubstr("cannot read 'none.wav' as a WAV file"));
  EXPECT_THAT(all, HasSubstr("wb_speaker_speak() called with a volume of 3; it is set to 1"));
}

TEST_F(WebotsApiInARobot, RunsNoteWhatItsSpeakersPlay) {
  ASSERT_EQ(run("api_robot", true).exit, 0);
  std::ifstream file(folder / "out/events.csv");
  const std::string events{std::istreambuf_iterator<char>(file), {}};
  // Commands act in the step that begins when they are given, and are noted at its end.
  EXPECT_THAT(
      events,
      StartsWith("time,robot,device,event\n"
                 "0.016,\"robot\",\"speaker\",\"play half_a_second.wav, channels both, volume 1, "
                 "pitch 2, balance 0\"\n"
                 "0.272,\"robot\",\"speaker\",\"play half_a_second.wav, channels left, volume "
                 "0.375, pitch 1, balance 0, in a loop\"\n"
                 "1.072,\"robot\",\"speaker\",\"stop half_a_second.wav\"\n"
                 "1.072,\"robot\",\"speaker\",\"speak de-DE, volume 1: Guten \"\"Tag\"\", "
                 "Welt\"\n"));
  // When its program has ended it falls silent.
  EXPECT_THAT(events, EndsWith("\"speaker\",\"stop\"\n"));
}

TEST_F(WebotsApiInARobot, WorksInCpp) {
  const Outcome outcome = run("api_robot_cpp");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string all = outcome.out + outcome.err;
  EXPECT_THAT(all, HasSubstr("] 1110108"));
  EXPECT_THAT(all, HasSubstr("] 000"));
  EXPECT_THAT(all, HasSubstr("] 11111"));
  EXPECT_THAT(all, HasSubstr("end"));
}

/// A hinge of a car: a wheel of 0.25 m, that turns about y, or what steers or is at hand, about z.
std::string hinge(const std::string& name, const std::string& devices, bool wheel, double x,
                  double y, int mass = 400) {
  std::ostringstream out;
  const std::string place = std::to_string(x) + " " + std::to_string(y) + " 1";
  out << "HingeJoint { jointParameters HingeJointParameters { axis " << (wheel ? "0 1 0" : "0 0 1")
      << " anchor " << place << " } device [ " << devices << " ] endPoint Solid { name \"" << name
      << "\" translation " << place
      << " boundingObject Sphere { radius 0.25 } physics Physics { density -1 mass " << mass
      << " } } }\n";
  return out.str();
}

TEST(WebotsCars, AreDrivenByTheirHinges) {
  std::string children;
  const char* sides[] = {"right_front", "left_front", "right_rear", "left_rear"};
  for (int i = 0; i < 4; ++i) {
    const std::string side = sides[i];
    std::string devices =
        "PositionSensor { name \"" + side + "_sensor\" } Brake { name \"" + side + "_brake\" } ";
    if (i >= 2) {
      devices += "RotationalMotor { name \"" + side + "_wheel\" maxVelocity 1000 maxTorque 1e5 }";
    }
    children += hinge(side, devices, true, i < 2 ? 2 : 0, i % 2 == 0 ? -0.75 : 0.75,
                      side == "right_rear" ? 1200 : 400);
  }
  for (const std::string steer : {"right_steer", "left_steer"}) {
    children += hinge(steer,
                      "RotationalMotor { name \"" + steer +
                          "\" maxTorque 10000 } PositionSensor { name \"" + steer + "_sensor\" }",
                      false, 5, steer == "right_steer" ? -3 : 3);
  }
  int at = 0;
  for (const char* motor : {"right_wiper_motor", "left_wiper_motor", "steering_wheel_motor",
                            "indicator_lever_motor", "speed_needle_motor", "rpm_needle_motor"}) {
    const std::string name = motor;
    std::string devices = "RotationalMotor { name \"" + name + "\" maxTorque 1e5 ";
    if (name.find("wiper") != std::string::npos) devices += "maxPosition 1.5 ";
    if (name.find("needle") != std::string::npos) devices += "maxPosition 4.4 ";
    if (name.find("lever") != std::string::npos) devices += "minPosition -0.3 maxPosition 0.4 ";
    devices += "} ";
    if (at == 0) devices += "PositionSensor { name \"wiper_sensor\" }";
    children += hinge(name, devices, false, 10, 2.0 * at++, 1);
  }
  children +=
      "Display { name \"rear_display\" width 8 height 4 } "
      "Camera { name \"rear_camera\" width 8 height 4 }\n";
  for (const char* light :
       {"front_lights", "right_indicators", "left_indicators", "brake_lights"}) {
    children += std::string("LED { name \"") + light + "\" }\n";
  }
  const TemporaryFolder folder;
  const auto world = folder.write(
      "worlds/w.wbt",
      "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 8 gravity 0 }\nRobot { controller "
      "\"car_on_hinges\" customData \"2 1 1.5 0.3 0.25 100 5 E 200 20000 0 6000 0 0 0 0 0 1000 3 4 "
      "-12 10 5 none\" children [\n" +
          children + "] }\n");
  folder.write("controllers/car_on_hinges/car_on_hinges.c", "");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "40"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("0 failures"));
}

/// Of R2018a: 30 counts a rad, 5 s^-1 are 0.5 rad/s each of speedUnit.
std::string old_wheels_world(const std::string& controller) {
  return R"(#VRML_SIM R2018a utf8
WorldInfo { basicTimeStep 32 }
DifferentialWheels { controller ")" +
         controller + R"(" maxSpeed 40 speedUnit 0.5 maxAcceleration 1000 slipNoise 0
  encoderNoise 0 encoderResolution 30 }
)";
}

TEST_F(WebotsApiInARobot, DrivesTheWheelsOfOldFilesInCAndCpp) {
  for (const std::string name : {"old_wheels", "old_wheels_cpp"})
    folder.write("controllers/" + name + "/" + name + ".c", "");
  const auto world = folder.write("worlds/old.wbt", old_wheels_world("old_wheels"));
  Outcome outcome = protobeam({"run", world.string(), "--duration", "8"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  std::string all = outcome.out + outcome.err;
  EXPECT_THAT(all, HasSubstr("at first: nan of 40 rad/s in units of 0.5"));
  EXPECT_THAT(all, HasSubstr("counted: 240 in 1600 ms"));  // 10 x 0.5 rad/s x 1.6 s x 30
  EXPECT_THAT(all, HasSubstr("told: 10 -20"));
  EXPECT_THAT(all, HasSubstr("set: 7 -8"));
  EXPECT_THAT(all, HasSubstr("then: 247 -488"));
  EXPECT_THAT(all, HasSubstr("wb_differential_wheels_set_speed() called with more than maxSpeed"));
  EXPECT_THAT(all, HasSubstr("period: 0"));
  folder.write("worlds/old.wbt", old_wheels_world("old_wheels_cpp"));
  outcome = protobeam({"run", world.string(), "--duration", "8"});
  all = outcome.out + outcome.err;
  EXPECT_THAT(all, HasSubstr("counted: 240 at 10"));
  folder.write("worlds/old.wbt", "#VRML_SIM R2018a utf8\nRobot { controller \"old_wheels\" }\n");
  all = protobeam({"run", world.string(), "--duration", "1"}).err;
  EXPECT_THAT(all, HasSubstr("wb_differential_wheels_set_speed() called for a robot that is no "
                             "DifferentialWheels"));
}

}  // namespace
}  // namespace protobeam::test
