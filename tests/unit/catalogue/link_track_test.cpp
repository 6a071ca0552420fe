// LinkTrackP as its PROTO makes it, over many samples, against the figures of the Multi-Campus
// Dataset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "catalogue_fixture.h"

namespace protobeam {
namespace {

using namespace catalogue;

struct RangeRecord {
  std::uint32_t id;
  float distance, first_path_power, total_power;
  std::int32_t valid;
};

/// What one of many tags of the same kind read of an anchor at one range. Each tag has its own slow
/// error, so that one sample of each gives all statistics of the errors.
struct Statistics {
  double received = 0;         ///< share
  double median = 0;           ///< m, of the error
  double spread = 0;           ///< m, robust standard deviation: 1.4826 times the median deviation
  double outlier = 0;          ///< share with more than 1 m of error, of those received
  double step = 0;             ///< m, deviation of the difference of two samples, over sqrt(2)
  float total = 0, first = 0;  ///< dBm
};

double median(std::vector<double> x) {
  std::ranges::sort(x);
  return x.at(x.size() / 2);
}

class LinkTrack : public testing::Test {
 protected:
  LinkTrack() { schemas().add(load_sensor_plugin("Uwb").schema); }

  std::unique_ptr<DeviceModel> make(const std::string& fields) {
    const Loaded loaded = load("LinkTrackP { " + fields + " }");
    EXPECT_EQ(loaded.messages, "");
    const NodePtr node = find(loaded.world, "Uwb");
    if (!node) throw std::runtime_error("there is no Uwb in it");
    const NodeView tag(*node, schemas());
    EXPECT_EQ(tag.number("samplingPeriod"), 50);
    return make_device(load_sensor_plugin("Uwb"), tag);
  }

  Statistics statistics(double range, const std::string& fields = "") {
    constexpr int kAnchors = 1000, kSamples = 50;
    std::string anchors = "anchors [";
    for (int i = 0; i < kAnchors; ++i) anchors += " " + std::to_string(range) + " 0 0";
    const auto tag = make(anchors + " ] " + fields);
    std::vector<std::byte> bytes(tag->layout().size);
    Statistics out;
    std::vector<double> errors, last(kAnchors, NAN), steps;
    for (int sample = 0; sample < kSamples; ++sample) {
      SampleInput in;
      // Minutes between pairs of samples: each pair has a slow error of its own.
      in.time = 200.0 * (sample / 2) + 0.05 * (sample % 2);
      in.frame = static_cast<std::uint64_t>(sample);
      in.noise = {5, 6, 0, in.frame};
      take_sample(*tag, in, bytes);
      for (std::size_t i = 0; i < kAnchors; ++i) {
        RangeRecord record;
        std::memcpy(&record, bytes.data() + i * sizeof record, sizeof record);
        const double error = record.valid ? record.distance - range : NAN;
        if (sample % 2 == 1 && std::isfinite(error) && std::isfinite(last[i])) {
          steps.push_back((error - last[i]) * (error - last[i]) / 2);
        }
        last[i] = error;
        if (!record.valid) continue;
        errors.push_back(error);
        out.total = record.total_power;
        out.first = record.first_path_power;
      }
    }
    out.received = static_cast<double>(errors.size()) / (kAnchors * kSamples);
    out.median = median(errors);
    out.outlier = static_cast<double>(std::ranges::count_if(
                      errors, [&](double e) { return std::abs(e - out.median) > 1.2; })) /
                  static_cast<double>(errors.size());
    for (const double step : steps) out.step += step;
    out.step = std::sqrt(out.step / static_cast<double>(steps.size()));
    for (double& e : errors) e = std::abs(e - out.median);
    out.spread = 1.4826 * median(errors);
    return out;
  }
};

TEST_F(LinkTrack, HasTheFiguresOfTheDataset) {
  const struct {
    double range, received, median, spread, total, first;
  } figures[] = {
      {25, 0.83, -0.015, 0.155, -79, -81.5},  // bias between -0.06 at 10 m and 0 at 30 m
      {75, 0.70, 0.0925, 0.165, -80, -83},   {125, 0.46, 0.33, 0.19, -82.5, -87.5},
      {175, 0.20, 0.41, 0.22, -85.5, -90},   {250, 0.11, 0.60, 0.30, -87, -92.5},
  };
  for (const auto& expected : figures) {
    SCOPED_TRACE(expected.range);
    const Statistics got = statistics(expected.range);
    EXPECT_NEAR(got.received, expected.received, 0.012);
    EXPECT_NEAR(got.median, expected.median, 0.02);
    EXPECT_NEAR(got.spread, expected.spread, 0.02);
    EXPECT_NEAR(got.total, expected.total, 0.51);
    EXPECT_NEAR(got.first, expected.first, 0.51);
    // Two samples 50 ms apart: white noise, and the slow error's 0.05 s of 30 s.
    const double slow = expected.spread * std::sqrt(1 - std::exp(-0.05 / 30));
    EXPECT_NEAR(got.step, std::hypot(0.037, slow), 0.003);
  }
}

TEST_F(LinkTrack, ReceivesNothingBeyondItsReach) {
  EXPECT_NEAR(statistics(350).received, 0.03, 0.005);
  const auto tag = make("anchors [ 401 0 0 ] reception \"full\"");
  std::vector<std::byte> bytes(tag->layout().size);
  take_sample(*tag, {}, bytes);
  RangeRecord record;
  std::memcpy(&record, bytes.data(), sizeof record);
  EXPECT_EQ(record.valid, 0);
}

TEST_F(LinkTrack, OutliersAreOffUntilAskedFor) {
  EXPECT_LT(statistics(125).outlier, 1e-3);
  EXPECT_NEAR(statistics(70, "outliers TRUE").outlier, 0.026, 0.006);
  EXPECT_NEAR(statistics(125, "outliers TRUE").outlier, 0.09, 0.012);
  EXPECT_NEAR(statistics(250, "outliers TRUE").outlier, 0.31, 0.03);
}

TEST_F(LinkTrack, IsExactWithoutErrors) {
  const Statistics got = statistics(123.4567, "errors \"none\" reception \"full\"");
  EXPECT_EQ(got.received, 1);
  EXPECT_NEAR(got.median, 0.0003, 1e-4);  // in steps of a millimetre
  EXPECT_EQ(got.spread, 0);
}

}  // namespace
}  // namespace protobeam
