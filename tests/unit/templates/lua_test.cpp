// Templates in Lua: what the language is, what a template sees, and that it writes the same always.
#include <sstream>

#include "base/libm.h"
#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(LuaSyntax, ExpressionsStandAnywhere) {
  EXPECT_EQ(lua_text_of("radius %{= 1 / 4 }% }"), "radius 0.25 }");
  EXPECT_EQ(lua_text_of("name \"wheel %{= 1 + 1 }% # left\" %{= 3 }%"),
            "name \"wheel 2 # left\" 3");
  EXPECT_EQ(lua_text_of("Sph%{= 'ere' }% { rad%{= 'ius' }% 1 }"), "Sphere { radius 1 }");
  EXPECT_EQ(lua_text_of("%{= 5 -- five }%."), "5.");
}

TEST(LuaSyntax, StatementsRuleOverTheTextBetweenThem) {
  EXPECT_EQ(lua_text_of("[%{ for i = 0, 2 do }% %{= i }%,%{ end }%]"), "[ 0, 1, 2,]");
  const std::string choice = "%{ if fields.big.value then }%radius 2%{ else }%radius 1%{ end }%";
  EXPECT_EQ(lua_text_of(choice, R"({"big": {"value": true}})"), "radius 2");
  EXPECT_EQ(lua_text_of(choice, R"({"big": {"value": false}})"), "radius 1");
}

TEST(LuaSyntax, NamesLiveFromBlockToBlock) {
  EXPECT_EQ(lua_text_of("%{ local function f(x) return x * 2 end local a = 4 b = 1 }%"
                        "%{ a = a + b }%%{= f(a) }%"),
            "10");
}

TEST(LuaSyntax, TextMayStandInFunctionsAndCoroutines) {
  EXPECT_EQ(lua_text_of("%{ function wheel(name) }%Wheel \"%{= name }%\" %{ end }%"
                        "%{ wheel('left') wheel('right') }%"),
            "Wheel \"left\" Wheel \"right\" ");
  EXPECT_EQ(
      lua_text_of("%{ local co = coroutine.wrap(function() }%a%{ coroutine.yield() }%c%{ end) "
                  "co() }%b%{ co() }%"),
      "abc");
}

TEST(LuaSyntax, AStatementMayGoOverTags) {
  EXPECT_EQ(lua_text_of("%{ if 1 < 2 }%\n  %{ then }%a%{ end }%"), "a");
  EXPECT_EQ(lua_text_of("%{ n = {1, }%\r\n%{ 2} }%%{= #n }%"), "2");
  EXPECT_FALSE(render_lua("%{ if 1 < 2 }% b %{ then }%a%{ end }%").ok);
  EXPECT_EQ(lua_text_of("%{ n = 1 }%\n\n%{ n = 2 }%\n%{= n }%"), "\n\n\n2");
}

TEST(LuaSyntax, ANumberSignIsALengthInCodeAndACommentOutside) {
  EXPECT_EQ(lua_value_of("#list", "local list = {4, 5, 6}"), "3");
  EXPECT_EQ(lua_text_of("a # %{= nothing.at.all }% %{\n%{= #'four' }%"),
            "a # %{= nothing.at.all }% %{\n4");
}

TEST(LuaSyntax, WhatIsNilWritesNothing) {
  EXPECT_EQ(lua_text_of("a%{= nil }%b%{= nowhere }%c%{=}%d%{= (function() end)() }%e"), "abcde");
  EXPECT_EQ(lua_text_of("%{= ('a b'):gsub(' ', '_') }%"), "a_b");  // the first of two values
}

TEST(LuaSyntax, CodeOfLua52AndOfLua51Runs) {
  EXPECT_EQ(lua_value_of("n",
                         "n = 0 for i = 1, 9 do if i % 2 == 0 then goto next end n = n + i "
                         "::next:: end"),
            "25");
  EXPECT_EQ(lua_value_of("bit32.band(12, 10)"), "8");
  EXPECT_EQ(lua_value_of("table.concat({unpack({1, 2, 3})}, '+')"), "1+2+3");
  EXPECT_EQ(lua_value_of("loadstring('return 6 * 7')()"), "42");
  EXPECT_EQ(lua_value_of("load('return a', 'name', 't', {a = 5})()"), "5");
  EXPECT_EQ(lua_value_of("math.pow(2, 10) + math.log10(1000) + table.getn({1, 2})"), "1029");
  EXPECT_EQ(lua_value_of("math.mod(7, 4) + table.maxn({1, 2, [9] = 1})"), "12");
  EXPECT_EQ(lua_value_of("s", "s = '' for w in string.gfind('a b', '%a') do s = s .. w end"), "ab");
  EXPECT_EQ(lua_value_of("s",
                         "s = '' table.foreach({5, x = 6}, function(k, v) s = s .. k .. v end)"
                         "table.foreachi({7, 8}, function(i, v) s = s .. i .. v end)"),
            "15x61728");
}

TEST(LuaNumbers, AreWrittenAsInLua52) {
  EXPECT_EQ(lua_value_of("6 / 2"), "3");  // "3.0" in later ones
  EXPECT_EQ(lua_value_of("'texture_' .. 1.5 * 2 .. '.jpg'"), "texture_3.jpg");
  EXPECT_EQ(lua_value_of("tostring(2 ^ 10)"), "1024");
  EXPECT_EQ(lua_value_of("table.concat({0.5 * 4, -1 / 2}, ' ')"), "2 -0.5");
  EXPECT_EQ(lua_value_of("10000000000 * 10000000000"), "1e+20");  // no whole numbers that wrap
  EXPECT_EQ(lua_value_of("1 / 3"), "0.33333333333333");
  EXPECT_EQ(lua_value_of("string.format('%d %s', 3.0, 4 / 2)"), "3 2");
  EXPECT_EQ(lua_value_of("math.floor(7.5) .. ' ' .. 7 % 0.5 .. ' ' .. '10' + 5"), "7 0 15");
}

/// The C library's differ between machines in the last places.
TEST(LuaNumbers, FunctionsAreThoseOfTheSimulator) {
  const std::string text = lua_value_of(
      "table.concat(t, ' ')",
      "t = {} for i = 1, 300 do local x = i * 0.37 "
      "for _, v in ipairs {math.sin(x), math.cos(x), math.exp(x / 10), math.log(x), x ^ 1.7, "
      "math.atan2(x, 3)} do t[#t + 1] = string.format('%.17g', v) end end");
  std::istringstream numbers(text);
  for (int i = 1; i <= 300; ++i) {
    const double x = i * 0.37;
    for (const double expected : {libm::sin(x), libm::cos(x), libm::exp(x / 10), libm::log(x),
                                  libm::pow(x, 1.7), libm::atan2(x, 3)}) {
      double number = 0;
      numbers >> number;
      EXPECT_EQ(number, expected) << x;
    }
  }
}

TEST(LuaFields, HaveWebotsShapes) {
  const std::string fields =
      R"({"size": {"value": {"x": 1, "y": 2.5}, "defaultValue": {"x": 3, "y": 4}},
    "on": {"value": true, "defaultValue": false},
    "name": {"value": "a \"b\" \\ c", "defaultValue": ""},
    "points": {"value": [{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}], "defaultValue": []},
    "shape": {"value": null, "defaultValue": null},
    "nodes": {"value": [null, {"node_name": "Box", "fields": {"size": {"value": 5}},
                               "super": {"node_name": "Shape"}}]}})";
  EXPECT_EQ(lua_text_of("%{= fields.size.value.x + fields.size.defaultValue.y }%", fields), "5");
  EXPECT_EQ(lua_text_of("%{= type(fields.on.value) .. fields.name.value }%", fields),
            "booleana \"b\" \\ c");
  EXPECT_EQ(lua_text_of("%{= #fields.points.value .. fields.points.value[1].z .. "
                        "fields.points.value[2].x .. #fields.points.defaultValue }%",
                        fields),
            "2340");
  EXPECT_EQ(lua_text_of("%{= tostring(fields.shape.value) }%", fields), "nil");
  EXPECT_EQ(lua_text_of("%{ local box = fields.nodes.value[2] }%%{= box.node_name .. "
                        "box.fields.size.value .. box.super.node_name .. #fields.nodes.value .. "
                        "tostring(fields.nodes.value[1]) }%",
                        fields),
            "Box5Shape2nil");
  EXPECT_EQ(lua_text_of("%{= tostring(fields.other) }%", fields), "nil");
}

TEST(LuaFields, AndContextAreGlobals) {
  EXPECT_EQ(lua_text_of("%{= context.os .. context.webots_version.major .. context.id }%", "{}",
                        R"({"os": "linux", "id": "12", "webots_version": {"major": "R2021a"}})"),
            "linuxR2021a12");
}

TEST(LuaState, EachRenderingStartsAfresh) {
  const TemplateRequest request = lua_request_for(
      "%{= tostring(leak) .. tostring(string.leak) .. tostring(require('wbmath').leak) }%"
      "%{ leak = 1 string.leak = 1 require('wbmath').leak = 1 "
      "getmetatable('').__index = function() return 'leak' end }%");
  for (int i = 0; i < 3; ++i) {
    const Rendering result = render(shared_engine(), request);
    ASSERT_TRUE(result.ok) << result.diagnostics.to_string();
    EXPECT_EQ(result.out.text, "nilnilnil");
  }
}

TEST(LuaState, ClockAndRandomNumbersAreFixed) {
  EXPECT_EQ(lua_value_of("os.time() .. os.clock() .. os.date('!%Y-%m-%d %H:%M')"),
            "001970-01-01 00:00");
  EXPECT_EQ(lua_value_of("os.time({year = 1970, month = 1, day = 2, hour = 0})"), "86400");
  EXPECT_EQ(lua_value_of("os.difftime(5, 3)"), "2");
  const std::string three = "math.random() .. ' ' .. math.random(10) .. ' ' .. math.random(5, 9)";
  const std::string once = lua_value_of(three);
  EXPECT_EQ(lua_value_of(three), once);
  EXPECT_NE(lua_text_of("%{= " + three + " }%", "{}", R"({"id": "8"})"), once);
}

TEST(LuaState, RandomNumbersAreTheCLibrarys) {
  // Lua 5.2: rand() % RAND_MAX / RAND_MAX, the first one after srand() is dropped.
  srand(42);
  rand();
  char expected[40];
  std::snprintf(expected, sizeof expected, "%.14g", double(rand() % RAND_MAX) / RAND_MAX);
  EXPECT_EQ(lua_value_of("math.random()", "math.randomseed(42)"), expected);
}

TEST(LuaState, TablesAreTraversedInOrder) {
  std::string fill, names;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "k" + std::to_string(i * 7919 % 100 + 100);
    fill += name + " = 1, ";
    names += "k" + std::to_string(i + 100);
  }
  const std::string setup = "t = {" + fill + "}";
  EXPECT_EQ(lua_value_of("s", setup + "s = '' for k in pairs(t) do s = s .. k end"), names);
  EXPECT_EQ(lua_value_of("s", setup + "s = '' for k in next, t do s = s .. k end"), names);
  EXPECT_EQ(
      lua_value_of("s",
                   "t = {true, 'b', 'c', x = 1, [2.5] = 1, [-1] = 1, [true] = 1, A = 1} s = ''"
                   "for k, v in pairs(t) do s = s .. tostring(k) .. '=' .. tostring(v) .. ' ' "
                   "end"),
      "-1=1 1=true 2=b 2.5=1 3=c A=1 x=1 true=1 ");
  EXPECT_EQ(lua_value_of("s",
                         "t = {} for i = 1, 20 do t[{i}] = i end s = ''"
                         "for k, v in pairs(t) do s = s .. v .. ' ' end"),
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 ");
}

TEST(LuaState, TraversalSurvivesWhatLuaAllows) {
  EXPECT_EQ(lua_value_of("s",
                         "t = {a = 1, b = 2, c = 3, d = 4} s = ''"
                         "for k in pairs(t) do s = s .. k t[k] = nil t.c = nil end"),
            "abd");
  EXPECT_EQ(lua_value_of("s",
                         "t = {a = 1, b = 2, c = 3} s = ''"
                         "for k in next, t do s = s .. k t[k] = nil "
                         "for q in next, {1, 2} do s = s .. q end end"),
            "a12b12c12");
  EXPECT_EQ(lua_value_of("tostring(next({})) .. next({5}) .. select('#', next({}))"), "nil11");
  EXPECT_EQ(lua_value_of("s",
                         "t = setmetatable({}, {__pairs = function() return function(_, k) "
                         "if not k then return 1, 2 end end, nil, nil end}) s = ''"
                         "for k, v in pairs(t) do s = s .. k .. v end"),
            "12");
}

TEST(LuaState, ObjectsAreWrittenTheSameAlways) {
  const std::string code =
      "tostring({}) .. tostring(function() end) .. tostring(print) .. "
      "string.format('%s', {}) .. tostring(coroutine.create(print)) .. "
      "tostring(math.sin)";
  const std::string once = lua_value_of(code);
  EXPECT_THAT(once, MatchesRegex("table: [0-9a-f]{8}function: [0-9a-f]{8}function: builtin"
                                 "table: [0-9a-f]{8}thread: [0-9a-f]{8}function: builtin"));
  // Another process, with its memory elsewhere.
  TemplateEngine other;
  EXPECT_EQ(render(other, lua_request_for("%{}%%{= " + code + " }%")).out.text, once);
  EXPECT_EQ(lua_value_of("tostring(setmetatable({}, {__tostring = function() return 'mine' end}))"),
            "mine");
}

TEST(LuaMessages, BecomeWarnings) {
  const Rendering result = render_lua(
      "%{\n  print('size', 2, nil)\n}%%{ io.stderr:write('no', 1, '\\nmore\\n') }%\n"
      "%{ io.write('plain') io.stdout:write('x'):write('y') }%");
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.diagnostics.warning_count(), 6);
  const auto& all = result.diagnostics.all();
  EXPECT_EQ(all[0].message, "print: size\t2\tnil");
  EXPECT_EQ(all[0].place.to_string(), "Test.proto:2:3");
  EXPECT_EQ(all[1].message, "io.stderr: no1");
  EXPECT_EQ(all[1].place.to_string(), "Test.proto:3:6");
  EXPECT_EQ(all[2].message, "io.stderr: more");
  EXPECT_EQ(all[3].message, "io.stdout: plain");
  EXPECT_EQ(all[3].place.to_string(), "Test.proto:4:4");
  EXPECT_EQ(all[5].message, "io.stdout: y");
}

TEST(LuaModules, AreLoadedOnce) {
  EXPECT_EQ(lua_value_of("tostring(require('wbmath') == require('wbmath')) .. "
                         "tostring(require('math') == math) .. package.loaded.wbmath.round(2.5)"),
            "truetrue3");
  EXPECT_EQ(lua_value_of("require('mine')",
                         "package.preload.mine = function(name) return name .. '!' end"),
            "mine!");
  EXPECT_EQ(lua_value_of("require('wb' .. 'core').tablelength({1, 2, nil, 4})"), "2");
}

TEST(LuaModules, OfOtherNamesAreErrors) {
  EXPECT_THAT(
      render_lua("a\n%{ local x = require('wbrandon') }%").diagnostics.to_string(),
      HasSubstr("Test.proto:2:23: error: Lua: there is no module 'wbrandon': a template has "
                "the modules of Lua and of Webots only"));
  EXPECT_THAT(render_lua("%{ local gd = require('gd') }%").diagnostics.to_string(),
              HasSubstr("there is no module 'gd': templates cannot draw pictures"));
}

}  // namespace
}  // namespace protobeam::wbt
