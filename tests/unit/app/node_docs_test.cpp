#include "app/node_docs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protobeam {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

SchemaRegistry some_nodes() {
  SchemaRegistry schemas;
  schemas.add({"Pose", "", "A frame.", {{"translation", FieldType::kVec3f, "0 0 0", "m", {}, ""}}});
  schemas.add({"Solid",
               "Pose",
               "A body.",
               {{"name", FieldType::kString, "\"solid\"", "", {}, "its name"},
                {"mass", FieldType::kFloat, "-1", "kg", Range::positive().or_special(-1), "m"}}});
  schemas.add({"Sonar",
               "Solid",
               "Hears.",
               {{"name", FieldType::kString, "\"sonar\"", "", {}, "its name"},
                {"type", FieldType::kString, "\"a\"", "", {}, "which one", "a|b"},
                {"maxRange", FieldType::kFloat, "5", "m", Range::positive(), "farthest"},
                {"range", FieldType::kFloat, "5", "m", {}, "", "", "maxRange"},
                {"colour", FieldType::kColor, "1 1 1", "", {}, "tint", "", nullptr, true}}});
  return schemas;
}

TEST(NodePage, ShowsEachFieldInARow) {
  const SchemaRegistry schemas = some_nodes();
  const std::string page = node_page(schemas, *schemas.find("Sonar"));
  EXPECT_THAT(page, HasSubstr("# Sonar\n\nHears.\n"));
  EXPECT_THAT(page, HasSubstr("| `maxRange` | SFFloat | `5` | m | > 0 | farthest |\n"));
  EXPECT_THAT(page,
              HasSubstr("| `type` | SFString | `\"a\"` |  | `\"a\"`, `\"b\"` | which one |\n"));
  EXPECT_THAT(page, HasSubstr("tint (without effect here)"));
}

TEST(NodePage, ListsOldSpellingsApart) {
  const SchemaRegistry schemas = some_nodes();
  const std::string page = node_page(schemas, *schemas.find("Sonar"));
  EXPECT_THAT(page, HasSubstr("- `range` sets `maxRange`\n"));
  EXPECT_THAT(page, Not(HasSubstr("| `range` |")));
}

TEST(NodePage, NamesInheritedFieldsOnceByTheirOwner) {
  const SchemaRegistry schemas = some_nodes();
  const std::string page = node_page(schemas, *schemas.find("Sonar"));
  EXPECT_THAT(page, HasSubstr("- from [Solid](Solid.md): `mass`\n- from [Pose](Pose.md): "
                              "`translation`\n"));
}

TEST(NodeIndex, HasALineForEachType) {
  EXPECT_EQ(node_index(some_nodes()),
            "# Nodes\n\n- [Pose](Pose.md): A frame.\n- [Solid](Solid.md): A body.\n"
            "- [Sonar](Sonar.md): Hears.\n");
}

TEST(NodeIndex, NamesWhatIsNotSimulatedWithoutALinkToAPage) {
  SchemaRegistry schemas = some_nodes();
  schemas.add({"Camera", "Solid", "Known.", {}, true});
  schemas.add({"Lens", "", "Known.", {}, true});
  EXPECT_THAT(node_index(schemas),
              EndsWith("Hears.\n\nKnown from Webots and not simulated: `Camera`, `Lens`.\n"));
}

}  // namespace
}  // namespace protobeam
