// `protobeam sweep` with real runs: 4 seeds and 5 speeds of the yard, and what may happen
// meanwhile.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mount.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "sweep/manifest.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using sweep::Manifest;
using sweep::Row;
using test::Outcome;
using testing::HasSubstr;

constexpr int kRuns = 20;

fs::path sweep_file(const TemporaryFolder& folder, const std::string& more = "") {
  return folder.write(
      "yard.yaml",
      fmt::format(R"(world: {}/worlds/yard.wbt
duration: 1
parameters:
  speed: {{robot: rover, argument: --speed, from: 0.7, to: 1.5, count: 5}}
  seed: {{seed: true, from: 1, to: 4}}
{})",
                  source_dir(), more.empty() ? "metrics: {distance: , nearest: }" : more));
}

std::vector<Row> rows(const fs::path& folder) {
  Manifest manifest(folder);
  manifest.gather();
  std::vector<Row> out;
  manifest.for_each([&](const Row& row) { out.push_back(row); });
  return out;
}

/// What may not depend on when and how often it was tried.
std::vector<std::string> results(const fs::path& folder) {
  std::vector<std::string> out;
  for (const Row& row : rows(folder)) {
    out.push_back(fmt::format("{} {} {} {} {}", row.id, row.parameters[0], row.state,
                              row.state_hash,
                              row.metrics.empty() || !row.metrics[0] ? 0 : *row.metrics[0]));
  }
  return out;
}

std::int64_t done_lines(const fs::path& folder) {
  std::int64_t out = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "journal", none)) {
    const std::string text = read_bytes(entry.path());
    for (std::size_t at = 0; (at = text.find("\"done\"", at)) != std::string::npos; ++at) ++out;
  }
  return out;
}

/// Waits until so many runs are done, then kills.
std::function<void(pid_t)> kill_after(const fs::path& folder, int runs) {
  return [folder, runs](pid_t process) {
    for (int i = 0; i < 600 && done_lines(folder) < runs; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    kill(process, SIGKILL);
  };
}

TEST(Sweep, IsWholeAfterItsProcessWasKilledAndResumed) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder), whole = folder / "whole", killed = folder / "killed";
  const Outcome first = test::protobeam({"sweep", file, "--out", whole});
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("20 of 20 runs done"));
  const auto expected = results(whole);
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(kRuns));

  for (const int after : {3, 9}) {
    const Outcome dead = test::protobeam({"sweep", file, "--out", killed, "--resume"},
                                         {.meanwhile = kill_after(killed, after)});
    ASSERT_EQ(dead.exit, 128 + SIGKILL);
  }
  const Outcome status = test::protobeam({"sweep", "status", killed, "--json"});
  const auto counts = nlohmann::json::parse(status.out);
  EXPECT_EQ(counts["running"], 0);
  EXPECT_GE(counts["done"], 9);
  EXPECT_LT(counts["done"], kRuns);
  const Outcome again = test::protobeam({"sweep", file, "--out", killed, "--resume"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(results(killed), expected);
  // What was done was not done again.
  EXPECT_EQ(done_lines(killed), kRuns);
  const Outcome nothing = test::protobeam({"sweep", file, "--out", killed, "--resume"});
  EXPECT_EQ(nothing.exit, 0);
  EXPECT_EQ(done_lines(killed), kRuns);
}

TEST(Sweep, IsTheSameForOneProcessAndForTwo) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder);
  ASSERT_EQ(test::protobeam({"sweep", file, "--out", folder / "1", "--jobs", "1"}).exit, 0);
  ASSERT_EQ(test::protobeam({"sweep", file, "--out", folder / "3", "--jobs", "3"}).exit, 0);
  EXPECT_EQ(results(folder / "1"), results(folder / "3"));
  // And as `run` does it by itself.
  const Outcome run =
      test::protobeam({"run", source_dir() + "/worlds/yard.wbt", "--json", "--duration", "1",
                       "--seed", "2", "--set", "rover.controllerArgs=\"--speed\" \"0.9\""});
  ASSERT_EQ(run.exit, 0) << run.err;
  const Row row = rows(folder / "1")[5];
  EXPECT_EQ(row.parameters, (std::vector<std::string>{"0.9", "2"}));
  EXPECT_EQ(row.state_hash, nlohmann::json::parse(run.out)["state_hash"]);
}

TEST(Sweep, TriesAgainWhatWasKilled) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder, "time_limit: 60"), out = folder / "out";
  const auto kill_runs = [&](pid_t process) {
    // Two of its children, one after the other; with the sanitizers a run takes seconds.
    for (int killed = 0, i = 0; killed < 2 && i < 20000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const std::string children = read_bytes(fmt::format("/proc/{0}/task/{0}/children", process));
      if (children.empty() || done_lines(out) < 2 + 4 * killed) continue;
      // One that has ended already would not be tried again: only what stops is alive.
      const pid_t child = std::stoi(children);
      kill(child, SIGSTOP);
      char state = 'R';
      for (int wait = 0; wait < 1000 && state != 'T' && state != 'Z'; ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::string stat = read_bytes(fmt::format("/proc/{}/stat", child));
        const auto name_end = stat.rfind(')');
        state = name_end == std::string::npos ? 'Z' : stat[name_end + 2];
      }
      killed += state == 'T' ? 1 : 0;
      kill(child, SIGKILL);
    }
  };
  const Outcome done = test::protobeam({"sweep", file, "--out", out}, {.meanwhile = kill_runs});
  EXPECT_EQ(done.exit, 0) << done.out << done.err;
  std::int64_t attempts = 0;
  for (const Row& row : rows(out)) attempts += row.attempts;
  EXPECT_EQ(attempts, kRuns + 2);
}

TEST(Sweep, KeepsWhatFailedAsRows) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  const fs::path file = folder.write("bad.yaml", fmt::format(R"(world: {}/worlds/yard.wbt
duration: 0.5
parameters:
  speed: {{robot: rover, argument: --speed, values: [1, 99]}}
  seed: {{seed: true, from: 1, to: 2}}
metrics: {{distance: {{optional: true}}}}
retries: 2
)",
                                                             source_dir()));
  const Outcome swept = test::protobeam({"sweep", file, "--out", out});
  EXPECT_EQ(swept.exit, 3);
  EXPECT_THAT(swept.out, HasSubstr("2 of 4 runs done, 2 failed"));
  EXPECT_THAT(swept.out, HasSubstr("controller 'rover' of rover exited with status 2"));
  const auto all = rows(out);
  EXPECT_EQ(all[2].attempts, 3);
  EXPECT_EQ(all[0].attempts, 1);
  // They were tried enough, unless somebody asks for it.
  EXPECT_EQ(test::protobeam({"sweep", file, "--out", out, "--resume"}).exit, 3);
  EXPECT_EQ(rows(out)[2].attempts, 3);
  EXPECT_EQ(test::protobeam({"sweep", file, "--out", out, "--resume", "--retry-failed"}).exit, 3);
  EXPECT_EQ(rows(out)[2].attempts, 6);
  const Outcome report = test::protobeam({"sweep", "report", out});
  EXPECT_EQ(report.exit, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("exited with status 2"));
  EXPECT_TRUE(fs::exists(out / "report/distance-speed.svg"));
}

TEST(Sweep, LosesNothingOnAFullDisk) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder), out = folder / "out";
  // No file may grow beyond 2500 bytes: neither a journal nor the manifest.
  ASSERT_EQ(test::protobeam({"sweep", file, "--out", out}, {.meanwhile = kill_after(out, 1)}).exit,
            137);
  const Outcome full = test::protobeam({"sweep", file, "--out", out, "--resume", "--jobs", "1"},
                                       {.file_size_limit = 2500});
  EXPECT_EQ(full.exit, 1) << full.out;
  EXPECT_THAT(full.err, testing::AnyOf(HasSubstr("cannot write"), HasSubstr("disk"),
                                       HasSubstr("manifest.sqlite")));
  const std::int64_t before = done_lines(out);
  const Outcome after = test::protobeam({"sweep", file, "--out", out, "--resume"});
  EXPECT_EQ(after.exit, 0) << after.err;
  EXPECT_EQ(done_lines(out), kRuns);
  EXPECT_GE(before, 1);
}

TEST(Sweep, EndsWhenTheDiskIsFullAndGoesOnLater) {
  const TemporaryFolder folder;
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=72k") != 0) {
    GTEST_SKIP() << "only root can mount a small disk";
  }
  const std::shared_ptr<void> unmounted(nullptr, [&](void*) { umount2(disk.c_str(), MNT_DETACH); });
  const fs::path file = folder.write("many.yaml", fmt::format(R"(world: {}/worlds/yard.wbt
duration: 0.05
parameters: {{seed: {{seed: true, from: 1, to: 80}}}}
)",
                                                              source_dir()));
  const fs::path out = disk / "out";
  const Outcome full = test::protobeam({"sweep", file, "--out", out});
  EXPECT_EQ(full.exit, 1);
  EXPECT_THAT(full.err, testing::AnyOf(HasSubstr("No space left on device"), HasSubstr("disk is full")));
  EXPECT_GE(done_lines(out), 1);  // a journal or the manifest was full first
  ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=5m"), 0);
  const Outcome later = test::protobeam({"sweep", file, "--out", out, "--resume"});
  EXPECT_EQ(later.exit, 0) << later.err;
  EXPECT_EQ(done_lines(out), 80);
  EXPECT_EQ(Manifest(out).counts().done, 80);
}

TEST(Sweep, LeavesNothingRunningOnCtrlC) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder), out = folder / "out";
  const Outcome stopped =
      test::protobeam({"sweep", file, "--out", out}, {.meanwhile = [&](pid_t process) {
                        for (int i = 0; i < 600 && done_lines(out) < 2; ++i)
                          std::this_thread::sleep_for(std::chrono::milliseconds(50));
                        kill(process, SIGINT);
                      }});
  EXPECT_EQ(stopped.exit, 130);
  EXPECT_THAT(stopped.err, HasSubstr("--resume goes on"));
  const auto counts = Manifest(out).counts();
  EXPECT_EQ(counts.running, 0);
  EXPECT_EQ(counts.failed, 0);
  EXPECT_GE(counts.done, 2);
  EXPECT_EQ(test::processes_with(out.string()), 0);
}

TEST(Sweep, IsWorkedOnByOneProcess) {
  const TemporaryFolder folder;
  const fs::path file = sweep_file(folder), out = folder / "out";
  Outcome second;
  const Outcome first =
      test::protobeam({"sweep", file, "--out", out}, {.meanwhile = [&](pid_t) {
                        for (int i = 0; i < 600 && done_lines(out) < 1; ++i)
                          std::this_thread::sleep_for(std::chrono::milliseconds(50));
                        second = test::protobeam({"sweep", file, "--out", out, "--resume"});
                      }});
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(second.exit, 1);
  EXPECT_THAT(second.err, HasSubstr("another process works on the sweep"));
  EXPECT_THAT(test::protobeam({"sweep", file, "--out", out}).err,
              HasSubstr("--resume goes on with it"));
  const fs::path other = sweep_file(folder, "duration: 2");
  EXPECT_THAT(
      test::protobeam({"sweep", sweep_file(folder, "retries: 3"), "--out", out, "--resume"}).err,
      HasSubstr("holds another sweep than"));
}

TEST(Sweep, EndsAtOnceWhenTheWorldDoesNotWork) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  const auto sweep_with = [&](const std::string& parameter) {
    return test::protobeam(
        {"sweep",
         folder.write("bad.yaml",
                      fmt::format("world: {}/worlds/yard.wbt\nduration: 1\nparameters: {{x: {}}}\n",
                                  source_dir(), parameter)),
         "--out", out});
  };
  const Outcome nothing = sweep_with("{field: rovr.mass, values: [1, 2]}");
  EXPECT_EQ(nothing.exit, 1);
  EXPECT_THAT(nothing.err, HasSubstr("did you mean 'rover'?"));
  EXPECT_FALSE(Manifest::exists(out));
  EXPECT_THAT(sweep_with("{field: rover.translatoin, values: [1 2 3]}").err,
              HasSubstr("did you mean 'translation'?"));
  EXPECT_THAT(sweep_with("{field: rover.translation, values: [fast]}").err,
              HasSubstr("translation"));
  EXPECT_THAT(sweep_with("{field: rover.translation, from: 2, to: 1}").err, HasSubstr("reversed"));
}

TEST(Sweep, SaysWhenThereIsNoSlurm) {
  const TemporaryFolder folder;
  const Outcome outcome =
      test::protobeam({"sweep", sweep_file(folder), "--out", folder / "out", "--engine", "slurm"},
                      {.environment = {"PATH=/nonexistent"}});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("there is no Slurm here"));
  EXPECT_THAT(test::protobeam({"sweep", "status", folder / "nowhere"}).err,
              HasSubstr("there is no sweep in"));
}

TEST(Sweep, TakesWhatControllersSayAndWrite) {
  const TemporaryFolder folder;
  folder.write("worlds/small.wbt",
               "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 32 }\n"
               "Robot { name \"r\" controller \"giver\" }\n");
  folder.write("controllers/giver/giver.py", R"(import os
from controller import Robot
robot = Robot()
robot.metric("time", -1)
while robot.step(32) != -1:
    robot.metric("time", robot.getTime())
robot.metric("gain", float(os.environ["GAIN"]))
robot.metric("bad\nname", 1)
with open(os.environ["PROTOBEAM_SWEEP_OUT"] + "/estimate.tum", "w") as file:
    for i in range(20):
        file.write(f"{i * 0.032} 0.25 0 0 0 0 0 1\n")
)");
  folder.write("some.yaml", R"(world: worlds/small.wbt
duration: 0.96
parameters: {g: {environment: GAIN, values: [2.5, nan]}}
metrics:
  time:
  gain:
  ate: {trajectory_error: {estimate: estimate.tum, truth: poses/r.tum, align: none}}
retries: 0
)");
  // Names relative to where we are, which is not where controllers are.
  const Outcome swept =
      test::protobeam({"sweep", "some.yaml", "--out", "out"}, {.directory = folder.path()});
  EXPECT_EQ(swept.exit, 3) << swept.out << swept.err;
  const auto all = rows(folder / "out");
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(all[0].state, "done") << all[0].message;
  EXPECT_NEAR(*all[0].metrics[0], 0.96, 0.033);
  EXPECT_EQ(all[0].metrics[1], 2.5);
  EXPECT_NEAR(*all[0].metrics[2], 0.25, 1e-12);
  EXPECT_EQ(all[1].state, "failed");
  EXPECT_EQ(all[1].message, "metric 'gain' is \"nan\"");
  EXPECT_EQ(all[1].state_hash, all[0].state_hash);
}

TEST(Sweep, MeasuresTrajectories) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  // The truth against itself, and against the sensor on it: the same but for where it is.
  const fs::path file = folder.write("ate.yaml", fmt::format(R"(world: {}/worlds/yard.wbt
duration: 2
parameters: {{seed: {{seed: true, values: [1]}}}}
metrics:
  same: {{trajectory_error: {{estimate: poses/rover.tum, truth: poses/rover.tum, align: none}}}}
  lidar: {{trajectory_error: {{estimate: "poses/rover_Velodyne_VLP-16.tum", truth: poses/rover.tum, align: none}}}}
)",
                                                             source_dir()));
  const Outcome swept = test::protobeam({"sweep", file, "--out", out});
  ASSERT_EQ(swept.exit, 0) << swept.out << swept.err;
  const Row row = rows(out).at(0);
  EXPECT_EQ(row.metrics[0], 0.0);
  EXPECT_NEAR(*row.metrics[1], 0.76, 0.1);  // the lidar's height
  EXPECT_TRUE(fs::is_empty(out / "runs"));  // keep: false
}

}  // namespace
}  // namespace protobeam
