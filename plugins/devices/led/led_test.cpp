// The colour that a value stands for (Webots reference, LED).
#include <gmock/gmock.h>

#include <optional>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using Values = std::map<std::string, std::string>;

struct Lamp {
  std::unique_ptr<DeviceModel> led;

  explicit Lamp(Values fields = {}) : led(make_sensor("LED", std::move(fields))) {}
  Eigen::Vector3f after(double value) {
    EXPECT_EQ(led->send_command("set", {value}), "");
    return led->emission();
  }
};

TEST(LED, IsBlackAtTheStartAndChoosesAmongItsColors) {
  Lamp lamp(Values{{"color", "[ 1 0 0, 0 0.5 1 ]"}});
  EXPECT_EQ(lamp.led->emission(), Eigen::Vector3f(0, 0, 0));
  EXPECT_EQ(lamp.after(1), Eigen::Vector3f(1, 0, 0));
  EXPECT_EQ(lamp.after(2), Eigen::Vector3f(0, 0.5f, 1));
  EXPECT_EQ(lamp.after(0), Eigen::Vector3f(0, 0, 0));
}

TEST(LED, IsDarkForAValueOutOfRangeAndSaysSo) {
  Lamp lamp(Values{{"color", "[ 1 0 0, 0 0.5 1 ]"}});
  ASSERT_TRUE(lamp.after(2).isApprox(Eigen::Vector3f(0, 0.5f, 1)));
  EXPECT_EQ(lamp.led->send_command("set", {3}), "the value 3 is not from 0 to 2");
  EXPECT_EQ(lamp.led->emission(), Eigen::Vector3f(0, 0, 0)) << "as in Webots";
  EXPECT_EQ(lamp.led->send_command("set", {-1}), "the value -1 is not from 0 to 2");
  EXPECT_EQ(lamp.led->emission(), Eigen::Vector3f(0, 0, 0));
}

TEST(LED, AGradualOneHasAStrengthOrAnyColor) {
  Lamp one(Values{{"color", "[ 0 1 0.5 ]"}, {"gradual", "TRUE"}});
  EXPECT_TRUE(one.after(255).isApprox(Eigen::Vector3f(0, 1, 0.5f)));
  EXPECT_TRUE(one.after(51).isApprox(Eigen::Vector3f(0, 0.2f, 0.1f)));
  Lamp any(Values{{"color", "[ ]"}, {"gradual", "TRUE"}});
  EXPECT_TRUE(any.after(0xff3300).isApprox(Eigen::Vector3f(1, 0.2f, 0)));
  EXPECT_EQ(any.led->send_command("set", {0x1000000}),
            "the value 16777216 is not from 0 to 16777215");
}

TEST(LED, AGradualOneWithSeveralColorsHasTheFirst) {
  Lamp lamp(Values{{"color", "[ 1 0 0, 0 1 0 ]"}, {"gradual", "TRUE"}});
  EXPECT_EQ(lamp.after(255), Eigen::Vector3f(1, 0, 0));
}

}  // namespace
}  // namespace protobeam
