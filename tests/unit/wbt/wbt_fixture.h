// Files in a folder of their own, and a loader whose messages every test must look at.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/support/plugin.h"
#include "wbt/load.h"

namespace protobeam::wbt {

class WbtTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "-" + info->name();
    std::replace(name.begin(), name.end(), '/', '-');
    folder_ = std::filesystem::temp_directory_path() /
              ("protobeam-wbt-" + std::to_string(getpid()) + "-" + name);
    std::filesystem::create_directories(folder_);
    add_core_schemas(schemas_);
    schemas_.add(
        {"Lidar",
         "Solid",
         "A lidar of these tests.",
         {{"name", FieldType::kString, "\"lidar\"", "", {}, "Name"},
          {"fieldOfView", FieldType::kFloat, "1.5708", "rad", Range::positive(), ""},
          {"numberOfLayers", FieldType::kInt32, "4", "", Range::at_least(1), ""},
          {"maxRange", FieldType::kFloat, "1", "m", Range::positive(), ""},
          {"projection", FieldType::kString, "\"cylindrical\"", "", {}, "", "planar|cylindrical"},
          {"type", FieldType::kString, "\"fixed\"", "", {}, "", "fixed|rotating"},
          {"rotatingHead", FieldType::kNode, "NULL", "", {}, "", "Solid"},
          {"spherical", FieldType::kBool, "TRUE", "", {}, "", "", "projection"}}});
    for (const char* node : {"RotationalMotor", "LinearMotor", "PositionSensor", "Brake"}) {
      schemas_.add(load_any_plugin(node).schema);
    }
    options_.schemas = &schemas_;
  }

  void TearDown() override {
    EXPECT_THAT(take_messages(), testing::IsEmpty()) << "messages that the test did not take";
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  /// A world of today with these nodes.
  LoadedWorld load(const std::string& nodes) {
    return load_world(write("worlds/test.wbt", "#VRML_SIM R2025a utf8\n" + nodes), options_,
                      diagnostics_);
  }

  /// "line:col: message" of everything reported since the last call.
  std::vector<std::string> take_messages() {
    std::vector<std::string> out;
    for (const auto& d : diagnostics_.all()) {
      std::string text;
      if (d.place.valid()) {
        const auto at = d.place.source->locate(d.place.offset);
        text = std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
      }
      text += d.severity == Severity::kWarning ? "warning: " : "";
      text += d.message;
      if (!d.hint.empty()) text += "; " + d.hint;
      out.push_back(std::move(text));
    }
    diagnostics_ = {};
    return out;
  }

  NodeView view(const NodePtr& node) const { return NodeView(*node, schemas_); }

  std::filesystem::path folder_;
  SchemaRegistry schemas_;
  LoadOptions options_;
  Diagnostics diagnostics_;
};

}  // namespace protobeam::wbt
