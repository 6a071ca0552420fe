// The untyped tree: what text says before anybody knows node types.
#include "wbt/parser.h"

#include <chrono>

#include "wbt/document.h"
#include "wbt/lexer.h"
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class ParserTest : public WbtTest {
 protected:
  Document parse(const std::string& text, DocumentKind kind = DocumentKind::kWorld) {
    return parse_document(std::make_shared<SourceText>("test", text), "test", kind, diagnostics_);
  }
  const Value& only_value(const Document& document) {
    return document.nodes.at(0)->fields.at(0).value;
  }
};

const std::string kHeader = "#VRML_SIM R2025a utf8\n";

TEST_F(ParserTest, headers_of_every_era_are_understood) {
  const auto version = [&](const std::string& header) { return parse(header + "\n").version; };
  EXPECT_EQ(version("#VRML_SIM R2025a utf8"), (Version{2025, 0}));
  EXPECT_EQ(version("#VRML_SIM R2023b utf8\r"), (Version{2023, 1}));
  EXPECT_EQ(version("#VRML_SIM R2021c-rev1"), (Version{2021, 2}));
  EXPECT_EQ(version("#VRML_SIM V8.5 utf8"), (Version{8, 5}));
  EXPECT_EQ(version("#VRML_OBJ V7.1.2 utf8"), (Version{7, 1}));
  EXPECT_EQ(version("#VRML V2.0 utf8"), (Version{2, 0}));
  EXPECT_LT((Version{8, 6}), kR2020b);
  EXPECT_LT(kR2022a, kR2022b);
}

TEST_F(ParserTest, comments_under_the_header_are_the_file_s_info) {
  const auto document = parse(kHeader +
                              "# license: Apache-2.0\n#tags: static , nonDeterministic\n"
                              "# A box.\n\n# not info any more\nBox { }\n");
  EXPECT_THAT(document.info,
              ElementsAre("license: Apache-2.0", "tags: static , nonDeterministic", "A box."));
  EXPECT_THAT(document.tags, ElementsAre("static", "nonDeterministic"));
  EXPECT_THAT(document.nodes, SizeIs(1));
}

TEST_F(ParserTest, numbers_of_every_spelling) {
  const auto document = parse(kHeader + "A { v [ 1 -2 +3 .5 -.5 6. 1e3 -2.5E-2,,7, 1e-999 ] }");
  EXPECT_EQ(only_value(document).numbers,
            (std::vector<double>{1, -2, 3, 0.5, -0.5, 6, 1000, -0.025, 7, 0}));
}

TEST_F(ParserTest, names_may_hold_signs_dots_and_digits) {
  const auto document = parse(kHeader + "DEF my-robot.2 VelodyneVLP-16 { }\nTiago++ { }");
  ASSERT_THAT(document.nodes, SizeIs(2));
  EXPECT_EQ(document.nodes[0]->def, "my-robot.2");
  EXPECT_EQ(document.nodes[0]->type, "VelodyneVLP-16");
  EXPECT_EQ(document.nodes[1]->type, "Tiago++");
}

TEST_F(ParserTest, names_may_hold_what_VRML_allows) {
  const auto document = parse(kHeader + "DEF 凹凸地形 Box { }\nDEF Tür_2 Box { }\nDEF é Box { }\n" +
                              "DEF wheel(1)/a:b Box { }\u00a0Box\u3000{ }\u2003Box { }");
  ASSERT_THAT(document.nodes, SizeIs(6));
  EXPECT_EQ(document.nodes[0]->def, "凹凸地形");
  EXPECT_EQ(document.nodes[1]->def, "Tür_2");
  EXPECT_EQ(document.nodes[2]->def, "é");
  EXPECT_EQ(document.nodes[3]->def, "wheel(1)/a:b");
  for (const auto& node : document.nodes) EXPECT_EQ(node->type, "Box");
}

TEST_F(ParserTest, strings_keep_utf8_hashes_and_escapes) {
  const auto document = parse(kHeader + R"(A { v [ "a # b" "q\"q" "c:\\d" "l\nl" "köln" "" ] })");
  EXPECT_THAT(only_value(document).strings,
              ElementsAre("a # b", "q\"q", "c:\\d", "l\nl", "köln", ""));
}

TEST_F(ParserTest, line_ends_of_windows_and_a_byte_order_mark_do_not_matter) {
  const auto document =
      parse("\xef\xbb\xbf#VRML_SIM R2025a utf8\r\nA {\r\n  v \"x\"\r\n  w 1 # c\r\n}\r\n");
  ASSERT_THAT(document.nodes, SizeIs(1));
  EXPECT_THAT(document.nodes[0]->fields, SizeIs(2));
}

TEST_F(ParserTest, a_value_ends_where_the_next_name_begins) {
  const auto document = parse(kHeader +
                              "A { b TRUE c 1 2 3 d \"x\" e NULL f USE X g DEF X B { } h [ ] "
                              "i C { } hidden translation_2 1 2 3 j [ B { } USE X NULL ] }");
  const auto& fields = document.nodes.at(0)->fields;
  std::vector<std::string> names;
  for (const auto& field : fields) names.push_back(field.name);
  EXPECT_THAT(names, ElementsAre("b", "c", "d", "e", "f", "g", "h", "i", "translation_2", "j"));
  EXPECT_EQ(fields[0].value.kind, Value::Kind::kBools);
  EXPECT_EQ(fields[1].value.numbers, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(fields[3].value.nodes.at(0), nullptr);
  EXPECT_EQ(fields[4].value.nodes.at(0)->use, "X");
  EXPECT_EQ(fields[5].value.nodes.at(0)->def, "X");
  EXPECT_EQ(fields[6].value.kind, Value::Kind::kEmpty);
  EXPECT_TRUE(fields[8].hidden);
  EXPECT_THAT(fields[9].value.nodes, SizeIs(3));
}

TEST_F(ParserTest, every_element_knows_its_place) {
  const auto document = parse(kHeader + "A {\n v [ 1\n  22 ]\n}");
  const Value& value = only_value(document);
  EXPECT_EQ(value.place.to_string(), "test:3:4");
  EXPECT_EQ(value.element_place(0).to_string(), "test:3:6");
  EXPECT_EQ(value.element_place(1).to_string(), "test:4:3");
}

TEST_F(ParserTest, externproto_gives_the_name_of_its_file) {
  const auto document = parse(kHeader +
                              "# EXTERNPROTO \"no.proto\"\n"
                              "EXTERNPROTO \"https://x.org/a/Ball.proto\"\n"
                              "IMPORTABLE EXTERNPROTO \"..\\\\protos\\\\Box2.PROTO\"\n");
  ASSERT_THAT(document.externs, SizeIs(2));
  EXPECT_EQ(document.externs[0].name, "Ball");
  EXPECT_FALSE(document.externs[0].importable);
  EXPECT_EQ(document.externs[1].name, "Box2");
  EXPECT_EQ(document.externs[1].url, "../protos/Box2.PROTO");
  EXPECT_TRUE(document.externs[1].importable);
}

TEST_F(ParserTest, an_interface_has_kinds_types_restrictions_and_defaults) {
  const auto document = parse(kHeader + R"(
PROTO P [
  field SFVec3f translation 0 0 1   # where
  vrmlField SFString{"a", "b"} mode "a"
  w3dField MFNode{Solid{} Pose{}} parts [ Solid { name "x" } ]
  hiddenField SFNode shape NULL
  deprecatedField MFFloat list []
  unconnectedField SFBool flag TRUE
]
{ Solid { } }
)",
                              DocumentKind::kProto);
  ASSERT_NE(document.proto, nullptr);
  const auto& parameters = document.proto->parameters;
  ASSERT_THAT(parameters, SizeIs(6));
  EXPECT_EQ(parameters[0].type, FieldType::kVec3f);
  EXPECT_EQ(parameters[0].default_value.numbers, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(parameters[1].kind, Parameter::Kind::kW3dField);
  EXPECT_THAT(parameters[1].allowed->strings, ElementsAre("a", "b"));
  EXPECT_THAT(parameters[2].allowed->nodes, SizeIs(2));
  EXPECT_EQ(parameters[2].default_value.nodes.at(0)->type, "Solid");
  EXPECT_EQ(parameters[3].kind, Parameter::Kind::kHidden);
  EXPECT_EQ(parameters[3].default_value.nodes.at(0), nullptr);
  EXPECT_EQ(parameters[4].kind, Parameter::Kind::kDeprecated);
  EXPECT_EQ(parameters[5].kind, Parameter::Kind::kUnconnected);
}

TEST_F(ParserTest, deep_nesting_is_one_error) {
  std::string text = kHeader;
  for (int i = 0; i < 100000; ++i) text += "Group { children [ ";
  parse(text);
  const auto messages = take_messages();
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_THAT(messages[0], testing::EndsWith("nodes are nested deeper than 200 levels"));
  EXPECT_THAT(messages[1], testing::EndsWith("is not closed"));
}

TEST_F(ParserTest, a_file_of_nonsense_stops_after_a_hundred_messages) {
  std::string text = kHeader;
  for (int i = 0; i < 100000; ++i) text += "} ";
  parse(text);
  const auto messages = take_messages();
  ASSERT_THAT(messages, SizeIs(101));
  EXPECT_THAT(messages.back(), testing::HasSubstr("too many mistakes"));
}

TEST_F(ParserTest, five_megabytes_take_well_under_a_second) {
  std::string text = kHeader + "A { v [\n";
  while (text.size() < 5'000'000) text += "0.123456 -7.891011 12.131415\n";
  text += "] }";
  const auto begin = std::chrono::steady_clock::now();
  const auto document = parse(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(only_value(document).numbers.size(), 500'000u);
#ifndef PROTOBEAM_SANITIZED
  EXPECT_LT(took.count(), 1.0);
#endif
}

}  // namespace
}  // namespace protobeam::wbt
