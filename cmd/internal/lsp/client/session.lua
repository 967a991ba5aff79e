-- A session of Neovim with the language server: it is a client as in docs/editors.md, without
-- plugins. The first failure ends it with status 1.
--
--   MANCHECK=bin/mancheck nvim --headless --clean -l session.lua, or -c 'luafile session.lua'

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local file = folder .. "/ring.sow"
local text = [[
variant Ring {
  param m = 3 in 1..6
  board {
    hole[1..m]
    ring round = hole[1..m]
  }
  setup { each hole = 1 }
  move step {
    choose p in hole where p > 0
    sow p along ruond
    if last > 2 { win big }
  }
}

claim wins {
  reachable big
}
]]
vim.fn.writefile(vim.split(text, "\n"), file)

local function check(ok, what, got)
  if ok then
    io.stdout:write("ok    " .. what .. "\n")
    return
  end
  io.stdout:write("FAIL  " .. what .. ": " .. vim.inspect(got) .. "\n")
  vim.cmd("cquit 1")
end

vim.env.MANCHECK_CACHE = folder .. "/cache"
vim.cmd("edit " .. file)
vim.bo.filetype = "sow"
local buffer = vim.api.nvim_get_current_buf()
local shown = {}
local id = vim.lsp.start_client({
  name = "mancheck",
  cmd = { vim.env.MANCHECK, "lsp" },
  root_dir = folder,
  init_options = { trusted = false },
  handlers = {
    ["window/showMessage"] = function(_, result) table.insert(shown, result.message) end,
  },
})
check(id ~= nil, "the server is started", id)
vim.lsp.buf_attach_client(buffer, id)
local client = vim.lsp.get_client_by_id(id)

-- diagnostics waits until there are as many as wanted.
local function diagnostics(n)
  vim.wait(20000, function() return client.initialized and #vim.diagnostic.get(buffer) == n end, 20)
  return vim.diagnostic.get(buffer)
end

local function ask(method, params)
  local got = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  local answer = got and got[id] or {}
  return answer.result, answer.err
end

local function at(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line, character = character } }
end

vim.wait(20000, function() return client.initialized end, 20)
local found = diagnostics(1)
check(#found == 1 and found[1].code == "R001" and found[1].lnum == 9, "diagnostics arrive", found)
vim.api.nvim_buf_set_text(buffer, 9, 16, 9, 21, { "round" })
check(#diagnostics(0) == 0, "a change removes them", vim.diagnostic.get(buffer))

local hover = ask("textDocument/hover", at(0, 9))
check(hover and hover.contents.value:find("ring round = hole%[1%.%.3%]"), "hover", hover)

local labels = {}
for _, item in ipairs((ask("textDocument/completion", at(9, 16)) or {}).items or {}) do labels[item.label] = true end
check(labels.round and not labels.claim, "completion", labels)

vim.api.nvim_win_set_cursor(0, { 10, 17 })
vim.lsp.buf.rename("circle")
vim.wait(20000, function() return vim.api.nvim_buf_get_lines(buffer, 4, 5, false)[1]:find("circle") end, 20)
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
check(lines[5]:find("ring circle") and lines[10]:find("along circle"), "rename", lines)

local lenses = ask("textDocument/codeLens", at(0, 0))
check(lenses and #lenses == 1 and lenses[1].command.title == "decide", "a code lens", lenses)
local result, err = ask("workspace/executeCommand", { command = lenses[1].command.command, arguments = lenses[1].command.arguments })
check(result and result:find("✓ proved"), "it decides", err or result)
check(#shown == 1 and shown[1]:find("✓ proved"), "the verdict is shown", shown)
lenses = ask("textDocument/codeLens", at(0, 0))
check(#lenses == 3 and lenses[1].command.title:find("^✓ proved · "), "the lens has the verdict", lenses)

local program, ran = folder .. "/evil.sh", folder .. "/ran"
vim.fn.writefile({ "#!/bin/sh", ": > '" .. ran .. "'", "exit 1" }, program)
vim.fn.setfperm(program, "rwxr-xr-x")
vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "claim kept {", "  invariant total(hole) = m", "  using induction", "}" })
local function decide() return ask("workspace/executeCommand", { command = "mancheck.decide", arguments = { vim.uri_from_bufnr(buffer), "kept" } }) end
client.notify("workspace/didChangeConfiguration", { settings = { mancheck = { trusted = true, decideOnSave = true, solver = program } } })
vim.cmd("silent write")
result, err = decide()
check(result and vim.fn.filereadable(ran) == 0, "settings do not make a folder trusted", err or result)
client.notify("mancheck/trust", { trusted = true })
result, err = decide()
check(vim.fn.filereadable(ran) == 1, "the client does, and then they count", err or result)

client.stop()
check(vim.wait(20000, function() return client.is_stopped() end, 20), "the server ends", client)
vim.cmd("qall!")
