-- Runs first in each template's state. Templates must write the same text on every machine and at
-- every time, and must not reach anything but their own fields: the clock stands still, random
-- numbers are seeded, tables are traversed in an order of their own, and files are an error.

local emit_text, emit_value, message, number_of, module, its_fields, its_context = ...

local error, getmetatable, ipairs, rawget, select, type = error, getmetatable, ipairs, rawget,
  select, type
local concat, sort, unpack_list = table.concat, table.sort, table.unpack
-- Called as fields, so that Lua's messages have these names.
local lua = {
  date = os.date, format = string.format, load = load, next = next, time = os.time, tostring = tostring,
}

__text, __value = emit_text, emit_value
fields, context = its_fields, its_context

-- What a table's value for `name` is in its metatable; a template may hide its metatables.
local function meta(value, name)
  local its = getmetatable(value)
  return type(its) == 'table' and rawget(its, name) or nil
end

local function unavailable(name, why)
  return function()
    error(name .. ' is not available: ' .. why, 2)
  end
end

-- Traversal. Lua's hash tables have another order in each run.

local own_functions = {}  -- of Lua and of this file, by name

local function rank(key)
  local kind = type(key)
  if kind == 'number' then return 1, key end
  if kind == 'string' then return 2, key end
  if kind == 'boolean' then return 3, key and 1 or 0 end
  local own = own_functions[key]
  if own then return 4, own end
  return 5, number_of(key)
end

local function before(a, b)
  local kind_a, rank_a = rank(a)
  local kind_b, rank_b = rank(b)
  if kind_a ~= kind_b then return kind_a < kind_b end
  return rank_a < rank_b
end

-- Numbers, then texts, then all others; a list is in order already.
local function sorted_keys(t)
  local keys, count, last, ordered = {}, 0, nil, true
  local same_kind = nil
  for key in lua.next, t do
    local kind = type(key)
    if count == 0 then same_kind = kind end
    if kind ~= same_kind or (kind ~= 'number' and kind ~= 'string') then
      same_kind, ordered = nil, false
    elseif ordered and last ~= nil and key < last then
      ordered = false
    end
    count = count + 1
    keys[count], last = key, key
  end
  if not ordered then
    if same_kind then sort(keys) else sort(keys, before) end
  end
  return keys
end

local function check_table(value, name)
  if type(value) ~= 'table' then
    local got = type(value)
    if value == nil then got = 'nil' end
    error(lua.format("bad argument #1 to '%s' (table expected, got %s)", name, got), 3)
  end
end

function pairs(t)
  local own = meta(t, '__pairs')
  if own then
    local iterate, state, first = own(t)
    return iterate, state, first
  end
  check_table(t, 'pairs')
  local keys, i = sorted_keys(t), 0
  return function()
    local key, value
    repeat
      i = i + 1
      key = keys[i]
      if key == nil then return nil end
      value = rawget(t, key)
    until value ~= nil
    return key, value
  end, t, nil
end

-- The keys of the table that next() went over last, and where each stands.
local walked, walked_keys, walked_at

function next(t, key)
  check_table(t, 'next')
  if key == nil then
    walked = nil
    local first
    for candidate in lua.next, t do
      if first == nil or before(candidate, first) then first = candidate end
    end
    if first == nil then return nil end
    return first, rawget(t, first)
  end
  if walked ~= t then
    walked, walked_keys, walked_at = t, sorted_keys(t), {}
    for i, each in ipairs(walked_keys) do walked_at[each] = i end
  end
  local at = walked_at[key]
  if at then
    repeat
      at = at + 1
      key = walked_keys[at]
      if key == nil then return nil end
    until rawget(t, key) ~= nil
    return key, rawget(t, key)
  end
  -- The key has been taken out of the table since.
  local following
  for candidate in lua.next, t do
    if before(key, candidate) and (following == nil or before(candidate, following)) then
      following = candidate
    end
  end
  if following == nil then return nil end
  return following, rawget(t, following)
end

-- Texts. Lua writes where in memory an object lies; here they are numbered as they are written.

local shown, shown_count = setmetatable({}, {__mode = 'k'}), 0

local function is_object(value)
  local kind = type(value)
  return kind == 'table' or kind == 'function' or kind == 'thread'
end

function tostring(...)
  local value = ...
  if not is_object(value) or meta(value, '__tostring') then return lua.tostring(...) end
  if own_functions[value] then return 'function: builtin' end
  if not shown[value] then
    shown_count = shown_count + 1
    shown[value] = shown_count
  end
  return lua.format('%s: %08x', type(value), shown[value])
end

function string.format(...)
  for i = 2, select('#', ...) do
    if is_object((select(i, ...))) then
      local values = {...}
      for k = i, select('#', ...) do
        if is_object(values[k]) then values[k] = tostring(values[k]) end
      end
      return lua.format(unpack_list(values, 1, select('#', ...)))
    end
  end
  return lua.format(...)
end

-- What a template says becomes warnings.

local function say(name, separator, ...)
  local words = {...}
  for i = 1, select('#', ...) do words[i] = tostring(words[i]) end
  for line in concat(words, separator):gmatch('[^\r\n]+') do message(name, line) end
end

function print(...)
  say('print', '\t', ...)
end

local function stream(name)
  return {
    write = function(self, ...)
      say(name, '', ...)
      return self
    end,
    flush = function(self) return self end,
    setvbuf = function() return true end,
  }
end

local kNoFiles = 'templates have no files'
io = {
  stdout = stream('io.stdout'),
  stderr = stream('io.stderr'),
  flush = function() end,
}
function io.write(...)
  return io.stdout:write(...)
end
for _, name in ipairs {'close', 'input', 'lines', 'open', 'output', 'popen', 'read', 'tmpfile', 'type'} do
  io[name] = unavailable('io.' .. name, kNoFiles)
end
dofile, loadfile = unavailable('dofile', kNoFiles), unavailable('loadfile', kNoFiles)

-- The clock stands at 0.

os = {
  clock = function() return 0 end,
  difftime = os.difftime,
  time = function(date)
    if date == nil then return 0 end
    return lua.time(date)
  end,
  date = function(form, time)
    if time == nil then time = 0 end
    if form == nil then form = '%c' end
    return lua.date(form, time)
  end,
}
for _, name in ipairs {'execute', 'exit', 'getenv', 'remove', 'rename', 'setlocale', 'tmpname'} do
  os[name] = unavailable('os.' .. name, 'a template reaches its own fields only')
end

function collectgarbage()
  return 0
end

-- Text only: Lua trusts what is compiled already.
function load(chunk, name, mode, ...)
  return lua.load(chunk, name, 't', ...)
end
string.dump = nil

-- Names of Lua 5.1.
loadstring = load
unpack = table.unpack
math.log10 = math.log10 or function(x) return math.log(x, 10) end
math.mod = math.fmod
string.gfind = string.gmatch
table.getn = function(t) return #t end
table.maxn = table.maxn or function(t)
  local most = 0
  for key in lua.next, t do
    if type(key) == 'number' and key > most then most = key end
  end
  return most
end
function table.foreach(t, call)
  for key, value in pairs(t) do
    local result = call(key, value)
    if result ~= nil then return result end
  end
end
function table.foreachi(t, call)
  for i = 1, #t do
    local result = call(i, t[i])
    if result ~= nil then return result end
  end
end

-- Modules.

local loaded = {
  _G = _G, bit32 = bit32, coroutine = coroutine, io = io, math = math, os = os, string = string,
  table = table,
}
package = {loaded = loaded, path = '', cpath = '', preload = {}}
local kReasons = {
  debug = 'templates have no access to Lua itself',
  gd = 'templates cannot draw pictures (Webots itself has dropped lua-gd with R2022b)',
}

function require(name)
  if loaded[name] ~= nil then return loaded[name] end
  local run = type(name) == 'string' and (package.preload[name] or module(name))
  if not run then
    error(lua.format("there is no module '%s': %s", tostring(name), kReasons[name] or
      'a template has the modules of Lua and of Webots only'), 2)
  end
  local value = run(name)
  if value ~= nil then
    loaded[name] = value
  elseif loaded[name] == nil then
    loaded[name] = true
  end
  return loaded[name]
end

-- As in a template of JavaScript, random numbers begin by the node's id. The generator is the C
-- library's, as in Webots.
local seed = 0
for i = 1, #tostring(context.id) do
  seed = (seed * 31 + tostring(context.id):byte(i)) % 16777216
end
math.randomseed(seed)

-- Ranks of functions that are no objects of Lua's: by their names.
local count = 0
local function name_functions(t)
  for _, key in ipairs(sorted_keys(t)) do
    local value = t[key]
    if type(value) == 'function' and not own_functions[value] then
      count = count + 1
      own_functions[value] = count
    end
  end
end
name_functions(_G)
for _, library in ipairs {bit32, coroutine, math, string, table} do name_functions(library) end
