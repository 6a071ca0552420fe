// Pid and ReferenceFilter against sums made by hand.
#include "vehicle/pid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace protobeam {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string pid_refusal(const PidSettings& settings) {
  try {
    Pid pid(settings);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(Pid, AddsItsThreeParts) {
  Pid pid({.kp = 2, .ki = 3, .kd = 0.5});
  // e = 1, dt = 0.1: 2 + 3 * 0.1 + no derivative yet.
  EXPECT_DOUBLE_EQ(pid.step(1, 0.1), 2.3);
  // e = 0.6: 1.2 + (0.3 + 0.18) + 0.5 * (-0.4 / 0.1).
  EXPECT_DOUBLE_EQ(pid.step(0.6, 0.1), 1.2 + 0.48 - 2);
}

TEST(Pid, FeedForwardCountsWithinTheLimit) {
  Pid pid({.kp = 1, .max_output = 2});
  EXPECT_DOUBLE_EQ(pid.step(0.5, 0.1, 0.7), 1.2);
  EXPECT_DOUBLE_EQ(pid.step(0.5, 0.1, 7), 2);
  EXPECT_DOUBLE_EQ(pid.step(0.5, 0.1, -7), -2);
}

TEST(Pid, FilteredDerivativeDecaysAfterAStep) {
  // kd s n / (s + n) answers a step of the error by kd n exp(-n t).
  const double kd = 0.5, n = 20, dt = 1e-4;
  Pid pid({.kd = kd, .derivative_filter = n});
  pid.step(0, dt);
  double out = 0;
  for (int k = 0; k < 1000; ++k) out = pid.step(1, dt);
  EXPECT_NEAR(out, kd * n * std::exp(-n * 1000 * dt), 1e-3 * kd * n);
}

TEST(Pid, FilteredDerivativeOfARampIsItsRate) {
  Pid pid({.kd = 0.5, .derivative_filter = 10});
  double out = 0;
  for (int k = 0; k < 1000; ++k) out = pid.step(3 * 0.01 * k, 0.01);
  EXPECT_NEAR(out, 0.5 * 3, 1e-9);
}

TEST(Pid, FilteredDerivativeStaysCalmWhenItsCornerIsFasterThanTheStep) {
  Pid pid({.kd = 1, .derivative_filter = 1e6});
  pid.step(0, 0.01);
  EXPECT_NEAR(pid.step(1, 0.01), 100, 0.1);  // the plain difference
  EXPECT_NEAR(pid.step(1, 0.01), 0, 0.1);
}

// MVSim's d += dt n (kd e - d), whose sum for a constant error is known.
TEST(Pid, AFilteredErrorIsReachedInGeometricSteps) {
  const double kd = 0.5, n = 20, dt = 0.005, error = 3;
  Pid pid({.kd = kd, .derivative_filter = n, .filter_error = true});
  for (int k = 1; k <= 100; ++k) {
    EXPECT_NEAR(pid.step(error, dt), kd * error * (1 - std::pow(1 - n * dt, k)), 1e-12) << k;
  }
  pid.reset();
  EXPECT_NEAR(pid.step(error, dt), kd * error * n * dt, 1e-12);
}

TEST(Pid, AFilteredErrorFollowsARampLate) {
  // Steady state of d[k] = d[k-1] + a (kd e[k] - d[k-1]): behind by (1 - a) / a steps.
  const double kd = 0.5, n = 20, dt = 0.005, a = n * dt, rate = 2;
  Pid pid({.kd = kd, .derivative_filter = n, .filter_error = true});
  double out = 0;
  for (int k = 0; k < 1000; ++k) out = pid.step(rate * k * dt, dt);
  EXPECT_NEAR(out, kd * rate * dt * (999 - (1 - a) / a), 1e-9);
}

TEST(Pid, AFilteredErrorStaysBoundedWhenItsCornerIsFasterThanTheStep) {
  Pid overshoots({.kd = 1, .derivative_filter = 150, .filter_error = true});
  EXPECT_NEAR(overshoots.step(1, 0.01), 1.5, 1e-12);  // as MVSim's
  EXPECT_NEAR(overshoots.step(1, 0.01), 0.75, 1e-12);
  Pid fast({.kd = 1, .derivative_filter = 1e6, .filter_error = true});
  for (int k = 0; k < 100; ++k) EXPECT_EQ(fast.step(k, 0.01), k);
}

TEST(Pid, IMaxLimitsTheIntegralPartAtBothEnds) {
  Pid pid({.ki = 10, .max_integral = 1.5});
  double out = 0;
  for (int k = 0; k < 100; ++k) out = pid.step(1, 0.1);
  EXPECT_DOUBLE_EQ(out, 1.5);
  // Unwinds at once: 1.5 - 10 * 0.1.
  EXPECT_DOUBLE_EQ(pid.step(-1, 0.1), 0.5);
  for (int k = 0; k < 100; ++k) out = pid.step(-1, 0.1);
  EXPECT_DOUBLE_EQ(out, -1.5);
}

TEST(Pid, AntiWindupTakesBackWhatTheOutputCannotDo) {
  // e = 1, dt = 0.1, kp = 2, ki = 4: u = 2 + 0.4 = 2.4, limited to 1; the integral gets
  // 4 / 2 * (1 - 2.4) * 0.1 = -0.28, leaving 0.12.
  Pid pid({.kp = 2, .ki = 4, .max_output = 1, .anti_windup = true});
  EXPECT_DOUBLE_EQ(pid.step(1, 0.1), 1);
  EXPECT_NEAR(pid.integral(), 0.12, 1e-12);
}

TEST(Pid, WithoutAntiWindupTheIntegralGoesOnWhileTheOutputIsLimited) {
  Pid pid({.kp = 2, .ki = 4, .max_output = 1});
  for (int k = 0; k < 10; ++k) EXPECT_DOUBLE_EQ(pid.step(1, 0.1), 1);
  EXPECT_NEAR(pid.integral(), 4, 1e-12);
}

TEST(Pid, ResetForgetsEverything) {
  Pid pid({.kp = 2, .ki = 3, .kd = 1, .derivative_filter = 5});
  const double first = pid.step(1, 0.1);
  pid.step(-3, 0.1);
  pid.reset();
  EXPECT_EQ(pid.step(1, 0.1), first);
}

TEST(Pid, RefusesSettingsThatAreNoNumbersByName) {
  EXPECT_EQ(pid_refusal({.kp = kNan}), "kp must be a finite number, got nan");
  EXPECT_EQ(pid_refusal({.ki = kNan}), "ki must be a finite number, got nan");
  EXPECT_EQ(pid_refusal({.kd = INFINITY}), "kd must be a finite number, got inf");
  EXPECT_EQ(pid_refusal({.derivative_filter = -1}), "derivativeFilter must be at least 0, got -1");
  EXPECT_EQ(pid_refusal({.max_integral = kNan}), "iMax must be greater than 0 or -1, got nan");
  EXPECT_EQ(pid_refusal({.max_output = 0}), "maxTorque must be greater than 0 or -1, got 0");
  EXPECT_EQ(pid_refusal({}), "");
}

TEST(ReferenceFilter, OfOrderOneRisesExponentially) {
  const double tau = 0.3, dt = 0.01;
  ReferenceFilter filter(1, tau);
  double y = 0;
  for (int k = 0; k < 50; ++k) y = filter.step(2, dt);
  EXPECT_NEAR(y, 2 * (1 - std::exp(-0.5 / tau)), 1e-12);
}

TEST(ReferenceFilter, OfOrderTwoRisesLikeTwoInARow) {
  const double tau = 0.3, dt = 1e-5;
  ReferenceFilter filter(2, tau);
  double y = 0;
  for (int k = 0; k < 50000; ++k) y = filter.step(2, dt);
  const double x = 0.5 / tau;
  EXPECT_NEAR(y, 2 * (1 - (1 + x) * std::exp(-x)), 1e-4);
}

TEST(ReferenceFilter, OfOrderZeroLetsThrough) {
  ReferenceFilter filter(0, 0.3);
  EXPECT_EQ(filter.step(2, 0.01), 2);
}

TEST(ReferenceFilter, RefusesOtherOrdersAndTimesByName) {
  EXPECT_THROW(ReferenceFilter(3, 0.1), std::invalid_argument);
  EXPECT_THROW(ReferenceFilter(1, 0), std::invalid_argument);
  EXPECT_THROW(ReferenceFilter(1, kNan), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam
