// Lidars behind two prisms against a direct evaluation of Snell's law and Livox' published figures.
#include "plugins/devices/lidar/risley.h"

#include <gtest/gtest.h>

#include <set>

#include "lidar_fixture.h"
#include "plugins/devices/lidar/spherical.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using test::kInf;
using test::LidarInScene;
using FieldTexts = std::map<std::string, std::string>;

// Rotors of Livox' Mid series, turns a minute (3D-GEO Heidelberg, HELIOS++, Livox scanner models:
// 121.5667 and -77.7333 Hz).
constexpr double kFirst = 7294 / 60.0, kSecond = -4664 / 60.0;

Prisms mid70() { return {18 * kDegree, 1.8144, {kFirst, kSecond}, {kPi, 0}, true}; }
Prisms mid40() { return {18 * kDegree, 1.5089, {kFirst, kSecond}, {kPi, 0}, false}; }

FieldTexts fields_of(const Prisms& p, FieldTexts more = {}) {
  const auto text = [](double x) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", x);
    return std::string(buffer);
  };
  more.insert({{"scanLaw", "\"risley\""},
               {"maxRange", "100"},
               {"prismAngle", text(p.angle)},
               {"prismIndex", text(p.index)},
               {"prismRates", "[ " + text(p.rate[0]) + " " + text(p.rate[1]) + " ]"},
               {"prismPhases", "[ " + text(p.phase[0]) + " " + text(p.phase[1]) + " ]"},
               {"prismOrder", p.tilted_outside ? "\"out\"" : "\"in\""}});
  return more;
}

/// Snell's law: what is along the face keeps its optical length, the rest makes a unit vector.
Vec3 refracted(const Vec3& d, const Vec3& n, double from, double to) {
  const Vec3 along = from / to * (d - d.dot(n) * n);
  return along + std::sqrt(1 - along.squaredNorm()) * n;
}

/// Pulse `i` of the device's life, face by face.
Vec3 direct(const Prisms& p, std::int64_t i, double point_rate = 1e5) {
  const double t = double(i + 1) / point_rate;
  const auto tilted = [&](int prism) {
    const double A = 2 * kPi * std::fmod(p.rate[prism] * t, 1) + p.phase[prism];
    return Vec3(std::cos(p.angle), std::sin(p.angle) * std::cos(A),
                std::sin(p.angle) * std::sin(A));
  };
  Vec3 d = Vec3::UnitX();
  const Vec3 flat = Vec3::UnitX();
  const Vec3 faces[] = {p.tilted_outside ? tilted(0) : flat, p.tilted_outside ? flat : tilted(0),
                        p.tilted_outside ? flat : tilted(1), p.tilted_outside ? tilted(1) : flat};
  for (int face = 0; face < 4; ++face) {
    const bool into_glass = face % 2 == 0;
    d = refracted(d, faces[face], into_glass ? 1 : p.index, into_glass ? p.index : 1);
  }
  return d;
}

double between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

TEST(Prisms, PulsesFollowSnellsLawWithinAMillionthOfADegree) {
  for (const Prisms& prisms : {mid70(), mid40()}) {
    const PulseTrain train(prisms, Vec3::UnitX(), 1e-5);
    double x[PulseTrain::kRun], y[PulseTrain::kRun], z[PulseTrain::kRun], worst = 0;
    for (const std::int64_t first : {0, 100'000, 399'900, 36'000'000}) {  // up to 6 minutes
      train.directions(double(first + 1) * 1e-5, PulseTrain::kRun, x, y, z);
      for (std::size_t i = 0; i < PulseTrain::kRun; ++i) {
        worst =
            std::max(worst, between({x[i], y[i], z[i]}, direct(prisms, first + std::int64_t(i))));
      }
    }
    EXPECT_LT(worst / kDegree, 1e-6);
  }
}

/// Largest angle to the axis over the first seconds, in degrees.
double off_axis(const Prisms& prisms) {
  double largest = 0;
  for (int i = 0; i < 400'000; ++i) {
    largest = std::max(largest, std::acos(direct(prisms, i).x()));
  }
  return largest / kDegree;
}

TEST(RisleyLidar, ReachesAsFarFromTheAxisAsLivoxScannersDo) {
  // Livox' scan tables reach 35.2158 (Mid-70) and 19.1728 degrees (Mid-40).
  EXPECT_NEAR(off_axis(mid70()), 35.2158, 1e-4);
  EXPECT_NEAR(off_axis(mid40()), 19.1728, 1e-4);
  for (const auto& [prisms, degrees] : {std::pair(mid70(), 35.2158), std::pair(mid40(), 19.1728)}) {
    const auto lidar = make_sensor("Lidar", fields_of(prisms));
    EXPECT_NEAR(std::get<double>(lidar->properties().at("fieldOfView")) / kDegree, 2 * degrees,
                2e-4);
  }
}

TEST(RisleyLidar, BeamsAreThePulsesInTheirOrder) {
  LidarInScene lidar(fields_of(mid70()));
  EXPECT_EQ(lidar.layers(), 1);
  EXPECT_EQ(lidar.columns(), 10'000);
  lidar.add(Sphere{20});
  lidar.in.step = 0.1;
  lidar.in.time = 0.1;
  for (int frame = 0; frame < 3; ++frame) {
    lidar.sample();
    ASSERT_TRUE(lidar.sensor().frame_complete());
    const auto beams = lidar.sensor().beams(lidar.bytes());
    ASSERT_EQ(beams.size(), 10'000u);
    for (int j = 0; j < 10'000; ++j) {
      const BeamReturn& b = beams[std::size_t(j)];
      const Vec3 d = direct(mid70(), frame * 10'000 + j);
      ASSERT_EQ(b.column, j);
      ASSERT_EQ(b.layer, 0);
      ASSERT_NEAR(b.azimuth / kDegree, std::atan2(d.y(), d.x()) / kDegree, 1e-5);
      ASSERT_NEAR(b.elevation / kDegree, std::asin(d.z()) / kDegree, 1e-5);
      ASSERT_NEAR((Vec3(b.x, b.y, b.z) - 20 * d).norm(), 0, 1e-4);
      ASSERT_NEAR(b.time, 0.1 * frame + (j + 1) * 1e-5, 1e-12);
    }
  }
}

/// Share in percent of half-degree cells that the pulses of a time hit. Cells lie in the plane of
/// angles from the axis (across and up); those count whose middle is within the field of view.
double coverage(const Prisms& prisms, int pulses, double radius_deg) {
  constexpr double kCell = 0.5;
  const auto cell = [&](double angle) { return static_cast<int>(std::floor(angle / kCell)); };
  std::set<std::pair<int, int>> hit;
  for (int i = 0; i < pulses; ++i) {
    const Vec3 d = direct(prisms, i);
    const double off = std::acos(d.x()) / kDegree, round = std::atan2(d.z(), d.y());
    hit.emplace(cell(off * std::cos(round)), cell(off * std::sin(round)));
  }
  int cells = 0, covered = 0;
  for (int i = -100; i < 100; ++i) {
    for (int j = -100; j < 100; ++j) {
      if (std::hypot(i + 0.5, j + 0.5) * kCell > radius_deg) continue;
      ++cells;
      covered += static_cast<int>(hit.count({i, j}));
    }
  }
  return 100.0 * covered / cells;
}

TEST(RisleyLidar, CoversItsFieldOfViewInTheCourseOfASecond) {
  EXPECT_NEAR(coverage(mid70(), 10'000, 35.2158), 19, 0.5);
  EXPECT_NEAR(coverage(mid70(), 20'000, 35.2158), 35, 0.5);
  EXPECT_NEAR(coverage(mid70(), 50'000, 35.2158), 68, 0.5);
  EXPECT_NEAR(coverage(mid70(), 100'000, 35.2158), 92, 0.5);
}

TEST(RisleyLidar, PatternGoesOnAfterTheFourSecondsOfLivoxTables) {
  LidarInScene lidar(fields_of(mid70(), {{"defaultFrequency", "2"}}));
  lidar.add(Sphere{20});
  lidar.in.step = 0.5;
  lidar.sample();
  const auto first = lidar.sensor().beams(lidar.bytes());
  for (int i = 0; i < 8; ++i) lidar.sample();
  const auto ninth = lidar.sensor().beams(lidar.bytes());  // from 4.0 s on
  double nearest = kPi;
  for (int j = 0; j < 50'000; j += 97) {
    const BeamReturn &a = first[std::size_t(j)], &b = ninth[std::size_t(j)];
    const Vec3 d = direct(mid70(), 400'000 + j);
    ASSERT_NEAR((Vec3(b.x, b.y, b.z) - 20 * d).norm(), 0, 1e-4);
    nearest = std::min(nearest, between(Vec3(a.x, a.y, a.z), Vec3(b.x, b.y, b.z)));
  }
  // 4 s are 486.267 and -310.933 turns: every pulse has moved.
  EXPECT_GT(nearest / kDegree, 1);
}

TEST(RisleyLidar, LasersOfATableFireInTurn) {
  LidarInScene lidar(fields_of(mid40(), {{"beamElevations_deg", "[ 0, 1, -1 ]"},
                                         {"beamAzimuths_deg", "[ 0, 0, 2 ]"},
                                         {"pointRate", "2000"}}));
  lidar.add(Sphere{20});
  lidar.in.step = 0.1;
  const Vec3 entering[] = {Vec3::UnitX(),
                           {std::cos(kDegree), 0, std::sin(kDegree)},
                           {std::cos(kDegree) * std::cos(2 * kDegree),
                            std::cos(kDegree) * std::sin(2 * kDegree), -std::sin(kDegree)}};
  const Prisms prisms = mid40();
  for (int frame = 0; frame < 2; ++frame) {
    lidar.sample();
    const auto beams = lidar.sensor().beams(lidar.bytes());
    ASSERT_EQ(beams.size(), 200u);
    for (int j = 0; j < 200; ++j) {
      const int pulse = 200 * frame + j, laser = pulse % 3;
      const double t = (pulse + 1) / 2000.0;
      const Vec3 d =
          prisms.refract(entering[laser], 2 * kPi * kFirst * t + kPi, 2 * kPi * kSecond * t);
      const BeamReturn& b = beams[std::size_t(j)];
      ASSERT_EQ(b.beam, laser);
      ASSERT_NEAR((Vec3(b.x, b.y, b.z) - 20 * d).norm(), 0, 1e-4) << pulse;
    }
  }
}

TEST(RisleyLidar, RefusesPrismsThatLetNothingThrough) {
  const auto refused = [](const FieldTexts& fields) {
    return message_of<std::invalid_argument>([&] { make_sensor("Lidar", fields); });
  };
  Prisms steep = mid70();
  steep.angle = 0.7;
  EXPECT_EQ(refused(fields_of(steep)),
            "fields 'prismAngle' 0.7 and 'prismIndex' 1.8144 of Lidar: light does not get through "
            "the prisms (total reflection)");
  EXPECT_EQ(refused({{"scanLaw", "\"risley\""}, {"maxRange", "9"}}),
            "field 'prismRates' of Lidar must have the turns a second of 2 prisms, got 0 numbers");
  EXPECT_EQ(refused(fields_of(mid70(), {{"prismPhases", "[ 1 ]"}})),
            "field 'prismPhases' of Lidar must have the angles of 2 prisms, got 1 numbers");
  EXPECT_EQ(refused(fields_of(mid70(), {{"pointRate", "5"}})),
            "field 'defaultFrequency' of Lidar: a sweep at 10 Hz is over before the first of 5 "
            "pulses a second");
  EXPECT_EQ(refused(fields_of(mid70(), {{"pointRate", "1e12"}})),
            "1 beams times 1000000000 columns of Lidar are more than 16777216 beams a sweep");
  EXPECT_EQ(refused(fields_of(mid70(), {{"firingPeriod", "1e-5"}})),
            "field 'firingPeriod' of Lidar does nothing with scanLaw \"risley\"; leave it out");
  EXPECT_EQ(refused(fields_of(mid70(),
                              {{"beamElevations_deg", "[ 0, 1 ]"}, {"beamTimes", "[ 0, 1e-6 ]"}})),
            "field 'beamTimes' of Lidar: the lasers of scanLaw \"risley\" fire in turn; leave it "
            "out");
}

TEST(Spherical, AreTheAnglesOfTheLibrary) {
  std::vector<Vec3> all{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 250; ++i) {
    const double a = 0.11 * i, e = -1.5 + 0.012 * i;
    all.emplace_back(std::cos(a) * std::cos(e), std::sin(a) * std::cos(e), std::sin(e));
  }
  std::vector<float> x, y, z, azimuth(all.size()), elevation(all.size());
  for (const Vec3& d : all) {
    x.push_back(float(d.x()));
    y.push_back(float(d.y()));
    z.push_back(float(d.z()));
  }
  spherical(x.data(), y.data(), z.data(), all.size(), azimuth.data(), elevation.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double across = std::hypot(double{x[i]}, double{y[i]});
    EXPECT_NEAR(azimuth[i], std::atan2(double{y[i]}, double{x[i]}), 2.4e-7) << i;
    EXPECT_NEAR(elevation[i], std::atan2(double{z[i]}, across), 1.2e-7) << i;
  }
}

}  // namespace
}  // namespace protobeam
