autocmd BufNewFile,BufRead *.sow setfiletype sow
