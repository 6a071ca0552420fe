#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;

TEST(TemplateTags, TellJavaScriptFromLuaOutsideComments) {
  constexpr auto kJavaScript = TemplateLanguage::kJavaScript, kLua = TemplateLanguage::kLua;
  EXPECT_EQ(template_language("Group { %< let a; >% }"), kJavaScript);
  EXPECT_EQ(template_language("name \"a%<= 1 >%\""), kJavaScript);
  EXPECT_EQ(template_language("# %< let a; >%\nGroup { }"), std::nullopt);
  EXPECT_EQ(template_language("name \"#\" %< let a; >%"), kJavaScript);
  EXPECT_EQ(template_language("Group { %{ a = 1 }% }"), kLua);
  EXPECT_EQ(template_language("Group { } # %{ a = 1 }%"), std::nullopt);
}

TEST(TemplateTags, TheFirstOneDecidesUnlessTheHeaderDoes) {
  const char* const lua_with_pattern = "%{ s = s:gsub('%<', '') }%";
  const char* const javascript_with_text = "Group { %< const s = '%{ }%'; >% }";
  const char* const both = "%{ s = 1 }% %< s >%";
  EXPECT_EQ(template_language(lua_with_pattern), TemplateLanguage::kLua);
  EXPECT_EQ(template_language(javascript_with_text), TemplateLanguage::kJavaScript);
  EXPECT_EQ(template_language(both), TemplateLanguage::kLua);
  EXPECT_EQ(template_language(both, "javascript"), TemplateLanguage::kJavaScript);
  EXPECT_EQ(template_language(both, "lua"), TemplateLanguage::kLua);
  EXPECT_EQ(template_language("%{ s = 1 }%", "javascript"), TemplateLanguage::kLua);
}

TEST(TemplateSyntax, TextWithoutTagsComesOutAsItIs) {
  const std::string text = "Solid { name \"a\\\"b ${x} `c` \\\\\" } # ä €\r\n\t";
  EXPECT_EQ(text_of(text), text);
}

TEST(TemplateSyntax, ExpressionsStandAnywhere) {
  EXPECT_EQ(text_of("radius %<= 1 / 4 >% }"), "radius 0.25 }");
  EXPECT_EQ(text_of("name \"wheel %<= 1 + 1 >% # left\" %<= 3 >%"), "name \"wheel 2 # left\" 3");
  EXPECT_EQ(text_of("Sph%<= 'ere' >% { rad%<= 'ius' >% 1 }"), "Sphere { radius 1 }");
  EXPECT_EQ(text_of("%<= [1, 2.5, -3] >%"), "1,2.5,-3");
  EXPECT_EQ(text_of("%<= 'a'; >%"), "a");
  EXPECT_EQ(text_of("%<= 5 // five >%."), "5.");
}

TEST(TemplateSyntax, StatementsRuleOverTheTextBetweenThem) {
  EXPECT_EQ(text_of("[%< for (let i = 0; i < 3; ++i) { >% %<= i >%,%< } >%]"), "[ 0, 1, 2,]");
  const std::string choice = "%< if (fields.big.value) { >%radius 2%< } else { >%radius 1%< } >%";
  EXPECT_EQ(text_of(choice, R"({"big": {"value": true}})"), "radius 2");
  EXPECT_EQ(text_of(choice, R"({"big": {"value": false}})"), "radius 1");
}

TEST(TemplateSyntax, NamesLiveFromBlockToBlock) {
  EXPECT_EQ(text_of("%< const f = (x) => x * 2; let a = 4; >%%< a += 1; >%%<= f(a) >%"), "10");
}

TEST(TemplateSyntax, ModernJavaScriptRuns) {
  EXPECT_EQ(value_of("new P(3).twice()",
                     "class P { #x; constructor(x) { this.#x = x; } twice() { "
                     "return 2 * this.#x; } }"),
            "6");
  EXPECT_EQ(value_of("`${[...'abc'].map((c) => `<${c}>`).join('')}`"), "<a><b><c>");
  EXPECT_EQ(value_of("({a: {b: 1}})?.a?.b ?? 2"), "1");
}

TEST(TemplateSyntax, CommentsOfTheWorldLanguageWin) {
  EXPECT_EQ(text_of("a # %<= nothing.at.all >% %<\nb"), "a # %<= nothing.at.all >% %<\nb");
  EXPECT_EQ(text_of("%<\n# a comment; with 'an apostrophe\nlet a = 1;\n>%%<= a >%"), "1");
}

TEST(TemplateSyntax, RunsInStrictMode) {
  const Rendering result = render("%< undeclared = 1; >%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("undeclared"));
}

TEST(TemplateSyntax, FieldsAndContextAreGlobals) {
  const std::string fields =
      R"({"size": {"value": {"x": 1, "y": 2}, "defaultValue": {"x": 3, "y": 4}},
    "shape": {"value": null, "defaultValue": null},
    "nodes": {"value": [{"node_name": "Box", "fields": {"size": {"value": 5}}}, null]}})";
  EXPECT_EQ(text_of("%<= fields.size.value.x + fields.size.defaultValue.y >%", fields), "5");
  EXPECT_EQ(text_of("%<= fields.shape.value === undefined >%", fields), "true");
  EXPECT_EQ(text_of("%<= fields.nodes.value[0].node_name + fields.nodes.value.length >%", fields),
            "Box2");
  EXPECT_EQ(text_of("%<= fields.nodes.value[1] === undefined >%", fields), "true");
  EXPECT_EQ(text_of("%<= context.os + context.webots_version.major >%", "{}",
                    R"({"os": "linux", "webots_version": {"major": "R2025a"}})"),
            "linuxR2025a");
}

TEST(TemplateSyntax, EachRenderingStartsAfresh) {
  EXPECT_EQ(text_of("%< globalThis.leak = 1; Array.prototype.leak = 2; >%"), "");
  EXPECT_EQ(text_of("%<= typeof leak >% %<= [].leak === undefined >%"), "undefined true");
}

TEST(TemplateSyntax, ClockAndRandomNumbersAreFixed) {
  EXPECT_EQ(
      value_of("Date.now() + ' ' + new Date().getTime() + ' ' + new (new Date()).constructor() "
               "/ 1"),
      "0 0 0");
  EXPECT_EQ(value_of("new Date(2025, 0, 2).toISOString()"), "2025-01-02T00:00:00.000Z");
  const std::string once = value_of("Math.random() + ' ' + Math.random()");
  EXPECT_EQ(value_of("Math.random() + ' ' + Math.random()"), once);
  EXPECT_NE(text_of("%<= Math.random() + ' ' + Math.random() >%", "{}", R"({"id": "8"})"), once);
  EXPECT_EQ(value_of("typeof Intl + typeof WeakRef + typeof SharedArrayBuffer"),
            "undefinedundefinedundefined");
}

TEST(TemplateImports, GiveWholeModulesAndNames) {
  EXPECT_EQ(value_of("wbutility.degreesToRadians(180) === Math.PI",
                     "\n  import * as wbutility from 'wbutility.js';\n"),
            "true");
  EXPECT_EQ(value_of("add({x: 1, y: 2}, {x: 3, y: 4}).y + length({x: 3, y: 4})",
                     "import {add, norm as length} from \"wbvector2.js\""),
            "11");
  EXPECT_EQ(value_of("a.norm({x: 3, y: 4}) + b.norm({x: 0, y: 3, z: 4})",
                     "import * as a from 'wbvector2.js'; import * as b from 'wbvector3.js';"),
            "10");
}

TEST(TemplateImports, AreNoneInStringsAndComments) {
  EXPECT_EQ(value_of("s + r.test('import x')",
                     "// import * as a from 'nowhere.js'\n/* import b */ const s = 'import {c}'; "
                     "const r = /'import \\//; const t = `import ${'import'}`;"),
            "import {c}false");
}

TEST(TemplateImports, OfUnknownModulesAndNamesAreErrors) {
  Rendering result = render("a\n%<\n  import * as wbrandom from 'wbrandon.js';\n>%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(
      result.diagnostics.to_string(),
      HasSubstr("Test.proto:3:3: error: unknown template module 'wbrandon.js'; did you mean "
                "'wbrandom.js'?"));
  result = render("%< import {reel} from 'wbrandom.js'; >%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("module 'wbrandom.js' has no 'reel'"));
  result = render("%< import wbrandom from 'wbrandom.js'; >%");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("expected '* as NAME' or '{names}'"));
}

TEST(TemplateConsole, BecomesWarnings) {
  const Rendering result =
      render("%<\n  console.log('size', {x: 1}, [2]);\n>%%< console.error('no'); >%");
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.diagnostics.warning_count(), 2);
  EXPECT_EQ(result.diagnostics.all()[0].message, R"(console.log: size {"x":1} [2])");
  EXPECT_EQ(result.diagnostics.all()[0].place.to_string(), "Test.proto:2:14");
  EXPECT_EQ(result.diagnostics.all()[1].message, "console.error: no");
}

}  // namespace
}  // namespace protobeam::wbt
