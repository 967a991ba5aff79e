-- Lets the plugin start a stand-in for the server, for tests. What the server heard, and what was
-- shown of its answer, is written to files in the folder $DIR.
local dir = vim.env.DIR
local function write(name, text) vim.fn.writefile(vim.split(text, '\n'), dir .. '/' .. name) end

write('game.sow', 'claim here { terminates }')
write('mancheck', [[
#!/usr/bin/env node
const { writeFileSync } = require("fs");
const note = (name, text) => writeFileSync(__dirname + "/" + name, String(text));
note("args", process.argv.slice(2).join(" "));
let buffer = Buffer.alloc(0);
process.stdin.on("data", data => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const head = buffer.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(buffer.subarray(0, head))[1]);
    if (buffer.length < head + 4 + length) return;
    const { id, method, params } = JSON.parse(buffer.subarray(head + 4, head + 4 + length));
    buffer = buffer.subarray(head + 4 + length);
    let result = null;
    if (method === "initialize") {
      note("trusted", params.initializationOptions.trusted);
      result = { capabilities: { executeCommandProvider: { commands: ["mancheck.decide"] } } };
    }
    if (method === "workspace/executeCommand") result = "decided " + params.arguments.join(" ");
    if (method === "mancheck/trust") note("trust", params.trusted);
    if (method === "exit") process.exit(0);
    if (id !== undefined) {
      const text = JSON.stringify({ jsonrpc: "2.0", id, result });
      process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\r\n\r\n" + text);
    }
  }
});
]])
vim.fn.setfperm(dir .. '/mancheck', 'rwx------')

-- await waits until a condition holds.
local function await(what, condition)
  assert(vim.wait(20000, condition, 20), what .. ' does not happen')
end

require('mancheck').setup { path = dir .. '/mancheck' }
vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/game.sow'))
await('attaching', function() return vim.fn.exists ':MancheckDecide' == 2 end)
vim.cmd 'MancheckTrust'
await('trust', function() return vim.fn.filereadable(dir .. '/trust') == 1 end)
vim.cmd 'MancheckDecide'
await('an answer', function() return vim.bo.buftype == 'nofile' end)
write('shown', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'))
