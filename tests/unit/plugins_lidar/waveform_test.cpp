// Beams with several echoes: edges, glass, water and weather.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "plugins/devices/lidar/signal/medium.h"
#include "plugins/devices/lidar/signal/sub_rays.h"
#include "signal_fixture.h"

namespace protobeam {
namespace {

using test::FieldTexts;
using test::grey;
using test::kInf;
using test::narrow;
using test::SignalLidar;
using test::statistics;

TEST(SubRays, EachStandsForASixteenthOfAGaussianBeam) {
  const auto offsets = sub_ray_offsets();
  Eigen::Vector2d mean(0, 0);
  std::vector<double> inside;  // share of a Gaussian beam's power within the ray's radius
  for (const auto& o : offsets) {
    mean += Eigen::Vector2d(double{o[0]}, double{o[1]}) / 16;
    inside.push_back(1 - std::exp(-2 * double{o[0] * o[0] + o[1] * o[1]}));
  }
  EXPECT_NEAR(mean.norm(), 0, 1e-6);
  EXPECT_EQ(inside[0], 0);
  for (int i = 1; i < 6; ++i) EXPECT_NEAR(inside[std::size_t(i)], 3.5 / 16, 1e-5);    // 1..6 of 16
  for (int i = 6; i < 16; ++i) EXPECT_NEAR(inside[std::size_t(i)], 11.0 / 16, 1e-5);  // 6..16
}

/// One beam along x, 6 mrad wide: 60 mm (to 1/e^2) at 10 m.
FieldTexts wide(FieldTexts more = {}) {
  more.insert({{"beamModel", "\"datasheet\""},
               {"beamDivergence", "0.006"},
               {"horizontalResolution", "1"},
               {"numberOfLayers", "1"},
               {"maxRange", "100"},
               {"minRange", "0.5"},
               {"detectionRange", "100"},
               {"intensityCode", "\"ouster\""}});
  return more;
}

/// A plate at 10 m hides everything left of the beam's middle, a wall stands behind it.
void add_edge(SignalLidar& lidar, double behind) {
  lidar.add_plate(grey(0.5f), 10, 50, 100 - 1e-3);
  lidar.add_plate(grey(0.5f), 10 + behind);
}

std::vector<BeamReturn> at_edge(const std::string& mode, double behind) {
  SignalLidar lidar(wide({{"returnMode", '"' + mode + '"'}}));
  add_edge(lidar, behind);
  lidar.sample();
  return lidar.beams();
}

TEST(Divergence, AnEdgeGivesTwoReturnsThatShareTheBeam) {
  const auto both = at_edge("dual", 10);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].return_number, 1);
  EXPECT_EQ(both[1].return_number, 2);
  // Half of the light at half of the distance is four times as strong as the other half.
  EXPECT_NEAR(both[0].range, 10, 0.02);
  EXPECT_NEAR(both[1].range, 20, 0.05);
  EXPECT_NEAR(both[1].x, 20, 0.05);
  // Sixteenths: 8 rays of 16 lie on each side, give or take the one in the middle.
  EXPECT_NEAR(both[0].signal + 4 * both[1].signal, 5 * 5.0006 * 5 * 100, 80);
  EXPECT_NEAR(both[0].signal / (both[0].signal + 4 * both[1].signal), 0.5, 1.01 / 16);
}

TEST(Divergence, ReturnModesChooseAmongTheReturns) {
  EXPECT_NEAR(at_edge("first", 10)[0].range, 10, 0.02);
  EXPECT_NEAR(at_edge("strongest", 10)[0].range, 10, 0.02);
  EXPECT_NEAR(at_edge("last", 10)[0].range, 20, 0.05);
  for (const char* mode : {"first", "strongest", "last"}) EXPECT_EQ(at_edge(mode, 10).size(), 1u);
  // Only one target: nothing to report twice.
  SignalLidar lidar(wide({{"returnMode", "\"dual\""}}));
  lidar.add_plate(grey(0.5f), 10);
  lidar.sample();
  EXPECT_EQ(lidar.beams().size(), 1u);
}

TEST(Divergence, TheStrongestIsTheSecondWhereItShinesMore) {
  SignalLidar lidar(wide({{"returnMode", "\"dual\""}}));
  lidar.add_plate(grey(0.05f), 10, 50, 100 - 1e-3);
  lidar.add_plate(grey(0.9f), 20);
  lidar.sample();
  const auto both = lidar.beams();
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NEAR(both[0].range, 20, 0.05);  // the strongest is the last: the other one follows
  EXPECT_NEAR(both[1].range, 10, 0.1);
}

TEST(Divergence, EchoesWithinHalfAPulseMixToARangeBetweenThem) {
  // 5 ns are 0.75 m: a step of 0.4 m cannot be told apart, one of 0.8 m can.
  const auto mixed = at_edge("dual", 0.4);
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_GT(mixed[0].range, 10.1);
  EXPECT_LT(mixed[0].range, 10.3);
  EXPECT_EQ(at_edge("dual", 0.8).size(), 2u);
}

TEST(Divergence, AWideBeamOnAWallIsTheSameAsALine) {
  SignalLidar line(narrow()), beam(narrow({{"beamDivergence", "0.002"}}));
  for (SignalLidar* lidar : {&line, &beam}) {
    lidar->add_plate(grey(0.2f), 30);
    lidar->sample();
  }
  const auto a = line.beams(), b = beam.beams();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(a[i].range, b[i].range, 1e-4);
    ASSERT_NEAR(a[i].intensity, b[i].intensity, 1e-4);
  }
}

Surface pane(float transmission, float specular);

TEST(Waveforms, OfOneEchoAreWhatTheShortWayGivesBitForBit) {
  SignalLidar short_way(narrow({{"noise", "1e-4"}})), long_way(narrow({{"noise", "1e-4"}}));
  for (SignalLidar* lidar : {&short_way, &long_way}) lidar->add_plate(grey(0.1f), 95, 0, 1000, 0.3);
  long_way.add_plate(pane(0.9f, 0), -20);  // glass that nobody sees
  short_way.sample();
  long_way.sample();
  EXPECT_EQ(short_way.bytes(), long_way.bytes());
  EXPECT_GT(statistics(short_way.beams()).returns, 50'000u);
}

Surface pane(float transmission, float specular) {
  Surface glass;
  glass.transmission = transmission;
  glass.specular = specular;
  glass.slope = 0.1f;
  return glass;
}

/// Air so clear that it changes nothing, but all beams are worked on one by one.
constexpr Atmosphere kThinAir{1e13, 0, 0, 0};

/// Plates beside each other and behind each other: too near, of glass, black, far away.
void add_scenery(SignalLidar& lidar) {
  lidar.add_plate(grey(0.5f), 0.49, 0.5 + 1.043e-3, 1);
  lidar.add_plate(pane(0.9f, 0.02f), 5, -0.5 + 5.17e-3, 1);
  lidar.add_plate(pane(0.8f, 0.02f), 9, -0.5 - 1.09e-2, 1);
  lidar.add_plate(grey(0), 12, -0.5 - 0.0413, 1);
  lidar.add_plate(grey(0.3f), 20, -0.5, 1);
  lidar.add_plate(grey(0.1f), 95, 0, 1000, 0.3);
}

TEST(Waveforms, AreTheSameInRunsAndOneByOne) {
  const Sun sun{Vec3(-0.6, 0, 0.8), 1};
  LabelTable labels;
  std::map<std::uint32_t, int> seen;
  for (std::uint32_t plate = 0; plate < 6; ++plate) labels.set(plate, std::array{plate + 1});
  for (const char* mode : {"first", "strongest", "last", "dual"}) {
    for (const int threads : {1, 2}) {
      const auto fields = narrow({{"noise", "1e-4"},
                                  {"near", "0.1"},
                                  {"returnMode", std::string("\"") + mode + '"'},
                                  {"intensityCode", "\"ouster\""}});
      SignalLidar runs(fields, threads), single(fields, threads);
      for (SignalLidar* lidar : {&runs, &single}) {
        add_scenery(*lidar);
        lidar->in.sun = &sun;
        lidar->in.labels = &labels;
      }
      single.in.atmosphere = &kThinAir;
      runs.sample();
      single.sample();
      const auto a = runs.beams(), b = single.beams();
      ASSERT_EQ(a.size(), b.size()) << mode;
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].range, b[i].range) << mode << ' ' << i;
        ASSERT_EQ(a[i].intensity, b[i].intensity) << mode << ' ' << i;
        ASSERT_EQ(a[i].signal, b[i].signal) << mode << ' ' << i;
        ASSERT_EQ(a[i].ambient, b[i].ambient) << mode << ' ' << i;
        ASSERT_EQ(a[i].return_number, b[i].return_number) << mode << ' ' << i;
        ASSERT_EQ(a[i].label, b[i].label) << mode << ' ' << i;
        ++seen[a[i].label];
      }
      EXPECT_EQ(runs.bytes(), single.bytes()) << mode;
    }
  }
  // The plate that is too near and the black one have not returned anything, the others have.
  EXPECT_EQ(seen[1] + seen[4], 0);
  for (const std::uint32_t plate : {2u, 3u, 5u, 6u}) EXPECT_GT(seen[plate], 1000) << plate;
}

TEST(Glass, AWallBehindItIsSeenThroughBothFaces) {
  SignalLidar lidar(narrow({{"intensityCode", "\"ouster\""}}));
  lidar.add_plate(pane(0.9f, 0), 5);
  lidar.add_plate(grey(0.5f), 20);
  lidar.sample();
  const auto s = statistics(lidar.beams());
  EXPECT_EQ(s.returns, 100'000u);
  EXPECT_NEAR(s.mean, 20, 0.01);
  double photons = 0;
  for (const BeamReturn& b : lidar.beams()) photons += double{b.signal} / 1e5;
  // A face lets 0.9 * (1 - 0.04) through; the pane has two and the light goes there and back.
  const double clear = 5 * 5.0006 * 0.5 / 0.1 * 25;
  EXPECT_NEAR(photons, clear * std::pow(0.9 * 0.96, 4), 1e-3 * clear);
}

TEST(Glass, ReturnsItselfOnlyWhereItIsMetStraight) {
  const auto seen = [](double tilt) {
    SignalLidar lidar(narrow({{"returnMode", "\"dual\""}}));
    lidar.add_plate(pane(0.9f, 0.04f), 5, 0, 1000, tilt);
    lidar.add_plate(grey(0.5f), 20);
    lidar.sample();
    const auto beams = lidar.beams();
    std::size_t on_glass = 0;
    for (const BeamReturn& b : beams) on_glass += b.range < 10;
    return double(on_glass) / 1e5;
  };
  EXPECT_EQ(seen(0), 1);
  EXPECT_NEAR(seen(0.6), 2e-4, test::tolerance(2e-4, 1e5));  // noise, of two faces
}

TEST(Water, SendsBackNothingWhereItIsMetFlatAndHidesItsGround) {
  // A pond without waves, seen from 1.5 m above at 15 m: almost a mirror.
  const auto seen = [](double distance) {
    SignalLidar lidar(narrow({{"detectionRange", "50"}}));
    Surface water = pane(0.95f, 0.04f);
    water.slope = 0.02f;
    const double angle = std::atan2(1.5, distance);
    lidar.in.X_WS = {axis_angle({0, 1, 0}, angle), {0, 0, 1.5}};
    const auto add_floor = [&](const Surface& surface, double z) {
      const auto instance = lidar.scene->add(
          {{std::make_shared<Geometry>(Plane{{1000, 1000}}), {}}}, Pose::translation({0, 0, z}));
      lidar.surfaces.set(instance, std::vector<Surface>{surface});
    };
    add_floor(water, 0);
    add_floor(grey(0.3f), -0.3);
    lidar.in.surfaces = &lidar.surfaces;
    lidar.sample();
    return statistics(lidar.beams());
  };
  EXPECT_GT(seen(1).share(), 0.99);
  EXPECT_NEAR(seen(1).mean, 1.8 / std::sin(std::atan2(1.5, 1)), 0.02);  // the ground of the pond
  EXPECT_LT(seen(25).share(), 0.01);
}

TEST(Medium, FogFollowsKoschmiederAndKruse) {
  EXPECT_NEAR(fog_extinction(50, 905e-9), 3.912 / 50, 1e-12);  // Kim: no colour below 500 m
  EXPECT_NEAR(fog_extinction(10'000, 905e-9), 3.912e-4 * std::pow(905.0 / 550, -1.3), 1e-12);
  EXPECT_NEAR(fog_extinction(2000, 550e-9), 3.912 / 2000, 1e-12);
  EXPECT_EQ(fog_extinction(0, 905e-9), 0);
  // 25 mm/h: 1.076 * 25^0.67 = 9.3 dB/km.
  EXPECT_NEAR(rain_extinction(25), 9.30 * 0.2302585 / 1000, 1e-5);
  EXPECT_NEAR(snow_extinction(1, 1550e-9), (0.084 + 5.4958776) * 0.2302585 / 1000, 1e-6);
  // 1 g/m^3 of grains of 1 um radius and 2.6 g/cm^3: 0.577 m^2/g.
  EXPECT_NEAR(dust_extinction(1), 0.577, 1e-3);
}

/// Fog in front of nothing, for a receiver so good that it sees every echo.
std::vector<float> fog_ranges(double visibility, double wall, int threads = 1) {
  SignalLidar lidar(narrow({{"detectionRange", "1e5"},
                            {"minRange", "0.001"},
                            {"near", "0.001"},
                            {"returnMode", "\"first\""},
                            {"pulseLength", "1e-9"}}),
                    threads);
  if (wall > 0) lidar.add_plate(grey(0.5f), wall);
  lidar.in.surfaces = &lidar.surfaces;
  const Atmosphere fog{visibility, 0, 0, 0};
  lidar.in.atmosphere = &fog;
  lidar.sample();
  std::vector<float> ranges;
  for (const BeamReturn& b : lidar.beams()) ranges.push_back(b.range);
  return ranges;
}

TEST(Fog, ReturnsLieAsBeerAndLambertSay) {
  auto ranges = fog_ranges(80, 0);
  ASSERT_EQ(ranges.size(), 100'000u);
  std::sort(ranges.begin(), ranges.end());
  const double extinction = 3.912 / 80;
  // Kolmogorov and Smirnov: beyond 1.95 / sqrt(n) with a probability of 0.1 %.
  double worst = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i] == kInf) continue;
    const double expected = 1 - std::exp(-extinction * double{ranges[i]});
    worst = std::max(worst, std::abs(expected - (double(i) + 0.5) / 1e5));
  }
  EXPECT_LT(worst, 1.95 / std::sqrt(1e5));
}

TEST(Fog, ShareOfBeamsThatReachAWallIsItsTransmission) {
  const auto ranges = fog_ranges(80, 20);
  const double through = std::exp(-3.912 / 80 * 20);
  const auto on_wall =
      std::count_if(ranges.begin(), ranges.end(), [](float r) { return r > 19.9f && r < 20.1f; });
  // Echoes within half a pulse (0.15 m) of the wall melt into it.
  EXPECT_NEAR(double(on_wall) / 1e5, through,
              test::tolerance(through, 1e5) + through * 0.15 * 0.049);
}

TEST(Fog, WeakensTheWallByTheWayThereAndBack) {
  SignalLidar lidar(narrow({{"intensityCode", "\"ouster\""}, {"returnMode", "\"last\""}}));
  lidar.add_plate(grey(0.5f), 20);
  const Atmosphere haze{1000, 0, 0, 0};
  lidar.in.atmosphere = &haze;
  lidar.sample();
  double photons = 0;
  for (const BeamReturn& b : lidar.beams()) photons += double{b.signal} / 1e5;
  const double clear = 5 * 5.0006 * 5 * 25, q = 0.16 + 0.34;
  const double extinction = 3.912e-3 * std::pow(905.0 / 550, -q);
  EXPECT_NEAR(photons, clear * std::exp(-2 * extinction * 20), 2e-3 * clear);
}

TEST(Fog, DoesNotDependOnThreads) { EXPECT_EQ(fog_ranges(30, 12, 1), fog_ranges(30, 12, 2)); }

TEST(Weather, IsDrawnAnewInEachFrame) {
  SignalLidar lidar(narrow());
  lidar.add_plate(grey(0.5f), 20);
  const Atmosphere rain{0, 50, 0, 0};
  lidar.in.atmosphere = &rain;
  lidar.sample();
  const auto first = lidar.bytes();
  lidar.sample();
  EXPECT_NE(first, lidar.bytes());
}

/// A spinning device with a wide beam, two layers.
TEST(SweepSignals, SecondReturnsComeWithTheShownSweep) {
  for (const char* motion : {"FALSE", "TRUE"}) {
    SignalLidar lidar({{"scanLaw", "\"spinning\""},
                       {"beamElevations_deg", "[ 1, -1 ]"},
                       {"horizontalResolution", "360"},
                       {"maxRange", "100"},
                       {"motionDistortion", motion},
                       {"beamModel", "\"datasheet\""},
                       {"beamDivergence", "0.02"},
                       {"returnMode", "\"dual\""},
                       {"intensityCode", "\"velodyne\""}});
    lidar.add_plate(grey(0.5f), 10, 50, 100);
    lidar.add_plate(grey(0.5f), 20);
    for (int i = 0; i < 5; ++i) lidar.sample();
    const auto beams = lidar.beams();
    const auto s = statistics(beams), second = statistics(beams, 2);
    EXPECT_EQ(s.beams, 720u);
    // 2 layers, and the edge is seen by a column or two; where beams graze the wall they tear, too.
    const auto ahead = std::count_if(beams.begin(), beams.end(), [](const BeamReturn& b) {
      return b.return_number == 2 && std::abs(b.azimuth) < 0.5f;
    });
    EXPECT_GE(ahead, 2) << motion;
    EXPECT_LE(ahead, 6) << motion;
    EXPECT_EQ(second.beams, second.returns);
    for (const BeamReturn& b : beams) {
      ASSERT_EQ(b.intensity > 0, std::isfinite(b.range)) << b.range;
      if (std::isfinite(b.range)) {
        ASSERT_NEAR(b.x, b.range * std::cos(b.azimuth) * std::cos(b.elevation), 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace protobeam
