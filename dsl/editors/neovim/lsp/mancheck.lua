-- For vim.lsp.enable('mancheck') of Neovim 0.11.
return require('mancheck').config()
