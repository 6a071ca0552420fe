-- Copies and lengths of tables.
local M = {}

function M.deepcopy(original)
  if type(original) ~= 'table' then return original end
  local copy = {}
  for key, value in next, original do copy[M.deepcopy(key)] = M.deepcopy(value) end
  return setmetatable(copy, M.deepcopy(getmetatable(original)))
end

-- Up to the first nil.
function M.tablelength(list)
  local length = 0
  while list[length + 1] ~= nil do length = length + 1 end
  return length
end

return M
