-- Writes the kinds of tokens that the syntax finds, for tests: of each file in the JSON file $IN,
-- {path: [[line, column], …]}, the name of the syntax group at each place, as JSON to the file $OUT.
local out = {}
for path, places in pairs(vim.fn.json_decode(vim.fn.readfile(vim.env.IN))) do
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  assert(vim.bo.filetype == 'sow', path .. ' is ' .. vim.bo.filetype)
  local groups = {}
  for _, at in ipairs(places) do
    table.insert(groups, vim.fn.synIDattr(vim.fn.synID(at[1], at[2], 1), 'name'))
  end
  out[path] = groups
end
vim.fn.writefile({ vim.fn.json_encode(out) }, vim.env.OUT)
