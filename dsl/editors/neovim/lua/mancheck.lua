-- The server `mancheck lsp` in Neovim, from 0.7 on:
--
--   require('mancheck').setup {
--     path = 'mancheck',   -- the program
--     trusted = false,     -- or true, or a function of the folder: see docs/editors.md
--     settings = {},       -- solver, timeout, maxMemory, threads, allowImports, decideOnSave
--   }
--
-- In buffers of rules :MancheckDecide, :MancheckTrace and :MancheckExplain take the name of a claim,
-- or the claim at the cursor; :MancheckDecideAll takes all of them; :MancheckTrust trusts the folder.

local M = { options = { path = 'mancheck', trusted = false, settings = {} } }

local function trusted(root)
  local t = M.options.trusted
  if type(t) == 'function' then
    t = t(root)
  end
  return t == true
end

-- The folder of a file: that of its repository, or its own.
local function root_of(file)
  local dir = vim.fn.fnamemodify(file, ':p:h')
  local git = vim.fn.finddir('.git', vim.fn.escape(dir, ' ,;') .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or dir
end

-- config is what vim.lsp.config of Neovim 0.11 takes, and vim.lsp.start of earlier ones for a folder.
function M.config(root)
  return {
    name = 'mancheck',
    cmd = { M.options.path, 'lsp' },
    filetypes = { 'sow' },
    root_markers = { '.git' },
    root_dir = root,
    settings = { mancheck = M.options.settings },
    init_options = vim.tbl_extend('force', vim.empty_dict(), M.options.settings, { trusted = trusted(root or vim.fn.getcwd()) }),
    before_init = function(params, config)
      params.initializationOptions.trusted = trusted(config.root_dir or root or vim.fn.getcwd())
    end,
    on_attach = function(_, buffer)
      M.attach(buffer)
    end,
  }
end

-- The server of a buffer.
local function client_of(buffer)
  local list = vim.lsp.get_clients and vim.lsp.get_clients { bufnr = buffer } or vim.lsp.buf_get_clients(buffer)
  for _, client in pairs(list) do
    if client.name == 'mancheck' then
      return client
    end
  end
end

-- The claim that begins last before the cursor.
local function claim_at_cursor()
  for number = vim.fn.line '.', 1, -1 do
    local name = vim.fn.matchstr(vim.fn.getline(number), [[^\s*claim\s\+\zs\k\+]])
    if name ~= '' then
      return name
    end
  end
end

-- show shows an answer in a window of its own.
function M.show(name, answer, markdown)
  if type(answer) ~= 'string' or answer == '' then
    return
  end
  vim.cmd 'botright new'
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(answer, '\n', { plain = true }))
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].modifiable = 'nofile', 'wipe', false
  if markdown or answer:find '^#' or answer:find '\n#' or answer:find '```' then
    vim.bo[buffer].filetype = 'markdown'
  end
  pcall(vim.api.nvim_buf_set_name, buffer, 'mancheck://' .. name)
end

-- run asks the server for a command, and shows what it answers.
function M.run(buffer, command, arguments)
  local client = client_of(buffer)
  if not client then
    vim.notify('mancheck: no server for this buffer', vim.log.levels.ERROR)
    return
  end
  local handler = function(err, answer)
    if err then
      vim.notify('mancheck: ' .. err.message, vim.log.levels.ERROR)
      return
    end
    M.show(table.concat(vim.list_extend({ command }, vim.list_slice(arguments, 2)), '/'), answer, command == 'mancheck.explain')
  end
  local params = { command = command, arguments = arguments }
  if vim.fn.has 'nvim-0.11' == 1 then
    client:request('workspace/executeCommand', params, handler, buffer)
  else
    client.request('workspace/executeCommand', params, handler, buffer)
  end
end

function M.attach(buffer)
  local uri = vim.uri_from_bufnr(buffer)
  for name, command in pairs { Decide = 'decide', Trace = 'trace', Explain = 'explain' } do
    vim.api.nvim_buf_create_user_command(buffer, 'Mancheck' .. name, function(o)
      M.run(buffer, 'mancheck.' .. command, { uri, o.args ~= '' and o.args or claim_at_cursor() })
    end, { nargs = '?' })
  end
  vim.api.nvim_buf_create_user_command(buffer, 'MancheckDecideAll', function()
    M.run(buffer, 'mancheck.decideAll', { uri })
  end, {})
  vim.api.nvim_buf_create_user_command(buffer, 'MancheckTrust', function()
    local client = client_of(buffer)
    if client then
      local send = vim.fn.has 'nvim-0.11' == 1 and function(...) client:notify(...) end or client.notify
      send('mancheck/trust', { trusted = true })
    end
  end, {})
end

-- start starts the server for a buffer, or gives the buffer to the one that runs for its folder.
local running = {}
function M.start(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  if vim.lsp.start then
    return vim.lsp.start(M.config(root), { bufnr = buffer })
  end
  local id = running[root]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(M.config(root))
    running[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
  local group = vim.api.nvim_create_augroup('mancheck', { clear = true })
  -- ftdetect does not count if Neovim had looked there before the plugin was known.
  vim.api.nvim_create_autocmd({ 'BufNewFile', 'BufRead' }, { group = group, pattern = '*.sow', command = 'setfiletype sow' })
  -- What a code lens asks for is shown like the answers of the commands.
  for _, name in ipairs { 'decide', 'decideAll', 'trace', 'explain' } do
    vim.lsp.commands['mancheck.' .. name] = function(command, context)
      M.run(context.bufnr, command.command, command.arguments)
    end
  end
  if vim.fn.has 'nvim-0.11' == 1 then
    vim.lsp.config('mancheck', M.config())
    vim.lsp.enable 'mancheck'
    return
  end
  vim.api.nvim_create_autocmd('FileType', { group = group, pattern = 'sow', callback = function(o) M.start(o.buf) end })
end

return M
