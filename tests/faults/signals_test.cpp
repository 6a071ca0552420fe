// Signals at any time: nothing is left, what stands is whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <sstream>
#include <thread>

#include "tests/faults/world.h"
#include "tests/support/await_child.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

Surroundings signalled(int number, milliseconds after) {
  Surroundings run;
  run.meanwhile = [=](pid_t child) {
    std::this_thread::sleep_for(after);
    kill(child, number);
  };
  return run;
}

/// The same once it has started a controller, however slow the machine is.
Surroundings signalled_while_controlled(int number, milliseconds after) {
  Surroundings run;
  run.meanwhile = [=](pid_t child) {
    await_child(child);
    std::this_thread::sleep_for(after);
    kill(child, number);
  };
  return run;
}

/// By its folder in /proc.
bool ignores_sigterm(const std::string& process) {
  std::istringstream status(read_of_process(process + "/status"));
  for (std::string word; status >> word;) {
    if (word != "SigIgn:") continue;
    std::uint64_t mask = 0;
    status >> std::hex >> mask;
    return mask >> (SIGTERM - 1) & 1;
  }
  return false;
}

TEST(Signals, EndAControllerThatTakesNoTimeAtOnce) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryFolder folder;
    const auto world = world_with(folder, nuisance("steps of no time"));
    const Outcome outcome = protobeam(
        {"run", world.string(), "--duration", "1000", "--controller-timeout", "60"},
        signalled_while_controlled(number, milliseconds(500)));
    EXPECT_EQ(outcome.exit, 130) << number;
    EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
    EXPECT_THAT(outcome.out, HasSubstr("state hash"));
    EXPECT_LT(outcome.seconds, 20) << number;
  }
}

/// The controller takes two seconds to kill.
Outcome signalled_twice(int number, milliseconds between) {
  const TemporaryFolder folder;
  const auto world = world_with(folder, nuisance("does not want to end"));
  Surroundings run;
  run.meanwhile = [=](pid_t child) {
    await_child(child, ignores_sigterm);
    kill(child, number);
    std::this_thread::sleep_for(between);
    kill(child, number);
  };
  const Outcome outcome =
      protobeam({"run", world.string(), "--duration", "1000", "--controller-timeout", "60", "--out",
                 (folder / "out").string()},
                run);
  EXPECT_EQ(outcome.exit, 128 + number);
  for (int wait = 0; wait < 20 && processes_with(folder.path().string()) > 0; ++wait) {
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_EQ(processes_with(folder.path().string()), 0);
  EXPECT_EQ(part_files(folder.path()), 0);
  return outcome;
}

TEST(Signals, ASecondOneEndsTheProgramAtOnce) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    EXPECT_THAT(signalled_twice(number, milliseconds(500)).out, Not(HasSubstr("state hash")));
}

TEST(Signals, ThatCameTwiceAtOnceAreOne) {  // as terminals and launchers send them
  EXPECT_THAT(signalled_twice(SIGINT, milliseconds(20)).out, HasSubstr("state hash"));
}

TEST(Signals, EndAProgramThatLoadsAtOnce) {
  const TemporaryFolder folder;
  // A mesh that takes long to read.
  std::string grid;
  for (int i = 0; i < 700 * 700; ++i) {
    grid += "v " + std::to_string(i % 700) + " " + std::to_string(i / 700) + " 0\n";
  }
  for (int i = 0; i < 699 * 699; ++i) {
    const int a = i / 699 * 700 + i % 699 + 1;
    grid += "f " + std::to_string(a) + " " + std::to_string(a + 1) + " " + std::to_string(a + 701) +
            "\nf " + std::to_string(a) + " " + std::to_string(a + 701) + " " +
            std::to_string(a + 700) + "\n";
  }
  folder.write("grid.obj", grid);
  const auto world = folder.write("w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Solid { children [ DEF M Shape { geometry Mesh { url "grid.obj" } } ] boundingObject USE M }
)");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "1000000"},
                                    signalled(SIGINT, milliseconds(400)));
  EXPECT_EQ(outcome.exit, 130);
  EXPECT_LT(outcome.seconds, 5);
}

/// ffmpeg that has read more than its libraries and its settings.
bool was_given_pictures(const std::string& process) {
  if (read_of_process(process + "/comm") != "ffmpeg\n") return false;
  std::istringstream io(read_of_process(process + "/io"));
  std::string word;
  long bytes = 0;
  io >> word >> bytes;  // "rchar: "
  return bytes > 2'000'000;
}

TEST(Signals, AFilmKeepsWhatIsThere) {
  const TemporaryFolder folder;
  const std::string film = (folder / "a.mp4").string();
  Surroundings run;
  run.meanwhile = [](pid_t child) {
    await_child(child, was_given_pictures);
    kill(child, SIGINT);
  };
  const Outcome outcome = protobeam(
      {"snapshot", "worlds/yard.wbt", "--video", film, "--duration", "1000", "--size", "160x120"},
      run);
  EXPECT_EQ(outcome.exit, 130);
  ASSERT_TRUE(fs::exists(film)) << outcome.err;
  const Outcome probe =
      execute({"ffprobe", "-v", "error", "-show_entries", "format=duration", "file:" + film});
  EXPECT_EQ(probe.exit, 0) << probe.err;
  EXPECT_EQ(part_files(folder.path()), 0);
}

#ifdef PROTOBEAM_SANITIZED
constexpr double kLongest = 240;  // pictures take most of it
#else
constexpr double kLongest = 30;  // s
#endif

/// Runs of the yard with everything that is written, each ended by some signal at some instant, also
/// while the results are written. SIGXFSZ ends none: writing fails then.
TEST(Signals, LeaveNothingBehind) {
  const char* wished = std::getenv("PROTOBEAM_FAULT_SEEDS");  // the long checks ask for more
  const int seeds = wished ? std::atoi(wished) : 8;
  const char* from = std::getenv("PROTOBEAM_FAULT_FIRST_SEED");  // for several processes at once
  const int first = from ? std::atoi(from) : 0;
  for (int seed = first; seed < first + seeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGQUIT, SIGSEGV, SIGXFSZ};
    const int number = kSignals[random() % std::size(kSignals)];
    const milliseconds after(random() % 2500);
    const TemporaryFolder folder;
    const std::string world = yard_with_packets(folder).string(), out = (folder / "out").string();
    const bool film = random() % 3 == 0;
    const Outcome outcome =
        film ? protobeam({"snapshot", world, "--video", (folder / "film.mp4").string(),
                          "--duration", "5", "--size", "160x120"},
                         signalled(number, after))
             : protobeam({"run", world, "--duration", "5", "--out", out, "--channels", "all",
                          "--log", (folder / "log").string(), "--record",
                          (folder / "a.pcap").string(), "--device", "rover/Velodyne VLP-16"},
                         signalled(number, after));
    const std::string what = "seed " + std::to_string(seed) + ", signal " +
                             std::to_string(number) + " after " + std::to_string(after.count()) +
                             " ms: exit " + std::to_string(outcome.exit) + "\n" + outcome.err;
    // What SIGXFSZ does not end makes its whole film.
    EXPECT_LT(outcome.seconds, number == SIGXFSZ ? 4 * kLongest : kLongest) << what;
    EXPECT_EQ(part_files(folder.path()), 0) << what;
    for (int wait = 0; wait < 20 && processes_with(folder.path().string()) > 0; ++wait) {
      std::this_thread::sleep_for(milliseconds(100));
    }
    EXPECT_EQ(processes_with(folder.path().string()), 0) << what;
    if (const fs::path pcap = folder / "a.pcap"; fs::exists(pcap)) {
      EXPECT_EQ(read_bytes(pcap).substr(2, 2), "\xb2\xa1") << what;
    }
    if (const fs::path video = folder / "film.mp4"; fs::exists(video)) {
      EXPECT_EQ(execute({"ffprobe", "-v", "error", "file:" + video.string()}).exit, 0) << what;
    }
  }
}

}  // namespace
}  // namespace protobeam::test
