// When sweeps are cast, when they are published and what time their beams have.
#include <gtest/gtest.h>

#include "lidar_fixture.h"

namespace protobeam {
namespace {

using test::kInf;
using test::LidarInScene;
using FieldTexts = std::map<std::string, std::string>;

/// 100 columns at 10 Hz, 1 ms apart.
FieldTexts hundred(FieldTexts more = {}) {
  more.insert({{"scanLaw", "\"spinning\""},
               {"maxRange", "50"},
               {"horizontalResolution", "100"},
               {"beamElevations_deg", "[ 0, 10, -10 ]"}});
  return more;
}

/// Counts what is asked of another scene.
class CountingScene final : public RayScene {
 public:
  explicit CountingScene(RayScene& scene) : scene_(scene) {}

  void cast(const RayBatch& batch, const BlockSink& sink) override {
    ++casts;
    rays += batch.count;
    if (batch.time) times.insert(times.end(), batch.time, batch.time + batch.count);
    scene_.cast(batch, sink);
  }
  Instance add(const std::vector<VisibleShape>& shapes, const Pose& X_WB) override {
    return scene_.add(shapes, X_WB);
  }
  void set_motion(Instance instance, const Pose& X_WB_before, const Pose& X_WB) override {
    scene_.set_motion(instance, X_WB_before, X_WB);
  }
  void set_visible(Instance instance, bool visible) override {
    scene_.set_visible(instance, visible);
  }
  std::size_t triangle_count() const override { return scene_.triangle_count(); }

  int casts = 0;
  std::size_t rays = 0;
  std::vector<float> times;

 private:
  RayScene& scene_;
};

class Timing : public testing::TestWithParam<const char*> {
 protected:
  FieldTexts fields(FieldTexts more = {}) {
    more.insert({{"motionDistortion", GetParam()}});
    return hundred(more);
  }
};
INSTANTIATE_TEST_SUITE_P(Sweeps, Timing, testing::Values("FALSE", "TRUE"));

TEST_P(Timing, AWholeSweepIsPublishedInTheStepOfItsLastBeam) {
  LidarInScene lidar(fields());
  EXPECT_TRUE(lidar.sensor().every_step());
  lidar.add(Sphere{20});
  lidar.in.step = 0.008;
  lidar.in.time = 3.008;  // enabled at 3 s
  // The last beam of sweep n fires at 99 ms + n 100 ms.
  std::vector<int> published;
  for (int step = 1; step <= 50; ++step) {
    lidar.sample();
    if (lidar.sensor().frame_complete()) published.push_back(step);
    ASSERT_EQ(lidar.sensor().sample_changed(), lidar.sensor().frame_complete() || step == 1);
    const bool seen = step * 0.008 > 0.099;
    ASSERT_EQ(lidar.range(1, 50) < kInf, seen) << step;
    if (lidar.sensor().frame_complete()) {
      ASSERT_EQ(lidar.sensor().points(), 300u);
    }
  }
  EXPECT_EQ(published, (std::vector<int>{13, 25, 38, 50}));  // 104, 200, 304 and 400 ms
}

TEST_P(Timing, ManySweepsInAStepLeaveTheLastOne) {
  LidarInScene lidar(fields({{"defaultFrequency", "25"}}));
  lidar.add(Sphere{20});
  CountingScene counting(*lidar.scene);
  lidar.in.visible = &counting;
  lidar.in.step = 0.16;  // four sweeps
  lidar.in.time = 0.16;
  lidar.sample();
  EXPECT_TRUE(lidar.sensor().frame_complete());
  EXPECT_EQ(counting.casts, 1);
  EXPECT_EQ(counting.rays, 300u);
  const auto beams = lidar.sensor().beams(lidar.bytes());
  // The fourth sweep began at 120 ms; without distortion its last beam has the sample's time.
  const bool motion = std::string(GetParam()) == "TRUE";
  EXPECT_NEAR(beams[0].time, motion ? 0.12 : 0.16 - 0.99 * 0.04, 1e-12);
  EXPECT_NEAR(beams[99].time - beams[0].time, 0.99 * 0.04, 1e-12);
}

TEST_P(Timing, EnablingStartsAfresh) {
  LidarInScene lidar(fields());
  lidar.add(Sphere{20});
  lidar.in.step = 0.06;
  lidar.sample();
  EXPECT_FALSE(lidar.sensor().frame_complete());
  lidar.sensor().reset();
  lidar.sample();
  EXPECT_FALSE(lidar.sensor().frame_complete());  // 60 ms, not 120
  EXPECT_EQ(lidar.range(0, 0), kInf);
  lidar.sample();
  EXPECT_TRUE(lidar.sensor().frame_complete());
  EXPECT_EQ(lidar.sensor().points(), 300u);
}

TEST_P(Timing, FreshMemoryShowsNothingUntilTheNextSweep) {
  LidarInScene lidar(fields());
  lidar.add(Sphere{20});
  lidar.in.step = 0.1;
  lidar.command("point cloud", 1);
  lidar.sample();
  std::vector<std::byte> elsewhere(lidar.bytes().size());
  lidar.in.step = 0.01;
  take_sample(lidar.sensor(), lidar.in, elsewhere);
  float range = 0;
  std::memcpy(&range, elsewhere.data() + 4 * 120, 4);
  EXPECT_EQ(range, kInf);
  LidarPoint point{};
  std::memcpy(&point, elsewhere.data() + 4 * 300 + sizeof point * 120, sizeof point);
  EXPECT_EQ(point.x, kInf);
  EXPECT_EQ(point.layer_id, 1);
}

TEST_P(Timing, NoiseDiffersFromSweepToSweepAndNotWithThreads) {
  const auto images = [&](int threads) {
    LidarInScene lidar(fields({{"noise", "0.001"}}), threads);
    lidar.add(Sphere{20});
    lidar.in.step = 0.013;  // sweeps end within steps
    std::vector<std::vector<std::byte>> out;
    for (int step = 0; step < 30; ++step) {
      lidar.sample();
      if (lidar.sensor().frame_complete()) out.push_back(lidar.bytes());
    }
    return out;
  };
  const auto first = images(1);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[1], first[2]);
  EXPECT_EQ(first, images(2));
  EXPECT_EQ(first, images(4));
}

TEST_P(Timing, NoiseHasTheSigmaOfTheField) {
  LidarInScene lidar(fields({{"noise", "0.001"}, {"defaultFrequency", "1"}}));  // 5 cm
  lidar.add(Sphere{20});
  lidar.in.step = 0.07;
  double sum = 0, squares = 0;
  int n = 0;
  for (int step = 0; step < 1000; ++step) {
    lidar.sample();
    if (!lidar.sensor().frame_complete()) continue;
    for (int layer = 0; layer < 3; ++layer) {
      for (int column = 0; column < 100; ++column) {
        const double residual = lidar.range(layer, column) - 20;
        sum += residual;
        squares += residual * residual;
        ++n;
      }
    }
  }
  ASSERT_EQ(n, 70 * 300);
  EXPECT_NEAR(std::sqrt(squares / n), 0.05, 0.05 * 5 / std::sqrt(2.0 * n));
  EXPECT_NEAR(sum / n, 0, 5 * 0.05 / std::sqrt(n));
}

TEST_P(Timing, NothingIsBegunBeforeTheFirstBeamAndNoBeamIsLost) {
  // Steps that no number of columns fits: every beam of every sweep is cast exactly once.
  LidarInScene lidar(fields({{"defaultFrequency", "7"}}));
  lidar.add(Sphere{20});
  CountingScene counting(*lidar.scene);
  lidar.in.visible = &counting;
  lidar.in.step = 0.0031;
  int sweeps = 0;
  for (int step = 0; step < 1000; ++step) {
    lidar.sample();
    sweeps += lidar.sensor().frame_complete();
  }
  EXPECT_EQ(sweeps, 21);  // 3.1 s at 7 Hz: 21.7
  const bool motion = std::string(GetParam()) == "TRUE";
  if (motion) {
    // The 22nd has begun at 3 s: firings at 3.0 + k / 700 <= 3.1, k = 0 ... 70.
    EXPECT_EQ(counting.rays, 21u * 300 + 3 * 71);
  } else {
    EXPECT_EQ(counting.rays, 21u * 300);
    EXPECT_EQ(counting.casts, 21);
  }
}

TEST(MotionDistortion, CastsEachBeamAtItsInstantOfTheStep) {
  LidarInScene lidar(hundred({{"motionDistortion", "TRUE"}, {"beamTimes", "[ 0, 1e-4, 5e-4 ]"}}));
  lidar.add(Sphere{20});
  CountingScene counting(*lidar.scene);
  lidar.in.visible = &counting;
  lidar.in.step = 0.0102;
  lidar.sample();
  // Sequences 0 ... 10 at k ms; the last beam of sequence 10, at 10.5 ms, is due in the next step.
  std::multiset<int> expected, cast;
  for (int k = 0; k <= 10; ++k) {
    for (const double late : {0.0, 0.1, 0.5}) {
      if (k + late < 10.2) expected.insert(int(std::lround((k + late) / 10.2 * 1e5)));
    }
  }
  for (const float time : counting.times) cast.insert(int(std::lround(time * 1e5)));
  EXPECT_EQ(expected, cast);
  counting.times.clear();
  lidar.sample();
  const auto [first, last] = std::minmax_element(counting.times.begin(), counting.times.end());
  EXPECT_NEAR(*first, 0.3 / 10.2, 1e-5);
  EXPECT_NEAR(*last, (20.1 - 10.2) / 10.2, 1e-5);
}

TEST(MotionDistortion, OffMakesOneCastFromThePoseOfTheSample) {
  LidarInScene lidar(hundred());
  lidar.command("point cloud", 1);
  lidar.add(Box{{1, 400, 400}}, Pose::translation({20.5, 0, 0}));
  lidar.in.step = 0.02;
  for (int step = 1; step <= 5; ++step) {
    lidar.in.X_WS_before = Pose::translation({step - 1.0, 0, 0});
    lidar.in.X_WS = Pose::translation({double(step), 0, 0});
    lidar.sample();
  }
  for (const BeamReturn& b : lidar.sensor().beams(lidar.bytes())) {
    if (b.range < kInf) {
      ASSERT_NEAR(b.x, 15, 1e-4);
    }
  }
  EXPECT_GT(lidar.sensor().points(), 100u);
}

}  // namespace
}  // namespace protobeam
