// What a hostile or broken template in Lua can do to the simulator: nothing. The limits are those
// of the process, so they hold inside of the functions of Lua's library as well.
#include <chrono>

#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

using ::testing::HasSubstr;
using LuaClock = std::chrono::steady_clock;

TemplateLimits small_lua_limits() {
  TemplateLimits limits;
  limits.seconds = 0.3;
  limits.bytes = 100u << 20;
  limits.output_bytes = 8u << 20;
  return limits;
}

void expect_lua_works(TemplateEngine& engine) {
  const Rendering result = render(engine, lua_request_for("%{= 6 * 7 }%"));
  EXPECT_TRUE(result.ok) << result.diagnostics.to_string();
  EXPECT_EQ(result.out.text, "42");
}

constexpr const char* kLoop = "Test.proto:2:1: error: the template runs longer than 0.3 s";
constexpr const char* kMemory = "the template needs more than 100 MB of memory";
constexpr const char* kText = "the template writes more than 8 MB";

struct HostileLua {
  const char* body;
  const char* message;
};

class HostileLuaTemplates : public ::testing::TestWithParam<HostileLua> {};

TEST_P(HostileLuaTemplates, AreStoppedInBounds) {
  TemplateLimits limits = small_lua_limits();
  // On a busy machine, what is slow must not look endless.
  const bool endless = std::string(GetParam().message).ends_with("than 0.3 s");
  if (!endless) limits.seconds = 10;
#ifdef PROTOBEAM_SANITIZED
  if (!endless) limits.seconds = 40;
  // What was freed counts for a while.
  if (GetParam().message != std::string(kMemory)) limits.bytes *= 20;
#endif
  TemplateEngine engine(limits);
  expect_lua_works(engine);
  const auto begin = LuaClock::now();
  const Rendering result = render(engine, lua_request_for(GetParam().body));
  // Wall time, of a machine that may be busy.
  EXPECT_LT(std::chrono::duration<double>(LuaClock::now() - begin).count(), 60);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics.to_string(), HasSubstr(GetParam().message));
  EXPECT_EQ(result.diagnostics.error_count(), 1);
  expect_lua_works(engine);
}

INSTANTIATE_TEST_SUITE_P(
    Loops, HostileLuaTemplates,
    ::testing::Values(
        HostileLua{"\n%{ while true do end }%", kLoop},
        HostileLua{"\n%{ while true do pcall(function() while true do end end) end }%", kLoop},
        HostileLua{"\n%{ setmetatable({}, {__gc = function() while true do end end}) }%", kLoop},
        HostileLua{"\n%{ local co = coroutine.wrap(function() while true do end end) co() }%",
                   kLoop},
        // Hooks of Lua do not fire in these.
        HostileLua{"\n%{ local s = ('a'):rep(40) s:find(('a-'):rep(30) .. 'b') }%", kLoop},
        HostileLua{"\n%{ local s = ('x'):rep(1e6) s:gsub('.-y', '') s:find('.-.-.-y') }%", kLoop},
        HostileLua{"\n%{ for i = 1, 1e9 do ('x'):rep(1e7) end }%", kLoop},
        HostileLua{"\n%{ local t = {} for i = 1, 1e5 do t[i] = 'x' end "
                   "for i = 1, 1e9 do table.concat(t) end }%",
                   kLoop},
        HostileLua{
            "\n%{ local t = {} for i = 1, 2e5 do t[i] = -i end "
            "while true do table.sort(t) for i = 1, #t do t[i] = i * 7919 % 200003 end end }%",
            kLoop}));

INSTANTIATE_TEST_SUITE_P(
    Memory, HostileLuaTemplates,
    ::testing::Values(
        HostileLua{"%{ local t = {} while true do t[#t + 1] = {#t, 'x' .. #t} end }%", kMemory},
        HostileLua{"%{ local s = 'x' while true do s = s .. s end }%", kMemory},
        HostileLua{"%{ local s = ('x'):rep(1e10) }%", kMemory},
        HostileLua{"%{ local s = ('x'):rep(1e6, ('y'):rep(1e6)) }%", kMemory},
        HostileLua{"%{ local s = ('x'):rep(1e6):gsub('x', ('y'):rep(1e5)) }%", kMemory},
        HostileLua{"%{ local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(1e4) end }%", kMemory},
        HostileLua{"%{ local t = {} for i = 1, 1e5 do t[i] = 'xxxxxxxxxxxxxxxx' end "
                   "local s = table.concat(t, ('y'):rep(1e5)) }%",
                   kMemory},
        HostileLua{"%{ local t = {} for i = 1, 1e7 do "
                   "t[i] = coroutine.create(function() end) end }%",
                   kMemory}));

INSTANTIATE_TEST_SUITE_P(
    Output, HostileLuaTemplates,
    ::testing::Values(
        HostileLua{"%{ while true do }%some text%{ end }%", kText},
        HostileLua{"%{ while true do }%%{= ('x'):rep(1000) }%%{ end }%", kText},
        HostileLua{"%{ for i = 1, 1e7 do pcall(function() }%text%{ end) if i > 2e6 then break end "
                   "end }%",
                   kText},
        HostileLua{"%{= ('x'):rep(9 * 2 ^ 20) }%", kText}));

INSTANTIATE_TEST_SUITE_P(
    Depth, HostileLuaTemplates,
    ::testing::Values(
        HostileLua{"%{ local function f(n) return 1 + f(n + 1) end f(0) }%", "Lua: stack overflow"},
        HostileLua{"%{ local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) "
                   "return t[k .. 'x'] end local x = t.a }%",
                   "C stack overflow"},
        HostileLua{"%{ local function f() return (('x'):gsub('x', f)) end f() }%",
                   "C stack overflow"},
        HostileLua{"%{ local co co = function() return coroutine.wrap(co)() end co() }%",
                   "C stack overflow"},
        HostileLua{"%{ string.find(('('):rep(300), ('('):rep(300)) }%", "too many captures"},
        HostileLua{"%{ ('x'):rep(3e5):find(('x?'):rep(3e5)) }%", "pattern too complex"},
        HostileLua{"%{ xpcall(error, function() error() end) "
                   "local t = setmetatable({}, {__tostring = function() error('no') end}) "
                   "error(t) }%",
                   "Lua: "}));

TEST(LuaLimits, ManyMessagesAndDeepTextEndWell) {
  Rendering result = render_lua("%{ for i = 1, 100000 do print('m' .. i) end }%ok");
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.diagnostics.warning_count(), 100);
  EXPECT_FALSE(render_lua("%{= " + std::string(100000, '(') + " }%").ok);
  EXPECT_FALSE(render_lua("%{= " + std::string(100000, '{') + " }%").ok);
  result = render_lua("%{ error(('x'):rep(1e7)) }%");
  EXPECT_FALSE(result.ok);
  EXPECT_LT(result.diagnostics.to_string().size(), 10000u);
  EXPECT_FALSE(render_lua("%{ local a" +
                          [] {
                            std::string names;
                            for (int i = 0; i < 300; ++i) names += ", a" + std::to_string(i);
                            return names;
                          }() +
                          " }%")
                   .ok);
}

TEST(LuaLimits, BytesOfAnyKindAreText) {
  EXPECT_EQ(lua_text_of("name \"\xff\xfe\" %{= '\xff' }%"), "name \"\xff\xfe\" \xff");
  EXPECT_EQ(lua_text_of(std::string("a\0b%{= 'c\\0d' }%", 16)), std::string("a\0bc\0d", 6));
}

TEST(LuaSandbox, NoNameReachesFilesProcessesOrLuaItself) {
  EXPECT_EQ(lua_value_of("s",
                         "s = '' for _, name in ipairs {'debug', 'module', 'newproxy', 'setfenv', "
                         "'getfenv', 'arg'} do if _G[name] ~= nil then s = s .. name end end "
                         "s = s .. tostring(string.dump) .. tostring(package.loadlib) .. "
                         "tostring(package.searchers) .. tostring(package.searchpath) .. "
                         "tostring(package.loaded.debug) .. tostring(package.loaded.package)"),
            "nilnilnilnilnilnil");
  for (const char* call : {"io.open('/etc/passwd')",
                           "io.lines('/etc/passwd')",
                           "io.popen('id')",
                           "io.read()",
                           "io.tmpfile()",
                           "os.execute('id')",
                           "os.exit(3)",
                           "os.remove('a')",
                           "os.rename('a', 'b')",
                           "os.tmpname()",
                           "os.getenv('HOME')",
                           "os.setlocale('C')",
                           "dofile('/etc/passwd')",
                           "loadfile('/etc/passwd')",
                           "require('debug')",
                           "require('package')",
                           "require('io').open('a')",
                           "require('os').execute('id')",
                           "require('/etc/passwd')",
                           "require('gd')"}) {
    const Rendering result = render_lua(std::string("%{ ") + call + " }%");
    EXPECT_FALSE(result.ok) << call;
    EXPECT_THAT(result.diagnostics.to_string(),
                ::testing::AnyOf(HasSubstr("is not available: "), HasSubstr("there is no module")))
        << call;
  }
}

TEST(LuaSandbox, CompiledCodeIsNotLoaded) {
  // 27 "Lua" begins what string.dump() writes; Lua itself does not check the rest.
  for (const char* call : {"load('\\27Lua')", "load('\\27Lua', 'x', 'b')",
                           "load(function() return '\\27Lua' end)", "loadstring('\\27Lua', 'x')"}) {
    EXPECT_THAT(lua_value_of(std::string("select(2, ") + call + ")"),
                HasSubstr("attempt to load a binary chunk (mode is 't')"))
        << call;
  }
  EXPECT_THAT(render_lua("%{\x1bLua}%").diagnostics.to_string(), HasSubstr("binary chunk"));
}

}  // namespace
}  // namespace protobeam::wbt
