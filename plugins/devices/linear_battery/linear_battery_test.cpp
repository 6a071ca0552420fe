// A battery outside of a world.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

constexpr double kBatteryStep = 0.01;  // s

struct BatteryReading {
  double voltage, current, charge;
};

BatteryReading drained(DeviceModel& battery, int steps) {
  for (int i = 0; i < steps; ++i) battery.after_step(i * kBatteryStep, kBatteryStep, {});
  const auto values = sample_values(battery, SampleInput());
  return {values.at(0), values.at(1), values.at(2)};
}

TEST(LinearBattery, BeginsWithWhatItIsTold) {
  const auto battery = make_sensor("LinearBattery", {{"voltage", "11.5"}, {"capacity", "2"}});
  const BatteryReading begin = drained(*battery, 0);
  EXPECT_EQ(begin.voltage, 11.5);
  EXPECT_EQ(begin.current, 0);
  EXPECT_EQ(begin.charge, 2);
  const auto less = make_sensor("LinearBattery", {{"capacity", "2"}, {"initialCharge", "1.5"}});
  EXPECT_EQ(drained(*less, 0).charge, 1.5);
  const auto more = make_sensor("LinearBattery", {{"capacity", "2"}, {"initialCharge", "2.5"}});
  EXPECT_EQ(drained(*more, 0).charge, 2);
}

// At a constant voltage I = P / U (1 - (1 - dt / tau)^n), and the charge is its sum.
TEST(LinearBattery, DrawsItsLoadWithTheTimeConstant) {
  const auto battery = make_sensor("LinearBattery", {{"voltage", "10"},
                                                     {"openCircuitVoltage", "10"},
                                                     {"capacity", "3"},
                                                     {"currentTime", "2"},
                                                     {"powerLoad", "60"}});
  const double kept = 1 - kBatteryStep / 2;
  const BatteryReading early = drained(*battery, 100);
  EXPECT_NEAR(early.current, -6 * (1 - std::pow(kept, 100)), 1e-12);
  const BatteryReading late = drained(*battery, 5900);
  EXPECT_NEAR(late.current, -6, 1e-9);
  EXPECT_NEAR(late.charge, 3 - 6 * (60 - 2 * kept) / 3600, 1e-9);
  EXPECT_EQ(late.voltage, 10);
}

// A current that has settled: U = E0 + E1 (1 - Q / C) - R P / U.
TEST(LinearBattery, LosesVoltageWithItsChargeAndByItsResistance) {
  const auto battery = make_sensor("LinearBattery", {{"voltage", "4.2"},
                                                     {"openCircuitVoltage", "4.2"},
                                                     {"openCircuitVoltageSlope", "-2"},
                                                     {"capacity", "2.5"},
                                                     {"initialCharge", "1.25"},
                                                     {"resistance", "0.07"},
                                                     {"currentTime", "0.1"},
                                                     {"powerLoad", "2.1"}});
  const BatteryReading r = drained(*battery, 500);
  EXPECT_NEAR(r.voltage, 4.2 - 2 * (1 - r.charge / 2.5) + 0.07 * r.current, 1e-12);
  EXPECT_NEAR(r.current, -2.1 / r.voltage, 1e-3);
  const double mean = -r.current * 5 / 3600;
  EXPECT_NEAR(1.25 - r.charge, mean, 0.05 * mean);
}

TEST(LinearBattery, GivesNothingWhenItIsEmpty) {
  const auto battery = make_sensor(
      "LinearBattery", {{"capacity", "1"}, {"initialCharge", "0.01"}, {"powerLoad", "120"}});
  const BatteryReading r = drained(*battery, 1000);
  EXPECT_EQ(r.charge, 0);
  EXPECT_EQ(r.current, 0);
}

}  // namespace
}  // namespace protobeam
