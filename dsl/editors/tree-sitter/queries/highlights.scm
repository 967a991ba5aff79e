(comment) @comment
(string) @string
(number) @number
(constant) @constant.builtin
(operator) @operator
(separator) @punctuation.delimiter
["{" "}" "(" ")" "[" "]"] @punctuation.bracket

(identifier) @variable
(declaration name: (identifier) @function)
(claim name: (identifier) @function)

[(keyword) (word)] @keyword
