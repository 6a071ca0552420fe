#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadTemplate {
  const char* body;
  const char* place;
  const char* message;
};

class TemplateErrors : public ::testing::TestWithParam<BadTemplate> {};

TEST_P(TemplateErrors, StandAtTheirLineAndColumn) {
  const Rendering result = render(GetParam().body);
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.diagnostics.error_count(), 1);
  const Diagnostic& diagnostic = result.diagnostics.all()[0];
  EXPECT_EQ(diagnostic.place.to_string(), std::string("Test.proto:") + GetParam().place);
  EXPECT_THAT(diagnostic.message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    , TemplateErrors,
    ::testing::Values(
        BadTemplate{"Solid {\n  %< let a = 1; >%\n  radius %< let b = ; >%\n}", "3:21",
                    "Unexpected token ';'"},
        BadTemplate{"Solid {\n  radius %<= 1 + >%\n}", "2:18", "Unexpected end of the expression"},
        BadTemplate{"Group {\n  %<\n    let a = 1;\n      nothing.x();\n  >%\n}", "4:7",
                    "Can't find variable: nothing"},
        BadTemplate{"Group { %< if (true) { >% }", "1:26", "Unexpected end of script"},
        BadTemplate{"ä %<= 'ö' + nothing >%", "1:13", "nothing"},
        BadTemplate{"%<\nfunction f(v) {\n  return v.x.y;\n}\n>%\n%<= f({}) >%", "3:13",
                    "undefined is not an object"},
        BadTemplate{"a\nb %<= fields.typo >%", "2:3", "the expression is undefined"},
        BadTemplate{"a\nb %<= ({}) >%", "2:3", "the expression is an object"},
        BadTemplate{"a\n %< throw 'plain text' >%", "2:2", "plain text"},
        BadTemplate{"a %<= wbfile.readTextFile('/etc/passwd') >%", "1:26",
                    "templates have no files"},
        BadTemplate{"a\n %<= 1", "2:2", "template code without an end"},
        BadTemplate{"a %<= >%", "1:3", "empty template expression"},
        BadTemplate{"%<\nimport * as v from 'wbvector2.js';\n>%\n  %<= v.norm(undefined) >%",
                    "4:13", "undefined is not an object"}));

TEST(TemplatePlaces, TheTagOfOtherTemplateLanguagesIsNamed) {
  EXPECT_THAT(render("%< let a = 1; %> Group { }").diagnostics.to_string(),
              HasSubstr("template code without an end; close it with '>%', not '%>'"));
}

TEST(TemplatePlaces, BodiesMayBeginAnywhereInTheFile) {
  const std::string file = "PROTO X [ ] {\n  Solid { %<= oops >% }\n}\n";
  TemplateRequest request = request_for(file);
  request.body_begin = static_cast<std::uint32_t>(file.find('{') + 1);
  request.body_end = static_cast<std::uint32_t>(file.rfind('}'));
  const Rendering result = render(shared_engine(), request);
  EXPECT_THAT(result.diagnostics.to_string(), StartsWith("Test.proto:2:15: error: JavaScript: "));
}

TEST(TemplatePlaces, ErrorsKeepTheInstantiation) {
  TemplateRequest request = request_for("%< oops(); >%");
  auto use = std::make_shared<Instantiation>();
  use->proto = "Thing";
  use->place = {std::make_shared<SourceText>("world.wbt", "Thing { }"), 0, 5};
  request.expanded_from = use;
  const Rendering result = render(shared_engine(), request);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("world.wbt:1:1"));
}

TEST(TemplatePlaces, EachRenderedByteKnowsWhereItWasWritten) {
  const std::string body = "ab%< for (let i = 0; i < 2; ++i) { >%-ü%<= 'xyz' >%+%< } >%end";
  const Rendering result = render(body);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.out.text, "ab-üxyz+-üxyz+end");
  const auto source = [&](std::size_t rendered) {
    return result.out.source_offset(static_cast<std::uint32_t>(rendered));
  };
  EXPECT_EQ(source(0), 0u);
  EXPECT_EQ(source(1), 1u);
  for (const std::size_t round : {0u, 1u}) {
    const std::size_t shift = 2 + round * 7;  // "-üxyz+" is seven bytes
    EXPECT_EQ(source(shift), body.find('-'));
    EXPECT_EQ(source(shift + 1), body.find("ü"));
    for (const std::size_t inside : {3u, 4u, 5u}) {
      EXPECT_EQ(source(shift + inside), body.find("%<= 'xyz'"));
    }
    EXPECT_EQ(source(shift + 6), body.find(">%+") + 2);
  }
  EXPECT_EQ(source(result.out.text.find("end") + 2), body.size() - 1);
  EXPECT_FALSE(result.out.segments.empty());
  EXPECT_EQ(result.out.segments.front().rendered, 0u);
}

}  // namespace
}  // namespace protobeam::wbt
