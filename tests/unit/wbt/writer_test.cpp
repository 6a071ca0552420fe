// Text -> tree -> text -> tree: both trees say the same.
#include "tests/unit/support/paths.h"
#include "wbt/document.h"
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

void expect_same(const Value& a, const Value& b);

void expect_same(const NodePtr& a, const NodePtr& b) {
  ASSERT_EQ(a == nullptr, b == nullptr);
  if (!a) return;
  EXPECT_EQ(a->type, b->type);
  EXPECT_EQ(a->def, b->def);
  EXPECT_EQ(a->use, b->use);
  ASSERT_EQ(a->fields.size(), b->fields.size());
  for (std::size_t i = 0; i < a->fields.size(); ++i) {
    SCOPED_TRACE(a->type + "." + a->fields[i].name);
    EXPECT_EQ(a->fields[i].name, b->fields[i].name);
    EXPECT_EQ(a->fields[i].hidden, b->fields[i].hidden);
    expect_same(a->fields[i].value, b->fields[i].value);
  }
}

void expect_same(const Value& a, const Value& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.bracketed, b.bracketed);
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.strings, b.strings);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) expect_same(a.nodes[i], b.nodes[i]);
}

class WriterTest : public WbtTest {
 protected:
  Document parse(const std::string& text, DocumentKind kind) {
    return parse_document(std::make_shared<SourceText>("test", text), "test", kind, diagnostics_);
  }

  /// The text that the second writing gives must be the first one, too.
  void expect_round_trip(const std::string& text, DocumentKind kind) {
    const Document first = parse(text, kind);
    const std::string written = to_text(first);
    SCOPED_TRACE(written);
    const Document second = parse(written, kind);
    EXPECT_EQ(to_text(second), written);
    EXPECT_EQ(second.version, first.version);
    EXPECT_EQ(second.info, first.info);
    ASSERT_EQ(second.externs.size(), first.externs.size());
    for (std::size_t i = 0; i < first.externs.size(); ++i) {
      EXPECT_EQ(second.externs[i].url, first.externs[i].url);
      EXPECT_EQ(second.externs[i].importable, first.externs[i].importable);
    }
    ASSERT_EQ(second.nodes.size(), first.nodes.size());
    for (std::size_t i = 0; i < first.nodes.size(); ++i) {
      expect_same(first.nodes[i], second.nodes[i]);
    }
    ASSERT_EQ(first.proto == nullptr, second.proto == nullptr);
    if (!first.proto) return;
    EXPECT_EQ(second.proto->name, first.proto->name);
    ASSERT_EQ(second.proto->parameters.size(), first.proto->parameters.size());
    for (std::size_t i = 0; i < first.proto->parameters.size(); ++i) {
      const Parameter &a = first.proto->parameters[i], &b = second.proto->parameters[i];
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(a.name, b.name);
      expect_same(a.default_value, b.default_value);
      ASSERT_EQ(a.allowed.has_value(), b.allowed.has_value());
      if (a.allowed) expect_same(*a.allowed, *b.allowed);
    }
    const auto body = [](const Document& d) {
      return d.source->text().substr(d.proto->body_begin, d.proto->body_end - d.proto->body_begin);
    };
    if (first.proto->javascript) {
      EXPECT_EQ(body(first), body(second));
    }
  }
};

TEST_F(WriterTest, worlds_are_written_as_they_were_read) {
  expect_round_trip(R"(#VRML_SIM R2023b utf8
# about this world
EXTERNPROTO "../protos/A.proto"
IMPORTABLE EXTERNPROTO "webots://projects/B.proto"
WorldInfo { info [ "a\"b\\c\nd" "" ] basicTimeStep 8.000000000000002 title "x # y" }
DEF T Pose {
  translation 0.1 -1e-300 3.0000000000000004
  children [ Shape { geometry NULL appearance DEF L Appearance { } } Shape { appearance USE L } ]
  hidden translation_1 1 2 3
}
Robot { controllerArgs [ ] supervisor TRUE children Solid { } }
A { flags [ TRUE FALSE ] }
)",
                    DocumentKind::kWorld);
}

TEST_F(WriterTest, numbers_come_back_bit_for_bit) {
  const double numbers[] = {0.1, 1.0 / 3, 1e308, 5e-324, -0.0, 123456789.123456789, 1e21};
  auto node = std::make_shared<Node>();
  node->type = "A";
  Field field;
  field.name = "v";
  field.value.kind = Value::Kind::kNumbers;
  field.value.bracketed = true;
  field.value.numbers = std::vector<double>(std::begin(numbers), std::end(numbers));
  node->fields.push_back(field);
  const Document back = parse(to_text({node}), DocumentKind::kWorld);
  const auto& read = back.nodes.at(0)->fields.at(0).value.numbers;
  ASSERT_EQ(read.size(), std::size(numbers));
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(std::signbit(read[i]), std::signbit(numbers[i]));
    EXPECT_EQ(read[i], numbers[i]);
  }
}

TEST_F(WriterTest, protos_are_written_as_they_were_read) {
  expect_round_trip(R"(#VRML_SIM R2025a utf8
# license: Apache-2.0
EXTERNPROTO "Q.proto"
PROTO P [
  field SFVec3f translation 0 0 1
  field SFString{"a" "b"} mode "a"
  field SFColor{0 0 0, 1 1 1} color 1 1 1
  field MFNode{Solid{} Pose{}} parts [ DEF X Solid { name "x" } USE X ]
  hiddenField SFNode shape NULL
  deprecatedField MFFloat list [ ]
  unconnectedField SFBool flag TRUE
]
{ Solid { translation IS translation children IS parts } }
)",
                    DocumentKind::kProto);
}

TEST_F(WriterTest, templates_are_kept_letter_by_letter) {
  expect_round_trip(R"(#VRML_SIM R2025a utf8
# template language: javascript
PROTO P [ field SFInt32 n 3 ]
{
  %< for (let i = 0; i < fields.n.value; ++i) { // } >%
  Solid { name "%<= `a}${i}` >%" }
  %< } >%
}
)",
                    DocumentKind::kProto);
}

TEST_F(WriterTest, every_world_and_proto_of_ours_is_written_as_it_was_read) {
  int files = 0;
  for (const char* folder : {"/worlds", "/protos"}) {
    const std::filesystem::path root = source_dir() + folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".wbt" && extension != ".proto") continue;
      SCOPED_TRACE(entry.path());
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(in)),
                             std::istreambuf_iterator<char>());
      expect_round_trip(text, extension == ".wbt" ? DocumentKind::kWorld : DocumentKind::kProto);
      ++files;
    }
  }
  EXPECT_GE(files, 10);
}

}  // namespace
}  // namespace protobeam::wbt
