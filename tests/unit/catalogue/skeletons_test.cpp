// The worlds of `protobeam new` load without a word.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/new_command.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/support/plugin.h"
#include "wbt/load.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

TEST(Skeletons, WorldsLoadWithoutComplaint) {
  const TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
  SchemaRegistry schemas;
  wbt::add_core_schemas(schemas);
  for (const char* node : {"Lidar", "RotationalMotor", "PositionSensor"}) {
    schemas.add(load_sensor_plugin(node).schema);
  }
  // The skeleton of the device has its own plugin, which is not built here.
  schemas.add({"Whisker", "Device", "", {}});

  const std::pair<const char*, const char*> worlds[] = {{"device", "Whisker/worlds/Whisker.wbt"},
                                                        {"world", "worlds/Whisker.wbt"},
                                                        {"project", "rover/worlds/rover.wbt"}};
  for (const auto& [kind, world] : worlds) {
    SCOPED_TRACE(kind);
    const std::string name = std::string(kind) == "project" ? "rover" : "Whisker";
    std::string message;
    ASSERT_EQ(new_command(kind, name, folder, source_dir() + "/src/app/skeletons", false, message),
              0)
        << message;
    wbt::LoadOptions options;
    options.schemas = &schemas;
    options.proto_path = {fs::path(source_dir()) / "protos"};
    Diagnostics diagnostics;
    const auto loaded = wbt::load_world(folder / world, options, diagnostics);
    EXPECT_EQ(diagnostics.to_string(), "");
    EXPECT_FALSE(loaded.nodes.empty());
  }
}

}  // namespace
}  // namespace protobeam
