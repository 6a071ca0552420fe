#include "sweep/report.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sweep/plot.h"
#include "sweep/slurm.h"
#include "tests/support/temporary_folder.h"

namespace protobeam::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SweepStatistics, AreThoseOfTheBooks) {
  Sample sample;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sample.add(value);
  EXPECT_DOUBLE_EQ(sample.mean(), 5);
  EXPECT_DOUBLE_EQ(sample.deviation(), std::sqrt(32.0 / 7));
  EXPECT_NEAR(sample.half_width(), 2.365 * std::sqrt(32.0 / 7 / 8), 1e-12);
  Sample one;
  one.add(3);
  EXPECT_TRUE(std::isinf(one.half_width()));
  // Student's t at 97.5 %, of the tables.
  EXPECT_NEAR(student_quantile(1), 12.706, 1e-3);
  EXPECT_NEAR(student_quantile(11), 2.201, 1e-3);
  EXPECT_NEAR(student_quantile(19), 2.093, 1e-3);
  EXPECT_NEAR(student_quantile(1000), 1.962, 1e-3);
}

TEST(SweepPlot, HasRoundTicks) {
  EXPECT_THAT(ticks(0.55, 1.55),
              ElementsAre(testing::DoubleEq(0.6), testing::DoubleEq(0.8), testing::DoubleEq(1),
                          testing::DoubleEq(1.2), testing::DoubleEq(1.4)));
  EXPECT_THAT(ticks(-1, 1), testing::Contains(0.0));
  EXPECT_TRUE(ticks(1, 1).empty());
  for (const double scale : {1e-9, 1.0, 3e7}) {
    const auto all = ticks(-scale, 2 * scale);
    EXPECT_GE(all.size(), 4u);
    EXPECT_LE(all.size(), 9u);
  }
}

TEST(SweepSlurm, WritesRunsAsRanges) {
  EXPECT_EQ(to_ranges({3, 5, 6, 7, 9, 12, 13}), "3 5-7 9 12-13");
  EXPECT_THAT(from_ranges("3 5-7 9 12-13"), ElementsAre(3, 5, 6, 7, 9, 12, 13));
  for (const char* text : {"a", "3-", "-3", "5-4", "1-999999999999"}) {
    EXPECT_THROW(from_ranges(text), std::invalid_argument) << text;
  }
  EXPECT_EQ(chunk_of(1'000'000, 2, 1), 300);  // ten minutes
  EXPECT_EQ(chunk_of(200, 2, 1), 13);         // some jobs at once
  EXPECT_EQ(chunk_of(1, 1e6, 1), 1);
}

class ReportTest : public testing::Test {
 protected:
  Report report(const std::string& values, double (*metric)(std::int64_t run),
                const char* more = "") {
    Diagnostics diagnostics;
    const auto description = read_description_text(
        "some.yaml",
        "world: a.wbt\nparameters:\n  x: {field: A.x, " + values +
            "}\n  seed: {seed: true, from: 1, to: 4}\nmetrics: {m: }\n" + more,
        "/", diagnostics);
    EXPECT_EQ(diagnostics.to_string(), "");
    const Design design(*description);
    Manifest::create(folder_.path(), *description, design, "1");
    {
      Journal journal(folder_ / "journal", "test-");
      for (std::int64_t run = 0; run < design.runs(); ++run) {
        const double value = metric(run);
        journal.add({.event = std::isnan(value) ? Attempt::Event::kFailed : Attempt::Event::kDone,
                     .run = run,
                     .message = std::isnan(value) ? "said \"no\", twice" : "",
                     .metrics = {value}});
      }
    }
    Manifest manifest(folder_.path());
    manifest.gather();
    return write_report(manifest, folder_ / "report");
  }
  std::string read(const std::string& name) const {
    return read_bytes(folder_ / ("report/" + name));
  }

  TemporaryFolder folder_;
};

TEST_F(ReportTest, HasMeansOfEachValueAndAllRuns) {
  const Report made = report("values: [1, 2, 10]", [](std::int64_t run) {
    return run == 5 ? std::nan("") : static_cast<double>(run);
  });
  ASSERT_EQ(made.curves.size(), 1u);
  const Curve& curve = made.curves[0];
  ASSERT_EQ(curve.points.size(), 3u);
  EXPECT_EQ(curve.points[2].x, 10);  // by value, and not by text
  EXPECT_DOUBLE_EQ(curve.points[0].sample.mean(), 1.5);
  EXPECT_EQ(curve.points[1].sample.count(), 3);
  EXPECT_EQ(made.failures.size(), 1u);
  EXPECT_THAT(read("failures.csv"),
              HasSubstr("5,2,2,,failed,0,0,,0.000,,,\"said \"\"no\"\", twice\"\n"));
  EXPECT_EQ(std::ranges::count(read("runs.csv"), '\n'), 13);
  EXPECT_THAT(read("runs.csv"), HasSubstr("id,x,seed,m,state,attempts,exit"));
  EXPECT_THAT(read("curves.csv"), HasSubstr("m,x,1,4,1.5,"));
  EXPECT_THAT(read("m-x.svg"), HasSubstr("<polygon"));
}

TEST_F(ReportTest, DrawsWordsAsBarsAndManyValuesTogether) {
  const Report words = report("values: [fast, slow]", [](std::int64_t run) { return double(run); });
  EXPECT_FALSE(words.curves[0].numeric);
  EXPECT_THAT(read("m-x.svg"), HasSubstr(">slow</text>"));
}

TEST_F(ReportTest, PutsManyValuesTogether) {
  const Report made = report(
      "uniform: [0, 1]", [](std::int64_t run) { return double(run); }, "samples: {count: 200}");
  ASSERT_EQ(made.curves.size(), 1u);
  EXPECT_EQ(made.curves[0].points.size(), 24u);
  std::int64_t all = 0;
  for (const auto& point : made.curves[0].points) all += point.sample.count();
  EXPECT_EQ(all, 800);
}

}  // namespace
}  // namespace protobeam::sweep
