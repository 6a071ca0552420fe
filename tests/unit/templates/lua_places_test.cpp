// Where an error of Lua stands, and what it is called.
#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadLua {
  const char* body;
  const char* place;
  const char* message;
};

class LuaErrors : public ::testing::TestWithParam<BadLua> {};

TEST_P(LuaErrors, StandAtTheirLineAndColumn) {
  const Rendering result = render_lua(GetParam().body);
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.diagnostics.error_count(), 1);
  const Diagnostic& diagnostic = result.diagnostics.all()[0];
  EXPECT_EQ(diagnostic.place.to_string(), std::string("Test.proto:") + GetParam().place);
  EXPECT_EQ(diagnostic.message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    , LuaErrors,
    ::testing::Values(
        BadLua{"Solid {\n  %{ local a = 1 }%\n  radius %{ local b = = 2 }%\n}", "3:13",
               "Lua: unexpected symbol near '='"},
        BadLua{"Solid {\n  radius %{= 1 + }%\n}", "2:18",
               "Lua: unexpected symbol at the end of the expression"},
        BadLua{"Solid {\n  %{ local a = }%\n}", "2:18",
               "Lua: unexpected symbol at the end of the code"},
        BadLua{"Group {\n  %{\n    local a = 1\n      nothing.x()\n  }%\n}", "4:7",
               "Lua: attempt to index global 'nothing' (a nil value)"},
        BadLua{"Group {\n %{ if true then }%\n a }\n", "2:5",
               "Lua: 'end' expected (to close 'if' at line 2) near <eof>"},
        BadLua{"ä %{= 'ö' .. nothing }%", "1:14",
               "Lua: attempt to concatenate global 'nothing' (a nil value)"},
        BadLua{"%{\nfunction f(v)\n  return v.x.y\nend\n}%\n%{= f({}) }%", "3:12",
               "Lua: attempt to index field 'x' (a nil value)"},
        BadLua{"a\nb %{= {} }%", "2:3",
               "Lua: the expression is a table: write its members one by one"},
        BadLua{"a\nb %{= 1 == 1 }%", "2:3",
               "Lua: the expression is a boolean: write TRUE or FALSE as text"},
        BadLua{"a %{= print }%", "1:3", "Lua: the expression is a function"},
        BadLua{"a\n %{ error('plain text') }%", "2:5", "Lua: plain text"},
        BadLua{"a\n %{ error() }%", "2:5", "Lua: an error without a message"},
        BadLua{"a\n %{ error({1}) }%", "2:5", "Lua: an error that is a table"},
        BadLua{"a\n %{ local function f() error('outside', 2) end\nf() }%", "3:1", "Lua: outside"},
        BadLua{"a %{ local f = io.open('/etc/passwd') }%", "1:6",
               "Lua: io.open is not available: templates have no files"},
        BadLua{"a\n %{= 1", "2:2", "template code without an end"},
        BadLua{"a %{ for k in pairs(nil) do end }%", "1:15",
               "Lua: bad argument #1 to 'pairs' (table expected, got nil)"},
        BadLua{"a\n%{ x = math.floor('a') }%", "2:13",
               "Lua: bad argument #1 to 'floor' (number expected, got string)"},
        BadLua{"a\n%{ x = 1 y = string.format('%d', 'a') }%", "2:21",
               "Lua: bad argument #2 to 'format' (number expected, got string)"},
        BadLua{"a\n%{ x = os.time({}) }%", "2:4", "Lua: field 'day' missing in date table"},
        BadLua{"%{ v = require('wbvector2') }%\n  %{= v.norm(nil) }%", "2:7",
               "Lua: attempt to index local 'v' (a nil value)"},
        BadLua{"%{ v = require('wbvector2') }%\n  %{ v.normalize({x = 0, y = 0}) }%", "2:6",
               "Lua: wbvector2.normalize: a zero vector has no direction"},
        BadLua{"%{ local f = coroutine.wrap(function()\n  error('deep')\nend) f() }%", "2:3",
               "Lua: deep"},
        BadLua{"a %{include: 'b.txt' }%", "1:5", "a template cannot include files"},
        BadLua{"%{ local s = 'it\\'s }%", "1:4", "Lua: unfinished string near ''it's '"}));

TEST(LuaPlaces, TheTagOfOtherTemplateLanguagesIsNamed) {
  EXPECT_THAT(render_lua("%{ local a = 1 %} Group { }").diagnostics.to_string(),
              HasSubstr("template code without an end; close it with '}%', not '%}'"));
}

TEST(LuaPlaces, BodiesMayBeginAnywhereInTheFile) {
  const std::string file = "PROTO X [ ] {\r\n  Solid { %{= oops.x }% }\r\n}\r\n";
  TemplateRequest request = lua_request_for(file);
  request.body_begin = static_cast<std::uint32_t>(file.find('{') + 1);
  request.body_end = static_cast<std::uint32_t>(file.rfind('}'));
  const Rendering result = render(shared_engine(), request);
  EXPECT_THAT(result.diagnostics.to_string(), StartsWith("Test.proto:2:15: error: Lua: "));
}

TEST(LuaPlaces, ErrorsKeepTheInstantiation) {
  TemplateRequest request = lua_request_for("%{ oops() }%");
  auto use = std::make_shared<Instantiation>();
  use->proto = "Thing";
  use->place = {std::make_shared<SourceText>("world.wbt", "Thing { }"), 0, 5};
  request.expanded_from = use;
  const Rendering result = render(shared_engine(), request);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr("world.wbt:1:1"));
}

TEST(LuaPlaces, EachRenderedByteKnowsWhereItWasWritten) {
  const std::string body = "ab%{ for i = 1, 2 do }%-ü%{= 'xyz' }%+%{ end }%end";
  const Rendering result = render_lua(body);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.out.text, "ab-üxyz+-üxyz+end");
  const auto source = [&](std::size_t rendered) {
    return result.out.source_offset(static_cast<std::uint32_t>(rendered));
  };
  EXPECT_EQ(source(1), 1u);
  EXPECT_EQ(source(2), body.find('-'));
  EXPECT_EQ(source(6), body.find("%{= 'xyz'"));
  EXPECT_EQ(source(8), body.find("}%+") + 2);
  EXPECT_EQ(source(result.out.text.find("end") + 2), body.size() - 1);
}

}  // namespace
}  // namespace protobeam::wbt
