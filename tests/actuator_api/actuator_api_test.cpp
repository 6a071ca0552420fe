// Webots' functions of Display, Connector, VacuumGripper and the battery, called from C and C++ in
// real controller processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>

#include "geometry/files.h"
#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

class ActuatorApi : public testing::TestWithParam<const char*> {
 protected:
  void load(const std::string& text) {
    const auto world = folder_.write(
        "worlds/w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 32 gravity 0 }\n" + text);
    simulation_ = Simulation::load(world, {}, diagnostics_);
    if (!simulation_) throw std::runtime_error(diagnostics_.to_string());
    simulation_->start_controllers([this](const std::string&, bool, std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_ += std::string(line) + "\n";
    });
  }
  ControllerReport run(double seconds) {
    for (double t = 0; t < seconds; t += 0.032) simulation_->step();
    simulation_->finish();
    return simulation_->controllers().at(0);
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  std::mutex mutex_;
  std::string lines_;
};

TEST_P(ActuatorApi, WorksInARealController) {
  load(R"(
Robot {
  name "user" controller ")" +
       std::string(GetParam()) + R"(" battery [ 1000 2000 5 ] cpuConsumption 10
  boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 1 }
  children [
    Camera { width 8 height 4 }
    Display { width 32 height 16 }
    Connector { translation 0.1 0 0 }
    Emitter { range 1 maxRange 2 channel 1 allowedChannels [ 3, 4 ] }
    VacuumGripper { translation -0.1 0 0 isOn TRUE boundingObject Box { size 0.01 0.1 0.1 } }
  ]
}
Robot {
  name "peer" translation 0.205 0 0 controller "<none>" boundingObject Box { size 0.2 0.2 0.2 }
  physics Physics { density -1 mass 1 }
  children [ Connector { translation -0.1 0 0 rotation 0 0 1 3.14159265 } ]
})");
  const ControllerReport report = run(1);
  EXPECT_EQ(report.exit, 0) << report.what_happened << "\n" << lines_;
  EXPECT_NEAR(simulation_->model().robots[0].battery.energy, 1000 - 10 * simulation_->time(), 1e-6);
  // What the program has left in its folder.
  const bool c = std::string(GetParam()) == "actuator_use";
  const auto picture = load_image(std::filesystem::path(build_dir()) / "controllers" / GetParam() /
                                  (c ? "picture.png" : "picture_cpp.png"));
  ASSERT_EQ(picture->width, 32);
  ASSERT_EQ(picture->height, 16);
  const auto pixel = [&](int x, int y) {
    const auto at = static_cast<std::size_t>(picture->channels * (y * 32 + x));
    return std::array<int, 3>{picture->pixels[at], picture->pixels[at + 1],
                              picture->pixels[at + 2]};
  };
  EXPECT_EQ(pixel(0, 0), (std::array<int, 3>{255, 0, 0}));
  EXPECT_EQ(pixel(20, 10), (std::array<int, 3>{255, 0, 0}));  // copied there
  EXPECT_EQ(pixel(31, 15), (std::array<int, 3>{0, 0, 0}));
  if (!c) return;
  EXPECT_THAT(lines_, testing::HasSubstr("allowedChannels of 'emitter'"));
  for (const char* mistake :
       {"wb_display_set_color() called with an invalid 'rgb' (1.67772e+07)",
        "wb_display_set_color() called with an invalid 'rgb' (-1)",
        "wb_display_fill_rectangle() called with an invalid 'width' (0)",
        "wb_display_draw_rectangle() called with an invalid 'height' (-1)",
        "wb_display_fill_oval() called with an invalid 'b' (0)",
        "wb_display_draw_text() called without a text",
        "wb_display_detach_camera() called for 'display', to which no camera is attached",
        "wb_display_attach_camera() called for 'display', to which a camera is attached already"}) {
    EXPECT_THAT(lines_, testing::HasSubstr(mistake));
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, ActuatorApi,
                         testing::Values("actuator_use", "actuator_use_cpp"));

using Battery = ActuatorApi;

TEST_F(Battery, LetsTheProgramGoOnWhenItIsEmpty) {
  load(
      "Robot { name \"user\" controller \"actuator_use\" controllerArgs [ \"wait\" ] battery [ 5 "
      "20 1 ] "
      "cpuConsumption 10 }");
  for (int i = 0; i < 40; ++i) simulation_->step();  // 1.28 s; 5 J last for 0.5 s
  EXPECT_TRUE(simulation_->controllers().at(0).running);
  simulation_->finish();
  EXPECT_EQ(simulation_->controllers().at(0).exit, 0) << lines_;
  EXPECT_THAT(lines_, testing::HasSubstr("the battery of 'user' is empty: its devices stop"));
  EXPECT_THAT(lines_, testing::HasSubstr("ended at 1.28 s"));
}

}  // namespace
}  // namespace protobeam::test
