// A terminal, a pipe or a disk that takes nothing any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/faults/world.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kYard = "run worlds/yard.wbt --duration 0.5 ";
constexpr const char* kFull = "cannot write to standard output: No space left on device";

TEST(Console, AReaderThatGoesAwayIsNoSuccessAndNoNoise) {
  // More than the pipe takes without a reader, who is therefore gone before the end.
  const TemporaryFolder folder;
  const std::string world = world_with(folder, nuisance("prints much")).string();
  const Outcome outcome = in_shell("run " + world + " --duration 1 ", "2>&1 | head -1");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.out, HasSubstr("[victim] line    0"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

// What is flushed on the way to another process has lost its errno.
TEST(Console, NorDoesABenchmarkWhoseReaderGoesAwayMakeNoise) {
  const Outcome outcome = in_shell("bench --quick cameras", "| head -1");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.out, HasSubstr("cameras/depth camera/city"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Console, WhatIsFullIsToldAndIsNoSuccess) {
  for (const char* arguments :
       {kYard, "run worlds/yard.wbt --duration 0.5 --json", "check worlds/yard.wbt",
        "check worlds/yard.wbt --json", "info devices", "show worlds/yard.wbt", "--help"}) {
    const Outcome outcome = in_shell(arguments, "> /dev/full");
    EXPECT_EQ(outcome.exit, 1) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(kFull)) << arguments;
  }
}

TEST(Console, ARunGoesOnWithoutIt) {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  for (const char* where : {"> /dev/full 2> /dev/full", ">&- 2>&-", ">&-", "<&- >&- 2>&-"}) {
    fs::remove_all(out);
    const Outcome outcome = in_shell(kYard + ("--out " + out), where);
    EXPECT_EQ(outcome.exit, 1) << where;
    EXPECT_TRUE(fs::exists(out + "/cloud.pcd")) << where;
    EXPECT_TRUE(fs::exists(out + "/scene.png")) << where;
  }
}

TEST(Console, ControllersDoNotPrintIntoFiles) {
  const TemporaryFolder folder;
  const std::string pcap = (folder / "a.pcap").string();
  const Outcome outcome = in_shell(
      "run " + yard_with_packets(folder).string() + " --duration 0.5 --record " + pcap, ">&- 2>&-");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(read_bytes(pcap), Not(HasSubstr("[rover]")));
  EXPECT_GT(fs::file_size(pcap), 100000u);
}

TEST(Disk, AFullOneIsToldWhenItHappensAndTheSummaryStillComes) {
  const TemporaryFolder folder;
  Surroundings run;
  run.file_size_limit = 200'000;
  const Outcome outcome =
      protobeam({"run", "worlds/vehicles.wbt", "--duration", "60", "--log", folder.path().string()},
                run);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("File too large"));
  EXPECT_THAT(outcome.out, HasSubstr("state hash"));
  EXPECT_EQ(part_files(folder.path()), 0);
}

TEST(Disk, WhatCannotBeWrittenAtTheEndLeavesTheSummary) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "cloud.pcd");
  const Outcome outcome = protobeam(
      {"run", "worlds/yard.wbt", "--duration", "0.5", "--out", folder.path().string()});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cloud.pcd: Is a directory"));
  EXPECT_THAT(outcome.out, HasSubstr("state hash"));
}

TEST(Disk, AFileThatMayNotBeWrittenIsNotReplaced) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.pcap", "mine"), world = yard_with_packets(folder);
  chmod(file.c_str(), 0444);
  chmod(folder.path().c_str(), 0777);
  std::vector<std::string> words = {build_dir() + "/bin/protobeam", "run", world.string(),
                                    "--duration", "0.5", "--record", file.string(),
                                    "--device", "rover/Velodyne VLP-16"};
  // Root may write everything: as somebody else then.
  if (geteuid() == 0) {
    const std::vector<std::string> other = {"setpriv", "--reuid=65534", "--clear-groups"};
    words.insert(words.begin(), other.begin(), other.end());
  }
  const Outcome outcome = execute(words);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("a.pcap: Permission denied"));
  EXPECT_EQ(read_bytes(file), "mine");
}

TEST(Names, TwoVehiclesNeverShareAFile) {
  const TemporaryFolder folder;
  std::string world = R"(#VRML_SIM R2025a utf8
EXTERNPROTO "webots://protos/vehicles/Jackal.proto"
WorldInfo { basicTimeStep 10 }
)";
  int y = 0;
  for (const char* name : {"a/b", "a_b", "../c", "\x1b[31mred"}) {
    world += "Jackal { name \"" + std::string(name) + "\" translation 0 " + std::to_string(y += 3) +
             " 0 controller \"<none>\" }\n";
  }
  const fs::path file = folder.write("w.wbt", world), log = folder / "log";
  const Outcome outcome =
      protobeam({"run", file.string(), "--duration", "0.1", "--log", log.string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the files of 'a_b' are named 'a_b-2': 'a_b' is taken"));
  for (const char* name : {"a_b", "a_b-2", "_.._c", "__31mred"}) {
    EXPECT_TRUE(fs::exists(log / (std::string(name) + ".txt"))) << name;
  }
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b[31m")));
}

TEST(Confinement, NoContentOfForeignFilesIsShown) {
  const TemporaryFolder folder, elsewhere;
  const fs::path secret = elsewhere.write("secret.obj", "the secret,is this\n");
  fs::create_directories(folder / "protos");
  fs::create_symlink(secret, folder / "protos/Thing.proto");
  const std::vector<std::string> worlds = {
      "Robot { children [ Lidar { scanLaw \"spinning\" beamTable \"" + secret.string() + "\" } ] }",
      "EXTERNPROTO \"../protos/Thing.proto\"\nThing { }",
      "Shape { geometry Mesh { url \"" + secret.string() + "\" } }"};
  for (const std::string& text : worlds) {
    const fs::path world =
        folder.write("worlds/w.wbt", "#VRML_SIM R2025a utf8\n" + text + "\nWorldInfo { }\n");
    const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.1"});
    EXPECT_EQ(outcome.exit, 1) << text;
    EXPECT_THAT(outcome.err, Not(HasSubstr("the secret"))) << text;
    EXPECT_THAT(outcome.err, HasSubstr("--allow-path " + fs::canonical(elsewhere.path()).string()))
        << text;
  }
}

TEST(Confinement, TheUserMayAllowAFolder) {
  const TemporaryFolder folder, elsewhere;
  const fs::path table = elsewhere.write("beams.csv", "elevation_deg\n1\n2\n");
  const fs::path world = folder.write("w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { }\n"
                                      "Robot { children [ Lidar { scanLaw \"spinning\" "
                                      "horizontalResolution 360 beamTable \"" + table.string() + "\" } ] }\n");
  EXPECT_EQ(protobeam({"run", world.string(), "--duration", "0.1"}).exit, 1);
  const Outcome outcome = protobeam(
      {"run", world.string(), "--duration", "0.1", "--allow-path", elsewhere.path().string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
}

TEST(Memory, AWorldThatAsksForMoreThanThereIsIsAnErrorAtItsNode) {
  const TemporaryFolder folder;
  for (const char* size : {"20000", "2147483647"}) {
    const std::string grid = std::string("ElevationGrid { xDimension ") + size + " yDimension " + size + " }";
    const fs::path world = folder.write(
        "w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { }\nShape { geometry " + grid + " }\n");
    const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.1", "--memory", "1"});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_THAT(outcome.err, HasSubstr("w.wbt:3:"));
    EXPECT_THAT(outcome.err, HasSubstr("this ElevationGrid takes about "));
    EXPECT_THAT(outcome.err, HasSubstr("of 1.0 GB for the world (--memory)"));
    EXPECT_LT(outcome.seconds, 10);
  }
}

TEST(Memory, ALargeTerrainTakesLittle) {
  const TemporaryFolder folder;
  const fs::path world = folder.write("w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Solid {
  children [ Shape { geometry DEF TERRAIN ElevationGrid { xDimension 4000 yDimension 4000 } } ]
  boundingObject USE TERRAIN
}
Solid { translation 99.3 99.4 0.25 children [ Shape { geometry DEF BALL Sphere { radius 0.25 } } ]
        boundingObject USE BALL physics Physics { } }
Robot { translation 99 99 1 children [ Lidar { numberOfLayers 4 samplingPeriod 32 } ] }
)");
  // The address sanitizer keeps 256 MB of what was freed if nobody says otherwise, and an eighth of all
  // memory besides.
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.1"},
                                    {.environment = {"ASAN_OPTIONS=quarantine_size_mb=1"}});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
#ifdef PROTOBEAM_SANITIZED
  used.ru_maxrss = used.ru_maxrss / 9 * 8;
#endif
  EXPECT_LT(used.ru_maxrss, 500'000);  // kB; of the largest child of all tests in this process
}

TEST(CommandLine, NumbersThatAreNoneAreRefused) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--duration", "nan"}, {"--duration", "1e18"}, {"--duration", "-1"}, {"--seed", "-1"},
           {"--seed", "18446744073709551616"}, {"--controller-timeout", "inf"}}) {
    std::vector<std::string> all = {"run", "worlds/yard.wbt"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = protobeam(all);
    EXPECT_EQ(outcome.exit, 2) << words[1];
    EXPECT_THAT(outcome.err, HasSubstr("'" + words[1] + "' is no ")) << words[1];
  }
}

TEST(CommandLine, WhatFollowsAFolderOfProtosAreFiles) {
  const Outcome outcome =
      protobeam({"check", "--proto-path", "protos", "worlds/yard.wbt", "worlds/city.wbt"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2 files: no errors"));
}

TEST(CommandLine, AFilmMayHaveAColonInItsName) {
  const TemporaryFolder folder;
  Surroundings run;
  run.directory = folder.path();
  const Outcome outcome =
      protobeam({"snapshot", source_dir() + "/worlds/yard.wbt", "--video", "12:30.mp4",
                 "--duration", "0.1", "--size", "160x120"},
                run);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_GT(fs::file_size(folder / "12:30.mp4"), 500u);
}

TEST(CommandLine, NamesWhatWasProbablyMeant) {
  const auto said = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = protobeam(arguments);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(said({"chek"}),
            "protobeam: error: there is no command 'chek'; did you mean 'check'?\n");
  EXPECT_EQ(said({"run", "worlds/yard.wbt", "--durtion=4"}),
            "protobeam: error: The following argument was not expected: --durtion=4; did you mean "
            "'--duration'?\n");
  EXPECT_EQ(said({"run", "worlds/yard.wbt", "--duration", "-1"}),
            "protobeam: error: --duration: '-1' is no number of seconds greater than 0 and up to "
            "1e9; --help says more\n");
}

TEST(CommandLine, AScanDoesNotWaitForASweepThatNeverEnds) {
  const TemporaryFolder folder;
  const fs::path world = folder.write("w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "r" controller "<none>" children [ Lidar { defaultFrequency 1e-30 } ] }
)");
  const Outcome outcome =
      protobeam({"scan", world.string(), "--out", (folder.path() / "a.csv").string()});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("a sweep of 'lidar' takes 1e+30 s (field 'defaultFrequency')"));
}

TEST(Memory, OfAnOutputMayBeMoreThanAnyMachineHas) {
  const TemporaryFolder folder;
  const fs::path world = folder.write("w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "r" controller "<none>" children [ GPS { samplingPeriod 32 } ] }
)");
  const fs::path settings =
      folder.write("s.yaml", "outputs:\n  - type: McapRecorder\n    file: " +
                                 (folder.path() / "a.mcap").string() + "\n    memory: 1e30\n");
  const Outcome outcome =
      protobeam({"run", world.string(), "--duration", "0.2", "--outputs", settings.string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("dropped")));
}

TEST(CommandLine, RefusesWhatIsNoNumberAndMomentsThatNeverCome) {
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, "worlds/yard.wbt");
    const Outcome outcome = protobeam(arguments);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_THAT(said({"snapshot", "--out", "a.png", "--time", "1e300"}),
              HasSubstr("--time: '1e300' is no number of seconds from 0 to 1e9"));
  EXPECT_THAT(said({"snapshot", "--out", "a.png", "--time", "nan"}), HasSubstr("'nan'"));
  EXPECT_THAT(said({"scan", "--out", "a.pcd", "--time", "nan"}), HasSubstr("'nan'"));
  EXPECT_THAT(said({"scan", "--out", "a.pcd", "--time", "-5"}), HasSubstr("'-5'"));
  EXPECT_THAT(said({"run", "--memory", "nan"}),
              HasSubstr("--memory: 'nan' is no finite number greater than 0"));
  EXPECT_THAT(said({"snapshot", "--out", "a.png", "--point-size", "nan"}),
              HasSubstr("--point-size: 'nan' is no number from 1 to 20"));
  EXPECT_THAT(said({"snapshot", "--video", "a.mp4", "--fps", "nan"}),
              HasSubstr("--fps: 'nan' is no number from 1 to 240"));
  EXPECT_THAT(said({"run", "--animation", "a.glb", "--animation-rate", "nan"}),
              HasSubstr("--animation-rate: 'nan' is no number from 0.1 to 1000"));
}

}  // namespace
}  // namespace protobeam::test
