// What the program says to somebody who mistypes, moves a file or forgets to build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++n;
  return n;
}

/// Without the breaks in notes.
std::string unwrapped(std::string text) {
  const std::string gap = "\n          ";
  for (auto at = text.find(gap); at != std::string::npos; at = text.find(gap, at)) {
    text.replace(at, gap.size(), " ");
  }
  return text;
}

std::string world_of(const std::string& nodes) {
  return "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 32 }\n" + nodes + "\n";
}

/// Without plugins of the machine's user.
Surroundings plain(std::vector<std::string> more = {}) {
  Surroundings run;
  run.environment = {"PROTOBEAM_PLUGIN_PATH="};
  run.environment.insert(run.environment.end(), more.begin(), more.end());
  return run;
}

TEST(Messages, AnUnknownFieldNamesTheFieldsThatThereAre) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "worlds/w.wbt",
      world_of("Robot { children [ GPS { nmae \"a\" } GPS { nmae \"b\" } Lidar { reach 3 } ] }"));
  const Outcome outcome = protobeam({"check", file.string()});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("unknown field 'nmae' in GPS; did you mean 'name'?"),
                                 HasSubstr("note: fields of GPS: name, type, accuracy"),
                                 HasSubstr("unknown field 'reach' in Lidar: it is skipped"),
                                 HasSubstr("note: fields of Lidar: ")));
  EXPECT_EQ(count(outcome.err, "note: fields of GPS"), 1) << outcome.err;
  std::istringstream lines(outcome.err);
  bool note = false;  // lines of notes are short
  for (std::string line; std::getline(lines, line);) {
    note = line.starts_with("    note: ") || (note && line.starts_with("          "));
    if (note) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Messages, AFieldOfTheNodeAndOfItsBaseIsListedOnce) {
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/w.wbt", world_of("Robot { nmae \"x\" }"));
  const std::string said = unwrapped(protobeam({"check", file.string()}).err);
  EXPECT_EQ(count(said, " name,"), 1) << said;
}

TEST(Messages, AnUnknownFieldOfAProtoNamesItsParameters) {
  const TemporaryFolder folder;
  folder.write(
      "protos/Post.proto",
      "#VRML_SIM R2025a utf8\nPROTO Post [ field SFFloat height 1 field SFColor paint 1 0 0 "
      "hiddenField SFFloat inner 2 ]\n"
      "{ Shape { appearance PBRAppearance { baseColor IS paint } geometry Cylinder { height IS "
      "height } } }\n");
  const auto file =
      folder.write("worlds/w.wbt",
                   "#VRML_SIM R2025a utf8\nEXTERNPROTO \"../protos/Post.proto\"\nWorldInfo { }\n"
                   "Post { heigth 2 }\n");
  const Outcome outcome = protobeam({"check", file.string()});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("unknown field 'heigth' in Post; did you mean 'height'?"),
                    HasSubstr("note: fields of Post: height, paint\n")));
}

TEST(Messages, AnUnknownNodeSaysWherePluginsWereLookedFor) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("worlds/w.wbt", world_of("Robot { children [ Thruster { } Blower { } ] }"));
  Outcome outcome = protobeam({"check", file.string()}, plain());
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(unwrapped(outcome.err),
              AllOf(HasSubstr("unknown node or PROTO 'Thruster'"),
                    HasSubstr("PROTOBEAM_PLUGIN_PATH is not set"),
                    HasSubstr(build_dir() + "/lib/protobeam/plugins"),
                    HasSubstr((folder.path() / "plugins (not there)").string())));
  EXPECT_EQ(count(outcome.err, "PROTOBEAM_PLUGIN_PATH"), 1) << outcome.err;
  outcome =
      protobeam({"run", file.string()}, {.environment = {"PROTOBEAM_PLUGIN_PATH=/nowhere/at/all"}});
  EXPECT_THAT(unwrapped(outcome.err), AllOf(HasSubstr("PROTOBEAM_PLUGIN_PATH is '/nowhere/at/all'"),
                                            HasSubstr("/nowhere/at/all (not there)")));
}

// The plugin of a project that is one is run by Package.AProjectFindsItsPlugin.
TEST(Messages, TheProjectsPluginsAreLookedAtWithoutAVariable) {
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/w.wbt", world_of("Robot { children [ Thruster { } ] }"));
  folder.write("plugins/Thruster.so",
               "text that is no shared object, but long enough to look like one");
  // Types of ours are not replaced by a project's.
  folder.write("plugins/GPS.so", "text that is no shared object, but long enough to look like one");
  Outcome outcome = protobeam({"check", file.string()}, plain());
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr((folder.path() / "plugins/Thruster.so").string() + " cannot be loaded"));
  outcome = protobeam({"check", file.string()}, plain({"PROTOBEAM_PROJECT_PLUGINS=0"}));
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("unknown node or PROTO 'Thruster'"));
  fs::permissions(folder.path() / "plugins/Thruster.so", fs::perms::others_write,
                  fs::perm_options::add);
  outcome = protobeam({"check", file.string()}, plain());
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("Thruster.so of the project is not used: it may be written by everybody"));
  const auto ours = folder.write("worlds/ours.wbt", world_of("Robot { children [ GPS { } ] }"));
  EXPECT_EQ(protobeam({"check", ours.string()}, plain()).exit, 0);
}

TEST(Messages, VehiclesOfTheProjectAreListed) {
  const TemporaryFolder folder;
  folder.write("worlds/empty", "");
  std::string text = read_bytes(source_dir() + "/protos/vehicles/SmallRobot.proto");
  const auto name = text.find("PROTO SmallRobot");
  ASSERT_NE(name, std::string::npos);
  text.replace(name, 16, "PROTO MyCart");
  for (const std::string part : {"../lidars/", "parts/"}) {
    const auto at = text.find("EXTERNPROTO \"" + part);
    ASSERT_NE(at, std::string::npos) << part;
    text.insert(at + 13, source_dir() + "/protos/vehicles/");
  }
  folder.write("protos/carts/MyCart.proto", text);
  folder.write("protos/Broken.proto",
               "#VRML_SIM R2025a utf8\nPROTO Broken [ ] { Robot { nmae \"x\" } }\n");
  for (const char* place : {"", "worlds"}) {
    Surroundings run = plain();
    run.directory = folder.path() / place;
    const Outcome outcome = protobeam({"info", "vehicles"}, run);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Jackal"), HasSubstr("MyCart"),
                                   HasSubstr("protos/carts/MyCart.proto")));
    EXPECT_THAT(outcome.err, HasSubstr("Broken.proto is wrong and is not listed"));
  }
  const Outcome one = protobeam(
      {"info", "vehicles", "MyCart", "--json", "--proto-path", (folder / "protos").string()});
  EXPECT_EQ(one.exit, 0) << one.err;
  const json rows = json::parse(one.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0]["catalogue"]);
  EXPECT_EQ(rows[0]["wheels"].size(), 2u);
}

constexpr const char* kSensors =
    "Robot { name \"r\" children [ GPS { name \"gps\" } Lidar { name \"front\" } Lidar { name "
    "\"rear\" } ] }";

TEST(Messages, ScanOffersLidarsOnly) {
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/w.wbt", world_of(kSensors));
  const std::string out = (folder / "a.pcd").string();
  Outcome outcome = protobeam({"scan", file.string(), "--out", out});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("choose one with --device: r/front, r/rear"), Not(HasSubstr("gps"))));
  outcome = protobeam({"scan", file.string(), "--out", out, "--device", "r/gps"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("its lidars: r/front, r/rear"));
}

/// A motor of at most 10 rad/s, driven by a program in Python.
fs::path python_world(const TemporaryFolder& folder, const std::string& program) {
  folder.write("controllers/p/p.py", "from controller import Robot\nrobot = Robot()\n" + program);
  return folder.write("worlds/w.wbt", world_of(R"(Robot { name "rover" controller "p"
  children [ HingeJoint { device RotationalMotor { name "left motor" maxVelocity 10 }
    endPoint Solid { boundingObject Sphere { radius 0.1 } physics Physics { } } } ]
  boundingObject Box { } physics Physics { } })"));
}

TEST(Messages, AVelocityAboveTheMaximumIsToldOnceWithBothValues) {
  const TemporaryFolder folder;
  const auto file = python_world(folder, R"(
motor = robot.getDevice("left motor")
motor.setPosition(float("inf"))
for i in range(5):
    motor.setVelocity(-25.5)
    robot.step(32)
)");
  const Outcome outcome = protobeam({"run", file.string(), "--duration", "0.3"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(
      outcome.err,
      HasSubstr("[rover] 'left motor': the requested velocity -25.5 exceeds maxVelocity 10: "
                "-10 is used"));
  EXPECT_EQ(count(outcome.err, "exceeds maxVelocity"), 1) << outcome.err;
}

TEST(Messages, ADeviceThatIsNotThereIsToldOnceWithTheNearest) {
  const TemporaryFolder folder;
  const auto file = python_world(folder, R"(
for i in range(3):
    robot.getDevice("left mottor")
robot.getDevice("camera of the roof")
)");
  const Outcome outcome = protobeam({"run", file.string(), "--duration", "0.1"});
  EXPECT_THAT(
      outcome.err,
      AllOf(HasSubstr(
                "\"left mottor\" device not found on robot \"rover\"; did you mean 'left motor'?"),
            HasSubstr("\"camera of the roof\" device not found on robot \"rover\"; the robot has "
                      "'left motor'")));
  EXPECT_EQ(count(outcome.err, "left mottor"), 1) << outcome.err;
}

TEST(Messages, AControllerThatIsNotBuiltIsToldOnce) {
  const TemporaryFolder folder;
  folder.write("controllers/drive/drive.c", "int main() { return 0; }\n");
  const auto file = folder.write(
      "worlds/w.wbt",
      world_of(
          "Robot { name \"a\" controller \"drive\" } Robot { name \"b\" controller \"drive\" }"));
  const Outcome outcome = protobeam({"run", file.string(), "--duration", "0.1"});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_EQ(count(outcome.err + outcome.out, "controller 'drive'"), 1)
      << outcome.err << outcome.out;
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "protobeam: error: robots 'a', 'b': controller 'drive' is not built; build it with: "));
}

TEST(Messages, ADurationThatIsNoneSaysWhatIsAllowed) {
  for (const char* command : {"run", "snapshot"}) {
    for (const char* duration : {"-1", "0", "ten", "nan"}) {
      const Outcome outcome = protobeam({command, "worlds/yard.wbt", "--duration", duration});
      EXPECT_EQ(outcome.exit, 2) << command << duration;
      EXPECT_THAT(outcome.err, AllOf(StartsWith("protobeam: error: "), HasSubstr("--duration"),
                                     HasSubstr("greater than 0 and up to 1e9")));
    }
  }
}

TEST(Messages, AFileWithAnotherEndingIsTheSameUsageErrorOfAllCommands) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.txt", world_of("Robot { }")).string();
  const std::string yard = "worlds/yard.wbt", text = (folder / "y.txt").string();
  const std::vector<std::vector<std::string>> all = {{"check", file},
                                                     {"run", file},
                                                     {"view", file},
                                                     {"show", file},
                                                     {"fetch", file},
                                                     {"snapshot", file, "--out", "a.png"},
                                                     {"scan", file, "--out", "a.pcd"},
                                                     {"import", file, "--out", "a.wbt"},
                                                     {"calibration", file, "--out", "a"},
                                                     {"snapshot", yard, "--out", text},
                                                     {"snapshot", yard, "--video", text},
                                                     {"scan", yard, "--out", text},
                                                     {"import", "worlds/a.urdf", "--out", text}};
  for (const auto& words : all) {
    const Outcome outcome = protobeam(words);
    EXPECT_EQ(outcome.exit, 2) << words[0] << ": " << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(StartsWith("protobeam: error: "),
                      HasSubstr(words[0] == "import" && words[1] != file ? "y.txt" : ".txt'")));
  }
}

TEST(Messages, AWorldThatIsNotThereHasThePrefixOfAllErrors) {
  for (const char* command : {"check", "run", "show"}) {
    const Outcome outcome = protobeam({command, "worlds/nowhere.wbt"});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_THAT(outcome.err, StartsWith("protobeam: error: ")) << command;
  }
}

TEST(Messages, JsonOfABadWorldIsItsDiagnostics) {
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/w.wbt", world_of("Robot { nmae \"x\" }"));
  for (const char* command : {"run", "show"}) {
    const Outcome outcome = protobeam({command, file.string(), "--json"});
    EXPECT_EQ(outcome.exit, 1);
    const json out = json::parse(outcome.out);
    EXPECT_EQ(out["errors"], 1);
    ASSERT_EQ(out["diagnostics"].size(), 1u);
    const json& row = out["diagnostics"][0];
    EXPECT_EQ(row["file"], file.string());
    EXPECT_EQ(row["line"], 3);
    EXPECT_EQ(row["column"], 9);
    EXPECT_EQ(row["severity"], "error");
    EXPECT_EQ(row["message"], "unknown field 'nmae' in Robot");
    EXPECT_EQ(row["hint"], "did you mean 'name'?");
    ASSERT_EQ(row["notes"].size(), 1u);
    EXPECT_THAT(row["notes"][0].get<std::string>(), StartsWith("fields of Robot: "));
  }
  const Outcome missing = protobeam({"run", "worlds/nowhere.wbt", "--json"});
  EXPECT_EQ(json::parse(missing.out)["diagnostics"][0]["file"], "worlds/nowhere.wbt");
}

/// Whoever reads the one object on stdout gets one of every command that takes --json.
TEST(Messages, JsonOfACommandThatFailsHasItsErrors) {
  const TemporaryFolder folder;
  const std::string world = folder.write("worlds/w.wbt", world_of("Robot { }")).string();
  const std::string bad =
      folder.write("worlds/bad.wbt", world_of("Robot { translation a }")).string();
  const std::string outputs = folder.write("outputs.yaml", "publishing:\n  clokRate: 5\n").string();
  const std::string none = (folder / "none").string();
  struct Failing {
    std::vector<std::string> words;
    int exit;
    const char* message;
  };
  const std::vector<Failing> all = {
      {{"run", world, "--out", "/proc/none"}, 1, "cannot write into the folder '/proc/none'"},
      {{"run", world, "--outputs", outputs}, 1, "unknown field 'clokRate' in Publishing"},
      {{"run", world, "--duration", "x"}, 2, "--duration: 'x' is no number of seconds"},
      {{"scan", world, "--out", (folder / "a.pcd").string(), "--device", "lidr"}, 1, "no lidar"},
      {{"scan", world}, 2, "--out is required"},
      {{"show", world, "--topcs"}, 2, "did you mean '--topics'?"},
      {{"check", world, "--lenent"}, 2, "did you mean '--lenient'?"},
      {{"fetch", none + ".wbt"}, 1, "there is no file"},
      {{"fetch", bad}, 1, "field 'translation' has no value"},
      {{"info", "nodes", "Nix"}, 1, "there is no node type and no PROTO 'Nix'"},
      {{"info", "types", "Nix"}, 1, "no device type 'Nix'"},
      {{"bench", "nothing"}, 1, "no benchmark matches 'nothing'"},
      {{"new", "device", "9bad", "--in", folder.path().string()},
       1,
       "cannot be the name of a device"},
      {{"sweep", none + ".yaml", "--out", none}, 1, "cannot read"},
      {{"sweep", "status", none}, 1, "there is no sweep in"}};
  for (Failing one : all) {
    one.words.push_back("--json");
    const Outcome outcome = protobeam(one.words);
    EXPECT_EQ(outcome.exit, one.exit) << outcome.err;
    ASSERT_TRUE(json::accept(outcome.out)) << one.message << ": " << outcome.out;
    const json out = json::parse(outcome.out);
    EXPECT_GE(out.value("errors", 0), 1) << outcome.out;
    ASSERT_FALSE(out.value("diagnostics", json::array()).empty()) << outcome.out;
    EXPECT_THAT(out["diagnostics"][0]["message"].get<std::string>(), HasSubstr(one.message));
    EXPECT_EQ(out["diagnostics"][0]["severity"], "error");
  }
  const json row =
      json::parse(protobeam({"run", world, "--outputs", outputs, "--json"}).out)["diagnostics"][0];
  EXPECT_EQ(row["file"], outputs);
  EXPECT_EQ(row["line"], 2);
  EXPECT_EQ(row["column"], 3);
}

TEST(Messages, ShowHasThePlacesOfStaticBodies) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "worlds/w.wbt", world_of("Pose { translation 1 2 3 children [ Solid { name \"wall\" "
                               "translation 0.5 0 0 boundingObject Box { } } ] }"));
  const Outcome outcome = protobeam({"show", file.string(), "--json"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const json out = json::parse(outcome.out);
  ASSERT_EQ(out["solids"].size(), 1u) << outcome.out;
  EXPECT_EQ(out["solids"][0]["static"], true);
  EXPECT_EQ(out["solids"][0]["pose"]["translation"], json({1.5, 2.0, 3.0}));
}

}  // namespace
}  // namespace protobeam::test
