#include "sweep/manifest.h"

#include <gmock/gmock.h>

#include <fstream>
#include <memory>

#include "tests/support/temporary_folder.h"

namespace protobeam::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ManifestTest : public testing::Test {
 protected:
  ManifestTest() {
    Diagnostics diagnostics;
    description_ =
        *read_description_text("some.yaml",
                               "world: a.wbt\nparameters:\n  x: {field: A.x, values: [0.1, b]}\n"
                               "  seed: {seed: true, from: 1, to: 3}\nmetrics: {m: }\n",
                               "/", diagnostics);
    Manifest::create(folder_.path(), description_, Design(description_), "1.2.3");
  }

  std::vector<Row> rows() const {
    std::vector<Row> out;
    Manifest(folder_.path()).for_each([&](const Row& row) { out.push_back(row); });
    return out;
  }
  void gather() const { Manifest(folder_.path()).gather(); }
  std::unique_ptr<Journal> journal() const {
    return std::make_unique<Journal>(folder_ / "journal", "test-");
  }
  static void done(Journal& journal, std::int64_t run, const std::string& hash, double metric) {
    journal.add({.run = run, .version = "1.2.3", .machine = "here", .began = "now"});
    journal.add({.event = Attempt::Event::kDone,
                 .run = run,
                 .wall = 2,
                 .state_hash = hash,
                 .metrics = {metric}});
  }

  TemporaryFolder folder_;
  Description description_;
};

TEST_F(ManifestTest, HasARowForEachRun) {
  const auto all = rows();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_THAT(all[2].parameters, ElementsAre("0.1", "3"));
  EXPECT_THAT(all[3].parameters, ElementsAre("b", "1"));
  EXPECT_EQ(all[5].state, "missing");
  EXPECT_THAT(message_of<std::runtime_error>([&] {
                Manifest::create(folder_.path(), description_, Design(description_), "1");
              }),
              HasSubstr("holds a sweep already"));
}

TEST_F(ManifestTest, CountsNothingTwice) {
  auto first = journal();
  done(*first, 1, "aa", 0.5);
  first->add({.run = 2});
  first->add({.event = Attempt::Event::kFailed, .run = 2, .exit = 3, .message = "no"});
  gather();
  gather();
  done(*first, 4, "bb", 7);
  gather();
  const auto all = rows();
  EXPECT_EQ(all[1].state, "done");
  EXPECT_EQ(all[1].attempts, 1);
  EXPECT_EQ(all[1].metrics[0], 0.5);
  EXPECT_EQ(all[1].machine, "here");
  EXPECT_EQ(all[2].state, "failed");
  EXPECT_EQ(all[2].message, "no");
  EXPECT_EQ(all[4].state_hash, "bb");
  Manifest manifest(folder_.path());
  EXPECT_EQ(manifest.counts().attempts, 3);
  EXPECT_EQ(manifest.counts().done, 2);
  EXPECT_THAT(manifest.open_runs(1), ElementsAre(0, 3, 5));
  EXPECT_THAT(manifest.open_runs(2), ElementsAre(0, 2, 3, 5));
}

TEST_F(ManifestTest, ARunThatWasDoneTwiceStaysAndTellsOfADifference) {
  auto one = journal();
  done(*one, 0, "aa", 1);
  gather();
  auto two = journal();
  done(*two, 0, "aa", 1);
  two->add({.event = Attempt::Event::kFailed, .run = 0, .exit = 1});
  gather();
  EXPECT_TRUE(Manifest(folder_.path()).differences().empty());
  done(*two, 0, "cc", 2);
  gather();
  Manifest manifest(folder_.path());
  ASSERT_EQ(manifest.differences().size(), 1u);
  EXPECT_EQ(manifest.differences()[0].first, "aa");
  EXPECT_EQ(manifest.differences()[0].second, "cc");
  manifest.for_each([](const Row& row) { EXPECT_EQ(row.metrics[0], 1); }, "WHERE id = 0");
  EXPECT_EQ(manifest.counts().attempts, 3);
}

TEST_F(ManifestTest, RunsOfAWorkerThatIsGoneAreMissingAgain) {
  auto worker = journal();
  worker->add({.run = 3});
  gather();
  EXPECT_EQ(rows()[3].state, "running");
  worker.reset();
  gather();
  EXPECT_EQ(rows()[3].state, "missing");
  EXPECT_EQ(rows()[3].attempts, 1);
}

TEST_F(ManifestTest, LeavesOutWhatIsNoLine) {
  {
    auto worker = journal();
    done(*worker, 1, "aa", 1);
    std::ofstream file(folder_ / ("journal/" + worker->name() + ".jsonl"), std::ios::app);
    file << "{\"event\": \"done\"}\n[1, 2\n{\"event\": \"done\", \"run\": \"x\"}\n"
         << "{\"event\": \"done\", \"run\": 99}\n{\"event\": \"done\", \"run\": 5, \"met";
  }
  gather();
  const auto all = rows();
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].state, "done");
  EXPECT_EQ(all[5].state, "missing");
}

TEST_F(ManifestTest, StaysAsItWasWhenNobodyCommits) {
  auto worker = journal();
  done(*worker, 1, "aa", 1);
  {
    Database database(folder_ / "manifest.sqlite", Database::Open::kExisting);
    Transaction transaction(database);
    database.execute("UPDATE run SET state = 'done'");
  }
  gather();
  EXPECT_EQ(Manifest(folder_.path()).counts().done, 1);
}

TEST_F(ManifestTest, SaysWhoIsInTheWay) {
  Database shell(folder_ / "manifest.sqlite", Database::Open::kExisting);
  shell.execute("PRAGMA journal_mode=WAL; SELECT count(*) FROM run");
  EXPECT_THAT(message_of<std::runtime_error>(
                  [&] { Manifest(folder_.path(), std::chrono::milliseconds(50)).gather(); }),
              HasSubstr("another program has it open"));
}

TEST(ManifestFolder, HasToBeThere) {
  TemporaryFolder folder;
  EXPECT_THAT(message_of<std::runtime_error>([&] { Manifest(folder.path()); }),
              HasSubstr("there is no sweep in"));
}

TEST(SweepJournal, GivesBackWhatWasWritten) {
  const Attempt attempt{.event = Attempt::Event::kFailed,
                        .run = 12345678901,
                        .exit = 137,
                        .wall = 0.25,
                        .state_hash = "00ff",
                        .message = "a \"b\"\n\xff",
                        .metrics = {1.5, std::nullopt, -1e300}};
  const auto back = from_line(to_line(attempt));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->run, attempt.run);
  EXPECT_EQ(back->exit, 137);
  EXPECT_EQ(back->metrics, attempt.metrics);
  EXPECT_EQ(std::ranges::count(to_line(attempt), '\n'), 1);
  EXPECT_FALSE(from_line("{}"));
  EXPECT_FALSE(from_line("{\"event\":\"done\",\"run\":null}"));
}

}  // namespace
}  // namespace protobeam::sweep
