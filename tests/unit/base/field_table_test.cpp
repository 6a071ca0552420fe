#include "base/field_table.h"

#include <cmath>

#include <gtest/gtest.h>

namespace protobeam {
namespace {

TEST(FieldType, NamesRoundTrip) {
  for (const char* name : {"SFBool", "MFVec3f", "SFRotation", "MFNode", "SFColor", "MFString"}) {
    FieldType type{};
    ASSERT_TRUE(parse_field_type(name, type)) << name;
    EXPECT_EQ(to_string(type), name);
  }
  FieldType type{};
  EXPECT_FALSE(parse_field_type("SFVec4f", type));
  EXPECT_EQ(components(FieldType::kMFRotation), 4);
}

TEST(Range, KnowsItsEndsAndItsSpecialValue) {
  EXPECT_FALSE(Range::positive().contains(0));
  EXPECT_TRUE(Range::positive().or_special(-1).contains(-1));
  EXPECT_FALSE(Range::any().contains(std::nan("")));
  EXPECT_FALSE(Range::any().contains(HUGE_VAL));
  EXPECT_EQ(Range::positive().or_special(-1).to_string(), "> 0 or -1");
  EXPECT_EQ(Range::between(0, 1).to_string(), "in [0, 1]");
}

TEST(SchemaRegistry, DerivedTypesHaveTheFieldsOfTheirBases) {
  SchemaRegistry schemas;
  schemas.add({"Pose", "", "", {{"translation", FieldType::kVec3f, "0 0 0", "m", {}, ""}}});
  schemas.add({"Solid", "Pose", "", {{"name", FieldType::kString, "\"solid\"", "", {}, ""}}});
  schemas.add({"Lidar", "Solid", "", {{"name", FieldType::kString, "\"lidar\"", "", {}, ""}}});
  const NodeSchema* lidar = schemas.find("Lidar");
  ASSERT_NE(lidar, nullptr);
  EXPECT_NE(schemas.find_field(*lidar, "translation"), nullptr);
  EXPECT_STREQ(schemas.find_field(*lidar, "name")->default_text, "\"lidar\"");
  EXPECT_EQ(schemas.fields(*lidar).size(), 2u);
  EXPECT_TRUE(schemas.is_a("Lidar", "Pose"));
  EXPECT_FALSE(schemas.is_a("Pose", "Lidar"));
}

TEST(SchemaRegistry, AsksTheResolverOnceForAnUnknownName) {
  SchemaRegistry schemas;
  int asked = 0;
  schemas.set_resolver([&](std::string_view) -> const NodeSchema* {
    ++asked;
    return nullptr;
  });
  EXPECT_EQ(schemas.find("Sonar"), nullptr);
  EXPECT_EQ(schemas.find("Sonar"), nullptr);
  EXPECT_EQ(asked, 1);
}

TEST(SchemaRegistry, KeepsTheAnswerOfTheResolverAlsoForWhatIsNotSimulated) {
  SchemaRegistry schemas;
  schemas.add({"Ear", "", "of the tables", {}, true});
  const NodeSchema answer{"Ear", "", "of a plugin", {}, true};
  schemas.set_resolver([&](std::string_view) { return &answer; });
  const NodeSchema* found = schemas.find("Ear");
  ASSERT_NE(found, nullptr);
  EXPECT_STREQ(found->meaning, "of a plugin");
  EXPECT_EQ(schemas.find("Ear"), found) << "nodes of a world point to it";
}

TEST(SchemaRegistry, ListsWhatTheResolverOffersWithoutAskingForIt) {
  SchemaRegistry schemas;
  schemas.add({"Solid", "", "", {}});
  schemas.set_resolver([](std::string_view) -> const NodeSchema* { return nullptr; },
                       [] { return std::vector<std::string>{"Lidar", "Solid"}; });
  EXPECT_EQ(schemas.names(), (std::vector<std::string>{"Lidar", "Solid"}));
}

}  // namespace
}  // namespace protobeam
