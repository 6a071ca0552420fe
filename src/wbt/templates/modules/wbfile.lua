-- Names of files; templates have no files.
local M = {}

function M.getpathwithoutfilename(path)
  return path:gsub('\\', '/'):match('^(.*)/') or ''
end

return M
