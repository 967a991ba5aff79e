package dsl

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
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

// phrase is what people write who guess: a sequence of tokens, with what to write instead. In it
// `P` is a player of the file, `N` another name, and `I` a number.
type phrase struct {
	words string
	help  string
	in    []context // where it is one; nil: everywhere
}

// inBody is where statements stand.
var inBody = []context{inVariant}

// phrases are looked for where the parser fails, in this order.
var phrases = []phrase{
	{"next player", "the turn passes by itself after a move; `P moves next` gives it to another player", inBody},
	{"N player moves", "the turn passes by itself after a move; `P moves next` gives it to another player", inBody},
	{"switch player", "the turn passes by itself after a move; `again` keeps it", inBody},
	{"change player", "the turn passes by itself after a move; `again` keeps it", inBody},
	{"extra turn", "write `again`", inBody},
	{"another turn", "write `again`", inBody},
	{"extra move", "write `again`", inBody},
	{"play again", "write `again`", inBody},
	{"move again", "write `again`", inBody},
	{"capture all", "write `capture p into Q`: that takes all seeds", inBody},
	{"take all", "write `capture p into Q`: that takes all seeds", inBody},
	{"skip opponent", "write `skip their store`", inBody},
	{"opponent N", "what the other player owns is `their house`, `their store`", nil},
	{"mover N", "what the mover owns is `my house`, `my store`", nil},
	{"P can win", "write `reachable P wins` for some play, or `P can force P wins` against all others", []context{inClaim}},
	{"P can", "write `P can force E`, or `reachable E` if some play is meant", []context{inClaim}},
	{"P always", "write `P can force P wins`", []context{inClaim}},
	{"P must", "write `P can force P wins`", []context{inClaim}},
	{"P N", "a pit or group of a player is `my store`, `store of P`, or is named, as in `south_store`", nil},
	{"is", "write `=`: `last = 0`; whether the pit was empty before its last seed is `last was empty`", nil},
	{"= draw", "an ending is a verdict of its own: `draw when E`", nil},
	{"result =", "an ending is a verdict with `when`: `South wins when E`, `draw when E`", nil},
	{"winner =", "an ending is a verdict with `when`: `South wins when E`, `draw when E`", inBody},
	{"wins when", "say who: `South wins when E`, or in a solitaire `win when E`", inBody},
	{"loses when", "say who: `South loses when E`, or in a solitaire `lose when E`", inBody},
	{"state N =", "a variable has a type: `state k : 0..9 = 0`, `state first : bool = true`", inBody},
	{"for N =", "write `for k in 1..3 { … }`", inBody},
	{"for (", "write `for k in 1..3 { … }`, without brackets", inBody},
	{"sow along", "the pit comes first: `sow p along LAP`", inBody},
	{"terminates =", "write `terminates`, or `not terminates` for the opposite", []context{inClaim}},
	{"stuck =", "write `never stuck`, or `not never stuck` for the opposite", []context{inClaim}},
	{"N + +", "write `x = x + 1`", inBody},
	{"N - -", "write `x = x - 1`", inBody},
	{"+ +", "write `x = x + 1`", inBody},
	{"- -", "write `x = x - 1`", inBody},
	{"->", "seeds are moved by `capture p into Q` and `take 2 from p into Q`", inBody},
	{"N I", "a pit is written with its number in brackets, `house[3]`, or as one name, `house3`", inBody},
	{"! =", "write `/=`", nil},
}

// verbs has the words that follow a player in the language.
var verbs = []string{"wins", "loses", "moves", "can"}

// foreignPhrase looks for a phrase at token bad, or that ends just before it.
func (p *parser) foreignPhrase(bad int, in context) (at diag.Range, text, help string) {
	for _, f := range phrases {
		if f.in != nil && !slices.Contains(f.in, in) {
			continue
		}
		words := strings.Fields(f.words)
		for i := max(bad-len(words), 0); i <= bad; i++ {
			if i+len(words) > bad-1 && p.matches(i, words) {
				last := i + len(words) - 1
				r := p.rangeOf(i).To(p.rangeOf(last))
				return r, string(p.out.Source[r.Start.Offset:r.End.Offset]), p.filled(f.help, i)
			}
		}
	}
	return diag.Range{}, "", ""
}

// matches reports whether the words of a phrase stand at token i, on one line and on their own.
func (p *parser) matches(i int, words []string) bool {
	for k, w := range words {
		if i+k >= len(p.tokens) {
			return false
		}
		t := p.tokens[i+k]
		player := t.Type == scan.Name && p.isPlayer(t.Value)
		switch {
		case k > 0 && (p.firstOnLine(i+k) || p.reported(i+k)), w == "P" && i+k > 0 && p.tokens[i+k-1].Value == "player":
			return false
		case w == "P" && player, w == "N" && t.Type == scan.Name && !player && !slices.Contains(verbs, t.Value), w == "I" && t.Type == scan.Int:
		case len(w) == 1 && w >= "A" && w <= "Z", t.Value != w, t.Type == scan.Name && p.declared(w):
			return false
		}
	}
	return true
}

// filled puts the player of a phrase at token i into its help.
func (p *parser) filled(help string, i int) string {
	if !p.isPlayer(p.tokens[i].Value) {
		return help
	}
	var out []string
	for _, w := range strings.Split(help, " ") {
		if bare := strings.Trim(w, "`,;:"); bare == "P" {
			w = strings.Replace(w, "P", p.tokens[i].Value, 1)
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
