// A tag against anchors at known places: closed forms without noise, the statistics of LinkTrackP's
// figures over many samples, and walls in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using FieldTexts = std::map<std::string, std::string>;

struct RangeRecord {
  std::uint32_t id;
  float distance, first_path_power, total_power;
  std::int32_t valid;
};
struct TruthRecord {
  float distance;
  std::int32_t walls;
};

/// Planes x = d of the world. Two with the same shape number are the faces of one wall.
class Walls final : public RayScene {
 public:
  struct Face {
    double x;
    std::uint32_t shape;
  };
  explicit Walls(std::vector<Face> faces) : faces_(std::move(faces)) {}

  void cast(const RayBatch& batch, const BlockSink& sink) override {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Vec3 direction_W = batch.X_WS.R * Vec3(batch.dx[i], batch.dy[i], batch.dz[i]);
      float range = std::numeric_limits<float>::infinity();
      std::uint32_t instance = kNoHit, shape = kNoHit;
      for (const Face& face : faces_) {
        const double t = (face.x - batch.X_WS.p.x()) / direction_W.x();
        if (!(t >= (batch.near ? batch.near[i] : batch.t_near) && t <= batch.t_far && t < range)) {
          continue;
        }
        range = static_cast<float>(t);
        instance = 0;
        shape = face.shape;
      }
      RayBlock block;
      block.first = i;
      block.count = 1;
      block.range = &range;
      block.instance = &instance;
      block.shape = &shape;
      sink(block);
    }
  }

  Instance add(const std::vector<VisibleShape>&, const Pose&) override { return 0; }
  void set_motion(Instance, const Pose&, const Pose&) override {}
  void set_visible(Instance, bool) override {}
  std::size_t triangle_count() const override { return 0; }

 private:
  std::vector<Face> faces_;
};

/// A tag, sampled 20 times a second as LinkTrack P does.
class Tag {
 public:
  explicit Tag(FieldTexts fields, RayScene* visible = nullptr)
      : device_(make_sensor("Uwb", std::move(fields))), bytes_(device_->layout().size) {
    in_.visible = visible;
    in_.noise = {1, 2, 0, 0};
  }

  void sample(const Pose& X_WS = {}) {
    in_.X_WS = X_WS;
    in_.frame = in_.noise.frame = samples_++;
    in_.time = 0.05 * static_cast<double>(samples_);
    take_sample(*device_, in_, bytes_);
  }
  RangeRecord range(std::size_t anchor = 0) const { return get<RangeRecord>("ranges", anchor); }
  TruthRecord truth(std::size_t anchor = 0) const { return get<TruthRecord>("truth", anchor); }
  int count() const { return get<std::int32_t>("count", 0); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  DeviceModel& device() { return *device_; }

 private:
  template <class T>
  T get(const char* channel, std::size_t index) const {
    T value;
    const ChannelLayout* layout = device_->layout().find(channel);
    std::memcpy(&value, bytes_.data() + layout->offset + index * sizeof(T), sizeof value);
    return value;
  }

  std::unique_ptr<DeviceModel> device_;
  std::vector<std::byte> bytes_;
  SampleInput in_;
  std::uint64_t samples_ = 0;
};

double average(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}
double spread(const std::vector<double>& x) {
  const double m = average(x);
  double sum = 0;
  for (const double value : x) sum += (value - m) * (value - m);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

TEST(Uwb, MeasuresStraightLinesWithoutNoise) {
  Tag tag({{"anchors", "[ 3 4 0, 0 0 12, -40 30 5 ]"}, {"anchorIds", "[ 7 3 100 ]"}});
  tag.sample();
  EXPECT_EQ(tag.count(), 3);
  EXPECT_EQ(tag.range(0).id, 7u);
  EXPECT_EQ(tag.range(1).id, 3u);
  EXPECT_EQ(tag.range(2).id, 100u);
  EXPECT_FLOAT_EQ(tag.range(0).distance, 5);
  EXPECT_FLOAT_EQ(tag.range(1).distance, 12);
  EXPECT_FLOAT_EQ(tag.range(2).distance, static_cast<float>(std::sqrt(1600.0 + 900 + 25)));
  // Wherever the tag is and looks, it is the distance between origins.
  tag.sample({axis_angle(Vec3::UnitZ(), 1), Vec3(3, 4, -7)});
  EXPECT_FLOAT_EQ(tag.range(0).distance, 7);
  EXPECT_FLOAT_EQ(tag.truth(0).distance, 7);
}

TEST(Uwb, WithoutAnchorsHasNoRanges) {
  Tag tag({});
  tag.sample();
  EXPECT_EQ(tag.count(), 0);
}

TEST(Uwb, LosesPowerAsFriisSays) {
  // 3.9936 GHz: 20 log10(4 pi d f / c) is 44.475 dB at 1 m, 64.475 dB at 10 m, 84.475 dB at 100 m.
  Tag tag({{"anchors", "[ 1 0 0, 10 0 0, 100 0 0 ]"},
           {"transmitPower", "-14"},
           {"antennaGain", "2"},
           {"firstPathLoss", "[ 10 1, 100 4 ]"}});
  tag.sample();
  EXPECT_NEAR(tag.range(0).total_power, -12 - 44.475, 2e-3);
  EXPECT_NEAR(tag.range(1).total_power, -12 - 64.475, 2e-3);
  EXPECT_NEAR(tag.range(2).total_power, -12 - 84.475, 2e-3);
  EXPECT_NEAR(tag.range(1).first_path_power, -13 - 64.475, 2e-3);
  EXPECT_NEAR(tag.range(2).first_path_power, -16 - 84.475, 2e-3);

  // n = 3 loses another 10 dB a decade.
  Tag street({{"anchors", "[ 100 0 0 ]"}, {"pathLossExponent", "3"}, {"sensitivity", "-130"}});
  street.sample();
  EXPECT_NEAR(street.range().total_power, -14.3 - 104.475, 2e-3);
}

TEST(Uwb, ReceivesWhatIsStrongEnoughAndInReach) {
  // -14.3 - 44.475 - 20 log10(d) > -90 up to 36.5 m.
  Tag tag({{"anchors", "[ 36 0 0, 37 0 0 ]"}, {"sensitivity", "-90"}});
  tag.sample();
  EXPECT_EQ(tag.range(0).valid, 1);
  EXPECT_EQ(tag.range(1).valid, 0);
  EXPECT_TRUE(std::isnan(tag.range(1).distance));
  EXPECT_TRUE(std::isnan(tag.range(1).total_power));
  EXPECT_EQ(tag.range(1).id, 1u);
  EXPECT_FLOAT_EQ(tag.truth(1).distance, 37);
  EXPECT_EQ(tag.count(), 1);

  Tag near({{"anchors", "[ 36 0 0, 37 0 0 ]"}, {"maxRange", "36.5"}});
  near.sample();
  EXPECT_EQ(near.count(), 1);
}

TEST(Uwb, RoundsToSteps) {
  Tag tag({{"anchors", "[ 12.3456 0 0 ]"}, {"resolution", "0.01"}, {"powerResolution", "0.5"}});
  tag.sample();
  EXPECT_FLOAT_EQ(tag.range().distance, 12.35f);
  // -14.3 - 44.475 - 20 log10(12.3456) = -80.606
  EXPECT_FLOAT_EQ(tag.range().total_power, -80.5f);
}

TEST(Uwb, WallsMakeRangesLongerAndWeaker) {
  Walls scene({{10, 1}, {10.2, 1}, {20, 2}});  // a thick wall and a sheet
  const FieldTexts fields = {{"anchors", "[ 5 0 0, 15 0 0, 30 0 0 ]"},
                             {"wallDelay", "0.3"},
                             {"wallLoss", "15"},
                             {"wallPowerLoss", "4"}};
  Tag tag(fields, &scene);
  Tag open(fields);
  tag.sample();
  open.sample();
  const float straight[] = {5, 15, 30};
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const auto n = static_cast<std::size_t>(i);
    EXPECT_EQ(tag.truth(n).walls, i);
    EXPECT_EQ(tag.truth(n).distance, straight[i]);
    EXPECT_FLOAT_EQ(tag.range(n).distance, straight[i] + 0.3f * static_cast<float>(i));
    EXPECT_NEAR(open.range(n).total_power - tag.range(n).total_power, 4 * i, 1e-4);
    EXPECT_NEAR(open.range(n).first_path_power - tag.range(n).first_path_power, 15 * i, 1e-4);
  }
}

TEST(Uwb, WhatItIsMountedOnDoesNotBlock) {
  Walls scene({{0.05, 1}, {9.95, 2}});
  Tag tag({{"anchors", "[ 10 0 0 ]"}}, &scene);
  tag.sample();
  EXPECT_EQ(tag.truth().walls, 0);
  Tag bare({{"anchors", "[ 10 0 0 ]"}, {"clearance", "0"}}, &scene);
  bare.sample();
  EXPECT_EQ(bare.truth().walls, 2);
}

TEST(Uwb, DetoursBehindWallsAreExponential) {
  Walls scene({{10, 1}});
  Tag tag({{"anchors", "[ 5 0 0, 20 0 0 ]"}, {"nlosDelay", "0.5"}, {"wallDelay", "0.2"}}, &scene);
  std::vector<double> excess;
  for (int i = 0; i < 20000; ++i) {
    tag.sample();
    EXPECT_EQ(tag.range(0).distance, 5);
    excess.push_back(tag.range(1).distance - 20.2);
    EXPECT_GE(excess.back(), -1e-5);
  }
  // Both are the scale; the mean's own standard deviation is 0.0035, the deviation's about 0.007.
  EXPECT_NEAR(average(excess), 0.5, 0.015);
  EXPECT_NEAR(spread(excess), 0.5, 0.03);
}

TEST(Uwb, BiasGrowsWithTheRangeAsTheTableSays) {
  Tag tag({{"anchors", "[ 10 0 0, 100 0 0, 150 0 0, 300 0 0 ]"},
           {"bias", "[ 50 -0.1, 100 0.1, 200 0.5 ]"},
           {"sensitivity", "-130"}});
  tag.sample();
  EXPECT_NEAR(tag.range(0).distance, 9.9, 1e-5);
  EXPECT_NEAR(tag.range(1).distance, 100.1, 1e-4);
  EXPECT_NEAR(tag.range(2).distance, 150.3, 1e-4);
  EXPECT_NEAR(tag.range(3).distance, 300.5, 1e-4);
}

TEST(Uwb, WhiteNoiseHasItsDeviationAndIsWhite) {
  Tag tag({{"anchors", "[ 50 0 0 ]"}, {"noise", "0.037"}});
  std::vector<double> errors, steps;
  for (int i = 0; i < 20000; ++i) {
    tag.sample();
    errors.push_back(tag.range().distance - 50);
    if (i > 0) steps.push_back(errors.back() - errors[errors.size() - 2]);
  }
  EXPECT_NEAR(average(errors), 0, 4 * 0.037 / std::sqrt(20000));
  EXPECT_NEAR(spread(errors), 0.037, 0.037 * 0.02);
  EXPECT_NEAR(spread(steps), 0.037 * std::sqrt(2), 0.037 * 0.03);
}

TEST(Uwb, SlowNoiseIsCorrelatedOverItsTime) {
  // 100 anchors are 100 independent processes. 0.5 s at 20 Hz: 10 samples.
  std::string anchors = "[";
  for (int i = 0; i < 100; ++i) anchors += " 50 0 0";
  Tag tag({{"anchors", anchors + " ]"}, {"slowNoise", "[ 0 0.2 ]"}, {"slowNoiseTime", "0.5"}});
  double now = 0, later = 0, all = 0;
  std::vector<double> start(100);
  constexpr int kSamples = 2000;
  for (int i = 0; i < kSamples; ++i) {
    tag.sample();
    for (std::size_t k = 0; k < 100; ++k) {
      const double error = tag.range(k).distance - 50.0;
      all += error * error;
      if (i % 20 == 0) start[k] = error;
      if (i % 20 == 10) {
        later += error * start[k];
        now += start[k] * start[k];
      }
    }
  }
  EXPECT_NEAR(std::sqrt(all / (100 * kSamples)), 0.2, 0.2 * 0.03);
  EXPECT_NEAR(later / now, std::exp(-1.0), 0.04);
}

TEST(Uwb, TheSameSeedGivesTheSameBytes) {
  const FieldTexts fields = {{"anchors", "[ 50 0 0, 0 60 0 ]"},
                             {"noise", "0.1"},
                             {"slowNoise", "[ 0 0.2 ]"},
                             {"receptionRatio", "[ 0 0.7 ]"},
                             {"outlierRatio", "[ 0 0.2 ]"}};
  Tag a(fields), b(fields);
  for (int i = 0; i < 50; ++i) {
    a.sample();
    b.sample();
    EXPECT_EQ(a.bytes(), b.bytes());
  }
}

TEST(Uwb, OutliersHaveTheirShareSignAndPower) {
  Tag tag({{"anchors", "[ 100 0 0 ]"},
           {"outlierRatio", "[ 50 0.1, 150 0.3 ]"},
           {"outlierOffset", "1"},
           {"outlierScale", "5"},
           {"outlierPositive", "0.8"},
           {"outlierPowerLoss", "6"}});
  std::vector<double> beyond, losses;
  int longer = 0;
  constexpr int kSamples = 40000;
  for (int i = 0; i < kSamples; ++i) {
    tag.sample();
    const double error = tag.range().distance - 100.0;
    if (std::abs(error) < 0.5) {
      EXPECT_EQ(tag.range().first_path_power, tag.range().total_power);
      continue;
    }
    if (error > 0) ++longer;
    if (error > 0) beyond.push_back(error - 1);
    losses.push_back(tag.range().total_power - tag.range().first_path_power);
  }
  const auto outliers = static_cast<double>(losses.size());
  EXPECT_NEAR(outliers / kSamples, 0.2, 0.008);
  EXPECT_NEAR(longer / outliers, 0.8, 0.02);
  EXPECT_NEAR(average(beyond), 5, 0.25);
  EXPECT_NEAR(average(losses), 6, 0.3);
}

TEST(Uwb, SaysWhatIsWrongWithAField) {
  const auto message = [](FieldTexts fields) -> std::string {
    try {
      make_sensor("Uwb", std::move(fields));
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_THAT(message({{"anchors", "[ 0 0 0 ]"}, {"anchorIds", "[ 1 2 ]"}}),
              HasSubstr("field 'anchorIds' has 2 ids for 1 anchors"));
  EXPECT_THAT(message({{"anchors", "[ 0 0 0, 1 0 0 ]"}, {"anchorIds", "[ 4 4 ]"}}),
              HasSubstr("field 'anchorIds' has the id 4 twice"));
  EXPECT_THAT(message({{"bias", "[ 1 2 3 ]"}}), HasSubstr("field 'bias' holds 3 numbers"));
  EXPECT_THAT(message({{"bias", "[ 5 0, 5 1 ]"}}), HasSubstr("ranges have to grow"));
  EXPECT_THAT(message({{"slowNoise", "[ -1 0 ]"}}), HasSubstr("ranges are >= 0"));
  EXPECT_THAT(message({{"slowNoise", "[ 1 -1 ]"}}), HasSubstr("values are >= 0"));
  EXPECT_THAT(message({{"receptionRatio", "[ 0 1.5 ]"}}),
              HasSubstr("field 'receptionRatio' has the value 1.5 at 0 m; values are in [0, 1]"));
  EXPECT_THAT(message({{"wallLoss", "3"}, {"wallPowerLoss", "4"}}), HasSubstr("'wallPowerLoss'"));
}

}  // namespace
}  // namespace protobeam
