// The stand-ins of protos/webots have the fields that a person read in Webots' own PROTOs, and are
// made in time.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"
#include "wbt/load.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

using FieldTexts = std::map<std::string, std::string>;  ///< name: "type default"

/// tests/data/webots_interface.txt.
std::map<std::string, FieldTexts> webots_interfaces() {
  std::ifstream in(fs::path(source_dir()) / "tests/data/webots_interface.txt");
  std::map<std::string, FieldTexts> out;
  std::string line, proto;
  const test::Pattern head(R"(\[(\S+)\].*)"), field(R"((\w+) ((?:SF|MF)\w+(?:\{.*\})?) (.*))");
  while (std::getline(in, line)) {
    if (const auto name = head.match(line); !name.empty()) {
      proto = name[1];
    } else if (const auto part = field.match(line); !part.empty()) {
      out[proto][part[1]] = part[2] + " " + part[3];
    }
  }
  return out;
}

/// What the PROTO file declares, hidden fields left out. Each of ours stands on a line of its own.
FieldTexts declared_in(const fs::path& file) {
  std::ifstream in(file);
  FieldTexts out;
  std::string line;
  const test::Pattern field(
      R"(  (?:f|unconnectedF)ield\s+((?:SF|MF)\w+(?:\{.*\})?)\s+(\w+)\s+(.*\S)\s*)");
  while (std::getline(in, line)) {
    const auto part = field.match(line);
    if (!part.empty()) out[part[2]] = part[1] + " " + part[3];
  }
  return out;
}

TEST(StandIns, HaveTheFieldsTypesAndDefaultsOfWebots) {
  std::map<std::string, fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(source_dir()) / "protos/webots")) {
    if (entry.path().extension() == ".proto") files[entry.path().stem().string()] = entry.path();
  }
  const auto interfaces = webots_interfaces();
  EXPECT_GT(interfaces.size(), 70u);
  for (const auto& [name, expected] : interfaces) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(files.count(name));
    const FieldTexts declared = declared_in(files[name]);
    EXPECT_EQ(declared.size(), expected.size());
    for (const auto& [field, type_and_default] : expected) {
      ASSERT_TRUE(declared.count(field)) << "no field " << field;
      if (type_and_default.ends_with(" own")) continue;
      EXPECT_EQ(declared.at(field), type_and_default) << field;
    }
  }
}

/// Expects `text`, of PROTOs of Webots, to load while a template has `seconds`.
void expect_made_in_time(const std::string& text, double seconds) {
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/a.wbt", text);
  SchemaRegistry schemas;
  wbt::add_core_schemas(schemas);
  wbt::LoadOptions options;
  options.schemas = &schemas;
  options.proto_path = {fs::path(source_dir()) / "protos/webots"};
  options.template_seconds = seconds;
  Diagnostics diagnostics;
  const auto world = wbt::load_world(file, options, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_string();
  EXPECT_EQ(world.nodes.size(), 2u);
}

/// Each dash of its lines has to find its place on the course without a walk along all of it.
TEST(StandIns, ALongRoadOfManySegmentsIsMadeInTime) {
  expect_made_in_time(R"(#VRML_SIM R2025a utf8
EXTERNPROTO "webots://projects/objects/road/protos/Road.proto"
WorldInfo { }
Road { wayPoints [ 0 0 0, 100000 0 0 ] splineSubdivision 12000 rightBorder FALSE leftBorder FALSE }
)",
                      2);
}

/// 20 000 trees, as in worlds of drones that look for fires.
TEST(StandIns, AForestOfManyTreesIsMadeInTime) {
  expect_made_in_time(R"(#VRML_SIM R2025a utf8
EXTERNPROTO "webots://projects/objects/trees/protos/Forest.proto"
WorldInfo { }
Forest { shape [ -100 -100, 100 -100, 100 100, -100 100 ] density 0.5 }
)",
                      5);
}

}  // namespace
}  // namespace protobeam
