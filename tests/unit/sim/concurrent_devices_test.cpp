// Devices that are sampled at once (DeviceType::concurrent).
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/test_fields.h"

namespace protobeam {
namespace {

SimulationOptions on_threads(int threads) {
  SimulationOptions options;
  options.build.threads = threads;
  return options;
}

/// Robots that turn among boxes, each with devices of several kinds; one of these does not see its
/// robot.
std::string robots(int count, double apart) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const double x = apart * i;
    out += fmt::format(
        "Robot {{ name \"robot {0}\" translation {1} 0 0 angularVelocity 0 0 {2} physics Physics "
        "{{ }}\n"
        "  boundingObject Sphere {{ radius 0.1 }} children [\n"
        "  Shape {{ geometry Box {{ size 0.3 0.3 0.3 }} appearance PBRAppearance {{ }} }}\n"
        "  Lidar {{ name \"high\" translation 0 0 0.5 samplingPeriod 0.016 noise 0.01 "
        "horizontalResolution 256\n"
        "    numberOfLayers 16 fieldOfView 6.28 type \"fixed\" maxRange 30 }}\n"
        "  Lidar {{ name \"turning\" translation 0 0 0.7 samplingPeriod 0.008 numberOfLayers 16 "
        "fieldOfView 6.28\n"
        "    horizontalResolution 512 type \"rotating\" maxRange 30 defaultFrequency 20 "
        "maxFrequency 25 }}\n"
        "  Lidar {{ name \"blind\" samplingPeriod 0.016 horizontalResolution 64 fieldOfView 3 "
        "maxRange 30\n"
        "    ownRobotVisible FALSE }}\n"
        "  Camera {{ name \"eye\" translation 0.3 0 0 samplingPeriod 0.016 width 64 height 48 "
        "noise 0.02 }}\n"
        "  RangeFinder {{ name \"depth\" translation 0.3 0 0 samplingPeriod 0.008 width 64 height "
        "48 maxRange 30 }}\n"
        "  Accelerometer {{ name \"accelerometer\" samplingPeriod 0.008 }}\n"
        "] }}\n"
        "Solid {{ translation {3} 3 0 children [ Shape {{ geometry Box {{ size 1 2 3 }} appearance "
        "PBRAppearance {{\n"
        "  baseColor 0.8 0.3 0.1 roughness 1 }} }} ] }}\n",
        i, x, 0.5 + i, x + 2);
  }
  return out + "DirectionalLight { direction 0.2 0.3 -1 castShadows TRUE }\n";
}

TEST(ConcurrentDevices, GiveTheSameOnAnyNumberOfThreads) {
  // Near each other, and farther apart than one origin of the ray scene's coordinates serves.
  for (const double apart : {4.0, 150.0}) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
      WorldText world;
      Simulation& simulation = world.load(robots(3, apart), "gravity 0", on_threads(threads));
      for (int i = 0; i < 20; ++i) simulation.step();
      hashes.push_back(simulation.state_hash());
      for (const char* name : {"high", "turning", "blind"}) {
        const Device& lidar = device_named(simulation, fmt::format("robot 1/{}", name));
        EXPECT_GT(lidar.points, 20u) << name;
      }
      const Device& blind = device_named(simulation, "robot 2/blind");
      for (const float range : blind.model->channel<float>(blind.data, 0)) EXPECT_GT(range, 0.5f);
    }
    EXPECT_EQ(hashes[0], hashes[1]) << apart;
    EXPECT_EQ(hashes[0], hashes[2]) << apart;
  }
}

/// Counts its samples, or fails.
class Restless : public DeviceModel {
 public:
  Restless(const DeviceType& type, std::string failure) : failure_(std::move(failure)) {
    prepare(type, TestFields(type.node, {}), {});
  }
  void sample(const SampleInput&, Sample& out) override {
    if (!failure_.empty()) throw std::runtime_error(failure_);
    out.channel<double>(0)[0] = ++samples_;
  }

 private:
  std::string failure_;
  double samples_ = 0;
};

TEST(ConcurrentDevices, TheFirstThatFailsIsTold) {
  DeviceType type{.node = {"Restless", "Device", ""}};
  type.channels = {{.name = "count", .type = ElementType::kFloat64}};
  type.concurrent = true;
  for (const int threads : {1, 2}) {
    WorldText world;
    Simulation& simulation = world.load(
        "Robot { children [ Accelerometer { name \"a\" samplingPeriod 0.008 } Accelerometer { name "
        "\"b\" "
        "samplingPeriod 0.008 } Accelerometer { name \"c\" samplingPeriod 0.008 } ] }",
        "gravity 0", on_threads(threads));
    Device &a = device_named(simulation, "a"), &b = device_named(simulation, "b"),
           &c = device_named(simulation, "c");
    a.model = std::make_unique<Restless>(type, "");
    b.model = std::make_unique<Restless>(type, "b fell over");
    c.model = std::make_unique<Restless>(type, "c fell over");
    try {
      simulation.step();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "b fell over");
    }
    EXPECT_EQ(a.model->channel<double>(a.data, 0)[0], 1);
    // What has failed is gone; the others go on.
    b.model = std::make_unique<Restless>(type, "");
    c.model = std::make_unique<Restless>(type, "");
    EXPECT_TRUE(simulation.step());
    EXPECT_EQ(a.model->channel<double>(a.data, 0)[0], 2);
    EXPECT_EQ(c.model->channel<double>(c.data, 0)[0], 1);
  }
}

}  // namespace
}  // namespace protobeam
