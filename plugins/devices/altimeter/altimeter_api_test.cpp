// Webots' functions of the Altimeter in controllers that run as real processes.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

class AltimeterApi : public testing::TestWithParam<const char*> {};

TEST_P(AltimeterApi, WorksInARealController) {
  const TemporaryFolder folder;
  const auto world = folder.write("worlds/w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Robot {
  translation 1 2 3
  controller ")" + std::string(GetParam()) + R"("
  children [ Altimeter { translation 0 0 0.5 } ]
})");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.16"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Languages, AltimeterApi,
                         testing::Values("altimeter_use", "altimeter_use_cpp"));

}  // namespace
}  // namespace protobeam::test
