// Rules files, for tree-sitter. The tree has what an editor needs: declared names, blocks and
// brackets, and kinds of words. It accepts more than the parser, which reports mistakes.

const keywords = [
  "again", "and", "board", "capture", "choose", "div", "draw", "each", "else", "end", "for", "go", "if", "import", "in", "into",
  "let", "lose", "mod", "move", "my", "not", "number", "offer", "old", "or", "player", "prefer", "require", "score", "setup",
  "some", "sow", "state", "take", "their", "when", "where", "while", "win", "without", "written",
];

const declaring = ["define", "param", "position", "procedure", "variant"];

const values = ["empty", "false", "last", "mover", "none", "opponent", "origin", "true"];

// Words that mean something at their places. Those that are names as often are not here.
const words = [
  "along", "facing", "greatest", "group", "language", "least", "line", "loses", "map", "no", "of", "owner", "pass", "relay", "reverse",
  "ring", "skip", "strategy", "takes", "then", "was", "wins", "with",
];

// The same in claims.
const clauses = [
  "after", "all", "ancestors", "anything", "bound", "can", "count", "counts", "equivalent", "ever", "every", "expect", "file", "finished",
  "following", "force", "gives", "ignoring", "invariant", "is", "long", "never", "notation", "over", "plays", "predecessors", "proved", "reachable",
  "refines", "refuted", "result", "reverses", "scored", "starting", "starts", "states", "stuck", "successors", "terminates", "unique", "unreachable",
  "using", "value", "wherever", "winnable", "winner", "winning", "within",
];

module.exports = grammar({
  name: "sow",

  extras: $ => [/\s/, $.comment],

  word: $ => $.identifier,

  rules: {
    source_file: $ => repeat(choice($.claim, $.declaration, $._element)),

    claim: $ => seq(alias("claim", $.keyword), field("name", $.identifier), repeat(choice($._name, $.string)), field("body", $.claim_block)),

    claim_block: $ => seq("{", repeat($._clause), "}"),

    _clause: $ => choice(alias($.clause_set, $.set), alias($.clause_parens, $.parens), alias($.clause_brackets, $.brackets), alias($.clause_word, $.word), $._atom),

    clause_set: $ => seq("{", repeat($._clause), "}"),
    clause_parens: $ => seq("(", repeat($._clause), ")"),
    clause_brackets: $ => seq("[", repeat($._clause), "]"),

    declaration: $ => seq(alias(choice(...declaring), $.keyword), field("name", $.identifier)),

    _element: $ => choice($.block, $.parens, $.brackets, $._atom),

    block: $ => seq("{", repeat(choice($.declaration, $._element)), "}"),
    parens: $ => seq("(", repeat($._element), ")"),
    brackets: $ => seq("[", repeat($._element), "]"),

    _atom: $ => choice($.keyword, $.constant, $._name, $.number, $.string, $.operator, $.separator),

    // A word may stand for a name, where the grammar has it not at its place.
    _name: $ => choice($.word, $.identifier),

    keyword: $ => choice(...keywords),
    constant: $ => choice(...values),
    word: $ => choice(...words),
    clause_word: $ => choice(...clauses),

    identifier: $ => /\p{L}[\p{L}0-9_]*/,
    number: $ => /[0-9]+(_[0-9]+)*/,
    string: $ => /"([^"\\\n]|\\[^\n])*"/,
    comment: $ => token(seq("//", /[^\n]*/)),
    operator: $ => choice("..", "->", "/=", "!=", "<=", ">=", "-", "=", "<", ">", "+", "*"),
    separator: $ => choice("|", ",", ":", "_"),
  },
});
