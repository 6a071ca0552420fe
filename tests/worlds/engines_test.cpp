// Two ray engines, one truth: Embree and Bullet on the same worlds.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

std::vector<double> ranges(const std::string& world, const std::string& device,
                           const std::string& engine) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sweep.csv";
  Surroundings run;
  run.limit = std::chrono::seconds(250);
  // Seed and time are the same, so both sweeps have the same noise and poses.
  const Outcome outcome = protobeam(
      {"scan", world, "--device", device, "--out", file.string(), "--ray-engine", engine}, run);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::istringstream in(read_bytes(file));
  std::string line;
  std::getline(in, line);
  std::vector<double> out;
  while (std::getline(in, line)) {
    std::size_t comma = 0;
    for (int i = 0; i < 4; ++i) comma = line.find(',', comma) + 1;
    out.push_back(std::strtod(line.c_str() + comma, nullptr));
  }
  return out;
}

void expect_agreement(const std::string& world, const std::string& device) {
  const auto embree = ranges(world, device, "embree"), bullet = ranges(world, device, "bullet");
  ASSERT_EQ(embree.size(), bullet.size());
  ASSERT_GT(embree.size(), 1000u);
  std::size_t same = 0, returns = 0;
  for (std::size_t i = 0; i < embree.size(); ++i) {
    returns += std::isfinite(embree[i]);
    same += (std::isinf(embree[i]) && std::isinf(bullet[i])) ||
            std::abs(embree[i] - bullet[i]) <= 0.002;
  }
  const double share = static_cast<double>(same) / static_cast<double>(embree.size());
  std::printf("%s %s: %.4f %% of %zu rays within 2 mm\n", world.c_str(), device.c_str(),
              100 * share, embree.size());
  EXPECT_GT(returns, embree.size() / 10);
  EXPECT_GT(share, 0.999);
}

TEST(RayEngines, AgreeInTheYard) { expect_agreement("worlds/yard.wbt", "Velodyne VLP-16"); }
TEST(RayEngines, AgreeInTheCity) { expect_agreement("worlds/city.wbt", "Velodyne VLP-16"); }

}  // namespace
}  // namespace protobeam::test
