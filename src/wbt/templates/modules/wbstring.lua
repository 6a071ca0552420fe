-- Parts of texts.
local M = {}

-- What stands between the matches of a pattern, without empty parts at both ends.
function M.split(text, pattern)
  local parts, from = {}, 1
  while true do
    local first, last = text:find(pattern, from)
    if not first or last < first then break end
    if from > 1 or first > 1 then parts[#parts + 1] = text:sub(from, first - 1) end
    from = last + 1
  end
  if from <= #text then parts[#parts + 1] = text:sub(from) end
  return parts
end

return M
