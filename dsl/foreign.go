package dsl

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
)

// foreignWords has words of other languages, with what to write instead. They are not reserved:
// they matter only if the parser fails at one, or just after it.
var foreignWords = map[string]string{
	"elif": "write `else if`", "elsif": "write `else if`", "elseif": "write `else if`",
	"unless":   "write `if not …`, and for an ending `when not …`",
	"repeat":   "write `while E { … }`, or `for k in 1..3 { … }` for a known number of turns",
	"until":    "write `while not … { … }`",
	"loop":     "write `while E { … }`",
	"do":       "write `while E { … }`",
	"foreach":  "write `for p in SET { … }`",
	"break":    "put what ends the loop into the condition of its `while`",
	"continue": "put the rest of the body into an `if`",
	"return":   "put the rest of the body into an `if`; `end`, `draw` and others end the game",
	"then":     "write `if E { … }`",
	"var":      "write `let x = E`, or `state x : …` for what lasts from move to move",
	"const":    "write `define x = E`, or `param x = 6`",
	"function": "write `define name(p : pit) = E`", "def": "write `define name(p : pit) = E`",

	"eventually": "`reachable E` says that some play comes to E, and `terminates` that every play ends",
	"finally":    "`reachable E` says that some play comes to E, and `terminates` that every play ends",
	"possible":   "write `reachable E`", "exists": "write `for some n`, or in an expression `some p in SET : E`",
	"always": "write `invariant E`", "globally": "write `invariant E`",
	"impossible": "write `unreachable E`", "never": "write `unreachable E`",
	"forall": "write `for all n`, or in an expression `each p in SET : E`",
	"assert": "write `invariant E`", "prove": "write what is claimed: `invariant E`, `reachable E`, …",
}

// foreignWord looks for a word of another language at token bad or just before it. help says what
// to write instead; it is empty if there is no such word. A word before a misspelt one, as in
// `never stick`, is not taken for the mistake.
func (p *parser) foreignWord(bad, start int, in context, expected []string) (at int, help string) {
	if t := p.tokens[bad]; t.Type == scan.Name && t.Value == "to" && slices.Contains(expected, `"into"`) {
		return bad, "write `into`"
	}
	for at := bad; at >= max(bad-1, start); at-- {
		t := p.tokens[at]
		misspelt := at < bad && p.tokens[bad].Type == scan.Name && spell.Nearest(p.tokens[bad].Value, words()[in]) != ""
		if t.Type == scan.Name && foreignWords[t.Value] != "" && !misspelt && !p.declared(t.Value) {
			return at, foreignWords[t.Value]
		}
	}
	return bad, ""
}

// declares has the words after which a new name is declared.
var declares = []string{"param", "state", "ring", "line", "group", "let", "define", "choose", "position", "strategy", "board", "variant", "claim"}

// declared reports whether the file declares a name, which then is no foreign word.
func (p *parser) declared(name string) bool {
	for i, t := range p.tokens[1:] {
		if t.Value == name && slices.Contains(declares, p.tokens[i].Value) {
			return true
		}
	}
	return false
}
