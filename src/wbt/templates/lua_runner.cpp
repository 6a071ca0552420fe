// Runs templates in Lua 5.2, the version that Webots has. Errors of Lua leave C++ functions by
// longjmp: in all that runs inside lua_pcall, nothing that has a destructor may be alive where one
// can happen.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "wbt/templates/script_runner.h"

namespace protobeam::wbt::script {
namespace {

using LuaJson = nlohmann::json;

constexpr const char* kLuaTemplate = "template";
constexpr std::uint32_t kMaxLine = 100'000'000;
constexpr std::size_t kMaxErrorBytes = 4096;

/// Memory for Lua: so much and not more. Each block has a number, so that objects have an order
/// that does not depend on where they lie.
struct LuaMemory {
  std::uint64_t limit = 0, used = 0, blocks = 0;
};
struct alignas(16) BlockHead {
  std::uint64_t number;
};

void* allocate(void* data, void* block, std::size_t old_size, std::size_t size) {
  auto& memory = *static_cast<LuaMemory*>(data);
  if (!block) old_size = 0;  // what Lua gives then is the kind of object
  BlockHead* const head = block ? static_cast<BlockHead*>(block) - 1 : nullptr;
  if (size == 0) {
    memory.used -= old_size;
    std::free(head);
    return nullptr;
  }
  if (size > old_size && size - old_size > memory.limit - memory.used) return nullptr;
  auto* const moved = static_cast<BlockHead*>(std::realloc(head, sizeof(BlockHead) + size));
  if (!moved) return size <= old_size ? block : nullptr;  // Lua relies on what shrinks
  if (!block) moved->number = ++memory.blocks;
  memory.used += size;
  memory.used -= old_size;
  return moved + 1;
}

/// Scripts in the form that Lua makes of them, for the next instance of the PROTO.
class LuaChunks {
 public:
  const std::string* find(const Script& script) const {
    const auto found = chunks_.find(key(script));
    return found == chunks_.end() ? nullptr : &found->second;
  }
  void add(const Script& script, std::string chunk) {
    bytes_ += script.text.size() + chunk.size();
    if (bytes_ > kMost) {
      chunks_.clear();
      bytes_ = script.text.size() + chunk.size();
    }
    chunks_.emplace(key(script), std::move(chunk));
  }

 private:
  static constexpr std::size_t kMost = 16u << 20;
  static std::string key(const Script& script) { return script.url + '\n' + script.text; }
  std::map<std::string, std::string> chunks_;
  std::size_t bytes_ = 0;
};

LuaChunks& known_chunks() {
  static LuaChunks chunks;
  return chunks;
}

/// One rendering.
struct LuaRun {
  const Request* request;
  Output* output;
  LuaJson fields, context;
  LuaMemory memory;
  std::string chunk;  ///< that Lua is writing
  std::uint64_t instructions = 0, most_instructions = 0;
};

LuaRun& run_of(lua_State* lua) {
  return *static_cast<LuaRun*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int write_chunk(lua_State*, const void* data, std::size_t size, void* chunk) {
  static_cast<std::string*>(chunk)->append(static_cast<const char*>(data), size);
  return 0;
}

bool load_known(lua_State* lua, const Script& script, const char* name) {
  const std::string* known = known_chunks().find(script);
  return known && luaL_loadbufferx(lua, known->data(), known->size(), name, "b") == LUA_OK;
}

void remember(LuaRun& run, const Script& script) {
  known_chunks().add(script, std::exchange(run.chunk, {}));
}

/// Pushes a script as a function, or throws Lua's error.
void load_script(lua_State* lua, LuaRun& run, const Script& script) {
  const char* name = lua_pushfstring(lua, "=%s", script.url.c_str());
  if (!load_known(lua, script, name)) {
    if (luaL_loadbufferx(lua, script.text.data(), script.text.size(), name, "t") != LUA_OK) {
      lua_error(lua);
    }
    run.chunk.clear();
    if (lua_dump(lua, write_chunk, &run.chunk) == 0) remember(run, script);
  }
  lua_remove(lua, -2);
}

/// As Webots has it: vectors and nodes are tables with names, lists count from 1, NULL is nil.
void push_json(lua_State* lua, const LuaJson& json) {
  luaL_checkstack(lua, 4, "the nodes in the fields are nested too deep");
  if (json.is_boolean()) {
    lua_pushboolean(lua, json.get<bool>());
  } else if (json.is_number()) {
    lua_pushnumber(lua, json.get<double>());
  } else if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    lua_pushlstring(lua, text.data(), text.size());
  } else if (json.is_array()) {
    lua_createtable(lua, static_cast<int>(json.size()), 0);
    int index = 0;
    for (auto item = json.begin(); item != json.end(); ++item) {
      push_json(lua, *item);
      lua_rawseti(lua, -2, ++index);
    }
  } else if (json.is_object()) {
    lua_createtable(lua, 0, static_cast<int>(json.size()));
    for (auto item = json.begin(); item != json.end(); ++item) {
      lua_pushlstring(lua, item.key().data(), item.key().size());
      push_json(lua, item.value());
      lua_rawset(lua, -3);
    }
  } else {
    lua_pushnil(lua);
  }
}

/// The line of the template in the innermost function of it that is running; 0: none is.
std::uint32_t line_in_template(lua_State* lua) {
  lua_Debug frame;
  for (int level = 0; lua_getstack(lua, level, &frame) != 0; ++level) {
    lua_getinfo(lua, "Sl", &frame);
    if (frame.currentline > 0 && std::strcmp(frame.source, "=template") == 0) {
      return static_cast<std::uint32_t>(frame.currentline);
    }
  }
  return 0;
}

/// __text(piece)
int lua_emit_text(lua_State* lua) {
  Output& output = *run_of(lua).output;
  output.emit(static_cast<std::uint32_t>(luaL_checkunsigned(lua, 1)));
  return output.over_limit ? luaL_error(lua, "too much output") : 0;
}

/// __value(piece, value): what Webots writes for it, a number with 14 digits at most.
int lua_emit_value(lua_State* lua) {
  Output& output = *run_of(lua).output;
  const auto piece = static_cast<std::uint32_t>(luaL_checkunsigned(lua, 1));
  switch (lua_type(lua, 2)) {
    case LUA_TNONE:
    case LUA_TNIL:
      return 0;
    case LUA_TNUMBER:
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, 2, &size);
      output.emit(piece, std::string_view(text, size));
      return output.over_limit ? luaL_error(lua, "too much output") : 0;
    }
    case LUA_TBOOLEAN:
      return luaL_error(lua, "the expression is a boolean: write TRUE or FALSE as text");
    case LUA_TTABLE:
      return luaL_error(lua, "the expression is a table: write its members one by one");
    default:
      return luaL_error(lua, "the expression is a %s", luaL_typename(lua, 2));
  }
}

/// message(function, text)
int lua_message(lua_State* lua) {
  Output& output = *run_of(lua).output;
  std::size_t size = 0;
  const char* level = luaL_checkstring(lua, 1);
  const char* text = luaL_checklstring(lua, 2, &size);
  if (output.takes_messages()) {
    const std::uint32_t line = line_in_template(lua);
    output.add_message(level, {text, size}, "@template:" + std::to_string(line) + ":0");
  }
  return 0;
}

/// number_of(object): objects are numbered as they are made; 0 for functions of Lua's libraries and
/// for what is no object.
int lua_number_of(lua_State* lua) {
  const int type = lua_type(lua, 1);
  // A function of C has a block if it has an upvalue.
  const bool block = type == LUA_TTABLE || type == LUA_TTHREAD ||
                     (type == LUA_TFUNCTION &&
                      (lua_iscfunction(lua, 1) == 0 || lua_getupvalue(lua, 1, 1) != nullptr));
  const auto* head = block ? static_cast<const BlockHead*>(lua_topointer(lua, 1)) - 1 : nullptr;
  lua_pushnumber(lua, head ? static_cast<double>(head->number) : 0);
  return 1;
}

/// module(name): its function, or nil.
int lua_load_module(lua_State* lua) {
  LuaRun& run = run_of(lua);
  const char* name = luaL_checkstring(lua, 1);
  const auto& scripts = run.request->scripts;
  for (std::size_t i = 1; i + 1 < scripts.size(); ++i) {
    if (scripts[i].url != name) continue;
    load_script(lua, run, scripts[i]);
    return 1;
  }
  return 0;
}

void open_libraries(lua_State* lua) {
  constexpr luaL_Reg kLibraries[] = {
      {"_G", luaopen_base},       {"coroutine", luaopen_coroutine}, {"table", luaopen_table},
      {"string", luaopen_string}, {"bit32", luaopen_bit32},         {"math", luaopen_math},
      {"os", luaopen_os},  // the prelude keeps what is about dates
  };
  for (const luaL_Reg& library : kLibraries) {
    luaL_requiref(lua, library.name, library.func, 1);
    lua_pop(lua, 1);
  }
}

/// Runs prelude and template; what it throws goes to lua_pcall.
int run_template(lua_State* lua) {
  auto& run = *static_cast<LuaRun*>(lua_touserdata(lua, 1));
  open_libraries(lua);
  load_script(lua, run, run.request->scripts.front());
  for (const lua_CFunction function :
       {lua_emit_text, lua_emit_value, lua_message, lua_number_of, lua_load_module}) {
    lua_pushlightuserdata(lua, &run);
    lua_pushcclosure(lua, function, 1);
  }
  push_json(lua, run.fields);
  push_json(lua, run.context);
  lua_call(lua, 7, 0);
  load_script(lua, run, run.request->scripts.back());
  lua_call(lua, 0, 0);
  return 0;
}

/// Cuts one place off that Lua writes before its messages, "template:12: "; false: there is none.
/// `line` becomes that of the template, if it is one of it.
bool cut_place(std::string& message, const std::vector<Script>& scripts, std::uint32_t& line) {
  for (const Script& script : scripts) {
    if (!message.starts_with(script.url + ':')) continue;
    std::size_t at = script.url.size() + 1;
    std::uint32_t number = 0;
    while (at < message.size() && std::isdigit(static_cast<unsigned char>(message[at])) != 0 &&
           number < kMaxLine) {
      number = number * 10 + static_cast<std::uint32_t>(message[at++] - '0');
    }
    if (message.compare(at, 2, ": ") != 0) continue;
    message.erase(0, at + 2);
    if (script.url == kLuaTemplate) line = number;
    return true;
  }
  return false;
}

void describe(LuaRun& run, std::string message, std::uint32_t line, bool of_value) {
  Exception& exception = run.output->exception;
  message.resize(std::min(message.size(), kMaxErrorBytes));
  // Coroutines put theirs before that of the error.
  while (cut_place(message, run.request->scripts, line)) {
  }
  exception.message = std::move(message);
  exception.line = line;
  exception.column = of_value ? 1 : 0;
  exception.url = exception.line > 0 ? kLuaTemplate : "";
}

/// The message handler of lua_pcall: called where the error happened.
int lua_describe_error(lua_State* lua) {
  LuaRun& run = run_of(lua);
  const std::uint32_t line = line_in_template(lua);
  lua_Debug thrower;
  bool of_value = false;
  if (lua_getstack(lua, 1, &thrower) != 0) {
    lua_getinfo(lua, "f", &thrower);
    of_value = lua_tocfunction(lua, -1) == lua_emit_value;
    lua_pop(lua, 1);
  }
  if (lua_type(lua, 1) == LUA_TTABLE && luaL_callmeta(lua, 1, "__tostring") == 0) {
    lua_pushliteral(lua, "an error that is a table");
  }
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, -1, &size);
  describe(run, text ? std::string(text, size) : "an error without a message", line, of_value);
  return 0;
}

/// For callers that cannot be stopped.
void count_instructions(lua_State* lua, lua_Debug*) {
  lua_getfield(lua, LUA_REGISTRYINDEX, "run");
  auto& run = *static_cast<LuaRun*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  run.instructions += 1000;
  if (run.instructions <= run.most_instructions) return;
  lua_sethook(lua, count_instructions, LUA_MASKCOUNT, 1);  // whoever catches it gets no further
  luaL_error(lua, "too many instructions");
}

Status status_of(int result, lua_State* lua, LuaRun& run) {
  if (result == LUA_OK) return Status::kDone;
  if (result == LUA_ERRMEM) return Status::kMemoryLimit;
  if (run.output->exception.message.empty()) {  // no handler was called, or it failed
    const char* text = lua_tostring(lua, -1);
    describe(run, text ? text : "an error while another one was handled", 0, false);
  }
  return Status::kException;
}

}  // namespace

void run_lua(const Request& request, Output& output, const LuaLimits& limits) {
  LuaRun run;
  run.request = &request;
  run.output = &output;
  run.fields = LuaJson::parse(request.fields_json);
  run.context = LuaJson::parse(request.context_json);
  run.memory.limit = request.memory_limit;
  run.most_instructions = limits.instructions;
  lua_State* const lua = lua_newstate(allocate, &run.memory);
  if (!lua) {
    output.status = Status::kMemoryLimit;
    return;
  }
  // The state is new: these find the little memory that they need, or the limit makes no sense.
  lua_pushlightuserdata(lua, &run);
  lua_pushcclosure(lua, lua_describe_error, 1);
  lua_pushcfunction(lua, run_template);
  lua_pushlightuserdata(lua, &run);
  if (limits.instructions > 0) {
    lua_pushlightuserdata(lua, &run);
    lua_setfield(lua, LUA_REGISTRYINDEX, "run");
    lua_sethook(lua, count_instructions, LUA_MASKCOUNT, 1000);
  }
  output.status = status_of(lua_pcall(lua, 1, 0, 1), lua, run);
  lua_close(lua);
}

}  // namespace protobeam::wbt::script
