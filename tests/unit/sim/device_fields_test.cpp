// What a supervisor's change of a device's fields does while the world runs, as in Webots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/set_field.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class DeviceFields : public testing::Test {
 protected:
  /// A robot with `children` that looks along x at a box whose face is 1 m away.
  void load(const std::string& children, const std::string& more = "") {
    simulation_ = &world_.load(
        "Solid { translation 1.5 0 0 name \"box\" recognitionColors [ 1 0 0 ] "
        "boundingObject Box { size 1 1 1 } "
        "children [ Shape { geometry Box { size 1 1 1 } } ] } " +
        more + " DEF R Robot { controller \"<none>\" children [ " + children + " ] }");
    ASSERT_EQ(world_.diagnostics().to_string(), "");
  }
  link::SupervisorAnswer change(const std::string& def, const std::string& field,
                                std::vector<double> numbers, int index = -1) {
    return set_field(*simulation_, def, field, std::move(numbers), index);
  }
  /// Without a word to the program.
  void set(const std::string& def, const std::string& field, std::vector<double> numbers,
           int index = -1) {
    const auto answer = change(def, field, std::move(numbers), index);
    EXPECT_TRUE(answer.good);
    EXPECT_EQ(answer.text, "");
  }
  Device& named(const char* device) { return device_named(*simulation_, device); }
  void enable(const char* device) { simulation_->enable(named(device), 0.008); }
  std::string command(const char* device, const char* order, std::vector<double> numbers) {
    return named(device).model->send_command(order, std::move(numbers));
  }
  template <class T = double>
  T value(const char* device, const char* channel) {
    simulation_->step();
    const Device& from = named(device);
    const ChannelLayout* layout = from.model->layout().find(channel);
    return *reinterpret_cast<const T*>(from.data.data() + layout->offset);
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(DeviceFields, ADistanceSensorGetsAnotherTable) {
  load("DEF D DistanceSensor { name \"d\" lookupTable [ 0 0 0, 2 200 0 ] }");
  enable("d");
  EXPECT_NEAR(value("d", "value"), 100, 1e-6);
  set("D", "lookupTable", {2, 500, 0}, 1);
  EXPECT_NEAR(value("d", "value"), 250, 1e-6);
  EXPECT_NE(named("d").period, 0);
}

TEST_F(DeviceFields, AGpsGetsAnotherResolution) {
  load("DEF G GPS { name \"g\" translation 0.26 0 0 }");
  enable("g");
  EXPECT_NEAR(value("g", "position"), 0.26, 1e-12);
  set("G", "resolution", {0.1});
  EXPECT_NEAR(value("g", "position"), 0.3, 1e-12);
  simulation_->reset_now({});
  EXPECT_NEAR(value("g", "position"), 0.26, 1e-12) << "as it was loaded";
}

TEST_F(DeviceFields, WhatOtherDevicesWereToldStays) {
  load(
      "DEF G GPS { name \"g\" } LED { name \"l\" color [ 1 0 0, 0 1 0 ] } "
      "DEF C Camera { width 8 height 8 recognition Recognition { } }");
  enable("camera");
  EXPECT_EQ(command("camera", "recognition", {0.008}), "");
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 1);
  EXPECT_EQ(command("l", "set", {2}), "");
  set("G", "resolution", {0.1});
  EXPECT_EQ(named("l").model->emission(), Eigen::Vector3f(0, 1, 0));
  simulation_->remove_solid(0);
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 0) << "it goes on to look for them";
}

TEST_F(DeviceFields, PropellersGoOnWhileTheirRobotIsMadeAnew) {
  load(
      "DEF G GPS { name \"g\" } DEF P Propeller { device RotationalMotor { name \"m\" maxVelocity "
      "100 } }");
  command("m", "position", {std::numeric_limits<double>::infinity()});
  command("m", "velocity", {10});
  simulation_->step();
  const double before = named("m").free_axis->position();
  set("G", "resolution", {0.1});
  change("P", "torqueConstants", {0.1, 0});
  simulation_->step();
  EXPECT_EQ(named("m").free_axis->velocity(), 10);
  EXPECT_NEAR(named("m").free_axis->position() - before, 0.08, 1e-9);
}

TEST_F(DeviceFields, RecognitionTellsOtherOcclusions) {
  load("Camera { width 16 height 16 recognition DEF REC Recognition { occlusion 0 } }",
       "Solid { translation 4 0 0 name \"hidden\" recognitionColors [ 0 1 0 ] "
       "children [ Shape { geometry Box { size 0.1 0.1 0.1 } } ] }");
  enable("camera");
  EXPECT_EQ(command("camera", "recognition", {0.008}), "");
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 2);
  set("REC", "occlusion", {1});
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 1);
  set("REC", "occlusion", {0});
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 2);
  set("REC", "maxRange", {2});
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 1);
}

TEST_F(DeviceFields, SegmentationGoesAndComesBack) {
  load("Camera { width 16 height 16 recognition DEF REC Recognition { segmentation TRUE } }");
  enable("camera");
  EXPECT_EQ(command("camera", "recognition", {0.008}), "");
  EXPECT_EQ(command("camera", "segmentation", {1}), "");
  const auto width = [&] {
    return std::get<double>(named("camera").model->facts().at("segmentationWidth"));
  };
  EXPECT_EQ(width(), 16);
  set("REC", "segmentation", {0});
  EXPECT_EQ(width(), 0);
  EXPECT_THAT(command("camera", "segmentation", {1}), HasSubstr("no segmentation"));
  set("REC", "segmentation", {1});
  EXPECT_EQ(width(), 16);
  EXPECT_EQ(command("camera", "segmentation", {1}), "");
}

TEST_F(DeviceFields, WhatProgramsSetThemselvesIsSetForThem) {
  load(
      "DEF E Emitter { name \"e\" channel 1 range 0.5 } "
      "DEF V Receiver { name \"v\" translation 1 0 0 channel 1 } "
      "DEF C Camera { width 64 height 64 fieldOfView 1.5707963267948966 recognition Recognition { "
      "} }",
      "Solid { translation 2 1.5 0 name \"aside\" recognitionColors [ 0 1 0 ] "
      "children [ Shape { geometry Box { size 0.1 0.1 0.1 } } ] }");
  const auto sent = [&] {  // on which channel, and how far
    EXPECT_EQ(named("e").model->send_command("send", {}, "x"), "");
    return named("e").model->take_signals().at(0).numbers;
  };
  const auto fact = [&](const char* device, const char* name) {
    return std::get<double>(named(device).model->facts().at(name));
  };
  EXPECT_EQ(command("e", "channel", {7}), "");
  set("E", "range", {2});
  EXPECT_THAT(sent(), testing::ElementsAre(7, 2, -1));
  EXPECT_EQ(fact("e", "channel"), 7) << "as the program has set it";
  set("E", "channel", {3});
  EXPECT_THAT(sent(), testing::ElementsAre(3, 2, -1));
  EXPECT_EQ(fact("e", "channel"), 3);
  set("V", "channel", {3});
  EXPECT_EQ(fact("v", "channel"), 3);
  set("V", "aperture", {1});
  EXPECT_EQ(fact("v", "channel"), 3);

  enable("camera");
  EXPECT_EQ(command("camera", "recognition", {0.008}), "");
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 2);
  set("C", "fieldOfView", {0.9272952180016122});  // 27 degrees to each side
  EXPECT_EQ(value<std::int32_t>("camera", "objectCount"), 1);
}

// Webots, WbConnector: the field is the state; a link comes by a lock, or by autoLock, alone.
TEST_F(DeviceFields, AConnectorIsLockedAndGetsOtherTolerances) {
  load(
      "Connector { name \"c\" }",
      "Robot { name \"other\" translation 0.02 0 0 controller \"<none>\" physics Physics { } "
      "boundingObject Sphere { radius 0.001 } children [ DEF O Connector { name \"o\" autoLock "
      "TRUE rotation 0 0 1 3.14159265358979 } DEF P Connector { name \"p\" type \"passive\" } ] }");
  enable("o");
  EXPECT_EQ(value<std::int32_t>("o", "presence"), 0);
  set("O", "distanceTolerance", {0.03});
  EXPECT_EQ(value<std::int32_t>("o", "presence"), 1);
  EXPECT_EQ(value<std::int32_t>("o", "docked"), 0);
  set("O", "isLocked", {1});
  EXPECT_EQ(value<std::int32_t>("o", "docked"), 1);
  set("O", "isLocked", {0});
  EXPECT_EQ(value<std::int32_t>("o", "docked"), 1);
  EXPECT_EQ(command("o", "unlock", {}), "");
  EXPECT_EQ(value<std::int32_t>("o", "docked"), 0);
  const auto answer = change("P", "isLocked", {1});
  EXPECT_FALSE(answer.good);
  EXPECT_THAT(answer.text, HasSubstr("passive"));
}

TEST_F(DeviceFields, WhatChangesTheSizeOfSamplesWaitsForTheNextLoad) {
  load("DEF C Camera { width 8 height 8 } DEF G GPS { name \"g\" }");
  enable("camera");
  EXPECT_THAT(change("C", "width", {16}).text, HasSubstr("cannot change while the world runs"));
  simulation_->step();
  EXPECT_EQ(named("camera").data.size(), named("camera").model->layout().size);
  EXPECT_EQ(std::get<double>(named("camera").model->facts().at("width")), 8);
  set("G", "resolution", {0.1});
  EXPECT_EQ(std::get<double>(named("camera").model->facts().at("width")), 8);
}

}  // namespace
}  // namespace protobeam
